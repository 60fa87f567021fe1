//! T5's buckets (Raffel et al. 2020): the ruler of distances, the map of queries and keys, the biases, and the effect of a
//! bias on attention weights.

use super::axes::{Axis, Plot, charts, number};
use super::cells::{STEP, assert_cells, value};
use super::query::{distance, picture};
use super::{light, rgb};
use crate::recording::{Recording, Rgb};
use posenc::{Normals, ViewName};

/// The bucket of an offset, key − query: 32 in all; causal attention uses all of them for keys behind the query. Half the
/// buckets of a side hold single distances, the others grow logarithmically up to 128.
fn bucket(offset: i64, causal: bool) -> usize {
    let side = if causal { 32 } else { 16 };
    let exact = side / 2;
    let distance = offset.unsigned_abs() as usize;
    let share = (distance.max(1) as f64 / exact as f64).ln() / (128.0 / exact as f64).ln();
    let within = match distance < exact {
        true => distance,
        false => (exact + (exact as f64 * share + 1e-9).floor() as usize).min(side - 1),
    };
    match causal {
        true => within,
        false => within + if offset > 0 { side } else { 0 },
    }
}

const MODELS: [(&str, bool); 2] = [("encoder", false), ("decoder", true)];

/// The biases of a head, from a seed.
fn biases(head: usize) -> Vec<f64> {
    let all = Normals::seeded(7).matrix(8, 32, 1.0);
    all.row(head - 1).to_vec()
}

fn most(biases: &[f64]) -> f64 {
    biases
        .iter()
        .fold(1.5, |most: f64, bias| most.max(bias.abs()))
}

/// The scale of distances, and half the height of a row of buckets.
fn ruler(it: &Recording) -> (Axis, f64) {
    let [behind, ahead] = ["behind", "ahead"].map(|name| level(it, name));
    let bottom = ahead + (ahead - behind) / 2.0;
    let size = light().label_size();
    let below = it
        .texts()
        .filter(|words| (words.at.1 - bottom - 0.95 * size).abs() < 0.5);
    let ticks = below.filter_map(|words| Some((number(&words.text)?, words.at.0)));
    (Axis::new(ticks.collect()), (ahead - behind) / 2.0)
}

/// The middle of a row of the ruler, which is above the enlarged part.
fn level(it: &Recording, name: &str) -> f64 {
    let named = it.texts().filter(|words| words.text == name);
    named.map(|words| words.at.1).fold(f64::INFINITY, f64::min)
}

#[test]
fn each_bucket_reaches_over_its_distances_on_the_ruler() {
    for (model, causal) in MODELS {
        let it = picture(ViewName::Buckets, &format!("model={model}&head=2"), 720.0);
        let (axis, half) = ruler(&it);
        let (mut seen, mut wide) = (0, 0);
        for sign in if causal { &[-1][..] } else { &[-1, 1] } {
            let y = level(&it, if *sign < 0 { "behind" } else { "ahead" });
            for words in it.texts() {
                let on = (words.at.1 - y).abs() < 0.5 && words.at.0 > axis.pixel(-0.5);
                let name = words.text.strip_prefix("bucket ").unwrap_or(&words.text);
                let Some(name) = number(name).filter(|_| on) else {
                    continue;
                };
                let band = it.rectangles().filter(|(rect, paint)| {
                    paint.stroke.is_none()
                        && rect.contains(words.at)
                        && (rect.height - 2.0 * half).abs() < 0.5
                });
                let (rect, _) = band.last().unwrap();
                // All distances between the edges are in the bucket, and those outside are not.
                let edges = [rect.x, rect.right()].map(|x| axis.value(x) + 0.5);
                let first = edges[0].round() as i64;
                let last = edges[1].round() as i64 - 1;
                let of = |distance: i64| bucket(sign * distance, causal) as f64;
                assert!((edges[0] - first as f64).abs() < 0.1);
                assert_eq!(
                    (of(first), of(last)),
                    (name, name),
                    "{model} {sign} {first}"
                );
                if first > usize::from(*sign > 0) as i64 {
                    assert!(
                        of(first - 1) != name,
                        "{model}, {name} begins before {first}"
                    );
                }
                if last < 138 {
                    assert!(of(last + 1) != name, "{model}, {name} goes on after {last}");
                }
                // How many distances share it is written below its number.
                let inside = it.texts().filter(|words| rect.contains(words.at));
                let widths = inside.filter_map(|words| words.text.strip_suffix(" wide"));
                for width in widths {
                    assert_eq!(
                        number(width),
                        Some((last - first + 1) as f64),
                        "{model} {name}"
                    );
                    wide += 1;
                }
                seen += 1;
            }
        }
        // The wide ones, which have room for their numbers.
        assert!(seen > 9 && wide > 1, "{seen}, {wide}");
    }
}

