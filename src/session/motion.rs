//! The one way in which pos, k and pair get from one value to another on the screen: a value is set at once, and the
//! number that is drawn moves there.

use crate::field::Values;
use crate::figure::{Displacement, Outline, Remaining};
use posenc_encoding::{Layout, Sinusoidal};
use std::f64::consts::TAU;

/// The fields that move.
const FIELDS: [&str; 3] = ["pos", "k", "pair"];
const POS: usize = 0;
const K: usize = 1;

/// Milliseconds of a move over a distance of 0, and what is added per square root of the distance.
const DURATION: (f64, f64) = (200.0, 60.0);
/// Milliseconds that a full turn of the selected pair takes at least.
const TURN: f64 = 450.0;
const MAX_DURATION: f64 = 1400.0;
/// Milliseconds that columns take to another order.
const SLIDE: f64 = 700.0;
/// Milliseconds in which a hand that was released between two positions goes to the nearest.
const SETTLE: f64 = 160.0;
/// Milliseconds that the outline of the old wedge takes to follow.
const OUTLINE: f64 = 300.0;

/// Maximum rotation of a hand between two frames, in radians, and the duration of a frame in milliseconds.
const PER_FRAME: f64 = 25.0 * TAU / 360.0;
const FRAME: f64 = 1000.0 / 60.0;
/// The speed in the middle of a move, in mean speeds.
const PEAK: f64 = 1.5;

/// What moves besides the fields: the columns of a heatmap, see [`Values::columns`].
const COLUMNS: usize = FIELDS.len();
const TRACKS: usize = COLUMNS + 2;

/// The moves in progress.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    tracks: [Option<Track>; TRACKS],
    left_behind: Option<LeftBehind>,
    /// Time of the last frame, in milliseconds.
    now: f64,
}

/// The move of one number: its displacement from its value is a cubic of time that ends at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Track {
    /// Displacement at the beginning.
    from: f64,
    /// Its rate of change at the beginning, per `duration`.
    speed: f64,
    /// Milliseconds.
    duration: f64,
    /// Time of the first frame in milliseconds; `None` before it.
    begin: Option<f64>,
}

/// The wedge at the position where a move of pos began, shown until it has followed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LeftBehind {
    position: f64,
    /// When it began to follow.
    begin: Option<f64>,
}

/// How a change of values reaches the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Change {
    /// A single change: the drawn numbers move to the new values.
    Move,
    /// The same in a given time, in milliseconds.
    MoveIn(f64),
    /// One of many in a row, as of a drag, a slider, playback or a held key: the next frame shows the new values.
    #[default]
    Follow,
}

impl Track {
    fn new(from: f64, speed: f64, duration: f64) -> Track {
        Track {
            from,
            speed: speed * duration,
            duration,
            begin: None,
        }
    }

    /// The fraction of its duration that has passed, 0 … 1.
    fn progress(&self, now: f64) -> f64 {
        let begin = self.begin.unwrap_or(now);
        ((now - begin) / self.duration).clamp(0.0, 1.0)
    }

    /// The displacement that is left: a cubic Hermite curve to 0.
    fn left(&self, now: f64) -> f64 {
        let u = self.progress(now);
        self.from * (1.0 + 2.0 * u) * (1.0 - u).powi(2) + self.speed * u * (1.0 - u).powi(2)
    }

    /// Its rate of change, per millisecond.
    fn speed(&self, now: f64) -> f64 {
        let u = self.progress(now);
        let rate = -6.0 * self.from * u * (1.0 - u) + self.speed * (1.0 - u) * (1.0 - 3.0 * u);
        rate / self.duration
    }
}

impl Motion {
    /// Called after values have been set: begins a move from what is drawn now to the new values, or ends the moves of
    /// the fields that have changed.
    pub fn change(&mut self, before: &Values, after: &Values, how: Change) {
        for (index, field) in FIELDS.into_iter().enumerate() {
            let (Some(old), Some(new)) = (before.integer(field), after.integer(field)) else {
                continue;
            };
            if old != new {
                match how {
                    Change::Move => self.retarget(index, old, after, None),
                    Change::MoveIn(duration) => self.retarget(index, old, after, Some(duration)),
                    Change::Follow => self.arrive(index),
                }
            }
        }
        if let (Some(old), Some(new)) = (before.columns(), after.columns()) {
            for (index, (old, new)) in (COLUMNS..).zip(old.into_iter().zip(new)) {
                match how {
                    _ if old == new => {}
                    Change::Follow => self.arrive(index),
                    Change::Move | Change::MoveIn(_) => {
                        let from = if old { 1.0 } else { -1.0 };
                        self.send(index, from + self.left(index), SLIDE);
                    }
                }
            }
        }
    }

