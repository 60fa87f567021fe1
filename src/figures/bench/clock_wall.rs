//! The pairs as a wall of small clocks; together their hands are one row of the table. A change of pos rotates the hands
//! and leaves the wedges as they are; a change of k opens or closes the wedges.

use crate::draw::{Circle, Clock, Pen, Point, Rect, TextStyle, Theme};
use crate::figures::bench::model::Model;
use crate::figures::bench::view::Scene;
use crate::math::Clamp;
use crate::text::labels;
use posenc_encoding::Member;

/// Up to this number, all pairs are shown.
const MAX_CLOCKS: usize = 32;
/// Maximum number of clocks if there are more pairs than that.
const OF_MANY: usize = 16;
/// Width and height of a clock with its number, and radius of the clock, in label sizes.
const CELL: (f64, f64) = (3.95, 4.67);
const RADIUS: f64 = 1.6;
/// Width of a clock's ring in the colour of its cell in the heatmap, in CSS pixels.
const RING: f64 = 5.0;
/// Maximum radius of a clock, relative to its usual one.
const LARGEST: f64 = 1.5;

/// The choice of pairs that have a clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub pairs: Vec<usize>,
    /// Number of pairs without a clock because they hardly rotate.
    pub slower: usize,
}

/// Selects at most `room` pairs, evenly spaced and including the selected one; if there are more than `most`, at most
/// `OF_MANY` and only those that rotate. The result does not depend on pos or k, so that no clock changes place during a
/// drag.
pub fn shown(model: &Model, most: usize, room: usize) -> Shown {
    let all = model.pairs();
    let last = if all > most {
        model.turning_pairs()
    } else {
        all
    };
    let count = last.min(room).min(match all > most {
        true => OF_MANY,
        false => most,
    });
    if count == 0 {
        return Shown {
            pairs: Vec::new(),
            slower: 0,
        };
    }
    let spread = |i: usize| match count {
        1 => 0,
        _ => (2 * i * (last - 1) + count - 1) / (2 * (count - 1)),
    };
    let mut pairs: Vec<usize> = (0..count).map(spread).collect();
    let selected = model.state.pair();
    // It takes the place of the nearest, of two that are equally near of the slower one.
    let nearest = pairs.iter_mut().rev();
    let nearest = nearest.min_by_key(|pair| pair.abs_diff(selected));
    if let Some(nearest) = nearest
        && selected < all
    {
        *nearest = selected;
    }
    let slower = all - last - usize::from(selected >= last && selected < all);
    Shown { pairs, slower }
}

/// The text above the clocks.
#[derive(Clone, Copy, PartialEq)]
pub enum Heading {
    /// A title and the number of clocks.
    Full,
    /// The number alone: the figure has the title.
    Count,
    /// No heading; hidden pairs are not mentioned.
    None,
}

/// Layout of the clocks.
pub struct ClockWall {
    room: Rect,
    clocks: Vec<(usize, Circle, Rect)>,
    slow_pairs_clock: Option<(Circle, usize)>,
    all: usize,
    heading: Heading,
    in_one_line: bool,
}

impl ClockWall {
    /// Minimum width of a wall with `columns` columns.
    pub fn width(theme: &Theme, columns: usize, scale: f64) -> f64 {
        scale * columns as f64 * CELL.0 * theme.label_size()
    }

    /// The height of a row of clocks without a heading.
    pub fn row_height(theme: &Theme) -> f64 {
        CELL.1 * theme.label_size()
    }

