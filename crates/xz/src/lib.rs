//! Decompresses a file of xz while its bytes arrive: on the page, the core.
//!
//! This is the part of the format that `xz --check=crc32 --threads=1` writes: one block with the filter LZMA2, and a CRC-32.
//! That checksum is checked; those of the headers, the sizes of chunks, the index and the footer are not.
//! Formats: <https://tukaani.org/xz/xz-file-format.txt>; LZMA is specified in <https://www.7-zip.org/sdk.html>, and LZMA2 is
//! a sequence of chunks of LZMA.
//!
//! It is written by hand for its size, gzipped: 3 KB, where the package xz-decompress of npm takes 9.7 KB and the crate xz4rust,
//! without its optional features and optimised for size, 25 KB.

#![cfg_attr(target_arch = "wasm32", no_std)]

#[cfg(target_arch = "wasm32")]
mod exports;
mod lzma;

use lzma::{Input, Lzma};

/// No symbol of LZMA takes more bytes than this, and after the last one of a file there are more: the end of the chunks (1),
/// the checksum (4), the index (8 or more) and the footer (12).
const LONGEST_SYMBOL: usize = 20;
/// The largest header of a block with one filter, in units of 4 bytes after the first, with both of its sizes.
const LARGEST_HEADER: u8 = 7;
/// The most bytes that [`Decoder::decode`] leaves: less than the headers of the stream and of the block take.
pub const MOST_LEFT: usize = STREAM_HEADER + 4 * (LARGEST_HEADER as usize + 1);
/// The start of a file whose checksum is a CRC-32.
const MAGIC: &[u8] = b"\xfd7zXZ\0\0\x01";
const STREAM_HEADER: usize = 12;

/// What comes next in the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Headers,
    Chunk,
    /// The rest of a chunk that is stored as it is.
    Stored,
    /// The rest of a chunk of LZMA.
    Symbols,
    Checksum,
    End,
}

/// The file is damaged, or of another kind, or has more content than there is room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invalid;

/// The state of the decompression of one file.
pub struct Decoder {
    next: Next,
    lzma: Lzma,
    /// The number of bytes that were consumed before the current call.
    consumed: usize,
    written: usize,
    /// The value of `written` at the end of the current chunk.
    chunk_end: usize,
    /// The complement of the CRC-32 of what was written.
    remainder: u32,
}

impl Decoder {
    /// A decoder at the start of a file.
    pub const fn new() -> Self {
        Self {
            next: Next::Headers,
            lzma: Lzma::new(),
            consumed: 0,
            written: 0,
            chunk_end: 0,
            remainder: 0,
        }
    }

    /// The number of bytes of the content that have been decompressed.
    pub const fn written(&self) -> usize {
        self.written
    }

    /// Whether the whole content has been decompressed and is what was compressed.
    pub fn is_finished(&self) -> bool {
        self.next == Next::End
    }

    /// Decompresses what it can of `input`, the bytes that have arrived and were not consumed before, and returns the number of
    /// bytes consumed: all but [`MOST_LEFT`] at most. `output` is the same in each call, as later bytes repeat earlier ones.
    pub fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Invalid> {
        let mut input = Input {
            bytes: input,
            at: 0,
        };
        while self.step(&mut input, output)? {}
        self.consumed += input.at;
        Ok(input.at)
    }

    /// Decodes the next part; returns false if more input is needed for it, or none.
    fn step(&mut self, input: &mut Input, output: &mut [u8]) -> Result<bool, Invalid> {
        let rest = &input.bytes[input.at..];
        let before = self.written;
        let taken = match self.next {
            Next::Headers => self.headers(rest)?,
            Next::Chunk => self.chunk(rest, output.len())?,
            Next::Stored => self.stored(rest, output),
            Next::Symbols => self.symbols(input, &mut output[..self.chunk_end])?,
            Next::Checksum => self.checksum(rest, self.consumed + input.at)?,
            Next::End => rest.len(),
        };
        input.at += taken;
        for byte in &output[before..self.written] {
            self.remainder = advanced(self.remainder, *byte);
        }
        Ok(taken > 0 || self.written > before)
    }

