//! The ruler of distances, the map of queries and keys, the biases as bars, and a row of weights.

use super::words::{
    AFTER, AHEAD, BEFORE, BEHIND, BIAS, BUCKET, DISTANCE, KEY, MAP, MASKED, QUERY, WEIGHT,
};
use super::{Buckets, RULER, SEED};
use crate::draw::chart::Chart;
use crate::draw::grid::{cell_rect, cells, grid_axes, grid_in};
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Point, Rect, Scale, TextStyle, Theme};
use crate::text::Lang;
use crate::text::number::whole;
use plotters::style::RGBColor;
use posenc_encoding::{BucketDistances, T5_BUCKETS};

/// The layout of the picture.
pub struct Plan {
    pub(super) ruler: Chart,
    /// The short distances, enlarged, if there is room.
    pub(super) detail: Option<Rect>,
    /// The weights and the biases, if they are shown.
    pub(super) charts: Option<(Chart, Chart)>,
    pub(super) map: Option<Rect>,
}

/// Heights of the ruler, the weights and the bars, in multiples of the label size.
const HEIGHTS: [f64; 3] = [13.8, 13.2, 15.8];
/// Height of the ruler without the charts, and if the height of the picture is limited.
const ALONE: f64 = 20.0;
/// Height of the enlarged short distances below it.
const DETAIL: f64 = 5.6;
const LOW: f64 = 10.6;
/// Height of the line above the ruler.
const NAME: f64 = 1.6;

/// Whether there is room for parts side by side.
fn is_wide(width: f64, theme: &Theme) -> bool {
    width > 46.0 * theme.label_size()
}

impl Buckets {
    /// Heights of the ruler, the weights, and the bars with the map, of what is shown. If the height is limited, all of
    /// these are side by side below the ruler, and the last is 0.
    pub(super) fn heights(&self, width: f64, theme: &Theme) -> [f64; 3] {
        let size = theme.label_size();
        let wide = is_wide(width, theme);
        let [ruler, row, bars] = HEIGHTS.map(|height| height * size);
        let (ruler, row, last) = match (self.shows_weights, self.map, wide) {
            (false, false, _) => return [theme.fitted(ALONE * size, LOW), 0.0, 0.0],
            (false, true, true) => (ruler, 0.0, 0.5 * width),
            (false, true, false) => (ruler, 0.0, width),
            (true, false, _) => (ruler, row, bars),
            (true, true, true) => (ruler, row, 0.34 * width),
            (true, true, false) => (ruler, row, bars + width),
        };
        let fitted = theme.fitted(ruler + row + last, 22.6);
        if wide && fitted < ruler + row + last - 1.0 {
            return [LOW * size, fitted - LOW * size, 0.0];
        }
        [ruler, row, last]
    }

    pub(super) fn plan(&self, context: &DrawContext) -> Plan {
        let (width, size) = (context.frame.width, context.theme.label_size());
        let [ruler, row, last] = self.heights(width, context.theme);
        let rest = Rect::new(0.0, ruler, width, row + last);
        let (weights, rest) = match (self.shows_weights, last) {
            (false, _) => (rest, rest),
            (true, 0.0) => rest.split_left(if self.map { 0.34 } else { 0.5 } * width),
            (true, _) => rest.split_top(row),
        };
        let has_detail = last == 0.0 && row == 0.0 && ruler > (ALONE - 1.0) * size;
        let ruler = if has_detail {
            ruler - DETAIL * size
        } else {
            ruler
        };
        let is_wide = is_wide(width, context.theme);
        let (bars, map) = match (self.map, self.shows_weights, is_wide) {
            (false, ..) => (rest, None),
            (true, false, _) => (rest, Some(rest)),
            (true, true, true) => {
                let (map, bars) = rest.split_left(0.45 * rest.width);
                (bars, Some(map))
            }
            (true, true, false) => {
                let (bars, map) = rest.split_top(HEIGHTS[2] * size);
                (bars, Some(map))
            }
        };
        let below = |rect: Rect| rect.split_top(1.3 * size).1;
        let map = map.map(|map| {
            let square = grid_in(context, below(map));
            let side = square.width.min(square.height);
            square.with_size(side, side)
        });
        let most = self.most;
        let last = self.len as f64 - 1.0;
        let high = self.weights.iter().flatten().copied().fold(0.0, f64::max);
        let bars = Chart::new(
            context,
            below(bars),
            Scale::linear(-0.7, T5_BUCKETS as f64 - 0.3),
            Scale::linear(-1.1 * most, 1.1 * most),
        );
        let row = Chart::new(
            context,
            below(weights),
            Scale::linear(-0.5, last + 0.5),
            Scale::linear(0.0, 1.35 * high),
        );
        let rule = Chart::new(
            context,
            Rect::new(0.0, NAME * size, width, ruler - NAME * size),
            Scale::linear(-0.5, RULER),
            Scale::linear(0.0, 2.0),
        );
        let detail = has_detail.then(|| rule.plot.down(ruler + 2.0 * size, (DETAIL - 2.4) * size));
        Plan {
            ruler: rule,
            detail,
            map,
            charts: self.shows_weights.then_some((row, bars)),
        }
    }

