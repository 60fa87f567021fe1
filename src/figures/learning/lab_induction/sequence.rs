//! The end of one sequence as tokens, and where layer 2 looks from the last of them: at what followed the token when it
//! occurred before, or elsewhere.

use super::{FIXED_PERIOD, LENGTH, LabInduction, TOKENS};
use crate::draw::{DrawContext, Pen, Point, Rect, TextStyle};
use crate::text::number::percent;
use crate::text::{Lang, Text};
use posenc_encoding::sin_cos;

/// The tokens that are drawn: the longest period and a few before it. The last is to be named.
const DRAWN: usize = FIXED_PERIOD + 4;
/// The query: the last token that is known.
const QUERY: usize = LENGTH - 2;
/// Heights in label sizes: the arcs, and a line of words.
const ARCS: f64 = 6.4;
const LINE: f64 = 1.7;
/// Attention below which no arc is drawn.
const LEAST: f64 = 0.03;
const LOOKS: Text = Text::new("layer 2 looks", "第 2 层看哪里");
const SHOULD: Text = Text::new("what followed", "上次跟在后面的");

/// The side of a token's cell.
fn side(width: f64, size: f64) -> f64 {
    (width / DRAWN as f64).min(2.1 * size)
}

/// The height of the panel.
pub(super) fn height(width: f64, size: f64) -> f64 {
    (ARCS + LINE + 0.4) * size + side(width, size)
}

/// Half an ellipse from one point to another on the same height.
fn arch(from: f64, to: f64, (y, high): (f64, f64)) -> Vec<Point> {
    const STEPS: usize = 40;
    let angles = (0..=STEPS).map(|step| std::f64::consts::PI * step as f64 / STEPS as f64);
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let point = |angle| {
        let (sine, cosine) = sin_cos(angle);
        Point::new(middle - half * cosine, y - high * sine)
    };
    angles.map(point).collect()
}

impl LabInduction {
    /// The key that follows the latest earlier occurrence of the query's token.
    fn target(&self) -> usize {
        QUERY + 1 - self.shown.period
    }

    /// The name of the token at a position. The query's token is A, and what followed it at its latest earlier occurrence B.
    fn letter(&self, at: usize) -> String {
        let tokens = &self.shown.tokens;
        let mut letters: Vec<char> = ('A'..).take(TOKENS).collect();
        letters.swap(0, tokens[QUERY]);
        let b = letters.iter().position(|letter| *letter == 'B');
        letters.swap(b.unwrap_or(1), tokens[self.target()]);
        letters[tokens[at]].to_string()
    }

    /// The key with most of the attention of layer 2, if it has more than half.
    fn looked_at(&self) -> Option<usize> {
        let row = self.shown.layers[1].row(QUERY);
        (0..=QUERY).find(|key| row[*key] > 0.5)
    }

    pub(super) fn draw_sequence(&self, pen: &Pen, context: &DrawContext, room: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let side = side(room.width, size);
        let left = room.centre_x() - 0.5 * DRAWN as f64 * side;
        let top = room.y + ARCS * size;
        let first = LENGTH - DRAWN;
        let cell =
            |token: usize| Rect::new(left + (token as f64 - first as f64) * side, top, side, side);
        let middle = |token: usize| cell(token).centre_x();
        let (target, y) = (self.target(), top - 0.25 * size);
        let high = |key: usize| {
            let far = (QUERY - key) as f64 / (DRAWN - 2) as f64;
            (0.25 + 0.75 * far) * (ARCS - 2.2) * size
        };
        // What the task asks for, and where the layer looks.
        let wanted = arch(middle(target), middle(QUERY), (y, high(target)));
        pen.dashed_curve(&wanted, theme.there, 1.0, theme.stroke());
        // Where an untrained layer looks says nothing.
        let is_trained = self.run.taken() > 0;
        let row = self.shown.layers[1].row(QUERY);
        for (key, &weight) in row.iter().enumerate().take(QUERY).skip(first) {
            let weight = f64::from(weight);
            if is_trained && weight > LEAST {
                let arc = arch(middle(key), middle(QUERY), (y, high(key)));
                let width = (0.5 + 2.5 * weight) * theme.stroke();
                pen.faint_line(&arc, theme.accent, (0.25 + weight).min(1.0), width);
            }
        }
        for token in first..LENGTH {
            let cell = cell(token).inset(0.06 * side);
            let words = match token {
                0..=QUERY => self.letter(token),
                _ => "?".to_string(),
            };
            let follows = (QUERY + 1 - token).is_multiple_of(self.shown.period) && token <= QUERY;
            let (fill, opacity, ink) = match (token > QUERY, follows) {
                (true, _) => (theme.there, 1.0, theme.panel),
                (_, true) => (theme.there, 0.2, theme.there),
                _ => (theme.rule, 0.45, theme.ink),
            };
            pen.fill(cell, fill, opacity);
            let style = TextStyle::new(size.min(0.72 * side), ink).bold();
            pen.text(cell.centre(), &words, style);
        }
        let width = theme.stroke();
        pen.outline(cell(QUERY).inset(0.06 * side), theme.here, 1.0, 1.2 * width);
        let before = cell(target - 1).inset(0.06 * side);
        pen.outline(before, theme.here, 1.0, 0.6 * width);
        if let Some(key) = self.looked_at().filter(|key| is_trained && *key >= first) {
            pen.outline(cell(key).inset(0.06 * side), theme.accent, 1.0, 1.2 * width);
        }
        // The period, from one occurrence to the next.
        let (from, to) = (middle(target - 1), middle(QUERY));
        let y = top + side + 0.3 * size;
        let bracket = [
            (from, y),
            (from, y + 0.4 * size),
            (to, y + 0.4 * size),
            (to, y),
        ];
        pen.line(&bracket, theme.here, theme.hairline());
        let period = match self.lang {
            Lang::En => format!("period {}", self.shown.period),
            Lang::Zh => format!("周期 {}", self.shown.period),
        };
        let style = TextStyle::new(size, theme.here);
        pen.text((0.5 * (from + to), y + 1.2 * size), &period, style);
        // The legend of the arcs.
        let mut at = Point::new(room.x + 0.4 * size, room.y + 0.7 * size);
        pen.dashes(at, at + (1.6 * size, 0.0), theme.there, width);
        let style = TextStyle::new(size, theme.there).bold().align_left();
        pen.text(at + (2.0 * size, 0.0), SHOULD.get(self.lang), style);
        if !is_trained {
            return;
        }
        at.y += 1.4 * size;
        pen.line(&[at, at + (1.6 * size, 0.0)], theme.accent, 2.0 * width);
        let style = TextStyle::new(size, theme.accent).bold().align_left();
        pen.text(at + (2.0 * size, 0.0), LOOKS.get(self.lang), style);
        // How often the answer is right.
        let Some([share, _]) = self.tested().at(self.shown.period) else {
            return;
        };
        let share = percent(share, 0);
        let right = match self.lang {
            Lang::En => format!("answers right: {share}"),
            Lang::Zh => format!("答对率 {share}"),
        };
        let style = TextStyle::new(1.5 * size, theme.here).bold();
        let at = (room.right(), room.y + 0.9 * size);
        pen.text(at, &right, style.align_right());
    }
}
