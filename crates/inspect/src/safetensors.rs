//! Reads Hugging Face's .safetensors: the length of the header in eight bytes, the header in JSON, and the numbers of all
//! tensors.

use std::ops::Range;

use crate::fault::{Candidate, ReadError};
use crate::json::Json;
use crate::precision::Precision;
use crate::table::{DataLayout, Table, TableDecoder, decode, long_axes, rows_and_columns};
use posenc_sort::sorted;

/// Maximum length of the header in bytes, as in the reference implementation.
const LONGEST_HEADER: u64 = 100_000_000;

/// The parsed header: name, type, shape and byte range of every tensor.
#[derive(Clone, Debug)]
pub struct SafetensorsHeader {
    tensors: Vec<Tensor>,
    /// Offset of the numbers in the file.
    start: u64,
}

#[derive(Clone, Debug)]
struct Tensor {
    candidate: Candidate,
    precision: Option<Precision>,
    offsets: [u64; 2],
}

impl SafetensorsHeader {
    /// Returns the number of bytes that length and header take in the file, given at least its first eight bytes.
    pub fn length(start: &[u8]) -> Result<u64, ReadError> {
        let Some(Ok(first)) = start.get(..8).map(<[u8; 8]>::try_from) else {
            return Err(ReadError::Truncated {
                needed: 8,
                found: start.len() as u64,
                unit: "bytes",
            });
        };
        let bytes = u64::from_le_bytes(first);
        if bytes > LONGEST_HEADER {
            return Err(ReadError::HeaderTooLong { bytes });
        }
        Ok(8 + bytes)
    }

    /// Parses the header from the start of a file of `file_bytes` bytes. Fails if it is malformed, or if tensors overlap or
    /// end beyond the file.
    pub fn parse(bytes: &[u8], file_bytes: u64) -> Result<SafetensorsHeader, ReadError> {
        let start = SafetensorsHeader::length(bytes)?;
        let Some(header) = bytes.get(8..start as usize) else {
            return Err(ReadError::Truncated {
                needed: start,
                found: bytes.len() as u64,
                unit: "bytes",
            });
        };
        let Some(Json::Object(entries)) = Json::parse(header) else {
            return Err(ReadError::Header("JSON"));
        };
        let mut tensors = Vec::new();
        for (name, entry) in &entries {
            if name != "__metadata__" {
                tensors.push(tensor(name, entry)?);
            }
        }
        // If several begin at the same byte, all but the last must be empty.
        let all: Vec<&Tensor> = tensors.iter().collect();
        let by_end = sorted(&all, |tensor| tensor.offsets[1] as f64);
        let in_order = sorted(&by_end, |tensor| tensor.offsets[0] as f64);
        let mut end = 0;
        for Tensor {
            offsets: [from, to],
            candidate,
            precision,
        } in in_order
        {
            let of_shape = bytes_of(candidate, *precision)?;
            let bytes = to.checked_sub(*from);
            if *from < end || bytes.is_none() || of_shape.is_some_and(|it| bytes != Some(it)) {
                return Err(ReadError::Offsets(candidate.name.clone()));
            }
            end = *to;
        }
        let needed = start.checked_add(end).ok_or(ReadError::Overflow)?;
        if needed > file_bytes {
            return Err(ReadError::Truncated {
                needed,
                found: file_bytes,
                unit: "bytes",
            });
        }
        Ok(SafetensorsHeader { tensors, start })
    }

    /// Returns the tensors that could be tables of positions: floating point, with the shape and size of a table. Those
    /// whose names suggest positions come first.
    pub fn candidates(&self) -> Vec<Candidate> {
        // Weights of any other shape than rows and columns are meant only if they are called positions.
        let legal = self.tensors.iter().filter(|tensor| {
            let Candidate { name, shape, .. } = &tensor.candidate;
            let is_flat = shape.len() >= 2 && long_axes(shape).len() <= 2;
            let is_likely = is_flat || speaks_of_positions(name);
            tensor.precision.is_some() && is_likely && rows_and_columns(shape).is_ok()
        });
        let all = legal.map(|tensor| tensor.candidate.clone());
        let (mut speaking, others): (Vec<_>, Vec<_>) =
            all.partition(|candidate| speaks_of_positions(&candidate.name));
        speaking.extend(others);
        speaking
    }

