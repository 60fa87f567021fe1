//! One `<pe-figure>`: its values, and, while it is near the screen, the figure computed from them
//! and the elements and the canvas that show it.

use super::group::{self, Group};
use super::play::Play;
use super::sound::Tones;
use super::{BENCH, Gallery, spelling, with};
use crate::draw::{ColourMap, DrawContext, Theme};
use crate::field::{Fault, Field, Names, Problem, ThemeName, Values, ViewName, parse};
use crate::figure::{ControlPolicy, PointerAction};
use crate::figures::AnyFigure;
use crate::text::{Lang, labels};
use crate::web::app;
use crate::web::canvas::{Surface, frame};
use crate::web::dom::{
    Icon, Last, Slot, append, document, el, icon_button, kit_button, set_attr, set_style, window,
};
use crate::web::figure::worked_by_keys;
use crate::web::page::numbers;
use crate::web::patch::{Patch, restore};
use crate::web::quiet::Quiet;
use gloo_events::{EventListener, EventListenerOptions};
use plotters::style::RGBColor;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Element, Event, HtmlElement, HtmlInputElement, HtmlSelectElement, KeyboardEvent, PointerEvent,
    ShadowRoot,
};

/// On a figure that has come and still works out a part of what it shows.
pub const UNFINISHED: &str = "data-unfinished";
/// The height that a figure keeps while it is not there, as a property of its style.
const RESERVED_HEIGHT: &str = "--reserved-height";

pub struct Host {
    pub element: HtmlElement,
    shadow: ShadowRoot,
    pub me: Weak<RefCell<Host>>,
    view: ViewName,
    pub values: Values,
    problems: Vec<Problem>,
    /// What was wrong with the attributes when they were last looked at, dismissed or not.
    misspelt: Vec<Problem>,
    /// Something failed, and all has been started again.
    pub restarted: bool,
    /// The browser does not let it draw.
    refused: bool,
    /// The figures that this one shares its values with.
    pub group: Option<Rc<Group>>,
    offer: ControlPolicy,
    /// The element's own language and theme; others are the page's.
    pub lang: Option<Lang>,
    pub theme: Option<ThemeName>,
    /// What the page's style asks of the picture.
    pub accent: Option<RGBColor>,
    pub family: Option<Rc<str>>,
    /// How many times as large as usual type and strokes are.
    pub enlarged: f64,
    /// Told of what happens: "ready", "change", "wanted", or "error" with words.
    listener: js_sys::Function,
    ready: bool,
    pub play: Play,
    /// Nothing while the figure is far from the screen.
    parts: Option<Parts>,
    shown: Option<AnyFigure>,
    pub near: bool,
    /// Its reserved height was measured at another width.
    stale_height: bool,
    /// Whether it is near has been found out.
    pub located: bool,
    /// Something is to be computed, written and drawn.
    pub dirty: bool,
    /// To be scrolled to once it is drawn.
    pub bring: bool,
    /// The next step of a figure that is coming near; nothing once it is shown.
    arriving: Option<Step>,
    /// The figure has work left.
    pub working: bool,
    /// The element's width when last told, in CSS pixels.
    width: f64,
    /// How much of that the figure's own padding takes, once it is known.
    padding: Option<f64>,
    /// How much larger than its own pixels the page shows the element.
    magnified: f64,
    /// Values changed by hand, which others that share them have not been told.
    pub told: bool,
    /// As they were when the pointer that is down came down.
    before_press: Option<Values>,
    /// The finger that is down came down on a handle, so that it does not scroll the page.
    gripped: bool,
    editing: Option<Element>,
    /// Fields may show what was written instead of what is used.
    restore: bool,
    speak: bool,
    /// When to speak: keys that are held down change a figure faster than anybody speaks.
    voice: Quiet,
    /// What the arrow keys select, in words; nothing where they do not.
    selected: Option<String>,
    tones: Option<Tones>,
}

/// The elements of a figure that is near the screen.
struct Parts {
    lang: Lang,
    controls: Patch,
    above: Patch,
    below: Patch,
    stage: Element,
    surface: Option<Surface>,
    canvas: Element,
    /// Whether keys work the picture, once that is known.
    keys: Option<bool>,
    how: Slot,
    caption: Slot,
    notice: Slot,
    live: Slot,
    link: Slot,
    bench: Slot,
    scale: Last,
    root: Element,
    frame: crate::draw::Frame,
    _listeners: Vec<EventListener>,
}

/// The way of a figure onto the page.
#[derive(Clone, Copy)]
enum Step {
    Build,
    Compute,
    Write,
    Draw,
}

impl Step {
    fn next(self) -> Option<Step> {
        match self {
            Step::Build => Some(Step::Compute),
            Step::Compute => Some(Step::Write),
            Step::Write => Some(Step::Draw),
            Step::Draw => None,
        }
    }
}