/// The buckets without room for their numbers are drawn again below, in the same two rows.
#[test]
fn narrow_buckets_are_enlarged_from_where_they_are() {
    for (model, causal) in MODELS {
        let it = picture(ViewName::Buckets, &format!("model={model}"), 580.0);
        let (axis, _) = ruler(&it);
        let last = it.texts().find_map(|words| {
            let words = words.text.strip_prefix("buckets of distances 0–")?;
            words.split(' ').next()?.parse::<i64>().ok()
        });
        let last = last.unwrap();
        let zoom = it.marks.iter().find_map(|mark| match mark {
            crate::recording::Mark::Polygon(points, paint) if paint.rgb == rgb(light().accent) => {
                Some(points)
            }
            _ => None,
        });
        let zoom = zoom.unwrap();
        for (x, wanted) in [(zoom[0].0, -0.5), (zoom[1].0, last as f64 + 0.5)] {
            assert!((axis.value(x) - wanted).abs() < 0.1, "{model}: {x}");
        }
        for sign in if causal { &[-1][..] } else { &[-1, 1] } {
            let name = if *sign < 0 { "behind" } else { "ahead" };
            let named = it.texts().filter(|words| words.text == name);
            let y = named.map(|words| words.at.1).fold(0.0, f64::max);
            let row = it
                .texts()
                .filter(|words| (words.at.1 - y).abs() < 0.5 && words.at.0 > axis.pixel(-0.5));
            let mut numbers: Vec<usize> = row.map(|words| words.text.parse().unwrap()).collect();
            let first = i64::from(*sign > 0);
            let mut wanted: Vec<usize> = (first..=last)
                .map(|distance| bucket(sign * distance, causal))
                .collect();
            numbers.sort_unstable();
            wanted.dedup();
            assert_eq!(numbers, wanted, "{model} {name}");
        }
    }
}

/// Buckets behind a query have one half of the colours, those ahead the other; masked keys are covered.
#[test]
fn the_map_of_buckets_is_by_key_minus_query() {
    let n = 40;
    for (model, causal) in MODELS {
        for (pos, k) in [(20, -7), (30, -25), (9, -3)] {
            let settings = format!("model={model}&max_len={n}&pos={pos}&k={k}&map=on");
            let it = picture(ViewName::Buckets, &settings, 720.0);
            let map = it.grid(n, n);
            let side = if causal { 32 } else { 16 };
            assert_cells(map, (n, n), |query, key| {
                let offset = key as i64 - query as i64;
                // Keys ahead of a causal query are covered, whatever their colour.
                let bucket = match causal && offset > 0 {
                    true => return value(map.pixel(key, query)),
                    false => bucket(offset, causal),
                };
                let within = (bucket % side) as f64 / side as f64;
                if bucket < side { -within } else { within }
            });
            let at = map.cell((pos + k) as usize, pos as usize);
            let there = it.discs(rgb(light().there));
            assert!(there.iter().any(|disc| distance(disc.0, at) < 0.5));
            assert!(it.level_at(rgb(light().here), at.1));
            let masked = it.marks.iter().find_map(|mark| match mark {
                crate::recording::Mark::Polygon(points, paint)
                    if paint.rgb == rgb(light().rule) =>
                {
                    Some(points)
                }
                _ => None,
            });
            assert_eq!(masked.is_some(), causal);
            for p in masked.into_iter().flatten() {
                let (x, y) = (p.0 - map.rect.x, p.1 - map.rect.y);
                // The first cell ahead is to the right of the diagonal.
                assert!(x > y + 0.5 * map.rect.width / n as f64);
            }
        }
    }
}