    /// Reads the header of the stream and that of the block, and returns their size, or 0 if they are not complete.
    fn headers(&mut self, input: &[u8]) -> Result<usize, Invalid> {
        let Some(&size) = input.get(STREAM_HEADER) else {
            return Ok(0);
        };
        if size > LARGEST_HEADER {
            return Err(Invalid);
        }
        let end = STREAM_HEADER + 4 * (usize::from(size) + 1);
        if input.len() < end {
            return Ok(0);
        }
        // The flags of a block with one filter, which is always LZMA2, with or without its sizes.
        if !input.starts_with(MAGIC) || input[STREAM_HEADER + 1] & 0x3f != 0 {
            return Err(Invalid);
        }
        self.remainder = u32::MAX;
        self.next = Next::Chunk;
        Ok(end)
    }

    /// Reads the header of a chunk that fits into `room`, and returns its size, or 0 if it may not be complete.
    fn chunk(&mut self, input: &[u8], room: usize) -> Result<usize, Invalid> {
        let Some(header) = input.first_chunk::<11>() else {
            return Ok(0);
        };
        let control = header[0];
        let reset = (control >> 5) & 3;
        let (next, high_bits, size) = match control {
            0 => (Next::Checksum, 0, 1),
            1 | 2 => (Next::Stored, 0, 3),
            0x80.. => (
                Next::Symbols,
                usize::from(control & 0x1f) << 16,
                if reset > 1 { 11 } else { 10 },
            ),
            _ => return Err(Invalid),
        };
        let end =
            self.written + high_bits + usize::from(u16::from_be_bytes([header[1], header[2]])) + 1;
        if next != Next::Checksum {
            if end > room {
                return Err(Invalid);
            }
            self.chunk_end = end;
        }
        if next == Next::Symbols {
            if reset > 0 {
                self.lzma.reset();
            }
            if reset > 1 {
                self.lzma.set_properties(header[5])?;
            }
            self.lzma.begin(&header[size - 5..size]);
        }
        self.next = next;
        Ok(size)
    }

    /// Copies bytes of a chunk and returns how many.
    fn stored(&mut self, input: &[u8], output: &mut [u8]) -> usize {
        let size = input.len().min(self.chunk_end - self.written);
        output[self.written..self.written + size].copy_from_slice(&input[..size]);
        self.written += size;
        if self.written == self.chunk_end {
            self.next = Next::Chunk;
        }
        size
    }

    /// Decodes symbols of a chunk to the end of `output`, as long as `input` certainly contains the next one. It advances
    /// `input` and returns 0.
    fn symbols(&mut self, input: &mut Input, output: &mut [u8]) -> Result<usize, Invalid> {
        while self.written < output.len() {
            if input.at + LONGEST_SYMBOL > input.bytes.len() {
                return Ok(0);
            }
            self.written = self
                .lzma
                .symbol(input, output, self.written)
                .ok_or(Invalid)?;
        }
        self.next = Next::Chunk;
        Ok(0)
    }

    /// Compares the checksum after the content, of which `consumed` bytes of the file have been read, and returns its size
    /// with the padding before it, or 0 if it is not complete.
    fn checksum(&mut self, input: &[u8], consumed: usize) -> Result<usize, Invalid> {
        let padding = consumed.wrapping_neg() & 3;
        let Some(stored) = input.get(padding..padding + 4) else {
            return Ok(0);
        };
        if stored != (!self.remainder).to_le_bytes() {
            return Err(Invalid);
        }
        self.next = Next::End;
        Ok(padding + 4)
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

/// Takes one more byte into a CRC-32, half a byte at a time.
const fn advanced(remainder: u32, byte: u8) -> u32 {
    const HALVES: [u32; 16] = {
        let mut halves = [0; 16];
        let mut i = 0;
        while i < 64 {
            let before = if i % 4 == 0 {
                i as u32 / 4
            } else {
                halves[i / 4]
            };
            halves[i / 4] = (before >> 1) ^ (0xedb8_8320 * (before & 1));
            i += 1;
        }
        halves
    };
    let once = remainder ^ byte as u32;
    let twice = (once >> 4) ^ HALVES[(once & 15) as usize];
    (twice >> 4) ^ HALVES[(twice & 15) as usize]
}

#[cfg(test)]
mod tests;
