//! The helix: every view is an orthographic projection of (cos, sin, pos), and the three preset views are along the axes.

use super::curves::omega;
use super::query::{angle, distance, picture, turned};
use super::{light, rgb};
use crate::recording::{Point, Recording};
use posenc::ViewName;

const LEN: usize = 40;

/// The points of the positions, in order: dots, and as there are none from the end, there the mark of each position.
fn dots(settings: &str) -> (Recording, Vec<Point>) {
    let settings = format!("max_len={LEN}&d_model=128&pair=4&{settings}");
    let at = |settings: &str| picture(ViewName::Helix, settings, 720.0);
    let it = at(&settings);
    let dots = it.discs(rgb(light().muted)).into_iter().map(|disc| disc.0);
    let mut dots: Vec<_> = dots.collect();
    if settings.contains("from=end") {
        assert!(dots.is_empty());
        let marked = |p| at(&format!("{settings}&k=0&pos={p}")).discs(rgb(light().here))[0].0;
        dots = (0..LEN).map(marked).collect();
    }
    assert_eq!(dots.len(), LEN);
    (it, dots)
}

fn wave(position: usize) -> (f64, f64) {
    let angle = position as f64 * omega(4, 128, 1e4);
    (angle.cos(), angle.sin())
}

/// The least-squares line y = a + b·x: its coefficients and the largest residual.
fn line(pairs: impl Iterator<Item = (f64, f64)>) -> (f64, f64, f64) {
    let pairs: Vec<_> = pairs.collect();
    let n = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
    let cross: f64 = pairs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let square: f64 = pairs.iter().map(|p| (p.0 - mx).powi(2)).sum();
    let b = cross / square;
    let a = my - b * mx;
    let worst = pairs.iter().map(|p| (a + b * p.0 - p.1).abs());
    (a, b, worst.fold(0.0, f64::max))
}

#[test]
fn three_views_are_the_dial_the_sine_and_the_cosine() {
    let at = |from: &str| dots(&format!("from={from}")).1;
    let end = at("end");
    let across = |dots: &[Point], of: fn((f64, f64), usize) -> f64| {
        line((0..LEN).map(|p| (of(wave(p), p), dots[p].0)))
    };
    let up = |dots: &[Point], of: fn((f64, f64), usize) -> f64| {
        line((0..LEN).map(|p| (of(wave(p), p), -dots[p].1)))
    };
    let (_, right, off) = across(&end, |wave, _| wave.0);
    let (_, high, off_too) = up(&end, |wave, _| wave.1);
    assert!(off.max(off_too) < 0.3, "{off} {off_too}");
    assert!(right > 30.0 && (right - high).abs() < 0.1, "{right} {high}");
    for (from, of) in [("side", 1), ("above", 0)] {
        let seen = at(from);
        let (_, step, off) = across(&seen, |_, position| position as f64);
        let (_, high, off_too) = match of {
            1 => up(&seen, |wave, _| wave.1),
            _ => up(&seen, |wave, _| wave.0),
        };
        assert!(off.max(off_too) < 0.3, "{from}: {off} {off_too}");
        assert!(step > 5.0 && high > 30.0, "{from}: {step} {high}");
    }
}

/// Four points determine a parallel projection; all others must match it.
#[test]
fn every_view_is_a_parallel_projection_of_the_helix() {
    for settings in ["", "yaw=-130&pitch=-40", "yaw=10&pitch=75"] {
        let (_, dots) = dots(settings);
        let place = |p: usize| {
            let (cosine, sine) = wave(p);
            [1.0, cosine, sine, p as f64]
        };
        let known = [0, 3, 7, 20].map(place);
        for p in 0..LEN {
            // The weights that combine the four into this point, by Cramer's rule.
            let whole = determinant(known);
            let mut seen = (0.0, 0.0);
            for (i, of) in [0, 3, 7, 20].into_iter().enumerate() {
                let mut other = known;
                other[i] = place(p);
                let weight = determinant(other) / whole;
                seen.0 += weight * dots[of].0;
                seen.1 += weight * dots[of].1;
            }
            assert!(distance(seen, dots[p]) < 1.5, "{settings}, {p}");
        }
    }
}

fn determinant(rows: [[f64; 4]; 4]) -> f64 {
    let minor = |column: usize| {
        let m: Vec<Vec<f64>> = rows[1..]
            .iter()
            .map(|row| (0..4).filter(|c| *c != column).map(|c| row[c]).collect())
            .collect();
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
            - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let sign = |column: usize| if column.is_multiple_of(2) { 1.0 } else { -1.0 };
    (0..4)
        .map(|column| sign(column) * rows[0][column] * minor(column))
        .sum()
}

/// A shift by k: from the point of pos to that of pos + k; in the end view a rotation by k·ω in its own direction.
#[test]
fn a_shift_is_a_screw() {
    for (pos, k) in [(10, 3), (20, -7), (5, 0)] {
        for view in ["from=end", "from=side", ""] {
            let (it, dots) = dots(&format!("{view}&pos={pos}&k={k}"));
            let marks = [light().here, light().there].map(|colour| it.discs(rgb(colour)));
            let target = usize::try_from(pos + k).unwrap();
            let (here, there) = (marks[0][0].0, marks[1][0].0);
            assert!(distance(here, dots[usize::try_from(pos).unwrap()]) < 0.3);
            assert!(distance(there, dots[target]) < 0.3);
            let Some(trace) = it.curves(rgb(light().there)).first().copied() else {
                assert_eq!(k, 0);
                continue;
            };
            assert!(distance(trace[0], here) < 0.3);
            assert!(distance(*trace.last().unwrap(), there) < 0.3);
            if view != "from=end" {
                continue;
            }
            let (left, right) = (dots[0].0, dots.iter().map(|d| d.0).fold(f64::MAX, f64::min));
            let centre = (0.5 * (left + right), dots[0].1);
            let turn = turned(centre, trace);
            let wanted = f64::from(k) * omega(4, 128, 1e4);
            assert!((turn - wanted).abs() < 0.05, "{turn} for {wanted}");
            assert!((angle(centre, here).cos() - wave(pos as usize).0).abs() < 0.05);
        }
    }
}
