//! `posenc figure`

use super::Failure;
use super::output::Output;
use super::settings::{self, FigureSettings, Said};
use crate::export::{bench_svg, code_svg, figure_svg, formula_svg, svg};
use crate::field::{Key, Values, ViewName, own_figure};
use crate::figures::AnyFigure;
use crate::figures::bench::model::Model;
use crate::figures::bench::view::BenchFigure;
use crate::figures::bench::words;
use crate::text::Lang;
use clap::ValueEnum;
use clap::builder::PossibleValue;

const COMMAND: &str = "figure";

/// Draws a figure as .svg
///
/// The settings are those of the page and of its links, their defaults those of the bench. A figure of the lesson takes
/// the settings that it has, with defaults of its own, and further fields by --set, as its link writes them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  posenc figure heatmap --d-model 512 --max-len 50 -o heatmap.svg
  posenc figure rotation --k 7 --lang zh --theme dark -o rotation.svg
  posenc figure order --set words='dog bites man' --set pe=on -o order.svg")]
pub struct Figure {
    /// What to draw, by its name in links: view=NAME
    name: ViewName,
    #[command(flatten)]
    settings: FigureSettings,
    /// A field of a figure of the lesson; may be repeated
    #[arg(long, value_name = "FIELD=VALUE", value_parser = field)]
    set: Vec<(String, String)>,
    /// In CSS pixels: 64 … 8192; 720 by default, the bench 1280
    #[arg(long, value_parser = side)]
    width: Option<u32>,
    /// In CSS pixels; a figure of the lesson is as high as its width asks for
    #[arg(long, value_parser = side)]
    height: Option<u32>,
    #[command(flatten)]
    output: Output,
}

impl ValueEnum for ViewName {
    fn value_variants<'a>() -> &'a [ViewName] {
        ViewName::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.title().en))
    }
}

fn field(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.replace('-', "_"), value.into())),
        None => Err("a field is set as FIELD=VALUE"),
    }
}

fn side(text: &str) -> Result<u32, &'static str> {
    const WRONG: &str = "a whole number from 64 to 8192";
    match text.parse() {
        Ok(side @ 64..=8192) => Ok(side),
        _ => Err(WRONG),
    }
}

impl Figure {
    pub(super) fn write(self) -> Result<(), Failure> {
        let svg = self.draw()?;
        self.output.write(std::iter::once(svg.into_bytes()))
    }

    /// Everything that was said, options first.
    fn said(&self) -> Vec<Said> {
        let options = self.settings.0.iter().cloned();
        let fields = self.set.iter().map(|(name, value)| Said {
            name: name.clone(),
            value: value.clone(),
            argument: format!("--set {name}"),
        });
        options.chain(fields).collect()
    }

    fn draw(&self) -> Result<String, Failure> {
        match crate::figures::fields(self.name) {
            Some(fields) if !self.name.is_of_bench() => self.draw_figure(Values::new(fields)),
            _ => self.draw_bench(),
        }
    }

    fn draw_bench(&self) -> Result<String, Failure> {
        let said = self.said();
        let known = |said: &&Said| Key::named(&said.name).is_some_and(settings::of_figures);
        if let Some(said) = said.iter().find(|said| !known(said)) {
            let keys = Key::ALL.iter().filter(|key| settings::of_figures(**key));
            return Err(self.unknown(said, keys.map(|key| key.name())));
        }
        let state = settings::state(COMMAND, &said)?;
        let model = Model::at_rest(&state, Lang::En);
        if let Some(words) = words::absent(&model, self.name) {
            let (view, name) = (self.name.name(), state.encoding().name());
            let instead = own_figure(state.encoding()).map_or(view, ViewName::name);
            let message = format!("{view} is not for '{name}': {words}; draw '{instead}' instead");
            return Err(Failure::of(COMMAND, "--encoding", message));
        }
        let lang = state.lang().unwrap_or_default();
        let (wide, shape) = match self.name {
            ViewName::Bench => (1280, 0.5625),
            ViewName::Waves => (720, 0.4),
            _ => (720, 0.6),
        };
        let width = self.width.unwrap_or(wide);
        let height = self
            .height
            .unwrap_or((f64::from(width) * shape).round() as u32);
        let figure = BenchFigure::all()
            .into_iter()
            .find(|figure| figure.name() == self.name);
        Ok(match figure {
            Some(mut figure) => svg(&mut figure, &state, lang, width, height),
            None if self.name == ViewName::Formula => formula_svg(&state, lang, width, height),
            None => bench_svg(&state, lang, width, height),
        })
    }

    fn draw_figure(&self, mut values: Values) -> Result<String, Failure> {
        if self.height.is_some() {
            let message = format!("{} is as high as its width asks for", self.name.name());
            return Err(Failure::of(COMMAND, "--height", message));
        }
        let of_page = |said: &Said| ["lang", "theme"].contains(&said.name.as_str());
        let (page, said): (Vec<_>, Vec<_>) = self.said().into_iter().partition(of_page);
        let state = settings::state(COMMAND, &page)?;
        if let Some(said) = said.iter().find(|said| !values.has(&said.name)) {
            let names = values.public().map(|field| field.name);
            return Err(self.unknown(said, names));
        }
        // In their order: the limits of a field may depend on those before it.
        for field in values.public() {
            let Some(said) = said.iter().rev().find(|said| said.name == field.name) else {
                continue;
            };
            let allowed = field.allowed(&values);
            if let Some(problem) = values.set(field.name, &said.value) {
                return Err(settings::refused(COMMAND, said, &problem, &allowed));
            }
        }
        let (lang, theme) = (
            state.lang().unwrap_or_default(),
            state.theme().unwrap_or_default(),
        );
        let width = self.width.unwrap_or(720);
        let shown = AnyFigure::new(self.name, &values, lang, None).map(|mut shown| {
            while shown.work() {}
            shown
        });
        let drawn = shown.and_then(|shown| {
            let code = || Some(code_svg(&shown.copied()?, theme, width));
            figure_svg(&shown, theme, width).or_else(code)
        });
        drawn.ok_or_else(|| Failure::of(COMMAND, "NAME", "this figure has no picture"))
    }

    fn unknown(&self, said: &Said, names: impl Iterator<Item = &'static str>) -> Failure {
        let names: Vec<_> = names.collect();
        let message = format!(
            "{} has no such setting; it has {}",
            self.name.name(),
            names.join(", ")
        );
        Failure::of(COMMAND, &said.argument, message)
    }
}
