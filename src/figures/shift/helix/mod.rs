//! A pair over all positions as a helix, (cos, sin, pos). Seen from its end it is the dial, from the side the sine, from
//! above the cosine. A shift by k is a screw motion along it.

mod camera;
mod picture;
mod words;

use crate::draw::{DrawContext, Frame, Pen, Point, Rect, Theme};
use crate::field::settings;
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{
    Displacement, DragMode, Figure, Handle, Mapping, Picture, Pointer, PointerAction,
};
use crate::text::Lang;
use camera::Camera;
use posenc_encoding::{Layout, Sinusoidal};
use std::cell::Cell;

pub struct Helix {
    lang: Lang,
    pe: Sinusoidal,
    max_len: i64,
    pos: i64,
    k: i64,
    pair: usize,
    from: View,
    camera: Camera,
    displacement: Displacement,
    /// The camera before an animated change of view, and the progress of the animation, 0 … 1.
    transition: Option<(Camera, f64)>,
    /// The point where the current drag began, and the camera at that time.
    drag: Cell<Option<(Point, Camera)>>,
}

/// Degrees by which the helix is rotated per CSS pixel of a drag.
const DEGREES_PER_PIXEL: f64 = 0.4;

impl Helix {
    /// The first and the last position that are drawn.
    fn ends(&self) -> (i64, i64) {
        let target = self.pos + self.k;
        (target.min(0), target.max(self.max_len - 1))
    }

    /// Angle of the pair at a position, in radians, not reduced.
    fn angle(&self, position: f64) -> f64 {
        position * self.pe.frequency(self.pair)
    }

    /// The displayed camera, possibly in the middle of an animation.
    fn shown(&self) -> Camera {
        match self.transition {
            Some((start, share)) => start.towards(self.camera, share),
            None => self.camera,
        }
    }
}

choices! {
    enum View {
        Any "any" "Anywhere" "任意角度";
        End "end" "The end: dial" "一端：表盘";
        Side "side" "The side: sine" "侧面：正弦";
        Above "above" "Above: cosine" "上方：余弦";
    }
}

fields! {
    FROM: View = Key::choice("from", "Seen from", "从哪里看");
    K: i64 = Key::whole("k", "offset", "偏移量", 3, |_| (-64, 64));
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 40, |_| (4, 256));
    POS: i64 = settings::POS;
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 128, |_| (2, 512));
    PAIR: i64 = Key::whole("pair", "index i", "维度对", 4, |v| (0, (v.get(D_MODEL) / 2 - 1).max(0)));
    YAW: i64 = Key::whole("yaw", "Turned, degrees", "左右转动（度）", 52, |_| (-180, 180)).without_control();
    PITCH: i64 = Key::whole("pitch", "Tilted, degrees", "俯仰（度）", 24, |_| (-90, 90)).without_control();
}

impl Figure for Helix {
    const NAME: ViewName = ViewName::Helix;
    const FIELDS: &'static [Field] = FIELDS;

    type Layout = Projection;

    fn new(values: &Values, lang: Lang, previous: Option<Helix>) -> Helix {
        let from = values.get(FROM);
        let camera = match from {
            View::End => Camera::END,
            View::Side => Camera::SIDE,
            View::Above => Camera::ABOVE,
            View::Any => Camera::at(values.get(YAW) as f64, values.get(PITCH) as f64),
        };
        let (transition, drag) = match previous {
            Some(previous) => {
                let (shown, drag) = (previous.shown(), previous.drag);
                // A drag is followed without animation.
                let sent = from != previous.from || previous.transition.is_some();
                let apart = shown != camera && drag.get().is_none();
                ((sent && apart).then_some((shown, 1.0)), drag)
            }
            None => (None, Cell::default()),
        };
        Helix {
            lang,
            pe: Sinusoidal::new(values.count(D_MODEL), 10_000.0, Layout::Interleaved),
            max_len: values.get(MAX_LEN),
            displacement: Displacement::default(),
            pos: values.get(POS),
            k: values.get(K),
            pair: values.count(PAIR),
            from,
            camera,
            transition,
            drag,
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.55 * width).clamp(250.0, 360.0) * theme.scale, 14.0))
    }

    fn layout(&self, context: &DrawContext) -> Projection {
        Projection::new(self, context.frame, context.theme)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, projection: &Projection) {
        self.draw_all(pen, context, projection);
    }

    fn handles(&self, context: &DrawContext, _: &Projection) -> Vec<Handle> {
        let all = Handle::area(Rect::all(context.frame)).dragged(DragMode::Horizontal);
        let all = all.sets(FROM, Mapping::Custom).sets(YAW, Mapping::Custom);
        vec![all.sets(PITCH, Mapping::Custom)]
    }

    fn pointer(&self, _: &Picture<Projection>, pointer: Pointer, values: &mut Values) {
        match (pointer.action, self.drag.get()) {
            (PointerAction::Press, _) => self.drag.set(Some((pointer.at, self.shown()))),
            (PointerAction::Drag, Some((start, camera))) => {
                let by = DEGREES_PER_PIXEL * (pointer.at - start);
                // A press without movement leaves the view as it is.
                if by.hypot() < 1.0 && self.from != View::Any {
                    return;
                }
                camera.turned(-by.x, by.y).set(values);
            }
            (PointerAction::Release | PointerAction::Hover, _) => self.drag.set(None),
            (PointerAction::Drag, None) => {}
        }
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        let step = if shift { 30.0 } else { 3.0 };
        let turned = |yaw: f64, pitch: f64, values: &mut Values| {
            self.camera.turned(yaw * step, pitch * step).set(values);
            true
        };
        let from = match key {
            "1" => View::End,
            "2" => View::Side,
            "3" => View::Above,
            "0" => View::Any,
            "ArrowLeft" => return turned(-1.0, 0.0, values),
            "ArrowRight" => return turned(1.0, 0.0, values),
            "ArrowUp" => return turned(0.0, 1.0, values),
            "ArrowDown" => return turned(0.0, -1.0, values),
            _ => return false,
        };
        values.set_to(FROM, from);
        true
    }

    fn displace(&mut self, displacement: Displacement) -> bool {
        self.displacement = displacement;
        true
    }

    fn animate(&mut self, progress: f64) -> bool {
        let Some((_, transition)) = &mut self.transition else {
            return false;
        };
        // Ease-out.
        *transition = 1.0 - (1.0 - progress).powi(3);
        if progress >= 1.0 {
            self.transition = None;
        }
        true
    }
}

