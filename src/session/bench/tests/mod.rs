//! The bench operated without a browser: its views in a made-up window.

mod moves;
mod property;
mod selection;
mod settings;

use super::*;
use crate::draw::{ColourMap, Frame, Point, Theme, Vec2};
use crate::field::{SettingId, ThemeName, ViewName, read_link};
use crate::figure::{Cursor, PointerAction};
use crate::figures::bench::{
    BenchFigure, Hand, HeatmapView, Hit, LayoutCache, Placed, RotationView, Scene,
};
use std::cell::Cell;
use std::rc::Rc;

/// A view in its place on the screen.
struct Screen {
    figure: BenchFigure,
    frame: Frame,
    colours: ColourMap,
    layouts: LayoutCache,
    placed: Placed,
}

impl Picture for Screen {
    fn figure(&self) -> &BenchFigure {
        &self.figure
    }

    fn scene<'a>(&'a self, model: &'a Model) -> Scene<'a> {
        Scene {
            model,
            theme: Theme::named(ThemeName::Light),
            colours: &self.colours,
            frame: self.frame,
            layouts: self.layouts.clone(),
            placed: self.placed.clone(),
        }
    }
}

impl Screen {
    fn new(figure: BenchFigure) -> Screen {
        let height = match figure.name() {
            ViewName::Tokens => 64.0,
            ViewName::Waves => 300.0,
            _ => 420.0,
        };
        Screen {
            figure,
            frame: Frame {
                width: 560.0,
                height,
                pixels: 1.0,
                units: 1.0,
            },
            colours: Theme::named(ThemeName::Light).colour_map(),
            layouts: LayoutCache::default(),
            placed: Placed::default(),
        }
    }

    /// Points all over the picture.
    fn points(&self) -> impl Iterator<Item = Point> + '_ {
        let (columns, rows) = (self.frame.width as u32 / 8, self.frame.height as u32 / 8);
        (0..rows).flat_map(move |y| {
            (0..columns).map(move |x| Point::new(f64::from(8 * x), f64::from(8 * y)))
        })
    }
}

struct Bench {
    session: BenchSession,
    screens: [Screen; 4],
    reduces_motion: Rc<Cell<bool>>,
    /// Milliseconds.
    now: f64,
}

const MOUSE: i32 = 1;

impl Bench {
    /// The bench with the settings of a link, after its first frame.
    fn new(link: &str) -> Bench {
        let link = read_link("", link);
        assert_eq!(link.problems, []);
        let reduces_motion = Rc::new(Cell::new(false));
        let asked = reduces_motion.clone();
        let mut bench = Bench {
            session: BenchSession::new(link.state, Lang::En, Box::new(move || asked.get())),
            screens: BenchFigure::all().map(Screen::new),
            reduces_motion,
            now: 1000.0,
        };
        bench.frame();
        bench
    }