/// What all figures on the page share.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub lang: Lang,
    pub theme: Theme,
    pub colours: &'a ColourMap,
    pub ratio: f64,
    /// There is a bench on the page, to which figures lead.
    pub bench: bool,
}

impl Host {
    /// `None` where the element cannot hold a figure. `kept` is the state that the figure had when it was last on the
    /// page, if it was; it counts more than the attributes.
    pub fn new(
        element: HtmlElement,
        listener: js_sys::Function,
        kept: &[(&str, &str)],
    ) -> Option<Host> {
        let shadow = match element.shadow_root() {
            Some(shadow) => shadow,
            None => {
                let options = web_sys::ShadowRootInit::new(web_sys::ShadowRootMode::Open);
                element.attach_shadow(&options).ok()?
            }
        };
        let mut host = Host {
            element,
            shadow,
            me: Weak::new(),
            view: ViewName::Heatmap,
            values: Values::new(crate::figures::fields(ViewName::Heatmap)?),
            problems: Vec::new(),
            misspelt: Vec::new(),
            restarted: false,
            refused: false,
            group: None,
            offer: ControlPolicy::default(),
            lang: None,
            theme: None,
            accent: None,
            family: None,
            enlarged: 1.0,
            listener,
            ready: false,
            play: Play::default(),
            parts: None,
            shown: None,
            near: false,
            stale_height: false,
            located: false,
            dirty: true,
            bring: false,
            arriving: Some(Step::Build),
            working: false,
            width: 0.0,
            padding: None,
            magnified: 1.0,
            told: true,
            before_press: None,
            gripped: false,
            editing: None,
            restore: false,
            speak: false,
            voice: Quiet::default(),
            selected: None,
            tones: None,
        };
        host.rest();
        host.read_looks();
        host.read_attributes();
        host.set_all(kept);
        host.join(!kept.is_empty());
        // The address of a figure that is shown alone says its state.
        host.told = kept.is_empty() || !host.is_alone();
        Some(host)
    }

    /// What happened, for whoever listens to the element. The listener only makes a note of it: it does not call back.
    fn tell(&self, what: &str, words: &str) {
        // A listener that throws is no concern of the figure.
        let _ = self
            .listener
            .call2(&JsValue::NULL, &what.into(), &words.into());
    }

    /// The figure is near the screen and what shows it has not arrived.
    pub fn want(&self) {
        self.tell("wanted", "");
    }

    /// Takes on an accent, `#rrggbb`, and families of fonts; what is neither is left.
    pub fn dress(&mut self, accent: &str, family: &str) {
        let digits = accent.strip_prefix('#').filter(|digits| digits.len() == 6);
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let accent = number.map(|number| {
            let [_, red, green, blue] = number.to_be_bytes();
            RGBColor(red, green, blue)
        });
        let family = Some(family.trim()).filter(|family| !family.is_empty() && family.len() < 500);
        let family = family.map(Rc::from);
        if (accent, &family) == (self.accent, &self.family) {
            return;
        }
        (self.accent, self.family) = (accent, family);
        if let Some(surface) = self.parts.as_mut().and_then(|parts| parts.surface.as_mut()) {
            surface.family = self.family.clone();
        }
        self.dirty = true;
    }

    /// Controls, language and theme: what is no field of the figure.
    pub fn read_looks(&mut self) {
        let attribute = |name: &str| self.element.get_attribute(name);
        let offer = ControlPolicy {
            shown: attribute("controls").map(|text| Names::read(&text)),
            locked: Names::read(&attribute("lock").unwrap_or_default()),
        };
        let lang = attribute("lang").and_then(|text| Lang::of(&text));
        let theme = attribute("theme");
        let theme = theme.and_then(|text| ThemeName::named(&text).or(ThemeName::nearest(&text)));
        self.offer = offer;
        let enlarged = attribute("enlarge").and_then(|text| parse::number(&text));
        self.lang = lang;
        self.theme = theme;
        self.enlarged = enlarged.unwrap_or(1.0);
        self.dirty = true;
    }

    fn read_attributes(&mut self) {
        let pairs = spelling::attributes(&self.element);
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        self.forget_problems();
        self.set_all(&pairs);
        self.check();
    }

    /// Sets fields by name; `view` makes the figure another one. In the order of the fields, so that limits are
    /// known before what they limit.
    pub fn set_all(&mut self, pairs: &[(&str, &str)]) {
        if let Some((_, name)) = pairs.iter().find(|(name, _)| *name == "view") {
            let view = spelling::view_named(name);
            if let Some((view, fields)) =
                view.and_then(|view| Some((view, crate::figures::fields(view)?)))
            {
                let turns = view != self.view;
                self.turn_into(view, fields);
                if turns {
                    self.check();
                }
            }
            let used = self.view.name();
            let wrong = view.is_none_or(|view| view.name() != name.trim());
            let problem = || Problem::new("view", Fault::NotAChoice, name, used.to_string());
            self.report("view", wrong.then(problem));
        }
        for field in self.values.public() {
            for (_, value) in pairs.iter().filter(|(name, _)| *name == field.name) {
                let problem = self.values.set(field.name, value);
                self.report(field.name, problem);
                if let Some(group) = &self.group {
                    group.put(field.name, self.values.text(field.name));
                }
            }
        }
        self.dirty = true;
    }

