//! The parameters of (K, C)_L-privacy, a syntactic guarantee: it is a property of the released
//! records, not of how they were made.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::attribute::ColumnNames;
use crate::error::{Error, Result};
use crate::rational::Rational;
use crate::unit::no_column;

/// C: the greatest share that a sensitive value may have, an exact rational from 0 to 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Confidence(Rational);

impl Confidence {
    /// Checks the range.
    pub fn new(value: Rational) -> Result<Self> {
        if value > Rational::new(1, 1)? {
            return Err(
                Error::input(format!("invalid c (got {value}): must lie between 0 and 1"))
                    .hint("a confidence is a share, for instance 0.5 or 1/3"),
            );
        }
        if value.to_u64_parts().is_none() {
            return Err(Error::input(format!(
                "invalid c (got {value}): has more digits than can be counted with exactly"
            ))
            .hint("write it with fewer digits, for instance 0.6"));
        }
        Ok(Self(value))
    }

    /// The exact value.
    pub fn value(&self) -> &Rational {
        &self.0
    }

    /// Whether it is 1: no share can be greater.
    pub fn is_one(&self) -> bool {
        self.0.to_u64_parts() == Some((1, 1))
    }
}

impl FromStr for Confidence {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let value = text.parse::<Rational>().map_err(|error| {
            let said = error.message();
            let reason = said.split_once("): ").map_or(said, |(_, reason)| reason);
            Error::input(format!("invalid c (got {text:?}): {reason}"))
                .hint("write a decimal from 0 to 1 such as 0.5, or a fraction such as 1/3")
        })?;
        Self::new(value)
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// L: how many visits of a person an attacker knows at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Knowledge {
    /// All of them.
    All,
    /// This many.
    #[serde(untagged)]
    AtMost(NonZeroU32),
}

impl FromStr for Knowledge {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.trim() {
            "all" => Ok(Self::All),
            number => number.parse().map(Self::AtMost).map_err(|_| {
                Error::input(format!(
                    "invalid l (got {text:?}): must be a whole number above 0, or all"
                ))
                .hint("for instance --l 4; all stands for every visit of a person")
            }),
        }
    }
}

impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::AtMost(visits) => visits.fmt(f),
        }
    }
}

/// The sensitive values of one column: none may have too great a share among records that share
/// visits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SensitiveValues {
    /// The column's name.
    pub column: String,
    /// Its sensitive values.
    pub values: Vec<String>,
}

impl SensitiveValues {
    /// Reads `[COLUMN=]VALUE,…`. A value without a column belongs to the column named before it, or
    /// to the only one that there is; commas and equals signs inside a value stand between double
    /// quotes.
    ///
    /// Columns come out in the order in which they are named first, values in theirs.
    pub fn read(text: &str, columns: ColumnNames<'_>) -> Result<Vec<Self>> {
        let mut read: Vec<Self> = Vec::new();
        let mut column = columns.iter().next().filter(|_| columns.iter().len() == 1);
        for part in parts(text)? {
            if let Some(name) = &part.column {
                column = columns.iter().find(|other| other == name);
                column.ok_or_else(|| no_column(name, columns))?;
            }
            let name = column.ok_or_else(|| no_name(&part.value, columns))?;
            let at = read.iter().position(|it| it.column == name);
            let at = at.unwrap_or_else(|| {
                read.push(Self {
                    column: name.to_owned(),
                    values: Vec::new(),
                });
                read.len() - 1
            });
            if !read[at].values.contains(&part.value) {
                read[at].values.push(part.value);
            }
        }
        Ok(read)
    }

    /// In words: `diagnosis: HIV, Hepatitis`.
    pub fn in_words(&self) -> String {
        format!("{}: {}", self.column, self.values.join(", "))
    }
}

fn no_name(value: &str, columns: ColumnNames<'_>) -> Error {
    let known: Vec<&str> = columns.iter().collect();
    if known.is_empty() {
        return Error::input(format!(
            "there is no column in which {value:?} could be sensitive: the data has trajectories \
             only"
        ))
        .hint("import it again with its attributes, or leave --sensitive out");
    }
    // Which column it belongs to cannot be told from their names.
    Error::input(format!(
        "it is not said in which column {value:?} is sensitive: there are {}",
        known.join(", ")
    ))
    .hint(format!(
        "write the name of its column before the value: COLUMN={}",
        quoted_if_needed(value)
    ))
}

