//! LZMA: literals and matches, each a sequence of bits with adaptive probabilities, in a range coder.

/// Offsets in the table of probabilities.
const IS_MATCH: usize = 0;
const IS_REPEATED: usize = IS_MATCH + (12 << 4);
const IS_NOT_FIRST: usize = IS_REPEATED + 12;
const IS_NOT_SECOND: usize = IS_NOT_FIRST + 12;
const IS_FOURTH: usize = IS_NOT_SECOND + 12;
const IS_LONG: usize = IS_FOURTH + 12;
const SLOTS: usize = IS_LONG + (12 << 4);
const SPECIAL: usize = SLOTS + (4 << 6);
const ALIGN: usize = SPECIAL + 128;
const MATCH_LENGTH: usize = ALIGN + 16;
const REPEATED_LENGTH: usize = MATCH_LENGTH + LENGTHS;
const LITERALS: usize = REPEATED_LENGTH + LENGTHS;
/// In LZMA2, lc + lp is at most 4.
const ALL: usize = LITERALS + (0x300 << 4);

/// The probabilities of a length: two bits that select the coder, then coders of 3, 3 and 8 bits.
const LENGTHS: usize = LENGTH_HIGH + 256;
const LENGTH_LOW: usize = 2;
const LENGTH_MID: usize = LENGTH_LOW + (16 << 3);
const LENGTH_HIGH: usize = LENGTH_MID + (16 << 3);

/// The compressed bytes at hand.
pub struct Input<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Input<'_> {
    fn byte(&mut self) -> u32 {
        let byte = self.bytes.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        byte.into()
    }
}

pub struct Lzma {
    range: u32,
    code: u32,
    /// What the last symbols were: below 7, the last one was a literal.
    state: usize,
    /// The last four distances, less one.
    distances: [usize; 4],
    /// The number of high bits of the byte before that choose the probabilities of a literal.
    lc: u32,
    /// Masks of the position for literals, and for everything else.
    literal_mask: usize,
    mask: usize,
    /// Probabilities that a bit is 0, of 2048.
    chances: [u16; ALL],
}

impl Lzma {
    pub const fn new() -> Self {
        Self {
            range: 0,
            code: 0,
            state: 0,
            distances: [0; 4],
            lc: 0,
            literal_mask: 0,
            mask: 0,
            chances: [0; ALL],
        }
    }

    pub fn reset(&mut self) {
        self.state = 0;
        self.distances = [0; 4];
        self.chances.fill(1024);
    }

    pub fn set_properties(&mut self, byte: u8) -> Result<(), super::Invalid> {
        let (lc, lp, pb) = (byte % 9, byte / 9 % 5, byte / 45);
        if lc + lp > 4 || pb > 4 {
            return Err(super::Invalid);
        }
        self.lc = lc.into();
        self.literal_mask = (1 << lp) - 1;
        self.mask = (1 << pb) - 1;
        Ok(())
    }

    /// Starts the range coder with the first five bytes of a chunk.
    pub fn begin(&mut self, bytes: &[u8]) {
        self.range = u32::MAX;
        self.code = bytes
            .iter()
            .fold(0, |code, &byte| (code << 8) | u32::from(byte));
    }

    fn normalise(&mut self, input: &mut Input) {
        if self.range < 1 << 24 {
            self.range <<= 8;
            self.code = (self.code << 8) | input.byte();
        }
    }

    fn bit(&mut self, input: &mut Input, index: usize) -> usize {
        let chance = &mut self.chances[index];
        let bound = (self.range >> 11) * u32::from(*chance);
        let one = self.code >= bound;
        if one {
            self.range -= bound;
            self.code -= bound;
            *chance -= *chance >> 5;
        } else {
            self.range = bound;
            *chance += (2048 - *chance) >> 5;
        }
        self.normalise(input);
        one.into()
    }

    /// Reads `count` bits, highest first, from a binary tree of probabilities.
    fn bits(&mut self, input: &mut Input, tree: usize, count: u32) -> usize {
        let mut node = 1;
        for _ in 0..count {
            node = (node << 1) | self.bit(input, tree + node);
        }
        node - (1 << count)
    }

    /// Reads `count` bits, lowest first.
    fn reversed_bits(&mut self, input: &mut Input, tree: usize, count: u32) -> usize {
        let (mut node, mut bits) = (1, 0);
        for i in 0..count {
            let bit = self.bit(input, tree + node);
            node = (node << 1) | bit;
            bits |= bit << i;
        }
        bits
    }