    /// Sets fields for somebody outside, who is told if that changed anything.
    pub fn set_from_outside(&mut self, pairs: &[(&str, &str)]) {
        let (view, before) = (self.view, self.values.clone());
        self.set_all(pairs);
        self.moved(view, &before);
    }

    /// An attribute of the element has another value, or is gone.
    pub fn attribute_changed(&mut self, name: &str, value: Option<&str>) {
        match (name, value) {
            ("group", _) => self.join(true),
            ("controls" | "lock" | "lang" | "theme" | "enlarge", _) => {
                self.read_looks();
                self.check();
            }
            (_, Some(value)) => {
                self.set_from_outside(&[(name, value)]);
                self.check();
            }
            ("view", None) => self.set_from_outside(&[("view", ViewName::Heatmap.name())]),
            (_, None) => {
                let (view, before) = (self.view, self.values.clone());
                self.report(name, None);
                self.values.clear(name);
                self.check();
                self.moved(view, &before);
            }
        }
    }

    pub fn reset(&mut self) {
        let before = self.values.clone();
        self.values.reset();
        self.read_attributes();
        if let Some(group) = self.group.clone().filter(|group| group.name != BENCH) {
            self.take(&group::written(&self.element, &group.name));
        }
        self.moved(self.view, &before);
    }

    /// Somebody outside has moved the figure: it is drawn, those who share its values follow, and the page is told.
    fn moved(&mut self, view: ViewName, before: &Values) {
        self.dirty = true;
        if self.view != view || self.values != *before {
            self.share(before);
            self.told = false;
            self.tell("change", "");
        }
    }

    pub fn view(&self) -> ViewName {
        self.view
    }

    /// Moves what plays one step or more; false if nothing here plays.
    pub fn step(&mut self, by: i64) -> bool {
        let Some(name) = self.values.playable() else {
            return false;
        };
        let before = self.values.clone();
        let (low, high) = self.values.limits(name);
        let span = (high - low).saturating_add(1);
        let from = self.values.whole(name) - low;
        let to = low + from.saturating_add(by).rem_euclid(span);
        self.values.set_whole(name, to);
        self.moved(self.view, &before);
        true
    }

    /// Shows the figure as it stands, computed to the end (unless its work is there to be watched), whether it is on the
    /// screen or not. One copy of the code serves all that look.
    #[inline(never)]
    pub fn look_at_finished(&self, lang: Lang, look: &mut dyn FnMut(&AnyFigure)) {
        if let Some(shown) = self.shown.as_ref().filter(|shown| shown.is_watched()) {
            return look(shown);
        }
        if let Some(mut shown) = AnyFigure::new(self.view, &self.values, lang, None) {
            while !shown.is_watched() && shown.work() {}
            look(&shown);
        }
    }

    /// The width in CSS pixels that a picture of the figure has.
    pub fn picture_width(&self) -> f64 {
        match self.stage_width() {
            width if width >= 1.0 => width,
            _ => 720.0,
        }
    }

    fn turn_into(&mut self, view: ViewName, fields: &'static [Field]) {
        if self.view != view {
            self.view = view;
            self.values = Values::new(fields);
            if let Some(group) = self.group.clone() {
                self.take_over(&group);
            }
            self.shown = None;
            self.forget_problems();
            if self.parts.is_some() {
                self.free();
            }
        }
    }

    /// Looks whether the attributes beside the fields mean something; what is wrong with fields is known already.
    fn check(&mut self) {
        let found = spelling::problems(&self.element, &self.values, &self.offer);
        let (known, problems) = (&self.misspelt, &mut self.problems);
        problems.retain(|problem| !known.contains(problem) || found.contains(problem));
        // One that is known may have been dismissed.
        let news: Vec<_> = found
            .iter()
            .filter(|found| !known.contains(found))
            .cloned()
            .collect();
        for problem in &news {
            self.tell("error", &problem.words(self.spoken_lang()));
        }
        self.problems.extend(news);
        self.misspelt = found;
        self.dirty = true;
    }

    /// Those of fields, which are about to be read again.
    fn forget_problems(&mut self) {
        let misspelt = &self.misspelt;
        self.problems.retain(|problem| misspelt.contains(problem));
    }

    fn spoken_lang(&self) -> Lang {
        self.parts.as_ref().map_or(Lang::En, |parts| parts.lang)
    }

    fn report(&mut self, name: &str, problem: Option<Problem>) {
        self.problems.retain(|problem| problem.name != name);
        if let Some(problem) = &problem {
            self.tell("error", &problem.words(self.spoken_lang()));
        }
        self.problems.extend(problem);
    }