    fn frame(&mut self) -> Progress {
        self.now += 16.0;
        let progress = self.session.frame(self.now, false);
        self.session.compute(Lang::En, true);
        progress
    }

    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.frame();
        }
    }

    fn screen(&self, view: ViewName) -> &Screen {
        let mut screens = self.screens.iter();
        screens.find(|screen| screen.figure.name() == view).unwrap()
    }

    /// A pointer at a point, or over no picture; with the frame that follows.
    fn pointer_with(
        &mut self,
        id: i32,
        action: PointerAction,
        on: Option<(ViewName, Point)>,
    ) -> Effects {
        let mut screens = self.screens.iter();
        let point = on.and_then(|(view, at)| {
            let picture = screens.find(|screen| screen.figure.name() == view)?;
            Some(PicturePoint { picture, at })
        });
        let effects = self.session.handle(Event::Pointer { action, id, point });
        self.frame();
        effects
    }

    fn pointer(&mut self, action: PointerAction, view: ViewName, at: Point) -> Effects {
        self.pointer_with(MOUSE, action, Some((view, at)))
    }

    /// Presses a point, and drags from there to others.
    fn drag(&mut self, view: ViewName, from: Point, to: &[Point]) {
        self.pointer(PointerAction::Hover, view, from);
        self.pointer(PointerAction::Press, view, from);
        for &at in to {
            self.pointer(PointerAction::Drag, view, at);
        }
    }

    fn release(&mut self, view: ViewName, at: Point) -> Effects {
        self.pointer(PointerAction::Release, view, at)
    }

    fn wheel(&mut self, view: ViewName, at: Point, pixels: f64, time: f64) -> Effects {
        let mut screens = self.screens.iter();
        let picture = screens.find(|screen| screen.figure.name() == view).unwrap();
        let effects = self.session.handle(Event::Wheel {
            point: PicturePoint { picture, at },
            pixels,
            time,
        });
        self.frame();
        effects
    }

    fn key(&mut self, view: ViewName, key: &str) -> Effects {
        self.handle(Event::Key {
            view,
            key,
            shift: false,
            repeat: false,
        })
    }

    fn handle(&mut self, event: Event) -> Effects {
        let effects = self.session.handle(event);
        self.frame();
        effects
    }

    fn set(&mut self, name: &str, text: &str, by_script: bool) -> Effects {
        self.handle(Event::Set {
            pairs: &[(name, text.to_string())],
            change: Change::Move,
            by_script,
        })
    }

    /// A point where the hit test finds this.
    fn find(&self, view: ViewName, wanted: impl Fn(Hit) -> bool) -> Point {
        let screen = self.screen(view);
        let scene = screen.scene(self.session.model());
        let hits = |at: &Point| {
            let hit = screen.figure.hit_test(&scene, *at);
            hit.is_some_and(&wanted)
        };
        screen.points().find(hits).unwrap()
    }

    /// A point where the mark of a hand can be grabbed and dragged.
    fn mark(&self, view: ViewName, hand: Hand) -> Point {
        self.find(view, |hit| hit == Hit::Grip(hand))
    }

    /// The ring of a hand of the dial, after its hand has been turned counter-clockwise by an angle in radians.
    fn ring(&self, hand: Hand, by: f64) -> Point {
        let scene = self.screen(ViewName::Rotation).scene(self.session.model());
        let (dial, rings) = RotationView::dial(&scene).unwrap();
        let centre = dial.centre();
        centre + (rings[hand as usize] - centre).rotate_scale(Vec2::from_angle(-by))
    }

    fn middle(&self, view: ViewName) -> Point {
        let frame = self.screen(view).frame;
        Point::new(frame.width / 2.0, frame.height / 2.0)
    }

    fn text(&self, key: SettingId) -> String {
        self.session.state().text(key)
    }

    fn window(&self) -> [String; 2] {
        [SettingId::Positions, SettingId::Dimensions].map(|key| self.text(key))
    }

    /// pos and k, as they are drawn.
    fn drawn(&self) -> [f64; 2] {
        let model = self.session.model();
        [model.hand_pos(), model.hand_k()]
    }

    fn values(&self) -> [f64; 2] {
        let state = self.session.state();
        [state.pos() as f64, state.k() as f64]
    }

    /// Asserts that what is drawn are the values.
    fn assert_settled(&self) {
        assert!(!self.session.is_moving());
        assert!(!self.session.is_ahead());
        assert_eq!(self.drawn(), self.values());
    }
}

fn near(a: f64, b: f64, apart: f64) -> bool {
    (a - b).abs() <= apart
}

/// ω = 1/100 for pair 1: the hands of pos and pos + k stand at 0.1 and 1 radian.
const DIAL: &str = "d_model=4&max_len=500&pair=1&pos=10&k=90";

