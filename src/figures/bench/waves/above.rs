//! What stands above the waves: one wavelength as a bracket, and the tokens at pos and pos + k.

use super::picture::{Mark, marked};
use super::{Lane, Plan};
use crate::draw::text_style::text_width;
use crate::draw::{Pen, Rect, Space, TextStyle};
use crate::figures::bench::model::Hand;
use crate::figures::bench::view::Scene;
use crate::figures::bench::words;
use crate::math::Clamp;
use crate::text::number;
use crate::text::tokens::shortened;

/// Maximum number of characters of a token.
const MAX_CHARACTERS: usize = 14;

/// Draws the tokens beside the lines of pos and pos + k, and the wavelength of the selected pair where they leave room.
pub(super) fn draw_above(pen: &Pen, scene: &Scene, plan: &Plan, lane: &Lane) {
    let (theme, size) = (scene.theme, scene.theme.label_size());
    let mut space = Space::new(Rect::new(0.0, 0.0, scene.frame.width, plan.plot.bottom()));
    let names = names(scene, plan, &mut space);
    let text = scene.model.waves.as_ref().map(|waves| {
        let bracket = Bracket::find(scene, plan, waves.wavelength(lane.pair), &space);
        bracket.draw(pen, scene, lane);
        bracket.place
    });
    let shown = |(_, place, _): &Name| text.is_none_or(|text| !text.overlaps(place));
    for (name, place, colour) in names.into_iter().filter(shown) {
        pen.fill(place, theme.panel, 0.8);
        pen.text(
            place.centre(),
            &name,
            TextStyle::new(1.08 * size, colour).bold(),
        );
    }
}

type Name = (String, Rect, plotters::style::RGBColor);

/// The tokens at pos and pos + k in places where they cover neither line nor each other.
fn names(scene: &Scene, plan: &Plan, space: &mut Space) -> Vec<Name> {
    let (theme, model) = (scene.theme, scene.model);
    let size = theme.label_size();
    let marks: Vec<Mark> = marked(scene, plan).collect();
    let mut names = Vec::new();
    if !model.transient.beside_others {
        return names;
    }
    for mark in &marks {
        space.take_line(plan.plot.vertical(mark.x), theme.stroke());
    }
    let middle = marks.iter().map(|mark| mark.x).sum::<f64>() / marks.len() as f64;
    // That of pos, which is the last mark, finds its place first.
    for mark in marks.iter().rev() {
        let position = match mark.hand {
            Hand::Pos => model.drawn_pos(),
            Hand::Target => model.drawn_target(),
        };
        let token = usize::try_from(position)
            .ok()
            .and_then(|at| model.tokens.get(at));
        let is_doubled = mark.hand == Hand::Target && model.state.k() == 0;
        let Some(token) = token.filter(|_| !is_doubled) else {
            continue;
        };
        let token = shortened(token, MAX_CHARACTERS);
        let width = TextStyle::new(1.08 * size, mark.colour)
            .bold()
            .width(&token);
        let at = |side: f64| {
            let x = mark.x + side * (0.4 * size + width / 2.0);
            Rect::centred((x, plan.plot.y + 0.7 * size), width, 1.25 * size)
        };
        // On the outside of the two lines, if there is room.
        let side = if mark.x < middle { -1.0 } else { 1.0 };
        let places = [at(side), at(-side)];
        if let Some(found) = space.find(&places) {
            space.take(places[found]);
            names.push((token, places[found], mark.colour));
        }
    }
    names
}

/// One wavelength, between two crests of the sine.
struct Bracket {
    from: f64,
    to: f64,
    /// Whether both ends are crests; otherwise it is open and as wide as the plot.
    closed: bool,
    text: String,
    /// The rectangle of the text.
    place: Rect,
}

