//! Beyond the trained length: published perplexities, and a sequence longer than its table.

use super::axes::charts;
use super::cells::{assert_cells, interleaved};
use super::curves::{assert_dot, dots};
use super::query::{distance, picture};
use super::{light, rgb};
use crate::recording::{Mark, Recording};
use posenc::{Rect, ViewName};

/// A model: its name in the legend, its training length, and its perplexity by test length.
type Measured = (&'static str, f64, &'static [(f64, f64)]);

/// Press, Smith and Lewis 2022, arXiv 2108.12409: a sinusoidal model trained on 512 tokens of WikiText-103 (appendix A), and
/// models of 1.3 billion parameters (figure 4 and its text), lengths as multiples of the training length.
const MEASURED: [Measured; 3] = [
    (
        "Sinusoidal, WikiText-103",
        512.0,
        &[
            (512.0, 20.05),
            (532.0, 19.91),
            (562.0, 19.91),
            (712.0, 24.86),
            (1012.0, 43.54),
        ],
    ),
    (
        "Sinusoidal, 1.3 billion parameters",
        1.0,
        &[(1.0, 9.71), (2.0, 37.05), (4.0, 105.42)],
    ),
    (
        "ALiBi, 1.3 billion parameters",
        1.0,
        &[(1.0, 9.79), (2.0, 9.30), (4.0, 9.54)],
    ),
];

#[test]
fn measured_perplexities_stand_at_their_published_values() {
    let it = picture(ViewName::Perplexity, "", 720.0);
    let plot = &charts(&it)[0];
    for (name, trained, points) in MEASURED {
        // The name in the legend has the colour of its curve, with a line of that colour beside it.
        let legend = it.words(name);
        let lines = it.paths(legend.rgb);
        let swatch = |(line, _): &(&[_], f64)| {
            let [from, to]: [(f64, f64); 2] = [line[0], line[line.len() - 1]];
            (from.1 - legend.at.1).abs() < 0.5 && to.0 < legend.at.0
        };
        assert!(lines.iter().any(swatch), "{name} has its line");
        assert_eq!(dots(&it, plot, legend.rgb).len(), points.len(), "{name}");
        for &(length, perplexity) in points {
            let point = (length / trained, perplexity);
            assert_dot(&it, plot, legend.rgb, point);
            let at = plot.point(point);
            let through = lines
                .iter()
                .any(|(line, _)| line.iter().any(|p| distance(*p, at) < 0.3));
            assert!(through, "{name}: no line through {point:?}");
        }
    }
    let (x, _) = plot.point((1.0, 10.0));
    assert!(it.upright_at(rgb(light().muted), x));
    let name = it.words("trained length");
    assert!((0.0..20.0).contains(&(name.at.0 - x)));
}

#[test]
fn only_the_trained_length_is_shown_before_a_prediction() {
    let it = picture(ViewName::Perplexity, "beyond=off", 720.0);
    let plot = &charts(&it)[0];
    for (name, trained, points) in MEASURED {
        let colour = it.words(name).rgb;
        let [(ratio, perplexity)] = dots(&it, plot, colour)[..] else {
            panic!("{name}")
        };
        assert!((ratio - points[0].0 / trained).abs() < 0.01, "{name}");
        assert!((perplexity / points[0].1 - 1.0).abs() < 0.01, "{name}");
    }
    assert!(it.says("20.05", plot.point((1.0, 20.05)), 25.0));
}

#[test]
fn the_selected_measurement_is_ringed_and_named_by_its_perplexity() {
    let all = MEASURED.iter().flat_map(|(name, trained, points)| {
        let ratio = move |point: &(f64, f64)| (name, (point.0 / trained, point.1));
        points.iter().map(ratio)
    });
    for (index, (name, point)) in all.enumerate() {
        let it = picture(ViewName::Perplexity, &format!("point={index}"), 720.0);
        let (plot, colour) = (&charts(&it)[0], it.words(name).rgb);
        let at = plot.point(point);
        let ringed = |ring: &(_, f64, _)| distance(ring.0, at) < 0.5 && ring.2 == colour;
        assert!(it.rings().iter().any(ringed), "{name} {point:?}");
        assert!(it.says(&format!("{:.2}", point.1), at, 25.0), "{point:?}");
    }
}

/// The strip of tokens: the spans of kept and dropped positions, in rows.
struct Tokens {
    kept: Vec<(f64, f64)>,
    gone: Vec<(f64, f64)>,
}

