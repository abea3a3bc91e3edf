//! When rounds close: one rule for all of them, or one for each.

use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;
use wayveil_core::{Error, Result};
use wayveil_federated::campaign::Campaign;

use super::{Source, values, written};

/// When one round closes. Which of these happens depends on numbers of answers and on time alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundRule {
    /// How long the round is open at most, while the service runs.
    pub open_for: Duration,
    /// With fewer answers than this the round, and with it the campaign, fails.
    pub quorum: u64,
    /// With so many answers the round closes before its time.
    pub enough: Option<u64>,
}

/// The rule of every round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRules {
    first: RoundRule,
    later: Vec<RoundRule>,
}

impl RoundRules {
    /// The same rule for every round.
    pub fn all(rule: RoundRule) -> Self {
        Self {
            first: rule,
            later: Vec::new(),
        }
    }

    /// The rule of a round; rounds beyond the last one that was named have its rule.
    pub fn of(&self, round: u32) -> RoundRule {
        let at = (round as usize).min(self.later.len());
        match at.checked_sub(1) {
            None => self.first,
            Some(later) => self.later[later],
        }
    }
}

/// A value for every round, or a list with one for each.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "one value, or a list with one for each round")]
pub(super) enum PerRound<T> {
    Every(T),
    Each(Vec<T>),
}

impl<T: Clone> PerRound<T> {
    /// The value of each of so many rounds.
    fn spread(&self, rounds: usize) -> Result<Vec<T>> {
        match self {
            Self::Every(value) => Ok(vec![value.clone(); rounds]),
            Self::Each(values) if values.len() == rounds => Ok(values.clone()),
            Self::Each(values) => Err(Error::input(format!(
                "a list of {} for {rounds} rounds",
                values.len()
            ))
            .hint("write one value, which holds for every round, or one for each")),
        }
    }
}

impl Source {
    /// The rules of a campaign's rounds, each of which can be kept if every client answers.
    pub(super) fn rounds(
        &self,
        written: &written::Rounds,
        campaign: &Campaign,
    ) -> Result<RoundRules> {
        let rounds = campaign.schedule().rounds();
        let open_for = self.spread(&written.open_for, rounds)?;
        let quorum = self.spread(&written.quorum, rounds)?;
        let enough = match &written.enough {
            None => vec![None; rounds],
            Some(enough) => self.spread(enough, rounds)?.into_iter().map(Some).collect(),
        };
        let open_for = open_for
            .iter()
            .map(|text| values::duration(text))
            .collect::<Result<Vec<_>>>()
            .map_err(|error| self.placed(error, written.open_for.span()))?;
        let mut rules = Vec::with_capacity(rounds);
        for round in 0..rounds {
            reachable(campaign, round, quorum[round])
                .map_err(|error| self.placed(error, written.quorum.span()))?;
            if let (Some(enough), Some(place)) = (enough[round], &written.enough)
                && enough < quorum[round]
            {
                let error = Error::input(format!("invalid enough (got {enough})"))
                    .hint(format!("it is at least the quorum of {}", quorum[round]));
                return Err(self.placed(error, place.span()));
            }
            rules.push(RoundRule {
                open_for: open_for[round],
                quorum: quorum[round],
                enough: enough[round],
            });
        }
        let mut rules = rules.into_iter();
        let first = (rules.next()).ok_or_else(|| Error::input("a campaign without rounds"))?;
        Ok(RoundRules {
            first,
            later: rules.collect(),
        })
    }

    fn spread<T: Clone>(&self, written: &Spanned<PerRound<T>>, rounds: usize) -> Result<Vec<T>> {
        (written.get_ref().spread(rounds)).map_err(|error| self.placed(error, written.span()))
    }
}

/// Refuses a quorum that a round would miss even if everybody answered.
fn reachable(campaign: &Campaign, round: usize, quorum: u64) -> Result<()> {
    let (schedule, clients) = (campaign.schedule(), campaign.parameters().population);
    let expected = (u128::from(schedule.width(round)) * u128::from(clients)) >> 64;
    if quorum == 0 || quorum > clients {
        return Err(Error::input(format!("invalid quorum (got {quorum})"))
            .hint(format!("it lies between 1 and the {clients} clients asked")));
    }
    if u128::from(quorum) <= expected {
        return Ok(());
    }
    Err(Error::input(format!(
        "invalid quorum (got {quorum}): round {round} has about {expected} of the clients"
    ))
    .hint("take a smaller quorum, or ask more clients"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_round_has_its_rule() {
        let rule = |quorum| RoundRule {
            open_for: Duration::from_secs(9),
            quorum,
            enough: None,
        };
        let all = RoundRules::all(rule(1));
        assert_eq!((all.of(0), all.of(7)), (rule(1), rule(1)));
        let each = RoundRules {
            first: rule(1),
            later: vec![rule(2), rule(3)],
        };
        let of: Vec<u64> = (0..5).map(|round| each.of(round).quorum).collect();
        assert_eq!(of, [1, 2, 3, 3, 3]);
    }
}