impl Bracket {
    /// The bracket around pos or, where it would cover a token, the nearest one that does not, with a shorter text if there
    /// is none. If no two crests are in view, it is open.
    fn find(scene: &Scene, plan: &Plan, wavelength: f64, space: &Space) -> Bracket {
        let model = scene.model;
        let (left, right) = (plan.plot.x, plan.plot.right());
        let cycle = |position: f64| position / wavelength - 0.25;
        let [low, high] = [left, right].map(|x| cycle(plan.positions.value(x)));
        let (first, last) = (low.ceil(), high.floor() - 1.0);
        let shown = match first > last {
            true => vec![None],
            false => {
                let around_pos = cycle(model.state.pos() as f64).floor().clamped(first, last);
                let nearby = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0].map(|by| around_pos + by);
                let in_view = nearby.into_iter().filter(|n| (first..=last).contains(n));
                in_view.map(Some).collect()
            }
        };
        let named =
            words::wavelength_bracket(model.lang, wavelength, model.state.positions().width());
        let short = format!("λ = {}", number::short(wavelength, 4));
        let size = scene.theme.label_size();
        let fits = |text: &&String| text_width(text, size) + size < plan.plot.width;
        let texts = [Some(&named).filter(fits), Some(&short)];
        let between =
            |text: &str, n, share| Bracket::between(scene, plan, wavelength, (n, share), text);
        // The text is in the middle or, where it would cover a token, elsewhere within the bracket.
        let find = |is_free: &dyn Fn(&Bracket) -> bool| {
            for text in texts.into_iter().flatten() {
                for &n in &shown {
                    for share in [0.5, 0.25, 0.75] {
                        let bracket = between(text, n, share);
                        if is_free(&bracket) {
                            return Some(bracket);
                        }
                    }
                }
            }
            None
        };
        find(&|it| space.is_free(it.place.union(it.span())))
            .or_else(|| find(&|it| space.is_free(it.place)))
            .unwrap_or_else(|| between(texts[0].unwrap_or(&short), shown[0], 0.5))
    }

    /// From crest `n` of the sine to the next, its text at a share of the way if it has room; `None` for an open bracket.
    fn between(
        scene: &Scene,
        plan: &Plan,
        wavelength: f64,
        (n, share): (Option<f64>, f64),
        text: &str,
    ) -> Bracket {
        let size = scene.theme.label_size();
        let (left, right) = (plan.plot.x, plan.plot.right());
        let half = text_width(text, size) / 2.0 + 0.5 * size;
        let crest = |n: f64| plan.positions.pixel((n + 0.25) * wavelength);
        let (from, to) = n.map_or((left, right), |n| (crest(n), crest(n + 1.0)));
        let room = to - from - 2.0 * half;
        let x = if n.is_none() || room > 2.4 * size {
            from + half + share * room
        } else {
            // Beside the bracket, on whichever side has room.
            let gap = 0.5 * size + half;
            if to + 2.0 * half < right {
                to + gap
            } else {
                (from - gap).max(left + half)
            }
        };
        let y = plan.plot.y + 0.75 * size;
        Bracket {
            from,
            to,
            closed: n.is_some(),
            text: text.to_string(),
            place: Rect::centred((x, y), 2.0 * half, 1.4 * size),
        }
    }

    fn span(&self) -> Rect {
        self.place.across(self.from, self.to - self.from)
    }

    fn draw(&self, pen: &Pen, scene: &Scene, lane: &Lane) {
        let theme = scene.theme;
        let size = theme.label_size();
        let y = self.place.centre_y();
        if self.closed {
            for x in [self.from, self.to] {
                let foot = lane.values.pixel(1.0);
                pen.line(
                    &[(x, y - 0.4 * size), (x, foot)],
                    theme.ink,
                    theme.hairline(),
                );
            }
        }
        let width = 1.2 * theme.hairline();
        let centre = (self.from + self.to) / 2.0;
        if self.to - self.from > 6.0 {
            pen.arrow((centre, y), (self.from, y), theme.ink, width);
            pen.arrow((centre, y), (self.to, y), theme.ink, width);
        }
        // The arrows and the lines of pos and pos+k pass behind the text.
        pen.fill(self.place, theme.panel, 1.0);
        pen.text(
            self.place.centre(),
            &self.text,
            TextStyle::new(size, theme.ink),
        );
    }
}
