//! The command line: writes figures and tables to files with the same code as in a browser, inspects tables,
//! and trains small models.

mod figure;
mod inspect;
mod output;
mod rope_part;
mod settings;
mod table;
mod table_file;
mod train;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// Positional encodings as files: the figures of the Positional Encoding Explorer and its tables; and what a layer of
/// attention learns with each; and what is wrong with a table of your own.
///
/// The page itself, where the figures move, runs in a browser: a release has it as one file, posenc-VERSION.html;
/// in the sources scripts/serve builds it and serves it on http://127.0.0.1:8080/
#[derive(Parser)]
#[command(name = "posenc", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Figure(figure::Figure),
    Inspect(inspect::Inspect),
    Table(table::Table),
    Train(train::Train),
}

/// The reason why the output was not written, or not completely.
enum Failure {
    /// Invalid arguments or input: exit code 2, and nothing was written.
    Usage(clap::Error),
    /// An error while writing the output: exit code 1.
    Writing(String, io::Error),
}

impl Failure {
    /// A usage error whose message begins with the argument that it is about.
    fn of(subcommand: &str, argument: &str, message: impl Display) -> Failure {
        let mut cli = Cli::command();
        cli.build();
        let message = format!("{argument}: {message}");
        let error = match cli.find_subcommand_mut(subcommand) {
            Some(command) => command.error(ErrorKind::ValueValidation, message),
            None => cli.error(ErrorKind::ValueValidation, message),
        };
        Failure::Usage(error)
    }
}

/// Runs the command of these arguments, the first of which is the program's own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let done = match Cli::try_parse_from(arguments) {
        Err(error) => Err(Failure::Usage(error)),
        Ok(Cli { command }) => match command {
            Some(Command::Figure(figure)) => figure.write().map(|()| ExitCode::SUCCESS),
            Some(Command::Inspect(inspect)) => inspect.write(),
            Some(Command::Table(table)) => table.write().map(|()| ExitCode::SUCCESS),
            Some(Command::Train(train)) => train.write().map(|()| ExitCode::SUCCESS),
            None => {
                // If printing fails, the failure cannot be reported either.
                let _ = Cli::command().print_long_help();
                Ok(ExitCode::SUCCESS)
            }
        },
    };
    match done {
        Ok(code) => code,
        Err(Failure::Usage(error)) => {
            let _ = error.print();
            ExitCode::from(error.exit_code() as u8)
        }
        Err(Failure::Writing(place, error)) => {
            eprintln!("error: {place} cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}
