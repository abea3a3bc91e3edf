//! A release against the raw data: errors by task, and attacks.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use wayveil_core::{Dataset, Error, Result, Sequences};
use wayveil_evaluate::attack::AttackSettings;
use wayveil_evaluate::evaluation::{error_of_nothing, measure};
use wayveil_evaluate::{Compared, Settings, Task};
use wayveil_io::Published;
use wayveil_report::page::TaskError;

use super::super::attack::{Advantage, Attacks};
use super::super::evaluate::side;
use super::super::report::released_side;
use super::row::Row;
use crate::terminal::Terminal;

/// Adds what raw data tells to a row. What cannot be compared is explained, not refused: the other
/// releases may still be.
pub(super) fn against(
    row: &mut Row,
    data: &Dataset,
    release: &(PathBuf, Published),
    settings: &Settings,
    attacks: Option<&AttackSettings>,
    terminal: &Terminal,
) -> Result<()> {
    let undefined = |task: Task| TaskError {
        task,
        error: None,
        interval: None,
        nothing: None,
    };
    row.shown.errors = Task::ALL.map(undefined).to_vec();
    let remarks = &mut row.shown.remarks;
    let released = &release.1;
    if released.fragments().is_some() {
        return Ok(());
    }
    // Timed data holds everything that untimed data does.
    let data = match (data.time(), released.time()) {
        (Some(_), None) => {
            remarks.push("It has no times: compared with the raw data without them.".into());
            Cow::Owned(without_times(data)?)
        }
        _ => Cow::Borrowed(data),
    };
    let compared = match Compared::new(side(&data), released_side(released)) {
        Ok(compared) => compared,
        Err(error) => return explained(remarks, "Not comparable with this raw data", error),
    };
    let metrics = Task::ALL.map(Task::metric);
    let measured = measure(&compared, &metrics, settings, terminal)?;
    let served = Task::served_by(released.manifest());
    for error in &mut row.shown.errors {
        if served.contains(&error.task) {
            error.error = error.task.error(&measured);
            error.nothing = error_of_nothing(side(&data), error.task, settings)?;
        }
    }
    let Some(attacks) = attacks else {
        return Ok(());
    };
    let made = match Attacks::make(
        &data,
        std::slice::from_ref(release),
        attacks,
        None,
        terminal,
    ) {
        Ok(made) => made,
        Err(error) => return explained(remarks, "Not attacked", error),
    };
    match made.advantage(0) {
        None => remarks.push(
            "Attacks have no control here, since it cannot be made again: `wayveil attack` tells more."
                .into(),
        ),
        Some(Advantage {
            share,
            attack,
            shown,
        }) => {
            row.shown.attack_advantage = Some(share);
            row.shown.attack_name = Some(attack.into());
            row.shown.attack_shown = shown;
            if !shown {
                remarks.push(format!(
                    "No attack is shown to be better than chance; {attack} came out best."
                ));
            }
        }
    }
    Ok(())
}

/// A mismatch becomes a remark; what the machine could not do stays an error.
fn explained(remarks: &mut Vec<String>, what: &str, error: Error) -> Result<()> {
    match error.kind() {
        wayveil_core::error::Kind::Input | wayveil_core::error::Kind::Refused => {
            remarks.push(format!("{what}: {}.", error.message()));
            Ok(())
        }
        _ => Err(error),
    }
}

/// The same people and visits, without time bins.
pub(in super::super) fn without_times(data: &Dataset) -> Result<Dataset> {
    let trips = data.trips();
    Dataset::new(
        Arc::clone(data.universe()),
        None,
        Sequences::new(trips.offsets().to_vec(), trips.codes().to_vec(), None)?,
        data.owners().clone(),
        data.attributes().to_vec(),
        data.population().to_owned(),
    )
}
