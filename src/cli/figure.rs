//! `posenc figure`

use super::Failure;
use super::output::Output;
use super::settings::{self, FigureSettings, GivenSetting};
use crate::export::{
    Animation, Pixels, Rasterizer, bench_svg, code_svg, figure_svg, formula_svg, svg,
};
use crate::field::{SettingId, Values, ViewName, own_figure};
use crate::figures::AnyFigure;
use crate::figures::bench::BenchFigure;
use crate::figures::bench::model::Model;
use crate::figures::bench::words;
use crate::text::Lang;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::fmt::Display;
use std::io::{self, IsTerminal};

const COMMAND: &str = "figure";

/// Draws a figure as .svg or .png, or moving as .gif or .png
///
/// The settings are those of the page and of its links, their defaults those of the bench. A figure of the lesson takes
/// the settings that it has, with defaults of its own, and further fields by --set, as its link writes them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  posenc figure heatmap --d-model 512 --max-len 50 -o heatmap.svg
  posenc figure rotation --k 7 --lang zh --theme dark -o rotation.svg
  posenc figure rotation --sweep k=0..12 -o turn.gif
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
    /// One frame for each value, written as .gif or, with all colours, as moving .png; FIELD is a setting of the figure
    #[arg(long, value_name = "FIELD=FROM..TO[:STEP]", value_parser = Sweep::parse)]
    sweep: Option<Sweep>,
    /// How long each frame of a sweep is shown, in milliseconds: 20 … 10000; 400 by default
    #[arg(long, value_name = "MS", requires = "sweep", value_parser = delay)]
    delay: Option<u16>,
    #[command(flatten)]
    output: Output,
}

impl ValueEnum for ViewName {
    fn value_variants<'a>() -> &'a [ViewName] {
        ViewName::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let former = ViewName::FORMER.iter().filter(|it| it.1 == self.name());
        let value = PossibleValue::new(self.name()).help(self.title().en);
        Some(value.aliases(former.map(|it| it.0)))
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

fn delay(text: &str) -> Result<u16, &'static str> {
    match text.parse() {
        Ok(delay @ 20..=10000) => Ok(delay),
        _ => Err("a whole number from 20 to 10000"),
    }
}

/// The maximum number of frames of a sweep; all are held in memory at once.
const MAX_FRAMES: f64 = 500.0;

/// A setting, and its value in each frame.
#[derive(Clone, Debug, PartialEq)]
struct Sweep {
    name: String,
    values: Vec<String>,
}

impl Sweep {
    /// Parses `k=0..12` and `base=100..1000:50`; the values descend if the second number is the smaller one.
    fn parse(text: &str) -> Result<Sweep, String> {
        const FORM: &str = "a sweep is FIELD=FROM..TO or FIELD=FROM..TO:STEP";
        let (name, range) = text.split_once('=').ok_or(FORM)?;
        let (range, step) = range.split_once(':').unwrap_or((range, "1"));
        let (from, to) = range.split_once("..").ok_or(FORM)?;
        let number = |text: &str| text.parse().ok().filter(|v: &f64| v.is_finite());
        let (Some(from), Some(to), Some(step)) = (number(from), number(to), number(step)) else {
            return Err(FORM.into());
        };
        if step <= 0.0 {
            return Err("STEP is above 0".into());
        }
        // Steps such as 0.1 are not exact in binary.
        let steps = ((to - from).abs() / step + 1e-9).floor();
        if steps >= MAX_FRAMES {
            return Err(format!("a sweep has at most {MAX_FRAMES} frames"));
        }
        let value = |i: u32| from + f64::from(i) * step.copysign(to - from);
        let round = |value: f64| (value * 1e9).round() / 1e9;
        Ok(Sweep {
            name: name.replace('-', "_"),
            values: (0..=steps as u32)
                .map(|i| round(value(i)).to_string())
                .collect(),
        })
    }
}

/// The file format, determined by the file name extension.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Svg,
    Png,
    Gif,
}

impl Figure {
    pub(super) fn write(self) -> Result<(), Failure> {
        let bytes = match (&self.sweep, self.kind()?) {
            (None, Kind::Svg) => self.draw(None)?.into_bytes(),
            (None, Kind::Png) => {
                let picture = rasterize(&rasterizer()?, &self.draw(None)?)?;
                picture
                    .png()
                    .ok_or_else(|| of_output("the picture cannot be packed"))?
            }
            (Some(sweep), kind @ (Kind::Png | Kind::Gif)) => self.animate(sweep, kind)?,
            (None, Kind::Gif) => {
                let words = "a .gif is for moving pictures: say --sweep, or write .svg or .png";
                return Err(of_output(words));
            }
            (Some(_), Kind::Svg) => return Err(of_output("a sweep is written as .gif or .png")),
        };
        self.output.write(std::iter::once(bytes))
    }