    /// Begins a move from what is drawn now, or sends the one in progress elsewhere.
    fn retarget(&mut self, index: usize, old: i64, after: &Values, duration: Option<f64>) {
        let from = old as f64 + self.left(index);
        let track = self.tracks[index];
        if index == POS {
            let kept = self.left_behind.filter(|_| track.is_some());
            self.left_behind = Some(LeftBehind {
                position: kept.map_or(from, |left_behind| left_behind.position),
                begin: None,
            });
        }
        let distance = from - after.whole(FIELDS[index]) as f64;
        let turns = match frequency(after) {
            Some(frequency) if index == POS => distance.abs() * frequency / TAU,
            _ => 0.0,
        };
        let duration = duration.unwrap_or_else(|| duration_of(distance, turns));
        self.send(index, distance, duration);
    }

    /// Begins a move over a distance, as fast as the one in progress, if any.
    fn send(&mut self, index: usize, distance: f64, duration: f64) {
        let speed = self.tracks[index].map_or(0.0, |track| track.speed(self.now));
        self.tracks[index] = Some(Track::new(distance, speed, duration));
    }

    /// Ends the move of a number.
    fn arrive(&mut self, index: usize) {
        self.tracks[index] = None;
        if index == POS {
            self.left_behind = None;
        }
    }

    /// Lets go of numbers that a drag has held between two values: they go to the nearest.
    pub fn settle(&mut self, held: Displacement) {
        for (index, remaining) in [held.pos, held.k, held.pair].into_iter().enumerate() {
            if remaining.left != 0.0 {
                // The curve to 0 whose speed falls in proportion: an ease-out.
                let speed = -2.0 * remaining.left / SETTLE;
                self.tracks[index] = Some(Track::new(remaining.left, speed, SETTLE));
            }
        }
    }

    /// Turns the hand of pos + k from that of pos to its place, in a given time per position in milliseconds.
    pub fn sweep(&mut self, k: i64, per_position: f64) {
        let duration = (per_position * k.abs() as f64).min(2.0 * MAX_DURATION);
        self.tracks[K] = (k != 0).then(|| Track::new(-k as f64, 0.0, duration));
    }

    /// Ends all moves: what is drawn are the values.
    pub fn finish(&mut self) {
        (self.tracks, self.left_behind) = ([None; TRACKS], None);
    }

    /// Advances to the time of a frame, in milliseconds; true if another frame is needed.
    pub fn advance(&mut self, now: f64) -> bool {
        self.now = now;
        for place in &mut self.tracks {
            if let Some(track) = place {
                track.begin.get_or_insert(now);
                if track.progress(now) == 1.0 {
                    *place = None;
                }
            }
        }
        if let Some(left_behind) = &mut self.left_behind
            && self.tracks[POS].is_none()
        {
            let begin = *left_behind.begin.get_or_insert(now);
            if now - begin >= OUTLINE {
                self.left_behind = None;
            }
        }
        self.is_moving()
    }

    pub fn is_moving(&self) -> bool {
        self.left_behind.is_some() || self.tracks.iter().any(Option::is_some)
    }

    fn left(&self, index: usize) -> f64 {
        self.tracks[index].map_or(0.0, |track| track.left(self.now))
    }

    /// The values with those that move at the nearest whole number on their way.
    pub fn intermediate(&self, values: &Values) -> Values {
        let mut intermediate = values.clone();
        for (index, field) in FIELDS.into_iter().enumerate() {
            if let (Some(_), Some(value)) = (self.tracks[index], values.integer(field)) {
                intermediate.set_whole(field, (value as f64 + self.left(index)).round() as i64);
            }
        }
        intermediate
    }

    /// What is to be drawn, relative to the values; `held` is what a drag holds.
    pub fn displacement(&self, held: Displacement) -> Displacement {
        let remaining = |index: usize, held: Remaining| match &self.tracks[index] {
            None => held,
            Some(track) => {
                let limit = PER_FRAME * track.duration / (PEAK * FRAME);
                Remaining::moving(track.left(self.now), track.from, limit)
            }
        };
        Displacement {
            pos: remaining(0, held.pos),
            k: remaining(1, held.k),
            pair: remaining(2, held.pair),
            halves: self.left(COLUMNS),
            phase: self.left(COLUMNS + 1),
            outline: self.outline(),
        }
    }

