//! The DOM of a mounted figure and its updates.

use super::controller::FigureController;
use super::input::{join, link, with_controller};
use super::lifecycle::PageContext;
use super::size::Size;
use crate::draw::{DrawContext, Frame};
use crate::field::ViewName;
use crate::figure::{self, Arrangement};
use crate::figures::{AnyFigure, accepts_files, arrangement};
use crate::session::{Effects, Session};
use crate::text::{Lang, labels};
use crate::web::canvas::{Surface, frame};
use crate::web::debounce::Debounce;
use crate::web::dom::{
    CachedText, Icon, LastWritten, append, el, icon_button, kit_button, numbers, set_attr,
    set_keyboard_role, set_style, toggle_attr,
};
use crate::web::patch::Patch;
use gloo_events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, ShadowRoot};

/// Attribute of a figure while a file is dragged over it.
const DROPPING: &str = "data-dropping";

/// The DOM elements of a mounted figure.
pub(super) struct Elements {
    lang: Lang,
    controls: Patch,
    actions: Patch,
    below: Patch,
    stage: Element,
    header: Element,
    title: CachedText,
    /// The accessible name of the picture.
    label: CachedText,
    reset: Element,
    surface: Option<Surface>,
    canvas: Element,
    /// Whether keys operate the picture; `None` before the first update.
    keys: Option<bool>,
    how: CachedText,
    caption: CachedText,
    notice: CachedText,
    live: CachedText,
    link: CachedText,
    bench: CachedText,
    scale: LastWritten,
    root: Element,
    frame: Frame,
    /// The control of the last input.
    edited: Option<Element>,
    /// Controls may show an entered text that differs from the value in use.
    restores: bool,
    speech: Speech,
    _listeners: Vec<EventListener>,
}

/// Announcements in the live region.
#[derive(Default)]
struct Speech {
    /// The figure was changed by a key or a button, so its new content must be announced.
    wanted: bool,
    /// Delays announcements, since a key that is held down changes a figure faster than a screen reader can speak.
    debounce: Debounce,
    /// Description of what the arrow keys select; `None` if they do nothing.
    selected: Option<String>,
}

