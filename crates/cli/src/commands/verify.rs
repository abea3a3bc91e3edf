//! `wayveil verify`: whether trajectories meet (K, C)_L-privacy, by code of its own.

use std::num::NonZeroU32;
use std::path::PathBuf;

use serde_json::{Value, json};
use wayveil_core::counting::{Alphabet, Having};
use wayveil_core::verify::{self, Column, Demand, Verdict, Violation};
use wayveil_core::{
    Attribute, ColumnNames, Confidence, Counted, Counting, Dataset, Error, Knowledge, Labels,
    Model, NonPrivate, PrivacyUnit, Rational, Result, SensitiveValues, Sequences, Universe,
};
use wayveil_io::{Loaded, Published};

use crate::beside::absent;
use crate::facts::thousands;
use crate::table::Table;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil verify release/
  wayveil verify release/ --k 2 --c 0.5 --l 2 --sensitive HIV,Hepatitis
  wayveil verify visits.parquet --k 10 --l all
  wayveil verify visits.parquet --k 5 --c 0.6 --l 3 --sensitive diagnosis=HIV,job=spy --json";

#[derive(clap::Args)]
pub(crate) struct VerifyArguments {
    /// A data file or a release folder. Of a release that promises (K, C)_L-privacy, what its
    /// manifest says is verified if nothing else is asked.
    input: PathBuf,

    /// The fewest people who share whatever occurs.
    #[arg(long, value_name = "K")]
    k: Option<NonZeroU32>,

    /// The greatest share that a sensitive value may have, from 0 to 1; 1 if not given.
    #[arg(long, value_name = "C")]
    c: Option<Confidence>,

    /// How many visits an attacker knows at most: a number, or all.
    #[arg(long, value_name = "L")]
    l: Option<Knowledge>,

    /// Sensitive values; the column can be left out where there is only one.
    #[arg(long, value_name = "[COLUMN=]VALUE,…")]
    sensitive: Option<String>,

    /// Keep at most this many trips of a person in a data file, each as a record of its own, instead
    /// of joining a person's trips.
    #[arg(long, value_name = "M", conflicts_with = "trip_level")]
    max_trips: Option<NonZeroU32>,

    /// Keep all trips of a person in a data file apart.
    #[arg(long)]
    trip_level: bool,

    /// How many violations of either kind are listed, the worst first.
    #[arg(long, value_name = "N", default_value_t = 10)]
    list: usize,
}

/// What is asked for.
struct Asked {
    k: NonZeroU32,
    c: Confidence,
    l: Knowledge,
    sensitive: Vec<SensitiveValues>,
    /// Whether it was typed, and may be mistyped. What a manifest names need not be left.
    by_hand: bool,
}

/// What is looked at.
struct Subject<'a> {
    universe: &'a Universe,
    sequences: &'a Sequences,
    owners: Option<&'a [u32]>,
    attributes: Vec<&'a Attribute>,
}

/// What was found, in labels.
struct Found {
    sequences: u64,
    violations: u64,
    too_few: Vec<Row>,
    too_certain: Vec<Row>,
    /// How many of the violations hold no smaller one, where that was counted.
    minimal: Option<u64>,
    warnings: Vec<String>,
}

struct Row {
    sequence: Vec<String>,
    people: u64,
    records: u64,
    /// Column, value, those with it and all.
    tie: Option<(String, String, u64, u64)>,
}

