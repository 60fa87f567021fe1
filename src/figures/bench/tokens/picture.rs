//! Drawing of the tokens, the rings and the arc between them.

use super::layout::{Plan, RING, Window};
use super::{Mark, marks};
use crate::draw::pen::arc;
use crate::draw::{Pen, Point, Rect, TextStyle};
use crate::figures::bench::model::Hand;
use crate::figures::bench::view::Scene;
use crate::text::{labels, number};
use plotters::style::RGBColor;
use std::f64::consts::{FRAC_PI_2, PI};

impl Plan {
    /// Where the number of the token that begins at `left` is written.
    fn text_start(&self, left: f64) -> f64 {
        left + self.beside
    }

    /// Where the word follows the number of its position.
    fn word_start(&self, left: f64, position: i64) -> f64 {
        self.text_start(left) + self.number_width(position) + self.between
    }

    /// Draws the tokens in the window, and how many there are beyond it.
    pub(super) fn draw_tokens(&self, pen: &Pen, scene: &Scene, window: &Window) {
        let (theme, lang) = (scene.theme, scene.model.lang);
        let positions = window.whole_tokens();
        let left = |position: i64| window.token(position as f64).0;
        let number_style = self.number_style(theme);
        for position in positions.clone() {
            let at = (self.text_start(left(position)), self.row);
            pen.text_at(at, &number::whole(position), number_style);
        }
        let word_style = self.word_style(theme);
        for position in positions.clone() {
            if let Some(word) = self.words.get(position as usize) {
                let x = self.word_start(left(position), position);
                pen.text_at((x, self.row), word, word_style);
            }
        }
        let hidden = window.hidden_words(self.words.len());
        for (index, strip) in window.strips().into_iter().enumerate() {
            let Some(strip) = strip else { continue };
            let right = index == 1;
            let hidden = if self.is_narrow() { 0 } else { hidden[index] };
            let text = labels::more_tokens(lang, hidden, right);
            let style = TextStyle::new(self.size, theme.muted).fitting(&text, strip.width);
            match right {
                true => pen.text_at((strip.right(), self.row), &text, style.align_right()),
                false => pen.text_at((strip.x, self.row), &text, style.align_left()),
            }
        }
    }

    /// Hides the tokens in whose place those at pos and pos + k are written.
    pub(super) fn hide_marked(&self, pen: &Pen, scene: &Scene, window: &Window) {
        let marks = marks(scene.model, window);
        for position in window.whole_tokens() {
            let (left, right) = window.token(position as f64);
            let is_hidden = marks.iter().any(|mark| match mark.at_edge {
                true => right > mark.ring.x + 1.0 && left < mark.ring.right() - 1.0,
                false => mark.position == position,
            });
            if is_hidden {
                let (top, height) = (self.row - self.ring, 2.0 * self.ring);
                let place = Rect::new(left, top, right - left, height);
                pen.fill(place.within(scene.frame), scene.theme.panel, 1.0);
            }
        }
    }

    /// Marks the tokens at pos and at pos + k, and draws the rings around them, which move over the tokens, and the arc from
    /// one to the other.
    pub(super) fn draw_rings(&self, pen: &Pen, scene: &Scene, window: &Window) {
        let (theme, model) = (scene.theme, scene.model);
        let marks = marks(model, window);
        let rings = [marks[0].ring, marks[1].ring];
        self.draw_arc(pen, scene, rings);
        let close = (rings[0].x - rings[1].x).abs() < self.size;
        for mark in marks.iter().rev() {
            let colour = match mark.hand {
                Hand::Pos => theme.here,
                Hand::Target => theme.there,
            };
            // Where they coincide, the ring of pos + k is around that of pos.
            let is_around = close && mark.hand == Hand::Target;
            let outline = capsule(mark.ring.inset(if is_around { -3.0 } else { 0.0 }));
            if mark.at_edge {
                pen.polygon(&outline, theme.panel, 1.0);
            }
            if model.transient.hand == Some(mark.hand) {
                pen.polygon(&outline, colour, 0.14);
            }
            pen.line(&outline, colour, 1.2 * theme.stroke());
            if !(close && marks[0].position == mark.position) || mark.hand == Hand::Pos {
                self.write_marked(pen, scene, window, mark, colour);
            }
        }
    }