#[test]
fn a_hand_follows_the_pointer_and_settles_at_the_nearest_position() {
    for (hand, index, from) in [(Hand::Pos, 0, 10.0), (Hand::Target, 1, 90.0)] {
        let mut bench = Bench::new(DIAL);
        let points = [0.2, 0.4, 0.504].map(|by| bench.ring(hand, by));
        let start = bench.ring(hand, 0.0);
        let effects = bench.pointer(PointerAction::Hover, ViewName::Rotation, start);
        assert_eq!(effects.cursor, Some(Cursor::Grab));
        let effects = bench.pointer(PointerAction::Press, ViewName::Rotation, start);
        assert_eq!(effects.cursor, Some(Cursor::Grabbing));
        assert!(bench.session.prevents_scroll());
        for at in points {
            assert!(
                bench
                    .pointer(PointerAction::Drag, ViewName::Rotation, at)
                    .redraw
            );
        }
        assert!(near(bench.drawn()[index], from + 50.4, 1e-6));
        assert_eq!(bench.values()[index], from + 50.0);
        assert_eq!(bench.values()[1 - index], [10.0, 90.0][1 - index]);
        bench.release(ViewName::Rotation, points[2]);
        assert!(bench.session.is_moving() && !bench.session.prevents_scroll());
        let left = bench.drawn()[index] - bench.values()[index];
        assert!(left > 0.1 && left < 0.41);
        bench.frames(12);
        bench.assert_settled();
    }
}

#[test]
fn a_clock_and_a_cell_are_selected_and_what_is_drawn_moves_there() {
    let mut bench = Bench::new("d_model=16&max_len=32&pos=4&pair=1&k=3");
    let clock = bench.find(ViewName::Rotation, |hit| hit == Hit::Clock { pair: 5 });
    let effects = bench.pointer(PointerAction::Press, ViewName::Rotation, clock);
    assert_eq!(effects.cursor, Some(Cursor::Crosshair));
    assert!(!bench.session.prevents_scroll());
    assert_eq!(bench.text(SettingId::Pair), "5");
    assert!(bench.session.is_moving());
    assert!(bench.session.model().transient.displacement.pair.left < -3.0);
    assert_eq!(bench.session.take_change(), Change::Move);
    bench.release(ViewName::Rotation, clock);

    let cell = |position, dimension| Hit::Cell {
        position,
        dimension,
    };
    let at = bench.find(ViewName::Heatmap, |hit| hit == cell(20, 6));
    bench.pointer(PointerAction::Hover, ViewName::Heatmap, at);
    assert_eq!(bench.session.hovered(), Some((20, 6)));
    assert_eq!(bench.session.model().transient.pair, Some(3));
    bench.pointer(PointerAction::Press, ViewName::Heatmap, at);
    assert_eq!(bench.values()[0], 20.0);
    assert!(bench.drawn()[0] < 5.0, "it is on its way");
    // The selection follows the pointer.
    let next = bench.find(ViewName::Heatmap, |hit| hit == cell(21, 9));
    bench.pointer(PointerAction::Drag, ViewName::Heatmap, next);
    let selected = [SettingId::Pos, SettingId::Pair, SettingId::Member];
    assert_eq!(selected.map(|key| bench.text(key)), ["21", "4", "cosine"]);
    assert_eq!(bench.drawn()[0], 21.0);
    bench.release(ViewName::Heatmap, next);
    bench.frames(120);
    bench.assert_settled();
    // Outside, nothing is pointed out.
    let effects = bench.handle(Event::Leave);
    assert!(effects.redraw && bench.session.hovered().is_none());
    assert!(!bench.handle(Event::Leave).redraw);
}

#[test]
fn marks_on_waves_and_tokens_are_dragged_along_the_positions() {
    for view in [ViewName::Waves, ViewName::Tokens] {
        for (hand, index) in [(Hand::Pos, 0), (Hand::Target, 1)] {
            let mut bench = Bench::new("d_model=16&max_len=32&pos=4&pair=1&k=5");
            let mark = bench.mark(view, hand);
            let before = bench.values();
            bench.drag(view, mark, &[mark + (30.0, 0.0), mark + (60.0, 0.0)]);
            let after = bench.values();
            assert!(after[index] > before[index], "{view:?} {hand:?}");
            assert_eq!(after[1 - index], before[1 - index]);
            assert!(near(bench.drawn()[index], after[index], 0.5));
            // A vertical touch scrolls the page.
            assert!(!bench.session.prevents_scroll());
            let around = bench.session.model().transient.tokens_around;
            assert_eq!(around.is_some(), view == ViewName::Tokens);
            bench.release(view, mark);
            assert_eq!(bench.session.model().transient.tokens_around, None);
            bench.frames(20);
            bench.assert_settled();
            assert_eq!(bench.values(), after);
        }
    }
}

