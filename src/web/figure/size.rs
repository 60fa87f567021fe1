//! The size and scale of a figure on the page.

use crate::draw::Theme;
use crate::figure::Arrangement;
use web_sys::HtmlElement;

/// Heights of the parts of a figure around its picture, in `--pe-unit`: header, one row of controls and padding
/// together; a row of buttons; text below the picture; a line of the caption.
const AROUND: f64 = 4.4;
const ACTIONS: f64 = 2.0;
const BELOW: f64 = 3.2;
const LINE: f64 = 1.3;
/// Width that most captions need on a single line, in `--pe-unit`.
const CAPTION: f64 = 150.0;

pub(super) struct Size {
    /// The element's width when it was last observed, in CSS pixels; 0 until it is measured.
    width: f64,
    /// The part of the width that the figure's own padding takes, in CSS pixels; `None` until it is measured.
    padding: Option<f64>,
    /// Scale factor of the page's CSS transforms on the element.
    css_transform_scale: f64,
    /// Height of everything around the picture, in `--pe-unit`.
    around: f64,
}

impl Default for Size {
    fn default() -> Size {
        Size {
            width: 0.0,
            padding: None,
            css_transform_scale: 1.0,
            around: 0.0,
        }
    }
}

impl Size {
    /// Sets the width of the element on the page, in CSS pixels; returns the previous width if it differs.
    pub fn resize(&mut self, element: &HtmlElement, width: f64) -> Option<f64> {
        let differs = self.width != width;
        let before = std::mem::replace(&mut self.width, width);
        if differs {
            self.padding = None;
            self.css_transform_scale = transform_scale_of(element);
        }
        differs.then_some(before)
    }

    /// Measures the width of the element, if it is unknown: reading `client_width` forces layout.
    pub fn measure(&mut self, element: &HtmlElement) {
        if self.width == 0.0 {
            self.width = f64::from(element.client_width());
            self.css_transform_scale = transform_scale_of(element);
        }
    }

    /// Determines the padding, if it is unknown, from the width inside it, which is not positive while the element is
    /// hidden.
    pub fn measure_padding(&mut self, inside: impl FnOnce() -> f64) {
        if self.padding.is_none() {
            let inside = inside();
            self.padding = (inside > 0.0).then_some(self.width - inside);
        }
    }

    /// The width inside the padding, in CSS pixels.
    pub fn inner(&self) -> f64 {
        self.width - self.padding.unwrap_or_default()
    }

    pub fn css_transform_scale(&self) -> f64 {
        self.css_transform_scale
    }

    /// The width of a picture of the figure, in CSS pixels.
    pub fn picture_width(&self, arrangement: Arrangement, theme: &Theme) -> f64 {
        match self.inner() {
            width if width >= 1.0 => arrangement.beside(width, theme).unwrap_or(width),
            _ => 720.0,
        }
    }

    /// Height of everything around the picture, in CSS pixels.
    pub fn around(&self, theme: &Theme) -> f64 {
        self.around * unit(theme)
    }

    /// Estimates the height around the picture, with or without a row of buttons and text below the picture; true if it
    /// has changed.
    pub fn estimate_around(&mut self, theme: &Theme, actions: bool, below: bool) -> bool {
        let lines = (CAPTION * unit(theme) / self.inner().max(1.0))
            .ceil()
            .max(3.0);
        let takes = |is_there: bool, height: f64| if is_there { height } else { 0.0 };
        let around = AROUND + takes(actions, ACTIONS) + takes(below, BELOW) + LINE * lines;
        std::mem::replace(&mut self.around, around) != around
    }
}

/// `--pe-unit` in CSS pixels, as in static/figure.css.
fn unit(theme: &Theme) -> f64 {
    15.0 * (0.45 + 0.55 * theme.scale)
}

/// Scale factor of the CSS transforms on an element; never below 1.
fn transform_scale_of(element: &HtmlElement) -> f64 {
    let (figure, own) = (
        element.get_bounding_client_rect().width(),
        f64::from(element.offset_width()),
    );
    // `offset_width` is rounded to whole pixels.
    match figure / own {
        ratio if ratio > 1.02 && ratio.is_finite() => ratio,
        _ => 1.0,
    }
}