pub(crate) fn run(arguments: &VerifyArguments, terminal: &Terminal) -> Result<bool> {
    if let Some(counted) = terminal.memory().counted(&arguments.input) {
        terminal.warn(INTERNAL);
        let (asked, found) = elsewhere(&counted, arguments).map_err(placed(arguments))?;
        return tell(&asked, &found, true, terminal);
    }
    let (asked, found, internal) = match terminal.load(&arguments.input)? {
        Loaded::Data(raw) => {
            let because = NonPrivate::because("verified for the publisher on their own terminal");
            let unit = match (arguments.max_trips, arguments.trip_level) {
                (Some(trips), _) => PrivacyUnit::OwnerBounded(trips),
                (None, true) => PrivacyUnit::Trip,
                (None, false) => PrivacyUnit::Owner,
            };
            let seen = raw.inspect(because, |data| {
                let asked = asked(arguments, ColumnNames::of(data.attributes()), None)?;
                let columns: Vec<String> = asked.columns().map(Into::into).collect();
                let records = data.records(unit, &columns).map_err(|error| {
                    // The columns exist, so it is a person's rows that disagree on one.
                    error.hint(
                        "keep a person's rows apart with --max-trips M or --trip-level, or correct \
                         the data",
                    )
                })?;
                let subject = Subject {
                    universe: data.universe(),
                    sequences: &records.sequences,
                    owners: records.owners.as_deref(),
                    attributes: records.attributes.iter().map(AsRef::as_ref).collect(),
                };
                let found = examine(&subject, &asked, arguments.list)?;
                Ok((asked, found))
            });
            terminal.warn(INTERNAL);
            let (asked, found) = seen
                .transpose()
                .map_err(placed(arguments))?
                .for_publisher_only();
            (asked, found, true)
        }
        Loaded::Release(release) => {
            if let Some(note) = about_owners(&release) {
                terminal.warn(note);
            }
            let names = ColumnNames::of(release.attributes());
            let asked = asked(arguments, names, Some(&release.manifest().guarantee.model))?;
            let attributes = asked.columns().filter_map(|name| {
                let mut all = release.attributes().iter();
                all.find(|attribute| attribute.name == name)
            });
            let subject = Subject {
                universe: release.universe(),
                sequences: release.trajectories(),
                owners: None,
                attributes: attributes.collect(),
            };
            let found = examine(&subject, &asked, arguments.list).map_err(placed(arguments))?;
            (asked, found, false)
        }
    };
    tell(&asked, &found, internal, terminal)
}

const INTERNAL: &str = "these figures are internal: they come from raw data, not for publication";

fn tell(asked: &Asked, found: &Found, internal: bool, terminal: &Terminal) -> Result<bool> {
    for warning in &found.warnings {
        terminal.warn(warning);
    }
    terminal.result(|| to_json(asked, found, internal), &to_text(asked, found))?;
    Ok(found.violations == 0)
}

/// Records that stay elsewhere, by counts of them.
fn elsewhere(counted: &Counted, arguments: &VerifyArguments) -> Result<(Asked, Found)> {
    if arguments.max_trips.is_some() || arguments.trip_level {
        return Err(Error::input(
            "of records that stay elsewhere a person's trips are joined to one",
        )
        .hint("leave out --max-trips and --trip-level"));
    }
    let because = || NonPrivate::because("verified for the publisher on their own terminal");
    let examine = |data: &Dataset| {
        let asked = asked(arguments, ColumnNames::of(data.attributes()), None)?;
        let bins = data.time().map(|axis| axis.bins).ok_or_else(|| {
            Error::input("(K, C)_L-privacy is about visits with times, and there are none")
        })?;
        let alphabet = Alphabet::new(data.universe().len(), bins)
            .ok_or_else(|| Error::input("there are more than 2^32 visits to tell apart"))?;
        let having = |it: &SensitiveValues| {
            let values = it.values.iter().map(|value| Having {
                column: it.column.clone(),
                value: value.clone(),
            });
            values.collect::<Vec<_>>()
        };
        let sensitive: Vec<Vec<Having>> = asked.sensitive.iter().map(having).collect();
        let demand = asked.demand();
        let look = |counting: &dyn Counting| -> Result<_> {
            let people = verify::Counted {
                counting,
                alphabet,
                sensitive: &sensitive,
            };
            let (verdict, minimal) = people.verify(&demand, arguments.list)?;
            Ok((verdict, minimal, people.absent()?))
        };
        let seen = counted.inspect(because(), PrivacyUnit::Owner, look);
        let (verdict, minimal, nowhere) = seen.for_publisher_only()?;
        let row = |violation: &Violation| {
            let visit = |&(bin, location): &(u32, u32)| {
                format!("{}@{bin}", data.universe().label(location))
            };
            Row {
                sequence: violation.sequence.iter().map(visit).collect(),
                people: violation.owners,
                records: violation.records,
                tie: violation.tie.map(|tie| {
                    let Having { column, value } = &sensitive[tie.column][tie.value as usize];
                    (column.clone(), value.clone(), tie.with, tie.of)
                }),
            }
        };
        let found = Found {
            sequences: verdict.sequences,
            violations: verdict.violations,
            too_few: verdict.too_few.iter().map(row).collect(),
            too_certain: verdict.too_certain.iter().map(row).collect(),
            minimal: Some(minimal),
            warnings: misspelt(&asked, &nowhere),
        };
        Ok((asked, found))
    };
    counted
        .public()
        .inspect(because(), examine)
        .for_publisher_only()
}

