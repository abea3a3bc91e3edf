//! Numbers from repeated runs: mean, confidence and prediction interval; and the median of a list.

/// What repeated runs gave for one value of one metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples(Vec<f64>);

/// 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom.
const T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// The same for more degrees of freedom, by the first two terms of the expansion in their inverse (Abramowitz and Stegun
/// 26.7.5), which are right to 0.001 from 30 on.
fn many(freedom: usize) -> f64 {
    let (z, v) = (1.959_964_f64, freedom as f64);
    let first = (z.powi(3) + z) / (4.0 * v);
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * v * v);
    z + first + second
}

impl Samples {
    /// Adds the number of a run; an undefined one is left out.
    pub fn push(&mut self, value: Option<f64>) {
        self.0.extend(value);
    }

    /// How many runs gave a number.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none did.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mean; none where no run gave a number.
    pub fn mean(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.0.iter().sum::<f64>() / self.0.len() as f64)
    }

    /// Half the width of the 95 % confidence interval of the mean (Student's t); none below two
    /// runs.
    pub fn half_width(&self) -> Option<f64> {
        Some(self.reach()? / (self.0.len() as f64).sqrt())
    }

    /// The ends of the 95 % prediction interval of one more run: mean ± t·s·√(1 + 1/n), with t the 97.5 %
    /// quantile of Student's t for n − 1 degrees of freedom. One more run lies within it with that
    /// probability if runs are normally distributed; none below two runs.
    pub fn prediction(&self) -> Option<(f64, f64)> {
        let reach = self.reach()? * (1.0 + 1.0 / self.0.len() as f64).sqrt();
        let mean = self.mean()?;
        Some((mean - reach, mean + reach))
    }

    /// t times the standard deviation of one run; none below two runs.
    fn reach(&self) -> Option<f64> {
        let (mean, n) = (self.mean()?, self.0.len());
        let quantile = match n {
            0 | 1 => return None,
            _ => T.get(n - 2).copied().unwrap_or_else(|| many(n - 1)),
        };
        let squares = self.0.iter().map(|value| (value - mean).powi(2));
        let variance = squares.sum::<f64>() / (n - 1) as f64;
        Some(quantile * variance.sqrt())
    }
}

impl FromIterator<f64> for Samples {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

/// The median, between the middle two of an even number; none of an empty list.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some((values[last / 2] + values[last.div_ceil(2)]) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_go_on_where_the_table_ends() {
        assert!((many(30) - T[29]).abs() < 1e-3);
        assert!((many(31) - 2.040).abs() < 1e-3 && (many(60) - 2.000).abs() < 1e-3);
        assert!((many(1 << 40) - 1.960).abs() < 1e-3);
    }

    #[test]
    fn a_known_interval() {
        let samples: Samples = [1.0, 2.0, 3.0].into_iter().collect();
        assert_eq!(samples.mean(), Some(2.0));
        // s = 1, so 4.303/√3.
        assert!((samples.half_width().unwrap() - 4.303 / 3f64.sqrt()).abs() < 1e-12);
        // One more run: 4.303·√(4/3) to either side of 2.
        let (low, high) = samples.prediction().unwrap();
        let reach = 4.303 * (4.0f64 / 3.0).sqrt();
        assert!((low - 2.0 + reach).abs() < 1e-12 && (high - 2.0 - reach).abs() < 1e-12);
    }

    #[test]
    fn few_runs_have_no_interval() {
        let mut samples = Samples::default();
        assert_eq!((samples.mean(), samples.half_width()), (None, None));
        samples.push(None);
        samples.push(Some(4.0));
        assert_eq!((samples.mean(), samples.half_width()), (Some(4.0), None));
        samples.push(Some(4.0));
        assert_eq!(samples.half_width(), Some(0.0));
        assert_eq!(samples.prediction(), Some((4.0, 4.0)));
    }
}
