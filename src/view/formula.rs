//! The formula of the selected cell and the pair's matrix equation, in general and in numbers, as
//! MathML in the colours of the pictures. Pieces that may stand on lines of their own are formulas
//! of their own.

use crate::encoding::{Layout, Member};
use crate::markup::{Node, math::*};
use crate::model::{Block, Model};
use crate::number;

/// PE(pos, dimension) of the selected cell, its numbers in place of the names.
pub fn cell(model: &Model) -> Node {
    let class = selected(model).map_or("", |(class, _)| class);
    let position = mn(number::whole(model.state.pos() as i64)).class("here");
    let dimension = mn(number::whole(model.dimension() as i64)).class(class);
    math(vec![call("PE", vec![position, dimension])])
}

/// PE(pos, dimension) = sin(pos / base^(2i/d)), in letters.
pub fn general(model: &Model) -> Node {
    let Some((class, name)) = selected(model) else {
        let last = row(vec![d_model(), mo("−"), mn("1")]);
        return pieces(vec![
            math(vec![call("PE", vec![pos(), last])]),
            math(vec![mo("="), mn("0")]),
        ]);
    };
    let even = || row(vec![mn("2"), mi("i")]);
    let cosine = name == "cos";
    let (dimension, exponent) = match model.state.layout() {
        Layout::Interleaved if cosine => {
            (row(vec![even(), mo("+"), mn("1")]), over(even(), d_model()))
        }
        Layout::Interleaved => (even(), over(even(), d_model())),
        Layout::Concatenated => (
            behind(cosine, half(model, "⌈", "⌉")),
            over(even(), d_model()),
        ),
        Layout::Tensor2tensor => {
            let last = row(vec![half(model, "⌊", "⌋"), mo("−"), mn("1")]);
            (
                behind(cosine, half(model, "⌊", "⌋")),
                over(mi("i"), call_parens(last)),
            )
        }
    };
    pieces(vec![
        math(vec![call("PE", vec![pos(), dimension.class(class)])]),
        math(vec![
            mo("="),
            function(name, class, over(pos(), sup(mi("base"), exponent))),
        ]),
    ])
}

/// The right side with the numbers of the selected cell.
pub fn in_numbers(model: &Model) -> Node {
    let (Some((class, name)), Some(pair)) = (selected(model), &model.pair) else {
        return pieces(vec![math(vec![mo("="), mn("0")])]);
    };
    let position = mn(number::whole(model.state.pos() as i64)).class("here");
    let (top, bottom) = model.exponent();
    let whole = |n: usize| mn(number::whole(n as i64));
    let power = sup(
        mn(number::exact(model.state.base())),
        over(whole(top), whole(bottom)),
    );
    let (angle, value) = (pair.angle, model.value());
    pieces(vec![
        math(vec![mo("="), function(name, class, over(position, power))]),
        math(vec![
            equals(angle, 6),
            function(name, class, mn(number::trimmed(angle, 6))),
        ]),
        math(vec![
            equals(value, 5),
            mn(number::trimmed(value, 5)).class(class),
        ]),
    ])
}

/// M_k of one pair, in letters.
pub fn rotation_general() -> Node {
    let turn = || row(vec![mi("k"), sub(mi("ω"), mi("i"))]);
    let cos = || row(vec![mi("cos"), mo("\u{2061}"), turn()]);
    let sin = || row(vec![mi("sin"), mo("\u{2061}"), turn()]);
    let minus_sin = row(vec![mo("−"), sin()]);
    math(vec![
        sub(mi("M"), mi("k")),
        mo("="),
        matrix(vec![vec![cos(), sin()], vec![minus_sin, cos()]]),
    ])
}

/// M_k · PE(pos) = PE(pos+k) for the selected pair, with its numbers.
pub fn rotation_in_numbers(model: &Model, block: &Block) -> Node {
    let number = |value: f64| mn(number::entry(value));
    let here = model.pair.as_ref().map_or([0.0; 2], |pair| pair.here);
    let column = |v: [f64; 2]| {
        matrix(vec![
            vec![number(v[0]).class("sine")],
            vec![number(v[1]).class("cosine")],
        ])
    };
    let rows = block.matrix.map(|line| line.map(number).to_vec());
    math(vec![
        under(matrix(rows.to_vec()), sub(mi("M"), mi("k"))),
        under(column(here), call("PE", vec![pos()])),
        mo("≈"),
        under(
            column(block.product),
            call("PE", vec![mi("pos+k").class("there")]),
        ),
    ])
}

