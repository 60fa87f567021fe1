//! The interaction of one figure: everything that a reader, a script, an attribute or a group can change, and what
//! follows from a change. It needs no browser: [`Session::handle`] takes an [`Event`] and returns its [`Effects`], which
//! `web` applies to the page.

mod attributes;
pub mod bench;
mod due;
mod editing;
mod effects;
mod event;
mod groups;
mod input;
mod interactive;
mod motion;
mod notices;
mod opening;
mod playback;
mod press;
mod sharing;

pub use attributes::{Attributes, view_named};
pub use due::Due;
pub use editing::Editing;
pub use effects::Effects;
pub use event::{ControlType, Event, Input};
pub use groups::{BENCH_GROUP, Group, NamedValues};
pub use interactive::Interactive;
pub use motion::{Change, Motion};
pub use opening::{DELAY as OPENING_DELAY, Opening};
pub use playback::Playback;
pub use press::Press;
pub use sharing::SharedUpdate;

use crate::field::{Diagnostic, DiagnosticKind, Field, Values, ViewName};
use crate::figure::{ControlPolicy, Displacement};
use crate::figures;
use crate::text::Lang;
use notices::Notices;
use std::cell::OnceCell;
use std::rc::Rc;

/// What a session reads from the page around it.
pub trait Surroundings {
    /// The attributes of all figures of a group, this one included, in the order of the document.
    fn members(&self, group: &str) -> Vec<Attributes>;

    /// The values of the bench; empty on a page without one.
    fn bench(&self) -> NamedValues;

    /// Whether the reader has asked for less motion.
    fn reduces_motion(&self) -> bool;
}

pub struct Session {
    page: Box<dyn Surroundings>,
    view: ViewName,
    values: Values,
    attributes: Attributes,
    policy: ControlPolicy,
    /// The values that a reset restores.
    initial: OnceCell<Values>,
    /// The figures that this one shares its values with.
    group: Option<Rc<Group>>,
    /// A change of which the group and the address do not know yet.
    unshared: Option<Change>,
    press: Press<Values>,
    /// Id of the pointer that presses the picture; until it is released or leaves, others are ignored.
    pressing: Option<i32>,
    editing: Editing,
    playback: Playback,
    notices: Notices,
    motion: Motion,
}

/// Where a change of values comes from, which determines what follows from it.
enum Source {
    /// The reader, a script, an attribute or playback.
    Own(Change),
    /// The group, which knows the new values.
    Group(Change),
    /// The change is not reported.
    Silent,
}

impl Session {
    /// The session of a figure with these attributes. `kept` is the state that it had when it was last on the page, empty
    /// for a new figure; it takes precedence over the attributes.
    pub fn new(
        page: Box<dyn Surroundings>,
        attributes: Attributes,
        kept: &[(&str, &str)],
    ) -> Option<(Session, Effects)> {
        let mut session = Session {
            page,
            view: ViewName::Heatmap,
            values: Values::new(figures::fields(ViewName::Heatmap)?),
            policy: attributes.policy(),
            attributes,
            initial: OnceCell::new(),
            group: None,
            unshared: None,
            press: Press::default(),
            pressing: None,
            editing: Editing::default(),
            playback: Playback::default(),
            notices: Notices::default(),
            motion: Motion::default(),
        };
        let mut effects = Effects::default();
        session.read_attributes(&mut effects);
        session.set_all(kept, &mut effects);
        let before = session.values.clone();
        session.join(!kept.is_empty());
        if session.values != before {
            effects.changed = Some(Change::Move);
        }
        Some((session, effects))
    }

    pub fn view(&self) -> ViewName {
        self.view
    }

    pub fn values(&self) -> &Values {
        &self.values
    }

    pub fn policy(&self) -> &ControlPolicy {
        &self.policy
    }

    pub fn is_playing(&self) -> bool {
        self.playback.playing
    }

    /// Whether a control is being typed in, so that its text must not be overwritten.
    pub fn is_typing(&self) -> bool {
        self.editing.is_typing()
    }

