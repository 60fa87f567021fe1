//! The computation by hand: embedding, encoding and their sum as arrows in the plane of each pair, cosine across and sine
//! up.

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
        assert_eq!(planes.len(), 2);
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

/// The axes of each plane are the two dimensions of its pair, and a changed embedding moves in its own plane.
#[test]
fn a_plane_holds_the_two_dimensions_of_its_pair() {
    let it = picture(ViewName::ByHand, "step=6&x02=-1.5&x03=2", 720.0);
    let planes = plots(&it);
    for (pair, plane) in planes.iter().enumerate() {
        let (sine, cosine) = (2 * pair, 2 * pair + 1);
        let up = it.words(&format!("dimension {sine}, sine"));
        let across = it.words(&format!("dimension {cosine}, cosine"));
        assert!(up.upwards && !across.upwards);
        assert!((across.at.0 - super::query::middle(plane.rect).0).abs() < 0.5);
        assert!(up.at.0 < plane.rect.x && (pair == 0 || up.at.0 > planes[0].rect.right()));
    }
    let word = [planes[0].point((0.2, 0.1)), planes[1].point((2.0, -1.5))];
    for (plane, word) in planes.iter().zip(word) {
        let origin = plane.point((0.0, 0.0));
        assert!(leads(&it, rgb(light().muted), [origin, word]));
    }
}
