//! Every colour, stroke and type size, on the canvas and, through the generated
//! `static/theme.css`, on the page.

use super::ColourMap;
use crate::field::ThemeName;
use crate::math::Clamp;
use plotters::style::RGBColor;
use std::fmt::Write;

/// The smallest and the largest factor for type and strokes.
pub const TYPE_SCALE_RANGE: (f64, f64) = (0.75, 5.0);

/// The smallest type size for an audience, in CSS pixels of a window of 1280 × 720.
const MIN_TYPE: f64 = 22.0;

/// A set of colours and sizes. Strokes and type sizes are in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    pub name: ThemeName,
    /// Background of the page.
    pub page: RGBColor,
    /// Background of a figure.
    pub panel: RGBColor,
    pub ink: RGBColor,
    /// Axis labels and captions.
    pub muted: RGBColor,
    /// Grid lines and borders.
    pub rule: RGBColor,
    /// Borders that identify a control.
    pub edge: RGBColor,
    /// Elements that can be pressed.
    pub accent: RGBColor,
    pub sine: RGBColor,
    pub cosine: RGBColor,
    /// Marks position pos.
    pub here: RGBColor,
    /// Marks position pos + k.
    pub there: RGBColor,
    /// Marks a right answer, always beside a ✓; `wrong` marks a wrong answer or an error, beside a ✕.
    pub right: RGBColor,
    pub wrong: RGBColor,
    /// Teal, ochre and slate, which are used for all compared series and for nothing else.
    pub series: [RGBColor; 3],
    /// The colours of the values −1, −½, 0, ½ and 1 on the heatmap.
    diverging: [RGBColor; 5],
    /// Multiplies type sizes and strokes.
    pub scale: f64,
    /// Maximum height of a picture, in CSS pixels, so that its figure fits the window of an audience; infinite elsewhere.
    pub max_height: f64,
}

impl Theme {
    pub fn named(name: ThemeName) -> &'static Theme {
        match name {
            ThemeName::Light => &LIGHT,
            ThemeName::Dark => &DARK,
            ThemeName::Projector => &PROJECTOR,
        }
    }

    /// A theme with type and strokes scaled by `times`, clamped to `TYPE_SCALE_RANGE` and rounded to a twentieth, and with
    /// the page's own accent colour, if any.
    pub fn customised(name: ThemeName, times: f64, accent: Option<RGBColor>) -> Theme {
        let theme = Theme::named(name);
        let (low, high) = TYPE_SCALE_RANGE;
        let times = (20.0 * times.clamped(low, high)).round() / 20.0;
        Theme {
            scale: theme.scale * times,
            accent: accent.unwrap_or(theme.accent),
            ..*theme
        }
    }

    /// The same theme with type and strokes multiplied by `times`.
    pub fn enlarged(self, times: f64) -> Theme {
        let scale = self.scale * times;
        Theme { scale, ..self }
    }

    /// The same theme with a maximum height for pictures, in CSS pixels.
    pub fn with_max_height(self, max_height: f64) -> Theme {
        Theme { max_height, ..self }
    }

    /// `height` limited to the maximum height of a picture, where that limit is at least `min` label sizes.
    pub fn fitted(&self, height: f64, min: f64) -> f64 {
        height.min(self.max_height.max(min * self.label_size()))
    }

    /// Size of an axis label.
    pub fn label_size(&self) -> f64 {
        12.0 * self.scale
    }

    /// The type size that is `fraction` of a label's, but at least `MIN_TYPE` if labels are at least as large as that, so
    /// that it can be read from afar.
    pub fn reduced(&self, fraction: f64) -> f64 {
        let label = self.label_size();
        if label >= MIN_TYPE {
            (fraction * label).max(MIN_TYPE)
        } else {
            fraction * label
        }
    }

    /// Width of a curve or an arrow.
    pub fn stroke(&self) -> f64 {
        2.0 * self.scale
    }

    pub fn hairline(&self) -> f64 {
        self.scale
    }

    /// The colours of the values −1 … 1 in [`ColourMap::STEPS`] steps.
    pub fn colour_map(&self) -> ColourMap {
        ColourMap::through(&self.diverging)
    }
}

/// Opacity of a curve whose dots carry the meaning.
pub const CURVE_UNDER_DOTS: f64 = 0.75;