    /// The text of the notice; `has_picture` is false for a figure that needs no canvas.
    pub fn notice(&self, lang: Lang, has_picture: bool) -> String {
        self.notices.text(lang, has_picture)
    }

    /// The values that a reset restores.
    fn initial(&self) -> &Values {
        self.initial.get_or_init(|| self.initial_values())
    }

    /// Whether the values are those that a reset restores.
    pub fn is_initial(&self) -> bool {
        *self.initial() == self.values
    }

    /// The values to print: a figure that is still at the step with which the page shows it is printed at its last, since
    /// paper is not interactive. Where it stands alone, a step in its address was chosen.
    pub fn printed_values(&self, stands_alone: bool) -> Values {
        const STEP: &str = "step";
        let mut printed = self.values.clone();
        let opened = Values::new(self.values.fields());
        let opened = if stands_alone {
            &opened
        } else {
            self.initial()
        };
        if printed.has(STEP) && printed.whole(STEP) == opened.whole(STEP) {
            printed.set_whole(STEP, i64::MAX);
        }
        printed
    }

    /// Handles an event; `picture` is what shows the values, if it has been computed.
    pub fn handle(&mut self, event: Event, picture: Option<&dyn Interactive>) -> Effects {
        let mut effects = Effects::default();
        let (view, before) = (self.view, self.values.clone());
        let source = match event {
            Event::Input(input) => Source::Own(self.input(input, &before, picture, &mut effects)),
            Event::Unmounted => {
                self.end_press();
                self.editing.stop();
                Source::Silent
            }
            Event::Set(pairs) => {
                self.set_all(pairs, &mut effects);
                Source::Own(Change::Move)
            }
            Event::Follow(pairs) => {
                self.set_all(pairs, &mut effects);
                Source::Own(Change::Follow)
            }
            Event::Attribute { name, text } => self.set_attribute(name, text, &mut effects),
            Event::Reset => {
                self.values.reset();
                self.read_attributes(&mut effects);
                self.assign(&self.initial_values_of_group());
                Source::Own(Change::Move)
            }
            Event::Step(by) => {
                self.values.step(by);
                Source::Own(Change::Move)
            }
            Event::Play(plays) => {
                if plays && self.values.playable().is_some() {
                    self.playback.start();
                } else {
                    self.playback.stop();
                }
                Source::Silent
            }
            Event::AdvancePlayback(now) => {
                let steps = self.playback.advance(now);
                if steps != 0 {
                    self.values.step(steps);
                }
                Source::Own(Change::Follow)
            }
            Event::Sync { values, change } => {
                self.assign(values);
                Source::Group(change)
            }
            Event::Mute => {
                const SOUND: &str = "sound";
                if self.values.has(SOUND) {
                    self.values.set_any(SOUND, "off");
                }
                Source::Silent
            }
            Event::Restarted => {
                self.notices.set_restarted();
                effects.redraw = true;
                Source::Silent
            }
            Event::Canvas(is_available) => {
                self.notices.set_canvas(is_available);
                Source::Silent
            }
            Event::Dismiss => {
                self.notices.dismiss();
                effects.redraw = true;
                Source::Silent
            }
        };
        if self.view == view && self.values == before {
            return effects;
        }
        effects.redraw = true;
        self.moved_from(view, &before, &source);
        match source {
            Source::Own(change) => {
                self.publish(&before);
                self.share(change);
                effects.changed = Some(change);
            }
            Source::Group(change) => effects.changed = Some(change),
            Source::Silent => {}
        }
        effects
    }

    /// Begins or ends moves after the values have changed.
    fn moved_from(&mut self, view: ViewName, before: &Values, source: &Source) {
        let change = match source {
            Source::Silent => return,
            Source::Own(change) | Source::Group(change) => *change,
        };
        // Not asked for in every event of a drag.
        let change = if change != Change::Follow && self.page.reduces_motion() {
            Change::Follow
        } else {
            change
        };
        if self.view == view {
            self.motion.change(before, &self.values, change);
        } else {
            self.motion.finish();
        }
    }

