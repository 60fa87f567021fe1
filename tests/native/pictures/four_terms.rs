//! The four terms of Transformer-XL's logit (Dai et al. 2019, arXiv 1901.02860, §3.3), computed here from the same
//! seeded vectors: their maps, and the terms of one cell end to end.

use super::axes::number;
use super::cells::{STEP, value};
use super::query::{picture, same_rect};
use super::{light, rgb};
use crate::recording::{Recording, Words};
use posenc::{Matrix, Normals, Rect, ViewName};

const QUERIES: usize = 8;
const MAX_MEMORY: usize = 8;
const D_HEAD: usize = 8;
const D_MODEL: usize = 16;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The parameters of a head: q, k, W_{k,R}, u and v.
struct Head {
    queries: Matrix<f64>,
    keys: Matrix<f64>,
    weights: Matrix<f64>,
    shared: Matrix<f64>,
}

impl Head {
    fn seeded(seed: u64) -> Head {
        let mut normals = Normals::seeded(seed);
        Head {
            queries: normals.matrix(QUERIES, D_HEAD, 1.0),
            keys: normals.matrix(MAX_MEMORY + QUERIES, D_HEAD, 1.0),
            weights: normals.matrix(D_HEAD, D_MODEL, (2.0 / D_MODEL as f64).sqrt()),
            shared: normals.matrix(2, D_HEAD, 1.0),
        }
    }

    /// Terms (a) to (d) of a query and a key, with `far` added to their offset; keys of the memory are negative.
    fn terms(&self, query: usize, key: i64, far: i64) -> [f64; 4] {
        let offset = (query as i64 - key + far) as f64;
        // R has the sines first, then the cosines.
        let half = D_MODEL / 2;
        let angle = |pair: usize| offset * 1e4f64.powf(-(pair as f64) / half as f64);
        let sines = (0..half).map(|pair| angle(pair).sin());
        let r: Vec<f64> = sines
            .chain((0..half).map(|pair| angle(pair).cos()))
            .collect();
        let r: Vec<f64> = (0..D_HEAD)
            .map(|row| dot(self.weights.row(row), &r))
            .collect();
        let q = self.queries.row(query);
        let k = self.keys.row((key + MAX_MEMORY as i64) as usize);
        let (u, v) = (self.shared.row(0), self.shared.row(1));
        [dot(q, k), dot(q, &r), dot(u, k), dot(v, &r)].map(|term| term / (D_HEAD as f64).sqrt())
    }
}

const TITLES: [&str; 4] = [
    "(a) content · content",
    "(b) content · offset",
    "(c) u · content",
    "(d) v · offset",
];

/// The map below a title.
fn map<'a>(it: &'a Recording, title: &str, columns: usize) -> &'a crate::recording::Bitmap {
    let title = it.words(title);
    let below = it.images().into_iter().filter(|image| {
        let (dx, dy) = (image.rect.x - title.at.0, image.rect.y - title.at.1);
        (image.rows, image.columns) == (QUERIES, columns) && dx.abs() < 0.5 && dy > 0.0
    });
    let nearest = below.min_by(|a, b| a.rect.y.total_cmp(&b.rect.y));
    nearest.expect("a map below its title")
}

