//! Classes of the time between two visits: exact up to 8 bins, then two for every doubling.

/// The class of a gap.
pub(super) fn class(gap: u32) -> usize {
    match gap {
        0..=8 => gap as usize,
        _ => {
            let octave = (gap - 1).ilog2();
            let upper = (gap - 1) >> (octave - 1) & 1;
            (9 + 2 * (octave - 3) + upper) as usize
        }
    }
}

/// The gaps of a class.
pub(super) fn of_class(class: usize) -> std::ops::RangeInclusive<u32> {
    match class {
        0..=8 => class as u32..=class as u32,
        _ => {
            let (octave, upper) = (3 + (class as u32 - 9) / 2, (class as u32 - 9) % 2);
            let width = 1 << (octave - 1);
            let first = (1 << octave) + upper * width + 1;
            first..=first + width - 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gap_lies_in_its_class_and_classes_join() {
        let mut next = 0;
        for number in 0..=class(999_999) {
            let gaps = of_class(number);
            assert_eq!(*gaps.start(), next);
            for gap in [*gaps.start(), *gaps.end()] {
                assert_eq!(class(gap), number);
            }
            next = gaps.end() + 1;
        }
        assert!(next > 999_999);
        assert_eq!(class(999_999), 42);
        assert_eq!([9, 12, 13, 17].map(class), [9, 9, 10, 11]);
    }
}
