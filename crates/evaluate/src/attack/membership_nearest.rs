//! `membership-nearest`: says that somebody was in the data if a released record is like theirs.
//!
//! How near records are, and how the nearest is found, stands in [`super::nearest`].

use wayveil_core::{Progress, Result, Sequences};

use super::halves::cannot_be_made_again;
use super::nearest::nearness;
use super::probe::Probe;
use super::trials::{Trials, Victim};
use super::{Approach, Attack, AttackSettings, Control, Found, Group, Outcome, Question, Scene};

/// The attack.
pub(super) static ATTACK: Attack = Attack {
    name: NAME,
    about: "says that a person was in the data if a released record is like theirs",
    question: Question::Membership,
    definition: "The attacker is given a record and a release, and says \"in\" if the nearest \
                 released record is at least as near as a threshold. Nearness: an equal record is \
                 nearest; else the larger of the share of the record that a released record begins \
                 with and the Jaccard index of the sets of neighbouring symbols. The threshold is \
                 learned on every second victim and judged on the others. Every victim is in \
                 by a fair coin and tried once: with outsiders, the release itself is attacked, and \
                 outsiders who live otherwise than the people are told apart by that alone; \
                 without, the release is made again (trials times) from random halves of the \
                 people. Success: membership told right. Without a leak every try is a fair coin.",
    source: "D. Chen, N. Yu, Y. Zhang, M. Fritz: GAN-Leaks, a taxonomy of membership inference \
             attacks against generative models, 2020 (distance to the nearest released record); \
             A. Pyrgelis, C. Troncoso, E. De Cristofaro: Knock knock, who's there? Membership \
             inference on aggregate location data, 2018 (membership as the question).",
    run,
};

const NAME: &str = "membership-nearest";
/// One victim in one release.
#[derive(Clone, Copy, Debug)]
struct Try {
    nearness: f64,
    is_in: bool,
}

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    if let Approach::NoControl(reason) = scene.approach() {
        return Ok(Outcome::NotPossible(cannot_be_made_again(reason)));
    }
    let trials = Trials {
        scene,
        settings,
        progress,
        name: NAME,
        nobody: TOO_FEW,
    };
    let tried = trials.make(
        |_| true,
        |victim, _| victim,
        |published, victims: &[&Victim]| {
            let mut asked = Sequences::empty(published.sequences.is_timed());
            for victim in victims {
                let (sequences, record) = (&victim.among(scene).sequences, victim.person);
                asked.push(sequences.codes_of(record), sequences.bins_of(record));
            }
            let probe = Probe::new(&asked, 0..asked.len());
            let released = &published.sequences;
            Ok(nearness(&probe, &probe.count(released), released))
        },
    )?;
    Ok(tried.map_or_else(
        |not_possible| not_possible,
        |tried| {
            let tries = tried.tried.iter().map(|tried| Try {
                nearness: tried.result,
                is_in: tried.is_in,
            });
            judge(&tries.collect::<Vec<_>>())
        },
    ))
}

const TOO_FEW: &str = "there are too few people: a threshold is learned on one victim at least, \
                       and judged on another";

/// Learns the threshold on every second victim and judges it on the others.
fn judge(tries: &[Try]) -> Outcome {
    if tries.len() < 2 {
        return Outcome::NotPossible(TOO_FEW.into());
    }
    let every_second = |first: usize| tries.iter().copied().skip(first).step_by(2);
    let threshold = threshold(every_second(0).collect());
    let mut members = Group::default();
    for judged in every_second(1) {
        members.tries += 1;
        members.successes += u64::from((judged.nearness >= threshold) == judged.is_in);
    }
    Outcome::Found(vec![Found {
        name: "nearest".into(),
        members,
        control: Control::Coin(0.5),
        independent: None,
    }])
}

/// The threshold by which most of these would be told right; the highest of them.
fn threshold(mut tries: Vec<Try>) -> f64 {
    tries.sort_by(|a, b| b.nearness.total_cmp(&a.nearness));
    let (mut best, mut threshold, mut gained) = (0i64, f64::INFINITY, 0i64);
    for (at, next) in tries.iter().enumerate() {
        gained += if next.is_in { 1 } else { -1 };
        let last_of_its_kind = tries
            .get(at + 1)
            .is_none_or(|after| after.nearness < next.nearness);
        if last_of_its_kind && gained > best {
            (best, threshold) = (gained, next.nearness);
        }
    }
    threshold
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_tells_most_right() {
        let tries = |given: &[(f64, bool)]| {
            let tries = given.iter();
            tries
                .map(|&(nearness, is_in)| Try { nearness, is_in })
                .collect()
        };
        let given = [
            (0.9, true),
            (0.5, true),
            (0.5, false),
            (0.4, true),
            (0.1, false),
        ];
        assert_eq!(threshold(tries(&given)), 0.4);
        assert_eq!(threshold(tries(&given[..3])), 0.9);
        assert_eq!(threshold(tries(&given[4..])), f64::INFINITY);
        assert_eq!(threshold(Vec::new()), f64::INFINITY);
    }

    #[test]
    fn nothing_is_judged_that_was_learned_from() {
        // Near means in for those learned from, and out for the others.
        let tries = |turned: bool| -> Vec<Try> {
            let victims = (0..8).map(|victim| Try {
                nearness: f64::from(victim / 2 % 2),
                is_in: (victim / 2 % 2 == 1) != (turned && victim % 2 == 1),
            });
            victims.collect()
        };
        for (turned, right) in [(true, 0), (false, 4)] {
            let Outcome::Found(found) = judge(&tries(turned)) else {
                panic!("not judged");
            };
            let Group { tries, successes } = found[0].members;
            assert_eq!((tries, successes), (4, right));
        }
    }
}
