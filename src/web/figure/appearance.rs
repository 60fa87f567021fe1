//! Appearance of a figure: its own language, theme and type scale, and the custom properties of the page (accent, font).

use super::Figures;
use super::controller::FigureController;
use crate::draw::Theme;
use crate::field::{ThemeName, parse};
use crate::text::Lang;
use crate::web::dom::enlargement;
use plotters::style::RGBColor;
use std::rc::Rc;
use web_sys::HtmlElement;

pub(super) struct Appearance {
    /// The element's own language and theme; `None` if it follows the page.
    lang: Option<Lang>,
    theme: Option<ThemeName>,
    /// From custom properties of the page's style.
    accent: Option<RGBColor>,
    family: Option<Rc<str>>,
    /// Scale of type and strokes.
    type_scale: f64,
    /// Maximum height of the figure in a presentation, or above the text about it on a phone, in CSS pixels.
    max_height: Option<f64>,
}

/// Maximum share of a projected window's height that a figure takes; the rest is for the header of a page that shows it
/// alone.
const OF_WINDOW: f64 = 0.94;

/// Size of the window, in CSS pixels, for which projected type has its nominal size. In a larger window the type of a
/// standalone figure grows in proportion.
const REFERENCE_WINDOW: (f64, f64) = (1280.0, 720.0);

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

impl Appearance {
    /// Sets accent, `#rrggbb`, and font families; invalid values are ignored. True if they have changed.
    pub fn set_custom_style(&mut self, accent: &str, family: &str) -> bool {
        let digits = accent.strip_prefix('#').filter(|digits| digits.len() == 6);
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let accent = number.map(|number| {
            let [_, red, green, blue] = number.to_be_bytes();
            RGBColor(red, green, blue)
        });
        let family = Some(family.trim()).filter(|family| !family.is_empty() && family.len() < 500);
        let family = family.map(Rc::from);
        if (accent, &family) == (self.accent, &self.family) {
            return false;
        }
        (self.accent, self.family) = (accent, family);
        true
    }

    /// Reads language, theme and sizes from the attributes of the element.
    pub fn read(&mut self, element: &HtmlElement) {
        let attribute = |name: &str| element.get_attribute(name);
        let theme = attribute("theme");
        let enlarged = attribute("enlarge").and_then(|text| parse::number(&text));
        self.lang = attribute("lang").and_then(|text| Lang::of(&text));
        self.theme = theme.and_then(|text| ThemeName::named(&text).or(ThemeName::nearest(&text)));
        self.type_scale = enlarged.unwrap_or(1.0);
        self.max_height = attribute("data-max-height").and_then(|text| parse::number(&text));
    }

    /// The font families of the page's style.
    pub fn family(&self) -> &Option<Rc<str>> {
        &self.family
    }
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
                let around = controller.size.around(&theme);
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