    /// Advances the moves to the time of a frame, in milliseconds; true if another frame is needed.
    pub fn advance_moves(&mut self, now: f64) -> bool {
        self.motion.advance(now)
    }

    /// Whether what is drawn is still on its way to the values.
    pub fn is_moving(&self) -> bool {
        self.motion.is_moving()
    }

    /// How far what is to be drawn is from the values.
    pub fn displacement(&self) -> Displacement {
        self.motion.displacement(Displacement::default())
    }

    /// The values with those that move at the nearest whole number on their way.
    pub fn intermediate_values(&self) -> Values {
        self.motion.intermediate(&self.values)
    }

    /// Shows the values at once.
    pub fn finish_moves(&mut self) {
        self.motion.finish();
    }

    fn set_attribute(&mut self, name: &str, text: Option<&str>, effects: &mut Effects) -> Source {
        self.attributes.set(name, text);
        self.initial.take();
        effects.redraw = true;
        match (name, text) {
            ("group", _) => {
                self.join(true);
                return Source::Group(Change::Move);
            }
            ("controls" | "lock", _) => self.policy = self.attributes.policy(),
            ("lang" | "theme" | "enlarge", _) => {}
            ("view", None) => self.set_all(&[(name, ViewName::Heatmap.name())], effects),
            (_, Some(text)) => self.set_all(&[(name, text)], effects),
            (_, None) => {
                self.notices.set(name, None);
                self.values.clear(name);
            }
        }
        self.check_attributes(effects);
        Source::Own(Change::Move)
    }

    /// Sets the fields that have attributes.
    fn read_attributes(&mut self, effects: &mut Effects) {
        self.notices.forget_fields();
        let attributes = self.attributes.clone();
        let pairs = attributes.pairs().iter();
        let pairs: Vec<_> = pairs.map(|(n, t)| (n.as_str(), t.as_str())).collect();
        self.set_all(&pairs, effects);
        self.check_attributes(effects);
    }

    /// Sets fields by name; `view` changes the figure to another view.
    fn set_all(&mut self, pairs: &[(&str, &str)], effects: &mut Effects) {
        if let Some((_, name)) = pairs.iter().find(|(name, _)| *name == "view") {
            let view = view_named(name);
            if let Some(view) = view.filter(|view| *view != self.view)
                && let Some(fields) = figures::fields(view)
            {
                self.change_view(view, fields);
                effects.view_changed = true;
                self.check_attributes(effects);
            }
            let used = self.view.name();
            let wrong = view.is_none_or(|view| view.name() != name.trim());
            let problem =
                || Diagnostic::new("view", DiagnosticKind::NotAnOption, name, used.to_string());
            self.report("view", wrong.then(problem), effects);
        }
        for (field, problem) in self.values.set_all(pairs) {
            self.report(field.name, problem, effects);
            effects.fields_set.push(field.name);
            if let Some(group) = &self.group {
                group.set(field.name, self.values.text(field.name));
            }
        }
        effects.redraw = true;
    }

    fn change_view(&mut self, view: ViewName, fields: &'static [Field]) {
        self.view = view;
        self.values = Values::new(fields);
        self.initial.take();
        // A press on the previous figure must not continue on the new one.
        self.end_press();
        self.editing.stop();
        if let Some(group) = self.group.clone() {
            self.adopt_group_values(&group);
        }
        self.notices.forget_fields();
    }

    /// Validates the attributes that are not fields; the problems of fields have been reported by then.
    fn check_attributes(&mut self, effects: &mut Effects) {
        let found = self.attributes.problems(&self.values, &self.policy);
        effects.errors.extend(self.notices.set_of_attributes(found));
        effects.redraw = true;
    }

    fn report(&mut self, name: &str, problem: Option<Diagnostic>, effects: &mut Effects) {
        effects.errors.extend(problem.clone());
        self.notices.set(name, problem);
    }
}

#[cfg(test)]
mod tests;
