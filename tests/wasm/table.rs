//! The table kernel, two numbers at a time, compared with double-double arithmetic and with stored values from mpmath.

use posenc::{Layout, MAX_LEN, Sinusoidal};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::LAYOUTS;
use crate::assert_close::assert_close;

#[wasm_bindgen_test]
fn single_precision_is_correctly_rounded_at_5000_by_1024() {
    for layout in LAYOUTS {
        let encoding = Sinusoidal::new(1024, 10_000.0, layout);
        let table = encoding.table_f32(5000);
        // 97 is not a multiple of any block size of the kernel.
        for position in (0..5000).step_by(97).chain([4999]) {
            for (dimension, &actual) in table.row(position).iter().enumerate() {
                let exact = encoding.value(position as i64, dimension);
                assert_eq!(actual, exact as f32, "{layout:?} {position} {dimension}");
            }
        }
    }
}

#[wasm_bindgen_test]
fn cells_nearest_to_a_rounding_boundary_are_rounded_right() {
    let table = Sinusoidal::new(1024, 10_000.0, Layout::Interleaved).table_f32(5000);
    for line in include_str!("../reference/hard_f32.tsv").lines() {
        let [pair, position, member, bits] = Vec::from_iter(line.split('\t')).try_into().unwrap();
        let dimension = 2 * pair.parse::<usize>().unwrap() + usize::from(member == "cosine");
        let expected = f32::from_bits(u32::from_str_radix(bits, 16).unwrap());
        assert_eq!(
            table.at(position.parse().unwrap(), dimension),
            expected,
            "{line}"
        );
    }
}

#[wasm_bindgen_test]
fn values_are_those_of_mpmath() {
    let mut encoding = Sinusoidal::new(1, 2.0, Layout::Interleaved);
    let mut row = encoding.row(0);
    let mut made_for = [""; 4];
    for line in include_str!("../reference/values.tsv").lines() {
        let cells: [&str; 6] = Vec::from_iter(line.split('\t')).try_into().unwrap();
        let [layout, d_model, base, position, dimension, value] = cells;
        let (pos, dimension) = (position.parse().unwrap(), dimension.parse().unwrap());
        if made_for != cells[..4] {
            let layout = match layout {
                "interleaved" => Layout::Interleaved,
                "concatenated" => Layout::Concatenated,
                _ => Layout::Tensor2tensor,
            };
            if made_for[..3] != cells[..3] {
                encoding = Sinusoidal::new(d_model.parse().unwrap(), base.parse().unwrap(), layout);
            }
            row = encoding.row(pos);
            made_for = [cells[0], cells[1], cells[2], cells[3]];
        }
        let expected: f64 = value.parse().unwrap();
        assert_eq!(encoding.value(pos, dimension), expected, "{line}");
        assert_close(row[dimension], expected, 4e-15);
    }
}

#[wasm_bindgen_test]
fn a_block_is_a_part_of_the_table_wherever_it_begins() {
    for layout in LAYOUTS {
        for d_model in [1, 2, 7, 64, 131, 515] {
            let encoding = Sinusoidal::new(d_model, 10_000.0, layout);
            let table = encoding.table_f64(700);
            for (start, length) in [
                (0, 0),
                (0, 1),
                (1, 40),
                (16, 1),
                (17, 33),
                (511, 189),
                (699, 1),
            ] {
                let part = &table.values[start * d_model..(start + length) * d_model];
                let mut double = vec![f64::NAN; part.len()];
                encoding.block_f64(start..start + length, &mut double);
                assert_eq!(double, part);
                let mut single = vec![f32::NAN; part.len()];
                encoding.block_f32(start..start + length, &mut single);
                let rounded = Vec::from_iter(part.iter().map(|&value| value as f32));
                assert_eq!(single, rounded);
            }
        }
    }
}

#[wasm_bindgen_test]
fn double_precision_holds_its_bound_to_the_last_position() {
    for layout in LAYOUTS {
        for d_model in [1, 6, 131] {
            let encoding = Sinusoidal::new(d_model, 10_000.0, layout);
            for start in [0, 5000, 65_000, MAX_LEN - 600] {
                let mut block = vec![f64::NAN; 600 * d_model];
                encoding.block_f64(start..start + 600, &mut block);
                for (row, position) in block.chunks(d_model).zip(start..).step_by(7) {
                    for (dimension, &actual) in row.iter().enumerate() {
                        let exact = encoding.value(position as i64, dimension);
                        assert_close(actual, exact, 4e-15);
                    }
                }
            }
        }
    }
}

#[wasm_bindgen_test]
fn row_zero_is_exactly_zeros_and_ones() {
    for layout in LAYOUTS {
        for d_model in [1, 2, 5, 128, 131, 1024] {
            let encoding = Sinusoidal::new(d_model, 10_000.0, layout);
            let (single, double) = (encoding.table_f32(40), encoding.table_f64(40));
            for dimension in 0..d_model {
                let expected = encoding.value(0, dimension);
                assert!(expected == 0.0 || expected == 1.0);
                assert_eq!(double.at(0, dimension), expected);
                assert_eq!(single.at(0, dimension), expected as f32);
            }
        }
    }
}
