//! A small tree of elements: formulas and captions are built as values, tested as values, and
//! put on the page by whoever owns one.

/// An element or a run of text.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Element {
        tag: &'static str,
        /// Names and values. Classes carry the colours of the pictures (`sine`, `here`, …).
        attributes: Vec<(&'static str, &'static str)>,
        children: Vec<Node>,
    },
    Text(String),
}

impl Node {
    pub fn new(tag: &'static str, children: Vec<Node>) -> Node {
        Node::Element {
            tag,
            attributes: Vec::new(),
            children,
        }
    }

    pub fn text(tag: &'static str, text: impl Into<String>) -> Node {
        Node::new(tag, vec![Node::Text(text.into())])
    }

    pub fn class(self, name: &'static str) -> Node {
        self.attribute("class", name)
    }

    fn attribute(mut self, name: &'static str, value: &'static str) -> Node {
        if let Node::Element { attributes, .. } = &mut self {
            attributes.push((name, value));
        }
        self
    }

    /// The texts in the order of the tree.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Node::Text(text) => vec![text],
            Node::Element { children, .. } => children.iter().flat_map(Node::texts).collect(),
        }
    }

    /// The text alone, as a screen reader would string it together.
    pub fn plain(&self) -> String {
        self.texts().concat()
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
    use super::math::*;

    #[test]
    fn plain_text_reads_in_order() {
        let formula = math(vec![mi("x"), mo("="), call_parens(sup(mn("1"), mn("2")))]);
        assert_eq!(formula.plain(), "x=(12)");
    }
}