/// The projection of the helix to the picture.
pub struct Projection {
    camera: Camera,
    middle: Point,
    /// Width and height of the picture.
    width: f64,
    bottom: f64,
    /// Radius of the helix, and distance between two positions along its axis, in CSS pixels.
    radius: f64,
    step: f64,
    /// The position in the middle of the picture.
    centre: f64,
}

/// Distance of the curve's shadows from the axis, in radii.
const WALL: f64 = 1.55;
/// Length of the position axis beyond the last position, in radii.
const AXIS: f64 = 0.5;

impl Projection {
    fn new(it: &Helix, frame: Frame, theme: &Theme) -> Projection {
        let (size, camera) = (theme.label_size(), it.shown());
        let (first, last) = it.ends();
        let room = Rect::inside(frame, 2.6 * size, 1.6 * size, 2.6 * size, 1.6 * size);
        let radius = (0.5 * room.height).min(0.5 * room.width) / (WALL + 0.1);
        let [right, up, _] = camera.axes();
        let sides = [(right, room.width), (up, room.height)];
        // Half the extent of the curve and its shadows along an axis of the screen, without their length along the
        // positions.
        let thick = |axis: [f64; 3]| {
            let (c, s) = (axis[0].abs(), axis[1].abs());
            radius * (WALL * c + s).max(c + WALL * s)
        };
        let mut length = room.width - radius;
        for (axis, room) in sides {
            let left = (room - 2.0 * thick(axis)).max(0.4 * room);
            length = length.min(left / axis[2].abs().max(1e-6));
        }
        let taken = |(axis, room): ([f64; 3], f64)| {
            (thick(axis) + 0.5 * (length + AXIS * radius) * axis[2].abs()) / (0.5 * room)
        };
        let shrunk = sides.map(taken).into_iter().fold(1.0, f64::max);
        Projection {
            camera,
            middle: room.centre(),
            width: frame.width,
            bottom: frame.height,
            radius: radius / shrunk,
            step: length / shrunk / (last - first).max(1) as f64,
            centre: 0.5 * (first + last) as f64,
        }
    }

    /// Projects (cosine, sine, position) to a point of the picture and its depth, larger towards the viewer, in CSS
    /// pixels.
    fn point(&self, [cosine, sine, position]: [f64; 3]) -> (Point, f64) {
        let at = [
            self.radius * cosine,
            self.radius * sine,
            self.step * (position - self.centre),
        ];
        let [x, y, near] = self
            .camera
            .axes()
            .map(|axis| (0..3).map(|i| axis[i] * at[i]).sum::<f64>());
        (self.middle + (x, -y), near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn helix(settings: &str, previous: Option<Helix>) -> Helix {
        let values = Values::with(Helix::FIELDS, settings);
        Helix::new(&values, Lang::En, previous)
    }

    #[test]
    fn the_camera_goes_from_view_to_view_and_arrives() {
        let first = helix("from=end", None);
        let mut second = helix("from=side", Some(first));
        assert!(second.animate(0.5));
        // At half the time, seven eighths of the way from 0 to 90 degrees.
        assert_eq!(second.shown(), Camera::at(78.75, 0.0));
        assert!(second.animate(1.0));
        assert_eq!(second.shown(), Camera::SIDE);
        assert!(!second.animate(0.5));
        // Another setting does not move the camera.
        let mut third = helix("from=side pos=11", Some(second));
        assert!(!third.animate(0.0));
    }

    #[test]
    fn what_is_not_moved_is_there_at_once() {
        let second = helix("from=above", Some(helix("from=side", None)));
        assert_eq!(second.shown(), Camera::ABOVE);
    }

    /// Pair 1 of width 5: ω = 10000^(−2/5), 2π/ω = 250.14 and 20ω = 28.78° by NumPy.
    #[test]
    fn an_odd_width_has_frequencies_of_its_own() {
        let it = helix("d_model=5 pair=1 k=20", None);
        let omega = 10_000f64.powf(-2.0 / 5.0);
        assert!((it.pe.frequency(1) - omega).abs() < 1e-15);
        let caption = it.caption();
        for number in ["250.1 positions", "28.78°"] {
            assert!(caption.contains(number), "{caption}");
        }
    }

    #[test]
    fn keys_choose_the_views() {
        let it = helix("", None);
        let mut values = Values::new(Helix::FIELDS);
        for (key, from) in [
            ("1", View::End),
            ("2", View::Side),
            ("3", View::Above),
            ("0", View::Any),
        ] {
            assert!(it.key(key, false, &mut values));
            assert_eq!(values.get(FROM), from);
        }
        let it = helix("from=side", None);
        assert!(it.key("ArrowRight", false, &mut values) && it.key("ArrowUp", true, &mut values));
        // Both keys rotate from the side view, since the figure is not computed again in between.
        assert_eq!((values.get(FROM), values.get(PITCH)), (View::Any, 30));
        assert!(!it.key("Home", false, &mut values));
    }
}
