//! Self-attention over three words step by step, with small numbers: embeddings; queries, keys and values; logits;
//! softmax; outputs.

mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Rect, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping, stepper};
use crate::math::attention::{Attended, Attention};
use crate::math::linear::product;
use crate::text::markup::{Node, html};
use crate::text::{Lang, Text};
use picture::Plan;
use posenc_encoding::Matrix;

/// The number of words, and the number of rows and columns of each weight matrix.
const COUNT: usize = 3;
const WIDTH: usize = 2;

/// Row by row: cat, chased, dog.
const EMBEDDINGS: [f64; COUNT * WIDTH] = [1.0, 0.0, 0.0, 1.0, 1.0, 1.0];

/// W_Q, W_K and W_V, row by row; q = W_Q·x.
const WEIGHTS: [[f64; WIDTH * WIDTH]; 3] = [
    [1.0, 1.0, 0.0, 1.0],
    [1.0, 0.0, 1.0, 1.0],
    [2.0, 0.0, 0.0, 1.0],
];

const STEPS: i64 = 5;

pub struct Steps {
    lang: Lang,
    /// Counted from 1.
    step: i64,
    /// The word whose output is computed, by its index in the original order.
    query: usize,
    /// The word in each row.
    order: [usize; COUNT],
    embeddings: Matrix<f64>,
    /// Queries, keys and values, a row per word.
    projected: [Matrix<f64>; 3],
    attended: Attended,
}

/// A weight matrix for vectors that are rows.
fn transposed(weights: [f64; WIDTH * WIDTH]) -> Matrix<f64> {
    Matrix::from_fn(WIDTH, WIDTH, |row, column| weights[WIDTH * column + row])
}

impl Steps {
    /// The row of the query word.
    fn row(&self) -> usize {
        let row = self.order.iter().position(|&word| word == self.query);
        row.unwrap_or(0)
    }

    /// q·k/√d of the query word and the key in a row.
    fn logit(&self, row: usize) -> f64 {
        let [queries, keys, _] = &self.projected;
        let (query, key) = (queries.row(self.row()), keys.row(row));
        let dot: f64 = query.iter().zip(key).map(|(q, k)| q * k).sum();
        dot / (WIDTH as f64).sqrt()
    }

    fn weight(&self, row: usize) -> f64 {
        self.attended.weights.at(self.row(), row)
    }

    fn output(&self) -> &[f64] {
        self.attended.outputs.row(self.row())
    }
}

fields! {
    STEP: i64 = Key::whole("step", "step", "步骤", 1, |_| (1, STEPS)).without_control();
    QUERY: i64 = Key::whole("query", "query word", "查询词", 0, |_| (0, COUNT as i64 - 1)).without_control();
    SWAPPED: bool = Key::toggle("swapped", "Cat and dog change places", "猫和狗换位置", false).without_control();
}

