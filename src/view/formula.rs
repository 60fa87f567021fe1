//! The formula of the selected cell and the pair's matrix equation, in general and in numbers, as
//! MathML in the colours of the pictures.

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
        return math(vec![call("PE", vec![pos(), d_minus_1()]), mo("="), mn("0")]);
    };
    let (dimension, exponent) = match model.state.layout() {
        Layout::Interleaved => {
            let even = row(vec![mn("2"), mi("i")]);
            let dimension = match model.state.member() {
                Member::Sine => even.clone(),
                Member::Cosine => row(vec![even.clone(), mo("+"), mn("1")]),
            };
            (dimension, over(even, d_model()))
        }
        Layout::Concatenated => (
            behind_the_sines(model),
            over(row(vec![mn("2"), mi("i")]), d_model()),
        ),
        Layout::Tensor2tensor => (
            behind_the_sines(model),
            over(
                mi("i"),
                parens(row(vec![d_model(), mo("/"), mn("2"), mo("−"), mn("1")])),
            ),
        ),
    };
    math(vec![
        call("PE", vec![pos(), dimension.class(class)]),
        mo("="),
        function(name, class, over(pos(), sup(mi("base"), exponent))),
    ])
}

/// The right side with the numbers of the selected cell, in two lines.
pub fn in_numbers(model: &Model) -> [Node; 2] {
    let (Some((class, name)), Some(pair)) = (selected(model), &model.pair) else {
        return [math(vec![mo("="), mn("0")]), math(Vec::new())];
    };
    let position = mn(number::whole(model.state.pos() as i64)).class("here");
    let (top, bottom) = model.exponent();
    let exponent = over(mn(top.to_string()), mn(bottom.to_string()));
    let power = sup(mn(number::short(model.state.base(), 6)), exponent);
    [
        math(vec![mo("="), function(name, class, over(position, power))]),
        math(vec![
            mo("="),
            function(name, class, mn(number::short(pair.angle, 6))),
            mo("="),
            mn(number::fixed(model.value(), 6)).class(class),
        ]),
    ]
}

/// M_k · PE(pos) = PE(pos+k) for one pair, in letters.
pub fn rotation_general() -> Node {
    let turn = || row(vec![mi("k"), mi("ω")]);
    let cos = || row(vec![mi("cos"), mo("\u{2061}"), turn()]);
    let sin = || row(vec![mi("sin"), mo("\u{2061}"), turn()]);
    let minus_sin = row(vec![mo("−"), sin()]);
    math(vec![
        sub(mi("M"), mi("k")),
        mo("="),
        matrix(vec![vec![cos(), sin()], vec![minus_sin, cos()]]),
    ])
}

/// The same product with its numbers.
pub fn rotation_in_numbers(model: &Model, block: &Block) -> Node {
    let number = |value: f64| mn(number::aligned(value, 3));
    let [here, there] = [
        model.pair.as_ref().map_or([0.0; 2], |pair| pair.here),
        block.product,
    ];
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
        mo("="),
        under(column(there), call("PE", vec![mi("pos+k").class("there")])),
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

fn behind_the_sines(model: &Model) -> Node {
    match model.state.member() {
        Member::Sine => mi("i"),
        Member::Cosine
            if model.state.layout() == Layout::Concatenated && model.state.d_model() % 2 == 1 =>
        {
            row(vec![
                mo("⌈"),
                d_model(),
                mo("/"),
                mn("2"),
                mo("⌉"),
                mo("+"),
                mi("i"),
            ])
        }
        Member::Cosine => row(vec![d_model(), mo("/"), mn("2"), mo("+"), mi("i")]),
    }
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

fn d_minus_1() -> Node {
    row(vec![d_model(), mo("−"), mn("1")])
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
    use crate::lang::Lang;
    use crate::settings::{Key, State};

    fn model(settings: &[(Key, &str)]) -> Model {
        let mut state = State::default();
        for (key, text) in settings {
            assert_eq!(state.apply(*key, text), None);
        }
        Model::compute(&state, Lang::En, 0.0, None)
    }

    #[test]
    fn the_numbers_are_those_of_the_cell() {
        // d_model = 4: PE(2)[3] = cos(2 / 100) = 0.9998000067.
        let model = model(&[
            (Key::DModel, "4"),
            (Key::Pos, "2"),
            (Key::Pair, "1"),
            (Key::Member, "cosine"),
        ]);
        let text = in_numbers(&model).map(|line| line.plain().replace('\u{2061}', ""));
        assert_eq!(cell(&model).plain().replace('\u{2061}', ""), "PE(2,3)");
        assert_eq!(text, ["=cos(2/10\u{202f}0002/4)", "=cos(0.02)=0.999800"]);
    }

    #[test]
    fn the_zero_column_is_zero() {
        let model = model(&[
            (Key::Layout, "tensor2tensor"),
            (Key::DModel, "5"),
            (Key::Pair, "2"),
        ]);
        assert!(in_numbers(&model)[0].plain().ends_with("=0"));
        assert!(general(&model).plain().ends_with("=0"));
    }
}
