//! A plotters backend that writes SVG: text as text, images as embedded PNG.

use crate::draw::{Backend, FONT, Frame, Image, Part};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{FontStyle, FontTransform};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt::{self, Write};
use std::rc::Rc;

/// Encodes an image, given as columns and rows and three bytes per pixel, as a `data:` URL. `None` for an empty image.
pub type Encoder = fn((u32, u32), &[u8]) -> Option<String>;

/// Appends the drawn shapes to a text, in backend units. Code that does not depend on the type of a style or an
/// iterator is kept out of the generic functions, which are monomorphized many times.
pub struct Svg {
    size: (u32, u32),
    text: Rc<RefCell<String>>,
    encoder: Encoder,
}

impl Svg {
    pub fn new(frame: Frame, text: Rc<RefCell<String>>, encoder: Encoder) -> Svg {
        let units = |v: f64| (v * frame.units).round() as u32;
        Svg {
            size: (units(frame.width), units(frame.height)),
            text,
            encoder,
        }
    }

    /// The start of an SVG document, with its size and a description.
    pub fn open(frame: Frame, description: &str) -> String {
        let (width, height) = (frame.width.round(), frame.height.round());
        let described = match description {
            "" => String::new(),
            words => format!("<desc>{}</desc>\n", Escaped(words)),
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {} {}\" font-family=\"{FONT}\" stroke-linejoin=\"round\">\n\
             {described}",
            (width * frame.units).round(),
            (height * frame.units).round(),
        )
    }

    /// The end of an SVG document.
    pub const CLOSE: &str = "</svg>\n";

    /// Appends an element with this tag and these attributes, filled, or with a stroke of this width.
    fn write_element(&self, element: fmt::Arguments, colour: BackendColor, stroke: Option<u32>) {
        let BackendColor { rgb, alpha } = colour;
        if alpha <= 0.0 {
            return;
        }
        let mut text = self.text.borrow_mut();
        let (r, g, b) = rgb;
        let colour = format_args!("#{r:02x}{g:02x}{b:02x}");
        // Writing to a string does not fail.
        let _ = text.write_fmt(element);
        let _ = match stroke {
            None => write!(text, " fill=\"{colour}\""),
            Some(width) => write!(
                text,
                " fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\""
            ),
        };
        if alpha < 1.0 {
            let _ = write!(text, " opacity=\"{alpha}\"");
        }
        text.push_str("/>\n");
    }

    fn points(
        &self,
        tag: &str,
        points: &[BackendCoord],
        colour: BackendColor,
        stroke: Option<u32>,
    ) {
        self.write_element(
            format_args!("<{tag} points=\"{}\"", Points(points)),
            colour,
            stroke,
        );
    }

    fn rectangle(
        &self,
        from: BackendCoord,
        to: BackendCoord,
        colour: BackendColor,
        stroke: Option<u32>,
    ) {
        let ((x, y), (width, height)) = (from, (to.0 - from.0, to.1 - from.1));
        self.write_element(
            format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""),
            colour,
            stroke,
        );
    }

    fn circle(&self, (x, y): BackendCoord, radius: u32, colour: BackendColor, stroke: Option<u32>) {
        self.write_element(
            format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\""),
            colour,
            stroke,
        );
    }

    fn words(&self, text: &str, (x, y): BackendCoord, style: &Lettering) {
        let anchor = match style.h {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        // The offset from the alphabetic baseline, relative to the type size: programs other than browsers support no
        // other baselines.
        let down = match style.v {
            VPos::Top => "0.78",
            VPos::Center => "0.35",
            VPos::Bottom => "-0.21",
        };
        let (r, g, b) = style.colour.rgb;
        let mut out = self.text.borrow_mut();
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{y}\" dy=\"{down}em\" text-anchor=\"{anchor}\" \
             font-size=\"{}\" fill=\"#{r:02x}{g:02x}{b:02x}\"",
            style.size
        );
        if style.bold {
            out.push_str(" font-weight=\"bold\"");
        }
        if style.degrees > 0 {
            let _ = write!(out, " transform=\"rotate({} {x} {y})\"", style.degrees);
        }
        let _ = writeln!(out, ">{}</text>", Escaped(text));
    }

    /// Appends an image, clipped to its part by a nested SVG.
    fn image(&self, [from, to]: [BackendCoord; 2], image: &Image) {
        let Some(address) = (self.encoder)(image.size, image.rgb) else {
            return;
        };
        let Part {
            left,
            top,
            width,
            height,
        } = image.part;
        let (columns, rows) = image.size;
        let _ = writeln!(
            self.text.borrow_mut(),
            "<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" viewBox=\"{left} {top} {width} {height}\" \
             preserveAspectRatio=\"none\"><image width=\"{columns}\" height=\"{rows}\" \
             preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" href=\"{address}\"/></svg>",
            from.0,
            from.1,
            to.0 - from.0,
            to.1 - from.1,
        );
    }
}

/// The style of a text, in backend units.
struct Lettering {
    size: f64,
    colour: BackendColor,
    bold: bool,
    /// The rotation, clockwise.
    degrees: u32,
    h: HPos,
    v: VPos,
}

struct Points<'a>(&'a [BackendCoord]);

impl fmt::Display for Points<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, (x, y)) in self.0.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            write!(f, "{gap}{x},{y}")?;
        }
        Ok(())
    }
}

/// The picture with other font families, named as in CSS.
#[cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, reason = "only pages have fonts of their own")
)]
pub fn with_family(svg: &str, family: &str) -> String {
    let family = family.replace('"', "'");
    svg.replacen(FONT, &Escaped(&family).to_string(), 1)
}

/// A text in which XML markup is escaped and characters that XML does not allow are replaced by spaces.
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '\0'..' ' | '\u{fffe}' | '\u{ffff}' => f.write_char(' ')?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

fn stroke<S: BackendStyle>(style: &S, fill: bool) -> Option<u32> {
    (!fill).then(|| style.stroke_width())
}

type Outcome = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Svg {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Outcome {
        Ok(())
    }

    fn present(&mut self) -> Outcome {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Outcome {
        self.rectangle((x, y), (x + 1, y + 1), colour, None);
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Outcome {
        self.points("polyline", &[from, to], style.color(), stroke(style, false));
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome {
        self.rectangle(from, to, style.color(), stroke(style, fill));
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        let path: Vec<_> = path.into_iter().collect();
        self.points("polyline", &path, style.color(), stroke(style, false));
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome {
        self.circle(centre, radius, style.color(), stroke(style, fill));
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        let path: Vec<_> = path.into_iter().collect();
        self.points("polygon", &path, style.color(), None);
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Outcome {
        let anchor = style.anchor();
        let lettering = Lettering {
            size: style.size(),
            colour: style.color(),
            bold: matches!(style.style(), FontStyle::Bold),
            degrees: match style.transform() {
                FontTransform::None => 0,
                FontTransform::Rotate90 => 90,
                FontTransform::Rotate180 => 180,
                FontTransform::Rotate270 => 270,
            },
            h: anchor.h_pos,
            v: anchor.v_pos,
        };
        self.words(text, at, &lettering);
        Ok(())
    }
}

impl Backend for Svg {
    fn stretch(&mut self, corners: [BackendCoord; 2], image: &Image) -> Outcome {
        self.image(corners, image);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let escaped = Escaped("a < b & \"c\" '\u{1}\u{ffff}'").to_string();
        assert_eq!(escaped, "a &lt; b &amp; \"c\" '  '");
    }
}
