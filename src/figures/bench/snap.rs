//! Animates a hand released between two positions to the selected one (ease-out).

use super::Transient;
use crate::figure::Displacement;

/// Displacement of the hands from their positions at the release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapAnimation {
    held: Displacement,
}

impl SnapAnimation {
    /// Milliseconds.
    pub const DURATION: f64 = 160.0;

    /// The animation from this displacement; `None` if there is none.
    pub fn of(transient: &Transient) -> Option<SnapAnimation> {
        let held = transient.displacement;
        (held != Displacement::default()).then_some(SnapAnimation { held })
    }

    /// `transient` with the displacement that remains at `progress`, 0 … 1.
    pub fn at_progress(&self, progress: f64, transient: Transient) -> Transient {
        let left = (1.0 - progress).powi(2);
        Transient {
            displacement: Displacement::held(left * self.held.pos.left, left * self.held.k.left),
            ..transient
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_hands_come_to_rest_and_nothing_else_changes() {
        let start = Transient {
            displacement: Displacement::held(0.4, -0.2),
            pair: Some(3),
            ..Transient::default()
        };
        let snap = SnapAnimation::of(&start).unwrap();
        assert_eq!(snap.at_progress(0.0, start), start);
        let half = snap.at_progress(0.5, start).displacement;
        assert!((half.pos.left - 0.1).abs() < 1e-15 && (half.k.left + 0.05).abs() < 1e-15);
        let end = Transient {
            pair: Some(3),
            ..Transient::default()
        };
        assert_eq!(snap.at_progress(1.0, start), end);
        assert_eq!(SnapAnimation::of(&end), None);
    }
}