    /// The colour of a bias.
    fn shade(context: &DrawContext, share: f64) -> RGBColor {
        let [r, g, b] = context.colours.colour(share as f32);
        RGBColor(r, g, b)
    }

    /// The number of distances, or groups of them, whose buckets are too narrow on the ruler for their numbers.
    fn narrow(&self, ruler: &Chart, size: f64) -> usize {
        let (room, side) = (0.5 * size, self.distances.len());
        let fits = |it: &BucketDistances| {
            let bucket = if self.t5.causal() {
                it.bucket
            } else {
                it.bucket + side
            };
            let name = TextStyle::new(size, RGBColor(0, 0, 0)).width(&bucket.to_string());
            name + room < Buckets::band(ruler, it.first, it.last).width
        };
        self.distances.iter().position(fits).unwrap_or(side)
    }

    /// The part of the ruler from the first distance to the last.
    fn band(ruler: &Chart, first: i64, last: Option<i64>) -> Rect {
        let left = ruler.x.pixel(first as f64 - 0.5);
        let end = last.map_or(ruler.plot.right(), |last| ruler.x.pixel(last as f64 + 0.5));
        ruler.plot.across(left, end - left)
    }

    /// Fills the place of a bucket so that it differs from its neighbours.
    fn tint(pen: &Pen, theme: &Theme, place: Rect, bucket: usize) {
        let strength = if bucket.is_multiple_of(2) { 0.12 } else { 0.28 };
        pen.fill(place, theme.accent, strength);
    }