/// A word on each sensitive value that nobody has, by its column's and its own place in what was asked.
fn misspelt(asked: &Asked, nowhere: &[(usize, usize)]) -> Vec<String> {
    let words = |(column, it): (usize, &SensitiveValues)| {
        let values = it.values.iter().enumerate();
        let occurring = values.filter(|(place, _)| !nowhere.contains(&(column, *place)));
        let occurring: Labels = occurring.map(|(_, value)| value).collect();
        let column = Attribute {
            name: it.column.clone(),
            of_record: (0..occurring.len() as u32).collect(),
            values: occurring,
        };
        absent(&column, &it.values)
    };
    asked.sensitive.iter().enumerate().flat_map(words).collect()
}

fn placed(arguments: &VerifyArguments) -> impl Fn(Error) -> Error {
    |error| match error.place() {
        Some(_) => error,
        None => error.in_file(arguments.input.display().to_string()),
    }
}

/// A release does not say whose its rows are.
fn about_owners(release: &Published) -> Option<&'static str> {
    (release.manifest().guarantee.unit != PrivacyUnit::Owner).then_some(
        "this release can hold several rows of one person and does not say whose they are: each row \
         is counted as a person here",
    )
}

impl Asked {
    fn columns(&self) -> impl Iterator<Item = &str> {
        self.sensitive.iter().map(|it| it.column.as_str())
    }

    fn demand(&self) -> Demand {
        Demand {
            k: self.k.get(),
            c: self.c.value().clone(),
            l: match self.l {
                Knowledge::All => None,
                Knowledge::AtMost(visits) => Some(visits),
            },
        }
    }

    fn in_words(&self) -> String {
        format!(
            "(K, C)_L-privacy with K = {}, C = {}, L = {}",
            self.k, self.c, self.l
        )
    }
}

/// What the arguments ask for or, where they ask for nothing, what a release promises.
fn asked(
    arguments: &VerifyArguments,
    columns: ColumnNames<'_>,
    promised: Option<&Model>,
) -> Result<Asked> {
    let nothing = arguments.k.is_none()
        && arguments.c.is_none()
        && arguments.l.is_none()
        && arguments.sensitive.is_none();
    if let (
        true,
        Some(Model::KclPrivacy {
            k,
            c_exact,
            l,
            sensitive,
            ..
        }),
    ) = (nothing, promised)
    {
        return Ok(Asked {
            k: *k,
            c: Confidence::new(Rational::from_exact_text(c_exact)?)?,
            l: *l,
            sensitive: sensitive.clone(),
            by_hand: false,
        });
    }
    let missing = |flag: &str, example: &str| {
        Error::input(format!("--{flag} is missing"))
            .hint(format!("add it, for instance --{flag} {example}"))
    };
    let sensitive = arguments.sensitive.as_deref().unwrap_or_default();
    Ok(Asked {
        k: arguments.k.ok_or_else(|| missing("k", "10"))?,
        c: match &arguments.c {
            Some(c) => c.clone(),
            None => Confidence::new(Rational::new(1, 1)?)?,
        },
        l: arguments.l.ok_or_else(|| missing("l", "3"))?,
        sensitive: SensitiveValues::read(sensitive, columns)?,
        by_hand: true,
    })
}