    /// A wall with clocks at `scale` times their usual size.
    pub fn new(
        room: Rect,
        theme: &Theme,
        model: &Model,
        scale: f64,
        heading: Heading,
    ) -> ClockWall {
        let size = theme.label_size();
        let (width, height) = (scale * CELL.0 * size, scale * CELL.1 * size);
        let in_one_line = heading == Heading::Count || room.width > 28.0 * size;
        let title = match heading {
            Heading::None => 0.0,
            _ if in_one_line => 2.2 * size,
            _ => 3.6 * size,
        };
        // 0.1 absorbs rounding of the rectangle.
        let columns = (room.width / width + 0.1).floor() as usize;
        let rows = ((room.height - title) / height + 0.1).floor().max(0.0) as usize;
        // The frozen clock, which stands for the slower pairs, takes a place of its own in the last row.
        let places = columns * rows;
        let mut wall = shown(model, MAX_CLOCKS, places);
        if heading == Heading::None {
            wall.slower = 0;
        }
        if wall.slower > 0 {
            wall = shown(model, MAX_CLOCKS, places.saturating_sub(columns.min(3)));
        }
        let used = wall.pairs.len().max(1);
        let columns = columns.min(used.max(4)).max(1);
        let rows_used =
            used.div_ceil(columns) + usize::from(wall.slower > 0 && used.is_multiple_of(columns));
        let width = room.width / columns as f64;
        let height = ((room.height - title) / rows_used.max(1) as f64).min(1.25 * height);
        let place = |index: usize| {
            Rect::new(
                room.x + (index % columns) as f64 * width,
                room.y + title + (index / columns) as f64 * height,
                width,
                height,
            )
        };
        // Larger where the clocks have more room than they need.
        let usual = scale * RADIUS * size;
        let radius = (0.38 * width).min(0.5 * (height - 2.0 * size));
        let radius = radius.clamped(usual, LARGEST * usual);
        let circle = |space: Rect| Circle {
            centre: Point::new(space.centre_x(), space.y + radius + 2.0),
            radius,
        };
        let placed = |(index, &pair): (usize, &usize)| {
            let space = place(index);
            (pair, circle(space), space)
        };
        let fits = |(_, _, space): &(usize, Circle, Rect)| space.bottom() <= room.bottom() + 2.0;
        let clocks: Vec<_> = wall
            .pairs
            .iter()
            .enumerate()
            .map(placed)
            .filter(fits)
            .collect();
        let next = if columns > 2 {
            used
        } else {
            used.next_multiple_of(columns)
        };
        let slow_pairs_clock = (wall.slower > 0).then(|| (circle(place(next)), wall.slower));
        ClockWall {
            room,
            clocks,
            slow_pairs_clock: slow_pairs_clock.filter(|(circle, _)| {
                circle.centre.y + circle.radius <= room.bottom() + 2.0
                    && circle.centre.x + 8.0 * size <= room.right() + 0.5 * width
            }),
            all: model.pairs(),
            heading,
            in_one_line,
        }
    }

    /// The clocks: the pair, the circle, and the rectangle that selects the pair when pressed.
    pub fn clocks(&self) -> &[(usize, Circle, Rect)] {
        &self.clocks
    }

    /// The room below the clocks, in which the slower pairs are mentioned; `None` if there are no clocks.
    pub fn below(&self) -> Option<Rect> {
        let (.., last) = self.clocks.last()?;
        let (top, bottom) = (last.bottom(), self.room.bottom());
        Some(Rect::new(self.room.x, top, self.room.width, bottom - top))
    }

    pub fn pair_at(&self, at: Point) -> Option<usize> {
        let found = self.clocks.iter().find(|(.., space)| space.contains(at));
        found.map(|(pair, ..)| *pair)
    }

    /// Draws everything that does not depend on pos and k: the heading, the numbers, and the clock that stands for the
    /// slower pairs.
    pub fn draw_static(&self, pen: &Pen, scene: &Scene) {
        if scene.model.waves.is_some() {
            self.draw_numbers(pen, scene);
        }
        match self.clocks.is_empty() || self.heading == Heading::None {
            true => {}
            false => self.draw_heading(pen, scene),
        }
    }

    /// Draws the number of each pair below its clock, and a ring around the selected pair's and that under the pointer.
    fn draw_numbers(&self, pen: &Pen, scene: &Scene) {
        let (theme, model) = (scene.theme, scene.model);
        let size = theme.label_size();
        for (pair, Circle { centre, radius }, _) in &self.clocks {
            let selected = *pair == model.state.pair();
            let number = pair.to_string();
            let below = *centre + (0.0, radius + 0.85 * size);
            if selected || model.transient.pair == Some(*pair) {
                let width = if selected {
                    1.2 * theme.stroke()
                } else {
                    theme.hairline()
                };
                pen.ring(*centre, radius + 0.3 * size, theme.accent, width);
                pen.text(below, &number, TextStyle::new(size, theme.accent).bold());
            } else {
                pen.text(below, &number, TextStyle::new(size, theme.muted));
            }
        }
    }

