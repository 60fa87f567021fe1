//! The way of the outputs from one order of the tokens to another.

/// Outputs on their way from another order of the same tokens.
pub(super) struct Moving {
    /// The position in that order of the token at each position.
    from: Vec<usize>,
    /// 0 in that order, 1 in the new one.
    pub(super) progress: f64,
}

impl Moving {
    /// From one order of token indices to another; `None` if they are equal or not of the same tokens.
    pub(super) fn between(before: &[usize], after: &[usize]) -> Option<Moving> {
        if before == after || before.len() != after.len() {
            return None;
        }
        let place = |token| before.iter().position(|other| other == token);
        let from = after.iter().map(place).collect::<Option<_>>()?;
        let progress = 1.0;
        Some(Moving { from, progress })
    }

    /// The column of a position of the new order, between two on the way, which starts and ends slowly.
    pub(super) fn column(&self, place: usize) -> f64 {
        let share = self.progress * self.progress * (3.0 - 2.0 * self.progress);
        self.from[place] as f64 * (1.0 - share) + place as f64 * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_move_from_their_old_columns_to_their_new_ones() {
        let mut moving = Moving::between(&[0, 1, 2], &[2, 0, 1]).unwrap();
        let mut columns = |progress| {
            moving.progress = progress;
            [0, 1, 2].map(|place| moving.column(place))
        };
        assert_eq!(columns(0.0), [2.0, 0.0, 1.0]);
        assert_eq!(columns(0.5), [1.0, 0.5, 1.5]);
        assert_eq!(columns(1.0), [0.0, 1.0, 2.0]);
        assert!(Moving::between(&[0, 1], &[0, 1]).is_none());
        assert!(Moving::between(&[0, 1], &[0, 2]).is_none());
    }
}
