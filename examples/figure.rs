//! Renders a figure of the lesson as an HTML page, without WebAssembly:
//! `cargo run --example figure -- ruler d_model=64 lang=zh theme=dark width=700 > page.html`
//! An argument `do=action:value` performs an action first.

use posenc::Values;
use posenc::figure::{ControlPolicy, controls};
use posenc::figures::{AnyFigure, fields};
use posenc::{Lang, ThemeName, ViewName, figure_svg};

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let view = ViewName::named(&name).ok_or(format!("no view is called {name:?}"))?;
    let mut values = Values::new(fields(view).ok_or(format!("{name} is no figure"))?);
    let (mut lang, mut theme, mut width) = (Lang::En, ThemeName::Light, 720);
    let shown = |values: &Values, lang| {
        let mut shown = AnyFigure::new(view, values, lang, None).expect("it has fields");
        while shown.work() {}
        shown
    };
    for argument in arguments {
        let (key, value) = argument.split_once('=').ok_or("settings are name=value")?;
        match key {
            "lang" => lang = Lang::preferred([value]),
            "theme" if value == "dark" => theme = ThemeName::Dark,
            "theme" if value == "projector" => theme = ThemeName::Projector,
            "theme" => {}
            "width" => width = value.parse().map_err(|_| "width is a number")?,
            "do" => {
                let (action, value) = value.split_once(':').unwrap_or((value, ""));
                shown(&values, lang).act(action, value, &mut values);
            }
            _ if !values.has(key) => return Err(format!("{name} has no {key}")),
            _ => {
                if let Some(problem) = values.set(key, value) {
                    eprintln!("{}", problem.words(lang));
                }
            }
        }
    }
    let shown = shown(&values, lang);
    let node =
        |node: Option<posenc::text::markup::Node>| node.map_or(String::new(), |n| n.to_string());
    let dark = if theme == ThemeName::Dark {
        " data-theme=\"dark\""
    } else {
        ""
    };
    println!(
        "<!doctype html><html lang=\"{}\"{dark}><meta charset=\"utf-8\"><style>{}{}{}</style><body style=\"width:{width}px;padding:12px\"><h3>{}</h3>{}<div class=\"actions\">{}</div>{}<div class=\"below\">{}</div><p class=\"caption\">{}</p>",
        lang.tag(),
        posenc::css(),
        include_str!("../static/style.css"),
        include_str!("../static/figure.css"),
        shown.title().get(lang),
        figure_svg(&shown, theme, width).unwrap_or_default(),
        node(shown.actions()),
        node(controls(
            &values,
            lang,
            &ControlPolicy::default(),
            shown.more()
        )),
        node(shown.below()),
        shown.caption(),
    );
    Ok(())
}
