//! A cache of values that tests compute once per process and share among threads, such as finished training runs, which
//! take seconds.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

pub struct OnceMap<K, V: 'static>(Mutex<BTreeMap<K, &'static OnceLock<V>>>);

impl<K: Ord, V> OnceMap<K, V> {
    pub const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// Returns the value of a key, computing it on first use. Other threads that request this key wait; other keys are not
    /// blocked.
    pub fn get_or_init(&self, key: K, compute: impl FnOnce() -> V) -> &'static V {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = *values
            .entry(key)
            .or_insert_with(|| Box::leak(Box::default()));
        drop(values);
        value.get_or_init(compute)
    }
}
