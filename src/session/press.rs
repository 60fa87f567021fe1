//! The press of a pointer on a picture, until it is released.

/// `V` is the type of the values that a press may change.
pub struct Press<V> {
    /// The values before the press.
    before: Option<V>,
    prevents_scroll: bool,
}

impl<V> Default for Press<V> {
    fn default() -> Press<V> {
        Press {
            before: None,
            prevents_scroll: false,
        }
    }
}

impl<V> Press<V> {
    pub fn begin(&mut self, before: V) {
        self.before = Some(before);
    }

    pub fn set_prevents_scroll(&mut self, prevents_scroll: bool) {
        self.prevents_scroll = prevents_scroll;
    }

    /// Whether a touch drags a handle; elsewhere it scrolls the page, as `touch-action` permits.
    pub fn prevents_scroll(&self) -> bool {
        self.prevents_scroll
    }

    pub fn end(&mut self) {
        *self = Press::default();
    }

    /// Cancels a press that was not meant for the picture, such as one that the browser has taken over for scrolling.
    /// Returns the values from before the press, if it is not over, for restoring them.
    pub fn cancel(&mut self) -> Option<V> {
        self.prevents_scroll = false;
        self.before.take()
    }
}
