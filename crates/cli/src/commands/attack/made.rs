//! Every attack on the raw data and on releases, for commands that show more than attacks.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use wayveil_core::{Dataset, Result};
use wayveil_evaluate::attack::{self, AttackSettings, Control, Found};
use wayveil_io::Published;
use wayveil_report::AttackChart;

use super::answers::level_on;
use super::results::{self, Attacked, Results};
use super::stage::Stage;
use super::{NOTE, json, picture};
use crate::terminal::Terminal;

/// What all attacks found.
pub(crate) struct Attacks(Results);

/// How far an attack is better on people who are in than on others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Advantage {
    /// The share of those who are in minus the share of others; beside a coin, how far it gets from the
    /// coin to certainty. From 0 to 1.
    pub(crate) share: f64,
    /// By which attack.
    pub(crate) attack: &'static str,
    /// Whether it is better than chance, with the confidence of the settings.
    pub(crate) shown: bool,
}

impl Attacks {
    /// Makes all attacks; those that would make a release again for longer than `each`, where that is
    /// given, are left out and say so. What comes of them has seen raw data: to be called inside `Raw::inspect`.
    pub(crate) fn make(
        data: &Dataset,
        releases: &[(PathBuf, Published)],
        settings: &AttackSettings,
        each: Option<Duration>,
        terminal: &Terminal,
    ) -> Result<Self> {
        settings.check()?;
        let stage = Stage::set(data, releases, None, terminal)?;
        results::attack_all(attack::ALL, &stage, settings, each, terminal).map(Self)
    }

    /// Everything that a picture of them needs.
    pub(crate) fn chart(&self) -> AttackChart {
        picture::chart(&self.0)
    }

    /// Everything for machines.
    pub(crate) fn to_json(&self) -> Value {
        json::object(&self.0, NOTE)
    }

    /// The greatest advantage on one of the releases, in the order given; none where no attack has a
    /// control.
    pub(crate) fn advantage(&self, release: usize) -> Option<Advantage> {
        // The raw data stands first.
        let position = release + 1;
        let level = level_on(&self.0, position);
        let of_attack = |attacked: &Attacked| {
            let found = attacked.found(position).iter();
            let figures = found.filter_map(|found| {
                Some(Advantage {
                    share: gain(found)?.max(0.0),
                    attack: attacked.attack.name,
                    shown: found.better_than_chance(level),
                })
            });
            figures.collect::<Vec<_>>()
        };
        let all = self.0.attacked.iter().flat_map(of_attack);
        // One that is shown goes before a greater one that may be chance.
        all.max_by(|one, other| {
            let shown = one.shown.cmp(&other.shown);
            shown.then(one.share.total_cmp(&other.share))
        })
    }
}

fn gain(found: &Found) -> Option<f64> {
    let rate = found.rate()?;
    match found.control {
        Control::None => None,
        Control::Outsiders(group) => Some(rate - group.rate()?),
        Control::Coin(share) if share < 1.0 => Some((rate - share) / (1.0 - share)),
        Control::Coin(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use wayveil_evaluate::attack::Group;

    use super::*;

    #[test]
    fn an_advantage_is_over_others_or_over_a_coin() {
        let found = |successes, control| Found {
            name: String::new(),
            members: Group {
                tries: 10,
                successes,
            },
            control,
            independent: None,
        };
        let others = Control::Outsiders(Group {
            tries: 5,
            successes: 1,
        });
        let close = |found: &Found, value: f64| (gain(found).unwrap() - value).abs() < 1e-12;
        assert!(close(&found(7, others), 0.5));
        // Right in 8 of 10 where a coin is in 5: three fifths of the way.
        assert!(close(&found(8, Control::Coin(0.5)), 0.6));
        assert!(close(&found(5, Control::Coin(0.5)), 0.0));
        assert_eq!(gain(&found(5, Control::None)), None);
    }
}
