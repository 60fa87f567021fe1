//! The same seed gives the same losses, bit for bit.

use posenc_lab::{Encoding, Trainer, TrainerConfig};
use std::{env, fs};

const FILE: &str = "tests/reference/losses.tsv";

/// Returns a line for a short run: encoding, seed, and the bits of the losses of the steps 1, 30 and 60.
fn line(encoding: Encoding) -> String {
    const SEED: u64 = 17;
    let mut trainer = Trainer::new(TrainerConfig::copy(3, encoding, SEED));
    let losses: Vec<f64> = (0..60).map(|_| trainer.advance().loss).collect();
    let bits = [0, 29, 59].map(|step| format!("{:016x}", losses[step].to_bits()));
    format!("{}\t{SEED}\t{}\n", encoding.name(), bits.join("\t"))
}

#[test]
fn losses_are_the_same_bits_on_every_platform() {
    let lines: String = Encoding::ALL.into_iter().map(line).collect();
    if env::var_os("UPDATE").is_some() {
        fs::write(FILE, &lines).unwrap();
    }
    assert_eq!(lines, fs::read_to_string(FILE).unwrap());
}
