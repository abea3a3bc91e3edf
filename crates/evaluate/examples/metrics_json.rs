//! Prints all metrics of two small data sets as JSON.
//!
//! ```text
//! metrics_json RAW RELEASED COORDINATES [SETTINGS]
//! ```
//!
//! RAW and RELEASED have one trajectory per line, location codes separated by blanks. COORDINATES
//! has one location per line, latitude and longitude; it is the universe. SETTINGS is JSON; what it
//! leaves out has its default. The oracle of the developers' tests compares the output with what
//! well-known Python packages compute.

use std::fs;
use std::process::ExitCode;
use std::str::FromStr;

use serde_json::{Map, Value as Json, json};
use wayveil_core::{
    Coordinate, Error, Location, Origin, Result, Sequences, Universe, UniverseDocument,
};
use wayveil_evaluate::compared::Side;
use wayveil_evaluate::{Compared, Settings, metrics};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(values) => {
            println!("{values:#}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(arguments: &[String]) -> Result<Json> {
    let (files, settings) = match arguments {
        [raw, released, coordinates] => ([raw, released, coordinates], Settings::default()),
        [raw, released, coordinates, settings] => {
            let settings = serde_json::from_str(settings)
                .map_err(|cause| Error::input(format!("cannot read the settings: {cause}")))?;
            ([raw, released, coordinates], settings)
        }
        _ => {
            return Err(Error::input(
                "give RAW, RELEASED and COORDINATES, and perhaps SETTINGS",
            ));
        }
    };
    let raw = Sequences::from_codes(numbers::<u32>(files[0])?);
    let released = Sequences::from_codes(numbers::<u32>(files[1])?);
    let universe = universe(files[2])?;
    let side = |sequences| Side {
        universe: &universe,
        time: None,
        sequences,
    };
    let compared = Compared::new(side(&raw), side(&released))?;
    let mut all = Map::new();
    for metric in metrics::ALL {
        let mut values = Map::new();
        for value in (metric.run)(&compared, &settings)? {
            values.insert(value.name, json!(value.value));
        }
        all.insert(metric.name.into(), Json::Object(values));
    }
    Ok(Json::Object(all))
}

fn universe(file: &str) -> Result<Universe> {
    let mut locations = Vec::new();
    for (code, line) in numbers::<f64>(file)?.into_iter().enumerate() {
        let &[lat, lng] = &line[..] else {
            return Err(Error::input("expected latitude and longitude")
                .in_file(file)
                .at_line(code as u64 + 1));
        };
        locations.push(Location {
            label: code.to_string(),
            at: Some(Coordinate { lat, lng }),
            ..Location::default()
        });
    }
    Universe::try_from(UniverseDocument {
        origin: Origin::Declared("a file of coordinates".into()),
        locations,
        groups: Vec::new(),
    })
}

/// The numbers of each line.
fn numbers<T: FromStr>(file: &str) -> Result<Vec<Vec<T>>> {
    let text = fs::read_to_string(file)
        .map_err(|cause| Error::system("cannot read the file", cause).in_file(file))?;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let parsed = line.split_whitespace().map(|word| {
            word.parse().map_err(|_| {
                Error::input(format!("not a number: {word:?}"))
                    .in_file(file)
                    .at_line(index as u64 + 1)
            })
        });
        lines.push(parsed.collect::<Result<Vec<T>>>()?);
    }
    Ok(lines)
}