const fn rgb(hex: u32) -> RGBColor {
    RGBColor((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const LIGHT: Theme = Theme {
    name: ThemeName::Light,
    page: rgb(0xfbfaf7),
    panel: rgb(0xffffff),
    ink: rgb(0x16191d),
    muted: rgb(0x555c66),
    rule: rgb(0xe4e1da),
    edge: rgb(0x908c84),
    accent: rgb(0x3d4dc4),
    sine: rgb(0x0b66c8),
    cosine: rgb(0xad4e00),
    here: rgb(0x16191d),
    there: rgb(0xc0137f),
    right: rgb(0x1b7340),
    wrong: rgb(0xb3261e),
    series: [rgb(0x007480), rgb(0x8a6100), rgb(0x4a5a72)],
    diverging: [
        rgb(0x5c3c98),
        rgb(0xa894d4),
        rgb(0xf9f8f5),
        rgb(0x7cbea0),
        rgb(0x14684a),
    ],
    scale: 1.0,
    max_height: f64::INFINITY,
};

const DARK: Theme = Theme {
    name: ThemeName::Dark,
    page: rgb(0x0e1014),
    panel: rgb(0x171a20),
    ink: rgb(0xe9ebef),
    muted: rgb(0xa3abb7),
    rule: rgb(0x313742),
    edge: rgb(0x6f7886),
    accent: rgb(0x9aa6ff),
    sine: rgb(0x63adff),
    cosine: rgb(0xffa04a),
    here: rgb(0xffffff),
    there: rgb(0xff74cb),
    right: rgb(0x63d18d),
    wrong: rgb(0xff8f7a),
    series: [rgb(0x4fd0d8), rgb(0xe3b341), rgb(0xb4c0d4)],
    diverging: [
        rgb(0xc3a6ff),
        rgb(0x6a4bb0),
        rgb(0x12151a),
        rgb(0x1f7a5c),
        rgb(0x6fe0b4),
    ],
    scale: 1.0,
    max_height: f64::INFINITY,
};

const PROJECTOR: Theme = Theme {
    name: ThemeName::Projector,
    page: rgb(0xffffff),
    panel: rgb(0xffffff),
    ink: rgb(0x000000),
    muted: rgb(0x303338),
    rule: rgb(0x8a8f98),
    edge: rgb(0x6b727c),
    accent: rgb(0x2a37b0),
    sine: rgb(0x0050b8),
    cosine: rgb(0xa84a00),
    here: rgb(0x000000),
    there: rgb(0xb0006e),
    right: rgb(0x0b5c2c),
    wrong: rgb(0x9c1c12),
    series: [rgb(0x005f6e), rgb(0x6e4c00), rgb(0x3b4759)],
    diverging: [
        rgb(0x32116b),
        rgb(0x9a80cf),
        rgb(0xffffff),
        rgb(0x5fb892),
        rgb(0x00452f),
    ],
    scale: 1.3,
    max_height: f64::INFINITY,
};

/// The themes as CSS custom properties: the contents of `static/theme.css`.
pub fn css() -> String {
    let mut css = String::from(
        "/* Generated from src/draw/theme.rs by tests/native/generated.rs: edit there. */\n",
    );
    let mut rule = |open: &str, theme: &Theme, scheme: &str, close: &str| {
        let _ = writeln!(
            css,
            "{open} {{ color-scheme: {scheme}; --scale: {}; {}}}{close}",
            theme.scale,
            properties(theme)
        );
    };
    rule(":root", &LIGHT, "light", "");
    rule(
        "@media (prefers-color-scheme: dark) { :root:not([data-theme])",
        &DARK,
        "dark",
        " }",
    );
    rule(":root[data-theme=\"dark\"]", &DARK, "dark", "");
    rule(":root[data-theme=\"projector\"]", &PROJECTOR, "light", "");
    css
}

fn properties(theme: &Theme) -> String {
    let colours = [
        ("page", theme.page),
        ("panel", theme.panel),
        ("ink", theme.ink),
        ("muted", theme.muted),
        ("rule", theme.rule),
        ("edge", theme.edge),
        ("accent", theme.accent),
        ("sine", theme.sine),
        ("cosine", theme.cosine),
        ("here", theme.here),
        ("there", theme.there),
        ("right", theme.right),
        ("wrong", theme.wrong),
    ];
    colours
        .iter()
        .fold(String::new(), |mut out, (name, RGBColor(r, g, b))| {
            let _ = write!(out, "--{name}: #{r:02x}{g:02x}{b:02x}; ");
            out
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::colour_map::{readable_on, vision::luminance};

    #[test]
    fn every_look_is_what_was_asked_for_however_many_there_have_been() {
        for step in 0..3000u16 {
            let [high, low] = step.to_be_bytes();
            let accent = RGBColor(high, low, 7);
            let theme = Theme::customised(ThemeName::Dark, 1.5, Some(accent));
            assert_eq!(theme.accent, accent, "the {step}th look");
            assert_eq!(theme.scale, 1.5 * DARK.scale);
            assert_eq!(theme.ink, DARK.ink);
        }
    }

    const ALL: [&Theme; 3] = [&LIGHT, &DARK, &PROJECTOR];

    fn contrast(a: RGBColor, b: RGBColor) -> f64 {
        let [a, b] = [a, b].map(|c| luminance([c.0, c.1, c.2]) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn whatever_is_written_can_be_read() {
        for theme in ALL {
            let names = [
                theme.ink,
                theme.muted,
                theme.accent,
                theme.sine,
                theme.cosine,
                theme.here,
                theme.there,
                theme.right,
                theme.wrong,
            ];
            for colour in names.into_iter().chain(theme.series) {
                for behind in [theme.page, theme.panel] {
                    assert!(contrast(colour, behind) >= 4.5, "{colour:?} on {behind:?}");
                }
            }
        }
    }

    fn mix(colour: RGBColor, fraction: f64, behind: RGBColor) -> RGBColor {
        let part =
            |a: u8, b: u8| (fraction * f64::from(a) + (1.0 - fraction) * f64::from(b)).round();
        let (a, b) = (colour, behind);
        RGBColor(
            part(a.0, b.0) as u8,
            part(a.1, b.1) as u8,
            part(a.2, b.2) as u8,
        )
    }

    #[test]
    fn words_on_a_colour_can_be_read() {
        for theme in ALL {
            // Buttons that are pressed in, tags, and announcements.
            let tags = [
                theme.accent,
                theme.here,
                theme.there,
                theme.ink,
                theme.right,
                theme.wrong,
            ];
            for behind in tags.into_iter().chain(theme.series) {
                assert!(contrast(theme.panel, behind) >= 4.5, "{behind:?}");
            }
            // The share of the accent in highlighted backgrounds: `.lit` and `button.set` in the style sheets.
            for (fraction, colour) in [(0.11, theme.ink), (0.15, theme.accent)] {
                for ground in [theme.page, theme.panel] {
                    let lit = mix(theme.accent, fraction, ground);
                    assert!(contrast(colour, lit) >= 4.5, "{colour:?} on {lit:?}");
                }
            }
            // Figures, which stand on the panel, have coloured words in `.lit`.
            for colour in [theme.muted, theme.sine, theme.cosine, theme.there] {
                let lit = mix(theme.accent, 0.11, theme.panel);
                assert!(contrast(colour, lit) >= 4.5, "{colour:?} on {lit:?}");
            }
            for &colour in theme.colour_map().steps() {
                let ground = RGBColor(colour[0], colour[1], colour[2]);
                assert!(contrast(readable_on(colour), ground) >= 4.5, "{colour:?}");
            }
        }
    }

    #[test]
    fn whatever_carries_meaning_stands_out_from_its_ground() {
        for theme in ALL {
            for ground in [theme.page, theme.panel] {
                for colour in [
                    theme.ink,
                    theme.muted,
                    theme.edge,
                    theme.accent,
                    theme.sine,
                    theme.cosine,
                    theme.here,
                    theme.there,
                ] {
                    assert!(contrast(colour, ground) >= 3.0, "{colour:?} on {ground:?}");
                }
            }
            for curve in [theme.sine, theme.cosine] {
                let drawn = mix(curve, CURVE_UNDER_DOTS, theme.panel);
                assert!(contrast(drawn, theme.panel) >= 3.0, "{drawn:?}");
            }
        }
    }
}
