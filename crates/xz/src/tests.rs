use super::*;

/// What `xz --check=crc32 --lzma2=lc=1,lp=2,pb=3` makes of [`words`]: the core is compressed with other parameters.
const WORDS: &[u8] = include_bytes!("words.xz");

fn words() -> Vec<u8> {
    let word = |n: usize| format!("{n} {} {}", n * n % 97, "position ".repeat(n % 5));
    (0..800).map(word).collect::<String>().into_bytes()
}

/// Decompresses a file whose bytes arrive `step` at a time.
fn decompressed(file: &[u8], step: usize) -> Result<Option<Vec<u8>>, Invalid> {
    let mut decoder = Decoder::new();
    let mut output = vec![0; 1 << 18];
    let mut held = Vec::new();
    for bytes in file.chunks(step) {
        held.extend(bytes);
        let consumed = decoder.decode(&held, &mut output)?;
        held.drain(..consumed);
        assert!(held.len() <= MOST_LEFT);
    }
    output.truncate(decoder.written());
    Ok(decoder.is_finished().then_some(output))
}

/// A file with chunks that are stored as they are.
fn stored(content: &[u8]) -> Vec<u8> {
    let mut file = WORDS[..24].to_vec();
    for (i, chunk) in content.chunks(1000).enumerate() {
        file.push(if i == 0 { 1 } else { 2 });
        file.extend(u16::try_from(chunk.len() - 1).unwrap().to_be_bytes());
        file.extend(chunk);
    }
    file.push(0);
    file.resize(file.len().next_multiple_of(4), 0);
    file.extend(
        (!content
            .iter()
            .fold(u32::MAX, |crc, &byte| advanced(crc, byte)))
        .to_le_bytes(),
    );
    file.extend(&WORDS[WORDS.len() - 20..]);
    file
}

#[test]
fn the_checksum_is_that_of_the_standard() {
    // https://reveng.sourceforge.io/crc-catalogue/all.htm: CRC-32/ISO-HDLC
    assert_eq!(
        !b"123456789"
            .iter()
            .fold(u32::MAX, |crc, &byte| advanced(crc, byte)),
        0xcbf4_3926
    );
}

#[test]
fn content_is_what_was_compressed_however_its_bytes_arrive() {
    for step in [1, 7, 100, 1 << 16] {
        assert_eq!(
            decompressed(WORDS, step),
            Ok(Some(words())),
            "{step} at a time"
        );
        let content = &words()[..2500];
        assert_eq!(
            decompressed(&stored(content), step),
            Ok(Some(content.to_vec())),
            "stored, {step} at a time"
        );
    }
}

#[test]
fn a_file_that_is_cut_off_is_not_finished() {
    for end in (0..WORDS.len() - 24).step_by(97).chain([WORDS.len() - 25]) {
        assert_eq!(
            decompressed(&WORDS[..end], 1 << 16),
            Ok(None),
            "after {end} bytes"
        );
    }
}

#[test]
fn damage_is_noticed() {
    // Up to the index, and without the header's own checksum.
    for at in (24..WORDS.len() - 24).step_by(31).chain([0, 3, 7, 13]) {
        let mut file = WORDS.to_vec();
        file[at] ^= 4;
        assert!(
            !matches!(decompressed(&file, 1 << 16), Ok(Some(_))),
            "at {at}"
        );
    }
}

#[test]
fn a_header_is_as_large_as_one_filter_takes() {
    for size in [8, 0xff] {
        let mut file = WORDS.to_vec();
        file[STREAM_HEADER] = size;
        assert_eq!(decompressed(&file, 1), Err(Invalid), "{size}");
    }
}

/// Newer versions of xz write the sizes of the block into its header.
#[test]
fn a_header_may_have_sizes() {
    let mut file = WORDS[..STREAM_HEADER].to_vec();
    // Flags and, with two bytes each, sizes that are not checked; LZMA2 as before.
    file.extend([3, 0xc0, 0x80, 1, 0x80, 1]);
    file.extend(&WORDS[STREAM_HEADER + 2..STREAM_HEADER + 5]);
    file.resize(STREAM_HEADER + 16, 0);
    file.extend(&WORDS[STREAM_HEADER + 12..]);
    assert_eq!(decompressed(&file, 100), Ok(Some(words())));
}

#[test]
fn there_must_be_room_for_the_content() {
    let mut output = [0; 1000];
    assert_eq!(Decoder::new().decode(WORDS, &mut output), Err(Invalid));
}