    /// Reads `count` bits that are as likely 0 as 1.
    fn equal_bits(&mut self, input: &mut Input, count: u32) -> usize {
        let mut bits = 0;
        for _ in 0..count {
            self.range >>= 1;
            let one = self.code >= self.range;
            if one {
                self.code -= self.range;
            }
            bits = (bits << 1) | usize::from(one);
            self.normalise(input);
        }
        bits
    }

    fn length(&mut self, input: &mut Input, coder: usize, place: usize) -> usize {
        if self.bit(input, coder) == 0 {
            2 + self.bits(input, coder + LENGTH_LOW + (place << 3), 3)
        } else if self.bit(input, coder + 1) == 0 {
            10 + self.bits(input, coder + LENGTH_MID + (place << 3), 3)
        } else {
            18 + self.bits(input, coder + LENGTH_HIGH, 8)
        }
    }

    fn distance(&mut self, input: &mut Input, length: usize) -> usize {
        let slot = self.bits(input, SLOTS + ((length - 2).min(3) << 6), 6);
        if slot < 4 {
            return slot;
        }
        let count = (slot >> 1) as u32 - 1;
        let base = (2 | (slot & 1)) << count;
        if slot < 14 {
            base + self.reversed_bits(input, SPECIAL + base - slot, count)
        } else {
            base.wrapping_add(self.equal_bits(input, count - 4) << 4)
                + self.reversed_bits(input, ALIGN, 4)
        }
    }

    fn literal(&mut self, input: &mut Input, output: &[u8], written: usize) -> Option<u8> {
        let before = if written == 0 {
            0
        } else {
            usize::from(*output.get(written - 1)?)
        };
        let coder = ((written & self.literal_mask) << self.lc) + (before >> (8 - self.lc));
        let coder = LITERALS + 0x300 * coder;
        let mut symbol = 1;
        if self.state >= 7 {
            // The byte that the last match would have gone on with is not the right one, but often similar.
            let mut expected =
                usize::from(*output.get(written.wrapping_sub(self.distances[0]).wrapping_sub(1))?);
            while symbol < 0x100 {
                expected <<= 1;
                let bit = (expected >> 8) & 1;
                symbol = (symbol << 1) | self.bit(input, coder + ((1 + bit) << 8) + symbol);
                if symbol & 1 != bit {
                    break;
                }
            }
        }
        while symbol < 0x100 {
            symbol = (symbol << 1) | self.bit(input, coder + symbol);
        }
        Some(symbol as u8)
    }

    /// Decodes one literal or match to `output` after the first `written` bytes, and returns how many there are then.
    pub fn symbol(
        &mut self,
        input: &mut Input,
        output: &mut [u8],
        written: usize,
    ) -> Option<usize> {
        let place = written & self.mask;
        let state = self.state;
        let after_literal = state < 7;
        if self.bit(input, IS_MATCH + (state << 4) + place) == 0 {
            *output.get_mut(written)? = self.literal(input, output, written)?;
            self.state = state - [0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 6, 6][state];
            return Some(written + 1);
        }
        let length = if self.bit(input, IS_REPEATED + state) == 0 {
            let length = self.length(input, MATCH_LENGTH, place);
            self.state = if after_literal { 7 } else { 10 };
            let distance = self.distance(input, length);
            self.distances.rotate_right(1);
            self.distances[0] = distance;
            length
        } else {
            let first = self.bit(input, IS_NOT_FIRST + state) == 0;
            if first && self.bit(input, IS_LONG + (state << 4) + place) == 0 {
                self.state = if after_literal { 9 } else { 11 };
                1
            } else {
                if !first {
                    let second = self.bit(input, IS_NOT_SECOND + state) == 0;
                    let index = if second {
                        1
                    } else {
                        2 + self.bit(input, IS_FOURTH + state)
                    };
                    self.distances[..=index].rotate_right(1);
                }
                self.state = if after_literal { 8 } else { 11 };
                self.length(input, REPEATED_LENGTH, place)
            }
        };
        let from = written.checked_sub(self.distances[0].checked_add(1)?)?;
        let end = written + length;
        if end > output.len() {
            return None;
        }
        // One byte after the other: a match may overlap what it writes.
        for i in 0..length {
            output[written + i] = output[from + i];
        }
        Some(end)
    }
}