    /// Writes number and word of a marked position.
    fn write_marked(
        &self,
        pen: &Pen,
        scene: &Scene,
        window: &Window,
        mark: &Mark,
        colour: RGBColor,
    ) {
        let number = number::whole(mark.position);
        let number_style = TextStyle::new(self.number_style(scene.theme).size(), colour);
        let place = match mark.at_edge {
            true => mark.ring,
            false => window.ring_around(mark.position as f64),
        };
        let word = usize::try_from(mark.position)
            .ok()
            .and_then(|at| self.words.get(at));
        let Some(word) = word else {
            return pen.text_at((place.centre_x(), self.row), &number, number_style);
        };
        let left = place.x - RING * self.size;
        let at = (self.text_start(left), self.row);
        pen.text_at(at, &number, number_style.align_left());
        let style = TextStyle::new(self.word_style(scene.theme).size(), colour);
        let at = (self.word_start(left, mark.position), self.row);
        pen.text_at(at, word, style.bold().align_left());
    }

    /// Draws the arc from the ring of pos to that of pos + k, with k on it.
    fn draw_arc(&self, pen: &Pen, scene: &Scene, [from, to]: [Rect; 2]) {
        let (theme, k) = (
            scene.theme,
            scene.model.drawn_target() - scene.model.drawn_pos(),
        );
        let (start, end) = (from.centre_x(), to.centre_x());
        if k == 0 || start == end {
            return;
        }
        let top = from.y;
        let height = 0.75 * self.size;
        let y = top - height;
        let side = (end - start).signum();
        let corner = (0.45 * self.size).min((end - start).abs() / 2.0);
        let mut line = vec![Point::new(start, top)];
        let (first, last) = (start + side * corner, end - side * corner);
        // Angles are counter-clockwise from the right.
        let quarter = |centre: f64, from: f64, to: f64| {
            arc(Point::new(centre, y + corner), |_| corner, from, to)
        };
        let (outer, up) = (if side > 0.0 { PI } else { 0.0 }, FRAC_PI_2);
        line.extend(quarter(first, outer, up));
        line.extend(quarter(last, up, PI - outer));
        line.push(Point::new(end, top - 0.3 * self.size));
        pen.line(&line, theme.there, 0.8 * theme.stroke());
        let head = 0.36 * self.size;
        let tip = [
            (end - head, top - 1.5 * head),
            (end + head, top - 1.5 * head),
            (end, top),
        ];
        pen.polygon(&tip, theme.there, 1.0);
        let text = format!("k = {}", number::whole(k));
        let style = TextStyle::new(self.size, theme.there).bold();
        let half = style.width(&text) / 2.0 + 0.4 * self.size;
        let inside = (last - first).abs() > 2.0 * half;
        let x = match inside {
            true => (start + end) / 2.0,
            // Beside the arc, where it does not lead away.
            false => start.max(end) + half,
        };
        if inside {
            let behind = Rect::centred((x, y), 2.0 * half, 1.2 * self.size);
            pen.fill(behind.within(scene.frame), theme.panel, 1.0);
        }
        pen.text((x, y), &text, style);
    }
}

/// The outline of a rectangle whose short sides are half circles.
fn capsule(rect: Rect) -> Vec<Point> {
    let radius = (rect.height / 2.0).min(rect.width / 2.0);
    let end = |x: f64, from: f64| {
        let centre = Point::new(x, rect.centre_y());
        arc(centre, |_| radius, from, from + PI)
    };
    let mut outline = end(rect.right() - radius, -FRAC_PI_2);
    outline.extend(end(rect.x + radius, FRAC_PI_2));
    outline.extend(outline.first().copied());
    outline
}
