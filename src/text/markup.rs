//! A small tree of elements: formulas and captions are built and tested as values, and rendered by
//! the code that owns the page.

use std::borrow::Cow;
use std::fmt;

/// An element or a run of text.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// Boxed because a node is moved several times on its way into a tree.
    Element(Box<Element>),
    Text(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub tag: &'static str,
    /// Names and values. Classes such as `sine` and `here` select the colours that the pictures use.
    pub attributes: Vec<(&'static str, Cow<'static, str>)>,
    pub children: Vec<Node>,
}

impl Node {
    #[inline(never)]
    pub fn new(tag: &'static str, children: Vec<Node>) -> Node {
        Node::Element(Box::new(Element {
            tag,
            attributes: Vec::new(),
            children,
        }))
    }

    pub fn text(tag: &'static str, text: impl Into<String>) -> Node {
        Node::new(tag, vec![Node::Text(text.into())])
    }

    pub fn class(self, name: impl Into<Cow<'static, str>>) -> Node {
        self.with("class", name.into())
    }

    pub fn attribute(self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Node {
        self.with(name, value.into())
    }

    #[inline(never)]
    fn with(mut self, name: &'static str, value: Cow<'static, str>) -> Node {
        if let Node::Element(element) = &mut self {
            element.attributes.push((name, value));
        }
        self
    }

    /// Adds an attribute without a value, such as `checked`, if `on`.
    pub fn flag(self, name: &'static str, on: bool) -> Node {
        if on { self.attribute(name, "") } else { self }
    }

    /// All texts in the order of the tree.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Node::Text(text) => vec![text],
            Node::Element(element) => element.children.iter().flat_map(Node::texts).collect(),
        }
    }

    /// The concatenated texts, as a screen reader reads them.
    pub fn plain(&self) -> String {
        self.texts().concat()
    }
}

/// The tree as HTML.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let escaped = |text: &str| {
            text.replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('"', "&quot;")
        };
        match self {
            Node::Text(text) => f.write_str(&escaped(text)),
            Node::Element(element) => {
                let Element {
                    tag,
                    attributes,
                    children,
                } = &**element;
                write!(f, "<{tag}")?;
                for (name, value) in attributes {
                    write!(f, " {name}=\"{}\"", escaped(value))?;
                }
                f.write_str(">")?;
                if *tag == "input" {
                    return Ok(());
                }
                for child in children {
                    child.fmt(f)?;
                }
                write!(f, "</{tag}>")
            }
        }
    }
}

/// HTML shorthands.
pub mod html {
    use super::Node;

    pub fn div(class: &'static str, children: Vec<Node>) -> Node {
        Node::new("div", children).class(class)
    }

    pub fn p(text: impl Into<String>) -> Node {
        Node::text("p", text)
    }

    pub fn span(class: &'static str, text: impl Into<String>) -> Node {
        Node::text("span", text).class(class)
    }

    /// A button that triggers an action of the figure, with a value.
    pub fn button(
        action: &'static str,
        value: impl Into<String>,
        words: impl Into<String>,
    ) -> Node {
        Node::text("button", words)
            .attribute("type", "button")
            .attribute("data-do", action)
            .attribute("value", value.into())
    }

    /// A `<details>` element: `content` is hidden until the summary `name` is pressed,
    /// but always printed.
    pub fn folded(name: impl Into<String>, content: Node) -> Node {
        let summary = Node::text("summary", name);
        Node::new("details", vec![summary, content]).class("more")
    }

    /// A table whose first row and first column are headings.
    pub fn table(rows: Vec<Vec<Node>>) -> Node {
        let rows = rows.into_iter().enumerate().map(|(r, cells)| {
            let cells = cells.into_iter().enumerate().map(|(c, cell)| {
                let (tag, scope) = match (r, c) {
                    (0, _) => ("th", "col"),
                    (_, 0) => ("th", "row"),
                    _ => return Node::new("td", vec![cell]),
                };
                Node::new(tag, vec![cell]).attribute("scope", scope)
            });
            Node::new("tr", cells.collect())
        });
        let table = Node::new("table", vec![Node::new("tbody", rows.collect())]);
        div("wide", vec![table])
    }

    pub fn words(text: impl Into<String>) -> Node {
        Node::Text(text.into())
    }
}

/// MathML shorthands, named after their elements. They belong inside [`math::math`].
pub mod math {
    use super::Node;

    pub fn math(children: Vec<Node>) -> Node {
        Node::new("math", children)
    }

    pub fn row(children: Vec<Node>) -> Node {
        Node::new("mrow", children)
    }

    pub fn mi(name: impl Into<String>) -> Node {
        Node::text("mi", name)
    }

    pub fn mn(number: impl Into<String>) -> Node {
        Node::text("mn", number)
    }

    pub fn mo(operator: &'static str) -> Node {
        Node::text("mo", operator)
    }

    pub fn sub(base: Node, index: Node) -> Node {
        Node::new("msub", vec![base, index])
    }

    pub fn sup(base: Node, exponent: Node) -> Node {
        Node::new("msup", vec![base, exponent])
    }

    /// An expression with its name below.
    pub fn under(above: Node, name: Node) -> Node {
        Node::new("munder", vec![above, name])
    }

    /// Parentheses of a function call, which do not stretch.
    pub fn call_parens(inside: Node) -> Node {
        row(vec![fixed("("), inside, fixed(")")])
    }

    /// A bracket that does not stretch to the height of its content.
    pub fn fixed(bracket: &'static str) -> Node {
        mo(bracket).attribute("stretchy", "false")
    }

    /// A matrix, row by row. Its brackets are borders because not every device has a font with
    /// stretchy brackets.
    pub fn matrix(rows: Vec<Vec<Node>>) -> Node {
        let rows = rows.into_iter().map(|cells| {
            let cells = cells.into_iter().map(|cell| Node::new("mtd", vec![cell]));
            Node::new("mtr", cells.collect())
        });
        Node::new("mtable", rows.collect()).class("matrix")
    }
}

#[cfg(test)]
mod tests {
    use super::Node;
    use super::math::*;

    #[test]
    fn plain_text_reads_in_order() {
        let formula = math(vec![mi("x"), mo("="), call_parens(sup(mn("1"), mn("2")))]);
        assert_eq!(formula.plain(), "x=(12)");
        assert_eq!(
            Node::text("p", "<a & \"b\">").class("x").to_string(),
            "<p class=\"x\">&lt;a &amp; &quot;b&quot;></p>"
        );
    }
}