#[test]
fn each_map_shows_its_own_term_of_every_query_and_key() {
    for (memory, far, seed) in [(4, 0, 1), (0, 9, 3), (8, 2, 2)] {
        let settings = format!("memory={memory}&far={far}&seed={seed}&query=5&key=1");
        let it = picture(ViewName::FourTerms, &settings, 720.0);
        let head = Head::seeded(seed);
        let columns = memory + QUERIES;
        let cells = (0..QUERIES).flat_map(|row| (0..=memory + row).map(move |c| (row, c)));
        let of = |(row, column): (usize, usize)| {
            let terms = head.terms(row, column as i64 - memory as i64, far);
            [terms[0], terms[1], terms[2], terms[3]]
        };
        // All maps have one scale, whose ends are the largest value of all.
        let all = cells.clone().flat_map(of);
        let most = all.fold(0.0, |most: f64, term| most.max(term.abs()));
        for end in [format!("{most:.1}"), format!("−{most:.1}")] {
            assert!(it.texts().any(|words| words.text == end), "{end}");
        }
        for (which, title) in TITLES.into_iter().enumerate() {
            let map = map(&it, title, columns);
            // The selected cell is enlarged in the map, in its colour and with its value.
            let selected = of((5, memory + 1))[which];
            let images = it.images().into_iter();
            let mut enlarged = images.filter(|image| {
                (image.rows, image.columns) == (1, 1) && map.rect.contains(image.rect.centre())
            });
            let cell = enlarged.next().unwrap();
            assert!((value(cell.pixel(0, 0)) - selected / most).abs() < STEP + 0.01 / most);
            let inside = |words: &&Words| cell.rect.contains(words.at);
            let said = it
                .texts()
                .find(inside)
                .and_then(|words| number(&words.text));
            assert!((said.unwrap() - selected).abs() < 0.01, "{title}");
            for (row, column) in cells.clone() {
                let wanted = of((row, column))[which] / most;
                let seen = value(map.pixel(column, row));
                assert!(
                    (seen - wanted).abs() < STEP,
                    "{title}, query {row}, column {column}: {seen} for {wanted}"
                );
            }
            // Keys ahead, and no others, are grey.
            for row in 0..QUERIES {
                let greys = it.fills(rgb(light().rule)).into_iter();
                let mut greys = greys.filter(|(rect, _)| {
                    let (_, y) = map.cell(0, row);
                    (rect.y..rect.bottom()).contains(&y)
                        && rect.x >= map.rect.x - 0.3
                        && rect.right() < map.rect.right() + 0.3
                });
                let ahead =
                    map.rect.x + (memory + row + 1) as f64 / columns as f64 * map.rect.width;
                match greys.next() {
                    Some((grey, _)) => assert!((grey.x - ahead).abs() < 0.3, "{title}, {row}"),
                    None => assert_eq!(row, QUERIES - 1, "{title}"),
                }
            }
        }
    }
}

/// The cell is outlined in every map; (c) is marked down the column of its key, and (d) along the diagonal of its offset.
/// Which terms change with the offset is left to a prediction until the keys have been moved: (b) and (d) then differ
/// from the others by their colour.
#[test]
fn the_terms_that_know_the_distance_are_marked_once_keys_have_moved() {
    for (far, marked) in [(0, [false; 4]), (2, [false, true, false, true])] {
        let it = picture(ViewName::FourTerms, &format!("far={far}"), 720.0);
        let seen = TITLES.map(|title| it.words(title).rgb == rgb(light().accent));
        assert_eq!(seen, marked, "{far}");
        let dashes = it.paths(rgb(light().there));
        assert_eq!(dashes.is_empty(), far == 0, "{far}");
    }
}

#[test]
fn what_a_term_does_not_see_is_followed_through_its_map() {
    let (memory, query, key) = (4, 6, -2);
    let settings = format!("memory={memory}&query={query}&key={key}&far=2");
    let it = picture(ViewName::FourTerms, &settings, 720.0);
    let column = (key + memory) as usize;
    let columns = memory as usize + QUERIES;
    for (which, title) in TITLES.into_iter().enumerate() {
        let map = map(&it, title, columns);
        let (width, height) = (
            map.rect.width / columns as f64,
            map.rect.height / QUERIES as f64,
        );
        let (x, y) = map.cell(column, query);
        let cell = Rect::new(x - width / 2.0, y - height / 2.0, width, height);
        let outlines = it.outlines(rgb(light().accent));
        assert!(
            outlines.iter().any(|outline| same_rect(outline, &cell)),
            "{title}"
        );
        // Columns and rows of the dashed lines.
        let inside = |p: &(f64, f64)| map.rect.contains(*p);
        let dashes = it.paths(rgb(light().there)).into_iter();
        let dashes: Vec<(f64, f64)> = dashes
            .filter(|(line, _)| line.iter().all(inside))
            .flat_map(|(line, _)| line.to_vec())
            .map(|(x, y)| {
                (
                    (x - map.rect.x) / width - 0.5,
                    (y - map.rect.y) / height - 0.5,
                )
            })
            .collect();
        let along: Option<fn((f64, f64)) -> f64> = match which {
            2 => Some(|(column, _)| column),
            3 => Some(|(column, row)| column - row),
            _ => None,
        };
        assert_eq!(dashes.is_empty(), along.is_none(), "{title}");
        for dash in dashes {
            let wanted = along.unwrap()((column as f64, query as f64));
            let seen = along.unwrap()(dash);
            assert!((seen - wanted).abs() < 0.05, "{title}: {seen} for {wanted}");
        }
        // The labelled keys: the first of the memory, the first and the last of the segment.
        for key in [-memory, 0, QUERIES as i64 - 1] {
            let (x, _) = map.cell((key + memory) as usize, 0);
            let named = it.texts().any(|words| {
                number(&words.text) == Some(key as f64)
                    && (words.at.0 - x).abs() < 0.3
                    && (0.0..20.0).contains(&(words.at.1 - map.rect.bottom()))
            });
            assert!(named, "{title}: key {key}");
        }
    }
    assert!(it.texts().any(|words| words.text == "offset 10"));
}

