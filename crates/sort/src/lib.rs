//! Sorting by `f64` keys. The standard library's sort is instantiated for every type and comparison, at four kilobytes of
//! WebAssembly each; this one exists once.

#![forbid(unsafe_code)]

/// Returns the indices of the keys in ascending order ([`f64::total_cmp`]); equal keys keep their order. A bottom-up
/// merge sort.
pub fn argsort(keys: &[f64]) -> Vec<usize> {
    let count = keys.len();
    let mut order: Vec<usize> = (0..count).collect();
    let mut merged = order.clone();
    let mut run = 1;
    while run < count {
        for start in (0..count).step_by(2 * run) {
            let (middle, end) = ((start + run).min(count), (start + 2 * run).min(count));
            let (mut left, mut right) = (start, middle);
            for place in &mut merged[start..end] {
                let of = |place: usize| keys[order[place]];
                let first = right == end || left < middle && of(left).total_cmp(&of(right)).is_le();
                let next = if first { &mut left } else { &mut right };
                *place = order[*next];
                *next += 1;
            }
        }
        std::mem::swap(&mut order, &mut merged);
        run *= 2;
    }
    order
}

/// Returns the items in ascending order of their keys; items with equal keys keep their order.
pub fn sorted<T: Copy>(items: &[T], key: impl Fn(&T) -> f64) -> Vec<T> {
    let keys: Vec<f64> = items.iter().map(key).collect();
    let order = argsort(&keys).into_iter();
    order.filter_map(|at| items.get(at).copied()).collect()
}

/// Returns the number at a place in ascending order ([`f64::total_cmp`]), from 0; `None` if there are not so many. Selects
/// by partitions, and leaves the numbers in another order.
pub fn nth(numbers: &mut [f64], place: usize) -> Option<f64> {
    let (mut from, mut to) = (0, numbers.len());
    while from <= place && place < to {
        let pivot = numbers[from + (to - from) / 2];
        let (mut low, mut high) = (from, to);
        while low < high {
            if numbers[low].total_cmp(&pivot).is_lt() {
                low += 1;
            } else if numbers[high - 1].total_cmp(&pivot).is_gt() {
                high -= 1;
            } else {
                numbers.swap(low, high - 1);
                low += 1;
                high -= 1;
            }
        }
        // What stands between both parts, if anything, is the pivot.
        match (place < high, place < low) {
            (true, _) => to = high,
            (_, true) => return Some(pivot),
            _ => from = low,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_has_the_number_that_sorting_puts_there() {
        for count in 0..70_usize {
            let numbers: Vec<f64> = (0..count).map(|i| (i * 37 % 23) as f64 - 9.0).collect();
            let wanted = sorted(&numbers, |it| *it);
            for place in 0..count {
                assert_eq!(nth(&mut numbers.clone(), place), wanted.get(place).copied());
            }
            assert_eq!(nth(&mut numbers.clone(), count), None);
        }
        let mut odd = [f64::NAN, 1.0, f64::NEG_INFINITY, -0.0, 0.0];
        assert_eq!(nth(&mut odd, 0), Some(f64::NEG_INFINITY));
        assert_eq!(nth(&mut odd, 3), Some(1.0));
        assert!(nth(&mut odd, 4).is_some_and(f64::is_nan));
    }

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        assert_eq!(argsort(&[2.0, -1.0, 7.5, 2.0]), [1, 0, 3, 2]);
        assert!(argsort(&[]).is_empty());
        for count in 0..70 {
            let items: Vec<i32> = (0..count).map(|i| i * 37 % 23 - 9).collect();
            let mut wanted = items.clone();
            wanted.sort();
            assert_eq!(sorted(&items, |it| f64::from(*it)), wanted);
        }
    }

    #[test]
    fn equal_keys_stay_in_their_order() {
        let pairs = [(1, 'a'), (0, 'b'), (1, 'c'), (0, 'd')];
        let found = sorted(&pairs, |it| f64::from(it.0));
        assert_eq!(found, [(0, 'b'), (0, 'd'), (1, 'a'), (1, 'c')]);
    }
}
