//! Separates labels that would overlap.

/// Moves two positions on an axis apart until the second is at least `gap` after the first; each moves by
/// half of the distance.
pub fn keep_apart(first: &mut f64, second: &mut f64, gap: f64) {
    let push = (gap - (*second - *first)).max(0.0) / 2.0;
    *first -= push;
    *second += push;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_go_half_of_the_way_and_no_farther() {
        let moved = |mut first: f64, mut second: f64| {
            keep_apart(&mut first, &mut second, 4.0);
            (first, second)
        };
        assert_eq!(moved(10.0, 11.0), (8.5, 12.5));
        assert_eq!(moved(10.0, 10.0), (8.0, 12.0));
        assert_eq!(moved(12.0, 10.0), (9.0, 13.0), "in the wrong order");
        assert_eq!(moved(10.0, 14.0), (10.0, 14.0));
        assert_eq!(moved(10.0, 20.0), (10.0, 20.0));
    }
}
