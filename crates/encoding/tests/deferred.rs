//! Tables while the second part of a split build is loading. The flag is global, hence a test binary of its own.

use posenc_encoding::{Encoding, Layout, NoTable, TableConfig, set_deferred};

#[test]
fn a_table_that_is_deferred_is_not_made() {
    let made = |encoding: Encoding| {
        let config = TableConfig {
            max_len: 448,
            d_model: 384,
            base: 1e4,
            layout: Layout::Interleaved,
        };
        encoding.table(&config).err()
    };
    set_deferred(true);
    assert_eq!(made(Encoding::Whisper), Some(NoTable::Loading));
    assert_eq!(made(Encoding::Learned), Some(NoTable::Loading));
    assert_eq!(made(Encoding::Sinusoidal), None);
    set_deferred(false);
    assert_eq!(made(Encoding::Whisper), None);
    assert_eq!(made(Encoding::Learned), None);
}