    pub(super) fn draw_ruler(
        &self,
        pen: &Pen,
        context: &DrawContext,
        ruler: &Chart,
        detailed: bool,
    ) {
        let (theme, size, plot) = (context.theme, context.theme.label_size(), ruler.plot);
        let high = plot.height / 2.0;
        let side = self.distances.len();
        let style = TextStyle::new(size, theme.muted);
        // Those without room for their numbers have them below, in the enlarged part.
        let from = if detailed {
            self.narrow(ruler, size)
        } else {
            0
        };
        let ink = TextStyle::new(size, theme.ink);
        for ahead in [false, true] {
            let y = if ahead { plot.y + high } else { plot.y };
            let name = if ahead { AHEAD } else { BEHIND };
            let at = (plot.x - 0.5 * size, y + high / 2.0);
            pen.text(at, name.get(self.lang), style.align_right());
            if ahead && self.t5.causal() {
                let strip = plot.down(y, high);
                pen.fill(strip, theme.rule, 1.0);
                let middle = (plot.centre_x(), y + high / 2.0);
                pen.text(middle, MASKED.get(self.lang), style);
                continue;
            }
            for (index, distances) in self.distances.iter().enumerate() {
                let bucket = distances.bucket + if ahead { side } else { 0 };
                if self.offset_of(bucket).is_none() {
                    continue;
                }
                let band = Buckets::band(ruler, distances.first, distances.last).down(y, high);
                Buckets::tint(pen, theme, band, bucket);
                let fits = |words: &str, room: f64| ink.width(words) + room * size < band.width;
                let mut name = bucket.to_string();
                if index < from || !fits(&name, 0.5) {
                    continue;
                }
                let named = format!("{} {name}", BUCKET.get(self.lang));
                if fits(&named, 0.5) {
                    name = named;
                }
                pen.text(band.centre(), &name, ink);
                // How many distances share it, once for both directions.
                let (first, many) = (
                    distances.first,
                    distances.last.map(|to| to - distances.first + 1),
                );
                let words = match (self.lang, many) {
                    (Lang::En, Some(many)) => format!("{many} wide"),
                    (Lang::Zh, Some(many)) => format!("宽 {many}"),
                    (Lang::En, None) => format!("{first} and on"),
                    (Lang::Zh, None) => format!("{first} 起"),
                };
                if !ahead && fits(&words, 0.2) {
                    pen.text((band.centre_x(), y + 0.82 * high), &words, style);
                }
            }
        }
        for distance in ruler.x.whole_ticks(4.0 * size) {
            let at = (ruler.x.pixel(distance as f64), plot.bottom() + 0.95 * size);
            pen.text(at, &distance.to_string(), style);
        }
        let y = plot.bottom() + 2.25 * size;
        let (x, title) = match detailed {
            // Beside what joins the ruler to its enlarged part.
            true => (plot.right(), style.align_right()),
            false => (plot.centre_x(), style),
        };
        pen.text((x, y), DISTANCE.get(self.lang), title);
        if self.is_masked(self.k) {
            return;
        }
        // The selected bucket, over its neighbours, and its distances above the ruler.
        let (first, last) = self.ends();
        let chosen = Buckets::band(ruler, first, last);
        let y = if self.k > 0 { plot.y + high } else { plot.y };
        pen.outline(chosen.down(y, high), theme.there, 1.0, 1.5 * theme.stroke());
        let at = ruler.x.pixel((self.k.unsigned_abs() as f64).min(RULER));
        let dot = (at, y + 0.2 * high);
        pen.disc(dot, 2.4 * theme.stroke(), theme.panel);
        pen.disc(dot, 1.8 * theme.stroke(), theme.there);
        let (k, bucket) = (whole(self.k), self.bucket);
        let words = match (self.lang, last) {
            (Lang::En, Some(last)) if last == first => {
                format!("● offset {k}: bucket {bucket}, distance {first} alone")
            }
            (Lang::Zh, Some(last)) if last == first => {
                format!("● 偏移量 {k}：桶 {bucket}，独占距离 {first}")
            }
            (Lang::En, Some(last)) => {
                format!("● offset {k}: bucket {bucket}, distances {first}–{last}")
            }
            (Lang::Zh, Some(last)) => format!("● 偏移量 {k}：桶 {bucket}，距离 {first}–{last}"),
            (Lang::En, None) => format!("● offset {k}: bucket {bucket}, distances from {first}"),
            (Lang::Zh, None) => format!("● 偏移量 {k}：桶 {bucket}，距离 {first} 起"),
        };
        let style = TextStyle::new(1.3 * size, theme.there).bold();
        let style = style.fitting(&words, 0.96 * context.frame.width);
        pen.text((chosen.centre_x(), plot.y - 1.1 * size), &words, style);
    }

