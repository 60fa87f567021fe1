//! Values that tests compute once for all threads of a process, such as finished runs of training, which take seconds.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

pub struct OnceMap<K, V: 'static>(Mutex<BTreeMap<K, &'static OnceLock<V>>>);

impl<K: Ord, V> OnceMap<K, V> {
    pub const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// The value of a key. Other threads that want the same one wait for it, and only they.
    pub fn get_or_init(&self, key: K, compute: impl FnOnce() -> V) -> &'static V {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = *values
            .entry(key)
            .or_insert_with(|| Box::leak(Box::default()));
        drop(values);
        value.get_or_init(compute)
    }
}