#[test]
fn the_wheel_zooms_and_scrolls_the_page_at_the_limit() {
    let mut bench = Bench::new("d_model=64&max_len=64");
    let at = bench.middle(ViewName::Heatmap);
    // Nothing is left to zoom out of.
    let effects = bench.wheel(ViewName::Heatmap, at, 200.0, 0.0);
    assert!(!effects.prevents_default && !effects.redraw);
    let effects = bench.wheel(ViewName::Heatmap, at, -200.0, 1000.0);
    assert!(effects.prevents_default && effects.redraw);
    assert!(bench.session.state().is_zoomed());
    assert!(!bench.window().contains(&String::new()));
    let effects = bench.wheel(ViewName::Heatmap, at, 400.0, 1100.0);
    assert!(effects.prevents_default && !bench.session.state().is_zoomed());
    // Within the same movement of the wheel the page stays.
    for (time, stays) in [(1300.0, true), (1500.0, true), (1800.0, false)] {
        let effects = bench.wheel(ViewName::Heatmap, at, 400.0, time);
        assert_eq!(effects.prevents_default, stays, "{time}");
    }
    let at = bench.middle(ViewName::Waves);
    bench.wheel(ViewName::Waves, at, -200.0, 3000.0);
    let [positions, dimensions] = bench.window();
    assert!(!positions.is_empty() && dimensions.is_empty());
    let margin = Point::new(1.0, bench.screen(ViewName::Heatmap).frame.height - 1.0);
    assert!(
        !bench
            .wheel(ViewName::Heatmap, margin, -200.0, 5000.0)
            .redraw
    );
}

#[test]
fn two_fingers_zoom_and_the_first_selects_nothing() {
    let mut bench = Bench::new("d_model=64&max_len=64&pos=3&pair=2");
    let middle = bench.middle(ViewName::Heatmap);
    let on = |dx: f64| Some((ViewName::Heatmap, middle + (dx, 0.0)));
    bench.pointer_with(1, PointerAction::Press, on(-20.0));
    assert_ne!(bench.values()[0], 3.0);
    let effects = bench.pointer_with(2, PointerAction::Press, on(20.0));
    assert_eq!(bench.values()[0], 3.0);
    assert_eq!(effects.cursor, Some(Cursor::Default));
    assert!(bench.session.prevents_scroll());
    bench.pointer_with(2, PointerAction::Drag, on(40.0));
    bench.pointer_with(1, PointerAction::Drag, on(-40.0));
    let state = bench.session.state();
    assert!(near(state.positions().width(), 32.0, 1.0));
    assert!(near(state.dimensions().width(), 32.0, 1.0));
    bench.pointer_with(1, PointerAction::Release, on(-40.0));
    bench.pointer_with(2, PointerAction::Release, on(40.0));
    assert!(!bench.session.prevents_scroll());
    assert_eq!(bench.values()[0], 3.0);
}

