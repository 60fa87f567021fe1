//! Damaged and malicious files: each is read or rejected, without a panic.

use std::fs;
use std::path::Path;

use posenc_inspect::{
    Inspector, NpyHeader, SafetensorsHeader, Storage, Table, detect_format, read,
};

/// A small generator of pseudorandom numbers (xorshift), so that failures are reproducible.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Returns the first 1200 bytes of the files in the corpus.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for folder in ["../../tests/corpus/tables", "../../tests/corpus/files"] {
        for entry in fs::read_dir(Path::new(folder)).unwrap() {
            let mut bytes = fs::read(entry.unwrap().path()).unwrap();
            bytes.truncate(1200);
            seeds.push(bytes);
        }
    }
    seeds
}

/// Damages a file: truncates it, changes or duplicates bytes, or inserts or overwrites with words that a format interprets.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    const WORDS: [&[u8]; 12] = [
        b"(4294967296, 4294967297)",
        b"'shape': (-1, 2)",
        b"99999999999999999999",
        b"fortran_order': True",
        b"'<f2'",
        b"'>f8'",
        b"\"data_offsets\":[0,18446744073709551615]",
        b"[[[[[[[[[[[[[[[[[[[[",
        b"\\u0000",
        b"nan",
        b"\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"1e999",
    ];
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes.truncate(at),
            1 if !bytes.is_empty() => bytes[at] = random.next() as u8,
            2 => {
                let word = WORDS[random.below(WORDS.len())];
                bytes.splice(at..at, word.iter().copied());
            }
            3 => {
                let word = WORDS[random.below(WORDS.len())];
                let end = (at + word.len()).min(bytes.len());
                bytes.splice(at..end, word.iter().copied());
            }
            _ => {
                let end = (at + random.below(40)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
}

#[test]
fn damaged_files_are_read_or_refused() {
    let seeds = seeds();
    assert!(seeds.len() > 50);
    let mut random = Random(0x5eed);
    let mut readable = 0;
    for round in 0..20_000 {
        let mut bytes = seeds[round % seeds.len()].clone();
        damage(&mut bytes, &mut random);
        let _ = detect_format(&bytes);
        let _ = NpyHeader::parse(&bytes).and_then(|it| it.range());
        let _ = SafetensorsHeader::parse(&bytes, bytes.len() as u64).map(|it| it.candidates());
        if let Ok(table) = read(&bytes, None) {
            readable += 1;
            // An inspection takes some milliseconds: a sample is enough.
            if readable % 200 == 0 {
                Inspector::new(table).run();
            }
        }
    }
    assert!(readable > 1000, "{readable}");
}

/// Extreme numbers in tables of random small sizes.
#[test]
fn any_numbers_are_inspected() {
    const NUMBERS: [f64; 10] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e308,
        5e-324,
        0.5,
    ];
    let mut random = Random(0xf00d);
    for round in 0..60 {
        let (rows, columns) = (1 + random.below(7), 1 + random.below(9));
        let some = 1 + random.below(NUMBERS.len());
        let values = (0..rows * columns).map(|_| NUMBERS[random.below(some)]);
        let storage = Storage::Text {
            decimals: (round % 20) as u32,
            digits: (round % 7) as u32,
        };
        let table = Table::new((rows, columns), values.collect(), storage).unwrap();
        let report = Inspector::new(table).run();
        assert!(!report.findings.is_empty());
    }
}

#[test]
fn the_kept_files_are_refused_with_a_reason() {
    let mut refused = 0;
    for entry in fs::read_dir("../../tests/corpus/files").unwrap() {
        let path = entry.unwrap().path();
        let fault = read(&fs::read(&path).unwrap(), None).unwrap_err();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let expected = name.split('-').next().unwrap();
        let found = format!("{fault:?}");
        assert!(
            found.to_lowercase().starts_with(expected),
            "{name}: {found}"
        );
        refused += 1;
    }
    assert!(refused >= 15, "{refused}");
}