#[test]
fn bars_stand_as_high_as_their_biases() {
    for (head, changed) in [(1, ""), (4, "&b3=2.5&b20=-3"), (8, "")] {
        let settings = format!("weights=on&head={head}&k=-40{changed}");
        let it = picture(ViewName::Buckets, &settings, 720.0);
        let mut biases = biases(head);
        if !changed.is_empty() {
            biases[3] += 2.5;
            biases[20] -= 3.0;
        }
        let plot = biased(&it);
        let (zero, most) = (plot.point((0.0, 0.0)).1, most(&biases));
        // Offset 0 is in a bucket of the side behind: bucket 16 is empty.
        for (index, bias) in biases.iter().enumerate().filter(|(index, _)| *index != 16) {
            let (x, y) = plot.point((index as f64, *bias));
            let bar = it.rectangles().find(|(rect, paint)| {
                paint.stroke.is_none()
                    && (rect.x + rect.width / 2.0 - x).abs() < 0.5
                    && (rect.y - y.min(zero)).abs() < 0.5
                    && (rect.height - (y - zero).abs().max(1.0)).abs() < 0.5
            });
            let (_, paint) = bar.unwrap_or_else(|| panic!("head {head}, bucket {index}: {bias}"));
            if index == bucket(-40, false) {
                assert_eq!(paint.rgb, rgb(light().there));
            } else {
                assert!(
                    (value(paint.rgb) - bias / most).abs() < STEP,
                    "bucket {index}"
                );
            }
        }
    }
}

fn is_signed(plot: &Plot) -> bool {
    let y = plot.y.as_ref();
    y.is_some_and(|y| y.ticks.iter().any(|tick| tick.0 < 0.0))
}

/// The chart of the biases, which has zero inside its range.
fn biased(it: &Recording) -> Plot {
    charts(it).into_iter().find(is_signed).unwrap()
}

/// The values of a step curve at each key.
fn weights(it: &Recording, plot: &Plot, colour: Rgb, n: usize) -> Vec<f64> {
    let curves = it.curves(colour).into_iter();
    let mut curves = curves.filter(|curve| curve.iter().all(|p| plot.contains(*p)));
    let curve = curves.next().unwrap();
    let at = |key: usize| {
        let (x, _) = plot.point((key as f64, 0.0));
        let mut steps = curve.windows(2);
        let level = steps.find(|two| two[0].0 <= x && x < two[1].0).unwrap();
        plot.y.as_ref().unwrap().value(level[0].1)
    };
    (0..n).map(at).collect()
}

/// softmax(logit + bias) is softmax(logit)·exp(bias), scaled to a sum of 1.
#[test]
fn a_bias_multiplies_the_weights_of_its_bucket() {
    let (n, pos) = (24, 14);
    for (model, causal) in MODELS {
        let settings = format!("weights=on&model={model}&max_len={n}&pos={pos}&k=-9&head=3");
        let it = picture(ViewName::Buckets, &settings, 400.0);
        let plot = charts(&it)
            .into_iter()
            .find(|plot| !is_signed(plot))
            .unwrap();
        let seen = if causal { pos + 1 } else { n };
        let before = weights(&it, &plot, it.words("without bias").rgb, seen);
        let after = weights(&it, &plot, it.words("with bias").rgb, seen);
        let near = |sum: f64| (sum - 1.0).abs() < 0.02;
        assert!(near(before.iter().sum()) && near(after.iter().sum()));
        let biases = biases(3);
        let scaled = |key: usize| {
            let offset = key as i64 - pos as i64;
            before[key] * biases[bucket(offset, causal)].exp()
        };
        let sum: f64 = (0..seen).map(scaled).sum();
        for (key, after) in after.iter().enumerate() {
            let wanted = scaled(key) / sum;
            assert!(
                (after - wanted).abs() < 0.004,
                "{model}, key {key}: {after} for {wanted}"
            );
        }
        // The keys that share the bucket of offset −9 are marked by a band.
        let band = it.fills(rgb(light().there)).into_iter();
        let mut band = band.filter(|(rect, _)| plot.contains(super::query::middle(**rect)));
        let (band, _) = band.next().unwrap();
        let same = |key: &i64| bucket(key - pos as i64, causal) == bucket(-9, causal);
        let keys: Vec<i64> = (0..seen as i64).filter(same).collect();
        let edges = [keys[0] as f64 - 0.5, keys[keys.len() - 1] as f64 + 0.5];
        let edges = edges.map(|key| plot.x.as_ref().unwrap().pixel(key));
        assert!((band.x - edges[0]).abs() < 0.3 && (band.right() - edges[1]).abs() < 0.3);
    }
}
