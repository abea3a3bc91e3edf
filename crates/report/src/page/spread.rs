//! Long rows of counts brought to as many steps as can be drawn.

/// The most columns of a chart.
const MOST: usize = 36;
/// The share of everything beyond which what is left becomes one last step.
const NEARLY_ALL: f64 = 0.995;

/// A step: the positions from the first to the last, and how it is called.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) label: String,
}

impl Step {
    /// What lies in this step.
    pub(super) fn sum(&self, counts: &[u64]) -> u64 {
        let last = (self.last + 1).min(counts.len());
        counts
            .get(self.first..last)
            .unwrap_or_default()
            .iter()
            .sum()
    }
}

/// The steps of lengths: equally wide, with a last one for the few long ones.
pub(super) fn lengths(rows: &[&[u64]]) -> Vec<Step> {
    let longest = rows
        .iter()
        .filter_map(|row| row.iter().rposition(|&count| count > 0))
        .max();
    let longest = longest.unwrap_or(0);
    let first = rows
        .iter()
        .filter_map(|row| row.iter().position(|&count| count > 0))
        .min();
    let first = first.unwrap_or(0).min(1);
    let reach = rows
        .iter()
        .map(|row| nearly_all(row))
        .max()
        .unwrap_or(longest);
    let end = if longest > reach + reach / 2 + 2 {
        reach
    } else {
        longest
    };
    let mut steps = even(first, end);
    if end < longest {
        steps.push(Step {
            first: end + 1,
            last: longest,
            label: format!("{}+", end + 1),
        });
    }
    steps
}

/// Equal steps over all positions.
pub(super) fn positions(count: usize) -> Vec<Step> {
    even(0, count.saturating_sub(1))
}

fn even(first: usize, last: usize) -> Vec<Step> {
    let wide = (last + 1 - first).div_ceil(MOST).max(1);
    (first..=last)
        .step_by(wide)
        .map(|start| {
            let end = (start + wide - 1).min(last);
            let label = if wide == 1 {
                start.to_string()
            } else {
                format!("{start}–{end}")
            };
            Step {
                first: start,
                last: end,
                label,
            }
        })
        .collect()
}

fn nearly_all(counts: &[u64]) -> usize {
    let all: u64 = counts.iter().sum();
    let enough = (all as f64 * NEARLY_ALL).ceil() as u64;
    let mut sum = 0;
    let within = |&count: &u64| {
        sum += count;
        sum >= enough
    };
    counts.iter().position(within).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_lies_in_exactly_one_step() {
        let rows: [&[u64]; 5] = [
            &[0, 3, 4, 1],
            &[5],
            &[],
            &[1; 200],
            &[0, 1000, 900, 0, 0, 0, 0, 0, 0, 1],
        ];
        for row in rows {
            let steps = lengths(&[row]);
            let sum: u64 = steps.iter().map(|step| step.sum(row)).sum();
            assert_eq!(sum, row.iter().sum::<u64>(), "{steps:?}");
            assert!(steps.len() <= MOST + 1 && !steps.is_empty());
        }
        assert_eq!(
            lengths(&[rows[4]]).last().map(|it| it.label.as_str()),
            Some("3+")
        );
        assert_eq!(positions(24).len(), 24);
        assert_eq!(
            positions(1000)
                .iter()
                .map(|it| it.last + 1 - it.first)
                .sum::<usize>(),
            1000
        );
    }
}
