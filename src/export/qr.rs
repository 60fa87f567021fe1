//! QR codes of addresses (ISO/IEC 18004), as a path for SVG.

use qrcodegen::{QrCode, QrCodeEcc, QrSegment, Version};
use std::fmt::Write;

/// The version of the largest symbol that is drawn. Version 25 has 117 modules per side and holds 1273 bytes; at 60 mm
/// on paper or 350 pixels on a screen, a phone can still resolve its modules. The standard defines versions up to 40.
const LARGEST: u8 = 25;

/// The width of the quiet zone on each side that the standard requires, in modules.
const QUIET: i32 = 4;

/// A QR code with its quiet zone, in units of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct QrPath {
    /// Width and height with the quiet zone.
    pub side: i32,
    /// `d` of an SVG path that fills the dark modules.
    pub path: String,
}

/// The QR code of `text`; `None` if that is too long for a code that can be read from a screen or from paper. The level
/// of error correction is the highest that does not need a larger symbol.
pub fn qr_path(text: &str) -> Option<QrPath> {
    let segments = [QrSegment::make_bytes(text.as_bytes())];
    let code = QrCode::encode_segments_advanced(
        &segments,
        QrCodeEcc::Low,
        Version::MIN,
        Version::new(LARGEST),
        None,
        true,
    );
    let code = code.ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let begun = x;
            while code.get_module(x, y) {
                x += 1;
            }
            let run = x - begun;
            if run > 0 {
                // Writing to a string does not fail.
                let _ = write!(path, "M{},{}h{run}v1h-{run}z", begun + QUIET, y + QUIET);
            }
            x += 1;
        }
    }
    Some(QrPath {
        side: code.size() + 2 * QUIET,
        path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modules that the path fills, row by row with the quiet zone.
    fn filled(code: &QrPath) -> Vec<Vec<bool>> {
        let side = code.side as usize;
        let mut modules = vec![vec![false; side]; side];
        for run in code.path.split('M').skip(1) {
            let (from, rest) = run.split_once('h').unwrap();
            let (x, y) = from.split_once(',').unwrap();
            let length: usize = rest.split_once('v').unwrap().0.parse().unwrap();
            assert_eq!(rest, format!("{length}v1h-{length}z"));
            let x: usize = x.parse().unwrap();
            modules[y.parse::<usize>().unwrap()][x..x + length].fill(true);
        }
        modules
    }

    #[test]
    fn finders_stand_in_three_corners_of_a_quiet_zone() {
        let code = qr_path("https://example.org/posenc/#k=7").unwrap();
        let modules = filled(&code);
        let side = code.side as usize;
        // 31 bytes: version 2 holds 32 at level L.
        assert_eq!(code.side, 25 + 8);
        for (at, row) in modules.iter().enumerate() {
            for (across, dark) in row.iter().enumerate() {
                let quiet = |place: usize| !(4..side - 4).contains(&place);
                assert!(!(quiet(at) || quiet(across)) || !dark, "{at}, {across}");
            }
        }
        // 1 : 1 : 3 : 1 : 1 through the middle of each finder.
        for (y, x) in [(7, 4), (7, side - 11), (side - 8, 4)] {
            let row: Vec<bool> = modules[y][x..x + 7].to_vec();
            assert_eq!(row, [true, false, true, true, true, false, true]);
        }
    }

    #[test]
    fn what_is_too_long_has_no_code() {
        assert_eq!(qr_path(&"x".repeat(1273)).unwrap().side, 117 + 8);
        assert_eq!(qr_path(&"x".repeat(1274)), None);
        assert!(qr_path("").is_some() && qr_path("链接").is_some());
    }
}
