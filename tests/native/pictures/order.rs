//! The figure about word order: the signs between outputs, and the weights behind them.

use super::query::picture;
use super::{light, rgb};
use crate::recording::{Bitmap, Recording, Rgb};
use posenc::ViewName;

/// The tokens of a row, from left to right.
fn row(picture: &Recording, y: f64) -> Vec<String> {
    let mut found: Vec<_> = picture
        .texts()
        .filter(|words| words.bold && (words.at.1 - y).abs() < 0.5)
        .collect();
    found.sort_by(|a, b| a.at.0.total_cmp(&b.at.0));
    found.into_iter().map(|words| words.text.clone()).collect()
}

/// The strips of outputs: above and below.
fn strips(picture: &Recording) -> [&Bitmap; 2] {
    let images = picture.images();
    [images[0], images[2]]
}

fn column(image: &Bitmap, column: usize) -> Vec<Rgb> {
    (0..image.rows)
        .map(|row| image.pixel(column, row))
        .collect()
}

/// Each place in the second order, with the place of its token in the first, and its sign.
fn links(it: &Recording) -> Vec<(usize, usize, String)> {
    let [above, below] = strips(it);
    let under = |image: &Bitmap| {
        let tokens = it
            .texts()
            .filter(|words| words.bold && !words.upwards && words.at.1 > image.rect.bottom());
        tokens.map(|words| words.at.1).fold(f64::INFINITY, f64::min)
    };
    let over = |image: &Bitmap| {
        let tokens = it.texts().filter(|words| {
            words.bold
                && matches!(words.h, plotters_backend::text_anchor::HPos::Center)
                && words.at.1 < image.rect.y
        });
        tokens
            .map(|words| words.at.1)
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let (first, second) = (row(it, over(above)), row(it, under(below)));
    let count = above.columns;
    assert_eq!(first.len(), count, "{first:?}");
    assert_eq!(second.len(), count, "{second:?}");
    let signs = it.texts().filter(|words| matches!(&*words.text, "=" | "≠"));
    let mut links = Vec::new();
    for sign in signs.filter(|sign| sign.at.0 < below.rect.right()) {
        let place = ((sign.at.0 - below.rect.x) / below.rect.width * count as f64) as usize;
        // Equal tokens keep their order.
        let token = &second[place];
        let nth = second[..place]
            .iter()
            .filter(|other| *other == token)
            .count();
        let mut places = (0..count).filter(|&place| first[place] == *token);
        let from = places.nth(nth).unwrap();
        links.push((place, from, sign.text.clone()));
    }
    assert_eq!(links.len(), count);
    links
}

#[test]
fn signs_say_whether_outputs_are_equal() {
    let mut seen = [0, 0];
    for settings in [
        "",
        "pe=on",
        "causal=on",
        "pe=on&causal=on",
        "words=a b c d&order=2,0,1,3",
        "words=a b c d&causal=on",
    ] {
        let it = picture(ViewName::Order, settings, 720.0);
        let [above, below] = strips(&it);
        for (place, from, sign) in links(&it) {
            let equal = column(above, from) == column(below, place);
            assert_eq!(sign == "=", equal, "{settings}: {sign} at {place}");
            seen[usize::from(equal)] += 1;
            // The colour of the sign, and a line between the two places.
            let colour = rgb(light().series[usize::from(!equal)]);
            let words = it.texts().find(|words| words.text == sign).unwrap();
            assert_eq!(words.rgb, colour);
            let x = |image: &Bitmap, column: usize| image.cell(column, 0).0;
            let lines = it.paths(colour);
            let near = |a: f64, b: f64| (a - b).abs() < 2.0;
            assert!(
                lines
                    .iter()
                    .any(|(line, _)| near(line[0].0, x(above, from))),
                "{settings}: no line from {from}"
            );
        }
    }
    assert!(seen.iter().all(|&count| count > 3), "{seen:?}");
}

/// Without positions, attention is permutation-equivariant (Lee et al. 2019): all signs are equals signs.
#[test]
fn without_positions_the_order_does_not_matter() {
    let signs = |settings: &str| -> Vec<String> {
        links(&picture(ViewName::Order, settings, 720.0))
            .into_iter()
            .map(|(.., sign)| sign)
            .collect()
    };
    assert!(signs("").iter().all(|sign| sign == "="));
    assert!(signs("pe=on").iter().any(|sign| sign == "≠"));
}

/// The same order twice is no finding.
#[test]
fn one_and_the_same_order_has_no_signs() {
    let it = picture(ViewName::Order, "order=abcde", 720.0);
    assert!(!it.texts().any(|words| matches!(&*words.text, "=" | "≠")));
}
