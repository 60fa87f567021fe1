//! A small tree of elements: formulas and captions are built as values, tested as values, and
//! put on the page by whoever owns one.

use std::borrow::Cow;
use std::fmt;

/// An element or a run of text.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// In a box: a node is moved several times on its way into a tree.
    Element(Box<Element>),
    Text(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub tag: &'static str,
    /// Names and values. Classes carry the colours of the pictures (`sine`, `here`, …).
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

    /// The attribute, if `on`; one without a value, such as `checked`.
    pub fn flag(self, name: &'static str, on: bool) -> Node {
        if on { self.attribute(name, "") } else { self }
    }

    /// The texts in the order of the tree.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Node::Text(text) => vec![text],
            Node::Element(element) => element.children.iter().flat_map(Node::texts).collect(),
        }
    }

    /// The text alone, as a screen reader would string it together.
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

    /// A button that a figure acts on, with a value for it.
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

    /// What is seen once its name has been pressed, and on paper.
    pub fn folded(name: impl Into<String>, content: Node) -> Node {
        let summary = Node::text("summary", name);
        Node::new("details", vec![summary, content]).class("more")
    }

    /// A table, its first row and first column being headings.
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

/// MathML shorthands, named after their elements.
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

    /// Something with its name below.
    pub fn under(above: Node, name: Node) -> Node {
        Node::new("munder", vec![above, name])
    }

    /// The parentheses of a call, as high as a line.
    pub fn call_parens(inside: Node) -> Node {
        row(vec![fixed("("), inside, fixed(")")])
    }

    /// A bracket as high as a line, whatever stands beside it.
    pub fn fixed(bracket: &'static str) -> Node {
        mo(bracket).attribute("stretchy", "false")
    }

    /// A matrix, row by row. Its brackets are borders, since not every device has a font with
    /// brackets that grow.
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
