//! What data is like, in numbers.

use std::collections::BTreeMap;

use wayveil_core::{Attribute, Dataset, PrivacyUnit};

/// Lengths up to which records are counted.
pub(crate) const LENGTHS: [usize; 8] = [2, 4, 6, 8, 12, 16, 24, 48];

/// Its sizes and lengths; every record stands for so many clients.
pub(super) fn describe(
    data: &Dataset,
    per_record: u64,
    sensitive: &[&str],
) -> BTreeMap<String, f64> {
    let trips = data.bounded(PrivacyUnit::Owner);
    let records = trips.len() as f64;
    let longest = trips.iter().map(<[u32]>::len).max().unwrap_or(0);
    let locations = data.universe().len() as f64;
    let doublets = locations * data.time().map_or(1.0, |axis| f64::from(axis.bins));
    let mut numbers = BTreeMap::from([
        ("records".to_owned(), records),
        ("clients".to_owned(), records * per_record as f64),
        ("locations".to_owned(), locations),
        ("doublets".to_owned(), doublets),
        ("longest".to_owned(), longest as f64),
    ]);
    if records > 0.0 {
        let mean = trips.symbols() as f64 / records;
        numbers.insert("mean-length".into(), mean);
        for most in LENGTHS {
            let short = trips.iter().filter(|trip| trip.len() <= most).count();
            numbers.insert(format!("share-up-to-{most}"), short as f64 / records);
        }
    }
    if let Some(column) = data.attributes().first().filter(|_| !sensitive.is_empty()) {
        numbers.extend(values(column, sensitive));
    }
    numbers
}

/// How many different values a column has, how many of them are sensitive, and the share of records with one of those.
fn values(column: &Attribute, sensitive: &[&str]) -> [(String, f64); 3] {
    let column = column.canonical();
    let is_sensitive = |value: &str| sensitive.contains(&value);
    let records = column.of_record.len();
    let distinct = column.values.len();
    let among = (0..distinct).filter(|&at| is_sensitive(column.values.get(at)));
    let with = (0..records).filter(|&record| is_sensitive(column.value(record)));
    [
        ("values".into(), distinct as f64),
        ("sensitive-values".into(), among.count() as f64),
        (
            "sensitive-share".into(),
            with.count() as f64 / records.max(1) as f64,
        ),
    ]
}
