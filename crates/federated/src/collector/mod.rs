//! The collector: what to ask whom, and what the answers say.
//!
//! It holds no data but tallies. Rounds are opened and closed in the order of the campaign's
//! schedule; between the two any number of clients answer, in any order, by messages
//! ([`Collector::record`]) or as tallies counted elsewhere ([`Collector::merge`]). It draws nothing:
//! the same answers lead to the same questions and findings.

mod candidates;
mod drawn;
mod findings;
mod level;
mod round;

use wayveil_core::{Error, Result};

use crate::campaign::Campaign;
use crate::message::Answer;
use candidates::{Candidates, extend};
pub use findings::{CONFIDENCE, Extent, Finding, Findings, Traffic};
use level::Level;
pub use round::{Round, Tally};

/// The collector of one campaign.
#[derive(Clone, Debug)]
pub struct Collector {
    campaign: Campaign,
    /// Lengths that were begun; the last one may be open.
    levels: Vec<Level>,
    open: Option<(Round, Tally)>,
    /// The round after the one that is open.
    next: usize,
    traffic: Traffic,
}

impl Collector {
    /// Begins a campaign: its first round is open.
    pub fn new(campaign: Campaign) -> Result<Self> {
        let mut collector = Self {
            campaign,
            levels: Vec::new(),
            open: None,
            next: 0,
            traffic: Traffic::default(),
        };
        collector.advance()?;
        Ok(collector)
    }

    /// The campaign.
    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// The round that is open; none when nothing is left to ask.
    pub fn open(&self) -> Option<&Round> {
        self.open.as_ref().map(|(round, _)| round)
    }

    /// The candidates of the length that is open, one after the other.
    pub(crate) fn candidates_open(&self) -> &[u32] {
        self.levels.last().map_or(&[], |level| &level.codes)
    }

    /// Counts one answer to the open round. Whoever hands answers in sees to it that each client's is
    /// counted once.
    pub fn record(&mut self, answer: &Answer) -> Result<()> {
        let Some((round, tally)) = &mut self.open else {
            return Err(Error::refused("no round is open"));
        };
        round.check(answer)?;
        tally.add(answer.block as usize, answer.bits);
        Ok(())
    }

    /// Counts a tally of the open round.
    pub fn merge(&mut self, counted: &Tally) -> Result<()> {
        let Some((round, tally)) = self.open.take() else {
            return Err(Error::refused("no round is open"));
        };
        let fits = tally.fits(counted);
        let tally = match fits {
            true => tally.merged(counted),
            false => tally,
        };
        self.open = Some((round, tally));
        match fits {
            true => Ok(()),
            false => Err(Error::refused("this tally is of another round")),
        }
    }

    /// Closes the round, decides, and opens the next one if there is any.
    pub fn close(&mut self) -> Result<()> {
        let (Some((round, tally)), Some(level)) = (self.open.take(), self.levels.last_mut()) else {
            return Err(Error::refused("no round is open"));
        };
        let parameters = self.campaign.parameters();
        let rounds = self.campaign.schedule().rounds();
        self.traffic.add(parameters, rounds, &round, &tally);
        level.close(parameters, &round, &tally);
        self.advance()
    }

    /// What was found. A round that is still open is left out.
    pub fn finish(self) -> Findings {
        Findings::of(self.campaign.parameters(), &self.levels, self.traffic)
    }

    /// Opens the next round in which there is something to ask.
    fn advance(&mut self) -> Result<()> {
        let schedule = self.campaign.schedule();
        while self.next < schedule.rounds() {
            let index = self.next;
            let slot = schedule.slot(index);
            if slot.phase == 0 {
                let candidates = self.candidates(slot.length as usize);
                if candidates.codes.is_empty() {
                    self.next = schedule.rounds();
                    break;
                }
                let level = Level::new(&self.campaign, slot.length as usize, candidates)?;
                self.levels.push(level);
            }
            self.next += 1;
            let population = self.campaign.parameters().population;
            let later = (index + 1..schedule.rounds())
                .take_while(|&later| schedule.slot(later).length == slot.length)
                .map(|later| schedule.expected(later, population))
                .sum();
            if let Some(level) = self.levels.last_mut()
                && let Some(round) = level.plan(&self.campaign, index, later)
            {
                let tally = round.tally();
                self.open = Some((round, tally));
                return Ok(());
            }
        }
        Ok(())
    }

    /// The candidates of a length.
    fn candidates(&self, length: usize) -> Candidates {
        let parameters = self.campaign.parameters();
        let kept = |length: usize| Some(self.levels.get(length.checked_sub(1)?)?.kept(parameters));
        let Some(parts) = kept(length - 1) else {
            return Candidates {
                codes: (0..parameters.locations).collect(),
                ..Candidates::default()
            };
        };
        let least = parameters.lambda * parameters.k as f64;
        let middles = length.checked_sub(2).and_then(kept);
        extend(&parts, middles.as_ref(), least, parameters.max_candidates)
    }
}

#[cfg(test)]
mod tests;
