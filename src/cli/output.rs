//! The output file of a command.

use super::Failure;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Output {
    /// The file to write, instead of any of this name; - is the standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

impl Output {
    fn is_standard(&self) -> bool {
        self.output == Path::new("-")
    }

    /// Writes the parts, which are computed one after the other.
    pub fn write(&self, parts: impl Iterator<Item = Vec<u8>>) -> Result<(), Failure> {
        let written = if self.is_standard() {
            match write_to(io::stdout().lock(), parts) {
                // The reader has closed the pipe early, which is not an error.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                written => written,
            }
        } else {
            File::create(&self.output).and_then(|file| write_to(file, parts))
        };
        written.map_err(|error| Failure::Writing(self.output.display().to_string(), error))
    }
}

fn write_to(mut to: impl Write, parts: impl Iterator<Item = Vec<u8>>) -> io::Result<()> {
    for part in parts {
        to.write_all(&part)?;
    }
    to.flush()
}
