//! The settings of the page as options: `d_model` is `--d-model`.

use super::Failure;
use crate::field::{Diagnostic, DiagnosticKind, Kind, SettingId, State};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

/// A setting given on the command line.
#[derive(Clone)]
pub struct GivenSetting {
    pub name: String,
    pub value: String,
    /// The argument that gives the setting.
    pub argument: String,
}

/// The settings that a figure depends on: all but the view, which is an argument of its own, and
/// the hidden controls.
pub struct FigureSettings(pub Vec<GivenSetting>);

/// The settings that a table depends on.
pub struct TableSettings(pub Vec<GivenSetting>);

pub fn of_figures(key: SettingId) -> bool {
    !matches!(key, SettingId::View | SettingId::Hide)
}

fn of_tables(key: SettingId) -> bool {
    use SettingId::*;
    matches!(key, Encoding | DModel | MaxLen | Base | Layout)
}

macro_rules! options {
    ($settings:ident $keys:ident) => {
        impl Args for $settings {
            fn augment_args(command: Command) -> Command {
                command.args(SettingId::ALL.iter().filter(|key| $keys(**key)).map(option))
            }

            fn augment_args_for_update(command: Command) -> Command {
                $settings::augment_args(command)
            }
        }

        impl FromArgMatches for $settings {
            fn from_arg_matches(matches: &ArgMatches) -> Result<$settings, clap::Error> {
                let said = SettingId::ALL
                    .iter()
                    .filter(|key| $keys(**key))
                    .filter_map(|key| {
                        let value: &String = matches.get_one(key.name())?;
                        Some(GivenSetting {
                            name: key.name().to_string(),
                            value: value.clone(),
                            argument: format!("--{}", kebab(key.name())),
                        })
                    });
                Ok($settings(said.collect()))
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = $settings::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

options!(FigureSettings of_figures);
options!(TableSettings of_tables);

fn kebab(name: &str) -> String {
    name.replace('_', "-")
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn option(key: &SettingId) -> Arg {
    let field = key.field();
    // The default of a page comes from its browser; a command has none.
    let meaning = field.meaning().split("; by default").next();
    let meaning = capitalised(meaning.unwrap_or_default());
    let option = Arg::new(field.name)
        .long(kebab(field.name))
        .value_name(field.name.to_uppercase())
        .allow_negative_numbers(true);
    match &field.kind {
        Kind::Choice(choices) | Kind::OptionalChoice { choices, .. } => {
            option.help(meaning).value_parser(PossibleValuesParser::new(
                choices.iter().map(|(name, _)| *name),
            ))
        }
        _ => {
            let allowed = plain(&field.range());
            let default = State::default().text(*key);
            let help = match default.as_str() {
                "" => format!("{meaning}: {allowed}"),
                default => format!("{meaning}: {allowed}; {default} by default"),
            };
            option.help(help)
        }
    }
}

/// A description of valid values, without Markdown.
fn plain(range: &str) -> String {
    range.replace('`', "")
}

/// The state with these settings; the last value of a repeated setting counts.
pub fn state(subcommand: &str, said: &[GivenSetting]) -> Result<State, Failure> {
    let mut state = State::default();
    for &key in SettingId::ALL {
        let Some(said) = said.iter().rev().find(|said| said.name == key.name()) else {
            continue;
        };
        if let Some(problem) = state.apply(key, &said.value) {
            let allowed = plain(&key.field().range_with(state.values()));
            return Err(refused(subcommand, said, &problem, &allowed));
        }
    }
    Ok(state)
}

/// The failure for an invalid value. The page uses the nearest valid value; a command reports the
/// problem and stops.
pub fn refused(
    subcommand: &str,
    said: &GivenSetting,
    problem: &Diagnostic,
    allowed: &str,
) -> Failure {
    let fault = match problem.kind {
        DiagnosticKind::NotANumber => "not a number",
        DiagnosticKind::NotAnInteger => "not a whole number",
        DiagnosticKind::OutOfRange => "out of range",
        DiagnosticKind::NotAnOption => "not one of the choices",
        DiagnosticKind::NotARange => "not of the form from-to",
        DiagnosticKind::Unknown => "no setting",
    };
    let message = format!("'{}' is {fault}: {allowed}", problem.input);
    Failure::of(subcommand, &said.argument, message)
}