/// Reads the strip of tokens, in units of the table's row height.
fn tokens(it: &Recording, table: &Rect, row: f64) -> Tokens {
    let spans = |colour| {
        let fills = it.fills(rgb(colour)).into_iter();
        let fills = fills.filter(|(rect, paint)| {
            rect.right() < table.x && rect.height > 0.5 && (paint.alpha - 0.3).abs() < 0.01
        });
        let rows = fills.map(|(rect, _)| [rect.y, rect.bottom()].map(|y| (y - table.y) / row));
        rows.map(|[from, to]| (from, to)).collect()
    };
    Tokens {
        kept: spans(light().accent),
        gone: spans(light().wrong),
    }
}

fn assert_spans(what: &str, seen: &[(f64, f64)], wanted: &[(f64, f64)]) {
    let near = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0).abs().max((a.1 - b.1).abs()) < 0.05;
    let all = seen.iter().zip(wanted).all(|(a, b)| near(a, b));
    assert!(all && seen.len() == wanted.len(), "{what}: {seen:?}");
}

/// 48 tokens and a table of 32 rows: the last 16 have no row, or the first 16 are truncated, or 16 more rows are computed.
#[test]
fn tokens_beyond_the_table_are_the_ones_that_are_marked() {
    let span = |from: usize, to: usize| vec![(from as f64, to as f64)];
    for (way, rows, kept, gone, first_row) in [
        ("way=fail", 32, span(0, 32), span(32, 48), 0.0),
        ("way=truncate", 32, span(16, 48), span(0, 16), 0.0),
        ("way=compute", 48, span(0, 48), vec![], 0.0),
        ("way=compute&learned=on", 32, span(0, 32), span(32, 48), 0.0),
    ] {
        let it = picture(
            ViewName::Beyond,
            &format!("length=48&max_len=32&{way}"),
            720.0,
        );
        let table = it.grid(rows, 32);
        if !way.contains("learned") {
            let of = |position: usize, d| interleaved(position as f64, d, 32);
            assert_cells(table, (rows, 32), of);
        }
        let row = table.rect.height / rows as f64;
        let tokens = tokens(&it, &table.rect, row);
        assert_spans(way, &tokens.kept, &kept);
        assert_spans(way, &tokens.gone, &gone);
        // The kept tokens are connected to the same number of rows, from the first on.
        let lead = it.marks.iter().find_map(|mark| match mark {
            Mark::Polygon(points, paint) if paint.rgb == rgb(light().accent) => Some(points),
            _ => None,
        });
        let ends: Vec<f64> = lead
            .unwrap()
            .iter()
            .map(|p| (p.1 - table.rect.y) / row)
            .collect();
        let (from, to) = kept[0];
        let wanted = [from, first_row, first_row + to - from, to];
        let near = ends.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.05);
        assert!(near, "{way}: {ends:?} for {wanted:?}");
        // The end of the table, and the numbers of the first and last token.
        assert!(it.level_at(rgb(light().ink), table.rect.y + 32.0 * row));
        let named = |text: &str, left: bool, position: f64| {
            it.texts().any(|words| {
                words.text == text
                    && (words.at.0 < table.rect.x) == left
                    && (words.at.1 - table.rect.y - (position + 0.5) * row).abs() < 0.3
            })
        };
        assert!(named("0", true, 0.0) && named("47", true, 47.0), "{way}");
        assert!(named("0", false, 0.0) && named("31", false, 31.0), "{way}");
        assert_eq!(named("47", false, 47.0), rows == 48, "{way}");
    }
}

/// Fewer tokens than rows: unused rows are faded and labelled so.
#[test]
fn rows_that_no_token_uses_are_faded() {
    let it = picture(ViewName::Beyond, "length=20&max_len=32", 720.0);
    let table = it.grid(32, 32).rect;
    let row = table.height / 32.0;
    let faded = it.fills(rgb(light().panel)).into_iter();
    let mut faded = faded.filter(|(rect, paint)| paint.alpha < 1.0 && rect.width > 50.0);
    let (rect, _) = faded.next().unwrap();
    let span = [rect.y, rect.bottom()].map(|y| (y - table.y) / row);
    assert!((span[0] - 20.0).abs() < 0.05 && (span[1] - 32.0).abs() < 0.05);
    assert!(it.says("not used", super::query::middle(*rect), 3.0));
}
