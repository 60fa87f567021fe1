//! The DOM of a mounted figure and its updates.

use super::appearance::around;
use super::controller::FigureController;
use super::input::{join, link, with_controller};
use super::lifecycle::PageContext;
use crate::draw::Frame;
use crate::field::ViewName;
use crate::figure;
use crate::figure::Arrangement;
use crate::figures::{AnyFigure, accepts_files, arrangement};
use crate::text::{Lang, labels};
use crate::web::canvas::{Surface, frame};
use crate::web::debounce::Debounce;
use crate::web::dom::{
    CachedText, Icon, LastWritten, append, el, icon_button, kit_button, numbers, set_attr,
    set_keyboard_role, set_style, toggle_attr,
};
use crate::web::patch::{Patch, restore};
use gloo_events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::rc::Weak;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

/// The DOM elements of a mounted figure.
pub(super) struct Elements {
    pub lang: Lang,
    pub controls: Patch,
    pub actions: Patch,
    pub below: Patch,
    pub stage: Element,
    pub header: Element,
    pub title: CachedText,
    /// The accessible name of the picture.
    pub label: CachedText,
    pub reset: Element,
    pub surface: Option<Surface>,
    pub canvas: Element,
    /// Whether keys operate the picture; `None` before the first update.
    pub keys: Option<bool>,
    pub how: CachedText,
    pub caption: CachedText,
    pub notice: CachedText,
    pub live: CachedText,
    pub link: CachedText,
    pub bench: CachedText,
    pub scale: LastWritten,
    pub root: Element,
    pub frame: Frame,
    _listeners: Vec<EventListener>,
}

/// Announcements in the live region.
#[derive(Default)]
pub(super) struct Speech {
    /// The figure was changed by a key or a button, so its new content must be announced.
    pub wanted: bool,
    /// Delays announcements, since a key that is held down changes a figure faster than a screen reader can speak.
    debounce: Debounce,
    /// Description of what the arrow keys select; `None` if they do nothing.
    selected: Option<String>,
}

impl FigureController {
    pub(super) fn build(
        &mut self,
        PageContext {
            lang, has_bench, ..
        }: PageContext,
    ) {
        let root = el("figure").class("figure").attr("lang", lang.tag());
        // The page may name the figure by an element with `slot="title"`.
        let title = el("slot").attr("name", "title");
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
        let words = labels::PRESENT.get(lang);
        let present = kit_button("present", "")
            .attr("aria-haspopup", "false")
            .attr("aria-label", words)
            .attr("title", words)
            .icon(Icon::FullScreen);
        let words = labels::FIGURE_MENU.get(lang);
        let summary = el("summary")
            .attr("aria-label", words)
            .attr("title", words)
            .icon(Icon::Dots);
        // Browsers that do not focus a pressed button focus this element instead, so that the menu keeps the focus and
        // stays open.
        let entries = el("div")
            .attr("tabindex", "-1")
            .children([&bench, &link, &share, &save]);
        let menu = el("details").class("menu").children([&summary, &entries]);
        let tools = el("div").class("links").attr("part", "links").child(&reset);
        let tools = match has_bench {
            true => tools.children([&menu, &present]),
            false => tools,
        };
        let header = el("header").children([&el("h3").child(&title), &tools]);
        let [controls, actions, stage, below] = ["controls", "actions", "stage", "below"]
            .map(|class| el("div").class(class).attr("part", class));
        let canvas = el("canvas")
            .attr("data-view", self.view.name())
            .attr("aria-describedby", "caption how");
        let how = el("span").class("unseen").attr("id", "how");
        let caption = el("figcaption")
            .class("caption")
            .attr("part", "caption")
            .attr("id", "caption");
        let notice = el("p").class("notice");
        let dismiss = icon_button("dismiss", Icon::Cross, labels::DISMISS.get(lang))
            .attr("data-act", "dismiss");
        let notices = el("div")
            .class("notices")
            .attr("role", "status")
            .children([&notice, &dismiss]);
        let live = el("div").class("unseen").attr("aria-live", "polite");
        stage.clone().children([&canvas, &how]);
        let root = root.children([&header, &notices]);
        let root = match arrangement(self.view) {
            Arrangement::ControlsFirst(_) => root.class("figure asks").children([&actions, &stage]),
            _ => root.children([&stage, &actions]),
        };
        let root = root.children([&controls, &below, &caption, &live]);
        // The kit is loaded only on pages with a bench.
        if has_bench && self.view == ViewName::Heatmap {
            append(&root.0, &numbers(lang).0);
        }
        self.shadow.set_text_content(None);
        if self.lifecycle.mount_step.is_some() {
            // The fallback text in the slot stays visible until the figure is drawn.
            append(&self.shadow, &el("slot").0);
            append(&self.shadow, &root.clone().attr("hidden", "").0);
        } else {
            append(&self.shadow, &root.0);
        }
        let listeners = self.listen(&root.0);
        let surface = Surface::new(canvas.cast());
        self.problems.refused = surface.is_none();
        self.elements = Some(Elements {
            lang,
            controls: Patch::new(&controls),
            actions: Patch::new(&actions),
            below: Patch::new(&below),
            surface: surface.map(|mut surface| {
                surface.family = self.appearance.family.clone();
                surface
            }),
            canvas: canvas.0.clone(),
            keys: None,
            how: CachedText::new(&how),
            stage: stage.0,
            header: header.0,
            title: CachedText::new(&title),
            label: CachedText::new(&canvas),
            reset: reset.0,
            caption: CachedText::new(&caption),
            notice: CachedText::new(&notice),
            live: CachedText::new(&live),
            link: CachedText::new(&link),
            bench: CachedText::new(&bench),
            scale: LastWritten::default(),
            root: root.0,
            frame: frame(0.0, 0.0, 1.0),
            _listeners: listeners,
        });
    }

