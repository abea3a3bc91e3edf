//! Suppression, held against the verifier, which shares no code with it.

use std::num::NonZeroU32;

use rand_core::Rng;
use wayveil_core::verify::{self, Demand, Published, Verdict};
use wayveil_core::{RandomSource, Rational, Sequences, Silent};
use wayveil_mechanisms::suppress::{
    Mode, Options, Outcome, Preserve, Requirement, SensitiveColumn, Table, Variant, suppress,
};

/// Bins and locations.
type Record = Vec<(u32, u32)>;

#[derive(Debug, Default)]
struct Data {
    records: Vec<Record>,
    owners: Option<Vec<u32>>,
    /// Values, and which are sensitive.
    columns: Vec<(Vec<u32>, Vec<u32>)>,
}

impl Data {
    /// Records such as `a1 b3`: places and bins.
    fn parse(records: &[&str]) -> Self {
        let doublet = |text: &str| {
            let place = u32::from(text.as_bytes()[0] - b'a');
            (text[1..].parse().unwrap(), place)
        };
        let record = |text: &&str| text.split_whitespace().map(doublet).collect();
        Self {
            records: records.iter().map(record).collect(),
            ..Self::default()
        }
    }

    fn suppress(&self, options: &Options) -> Outcome {
        let mut trips = Sequences::empty(true);
        for record in &self.records {
            let (bins, places): (Vec<u32>, Vec<u32>) = record.iter().copied().unzip();
            trips.push(&places, &bins);
        }
        let columns: Vec<SensitiveColumn<'_>> = self
            .columns
            .iter()
            .map(|(of_record, sensitive)| SensitiveColumn {
                of_record,
                sensitive,
            })
            .collect();
        let table = Table::new(&trips, self.owners.as_deref(), &columns).unwrap();
        suppress(&table, options, &Silent).unwrap()
    }

    fn verify(&self, outcome: &Outcome, requirement: &Requirement) -> Verdict {
        let pick = |column: &Vec<u32>| -> Vec<u32> {
            let kept = outcome.kept.iter();
            kept.map(|&record| column[record as usize]).collect()
        };
        let owners = self.owners.as_ref().map(pick);
        let values: Vec<Vec<u32>> = self
            .columns
            .iter()
            .map(|(column, _)| pick(column))
            .collect();
        let columns: Vec<verify::Column<'_>> = values
            .iter()
            .zip(&self.columns)
            .map(|(of_record, (_, sensitive))| verify::Column {
                of_record,
                sensitive,
            })
            .collect();
        let published = Published {
            trips: &outcome.trips,
            owners: owners.as_deref(),
            columns: &columns,
        };
        let demand = Demand {
            k: requirement.k,
            c: requirement.c.clone(),
            l: requirement.l,
        };
        verify::verify(&published, &demand, 3).unwrap()
    }
}

fn options(k: u32, c: (u64, u64), l: Option<u32>, variant: Variant) -> Options {
    Options {
        requirement: Requirement {
            k,
            c: Rational::new(c.0, c.1).unwrap(),
            l: l.and_then(NonZeroU32::new),
        },
        mode: Mode::Local,
        preserve: Preserve::Instances,
        variant,
    }
}

#[test]
fn the_verifier_finds_what_the_paper_overlooks_and_nothing_in_the_repaired_outputs() {
    let overlooked = ["b1 a2 a3", "b1 a3", "a1 a2 a3", "b1 a2"];
    let stale = ["b1 a3 b4", "b1 b4", "a3 b4", "b1 b3", "b1 b3 b4"];
    for (records, l) in [(&overlooked[..], 3), (&stale[..], 2)] {
        let data = Data::parse(records);
        for (variant, kept) in [(Variant::AsPublished, false), (Variant::Repaired, true)] {
            let options = options(2, (1, 1), Some(l), variant);
            let outcome = data.suppress(&options);
            let verdict = data.verify(&outcome, &options.requirement);
            assert_eq!(verdict.holds(), kept, "{variant:?}: {verdict:?}");
        }
    }
}

/// Records over a few places and bins, owners with several records, two columns.
fn random_data<R: Rng>(rng: &mut R) -> Data {
    let mut below = |end: u32| rng.next_u32() % end;
    let count = 1 + below(14) as usize;
    let (places, bins, longest) = (1 + below(3), 1 + below(4), 1 + below(6));
    let records = (0..count)
        .map(|_| {
            let length = below(longest + 1);
            (0..length).map(|_| (below(bins), below(places))).collect()
        })
        .collect();
    let people = 1 + below(10);
    let owners = (below(3) == 0).then(|| (0..count).map(|_| below(people)).collect());
    let columns = (0..below(3))
        .map(|_| ((0..count).map(|_| below(4)).collect(), vec![0, 1]))
        .collect();
    Data {
        records,
        owners,
        columns,
    }
}

#[test]
fn random_outputs_pass_and_published_ones_often_do_not() {
    let mut rng = RandomSource::insecure_seed(12).stream();
    let mut broken = 0;
    for number in 0..2000_u32 {
        let data = random_data(&mut rng);
        let c = [(3, 10), (1, 2), (3, 5), (1, 1)][number as usize % 4];
        let l = match number % 5 {
            0 => None,
            l => Some(l),
        };
        let mut options = options(2 + number % 3, c, l, Variant::Repaired);
        if number % 3 == 0 {
            options.preserve = Preserve::MaximalFrequent { min_support: 2 };
        }
        let outcome = data.suppress(&options);
        let verdict = data.verify(&outcome, &options.requirement);
        assert!(verdict.holds(), "{data:?}\n{options:?}\n{verdict:?}");

        options.variant = Variant::AsPublished;
        let published = data.suppress(&options);
        broken += u32::from(!data.verify(&published, &options.requirement).holds());
    }
    assert!(
        broken > 100,
        "only {broken} published outputs break the promise"
    );
}