    /// Returns the byte range and format of the tensor with this name, or without a name, of the only candidate whose name
    /// suggests positions, or else of the only candidate. Fails if there is no such tensor.
    pub fn tensor(&self, name: Option<&str>) -> Result<TensorEntry, ReadError> {
        let candidates = self.candidates();
        let name = match name {
            Some(name) => name.to_string(),
            None => {
                let speaking = candidates.iter().filter(|it| speaks_of_positions(&it.name));
                let mut speaking: Vec<Candidate> = speaking.cloned().collect();
                if speaking.is_empty() {
                    speaking = candidates.clone();
                }
                // Numbers of a type that is not read are named rather than passed over.
                let is_table = |it: &&Tensor| it.candidate.shape.len() == 2;
                if speaking.is_empty()
                    && let Some(quantised) = self.tensors.iter().find(is_table)
                {
                    return Err(ReadError::Dtype(quantised.candidate.dtype.clone()));
                }
                // The layers of a model have the same frequencies: the first will do.
                let kind = |it: &Candidate| (without_numbers(&it.name), it.shape.clone());
                match &speaking[..] {
                    [first, others @ ..]
                        if others.iter().all(|it| kind(it) == kind(first))
                            && (others.is_empty() || speaks_of_positions(&first.name)) =>
                    {
                        first.name.clone()
                    }
                    _ => return Err(ReadError::Choose(speaking)),
                }
            }
        };
        let of_name = |tensor: &&Tensor| tensor.candidate.name == name;
        let Some(tensor) = self.tensors.iter().find(of_name) else {
            return Err(ReadError::NoTensor(name, candidates));
        };
        let precision = tensor
            .precision
            .ok_or_else(|| ReadError::Dtype(tensor.candidate.dtype.clone()))?;
        rows_and_columns(&tensor.candidate.shape)?;
        let [from, to] = tensor.offsets;
        Ok(TensorEntry {
            name,
            shape: tensor.candidate.shape.clone(),
            precision,
            range: self.start + from..self.start + to,
        })
    }
}

/// Byte range and format of a tensor.
#[derive(Clone, Debug)]
pub struct TensorEntry {
    /// Its name.
    pub name: String,
    /// Its bytes in the file.
    pub range: Range<u64>,
    shape: Vec<u64>,
    precision: Precision,
}

impl TensorEntry {
    const fn layout(&self) -> DataLayout {
        DataLayout {
            precision: self.precision,
            big_endian: false,
            fortran_order: false,
        }
    }

    /// Returns a decoder that takes the bytes of the range part by part.
    pub(crate) fn decoder(&self) -> Result<TableDecoder, ReadError> {
        TableDecoder::new(&self.shape, self.layout())
    }

    /// Decodes the table from the bytes of the range.
    pub fn table(&self, numbers: &[u8]) -> Result<Table, ReadError> {
        decode(numbers, &self.shape, self.layout())
    }
}

/// Reads the table in one tensor from a whole file.
pub fn read(bytes: &[u8], name: Option<&str>) -> Result<Table, ReadError> {
    let header = SafetensorsHeader::parse(bytes, bytes.len() as u64)?;
    let place = header.tensor(name)?;
    let range = place.range.start as usize..place.range.end as usize;
    place.table(bytes.get(range).unwrap_or_default())
}

fn tensor(name: &str, entry: &Json) -> Result<Tensor, ReadError> {
    let part = |key: &'static str| entry.get(key).ok_or(ReadError::Header(key));
    let dtype = part("dtype")?.as_str().ok_or(ReadError::Header("dtype"))?;
    let whole = |json: &Json, key| json.as_u64().ok_or(ReadError::Header(key));
    let numbers = |key: &'static str| -> Result<Vec<u64>, ReadError> {
        let list = part(key)?.as_array().ok_or(ReadError::Header(key))?;
        list.iter().map(|it| whole(it, key)).collect()
    };
    let shape = numbers("shape")?;
    let offsets = numbers("data_offsets")?;
    let offsets = offsets
        .try_into()
        .map_err(|_| ReadError::Header("data_offsets"))?;
    let precision = match dtype {
        "F64" => Some(Precision::F64),
        "F32" => Some(Precision::F32),
        "F16" => Some(Precision::F16),
        "BF16" => Some(Precision::Bf16),
        _ => None,
    };
    Ok(Tensor {
        candidate: Candidate {
            name: name.into(),
            dtype: dtype.into(),
            shape,
        },
        precision,
        offsets,
    })
}