    fn outline(&self) -> Option<Outline> {
        let LeftBehind { position, begin } = self.left_behind?;
        let done = begin.map_or(0.0, |begin| ((self.now - begin) / OUTLINE).clamp(0.0, 1.0));
        Some(Outline {
            position,
            left: (1.0 - done).powi(2),
        })
    }
}

/// The frequency of the selected pair of a figure that has one, in radians per position.
fn frequency(values: &Values) -> Option<f64> {
    let (d_model, pair) = (values.integer("d_model")?, values.integer("pair")?);
    let base = values.number("base").unwrap_or(10_000.0);
    let waves = Sinusoidal::new(d_model as usize, base, Layout::Interleaved);
    ((pair as usize) < waves.pairs()).then(|| waves.frequency(pair as usize))
}

/// Milliseconds of a move over a distance during which the selected pair makes `turns` turns.
fn duration_of(distance: f64, turns: f64) -> f64 {
    let (base, per_root) = DURATION;
    let long_enough = (base + per_root * distance.abs().sqrt()).max(TURN * turns);
    long_enough.min(MAX_DURATION)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;
    use crate::field::Field;
    use crate::field::settings::{D_MODEL, K as K_FIELD, MAX_LEN, PAIR, POS as POS_FIELD};

    const BENCH: &[Field] = &[
        D_MODEL.field,
        MAX_LEN.field,
        K_FIELD.field,
        POS_FIELD.field,
        PAIR.field,
    ];

    fn values(settings: &str) -> Values {
        Values::with(BENCH, settings)
    }

    fn drawn(motion: &Motion) -> Displacement {
        motion.displacement(Displacement::default())
    }

    fn moved(motion: &mut Motion, before: &str, after: &str) {
        motion.change(&values(before), &values(after), Change::Move);
    }

    #[test]
    fn a_move_takes_longer_over_longer_distances() {
        for (distance, expected) in [(1.0, 260.0), (27.0, 511.8), (100.0, 800.0), (400.0, 1400.0)] {
            assert_close(duration_of(distance, 0.0), expected, 0.05);
            assert_close(duration_of(-distance, 0.0), expected, 0.05);
        }
        // 27 positions of pair 4 at d_model 128 are 2.42 turns.
        assert_close(duration_of(27.0, 2.4165), 1087.4, 0.1);
        assert_eq!(duration_of(900.0, 80.0), 1400.0);
    }

    #[test]
    fn it_eases_in_and_out() {
        let mut motion = Motion::default();
        moved(&mut motion, "pos=10", "pos=37");
        assert_eq!(drawn(&motion).pos.left, -27.0);
        motion.advance(5000.0);
        assert_eq!(drawn(&motion).pos.left, -27.0);
        let whole = motion.tracks[POS].unwrap().duration;
        for u in [0.16_f64, 0.33, 0.5, 0.68] {
            assert!(motion.advance(5000.0 + u * whole));
            let done = 3.0 * u * u - 2.0 * u * u * u;
            assert_close(drawn(&motion).pos.left, -27.0 * (1.0 - done), 1e-9);
        }
        assert!(motion.advance(5000.001 + whole), "the outline follows");
        assert_eq!(drawn(&motion).pos, Remaining::default());
        let outline = |position, left| Some(Outline { position, left });
        assert_eq!(motion.outline(), outline(10.0, 1.0));
        motion.advance(5000.001 + whole + 150.0);
        assert_close(motion.outline().unwrap().left, 0.25, 1e-9);
        assert!(!motion.advance(5000.002 + whole + 300.0));
        assert_eq!(motion.outline(), None);
    }

    #[test]
    fn a_new_target_goes_on_from_where_it_is_and_as_fast() {
        let mut motion = Motion::default();
        moved(&mut motion, "pos=10", "pos=37");
        motion.advance(0.0);
        motion.advance(200.0);
        let (here, speed) = (
            37.0 + drawn(&motion).pos.left,
            motion.tracks[POS].unwrap().speed(200.0),
        );
        moved(&mut motion, "pos=37", "pos=50");
        motion.advance(200.0);
        let again = motion.tracks[POS].unwrap();
        assert_close(50.0 + drawn(&motion).pos.left, here, 1e-9);
        assert_close(again.speed(200.0), speed, 1e-9);
        assert_eq!(
            motion.outline().unwrap().position,
            10.0,
            "the wedge at which the reader began"
        );
    }

    #[test]
    fn what_is_followed_is_there_at_once() {
        let mut motion = Motion::default();
        moved(&mut motion, "pos=10 k=3", "pos=37 k=5");
        motion.advance(0.0);
        motion.change(&values("pos=37 k=5"), &values("pos=38 k=5"), Change::Follow);
        let shown = drawn(&motion);
        assert_eq!((shown.pos.left, shown.k.left), (0.0, -2.0));
    }

    #[test]
    fn columns_slide_in_seven_tenths_of_a_second() {
        use crate::field::settings::{COLOUR, LAYOUT};
        const HEATMAP: &[Field] = &[MAX_LEN.field, LAYOUT.field, COLOUR.field, POS_FIELD.field];
        let values = |settings| Values::with(HEATMAP, settings);
        let (stored, halves) = (values(""), values("colour=sines-cosines"));
        let mut motion = Motion::default();
        motion.change(&stored, &halves, Change::Move);
        motion.advance(0.0);
        motion.advance(SLIDE / 2.0);
        assert_close(drawn(&motion).halves, -0.5, 1e-12);
        // Another change in the meantime does not interrupt it.
        motion.change(
            &halves,
            &values("colour=sines-cosines pos=3"),
            Change::Follow,
        );
        assert_close(drawn(&motion).halves, -0.5, 1e-12);
        // A new choice goes on from where it is.
        let phase = values("colour=phase");
        motion.change(&halves, &phase, Change::Move);
        let now = drawn(&motion);
        assert_close(now.halves, 0.5, 1e-12);
        assert_close(now.phase, -1.0, 1e-12);
        motion.advance(SLIDE / 2.0);
        assert!(motion.advance(1.5 * SLIDE - 1.0));
        assert!(!motion.advance(1.5 * SLIDE));
        assert_eq!(drawn(&motion), Displacement::default());
        // Layouts are orders too, and the order of the table is no other than that of its layout.
        motion.change(&stored, &values("layout=concatenated"), Change::Move);
        assert_eq!(drawn(&motion).halves, -1.0);
        motion.finish();
        motion.change(&values("layout=tensor2tensor"), &halves, Change::Move);
        motion.change(&phase, &stored, Change::Follow);
        assert!(!motion.is_moving());
    }

    #[test]
    fn a_released_hand_settles() {
        let mut motion = Motion::default();
        motion.settle(Displacement::held(0.0, -0.4));
        motion.advance(0.0);
        motion.advance(SETTLE / 2.0);
        assert_close(drawn(&motion).k.left, -0.1, 1e-12);
        assert!(!motion.advance(SETTLE));
    }

    #[test]
    fn no_hand_turns_faster_than_the_eye_follows() {
        let mut motion = Motion::default();
        moved(&mut motion, "max_len=2000 pos=10", "max_len=2000 pos=900");
        motion.advance(0.0);
        for frequency in [1.0, 0.866, 0.5, 0.1, 0.01] {
            let mut last: Option<f64> = None;
            for frame in 0..=84 {
                let mut motion = motion.clone();
                motion.advance(f64::from(frame) * FRAME);
                let angle = drawn(&motion).pos.angle(frequency);
                let turned = last.map_or(0.0, |last| (angle - last).abs());
                assert!(turned < 1.001 * PER_FRAME, "{turned} at frame {frame}");
                last = Some(angle);
            }
        }
    }

    proptest::proptest! {
        /// Whatever is done, what is drawn ends at what is set, and never leaves the numbers finite.
        #[test]
        fn nothing_leaves_shown_and_set_apart(
            steps in proptest::collection::vec((0i64..64, -63i64..64, 0i64..64, 0u8..4, 0.0..900.0), 1..40)
        ) {
            let mut motion = Motion::default();
            let (mut now, mut before) = (0.0, values(""));
            for (pos, k, pair, what, wait) in steps {
                let after = values(&format!("pos={pos} k={k} pair={pair}"));
                match what {
                    0 => motion.change(&before, &after, Change::Follow),
                    1 => motion.settle(Displacement::held(0.3, 0.0)),
                    2 => motion.finish(),
                    _ => motion.change(&before, &after, Change::Move),
                }
                if what != 1 && what != 2 {
                    before = after;
                }
                now += wait;
                motion.advance(now);
                let shown = drawn(&motion);
                proptest::prop_assert!([shown.pos, shown.k, shown.pair].iter().all(|one| one.left.is_finite()));
            }
            motion.advance(now + 1.0);
            motion.advance(now + MAX_DURATION + 2.0);
            motion.advance(now + MAX_DURATION + OUTLINE + 3.0);
            proptest::prop_assert!(!motion.is_moving());
            proptest::prop_assert_eq!(drawn(&motion), Displacement::default());
        }
    }
}