/// As when a menu swallows the release, or the picture is replaced during a touch.
#[test]
fn a_press_whose_release_is_lost_is_over() {
    type Over = fn(&mut Bench, i32, Point);
    let hovers: Over = |bench, id, at| {
        bench.pointer_with(id, PointerAction::Hover, Some((ViewName::Heatmap, at)));
    };
    let hovers_elsewhere: Over = |bench, id, _| {
        bench.pointer_with(id, PointerAction::Hover, None);
    };
    let is_replaced: Over = |bench, _, _| bench.session.end_presses();
    let presses_again: Over = |_, _, _| {};
    let cases = [
        (hovers, MOUSE),
        (hovers_elsewhere, MOUSE),
        (presses_again, MOUSE),
        (is_replaced, MOUSE + 1),
    ];
    for (ends, next) in cases {
        let mut bench = Bench::new("d_model=64&max_len=64&pos=3&pair=2");
        let at = bench.middle(ViewName::Heatmap);
        let on = Some((ViewName::Heatmap, at));
        bench.pointer_with(MOUSE, PointerAction::Press, on);
        ends(&mut bench, MOUSE, at);
        bench.set("k", "9", false);
        let effects = bench.pointer_with(next, PointerAction::Press, on);
        assert_eq!(effects.cursor, Some(Cursor::Crosshair), "it is no pinch");
        assert_eq!(bench.values()[1], 9.0);
        // The browser takes over this press, and nothing before it.
        bench.handle(Event::Cancel { id: next });
        assert_eq!(bench.values()[1], 9.0);
    }
    // Two fingers, too.
    let mut bench = Bench::new("d_model=64&max_len=64");
    let at = bench.middle(ViewName::Heatmap);
    for id in [1, 2] {
        bench.pointer_with(id, PointerAction::Press, Some((ViewName::Heatmap, at)));
    }
    bench.session.end_presses();
    assert!(!bench.session.prevents_scroll());
    let effects = bench.pointer_with(3, PointerAction::Press, Some((ViewName::Heatmap, at)));
    assert_eq!(effects.cursor, Some(Cursor::Crosshair));
}

#[test]
fn with_the_zoom_tool_a_drag_pans_and_a_tap_zooms() {
    let mut bench = Bench::new("d_model=64&max_len=64&pos=3");
    bench.handle(Event::Tool { zooms: true });
    assert!(bench.session.is_zooming());
    let at = bench.middle(ViewName::Heatmap);
    let effects = bench.pointer(PointerAction::Hover, ViewName::Heatmap, at);
    assert_eq!(effects.cursor, Some(Cursor::Grab));
    bench.drag(ViewName::Heatmap, at, &[at + (1.0, 1.0)]);
    assert!(
        !bench.session.prevents_scroll(),
        "there is nothing to pan yet"
    );
    assert_eq!(bench.window(), ["", ""]);
    bench.release(ViewName::Heatmap, at);
    assert!(near(bench.session.state().positions().width(), 32.0, 0.1));
    let zoomed = bench.session.state().positions();
    bench.drag(ViewName::Heatmap, at, &[at - (0.0, 30.0)]);
    assert!(bench.session.prevents_scroll());
    bench.release(ViewName::Heatmap, at);
    let panned = bench.session.state().positions();
    assert!(panned.start() > zoomed.start());
    assert!(near(panned.width(), zoomed.width(), 1e-9));
    assert_eq!(bench.values()[0], 3.0, "nothing is selected");

    bench.handle(Event::Scroll {
        vertical: true,
        fraction: 0.0,
    });
    assert_eq!(bench.session.state().positions().start(), 0.0);
    let effects = bench.handle(Event::ScrollKey {
        vertical: true,
        key: "End",
    });
    assert!(effects.prevents_default && effects.announces);
    let span = bench.session.state().positions();
    assert!(near(span.start() + span.width(), 64.0, 1e-9));
    bench.handle(Event::Zoom(2.0));
    bench.handle(Event::ShowEverything);
    assert_eq!(bench.window(), ["", ""]);
}

#[test]
fn a_press_that_is_cancelled_leaves_no_trace() {
    let mut bench = Bench::new(DIAL);
    let points = [0.2, 0.504].map(|by| bench.ring(Hand::Pos, by));
    let ring = bench.ring(Hand::Pos, 0.0);
    bench.drag(ViewName::Rotation, ring, &points);
    assert_ne!(bench.drawn()[0], bench.values()[0]);
    assert!(bench.handle(Event::Cancel { id: MOUSE }).redraw);
    assert_eq!(bench.values(), [10.0, 90.0]);
    bench.assert_settled();
    assert!(!bench.session.prevents_scroll());
    // What follows is no drag.
    bench.pointer(PointerAction::Drag, ViewName::Rotation, points[0]);
    assert_eq!(bench.values(), [10.0, 90.0]);
}

