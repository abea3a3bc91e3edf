//! The generated data sets, with their sensitive values.

use wayveil_core::verify::{Column, Published};
use wayveil_core::{NonPrivate, RandomSource, Sequences, Silent};
use wayveil_io::generate::{GenerateOptions, Preset, generate};
use wayveil_mechanisms::suppress::{Outcome, SensitiveColumn, Table};

/// The same data on every machine.
const SEED: u64 = 7;

/// Timed trajectories, one for each person, and a value beside each of them.
pub(super) struct Data {
    pub(super) name: &'static str,
    pub(super) trips: Sequences,
    pub(super) values: Vec<u32>,
    pub(super) sensitive: Vec<u32>,
}

impl Data {
    pub(super) fn generate(preset: Preset, records: Option<u64>) -> Result<Self, String> {
        let info = preset.info();
        let name = info.name;
        let sensitive = info
            .attribute
            .ok_or("a data set without sensitive values")?
            .sensitive;
        let options = GenerateOptions {
            records,
            ..GenerateOptions::default()
        };
        let mut random = RandomSource::insecure_seed(SEED);
        let raw = generate(preset, &options, &mut random, &Silent).map_err(|e| e.to_string())?;
        let because = NonPrivate::because("suppresses generated data again and again");
        let data = raw.inspect(because, |data| {
            let column = data.attributes().first().ok_or("no column of values")?;
            let codes = column.values.iter().zip(0..);
            let codes = codes.filter(|(value, _)| sensitive.contains(value));
            Ok(Self {
                name,
                trips: data.trips().clone(),
                values: column.of_record.clone(),
                sensitive: codes.map(|(_, code)| code).collect(),
            })
        });
        data.for_publisher_only()
    }

    pub(super) fn table(&self) -> Result<Table, String> {
        let columns = [SensitiveColumn {
            of_record: &self.values,
            sensitive: &self.sensitive,
        }];
        Table::new(&self.trips, None, &columns).map_err(|error| error.to_string())
    }

    /// How many records have a sensitive value.
    pub(super) fn with_secret(&self) -> usize {
        let values = self.values.iter();
        values
            .filter(|value| self.sensitive.contains(value))
            .count()
    }

    /// Calls `look` with an output and the values of the records that are left.
    pub(super) fn published<T>(
        &self,
        outcome: &Outcome,
        look: impl FnOnce(&Published<'_>) -> T,
    ) -> T {
        let kept = outcome.kept.iter();
        let of_record: Vec<u32> = kept.map(|&record| self.values[record as usize]).collect();
        look(&Published {
            trips: &outcome.trips,
            owners: None,
            columns: &[Column {
                of_record: &of_record,
                sensitive: &self.sensitive,
            }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_sets_have_their_shares_of_sensitive_values() {
        for (preset, sensitive, with_secret) in [(Preset::City, 1, 200), (Preset::StmHours, 6, 250)]
        {
            let data = Data::generate(preset, Some(1_000)).unwrap();
            assert_eq!(data.sensitive.len(), sensitive);
            assert_eq!(data.with_secret(), with_secret);
            assert_eq!(data.table().unwrap().len(), 1_000);
        }
    }
}