    /// Draws the buckets that are too narrow on the ruler for their numbers.
    pub(super) fn draw_detail(&self, pen: &Pen, context: &DrawContext, ruler: &Chart, room: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let single = |it: &&BucketDistances| it.last == Some(it.first);
        let alone = self.distances.iter().take_while(single).count();
        // As many as have room for their numbers.
        let room_for = (room.width / (1.75 * size)) as usize;
        let narrow = self.narrow(ruler, size).min(room_for).max(alone);
        let narrow = &self.distances[..narrow];
        let last = narrow.last().and_then(|it| it.last).unwrap_or_default();
        let words = match self.lang {
            Lang::En => format!("buckets of distances 0–{last} (1 wide up to {})", alone - 1),
            Lang::Zh => format!("距离 0–{last} 的桶（到 {} 为止宽 1）", alone - 1),
        };
        // Behind the tick labels, from where they are on the ruler.
        let on_ruler = Buckets::band(ruler, 0, Some(last));
        let [left, right] = on_ruler.horizontal(ruler.plot.bottom());
        let [from, to] = room.horizontal(room.y);
        pen.polygon(&[left, right, to, from], theme.accent, 0.08);
        let style = TextStyle::new(size, theme.muted);
        let title = style
            .align_left()
            .fitting(&words, context.frame.width - room.x);
        pen.text((room.x, room.y - 0.9 * size), &words, title);
        let sides = if self.t5.causal() { 1 } else { 2 };
        for (row, name) in [BEHIND, AHEAD].iter().enumerate().take(sides) {
            let y = cell_rect(room, (sides, 1), row, 0).centre_y();
            let at = (room.x - 0.5 * size, y);
            pen.text(at, name.get(self.lang), style.align_right());
        }
        for (column, distances) in narrow.iter().enumerate() {
            for row in 0..sides {
                let bucket = distances.bucket + row * self.distances.len();
                if self.offset_of(bucket).is_none() {
                    continue;
                }
                let cell = cell_rect(room, (sides, narrow.len()), row, column);
                Buckets::tint(pen, theme, cell, bucket);
                let name = bucket.to_string();
                pen.text(cell.centre(), &name, TextStyle::new(size, theme.ink));
                if bucket == self.bucket && !self.is_masked(self.k) {
                    pen.outline(cell, theme.there, 1.0, 1.5 * theme.stroke());
                }
            }
        }
    }

    pub(super) fn draw_map(&self, pen: &Pen, context: &DrawContext, map: Rect) {
        let (theme, n) = (context.theme, self.len);
        let size = theme.label_size();
        let side = self.distances.len();
        cells(pen, context, map, (n, n), side as f64, |row, column| {
            let bucket = self.t5.bucket(column as i64 - row as i64);
            let within = (bucket % side) as f64;
            if bucket < side { -within } else { within }
        });
        let cell = map.width / n as f64;
        if self.t5.causal() {
            let corners = [
                (map.x + cell, map.y),
                (map.right(), map.y),
                (map.right(), map.bottom() - cell),
            ];
            pen.polygon(&corners, theme.rule, 1.0);
            let at = (map.x + 0.7 * map.width, map.y + 0.3 * map.width);
            pen.text(at, MASKED.get(self.lang), TextStyle::new(size, theme.muted));
        }
        let titles = [QUERY, KEY].map(|text| text.get(self.lang));
        grid_axes(pen, context, map, (n, n), titles);
        let at = (map.x, map.y - 0.9 * size);
        let style = TextStyle::new(size, theme.muted).align_left();
        pen.text(at, MAP.get(self.lang), style);
        // Edges of the selected bucket, as offsets in cells.
        let (first, last) = self.ends();
        let sign = if self.k > 0 { 1.0 } else { -1.0 };
        let edges = [Some(first as f64 - 0.5), last.map(|last| last as f64 + 0.5)];
        for edge in edges.into_iter().flatten() {
            let by = sign * edge;
            if by.abs() >= n as f64 || self.is_masked(self.k) {
                continue;
            }
            let by = by * cell;
            let from = (map.x + by.max(0.0), map.y + (-by).max(0.0));
            let to = (map.right() + by.min(0.0), map.bottom() - by.max(0.0));
            pen.line(&[from, to], theme.there, theme.hairline());
        }
        let y = map.y + (self.pos as f64 + 0.5) * cell;
        pen.line(&map.horizontal(y), theme.here, theme.hairline());
        let key = self.pos + self.k;
        if (0..n as i64).contains(&key) {
            let x = map.x + (key as f64 + 0.5) * cell;
            pen.disc((x, y), 1.8 * theme.stroke(), theme.there);
        }
    }