/// A value as it can be written on the command line.
fn quoted_if_needed(value: &str) -> String {
    let plain = !value.is_empty() && value.trim() == value && !value.contains([',', '=', '"']);
    match plain {
        true => value.to_owned(),
        false => format!("\"{}\"", value.replace('"', "\"\"")),
    }
}

/// What stands between two commas.
struct Part {
    column: Option<String>,
    value: String,
}

/// A column's name or a value while it is read. Blanks outside quotes count only inside it.
#[derive(Default)]
struct Word {
    text: String,
    /// Blanks that are part of it if something follows.
    blanks: String,
    quoted: bool,
}

impl Word {
    fn push(&mut self, character: char) {
        self.text += &std::mem::take(&mut self.blanks);
        self.text.push(character);
    }

    fn push_unquoted(&mut self, character: char) {
        if !character.is_whitespace() {
            self.push(character);
        } else if !self.is_nothing() {
            self.blanks.push(character);
        }
    }

    fn quote(&mut self) {
        self.text += &std::mem::take(&mut self.blanks);
        self.quoted = true;
    }

    /// Whether nothing was written, not even an empty pair of quotes.
    fn is_nothing(&self) -> bool {
        self.text.is_empty() && !self.quoted
    }
}

/// The parts between commas, without the blanks around them. Double quotes keep commas, equals signs
/// and blanks of a value; two of them inside are one.
fn parts(text: &str) -> Result<Vec<Part>> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let end = |column: Option<String>, value: Word| match value.is_nothing() {
        false => Ok(Part {
            column,
            value: value.text,
        }),
        true => Err(Error::input(format!(
            "an empty value stands among the sensitive values {text:?}"
        ))
        .hint(
            "take out the comma or equals sign that is too many; the empty value itself is \"\"",
        )),
    };
    let mut done = Vec::new();
    let (mut column, mut word) = (None, Word::default());
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                word.push('"');
            }
            '"' => {
                quoted = !quoted;
                word.quote();
            }
            other if quoted => word.push(other),
            ',' => done.push(end(column.take(), std::mem::take(&mut word))?),
            '=' if column.is_none() => column = Some(std::mem::take(&mut word).text),
            other => word.push_unquoted(other),
        }
    }
    if quoted {
        return Err(Error::input(format!(
            "the sensitive values {text:?} have a double quote without its other one"
        ))
        .hint("write a double quote inside a value twice, between double quotes"));
    }
    done.push(end(column, word)?);
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute::Attribute;
    use crate::labels::Labels;

    fn read(text: &str, columns: &[&str]) -> Result<Vec<(String, Vec<String>)>> {
        let attributes: Vec<Attribute> = columns
            .iter()
            .map(|name| Attribute {
                name: (*name).into(),
                values: Labels::new(),
                of_record: vec![],
            })
            .collect();
        let read = SensitiveValues::read(text, ColumnNames::of(&attributes))?;
        Ok(read.into_iter().map(|it| (it.column, it.values)).collect())
    }

    fn of(column: &str, values: &[&str]) -> (String, Vec<String>) {
        let values = values.iter().map(|&value| value.into()).collect();
        (column.into(), values)
    }

    #[test]
    fn sensitive_values_have_a_column() {
        let one = ["diagnosis"];
        let two = ["diagnosis", "job"];
        for (text, columns, expected) in [
            (
                "HIV,Hepatitis",
                &one[..],
                vec![of("diagnosis", &["HIV", "Hepatitis"])],
            ),
            (
                "diagnosis=HIV,Flu",
                &two,
                vec![of("diagnosis", &["HIV", "Flu"])],
            ),
            (
                "job=spy,diagnosis=HIV,job=thief,spy",
                &two,
                vec![of("job", &["spy", "thief"]), of("diagnosis", &["HIV"])],
            ),
            ("", &two, vec![]),
            ("\"a=b\"", &one, vec![of("diagnosis", &["a=b"])]),
            ("diagnosis=a=b", &two, vec![of("diagnosis", &["a=b"])]),
            (
                "diagnosis=\"x, y\",\"say \"\"no\"\"\"",
                &two,
                vec![of("diagnosis", &["x, y", "say \"no\""])],
            ),
            ("diagnosis=\"\"", &two, vec![of("diagnosis", &[""])]),
            (
                " diagnosis = HIV ,  Flu,\theart  attack , \" x \" ",
                &two,
                vec![of("diagnosis", &["HIV", "Flu", "heart  attack", " x "])],
            ),
            (
                "job=a \" b\" , \"\" c",
                &two,
                vec![of("job", &["a  b", " c"])],
            ),
        ] {
            assert_eq!(read(text, columns).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn empty_values_must_be_meant() {
        for text in [
            "a,",
            ",a",
            "a,,b",
            "a, ,b",
            "diagnosis=",
            "diagnosis=,b",
            " ",
        ] {
            let error = read(text, &["diagnosis"]).expect_err(text);
            assert!(error.message().contains("empty value"), "{text:?}: {error}");
            assert!(error.advice().unwrap().contains("\"\""), "{text:?}");
        }
        assert!(read("=HIV", &["diagnosis"]).is_err());
    }

    #[test]
    fn values_without_a_column_are_refused() {
        let refused = |text: &str, columns: &[&str]| {
            let error = read(text, columns).unwrap_err();
            format!("{error} | {}", error.advice().unwrap_or_default())
        };
        let several = refused("HIV", &["diagnosis", "job"]);
        assert!(several.contains(": COLUMN=HIV"), "{several}");
        assert!(refused("\"a,b\"", &["d", "j"]).contains("COLUMN=\"a,b\""));
        let stranger = refused("illness=HIV", &["diagnosis", "job"]);
        assert!(stranger.contains("no column \"illness\""), "{stranger}");
        let typing_error = refused("HIV,ilness=Flu", &["illness"]);
        assert!(typing_error.contains("\"ilness\""), "{typing_error}");
        assert!(refused("HIV", &[]).contains("trajectories only"));
        assert!(refused("a,\"b", &["c"]).contains("double quote"));
    }

    #[test]
    fn confidences_are_exact_shares() {
        let c: Confidence = "1/3".parse().unwrap();
        assert_eq!(c.value().to_u64_parts(), Some((1, 3)));
        assert_eq!("0.60".parse::<Confidence>().unwrap().to_string(), "0.6");
        assert!("1.0".parse::<Confidence>().unwrap().is_one());
        assert!("0".parse::<Confidence>().unwrap().value().is_zero());
        for bad in [
            "1.01",
            "-0.5",
            "50%",
            "",
            "NaN",
            "2",
            "0.12345678901234567890123",
        ] {
            let error = bad.parse::<Confidence>().expect_err(bad);
            let said = error.to_string();
            assert_eq!(said.matches("invalid").count(), 1, "{said}");
            assert!(error.advice().is_some(), "{said}");
        }
    }

    #[test]
    fn knowledge_is_a_number_or_all() {
        let three = Knowledge::AtMost(3.try_into().unwrap());
        for (text, knowledge, json) in [("all", Knowledge::All, "\"all\""), ("3", three, "3")] {
            assert_eq!(text.parse::<Knowledge>().unwrap(), knowledge);
            assert_eq!(knowledge.to_string(), text);
            assert_eq!(serde_json::to_string(&knowledge).unwrap(), json);
            assert_eq!(serde_json::from_str::<Knowledge>(json).unwrap(), knowledge);
        }
        for bad in ["0", "-1", "some", "", "1.5", "4294967296"] {
            assert!(bad.parse::<Knowledge>().is_err(), "{bad:?} was accepted");
        }
        assert!(serde_json::from_str::<Knowledge>("0").is_err());
        assert!(serde_json::from_str::<Knowledge>("\"some\"").is_err());
    }
}