/// Each bar starts at the end of the previous one, to the right if its term is positive, and the sum extends from zero to
/// the last end.
#[test]
fn terms_stand_end_to_end_and_come_to_their_logit() {
    for (query, key, far, seed) in [(5, 1, 0, 1), (2, -3, 4, 7), (7, 7, 0, 5)] {
        let settings = format!("memory=4&query={query}&key={key}&far={far}&seed={seed}");
        let it = picture(ViewName::FourTerms, &settings, 720.0);
        let terms = Head::seeded(seed).terms(query, key, far);
        let names = ["(a)", "(b)", "(c)", "(d)", "="];
        let sum: f64 = terms.iter().sum();
        let values = [terms[0], terms[1], terms[2], terms[3], sum];
        let mut ends = vec![(0.0, terms[0])];
        for term in &terms[1..] {
            let from = ends[ends.len() - 1].1;
            ends.push((from, from + term));
        }
        ends.push((0.0, sum));
        let mut bars = Vec::new();
        let mut printed = Vec::new();
        for (name, value) in names.into_iter().zip(values) {
            let name = it.words(name);
            let level = |y: f64| (y - name.at.1).abs() < 0.5;
            let beside = |at: (f64, f64)| level(at.1) && at.0 > name.at.0;
            let mut texts = it.texts().filter(|words| beside(words.at));
            let said = texts.find_map(|words| number(&words.text)).unwrap();
            assert!((said - value).abs() < 0.01, "{} {said}", name.text);
            printed.push(said);
            let mut fills = it.rectangles().filter(|(rect, paint)| {
                // To the right of its name, past the maps.
                let middle = rect.y + rect.height / 2.0;
                paint.stroke.is_none() && level(middle) && rect.x > name.at.0
            });
            let (bar, paint) = fills.next().unwrap();
            assert_eq!(paint.rgb, name.rgb, "{}", name.text);
            bars.push((bar.x, bar.right()));
        }
        // The printed numbers add up.
        assert!((printed[..4].iter().sum::<f64>() - printed[4]).abs() < 1e-9);
        // All bars have one scale: the longest gives its unit, and its start the zero.
        let longest = (0..5).max_by(|&a, &b| values[a].abs().total_cmp(&values[b].abs()));
        let longest = longest.unwrap();
        let unit = (bars[longest].1 - bars[longest].0) / values[longest].abs();
        let zero = bars[longest].0 - unit * ends[longest].0.min(ends[longest].1);
        for (index, (from, to)) in ends.into_iter().enumerate() {
            let wanted = [from.min(to), from.max(to)].map(|end| zero + unit * end);
            let seen = [bars[index].0, bars[index].1];
            // The thinnest bar is one pixel wide.
            let near = seen.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1.2);
            assert!(near, "{}: {seen:?} for {wanted:?}", names[index]);
        }
        assert!(it.upright_at(rgb(light().muted), zero));
    }
}
