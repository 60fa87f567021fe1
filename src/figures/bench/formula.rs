//! The formula of the selected cell and the pair's matrix equation, in symbols and in numbers, as MathML in the colours
//! of the pictures. Each piece after which the line may break is a `math` element of its own.

use crate::figures::bench::model::{Block, Model};
use crate::text::Lang;
use crate::text::labels::{self, LOGIT};
use crate::text::markup::math::*;
use crate::text::markup::{Node, html};
use crate::text::number;
use posenc_encoding::{Layout, Member, PositionSignal};

/// PE(pos, dimension) with the numbers of the selected cell; for RoPE θ(pos, i), nothing for a bias.
pub fn cell(model: &Model) -> Node {
    match model.signal {
        PositionSignal::Sinusoids(_) | PositionSignal::Table(_) => {}
        PositionSignal::Rotation(_) => {
            let pair = mn(number::whole(model.state.pair() as i64));
            return math(vec![call("θ", vec![number_of_pos(model), pair])]);
        }
        // What is computed is not the logit: the bias stands on the line of the numbers.
        PositionSignal::Bias => return pieces(Vec::new()),
    }
    let class = selected(model).map_or("", |(class, _)| class);
    let dimension = mn(number::whole(model.dimension() as i64)).class(class);
    math(vec![call("PE", vec![number_of_pos(model), dimension])])
}

/// b(query, key), the number that a bias adds to the logit of a query and a key.
fn bias(query: Node, key: Node) -> Node {
    call("b", vec![query, key])
}

fn number_of_pos(model: &Model) -> Node {
    mn(number::whole(model.state.pos() as i64)).class("here")
}

fn number_of_target(model: &Model) -> Node {
    mn(number::whole(model.target())).class("there")
}

/// θ(pos, i) = pos·ω_i = pos / base^(2i/d), in symbols.
fn angle_general() -> Node {
    let exponent = over(row(vec![mn("2"), mi("i")]), mi("d"));
    pieces(vec![
        math(vec![call("θ", vec![pos(), mi("i")])]),
        math(vec![mo("="), pos(), mo("·"), sub(mi("ω"), mi("i"))]),
        math(vec![mo("="), over(pos(), sup(mi("base"), exponent))]),
    ])
}

/// The right side of the same equation with the numbers of the selected pair, in radians.
fn angle_in_numbers(model: &Model) -> Node {
    let Some((pair, _)) = model.rotated_pair() else {
        return pieces(vec![math(vec![mo("="), mn("0")])]);
    };
    pieces(vec![
        math(vec![mo("="), over(number_of_pos(model), power(model))]),
        math(vec![
            equals(pair.angle, 6),
            mn(number::trimmed(pair.angle, 6)),
        ]),
    ])
}

/// The logit q·k/√d + b(pos+k, pos), in symbols.
fn bias_general(lang: Lang) -> Node {
    let target = || mi("pos+k").class("there");
    let product = row(vec![sub(mi("q"), target()), mo("·"), sub(mi("k"), pos())]);
    let root = Node::new("msqrt", vec![mi("d")]);
    pieces(vec![
        math(vec![mi(LOGIT.get(lang)), mo("="), over(product, root)]),
        // At the beginning of a piece it would be set as a sign.
        math(vec![
            mo("+").attribute("form", "infix"),
            bias(target(), pos()),
        ]),
    ])
}

/// b(pos+k, pos) and its value: −∞ if the key is masked, an ellipsis while the code that computes it is loading.
fn bias_in_numbers(model: &Model) -> Node {
    let value = match model.bias {
        Some(value) => vec![equals(value, 5), mn(number::trimmed(value, 5))],
        None if model.loading => vec![mo("="), mi("…")],
        None => vec![mo("="), mo("−"), mi("∞")],
    };
    let named = bias(number_of_target(model), number_of_pos(model));
    pieces(vec![math(vec![named]), math(value)])
}

