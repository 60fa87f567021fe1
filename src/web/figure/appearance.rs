//! Appearance of a figure: its own language, theme and type scale, and the custom properties of the page (accent, font).

use super::Figures;
use super::controller::FigureController;
use crate::draw::Theme;
use crate::field::{Names, ThemeName, parse};
use crate::figure::ControlPolicy;
use crate::text::Lang;
use crate::web::dom::enlargement;
use plotters::style::RGBColor;
use std::rc::Rc;

pub struct Appearance {
    /// The element's own language and theme; `None` if it follows the page.
    pub lang: Option<Lang>,
    pub theme: Option<ThemeName>,
    /// From custom properties of the page's style.
    pub accent: Option<RGBColor>,
    pub family: Option<Rc<str>>,
    /// Scale of type and strokes.
    pub type_scale: f64,
    /// Maximum height of the figure in a presentation, in CSS pixels.
    pub max_height: Option<f64>,
}

/// Maximum share of a projected window's height that a figure takes; the rest is for the header of a page that shows it
/// alone.
const OF_WINDOW: f64 = 0.94;

/// Size of the window, in CSS pixels, for which projected type has its nominal size. In a larger window the type of a
/// standalone figure grows in proportion.
const REFERENCE_WINDOW: (f64, f64) = (1280.0, 720.0);

/// Heights of the parts of a figure around its picture, in `--pe-unit`: header, one row of controls and padding
/// together; a row of buttons; text below the picture; a line of the caption.
const AROUND: f64 = 4.4;
const ACTIONS: f64 = 2.0;
const BELOW: f64 = 3.2;
const LINE: f64 = 1.3;
/// Width that most captions need on a single line, in `--pe-unit`.
const CAPTION: f64 = 150.0;

impl Default for Appearance {
    fn default() -> Appearance {
        Appearance {
            lang: None,
            theme: None,
            accent: None,
            family: None,
            type_scale: 1.0,
            max_height: None,
        }
    }
}

impl FigureController {
    /// Sets accent, `#rrggbb`, and font families; invalid values are ignored.
    pub fn set_custom_style(&mut self, accent: &str, family: &str) {
        let digits = accent.strip_prefix('#').filter(|digits| digits.len() == 6);
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let accent = number.map(|number| {
            let [_, red, green, blue] = number.to_be_bytes();
            RGBColor(red, green, blue)
        });
        let family = Some(family.trim()).filter(|family| !family.is_empty() && family.len() < 500);
        let family = family.map(Rc::from);
        if (accent, &family) == (self.appearance.accent, &self.appearance.family) {
            return;
        }
        (self.appearance.accent, self.appearance.family) = (accent, family);
        if let Some(surface) = self
            .elements
            .as_mut()
            .and_then(|elements| elements.surface.as_mut())
        {
            surface.family = self.appearance.family.clone();
        }
        self.lifecycle.dirty = true;
    }

    /// Reads the attributes that are not fields: controls, language, theme, type scale.
    pub fn read_appearance(&mut self) {
        let attribute = |name: &str| self.element.get_attribute(name);
        self.policy = ControlPolicy {
            shown: attribute("controls").map(|text| Names::read(&text)),
            locked: Names::read(&attribute("lock").unwrap_or_default()),
        };
        let lang = attribute("lang").and_then(|text| Lang::of(&text));
        let theme = attribute("theme");
        let theme = theme.and_then(|text| ThemeName::named(&text).or(ThemeName::nearest(&text)));
        let enlarged = attribute("enlarge").and_then(|text| parse::number(&text));
        self.appearance.lang = lang;
        self.appearance.theme = theme;
        self.appearance.type_scale = enlarged.unwrap_or(1.0);
        self.appearance.max_height =
            attribute("data-max-height").and_then(|text| parse::number(&text));
        self.lifecycle.dirty = true;
    }
}

/// Height of everything around the picture, in `--pe-unit`, for a figure of this inner width in CSS pixels, with or
/// without a row of buttons and text below the picture.
pub(super) fn around(width: f64, theme: &Theme, actions: bool, below: bool) -> f64 {
    let lines = (CAPTION * unit(theme) / width.max(1.0)).ceil().max(3.0);
    let takes = |is_there: bool, height: f64| if is_there { height } else { 0.0 };
    AROUND + takes(actions, ACTIONS) + takes(below, BELOW) + LINE * lines
}

/// `--pe-unit` in CSS pixels, as in static/figure.css.
fn unit(theme: &Theme) -> f64 {
    15.0 * (0.45 + 0.55 * theme.scale)
}

impl Figures {
    pub(super) fn theme_of(&self, controller: &FigureController) -> Theme {
        if self.printing {
            return Theme::customised(
                ThemeName::Light,
                controller.appearance.type_scale,
                controller.appearance.accent,
            );
        }
        let mut theme = self.look_of(controller);
        if self.fits_window && controller.is_standalone() {
            theme = theme.enlarged(enlargement(self.window_size, REFERENCE_WINDOW));
        }
        let of_window = self.fits_window.then_some(OF_WINDOW * self.window_size.1);
        match controller.appearance.max_height.or(of_window) {
            Some(max_height) => {
                let around = controller.size.around * unit(&theme);
                theme.with_max_height((max_height - around).max(0.0))
            }
            None => theme,
        }
    }

    fn look_of(&self, controller: &FigureController) -> Theme {
        match controller.appearance.theme {
            None if controller.appearance.type_scale == 1.0
                && controller.appearance.accent.is_none() =>
            {
                self.theme
            }
            name => {
                let name = name.unwrap_or(self.theme.name);
                Theme::customised(
                    name,
                    controller.appearance.type_scale,
                    controller.appearance.accent,
                )
            }
        }
    }

    /// The language of a figure: its own, on a page without a bench that of the text around it, or else the page's.
    pub(super) fn lang_of(&self, controller: &FigureController) -> Lang {
        let around = || {
            let parent = controller.element.closest("[lang]").ok().flatten();
            let lang = parent.and_then(|parent| parent.get_attribute("lang"));
            lang.and_then(|lang| Lang::of(&lang))
        };
        let page = || (!self.has_bench).then(around).flatten();
        controller
            .appearance
            .lang
            .or_else(page)
            .unwrap_or(self.lang)
    }
}
