//! Whole campaigns on one machine: every record stands for so many clients.
//!
//! | engine | use |
//! | --- | --- |
//! | [`per_client`] | the client's own code for every single client |
//! | [`aggregated`] | many campaigns: numbers of clients are drawn, not clients |
//!
//! For any one fragment both have the same law. The clients of one record are alike, so that they need
//! not be kept apart: of those left a number is drawn for each round.

mod aggregated;
mod draws;
mod per_client;
mod support;
#[cfg(test)]
mod tests;

use wayveil_core::{Error, Result, Sequences};

use crate::campaign::Campaign;

pub use aggregated::aggregated;
pub use per_client::{check_only, per_client};
pub use support::{Holders, Supports};

/// The clients of a simulation.
#[derive(Clone, Copy, Debug)]
pub struct Clients<'a> {
    /// Their trajectories; times are not looked at.
    pub records: &'a Sequences,
    /// How many clients have each of them.
    pub per_record: u64,
}

impl Clients<'_> {
    /// How many clients there are.
    pub fn len(&self) -> u64 {
        (self.records.len() as u64).saturating_mul(self.per_record)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks that these are the clients of the campaign.
    fn check(&self, campaign: &Campaign) -> Result<()> {
        let parameters = campaign.parameters();
        check_number(self.len(), campaign)?;
        let outside = |&&code: &&u32| code >= parameters.locations;
        match self.records.codes().iter().find(outside) {
            None => Ok(()),
            Some(code) => Err(Error::input(format!(
                "location code {code} lies outside the universe of {} locations",
                parameters.locations
            ))),
        }
    }
}

/// Checks that there are as many clients as the campaign is made for.
pub fn check_number(clients: u64, campaign: &Campaign) -> Result<()> {
    let population = campaign.parameters().population;
    match clients == population {
        true => Ok(()),
        false => Err(Error::input(format!(
            "the campaign is made for {population} clients, and there are {clients}"
        ))),
    }
}

/// Clients that do not keep to the protocol, independently of their trajectories.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// The share of clients that do not answer.
    pub drop_out: f64,
    /// The share of the answering clients that say yes to everything.
    pub poison: f64,
}

impl Options {
    fn check(&self) -> Result<()> {
        for (what, share) in [("drop-out", self.drop_out), ("poison", self.poison)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(
                    Error::input(format!("invalid share of {what} (got {share})"))
                        .hint("a share lies between 0 and 1"),
                );
            }
        }
        Ok(())
    }
}

/// A share as a part of 2^64, and whether a word falls into it.
#[derive(Clone, Copy)]
struct Part(u128);

impl Part {
    fn of(share: f64) -> Self {
        Self((share * 2_f64.powi(64)) as u128)
    }

    fn is_none(self) -> bool {
        self.0 == 0
    }

    fn has(self, drawn: u64) -> bool {
        u128::from(drawn) < self.0
    }
}