/// base^(2i/d) in numbers.
fn power(model: &Model) -> Node {
    let Some(waves) = &model.waves else {
        return row(Vec::new());
    };
    let (top, bottom) = waves.layout().exponent(waves.d_model(), model.state.pair());
    let whole = |n: usize| mn(number::whole(n as i64));
    sup(
        mn(number::exact(waves.base())),
        over(whole(top), whole(bottom)),
    )
}

/// The formula of the selected cell in symbols; for sinusoids PE(pos, dimension) = sin(pos / base^(2i/d)).
pub fn general(model: &Model) -> Node {
    match model.signal {
        PositionSignal::Sinusoids(_) => {}
        PositionSignal::Table(_) => {
            let dimension = || mi("j");
            let entry = sub(mi("P"), row(vec![pos(), mo(","), dimension()]));
            return pieces(vec![
                math(vec![call("PE", vec![pos(), dimension()])]),
                math(vec![mo("="), entry]),
            ]);
        }
        PositionSignal::Rotation(_) => return angle_general(),
        PositionSignal::Bias => return bias_general(model.lang),
    }
    let Some((class, name)) = selected(model) else {
        let last = row(vec![d_model(), mo("−"), mn("1")]);
        return pieces(vec![
            math(vec![call("PE", vec![pos(), last])]),
            math(vec![mo("="), mn("0")]),
        ]);
    };
    let even = || row(vec![mn("2"), mi("i")]);
    let cosine = name == "cos";
    let (dimension, exponent) = match model.layout {
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
            // A single pair is not divided by zero.
            let last = match model.pairs() {
                1 => call("max", vec![last, mn("1")]),
                _ => call_parens(last),
            };
            (behind(cosine, half(model, "⌊", "⌋")), over(mi("i"), last))
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

/// The right side of [`general`] with the numbers of the selected cell.
pub fn in_numbers(model: &Model) -> Node {
    match model.signal {
        PositionSignal::Sinusoids(_) | PositionSignal::Table(_) => {}
        PositionSignal::Rotation(_) => return angle_in_numbers(model),
        PositionSignal::Bias => return bias_in_numbers(model),
    }
    let Some(value) = model.value() else {
        return pieces(Vec::new());
    };
    if matches!(model.signal, PositionSignal::Table(_)) {
        let (class, _) = selected(model).unwrap_or_default();
        let value = mn(number::trimmed(value, 5)).class(class);
        return pieces(vec![math(vec![mo("≈"), value])]);
    }
    let (Some((class, name)), Some(pair)) = (selected(model), &model.pair) else {
        return pieces(vec![math(vec![mo("="), mn("0")])]);
    };
    let angle = pair.angle;
    let fraction = over(number_of_pos(model), power(model));
    pieces(vec![
        math(vec![mo("="), function(name, class, fraction)]),
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

/// M_k · PE(pos) = PE(pos+k); for RoPE R_k · q(pos) = q(pos+k).
pub fn product_in_names(model: &Model) -> Node {
    let vector = vector_name(model);
    let target = mi("pos+k").class("there");
    math(vec![
        sub(mi(letter(model)), mi("k")),
        mo("·"),
        call(vector, vec![pos()]),
        mo("="),
        call(vector, vec![target]),
    ])
}

/// The pair's matrix in symbols: M_k, acting on (sin, cos), or for RoPE R_k, acting on (x, y).
pub fn matrix_in_letters(model: &Model) -> Node {
    let turn = || row(vec![mi("k"), sub(mi("ω"), mi("i"))]);
    let cos = || row(vec![mi("cos"), mo("\u{2061}"), turn()]);
    let sin = || row(vec![mi("sin"), mo("\u{2061}"), turn()]);
    let minus_sin = || row(vec![mo("−"), sin()]);
    let rows = match model.signal {
        PositionSignal::Rotation(_) => vec![vec![cos(), minus_sin()], vec![sin(), cos()]],
        _ => vec![vec![cos(), sin()], vec![minus_sin(), cos()]],
    };
    math(vec![sub(mi(letter(model)), mi("k")), mo("="), matrix(rows)])
}

/// The product in [`product_in_names`] with the numbers of the selected pair.
pub fn product_in_numbers(model: &Model, block: &Block) -> Node {
    let [matrix, here, there] = factors(model, block);
    math(vec![matrix, here, mo("≈"), there])
}

/// The product with the numbers of the selected pair, and above each matrix its name with the numbers of k and pos: five
/// columns of two rows.
pub fn named_product(model: &Model, block: &Block) -> Node {
    let vector = vector_name(model);
    let k = mn(number::whole(model.state.k()));
    let name = |name| math(vec![name]);
    let [matrix, here, there] = factors(model, block).map(|factor| math(vec![factor]));
    let operator = |operator| math(vec![mo(operator)]);
    // Long names are set smaller.
    let positions = [model.state.pos() as i64, model.target()];
    let longest = positions.map(|position| number::whole(position).chars().count());
    let class = match longest.into_iter().any(|length| length > 6) {
        true => "named long",
        false => "named",
    };
    html::div(
        class,
        vec![
            name(sub(mi(letter(model)), k).class("there")),
            html::span("", ""),
            name(call(vector, vec![number_of_pos(model)])),
            html::span("", ""),
            name(call(vector, vec![number_of_target(model)])),
            matrix,
            operator("·"),
            here,
            operator("≈"),
            there,
        ],
    )
}

/// The score of RoPE's two vectors, q(pos+k)·q(pos) = cos kω_i, in symbols and its value: pos is not in it. `None` for
/// encodings whose vectors are added and not scored.
pub fn score(model: &Model, block: &Block) -> Option<Node> {
    let PositionSignal::Rotation(_) = model.signal else {
        return None;
    };
    let [[cosine, _], _] = block.matrix;
    let vector = |position| call(vector_name(model), vec![position]);
    let angle = row(vec![mi("k"), sub(mi("ω"), mi("i"))]).class("there");
    Some(pieces(vec![
        math(vec![
            vector(number_of_target(model)),
            mo("·"),
            vector(number_of_pos(model)),
        ]),
        math(vec![mo("="), mi("cos"), mo("\u{2061}"), angle]),
        math(vec![
            equals(cosine, 3),
            mn(number::trimmed(cosine, 3)).class("there"),
        ]),
        html::span("note", labels::AT_EVERY_POS.get(model.lang)),
    ]))
}

/// The pair's block of the matrix, its vector at pos, and their product.
fn factors(model: &Model, block: &Block) -> [Node; 3] {
    let number = |value: f64| mn(number::entry(value));
    let here = model.pair.as_ref().map_or([0.0; 2], |pair| pair.at_pos);
    let turn = matches!(model.signal, PositionSignal::Rotation(_));
    let column = |[sine, cosine]: [f64; 2]| {
        let sine = vec![number(sine).class("sine")];
        let cosine = vec![number(cosine).class("cosine")];
        matrix(if turn {
            vec![cosine, sine]
        } else {
            vec![sine, cosine]
        })
    };
    let [[c, s], [minus_s, _]] = block.matrix;
    let entries = if turn {
        [[c, minus_s], [s, c]]
    } else {
        block.matrix
    };
    let rows = entries.map(|line| line.map(number).to_vec());
    [matrix(rows.to_vec()), column(here), column(block.product)]
}

/// The name of what is rotated: the encoding, or for RoPE a query.
fn vector_name(model: &Model) -> &'static str {
    match model.signal {
        PositionSignal::Rotation(_) => "q",
        _ => "PE",
    }
}

/// The letter of the matrix of an offset: M, or R for RoPE, which rotates queries and keys.
pub(super) fn letter(model: &Model) -> &'static str {
    match model.signal {
        PositionSignal::Rotation(_) => "R",
        _ => "M",
    }
}

/// CSS class and function name of the selected member; `None` for the zero column.
fn selected(model: &Model) -> Option<(&'static str, &'static str)> {
    if model.state.pair() >= model.pairs() {
        return None;
    }
    // The last pair of an odd width has a sine only, whichever member is selected.
    let cosine = model.member_dimension(model.state.pair(), Member::Cosine);
    Some(match model.state.member() {
        Member::Cosine if cosine.is_some() => ("cosine", "cos"),
        _ => ("sine", "sin"),
    })
}

/// The dimension of a pair's member if all cosines follow the sines: i, or `half` + i for a cosine.
fn behind(cosine: bool, half: Node) -> Node {
    if cosine {
        row(vec![half, mo("+"), mi("i")])
    } else {
        mi("i")
    }
}

/// d_model/2, in these floor or ceiling brackets if d_model is odd.
fn half(model: &Model, left: &'static str, right: &'static str) -> Node {
    let half = over(d_model(), mn("2"));
    if model.state.d_model().is_multiple_of(2) {
        half
    } else {
        row(vec![fixed(left), half, fixed(right)])
    }
}

/// "=" if the value has no more than this number of decimals, otherwise "≈".
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
        let one_pair = Model::linked("d_model=3&layout=tensor2tensor&pair=0");
        assert_eq!(
            plain(general(&one_pair)),
            "PE(pos,i)=sin(pos/basei/max(⌊dmodel/2⌋−1,1))"
        );
        assert_eq!(odd("interleaved"), "PE(pos,2i+1)=cos(pos/base2i/dmodel)");
    }

    #[test]
    fn other_encodings_have_formulas_of_their_own() {
        let lines = |settings: &str| {
            let model = Model::linked(settings);
            [cell(&model), general(&model), in_numbers(&model)].map(plain)
        };
        let rope = lines("encoding=rope&layout=tensor2tensor");
        assert_eq!(rope[0], "θ(10,4)");
        assert_eq!(rope[1], "θ(pos,i)=pos·ωi=pos/base2i/d");
        // mpmath: 10 · 10000^(−8/128) = 5.6234132519….
        assert_eq!(rope[2], "=10/100008/128≈5.623413");
        let alibi = lines("encoding=alibi");
        assert_eq!(alibi[2], "b(13,10)=−1.5");
        assert_eq!(lines("encoding=alibi&k=-3")[2], "b(7,10)=−∞");
        assert_eq!(lines("encoding=learned")[1], "PE(pos,j)=Ppos,j");
        assert_eq!(lines("encoding=learned&max_len=1048576")[2], "");
    }

    #[test]
    fn a_turn_is_written_in_x_and_y() {
        let model = Model::linked("encoding=rope");
        assert_eq!(
            plain(matrix_in_letters(&model)),
            "Rk=coskωi−sinkωisinkωicoskωi"
        );
        assert_eq!(plain(product_in_names(&model)), "Rk·q(pos)=q(pos+k)");
        let (_, block) = model.rotated_pair().unwrap();
        // cos and sin of 10ω and 13ω, ω = 10000^(−8/128): (0.790, −0.613) and (0.517, 0.856).
        let mut numbers = plain(product_in_numbers(&model, block));
        // Padding aligns the numbers of a column.
        numbers.retain(|c| !c.is_whitespace());
        assert_eq!(numbers, "−0.116−0.9930.993−0.1160.790−0.613≈0.5170.856");
    }

    #[test]
    fn the_score_of_a_turn_is_the_cosine_of_its_angle() {
        let score = |settings: &str| {
            let model = Model::linked(settings);
            let (_, block) = model.rotated_pair().unwrap();
            score(&model, block).map(plain)
        };
        // mpmath: cos(3 · 10000^(−8/128)) = −0.11593….
        let here = score("encoding=rope&lang=en").unwrap();
        assert_eq!(here, "q(13)·q(10)=coskωi≈−0.116at every pos");
        let there = score("encoding=rope&lang=en&pos=20").unwrap();
        assert_eq!(there, "q(23)·q(20)=coskωi≈−0.116at every pos");
        assert_eq!(score("encoding=sinusoidal"), None);
    }

    #[test]
    fn the_zero_column_is_zero() {
        let model = Model::linked("layout=tensor2tensor&d_model=5&pair=2");
        assert_eq!(plain(in_numbers(&model)), "=0");
        assert_eq!(plain(general(&model)), "PE(pos,dmodel−1)=0");
    }
}