    fn kind(&self) -> Result<Kind, Failure> {
        let end = self.output.output.extension().unwrap_or_default();
        Ok(match end.to_ascii_lowercase().to_str() {
            Some("png") => Kind::Png,
            Some("gif") => Kind::Gif,
            Some("svg" | "") => Kind::Svg,
            _ => {
                let name = self.output.output.display();
                let message = format!("'{name}' ends in none of .svg, .png and .gif");
                return Err(of_output(message));
            }
        })
    }

    /// Draws one frame for each value, shows the progress on a terminal, and encodes the file once all frames are drawn.
    fn animate(&self, sweep: &Sweep, kind: Kind) -> Result<Vec<u8>, Failure> {
        let rasterizer = rasterizer()?;
        let shows = io::stderr().is_terminal();
        let mut frames = Vec::new();
        for (i, value) in sweep.values.iter().enumerate() {
            if shows {
                eprint!("\r{} of {} frames", i + 1, sweep.values.len());
            }
            let said = GivenSetting {
                name: sweep.name.clone(),
                value: value.clone(),
                argument: "--sweep".into(),
            };
            frames.push(rasterize(&rasterizer, &self.draw(Some(said))?)?);
        }
        if shows {
            eprintln!();
        }
        let animation = Animation::new(frames, self.delay.unwrap_or(400));
        let animation = animation.ok_or_else(|| of_output("there is no frame"))?;
        match kind {
            Kind::Gif => animation.gif().map_err(of_output),
            Kind::Png | Kind::Svg => animation.apng().map_err(of_output),
        }
    }

    /// All settings given on the command line: options, then fields of `--set`, then the setting of the sweep.
    fn said(&self, moving: Option<&GivenSetting>) -> Vec<GivenSetting> {
        let options = self.settings.0.iter().cloned();
        let fields = self.set.iter().map(|(name, value)| GivenSetting {
            name: name.clone(),
            value: value.clone(),
            argument: format!("--set {name}"),
        });
        options.chain(fields).chain(moving.cloned()).collect()
    }

    /// The picture as SVG; `moving` overrides what the arguments say about its setting.
    fn draw(&self, moving: Option<GivenSetting>) -> Result<String, Failure> {
        let said = self.said(moving.as_ref());
        match crate::figures::fields(self.name) {
            Some(fields) if !self.name.is_of_bench() => self.draw_figure(Values::new(fields), said),
            _ => self.draw_bench(said),
        }
    }

    fn draw_bench(&self, said: Vec<GivenSetting>) -> Result<String, Failure> {
        let known =
            |said: &&GivenSetting| SettingId::named(&said.name).is_some_and(settings::of_figures);
        if let Some(said) = said.iter().find(|said| !known(said)) {
            let keys = SettingId::ALL
                .iter()
                .filter(|key| settings::of_figures(**key));
            return Err(self.unknown(said, keys.map(|key| key.name())));
        }
        let state = settings::state(COMMAND, &said)?;
        let model = Model::without_transients(&state, Lang::En);
        if let Some(words) = words::unavailable_message(&model, self.name)
            && !model.shows_biases(self.name)
        {
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

    fn draw_figure(&self, mut values: Values, said: Vec<GivenSetting>) -> Result<String, Failure> {
        if self.height.is_some() {
            let message = format!("{} is as high as its width asks for", self.name.name());
            return Err(Failure::of(COMMAND, "--height", message));
        }
        let of_page = |said: &GivenSetting| ["lang", "theme"].contains(&said.name.as_str());
        let (page, said): (Vec<_>, Vec<_>) = said.into_iter().partition(of_page);
        let state = settings::state(COMMAND, &page)?;
        if let Some(said) = said.iter().find(|said| !values.has(&said.name)) {
            let names = values.public().map(|field| field.name);
            return Err(self.unknown(said, names));
        }
        // In the order of declaration: the limits of a field may depend on those before it.
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

    fn unknown(&self, said: &GivenSetting, names: impl Iterator<Item = &'static str>) -> Failure {
        let names: Vec<_> = names.collect();
        let message = format!(
            "{} has no such setting; it has {}",
            self.name.name(),
            names.join(", ")
        );
        Failure::of(COMMAND, &said.argument, message)
    }
}

fn of_output(words: impl Display) -> Failure {
    Failure::of(COMMAND, "--output", words)
}

fn rasterizer() -> Result<Rasterizer, Failure> {
    Rasterizer::new().ok_or_else(|| {
        of_output("no fonts are installed, and all words would be missing; write .svg")
    })
}

fn rasterize(rasterizer: &Rasterizer, svg: &str) -> Result<Pixels, Failure> {
    let picture = rasterizer.draw(svg);
    picture.ok_or_else(|| of_output("this is a formula, which only .svg can hold"))
}