#[test]
fn a_drag_is_that_of_its_pointer_alone() {
    let mut bench = Bench::new(DIAL);
    let start = bench.ring(Hand::Pos, 0.0);
    let to = [0.2, 0.4, 0.6].map(|by| Some((ViewName::Rotation, bench.ring(Hand::Pos, by))));
    bench.pointer_with(7, PointerAction::Press, Some((ViewName::Rotation, start)));
    bench.pointer_with(7, PointerAction::Drag, to[0]);
    let elsewhere = Some((ViewName::Waves, bench.middle(ViewName::Waves)));
    for on in [elsewhere, to[2], None] {
        bench.pointer_with(MOUSE, PointerAction::Hover, on);
        for action in [PointerAction::Drag, PointerAction::Release] {
            bench.pointer_with(8, action, on);
        }
        bench.handle(Event::Cancel { id: 8 });
        assert_eq!(bench.values(), [30.0, 90.0]);
    }
    assert!(bench.session.prevents_scroll());
    bench.pointer_with(7, PointerAction::Drag, to[1]);
    assert_eq!(bench.values(), [50.0, 90.0]);
    bench.pointer_with(7, PointerAction::Release, to[1]);
    bench.pointer_with(7, PointerAction::Drag, to[2]);
    assert_eq!(bench.values(), [50.0, 90.0]);
}

#[test]
fn fingers_that_are_lifted_elsewhere_end_no_pinch_and_begin_none() {
    let mut bench = Bench::new("d_model=64&max_len=64");
    let middle = bench.middle(ViewName::Heatmap);
    let on = |dx: f64| Some((ViewName::Heatmap, middle + (dx, 0.0)));
    bench.pointer_with(1, PointerAction::Press, on(-20.0));
    bench.pointer_with(2, PointerAction::Press, on(20.0));
    bench.pointer_with(3, PointerAction::Release, None);
    bench.pointer_with(2, PointerAction::Drag, on(60.0));
    assert!(near(bench.session.state().positions().width(), 32.0, 1.0));
    bench.pointer_with(1, PointerAction::Release, on(-20.0));
    // The second finger drags the dial while the first is lifted.
    let ring = Some((ViewName::Rotation, bench.ring(Hand::Pos, 0.0)));
    bench.pointer_with(4, PointerAction::Press, ring);
    bench.pointer_with(2, PointerAction::Release, on(60.0));
    assert!(bench.session.is_dragging_hand() && bench.session.prevents_scroll());
    bench.pointer_with(4, PointerAction::Release, ring);
    let effects = bench.pointer_with(5, PointerAction::Press, on(0.0));
    assert_eq!(effects.cursor, Some(Cursor::Crosshair), "no pinch");
}

#[test]
fn the_magnified_row_of_pos_and_k_is_read_and_selects_a_column() {
    for (settings, row) in [
        ("d_model=16&max_len=32&pos=4&k=3", Some(7)),
        ("d_model=16&max_len=32&pos=4&k=-9", None),
        ("d_model=16&max_len=32&pos=4&k=1048576", None),
        ("d_model=16&max_len=32&pos=4&k=28&encoding=learned", None),
    ] {
        let mut bench = Bench::new(settings);
        let at = bench.find(ViewName::Heatmap, |hit| {
            matches!(hit, Hit::Magnified { dimension: 13, .. })
        });
        bench.pointer(PointerAction::Hover, ViewName::Heatmap, at);
        assert_eq!(bench.session.hovered(), row.map(|row| (row, 13)));
        bench.pointer(PointerAction::Press, ViewName::Heatmap, at);
        let selected = [SettingId::Pos, SettingId::Pair, SettingId::Member];
        assert_eq!(selected.map(|key| bench.text(key)), ["4", "6", "cosine"]);
    }
}

#[test]
fn the_heatmap_is_where_its_hit_test_says() {
    let bench = Bench::new("d_model=16&max_len=32");
    let scene = bench.screen(ViewName::Heatmap).scene(bench.session.model());
    let plot = HeatmapView::plot(&scene).unwrap();
    let at = bench.find(ViewName::Heatmap, |hit| matches!(hit, Hit::Cell { .. }));
    assert!(plot.contains(at) || near(at.x, plot.x, 9.0) || near(at.y, plot.y, 9.0));
}