    pub fn is_of(&self, group: &str) -> bool {
        self.group.as_ref().is_some_and(|own| own.name == group)
    }

    /// This figure is all that the page shows.
    pub fn is_alone(&self) -> bool {
        self.element.has_attribute("data-alone")
    }

    /// Enters the group that the attribute names. The values that the group has count more than the figure's; a new group
    /// begins with the figure's where `keeps`, and with what the document says of its members.
    fn join(&mut self, keeps: bool) {
        let name = self.element.get_attribute("group");
        let name = name.filter(|name| !name.is_empty());
        if name.as_deref() == self.group.as_ref().map(|group| group.name.as_str()) {
            return;
        }
        self.group = name.map(|name| {
            Group::named(&name, || {
                let mut seed = match keeps {
                    true => group::all_of(&self.values),
                    false => Vec::new(),
                };
                group::complete(&mut seed, group::written(&self.element, &name));
                seed
            })
        });
        if let Some(group) = self.group.clone() {
            let before = self.values.clone();
            self.take_over(&group);
            if self.values != before {
                self.dirty = true;
                self.tell("change", "");
            }
        }
    }

    /// Takes the current values of the group, and gives it those that it lacks.
    fn take_over(&mut self, group: &Group) {
        if group.name == BENCH {
            self.take(&app::pairs());
        } else {
            self.take(&group.values());
            group.complete(group::all_of(&self.values));
        }
    }

    fn take(&mut self, pairs: &[(&str, String)]) {
        for (name, text) in pairs {
            if self.values.has(name) && self.values.text(name) != *text {
                self.values.set(name, text);
            }
        }
    }

    /// Gives the group what is no longer as it was.
    fn share(&self, before: &Values) {
        let Some(group) = &self.group else { return };
        for field in self.values.public() {
            let text = self.values.text(field.name);
            // The fields of another view are those of the group already.
            if before.has(field.name) && before.text(field.name) != text {
                group.put(field.name, text);
            }
        }
    }

    /// Takes over what another figure, or the bench, has under the same names; true if there is anything to draw.
    pub fn follow(&mut self, pairs: &[(&str, String)]) -> bool {
        let before = self.values.clone();
        self.take(pairs);
        let changed = self.values != before;
        self.dirty |= changed;
        if changed {
            self.tell("change", "");
        }
        changed && self.near
    }

    /// Leaves the page its space and gives everything else back.
    pub fn free(&mut self) {
        if self.parts.is_none() {
            return;
        }
        // Its own pixels, and parts of them, whatever the page does to show it larger.
        let style = window().get_computed_style(&self.element).ok().flatten();
        let height = style.and_then(|style| style.get_property_value("height").ok());
        if let Some(height) = height.filter(|height| height.ends_with("px") && height != "0px") {
            let _ = self.element.style().set_property(RESERVED_HEIGHT, &height);
        }
        // Removing an attribute does not fail.
        let _ = self.element.remove_attribute("data-near");
        self.rest();
    }

    fn rest(&mut self) {
        self.parts = None;
        self.shown = None;
        self.tones = None;
        // It would keep the elements around it.
        self.editing = None;
        self.working = false;
        self.arriving = Some(Step::Build);
        self.dirty = true;
        self.shadow.set_text_content(None);
        append(&self.shadow, &el("slot").0);
        // Whoever comes by keyboard stops here, and finds the figure when it is there.
        set_attr(&self.element, "tabindex", "0");
    }

    /// The width that pictures have.
    fn stage_width(&self) -> f64 {
        self.width - self.padding.unwrap_or_default()
    }

    /// The page gives the figure this width; heights are its own.
    pub fn resize(&mut self, width: f64) {
        if self.width != width {
            if self.width > 0.0 && width > 0.0 && self.parts.is_none() {
                self.stale_height = true;
            }
            self.width = width;
            self.padding = None;
            self.magnified = magnification(&self.element);
            self.dirty = true;
        }
    }

    // Building.