impl Figure for Steps {
    const NAME: ViewName = ViewName::Attention;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(STEP), Some(QUERY)];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, _: Option<Steps>) -> Steps {
        let order = if values.get(SWAPPED) {
            [2, 1, 0]
        } else {
            [0, 1, 2]
        };
        let rows = order
            .iter()
            .flat_map(|word| &EMBEDDINGS[WIDTH * word..][..WIDTH]);
        let embeddings = Matrix {
            positions: COUNT,
            dimensions: WIDTH,
            values: rows.copied().collect(),
        };
        let weights = WEIGHTS.map(transposed);
        let projected = [0, 1, 2].map(|i| product(&embeddings, &weights[i]));
        Steps {
            lang,
            step: values.get(STEP),
            query: values.count(QUERY),
            order,
            attended: Attention::new(weights).attend(&embeddings, false),
            embeddings,
            projected,
        }
    }

    fn title(&self) -> Text {
        match self.step {
            STEPS => Self::NAME.title(),
            _ => Text::new(
                "What comes out of attention for a word?",
                "注意力给一个词输出什么？",
            ),
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        let mut row = stepper(self.lang, self.step as usize, STEPS as usize);
        if self.step == STEPS {
            let swap = Text::new("Swap cat and dog", "猫和狗换位置").get(self.lang);
            row.push(html::button("swap", "", swap));
        }
        Some(html::div("row", row))
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        match (action, value) {
            ("step", "previous") => values.set_to(STEP, self.step - 1),
            ("step", "next") => values.set_to(STEP, self.step + 1),
            ("swap", _) => values.set_to(SWAPPED, !values.get(SWAPPED)),
            _ => {}
        }
    }

    /// Up and down select the next row as displayed, in either order.
    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        let towards = match key {
            "ArrowUp" => self.row().checked_sub(1),
            "ArrowDown" => Some(self.row() + 1),
            _ => return crate::figure::arrows([Some(STEP), None], key, shift, values),
        };
        if let Some(&word) = towards.and_then(|row| self.order.get(row)) {
            values.set_to(QUERY, word as i64);
        }
        true
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(Plan::height(width, theme))
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(Rect::all(context.frame), context.theme)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_all(pen, context, plan);
    }

    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let numbers = self.order.map(|word| Some(word as i64)).to_vec();
        let shape = (COUNT, 1);
        vec![Handle::area(plan.rows).sets(QUERY, Mapping::Lookup { shape, numbers })]
    }

    /// `attention_logit(query, key)`, `attention_weight(query, key)` and `attention_output(query, dimension)` of the words in
    /// their original order.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let &[query, other] = arguments else {
            return None;
        };
        let settings = format!("query={query}");
        let figure = Steps::new(&Values::with(Steps::FIELDS, &settings), Lang::En, None);
        Some(match name {
            "attention_logit" => figure.logit(other as usize),
            "attention_weight" => figure.weight(other as usize),
            "attention_output" => figure.output()[other as usize],
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    fn figure(settings: &str) -> Steps {
        Steps::new(&Values::with(Steps::FIELDS, settings), Lang::En, None)
    }

    /// Calculated by hand: q(cat) = [1 0], the keys are [1 1], [0 1] and [1 2], and e^(1/√2) = 2.02811498.
    #[test]
    fn the_output_of_the_cat_is_the_known_one() {
        let cat = figure("");
        let e = 2.028_114_981_647_472;
        let total = 2.0 * e + 1.0;
        for (row, (logit, weight)) in [
            (0.5f64.sqrt(), e / total),
            (0.0, 1.0 / total),
            (0.5f64.sqrt(), e / total),
        ]
        .into_iter()
        .enumerate()
        {
            assert_close(cat.logit(row), logit, 1e-15);
            assert_close(cat.weight(row), weight, 1e-15);
        }
        assert_close(cat.output()[0], 4.0 * e / total, 1e-15);
        assert_close(cat.output()[1], (1.0 + e) / total, 1e-15);
    }

    #[test]
    fn a_word_keeps_its_output_wherever_it_stands() {
        for query in 0..COUNT {
            let [first, other] =
                ["off", "on"].map(|swapped| figure(&format!("query={query} swapped={swapped}")));
            for d in 0..WIDTH {
                assert_close(first.output()[d], other.output()[d], 1e-15);
            }
            assert_eq!(first.row() + other.row(), COUNT - 1);
        }
    }

    #[test]
    fn the_keys_follow_the_rows_as_they_stand() {
        let mut values = Values::with(Steps::FIELDS, "query=2 swapped=on");
        let it = |values: &Values| Steps::new(values, Lang::En, None);
        assert!(it(&values).key("ArrowDown", false, &mut values.clone()));
        it(&values.clone()).key("ArrowDown", false, &mut values);
        assert_eq!(values.get(QUERY), 1);
        it(&values.clone()).key("ArrowRight", false, &mut values);
        assert_eq!((values.get(STEP), values.get(QUERY)), (2, 1));
        it(&values.clone()).key("ArrowUp", false, &mut values);
        it(&values.clone()).key("ArrowUp", false, &mut values);
        assert_eq!(values.get(QUERY), 2);
    }
}
