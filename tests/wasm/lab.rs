//! Training in the browser has the same losses as natively, bit for bit.

use posenc_lab::{Encoding, Trainer, TrainerConfig};
use wasm_bindgen_test::wasm_bindgen_test;

/// Encoding, seed, and the bits of the losses at steps 1, 30 and 60, from a native run of `crates/lab/tests/training`.
const LOSSES: &str = include_str!("../../crates/lab/tests/reference/losses.tsv");

#[wasm_bindgen_test]
fn losses_are_those_of_a_native_run_bit_for_bit() {
    let mut encodings = 0;
    for line in LOSSES.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let encoding = Encoding::named(fields[0]).unwrap();
        let config = TrainerConfig::copy(3, encoding, fields[1].parse().unwrap());
        let mut trainer = Trainer::new(config);
        let losses: Vec<f64> = (0..60).map(|_| trainer.advance().loss).collect();
        let bits = [0, 29, 59].map(|step| format!("{:016x}", losses[step].to_bits()));
        assert_eq!(fields[2..], bits, "{}", fields[0]);
        encodings += 1;
    }
    assert_eq!(encodings, Encoding::ALL.len());
}