    fn build(
        &mut self,
        Setting {
            lang,
            bench: has_bench,
            ..
        }: Setting,
    ) {
        let root = el("figure").class("figure").attr("lang", lang.tag());
        let title = el("h3").text(self.view.title().get(lang));
        let bench = el("a")
            .attr("data-act", "bench")
            .text(labels::OPEN_IN_BENCH.get(lang));
        let link = el("a")
            .attr("data-act", "link")
            .text(labels::COPY_LINK.get(lang));
        let reset = el("button")
            .attr("type", "button")
            .attr("data-act", "reset")
            .text(labels::RESET.get(lang));
        let share = kit_button("share", labels::SHARE.get(lang));
        let save = kit_button("save", labels::SAVE.get(lang));
        let present =
            kit_button("present", labels::PRESENT.get(lang)).attr("aria-haspopup", "false");
        let tools = el("div").class("links").attr("part", "links");
        let tools = match has_bench {
            true => tools.children([&bench, &link, &share, &save, &present, &reset]),
            false => tools.child(&reset),
        };
        let header = el("header").children([&title, &tools]);
        let [controls, above, stage, below] = ["controls", "above", "stage", "below"]
            .map(|class| el("div").class(class).attr("part", class));
        let canvas = el("canvas")
            .attr("data-view", self.view.name())
            .attr("aria-label", self.view.title().get(lang))
            .attr("aria-describedby", "caption how");
        let how = el("span").class("unseen").attr("id", "how");
        let caption = el("figcaption").class("caption").attr("id", "caption");
        let notice = el("p").class("notice");
        let dismiss = icon_button("dismiss", Icon::Cross, labels::DISMISS.get(lang))
            .attr("data-act", "dismiss");
        let notices = el("div")
            .class("notices")
            .attr("role", "status")
            .children([&notice, &dismiss]);
        let live = el("div").class("unseen").attr("aria-live", "polite");
        stage.clone().children([&canvas, &how]);
        let root = root.children([
            &header, &controls, &notices, &above, &stage, &below, &caption, &live,
        ]);
        // What the kit adds is there where the bench is.
        if has_bench && self.view == ViewName::Heatmap {
            append(&root.0, &numbers(lang).0);
        }
        self.shadow.set_text_content(None);
        if self.arriving.is_some() {
            // Until it is drawn, the sentence in its place stays.
            append(&self.shadow, &el("slot").0);
            append(&self.shadow, &root.clone().attr("hidden", "").0);
        } else {
            append(&self.shadow, &root.0);
        }
        let listeners = self.listen(&root.0);
        let surface = Surface::new(canvas.cast());
        self.refused = surface.is_none();
        self.parts = Some(Parts {
            lang,
            controls: Patch::new(&controls),
            above: Patch::new(&above),
            below: Patch::new(&below),
            surface: surface.map(|mut surface| {
                surface.family = self.family.clone();
                surface
            }),
            canvas: canvas.0.clone(),
            keys: None,
            how: Slot::new(&how),
            stage: stage.0,
            caption: Slot::new(&caption),
            notice: Slot::new(&notice),
            live: Slot::new(&live),
            link: Slot::new(&link),
            bench: Slot::new(&bench),
            scale: Last::default(),
            root: root.0,
            frame: frame(0.0, 0.0, 1.0),
            _listeners: listeners,
        });
    }