fn examine(subject: &Subject<'_>, asked: &Asked, list: usize) -> Result<Found> {
    let mut warnings = Vec::new();
    let mut codes: Vec<Vec<u32>> = Vec::new();
    for (column, it) in subject.attributes.iter().zip(&asked.sensitive) {
        if asked.by_hand {
            warnings.extend(absent(column, &it.values));
        }
        let wanted = |value: &str| it.values.iter().any(|other| other == value);
        let values = (0..).zip(column.values.iter());
        codes.push(
            values
                .filter(|(_, value)| wanted(value))
                .map(|(code, _)| code)
                .collect(),
        );
    }
    let columns = subject.attributes.iter().zip(&codes);
    let columns: Vec<Column<'_>> = columns
        .map(|(column, sensitive)| Column {
            of_record: &column.of_record,
            sensitive,
        })
        .collect();
    let published = verify::Published {
        trips: subject.sequences,
        owners: subject.owners,
        columns: &columns,
    };
    let demand = asked.demand();
    let Verdict {
        sequences,
        violations,
        too_few,
        too_certain,
    } = verify::verify(&published, &demand, list)?;
    let rows = |violations: Vec<Violation>| violations.iter().map(|it| row(subject, it)).collect();
    Ok(Found {
        sequences,
        violations,
        too_few: rows(too_few),
        too_certain: rows(too_certain),
        minimal: None,
        warnings,
    })
}

fn row(subject: &Subject<'_>, violation: &Violation) -> Row {
    let visit = |&(bin, location): &(u32, u32)| {
        let label = subject.universe.label(location);
        match subject.sequences.is_timed() {
            true => format!("{label}@{bin}"),
            false => label.to_owned(),
        }
    };
    Row {
        sequence: violation.sequence.iter().map(visit).collect(),
        people: violation.owners,
        records: violation.records,
        tie: violation.tie.map(|tie| {
            let column = subject.attributes[tie.column];
            let value = column.values.get(tie.value as usize);
            (column.name.clone(), value.to_owned(), tie.with, tie.of)
        }),
    }
}

fn to_json(asked: &Asked, found: &Found, internal: bool) -> Value {
    let rows = |rows: &[Row]| -> Value { rows.iter().map(row_json).collect() };
    let mut object = json!({
        "holds": found.violations == 0,
        "k": asked.k,
        "c": asked.c.value().to_f64(),
        "c_exact": asked.c.value().exact_text(),
        "l": asked.l,
        "sensitive": asked.sensitive,
        "sequences": found.sequences,
        "violations": found.violations,
        "too_few": rows(&found.too_few),
        "too_certain": rows(&found.too_certain),
        "warnings": found.warnings,
        "internal": internal,
    });
    if let Some(minimal) = found.minimal {
        object["minimal_violations"] = json!(minimal);
    }
    object
}

fn row_json(row: &Row) -> Value {
    let tie = row.tie.as_ref().map(|(column, value, with, of)| {
        json!({
            "column": column,
            "value": value,
            "with": with,
            "of": of,
            "confidence": *with as f64 / *of as f64,
        })
    });
    json!({
        "sequence": row.sequence,
        "support": row.people,
        "records": row.records,
        "sensitive": tie,
    })
}

fn to_text(asked: &Asked, found: &Found) -> String {
    let promise = asked.in_words();
    let looked = thousands(found.sequences);
    if found.violations == 0 {
        return format!("{promise} holds; sequences looked at: {looked}\n");
    }
    let mut text = format!(
        "{promise} does not hold: {} of {looked} sequences looked at violate it\n",
        thousands(found.violations)
    );
    for (heading, rows) in [
        ("shared by too few people", &found.too_few),
        ("too certain of a sensitive value", &found.too_certain),
    ] {
        if rows.is_empty() {
            continue;
        }
        let mut table = Table::new(&["people", "records", "sensitive", "confidence", "sequence"]);
        for row in rows {
            let (value, share) = match &row.tie {
                Some((column, value, with, of)) => {
                    let percent = 100.0 * *with as f64 / *of as f64;
                    (format!("{column}={value}"), format!("{percent:.1} %"))
                }
                None => ("-".into(), "-".into()),
            };
            let figures = [row.people, row.records].map(thousands);
            let [people, records] = figures;
            table.row(&[people, records, value, share, row.sequence.join(" ")]);
        }
        text += &format!("\n{heading}, the worst first\n{}", table.text());
    }
    text
}