/// Class and name of the selected member; `None` for the zero column.
fn selected(model: &Model) -> Option<(&'static str, &'static str)> {
    model.pair.as_ref()?;
    // A last sine without a partner is shown as the sine it is.
    let has_cosine = model
        .pe
        .dimension(model.state.pair(), Member::Cosine)
        .is_some();
    Some(match model.state.member() {
        Member::Cosine if has_cosine => ("cosine", "cos"),
        _ => ("sine", "sin"),
    })
}

/// The dimension of a sine, or of a cosine that stands behind `half` of the dimensions.
fn behind(cosine: bool, half: Node) -> Node {
    if cosine {
        row(vec![half, mo("+"), mi("i")])
    } else {
        mi("i")
    }
}

/// Half of d_model, rounded as the brackets say where it is odd.
fn half(model: &Model, left: &'static str, right: &'static str) -> Node {
    let half = over(d_model(), mn("2"));
    if model.state.d_model().is_multiple_of(2) {
        half
    } else {
        row(vec![fixed(left), half, fixed(right)])
    }
}

/// "=" where so many decimals are exact, "≈" where they are not.
fn equals(value: f64, decimals: i32) -> Node {
    let scaled = value * 10f64.powi(decimals);
    mo(if scaled == scaled.round() { "=" } else { "≈" })
}

fn pieces(pieces: Vec<Node>) -> Node {
    Node::new("span", pieces).class("pieces")
}

/// A fraction on one line.
fn over(top: Node, bottom: Node) -> Node {
    row(vec![top, mo("/"), bottom])
}

fn pos() -> Node {
    mi("pos").class("here")
}

fn d_model() -> Node {
    sub(mi("d"), mi("model"))
}

fn call(name: &str, arguments: Vec<Node>) -> Node {
    let mut inside = Vec::new();
    for (i, argument) in arguments.into_iter().enumerate() {
        if i > 0 {
            inside.push(mo(","));
        }
        inside.push(argument);
    }
    row(vec![mi(name), mo("\u{2061}"), call_parens(row(inside))])
}

fn function(name: &'static str, class: &'static str, argument: Node) -> Node {
    row(vec![
        mi(name).class(class),
        mo("\u{2061}"),
        call_parens(argument),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(node: Node) -> String {
        node.plain().replace(['\u{2061}', '\u{202f}'], "")
    }

    #[test]
    fn the_numbers_are_those_of_the_cell() {
        // d_model = 4: PE(2)[3] = cos(2 / 100) = 0.9998000067.
        let model = Model::linked("d_model=4&pos=2&pair=1&member=cosine");
        assert_eq!(plain(cell(&model)), "PE(2,3)");
        assert_eq!(
            plain(in_numbers(&model)),
            "=cos(2/100002/4)=cos(0.02)≈0.9998"
        );
    }

    #[test]
    fn large_angles_keep_the_digits_that_the_value_needs() {
        let model = Model::linked("d_model=16384&max_len=1048576&pos=900000&pair=3000");
        // mpmath: 900000 · 10000^(−6000/16384) = 30860.201642…, its sine −0.330663….
        assert_eq!(
            plain(in_numbers(&model)),
            "=sin(900000/100006000/16384)≈sin(30860.201642)≈−0.33066"
        );
    }

    #[test]
    fn odd_widths_are_halved_as_their_layout_does() {
        let odd = |layout| {
            plain(general(&Model::linked(&format!(
                "d_model=7&layout={layout}&pair=1&member=cosine"
            ))))
        };
        assert_eq!(
            odd("concatenated"),
            "PE(pos,⌈dmodel/2⌉+i)=cos(pos/base2i/dmodel)"
        );
        assert_eq!(
            odd("tensor2tensor"),
            "PE(pos,⌊dmodel/2⌋+i)=cos(pos/basei/(⌊dmodel/2⌋−1))"
        );
        assert_eq!(odd("interleaved"), "PE(pos,2i+1)=cos(pos/base2i/dmodel)");
    }

    #[test]
    fn the_zero_column_is_zero() {
        let model = Model::linked("layout=tensor2tensor&d_model=5&pair=2");
        assert_eq!(plain(in_numbers(&model)), "=0");
        assert_eq!(plain(general(&model)), "PE(pos,dmodel−1)=0");
    }
}