    fn listen(&self, root: &Element) -> Vec<EventListener> {
        let on = |name: &'static str, act: fn(&mut FigureController, &Event)| {
            let weak = self.weak_self.clone();
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(root, name, options, move |event| {
                with_controller(&weak, event, act)
            })
        };
        let mut listeners = vec![
            on("input", |controller, event| controller.input(event, false)),
            on("change", |controller, event| controller.input(event, true)),
            on("click", FigureController::click),
            on("mouseover", FigureController::hover),
            on("focusin", FigureController::hover),
            on("focusout", |controller, event| {
                controller.stop_editing();
                controller.leave_menu(event);
            }),
            on("keydown", FigureController::keydown),
            on("pointercancel", |controller, _| controller.cancel_press()),
            on("touchstart", |controller, event| {
                controller.input.press.touchstart(event)
            }),
        ];
        let moves = ["pointerdown", "pointermove", "pointerup", "pointerleave"];
        listeners.extend(moves.map(|name| on(name, FigureController::pointer)));
        if accepts_files(self.view) {
            let drags = ["dragover", "dragleave", "drop"];
            listeners.extend(drags.map(|name| on(name, FigureController::drag_file)));
        }
        listeners
    }

    pub(super) fn update_dom(&mut self, page: PageContext) {
        if self.initial.is_none() {
            self.initial = Some(self.initial_values());
        }
        let (Some(elements), Some(figure)) = (&mut self.elements, &self.figure) else {
            return;
        };
        let editing = self.input.editing.written();
        set_attr(&elements.root, "data-theme", page.theme.name.name());
        let low = page.theme.max_height.is_finite();
        toggle_attr(&elements.root, "data-low", low);
        let mut scale = format!("--scale: {}", page.theme.scale);
        if low {
            scale += &format!("; --max-height: {:.0}px", page.theme.max_height);
        }
        if elements.scale.has_changed(&scale) {
            set_style(elements.root.unchecked_ref(), &scale);
        }
        let unchanged = self.initial.as_ref() == Some(&self.values);
        toggle_attr(&elements.reset, "hidden", unchanged);
        let controls = figure::controls(&self.values, page.lang, &self.policy, figure.more());
        elements.controls.set(controls, editing);
        let (actions, below) = (figure.actions(), figure.below());
        let inside = self.size.inner();
        let stacked = arrangement(self.view).beside(inside, &page.theme).is_none();
        let [is_acted, is_read] = [&actions, &below].map(|node| stacked && node.is_some());
        let around = around(inside, &page.theme, is_acted, is_read);
        if std::mem::replace(&mut self.size.around, around) != around && low {
            // The height of the picture depends on `around`.
            self.lifecycle.dirty = true;
        }
        elements.actions.set(actions, editing);
        elements.below.set(below, editing);
        if std::mem::take(&mut self.input.restore) {
            restore(&elements.root);
        }
        let title = figure.title().get(page.lang);
        elements.title.set(title);
        elements.label.set_attr("aria-label", title);
        let caption = figure.caption();
        elements.caption.set(&caption);
        self.speech.selected = figure.selected(&self.values, page.lang);
        let keys = self.speech.selected.is_some();
        if elements.keys.replace(keys) != Some(keys) {
            set_keyboard_role(&elements.canvas, keys, page.lang);
        }
        let selected = self.speech.selected.as_deref();
        let how = selected.map(|selected| labels::selected_by_arrows(page.lang, selected));
        elements.how.set(&how.unwrap_or_default());
        let problems = self.problems.found.iter();
        let pictured = figure.height(elements.frame.width, &page.theme).is_some();
        let of_all = [
            (self.problems.restarted, labels::RESTARTED),
            (self.problems.refused && pictured, labels::NO_CANVAS),
        ];
        let of_all = of_all.iter().filter(|(is, _)| *is);
        let of_all = of_all.map(|(_, words)| words.get(page.lang).to_string());
        let problems = problems.map(|p| p.words(page.lang));
        let problems: Vec<String> = of_all.chain(problems).collect();
        elements.notice.set(&problems.join(" "));
        elements
            .link
            .set_attr("href", &link(self.view, &self.values));
        let bench = join(&figure.bench_settings(&self.values));
        elements.bench.set_attr("href", &format!("#{bench}"));
    }

    /// Opens "More" for printing; afterwards closes it again if it was closed before.
    pub(super) fn unfold(&self, on_paper: bool) {
        let (state, opened) = if on_paper {
            (":not([open])", true)
        } else {
            ("[data-opened]", false)
        };
        if let Ok(Some(more)) = self.shadow.query_selector(&format!(".more{state}")) {
            for name in ["open", "data-opened"] {
                toggle_attr(&more, name, opened);
            }
        }
    }

    /// Schedules the announcement in the live region, if one is due. A caption that unfinished work is still going to
    /// change would be announced too early, and not again.
    pub(super) fn speak_soon(&mut self) {
        let watched = self.figure.as_ref().is_some_and(AnyFigure::shows_progress);
        if (watched || !self.lifecycle.has_work) && std::mem::take(&mut self.speech.wanted) {
            self.speech.debounce.changed(wake(&self.weak_self));
        }
    }

    /// Writes the selection and the caption into the live region, once the debounce is due.
    fn speak(&mut self) {
        if self.speech.debounce.is_due(wake(&self.weak_self))
            && let (Some(elements), Some(figure)) = (&mut self.elements, &self.figure)
        {
            let selected = self.speech.selected.clone().unwrap_or_default();
            elements
                .live
                .set(&labels::spoken(elements.lang, &selected, &figure.caption()));
        }
    }
}

fn wake(weak: &Weak<RefCell<FigureController>>) -> impl FnOnce() + 'static {
    let weak = weak.clone();
    move || {
        if let Some(controller) = weak.upgrade()
            && let Ok(mut controller) = controller.try_borrow_mut()
        {
            controller.speak();
        }
    }
}