/// Returns the size of a tensor in bytes; `None` for a type that is not read.
fn bytes_of(tensor: &Candidate, precision: Option<Precision>) -> Result<Option<u64>, ReadError> {
    let Some(precision) = precision else {
        return Ok(None);
    };
    let mut lengths = tensor.shape.iter();
    let bytes = lengths.try_fold(precision.bytes() as u64, |bytes, length| {
        bytes.checked_mul(*length)
    });
    bytes.map(Some).ok_or(ReadError::Overflow)
}

/// Returns a name without its digits, which are those of a layer.
fn without_numbers(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}

fn speaks_of_positions(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = [
        "wpe",
        "rotary",
        "rope",
        "sin_cached",
        "cos_cached",
        "inv_freq",
    ];
    words.iter().any(|word| name.contains(word))
        || name.split(['.', '_', '/', '-']).any(|part| {
            let starts = ["position", "posemb", "posenc"];
            ["pe", "pos"].contains(&part) || starts.iter().any(|it| part.starts_with(it))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, numbers: usize) -> Vec<u8> {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend((0..numbers).flat_map(|n| (n as f32).to_le_bytes()));
        bytes
    }

    #[test]
    fn one_tensor_of_several() {
        let header = r#"{"__metadata__":{"format":"pt"},
            "wte.weight":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]},
            "wpe.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[24,40]},
            "ids":{"dtype":"I64","shape":[1,1],"data_offsets":[40,48]}}"#;
        let bytes = file(header, 12);
        assert_eq!(read(&bytes, None).unwrap().values(), [6.0, 7.0, 8.0, 9.0]);
        assert_eq!(read(&bytes, Some("wte.weight")).unwrap().rows(), 3);
        assert_eq!(
            read(&bytes, Some("ids")),
            Err(ReadError::Dtype("I64".into()))
        );
        let Err(ReadError::NoTensor(name, candidates)) = read(&bytes, Some("wpe")) else {
            panic!();
        };
        assert_eq!(name, "wpe");
        let names: Vec<_> = candidates.iter().map(|it| &it.name[..]).collect();
        assert_eq!(names, ["wpe.weight", "wte.weight"]);
    }

    #[test]
    fn names_that_speak_of_positions() {
        for name in [
            "wpe.weight",
            "encoder.embed_positions.weight",
            "vit.embeddings.position_embeddings",
            "pos_embed",
            "decoder.positional_embedding",
            "blocks.0.attn.rel_pos_h",
            "module.posEmbedding",
            "pe",
            "layers.0.self_attn.rotary_emb.inv_freq",
        ] {
            assert!(speaks_of_positions(name), "{name}");
        }
        for name in [
            "model.layers.0.post_attention_layernorm.weight",
            "post_norm.weight",
            "composer.weight",
            "wte.weight",
        ] {
            assert!(!speaks_of_positions(name), "{name}");
        }
    }

    #[test]
    fn a_header_that_lies_is_refused() {
        let of = |shape: &str, offsets: &str| {
            let header = format!(
                r#"{{"pe":{{"dtype":"F32","shape":{shape},"data_offsets":{offsets}}},"b":{{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}}}"#
            );
            read(&file(&header, 4), Some("pe")).unwrap_err()
        };
        assert_eq!(of("[1,2]", "[0,8]"), ReadError::Offsets("pe".into()));
        assert_eq!(of("[1,2]", "[8,4]"), ReadError::Offsets("pe".into()));
        assert_eq!(of("[1,2]", "[4,8]"), ReadError::Offsets("pe".into()));
        assert!(matches!(
            of("[1,99]", "[4,400]"),
            ReadError::Truncated { .. }
        ));
        assert_eq!(
            of("[1,2]", "[18446744073709551615,18446744073709551615]"),
            ReadError::Offsets("pe".into())
        );
        assert_eq!(of("[1,2]", "[4]"), ReadError::Header("data_offsets"));
        assert_eq!(of("[4294967296,4294967296]", "[4,8]"), ReadError::Overflow);
        assert_eq!(of("[]", "[4,8]"), ReadError::Shape(Vec::new()));
        assert_eq!(read(&file("[]", 0), None), Err(ReadError::Header("JSON")));
        let long = (1_u64 << 31).to_le_bytes();
        assert_eq!(
            read(&long, None),
            Err(ReadError::HeaderTooLong { bytes: 1 << 31 })
        );
    }
}
