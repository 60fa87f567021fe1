//! A table that a page is still loading; in a process of its own, as all of it waits.

use posenc_encoding::{Encoding, Layout, NoTable, TableConfig, defer_whisper};

#[test]
fn a_table_that_is_awaited_is_not_made() {
    let made = |encoding: Encoding| {
        let config = TableConfig {
            max_len: 448,
            d_model: 384,
            base: 1e4,
            layout: Layout::Interleaved,
        };
        encoding.table(&config).err()
    };
    defer_whisper(true);
    assert_eq!(made(Encoding::Whisper), Some(NoTable::Loading));
    assert_eq!(made(Encoding::Learned), None);
    defer_whisper(false);
    assert_eq!(made(Encoding::Whisper), None);
}