    fn draw_heading(&self, pen: &Pen, scene: &Scene) {
        let (theme, lang) = (scene.theme, scene.model.lang);
        let size = theme.label_size();
        let (x, y) = (self.room.x, self.room.y);
        if self.heading == Heading::Full {
            let title = labels::CLOCKS.get(lang);
            let style = TextStyle::new(1.17 * size, theme.ink).bold().align_left();
            let style = style.fitting(title, self.room.width);
            pen.text((x, y + 0.8 * size), title, style);
        }
        let slower = self.slow_pairs_clock.map_or(0, |(_, slower)| slower);
        let count = match scene.model.colours_of_angles(theme) {
            Some(_) => labels::RINGS.get(lang).into(),
            None => labels::clocks_shown(lang, self.clocks.len(), self.all - slower),
        };
        let muted = TextStyle::new(1.17 * size, theme.muted);
        match self.in_one_line {
            true => pen.text(
                (self.room.right(), y + 0.8 * size),
                &count,
                muted.align_right(),
            ),
            false => {
                let muted = muted.align_left().fitting(&count, self.room.width);
                pen.text((x, y + 2.4 * size), &count, muted);
            }
        }
        if let Some((circle, slower)) = self.slow_pairs_clock {
            let clock = Clock {
                circle,
                here: Some(0.0),
                turn: None,
            };
            clock.draw_faint(pen, theme);
            let parts = labels::and_slower(lang, slower);
            let x = circle.centre.x + circle.radius + 0.6 * size;
            let room = self.room.right() - x;
            let (text, small) = (parts.concat(), TextStyle::new(size, theme.muted));
            if small.width(&text) <= room {
                let style = muted.align_left().fitting(&text, room);
                return pen.text((x, circle.centre.y), &text, style);
            }
            let longest = parts.iter().max_by_key(|part| part.chars().count());
            let small = small.fitting(longest.map_or("", |part| part.trim()), room);
            for (part, up) in parts.iter().zip([0.6, -0.6]) {
                pen.text(
                    (x, circle.centre.y - up * size),
                    part.trim(),
                    small.align_left(),
                );
            }
        }
    }

    /// Draws the clocks with their hands and wedges.
    pub fn draw(&self, pen: &Pen, scene: &Scene) {
        let (theme, model) = (scene.theme, scene.model);
        let Some(waves) = &model.waves else {
            return;
        };
        let colours = model.colours_of_angles(theme);
        let [row, _] = model.magnified_rows();
        let mut clocks = Vec::with_capacity(self.clocks.len());
        for (pair, circle, _) in &self.clocks {
            if model.member_dimension(*pair, Member::Cosine).is_none() {
                pen.ring(circle.centre, circle.radius, theme.rule, theme.hairline());
                continue;
            }
            let (here, turn) = model.hand_angles(waves, *pair);
            let mut circle = *circle;
            if let Some(colours) = &colours {
                // A ring in the colour of the pair's cell in the row of pos.
                let width = (RING * theme.scale).min(0.3 * circle.radius);
                let colour = colours.ink(waves.angle(*pair, row));
                pen.ring(circle.centre, circle.radius - 0.5 * width, colour, width);
                circle.radius -= width;
            }
            clocks.push(Clock {
                circle,
                here: Some(here),
                turn: (!model.transient.guessing).then_some(turn),
            });
        }
        Clock::draw_all(&clocks, pen, theme);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_of(settings: &str, room: usize) -> (Vec<usize>, usize) {
        let Shown { pairs, slower } = shown(&Model::linked(settings), MAX_CLOCKS, room);
        (pairs, slower)
    }

    #[test]
    fn of_many_pairs_those_are_shown_that_turn() {
        // 10000^(−2i/128) · 64 ≥ π/6 up to i = 33.
        let all = [0, 2, 4, 7, 9, 11, 13, 15, 18, 20, 22, 24, 26, 29, 31, 33];
        assert_eq!(shown_of("", 20), (all.to_vec(), 30));
        assert_eq!(shown_of("k=40&pos=50", 20), (all.to_vec(), 30));
    }

    #[test]
    fn few_pairs_are_all_shown_and_the_selected_one_always() {
        assert_eq!(shown_of("d_model=8&pair=0", 20), ((0..4).collect(), 0));
        assert_eq!(shown_of("d_model=64&pair=3", 40), ((0..32).collect(), 0));
        assert_eq!(shown_of("d_model=8&pair=2", 2), (vec![0, 2], 0));
        let (pairs, slower) = shown_of("pair=60", 20);
        assert_eq!((pairs.last(), slower), (Some(&60), 29));
        assert_eq!(shown_of("", 1), (vec![4], 30));
        assert_eq!(shown_of("", 0), (vec![], 0));
    }
}
