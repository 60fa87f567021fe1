//! A hand that is let go between two positions goes to the one that is selected.

use super::App;

/// A hand on its way to a whole position.
pub(super) struct Settling {
    /// The glides of pos and of k when it was let go.
    from: (f64, f64),
    /// Milliseconds that it takes.
    duration: f64,
    /// The time of its first frame.
    since: Option<f64>,
}

/// Milliseconds that a hand takes which was let go.
pub(super) const SETTLE: f64 = 160.0;

impl App {
    /// A hand that was let go between two positions goes to the one that is selected.
    pub(super) fn settle(&mut self, duration: f64) {
        let still = self.is_still();
        let from = (self.transient.glide, self.transient.offset_glide);
        self.settling = (!still && from != (0.0, 0.0)).then_some(Settling {
            from,
            duration,
            since: None,
        });
        if self.settling.is_none() {
            (self.transient.glide, self.transient.offset_glide) = (0.0, 0.0);
        }
    }

    /// Moves it on; true while it is not there.
    pub(super) fn go_on_settling(&mut self, time: f64) -> bool {
        let Some(settling) = &mut self.settling else {
            return false;
        };
        let since = *settling.since.get_or_insert(time);
        let left = (1.0 - (time - since) / settling.duration).clamp(0.0, 1.0);
        // Ease-out.
        let left = left * left;
        let (glide, offset_glide) = settling.from;
        self.transient.glide = left * glide;
        self.transient.offset_glide = left * offset_glide;
        self.pending.redraw = true;
        if left == 0.0 {
            self.settling = None;
        }
        self.settling.is_some()
    }
}
