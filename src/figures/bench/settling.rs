//! A hand that is let go between two positions goes to the one that is selected: on the bench and in its figures alike.

use super::Transient;

/// How far the hands were from their positions when they were let go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settling {
    glide: f64,
    offset_glide: f64,
}

impl Settling {
    /// Milliseconds that a hand takes.
    pub const DURATION: f64 = 160.0;

    /// `None` where every hand is on its position.
    pub fn of(transient: &Transient) -> Option<Settling> {
        let (glide, offset_glide) = (transient.glide, transient.offset_glide);
        (glide != 0.0 || offset_glide != 0.0).then_some(Settling {
            glide,
            offset_glide,
        })
    }

    /// `transient` with the hands where they are after a share of the time, 0 … 1: ever slower.
    pub fn after(&self, share: f64, transient: Transient) -> Transient {
        let left = (1.0 - share).powi(2);
        Transient {
            glide: left * self.glide,
            offset_glide: left * self.offset_glide,
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
            glide: 0.4,
            offset_glide: -0.2,
            pair: Some(3),
            ..Transient::default()
        };
        let settling = Settling::of(&start).unwrap();
        assert_eq!(settling.after(0.0, start), start);
        let half = settling.after(0.5, start);
        assert!((half.glide - 0.1).abs() < 1e-15 && (half.offset_glide + 0.05).abs() < 1e-15);
        let end = Transient {
            pair: Some(3),
            ..Transient::default()
        };
        assert_eq!(settling.after(1.0, start), end);
        assert_eq!(Settling::of(&end), None);
    }
}