    fn listen(&self, root: &Element) -> Vec<EventListener> {
        let on = |name: &'static str, act: fn(&mut Host, &Event)| {
            let me = self.me.clone();
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(root, name, options, move |event| {
                with_host(&me, event, act)
            })
        };
        vec![
            on("input", |host, event| host.input(event, false)),
            on("change", |host, event| host.input(event, true)),
            on("click", Host::click),
            on("mouseover", Host::over),
            on("focusin", Host::over),
            on("focusout", |host, _| host.stop_editing()),
            on("keydown", Host::keydown),
            on("pointerdown", |host, event| {
                host.pointer(event, PointerAction::Press)
            }),
            on("pointermove", |host, event| {
                host.pointer(event, PointerAction::Drag)
            }),
            on("pointerup", |host, event| {
                host.pointer(event, PointerAction::Release)
            }),
            on("pointercancel", |host, _| host.take_back()),
            on("touchstart", |host, event| {
                if host.gripped {
                    event.prevent_default();
                }
            }),
        ]
    }

    // Frames.

    /// Does what is to be done; true if anything was. A figure that comes near takes a step a frame, so that nobody
    /// scrolls into a stop; one that is there and changes does all of them at once.
    pub fn frame(&mut self, setting: Setting) -> bool {
        if !self.dirty && !self.working {
            return false;
        }
        if !self.dirty {
            self.do_work();
            self.write(setting);
            self.draw(setting);
            return true;
        }
        let foreign = |parts: &Parts| parts.lang != setting.lang;
        match self.arriving {
            Some(Step::Build) => self.build(setting),
            Some(Step::Compute) => self.compute(setting.lang),
            Some(Step::Write) => self.write(setting),
            Some(Step::Draw) => self.draw(setting),
            None => {
                if self.parts.as_ref().is_some_and(foreign) {
                    self.build(setting);
                }
                self.compute(setting.lang);
                self.write(setting);
                self.draw(setting);
            }
        }
        let arrived = self.arriving.is_some();
        self.arriving = self.arriving.and_then(Step::next);
        if self.arriving.is_none() {
            if arrived {
                set_attr(&self.element, UNFINISHED, "");
                self.settle();
                if !std::mem::replace(&mut self.ready, true) {
                    self.tell("ready", "");
                }
            }
            if std::mem::take(&mut self.bring) {
                super::contents::bring(&self.element);
            }
            self.dirty = false;
            self.do_work();
            self.sound();
        }
        true
    }

    /// Does everything that is to be done at once.
    pub fn finish(&mut self, setting: Setting) {
        while self.dirty {
            self.frame(setting);
        }
        loop {
            self.do_work();
            if !self.working {
                break;
            }
        }
        self.write(setting);
        self.draw(setting);
    }

    /// From now on the figure is as high as what is in it.
    fn settle(&self) {
        if let Some(parts) = &self.parts {
            self.shadow.set_text_content(None);
            append(&self.shadow, &parts.root);
            // Removing an attribute does not fail.
            let _ = parts.root.remove_attribute("hidden");
        }
        let here = document().active_element();
        let focused = self.element.is_same_node(here.as_deref());
        // Removed first: a host that loses it takes the focus inside with it.
        let _ = self.element.remove_attribute("tabindex");
        let first = self.shadow.query_selector("a, button, input, select").ok();
        if focused
            && let Some(first) = first
                .flatten()
                .and_then(|e| e.dyn_into::<HtmlElement>().ok())
        {
            // A page that may not take the focus goes on without.
            let _ = first.focus();
        }
        set_attr(&self.element, "data-near", "");
    }

    /// Does a slice of the work that takes longer than a frame. A figure that has just been shown keeps its reserved height until its work
    /// is done.
    fn do_work(&mut self) {
        self.working = self.shown.as_mut().is_some_and(AnyFigure::work);
        if !self.working {
            self.release_height();
        }
    }

    /// Releases a height that was reserved at another width. Never within a `ResizeObserver` callback: browsers report a size that changes
    /// there as an error of the page ("ResizeObserver loop").
    pub fn release_stale_height(&mut self) {
        if std::mem::take(&mut self.stale_height) && !self.near {
            self.release_height();
        }
    }

    /// From now on the figure is as high as what it shows.
    fn release_height(&self) {
        // Removing what is not there does not fail.
        let _ = self.element.remove_attribute(UNFINISHED);
        let _ = self.element.style().remove_property(RESERVED_HEIGHT);
    }

    /// What the screen shows of the figure is its state; nothing, where it is far from the screen.
    pub fn is_drawn(&self) -> bool {
        self.located && !(self.near && self.dirty)
    }

    /// It is on its way onto the page.
    pub fn arrives(&self) -> bool {
        self.arriving.is_some()
    }

    fn compute(&mut self, lang: Lang) {
        let previous = self.shown.take();
        self.shown = AnyFigure::new(self.view, &self.values, lang, previous);
    }

    fn write(&mut self, setting: Setting) {
        let (Some(parts), Some(shown)) = (&mut self.parts, &self.shown) else {
            return;
        };
        let editing = self.editing.as_ref();
        set_attr(&parts.root, "data-theme", setting.theme.name.name());
        let scale = format!("--scale: {}", setting.theme.scale);
        if parts.scale.is_news(&scale) {
            set_style(parts.root.unchecked_ref(), &scale);
        }
        let controls = crate::figure::controls(&self.values, setting.lang, &self.offer);
        parts.controls.set(controls, editing);
        parts.above.set(shown.above(), editing);
        parts.below.set(shown.below(), editing);
        if std::mem::take(&mut self.restore) {
            restore(&parts.root);
        }
        let caption = shown.caption();
        parts.caption.set(&caption);
        self.selected = shown.selected(&self.values, setting.lang);
        let keys = self.selected.is_some();
        if parts.keys.replace(keys) != Some(keys) {
            worked_by_keys(&parts.canvas, keys, setting.lang);
        }
        let selected = self.selected.as_deref();
        let how = selected.map(|selected| labels::selected_by_arrows(setting.lang, selected));
        parts.how.set(&how.unwrap_or_default());
        if std::mem::take(&mut self.speak) {
            self.voice.changed(wake(&self.me));
        }
        let problems = self.problems.iter();
        let pictured = shown.height(parts.frame.width, &setting.theme).is_some();
        let of_all = [
            (self.restarted, labels::RESTARTED),
            (self.refused && pictured, labels::NO_CANVAS),
        ];
        let of_all = of_all.iter().filter(|(is, _)| *is);
        let of_all = of_all.map(|(_, words)| words.get(setting.lang).to_string());
        let problems = problems.map(|p| p.words(setting.lang));
        let problems: Vec<String> = of_all.chain(problems).collect();
        parts.notice.set(&problems.join(" "));
        parts.link.set_attr("href", &link(self.view, &self.values));
        let bench = join(&shown.on_bench(&self.values));
        parts.bench.set_attr("href", &format!("#{bench}"));
    }

    /// Has a screen reader say what the figure shows now.
    fn say(&mut self) {
        if self.voice.is_due(wake(&self.me))
            && let (Some(parts), Some(shown)) = (&mut self.parts, &self.shown)
        {
            let selected = self.selected.clone().unwrap_or_default();
            parts
                .live
                .set(&labels::spoken(parts.lang, &selected, &shown.caption()));
        }
    }

    fn draw(&mut self, setting: Setting) {
        let (Some(parts), Some(shown)) = (&mut self.parts, &self.shown) else {
            return;
        };
        // Asking the page would have it laid out.
        if self.width == 0.0 {
            self.width = f64::from(self.element.client_width());
            self.magnified = magnification(&self.element);
        }
        // On our own page figures have none.
        if self.padding.is_none() && !setting.bench {
            // What is hidden has no width. It is shown in this same frame; removing a known attribute does not fail.
            let _ = parts.root.remove_attribute("hidden");
            let _ = parts.stage.remove_attribute("hidden");
            let stage = f64::from(parts.stage.client_width());
            self.padding = (stage > 0.0).then_some(self.width - stage);
        }
        let width = self.width - self.padding.unwrap_or_default();
        let height = shown.height(width, &setting.theme).unwrap_or(0.0).round();
        let frame = frame(width, height, setting.ratio * self.magnified);
        if frame != parts.frame {
            parts.frame = frame;
            set_style(parts.stage.unchecked_ref(), &format!("height:{height}px"));
            let hidden = height < 1.0;
            // Setting and removing a known attribute does not fail.
            let _ = parts.stage.toggle_attribute_with_force("hidden", hidden);
        }
        if width < 1.0 || height < 1.0 {
            return;
        }
        if let Some(surface) = &parts.surface {
            surface.resize(frame);
            let context = DrawContext {
                theme: &setting.theme,
                colours: setting.colours,
                frame,
            };
            // Drawing on a canvas has no errors of its own.
            surface.draw(frame, |area| {
                let _ = shown.draw(area, &context);
            });
        }
    }

    fn sound(&mut self) {
        let sound = self.shown.as_ref().and_then(AnyFigure::sound);
        match sound {
            None => self.tones = None,
            Some(sound) => {
                if self.tones.is_none() {
                    self.tones = Tones::new();
                }
                if let Some(tones) = &mut self.tones {
                    tones.play(&sound);
                }
            }
        }
    }

    pub fn sounds(&self) -> bool {
        self.tones.is_some()
    }

    /// Ends the sound, on the page too.
    pub fn hush(&mut self) {
        self.tones = None;
        if self.values.has("sound") {
            self.values.set_on("sound", false);
            self.dirty = true;
        }
    }

    // Hands.

    fn changed(&mut self, before: &Values) -> bool {
        self.offer.hold(&mut self.values, before);
        if self.values == *before {
            return false;
        }
        self.dirty = true;
        self.share(before);
        self.told = false;
        self.tell("change", "");
        true
    }

    fn input(&mut self, event: &Event, finished: bool) {
        let Some(element) = target(event) else { return };
        let Some(name) = element.get_attribute("name") else {
            return;
        };
        let Some(field) = self.values.fields().iter().find(|field| field.name == name) else {
            return;
        };
        let before = self.values.clone();
        let mut typed = false;
        let text = if let Some(list) = element.dyn_ref::<HtmlSelectElement>() {
            list.value()
        } else if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
            match input.type_().as_str() {
                "checkbox" if input.checked() => "on".into(),
                "checkbox" => "off".into(),
                "range" => crate::figure::from_slider(field, &input.value()),
                _ => {
                    typed = true;
                    input.value()
                }
            }
        } else {
            return;
        };
        let problem = self.values.set(field.name, &text);
        if typed && !finished {
            // Half a number is not wrong yet.
            if problem.is_some() {
                self.values = before.clone();
            }
            self.editing = Some(element);
        } else {
            if problem
                .as_ref()
                .is_some_and(|p| p.fault == Fault::NotANumber)
            {
                // What was there before is nearer than a default.
                self.values = before.clone();
            }
            self.report(field.name, problem);
            self.editing = None;
            self.dirty = true;
            self.restore = true;
        }
        self.changed(&before);
    }

    fn stop_editing(&mut self) {
        if self.editing.take().is_some() {
            self.dirty = true;
        }
    }

    fn click(&mut self, event: &Event) {
        let Some(element) = target(event) else { return };
        let closest = |selector: &str| element.closest(selector).ok().flatten();
        if let Some(pressed) = closest("[data-act]") {
            match pressed.get_attribute("data-act").as_deref() {
                Some("bench") => {
                    event.prevent_default();
                    let bench = self
                        .shown
                        .as_ref()
                        .map(|shown| shown.on_bench(&self.values));
                    super::to_bench(bench.unwrap_or_default());
                }
                Some("link") => {
                    event.prevent_default();
                    let href = window().location().href().unwrap_or_default();
                    let page = href.split('#').next().unwrap_or_default();
                    let link = format!("{page}{}", link(self.view, &self.values));
                    self.copy(&link, pressed, labels::COPY_LINK);
                }
                Some("reset") => {
                    self.reset();
                }
                Some("dismiss") => {
                    self.problems.clear();
                    self.restarted = false;
                    self.refused = false;
                    self.dirty = true;
                }
                _ => {}
            }
            return;
        }
        let Some(pressed) = closest("[data-do]") else {
            return;
        };
        let action = pressed.get_attribute("data-do").unwrap_or_default();
        if action == "copy" {
            if let Some(text) = self.shown.as_ref().and_then(AnyFigure::copied) {
                self.copy(&text, pressed, labels::COPY);
            }
            return;
        }
        self.speak = true;
        self.act(&action, &pressed);
    }

    fn over(&mut self, event: &Event) {
        let over = target(event).and_then(|e| e.closest("[data-over]").ok().flatten());
        if let Some(over) = over {
            let action = over.get_attribute("data-over").unwrap_or_default();
            self.act(&action, &over);
        }
    }

    fn act(&mut self, action: &str, element: &Element) {
        let before = self.values.clone();
        let value = element.get_attribute("value").unwrap_or_default();
        if let Some(shown) = &self.shown {
            shown.act(action, &value, &mut self.values);
        }
        self.changed(&before);
    }

    fn copy(&self, text: &str, button: Element, words: crate::text::Text) {
        let lang = self.parts.as_ref().map_or(Lang::En, |parts| parts.lang);
        super::copy(text, button, words.get(lang), lang);
    }

    fn keydown(&mut self, event: &Event) {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        let on_canvas = target(event).is_some_and(|e| e.has_attribute("data-view"));
        if !on_canvas || key.ctrl_key() || key.meta_key() || key.alt_key() {
            return;
        }
        let before = self.values.clone();
        let Some(shown) = &self.shown else { return };
        if shown.key(&key.key(), key.shift_key(), &mut self.values) {
            event.prevent_default();
            self.speak = true;
            self.changed(&before);
        }
    }

    fn pointer(&mut self, event: &Event, action: PointerAction) {
        let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
            return;
        };
        let Some(canvas) = target(event).filter(|e| e.has_attribute("data-view")) else {
            return;
        };
        let action = match action {
            PointerAction::Drag if pointer.buttons() == 0 => PointerAction::Hover,
            PointerAction::Press if pointer.button() != 0 => return,
            action => action,
        };
        if action == PointerAction::Press {
            self.before_press = Some(self.values.clone());
            // Refused for a pointer that is gone already; then there is no drag.
            let _ = canvas.set_pointer_capture(pointer.pointer_id());
        }
        let bounds = canvas.get_bounding_client_rect();
        let (Some(parts), Some(shown)) = (&self.parts, &self.shown) else {
            return;
        };
        // The page may show the figure enlarged, as slides do.
        let scale = match bounds.width() {
            width if width > 0.0 => parts.frame.width / width,
            _ => 1.0,
        };
        let at = (
            (f64::from(pointer.client_x()) - bounds.x()) * scale,
            (f64::from(pointer.client_y()) - bounds.y()) * scale,
        );
        let before = self.values.clone();
        let mut values = self.values.clone();
        let mut gripped = self.gripped;
        with(|gallery: &mut Gallery| {
            let setting = gallery.setting(self);
            let context = DrawContext {
                theme: &setting.theme,
                colours: setting.colours,
                frame: parts.frame,
            };
            if action == PointerAction::Press {
                gripped = shown.grips(&context, at);
            }
            shown.pointer(&context, at, action, &mut values);
        });
        self.gripped = gripped && action != PointerAction::Release;
        self.values = values;
        self.changed(&before);
    }

    /// The browser took the pointer over, to scroll the page: nothing was meant for the figure.
    fn take_back(&mut self) {
        self.gripped = false;
        if let Some(values) = self.before_press.take() {
            let now = std::mem::replace(&mut self.values, values);
            self.changed(&now);
        }
    }
}

