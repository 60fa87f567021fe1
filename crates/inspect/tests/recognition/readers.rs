//! Compares the readers with the crates npyz and safetensors.

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use npyz::{NpyFile, WriterBuilder};
use posenc_inspect::{Storage, read};
use safetensors::tensor::{Dtype, TensorView};

fn kept() -> Vec<PathBuf> {
    let entries = fs::read_dir("../../tests/corpus/tables").unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|it| it == "npy"))
        .collect()
}

#[test]
fn npyz_reads_the_same_numbers() {
    let mut checked = 0;
    for path in kept() {
        let bytes = fs::read(&path).unwrap();
        let file = NpyFile::new(&bytes[..]).unwrap();
        let header = file.header().clone();
        let descr = header.dtype().descr();
        let lengths: Vec<u64> = header
            .shape()
            .iter()
            .copied()
            .filter(|it| *it != 1)
            .collect();
        let numbers: Vec<f64> = if descr.contains("f8") {
            file.into_vec().unwrap()
        } else if descr.contains("f4") {
            let numbers: Vec<f32> = file.into_vec().unwrap();
            numbers.into_iter().map(f64::from).collect()
        } else {
            continue;
        };
        let table = read(&bytes, None).unwrap();
        let (rows, columns) = (table.rows(), table.columns());
        assert_eq!(lengths, [rows as u64, columns as u64]);
        let fortran = header.order() == npyz::Order::Fortran;
        for (at, number) in numbers.iter().enumerate() {
            let (row, column) = match fortran {
                true => (at % rows, at / rows),
                false => (at / columns, at % columns),
            };
            let ours = table.at(row, column);
            assert!(
                ours == *number || ours.is_nan() && number.is_nan(),
                "{path:?}"
            );
        }
        checked += 1;
    }
    assert!(checked > 30, "{checked}");
}

#[test]
fn what_npyz_writes_is_read() {
    let mut bytes = Vec::new();
    let mut writer = npyz::WriteOptions::new()
        .default_dtype()
        .shape(&[3, 2])
        .writer(&mut bytes)
        .begin_nd()
        .unwrap();
    writer.extend([1.5_f64, -2.0, 3.0, 4.0, 5.0, 6.25]).unwrap();
    writer.finish().unwrap();
    let table = read(&bytes, None).unwrap();
    assert_eq!((table.rows(), table.columns()), (3, 2));
    assert_eq!(table.values(), [1.5, -2.0, 3.0, 4.0, 5.0, 6.25]);
    // The same in Fortran order.
    let mut bytes = Cursor::new(Vec::new());
    let mut writer = npyz::WriteOptions::new()
        .default_dtype()
        .order(npyz::Order::Fortran)
        .shape(&[3, 2])
        .writer(&mut bytes)
        .begin_nd()
        .unwrap();
    writer.extend([1.0_f32, 3.0, 5.0, 2.0, 4.0, 6.0]).unwrap();
    writer.finish().unwrap();
    let table = read(bytes.get_ref(), None).unwrap();
    assert_eq!(table.values(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn what_safetensors_writes_is_read() {
    let doubles: Vec<u8> = [1.0_f64, 2.0, 3.0, 4.0, 5.0, 6.0]
        .iter()
        .flat_map(|it| it.to_le_bytes())
        .collect();
    // 1, 2, -0.5 and 65504 in half precision; 1, 2, -0.5 and 256 in bfloat16.
    let halves: Vec<u8> = [0x3c00_u16, 0x4000, 0xb800, 0x7bff]
        .iter()
        .flat_map(|it| it.to_le_bytes())
        .collect();
    let bfloats: Vec<u8> = [0x3f80_u16, 0x4000, 0xbf00, 0x4380]
        .iter()
        .flat_map(|it| it.to_le_bytes())
        .collect();
    let tensors = [
        (
            "a",
            TensorView::new(Dtype::F64, vec![1, 2, 3], &doubles).unwrap(),
        ),
        (
            "b",
            TensorView::new(Dtype::F16, vec![2, 2], &halves).unwrap(),
        ),
        (
            "c",
            TensorView::new(Dtype::BF16, vec![4, 1], &bfloats).unwrap(),
        ),
    ];
    let bytes = safetensors::serialize(tensors, None).unwrap();
    let table = |name| read(&bytes, Some(name)).unwrap();
    assert_eq!(table("a").values(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(table("a").squeezed(), Some(&[1, 2, 3][..]));
    assert_eq!(table("b").values(), [1.0, 2.0, -0.5, 65_504.0]);
    assert_eq!(table("c").values(), [1.0, 2.0, -0.5, 256.0]);
    assert_eq!(
        table("c").storage(),
        Storage::Binary(posenc_inspect::Precision::Bf16)
    );
}

/// The same headers are read and rejected as by the reference implementation.
#[test]
fn safetensors_refuses_the_same_headers() {
    let of = |header: &str, numbers: usize| {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend(std::iter::repeat_n(0, numbers));
        bytes
    };
    for (header, numbers, legal) in [
        (
            r#"{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}"#,
            16,
            true,
        ),
        (
            r#"{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}"#,
            12,
            false,
        ),
        (
            r#"{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,12]}}"#,
            12,
            false,
        ),
        (
            r#"{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[16,0]}}"#,
            16,
            false,
        ),
        (
            r#"{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"dtype":"F32","shape":[2,2],"data_offsets":[8,24]}}"#,
            24,
            false,
        ),
        (r#"{"a":{"dtype":"F32","shape":[2,2]}}"#, 16, false),
        (
            r#"{"a":{"dtype":"F99","shape":[2,2],"data_offsets":[0,16]}}"#,
            16,
            false,
        ),
        ("{", 0, false),
    ] {
        let bytes = of(header, numbers);
        let reference = safetensors::SafeTensors::deserialize(&bytes).is_ok();
        assert_eq!(
            (read(&bytes, Some("a")).is_ok(), reference),
            (legal, legal),
            "{header}"
        );
    }
}
