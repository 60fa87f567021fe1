//! The computation by hand: an angle with its sine and its cosine on the dial of a pair; embedding, encoding and their sum
//! as arrows in the plane of pair 0, cosine across and sine up.

use super::axes::plots;
use super::curves::omega;
use super::query::{distance, picture};
use super::{light, rgb};
use crate::recording::{Point, Recording, Rgb};
use posenc::ViewName;

/// The initial embeddings, 0.1 … 1.2.
fn embedding(token: usize, dimension: usize) -> f64 {
    (4 * token + dimension + 1) as f64 / 10.0
}

/// Whether an arrow or a line of a colour connects two points.
fn leads(it: &Recording, colour: Rgb, ends: [Point; 2]) -> bool {
    let near =
        |from: Point, to: Point| distance(from, ends[0]) < 0.5 && distance(to, ends[1]) < 0.5;
    let lines = it.paths(colour).into_iter();
    let mut lines = lines.map(|(line, _)| (line[0], line[line.len() - 1]));
    it.arrows(colour).iter().any(|arrow| near(arrow.0, arrow.1)) || lines.any(|(a, b)| near(a, b))
}

#[test]
fn the_encoding_leads_from_the_embedding_to_the_sum() {
    let theme = light();
    for pos in 0..3 {
        // Two steps for the frequencies, then five for each position, the last of which is the sum.
        let it = picture(
            ViewName::ByHand,
            &format!("step={}", 2 + 5 * pos + 4),
            720.0,
        );
        let planes = plots(&it);
        assert_eq!(planes.len(), 1);
        for (pair, plane) in planes.iter().enumerate() {
            let angle = pos as f64 * omega(pair, 4, 1e4);
            let word = (embedding(pos, 2 * pair + 1), embedding(pos, 2 * pair));
            let sum = (word.0 + angle.cos(), word.1 + angle.sin());
            let [origin, from, to] = [(0.0, 0.0), word, sum].map(|point| plane.point(point));
            let corner = (to.0, from.1);
            for (colour, ends, what) in [
                (theme.muted, [origin, from], "embedding"),
                (theme.here, [from, to], "encoding"),
                (theme.series[0], [origin, to], "sum"),
            ] {
                assert!(
                    leads(&it, rgb(colour), ends),
                    "{what} of {pos}, pair {pair}"
                );
            }
            // Horizontally the cosine, vertically the sine; a side may be too short to be drawn as a line.
            for (colour, ends) in [(theme.cosine, [from, corner]), (theme.sine, [corner, to])] {
                assert!(leads(&it, rgb(colour), ends), "sides of {pos}, pair {pair}");
            }
            // At every position the encoding ends on a circle of radius 1.
            let unit = plane.point((1.0, 0.0)).0 - origin.0;
            let circles = it.curves(rgb(theme.rule));
            let around = |curve: &&[Point]| {
                curve
                    .iter()
                    .all(|p| (distance(*p, from) - unit).abs() < 0.5)
            };
            assert!(circles.iter().any(around), "circle of {pos}, pair {pair}");
            for token in (0..3).filter(|token| *token != pos) {
                let word = (embedding(token, 2 * pair + 1), embedding(token, 2 * pair));
                let dots = it.discs(rgb(theme.muted));
                let at = plane.point(word);
                // Words and results of earlier positions remain; later ones are not there yet.
                let dotted = dots.iter().any(|dot| distance(dot.0, at) < 0.5);
                assert_eq!(dotted, token < pos, "word {token}");
                let angle = token as f64 * omega(pair, 4, 1e4);
                let sum = plane.point((word.0 + angle.cos(), word.1 + angle.sin()));
                assert_eq!(leads(&it, rgb(theme.rule), [at, sum]), token < pos);
            }
        }
        let names = ["The", "cat", "sat"];
        let named = |text: &str| it.texts().any(|words| words.text.trim() == text);
        assert!(named(names[pos]) && named(&format!("+ PE({pos})")) && named("= input"));
    }
}

/// The axes of the plane are the two dimensions of pair 0, and a changed embedding moves in it.
#[test]
fn the_plane_holds_the_two_dimensions_of_pair_0() {
    let it = picture(ViewName::ByHand, "step=6&x00=-1.5&x01=2", 720.0);
    let plane = &plots(&it)[0];
    let up = it.words("dimension 0, sine");
    let across = it.words("dimension 1, cosine");
    assert!(up.upwards && !across.upwards && up.at.0 < plane.rect.x);
    assert!((across.at.0 - super::query::middle(plane.rect).0).abs() < 0.5);
    let [origin, word] = [(0.0, 0.0), (2.0, -1.5)].map(|point| plane.point(point));
    assert!(leads(&it, rgb(light().muted), [origin, word]));
}

/// The hand ends at the angle, its height is the sine and its reach across the cosine, each beside its number.
#[test]
fn the_dial_shows_the_two_entries_of_a_pair() {
    let theme = light();
    for (pos, pair) in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1)] {
        let step = 2 + 5 * pos + 1 + pair;
        let it = picture(ViewName::ByHand, &format!("step={step}"), 360.0);
        let rim = it
            .rings()
            .into_iter()
            .find(|ring| ring.2 == rgb(theme.rule));
        let (centre, radius, _) = rim.expect("a circle");
        let angle = pos as f64 * omega(pair, 4, 1e4);
        let across = centre.0 + radius * angle.cos();
        let (foot, tip) = (
            (across, centre.1),
            (across, centre.1 - radius * angle.sin()),
        );
        assert!(
            leads(&it, rgb(theme.cosine), [centre, foot]),
            "{pos}, {pair}"
        );
        assert!(leads(&it, rgb(theme.sine), [foot, tip]), "{pos}, {pair}");
        assert!(leads(&it, rgb(theme.ink), [centre, tip]), "{pos}, {pair}");
        for (value, colour) in [(angle.sin(), theme.sine), (angle.cos(), theme.cosine)] {
            let said = format!("{value:.5}").replace('-', "−");
            let number = it.texts().find(|words| words.text == said);
            assert_eq!(number.map(|words| words.rgb), Some(rgb(colour)), "{said}");
        }
    }
}