fn with_host(me: &Weak<RefCell<Host>>, event: &Event, act: impl FnOnce(&mut Host, &Event)) {
    if let Some(host) = me.upgrade()
        && let Ok(mut host) = host.try_borrow_mut()
    {
        act(&mut host, event);
        if host.dirty {
            drop(host);
            with(|gallery| gallery.request(Some(event.time_stamp())));
        }
    }
}

fn wake(me: &Weak<RefCell<Host>>) -> impl FnOnce() + 'static {
    let me = me.clone();
    move || {
        if let Some(host) = me.upgrade()
            && let Ok(mut host) = host.try_borrow_mut()
        {
            host.say();
        }
    }
}

/// How much larger than its own CSS pixels an element is on the page, which may transform it; never below 1.
fn magnification(element: &HtmlElement) -> f64 {
    let (shown, own) = (
        element.get_bounding_client_rect().width(),
        f64::from(element.offset_width()),
    );
    // Own sizes are rounded to whole pixels.
    match shown / own {
        ratio if ratio > 1.02 && ratio.is_finite() => ratio,
        _ => 1.0,
    }
}

/// The element inside the figure that an event happened on.
fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// The hash of a link that shows this figure alone.
fn link(view: ViewName, values: &Values) -> String {
    let mut pairs = vec![("view", view.name().to_string())];
    pairs.extend(values.changed());
    format!("#{}", join(&pairs))
}

fn join(pairs: &[(&str, String)]) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish()
}
