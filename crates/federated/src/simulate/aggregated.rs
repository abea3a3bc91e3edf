//! Numbers of clients instead of clients.

use rand_core::Rng;
use wayveil_core::{RandomSource, Result};
use wayveil_noise::Stream;

use super::Options;
use super::draws::{binomial, hypergeometric};
use super::support::Holders;
use crate::campaign::Campaign;
use crate::collector::{Collector, Findings, Round, Tally};

/// Runs a campaign by drawing, for each candidate, how many of the clients asked have it and how many
/// say yes.
///
/// For one candidate, over all its phases, the law is that of single clients: those of a block are a
/// uniform sample without replacement of those left. Between candidates it is not kept: two in one
/// question are answered by the same clients, here as if by different ones.
pub fn aggregated(
    campaign: Campaign,
    holders: &mut dyn Holders,
    options: &Options,
    source: &mut RandomSource,
) -> Result<Findings> {
    holders.check(&campaign)?;
    options.check()?;
    let population = campaign.parameters().population;
    let mut rng = source.stream();
    let mut collector = Collector::new(campaign)?;
    let mut rest = u64::MAX;
    let mut left = population;
    let mut level = Vec::new();
    let mut length = 0;
    while let Some(round) = collector.open() {
        let asked_about = round.slot().length as usize;
        if asked_about != length {
            length = asked_about;
            let held = holders.of(length, collector.candidates_open())?;
            level = held
                .into_iter()
                .map(|holders| Left {
                    clients: population,
                    holders,
                })
                .collect();
        }
        let width = collector.campaign().schedule().width(round.index());
        let here = binomial(left, width as f64 / rest as f64, &mut rng);
        let tally = answers(round, &mut level, here, options, &mut rng);
        rest -= width;
        left -= here;
        collector.merge(&tally)?;
        collector.close()?;
    }
    Ok(collector.finish())
}

/// The clients that were not asked about a candidate yet, and how many of them have it.
///
/// Some of them were asked about others. Whom that concerned was drawn without looking at who has the
/// candidate, so the next ones asked are still a uniform sample of all these.
#[derive(Clone, Copy)]
struct Left {
    clients: u64,
    holders: u64,
}

impl Left {
    /// Takes so many clients away and tells how many of them have the candidate.
    fn take<R: Rng + ?Sized>(&mut self, clients: u64, rng: &mut R) -> u64 {
        let holders = hypergeometric(self.clients, self.holders, clients, rng);
        self.clients -= clients;
        self.holders -= holders;
        holders
    }
}

/// The answers of `here` clients.
fn answers(
    round: &Round,
    level: &mut [Left],
    here: u64,
    options: &Options,
    rng: &mut Stream,
) -> Tally {
    let mut tally = round.tally();
    let mut unplaced = here;
    let mut width_left = u64::MAX;
    let mut yes = Vec::new();
    for block in 0..round.blocks() {
        let width = round.width(block);
        let asked = match block + 1 == round.blocks() {
            true => unplaced,
            false => binomial(unplaced, width as f64 / width_left as f64, rng),
        };
        unplaced -= asked;
        width_left -= width;
        let answered = asked - binomial(asked, options.drop_out, rng);
        let liars = binomial(answered, options.poison, rng);
        let honest = answered - liars;
        yes.clear();
        for &member in round.members(block) {
            let seen = &mut level[member as usize];
            let holders = seen.take(honest, rng);
            let said = round
                .response(block)
                .yes_among(holders, honest - holders, rng);
            yes.push(said + liars);
        }
        tally.add_many(block, answered, &yes);
    }
    tally
}
