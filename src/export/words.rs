//! Formulas and code as SVG. Formulas are MathML, which only browsers display.

use super::native::{hex, sheet};
use super::svg::{Escaped, Svg};
use crate::draw::Theme;
use crate::field::{State, ThemeName};
use crate::figures::bench::formula;
use crate::figures::bench::model::Model;
use crate::text::Lang;
use std::fmt::Write;

/// The formula of the selected cell and the pair's matrix equation, as SVG of `width × height` CSS pixels.
pub fn formula_svg(state: &State, lang: Lang, width: u32, height: u32) -> String {
    let model = Model::without_transients(state, lang);
    let theme = Theme::named(state.theme().unwrap_or_default());
    let mut lines = vec![
        formula::cell(&model),
        formula::general(&model),
        formula::in_numbers(&model),
    ];
    if let Some((_, block)) = model.rotated_pair() {
        lines.push(formula::matrix_in_letters(&model));
        lines.push(formula::product_in_names(&model));
        lines.push(formula::product_in_numbers(&model, block));
    }
    let colours = [
        ("sine", theme.sine),
        ("cosine", theme.cosine),
        ("here", theme.here),
        ("there", theme.there),
    ];
    let rules = colours.map(|(class, colour)| format!(".{class}{{color:{}}}", hex(colour)));
    let brackets = ".matrix{border:solid;border-width:0 1.5px;border-radius:.3em;padding:.1em}";
    let lines = lines.iter().map(|line| {
        let line = line.to_string();
        let line = line.replace(
            "<math",
            "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"",
        );
        format!("<p>{line}</p>\n")
    });
    let mut svg = sheet(theme, width, height);
    let _ = write!(
        svg,
        "<style>{}{brackets}</style>\n<foreignObject width=\"{width}\" height=\"{height}\">\
         <div xmlns=\"http://www.w3.org/1999/xhtml\" style=\"color:{};font-size:{}px;padding:0 1em\">\n{}\
         </div></foreignObject>\n",
        rules.concat(),
        hex(theme.ink),
        18.0 * theme.scale,
        lines.collect::<String>()
    );
    svg + Svg::CLOSE
}

/// Lines of code as SVG, with a height for all lines and a type size at which the longest fits in `width` CSS pixels.
pub fn code_svg(code: &str, theme: ThemeName, width: u32) -> String {
    let theme = Theme::named(theme);
    let longest = code.lines().map(|line| line.chars().count()).max();
    // A letter is about 0.61 of the type size wide; each margin is as wide as a line is high.
    let fits = f64::from(width) / (0.61 * longest.unwrap_or(0) as f64 + 3.0);
    let size = (13.0 * theme.scale).min(fits);
    let line = 1.5 * size;
    let count = code.lines().count() as f64;
    let mut svg = sheet(theme, width, ((count + 1.0) * line).round() as u32);
    let _ = writeln!(
        svg,
        "<g font-family=\"ui-monospace, 'Noto Sans Mono', monospace\" font-size=\"{size:.2}\" fill=\"{}\">",
        hex(theme.ink)
    );
    for (index, text) in code.lines().enumerate() {
        let y = (index as f64 + 1.2) * line;
        let _ = writeln!(
            svg,
            "<text x=\"{line:.1}\" y=\"{y:.1}\" xml:space=\"preserve\">{}</text>",
            Escaped(text)
        );
    }
    svg + "</g>\n" + Svg::CLOSE
}