impl Elements {
    pub fn new(
        view: ViewName,
        &PageContext {
            lang, has_bench, ..
        }: &PageContext,
        family: Option<Rc<str>>,
        controller: &Weak<RefCell<FigureController>>,
    ) -> Elements {
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
            .attr("data-view", view.name())
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
        let root = match arrangement(view) {
            Arrangement::ControlsFirst(_) => root.class("figure asks").children([&actions, &stage]),
            _ => root.children([&stage, &actions]),
        };
        let root = root.children([&controls, &below, &caption, &live]);
        // The kit is loaded only on pages with a bench.
        if has_bench && view == ViewName::Heatmap {
            append(&root.0, &numbers(lang).0);
        }
        let listeners = listen(&root.0, view, controller);
        let surface = Surface::new(canvas.cast());
        Elements {
            lang,
            controls: Patch::new(&controls),
            actions: Patch::new(&actions),
            below: Patch::new(&below),
            surface: surface.map(|mut surface| {
                surface.family = family;
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
            edited: None,
            restores: false,
            speech: Speech::default(),
            _listeners: listeners,
        }
    }

    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// The size in which the picture was last drawn.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    pub fn has_canvas(&self) -> bool {
        self.surface.is_some()
    }

    /// Puts the elements into the shadow root, for now hidden beside the fallback text in the slot, or alone.
    pub fn attach(&self, shadow: &ShadowRoot, hidden: bool) {
        shadow.set_text_content(None);
        if hidden {
            append(shadow, &el("slot").0);
        }
        toggle_attr(&self.root, "hidden", hidden);
        append(shadow, &self.root);
    }

    pub fn set_family(&mut self, family: Option<Rc<str>>) {
        if let Some(surface) = &mut self.surface {
            surface.family = family;
        }
    }

    pub fn set_dropping(&self, drops: bool) {
        toggle_attr(&self.root, DROPPING, drops);
    }

    /// Notes the control of an input.
    pub fn set_edited(&mut self, control: Element) {
        self.edited = Some(control);
    }

    /// The new content must be announced.
    pub fn announce(&mut self) {
        self.speech.wanted = true;
    }

    /// Notes what the next update must do.
    pub fn prepare(&mut self, effects: &Effects) {
        self.restores |= effects.restores_controls;
        self.speech.wanted |= effects.announces;
    }

    /// Brings the elements up to date with the session and the computed figure. True if the height around the picture
    /// has changed, and with it that of the picture.
    pub fn update(
        &mut self,
        session: &Session,
        figure: &AnyFigure,
        page: &PageContext,
        size: &mut Size,
    ) -> bool {
        let (view, values) = (session.view(), session.values());
        let editing = self.edited.as_ref().filter(|_| session.is_typing());
        set_attr(&self.root, "data-theme", page.theme.name.name());
        let low = page.theme.max_height.is_finite();
        toggle_attr(&self.root, "data-low", low);
        let mut scale = format!("--scale: {}", page.theme.scale);
        if low {
            scale += &format!("; --max-height: {:.0}px", page.theme.max_height);
        }
        if self.scale.has_changed(&scale) {
            set_style(self.root.unchecked_ref(), &scale);
        }
        toggle_attr(&self.reset, "hidden", session.is_initial());
        let controls = figure::controls(values, page.lang, session.policy(), figure.more());
        self.controls.set(controls, editing);
        let (actions, below) = (figure.actions(), figure.below());
        let stacked = arrangement(view)
            .beside(size.inner(), &page.theme)
            .is_none();
        let [is_acted, is_read] = [&actions, &below].map(|node| stacked && node.is_some());
        let resized = size.estimate_around(&page.theme, is_acted, is_read);
        self.actions.set(actions, editing);
        self.below.set(below, editing);
        if std::mem::take(&mut self.restores) {
            for part in [&self.controls, &self.actions, &self.below] {
                part.restore();
            }
        }
        let title = figure.title().get(page.lang);
        self.title.set(title);
        self.label.set_attr("aria-label", title);
        self.caption.set(&figure.caption());
        self.speech.selected = figure.selected(values, page.lang);
        let selected = self.speech.selected.as_deref();
        let keys = selected.is_some();
        if self.keys.replace(keys) != Some(keys) {
            set_keyboard_role(&self.canvas, keys, page.lang);
        }
        let how = selected.map(|selected| labels::selected_by_arrows(page.lang, selected));
        self.how.set(&how.unwrap_or_default());
        let has_picture = figure.height(self.frame.width, &page.theme).is_some();
        self.notice.set(&session.notice(page.lang, has_picture));
        self.link.set_attr("href", &link(view, values));
        let bench = join(&figure.bench_settings(values));
        self.bench.set_attr("href", &format!("#{bench}"));
        resized && low
    }

    /// Measures the width of the element and its padding, if they are unknown, sets the height of the stage and draws
    /// the picture, if its size is not empty.
    pub fn draw(
        &mut self,
        figure: &AnyFigure,
        page: &PageContext,
        element: &HtmlElement,
        size: &mut Size,
    ) {
        size.measure(element);
        // On a page with a bench figures have no padding.
        if !page.has_bench {
            size.measure_padding(|| {
                // A hidden element has no width. The figure is shown in this frame anyway.
                toggle_attr(&self.root, "hidden", false);
                f64::from(self.header.client_width())
            });
        }
        let inside = size.inner();
        let beside = arrangement(figure.name()).beside(inside, &page.theme);
        let width = beside.unwrap_or(inside);
        let height = figure.height(width, &page.theme).unwrap_or(0.0).round();
        let frame = frame(width, height, page.ratio * size.css_transform_scale());
        if frame != self.frame {
            self.frame = frame;
            let side = beside.map_or(String::new(), |width| format!(";width:{width}px"));
            set_style(
                self.stage.unchecked_ref(),
                &format!("height:{height}px{side}"),
            );
            toggle_attr(&self.stage, "hidden", height < 1.0);
            let split = beside.is_some() && height >= 1.0;
            toggle_attr(&self.root, "data-split", split);
        }
        if width < 1.0 || height < 1.0 {
            return;
        }
        if let Some(surface) = &self.surface {
            surface.resize(frame);
            let context = DrawContext {
                theme: &page.theme,
                colours: page.colours,
                frame,
            };
            // Drawing on a canvas returns no errors.
            surface.draw(frame, |pen| {
                figure.draw(pen, &context);
            });
        }
    }

    /// Opens "More" for printing; afterwards closes it again if it was closed before.
    pub fn unfold(&self, on_paper: bool) {
        let (state, opened) = if on_paper {
            (":not([open])", true)
        } else {
            ("[data-opened]", false)
        };
        if let Ok(Some(more)) = self.root.query_selector(&format!(".more{state}")) {
            for name in ["open", "data-opened"] {
                toggle_attr(&more, name, opened);
            }
        }
    }

    /// Schedules the announcement in the live region, if one is wanted.
    pub fn speak_soon(&mut self, controller: &Weak<RefCell<FigureController>>) {
        if std::mem::take(&mut self.speech.wanted) {
            self.speech.debounce.changed(wake(controller));
        }
    }

    /// Writes the selection and the caption into the live region, once the debounce is due.
    fn speak(&mut self, figure: &AnyFigure, controller: &Weak<RefCell<FigureController>>) {
        if self.speech.debounce.is_due(wake(controller)) {
            let selected = self.speech.selected.as_deref().unwrap_or_default();
            self.live
                .set(&labels::spoken(self.lang, selected, &figure.caption()));
        }
    }
}

fn listen(
    root: &Element,
    view: ViewName,
    controller: &Weak<RefCell<FigureController>>,
) -> Vec<EventListener> {
    let on = |name: &'static str, act: fn(&mut FigureController, &Event)| {
        let weak = controller.clone();
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(root, name, options, move |event| {
            with_controller(&weak, event, act)
        })
    };
    let mut listeners = vec![
        on("input", |controller, event| {
            controller.control_input(event, false)
        }),
        on("change", |controller, event| {
            controller.control_input(event, true)
        }),
        on("click", FigureController::click),
        on("mouseover", FigureController::hover),
        on("focusin", FigureController::hover),
        on("focusout", FigureController::focusout),
        on("keydown", FigureController::keydown),
        on("pointercancel", FigureController::pointercancel),
        on("touchstart", FigureController::touchstart),
    ];
    let moves = ["pointerdown", "pointermove", "pointerup", "pointerout"];
    listeners.extend(moves.map(|name| on(name, FigureController::pointer)));
    if accepts_files(view) {
        let drags = ["dragover", "dragleave", "drop"];
        listeners.extend(drags.map(|name| on(name, FigureController::drag_file)));
    }
    listeners
}

fn wake(controller: &Weak<RefCell<FigureController>>) -> impl FnOnce() + 'static {
    let weak = controller.clone();
    move || {
        if let Some(controller) = weak.upgrade()
            && let Ok(mut controller) = controller.try_borrow_mut()
        {
            let controller = &mut *controller;
            if let (Some(elements), Some(figure)) =
                (&mut controller.elements, controller.shown.figure())
            {
                elements.speak(figure, &weak);
            }
        }
    }
}