    pub(super) fn draw_bars(&self, pen: &Pen, context: &DrawContext, bars: &Chart) {
        let (theme, size) = (context.theme, context.theme.label_size());
        bars.axes(pen, context, [BIAS, BUCKET].map(|text| text.get(self.lang)));
        let zero = bars.y.pixel(0.0);
        let half = 0.4 * (bars.x.pixel(1.0) - bars.x.pixel(0.0));
        for (bucket, &bias) in self.biases.iter().enumerate() {
            if self.offset_of(bucket).is_none() {
                continue;
            }
            let Point { x, y } = bars.at((bucket as f64, bias));
            let bar = Rect::new(x - half, y.min(zero), 2.0 * half, (y - zero).abs().max(1.0));
            let chosen = bucket == self.bucket && !self.is_masked(self.k);
            let fill = Buckets::shade(context, bias / self.most);
            let fill = if chosen { theme.there } else { fill };
            pen.fill(bar, fill, 1.0);
            pen.outline(bar, theme.muted, 0.6, 0.5 * theme.hairline());
        }
        let plot = bars.plot;
        pen.line(&plot.horizontal(zero), theme.ink, theme.hairline());
        let simulated = match (self.lang, self.changed) {
            (Lang::En, false) => format!("simulated (seed {SEED})"),
            (Lang::Zh, false) => format!("模拟值（种子 {SEED}）"),
            (Lang::En, true) => format!("simulated (seed {SEED}), changed"),
            (Lang::Zh, true) => format!("模拟值（种子 {SEED}），已改动"),
        };
        let at = (plot.x, plot.y - 0.9 * size);
        pen.text(
            at,
            &simulated,
            TextStyle::new(size, theme.muted).align_left(),
        );
    }

    pub(super) fn draw_row(&self, pen: &Pen, context: &DrawContext, row: &Chart) {
        let (theme, size, plot) = (context.theme, context.theme.label_size(), row.plot);
        row.axes(pen, context, [WEIGHT, KEY].map(|text| text.get(self.lang)));
        // The keys that share the bucket.
        let same = |key: &i64| {
            let offset = key - self.pos;
            !self.is_masked(offset) && self.t5.bucket(offset) == self.bucket
        };
        let first = (0..self.len as i64).find(same);
        let last = (0..self.len as i64).rev().find(same);
        if let (Some(first), Some(last)) = (first, last) {
            let left = row.x.pixel(first as f64 - 0.5);
            let band = plot.across(left, row.x.pixel(last as f64 + 0.5) - left);
            pen.fill(band, theme.there, 0.15);
        }
        let query = QUERY.get(self.lang);
        row.upright(pen, context, self.pos as f64, query, theme.here);
        let colours = [theme.muted, theme.accent];
        let widths = [0.7, 1.0];
        for i in 0..2 {
            let steps = self.weights[i]
                .iter()
                .enumerate()
                .flat_map(|(key, &weight)| {
                    let key = key as f64;
                    [(key - 0.5, weight), (key + 0.5, weight)]
                });
            row.curve(pen, steps, colours[i], widths[i] * theme.stroke());
        }
        let key = self.pos + self.k;
        let weight = usize::try_from(key)
            .ok()
            .and_then(|key| self.weights[1].get(key));
        if let Some(&weight) = weight {
            let at = row.at((key as f64, weight));
            pen.disc(at, 1.8 * theme.stroke(), theme.there);
        }
        let mut x = plot.right() - 0.5 * size;
        for (name, colour) in [(AFTER, colours[1]), (BEFORE, colours[0])] {
            let name = name.get(self.lang);
            let style = TextStyle::new(size, colour).align_right().bold();
            pen.text((x, plot.y - 0.9 * size), name, style);
            x -= 1.1 * text_width(name, size) + 1.2 * size;
        }
    }
}
