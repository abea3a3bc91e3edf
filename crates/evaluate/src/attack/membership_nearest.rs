//! `membership-nearest`: says that somebody was in the data if a released record is like theirs.
//!
//! How near records are, and how the nearest is found, stands in [`super::nearest`].

use rand_core::Rng;
use wayveil_core::{Error, Progress, RandomSource, Result, Sequences};
use wayveil_noise::choose_distinct;

use super::halves::{Halves, look_at_halves};
use super::nearest::nearness;
use super::probe::Probe;
use super::{Attack, AttackSettings, Found, Guesser, Outcome, People, Question, Scene};

/// The attack.
pub(super) static ATTACK: Attack = Attack {
    name: NAME,
    about: "says that a person was in the data if a released record is like theirs",
    question: Question::Membership,
    definition: "The attacker is given a record and a release, and says \"in\" if the nearest \
                 released record is at least as near as a threshold. Nearness: an equal record is \
                 nearest; else the larger of the share of the record that a released record begins \
                 with and the Jaccard index of the sets of neighbouring symbols. The threshold is \
                 learned on every second victim and judged on the others. With outsiders, each \
                 victim is by a fair coin one of the people or one of the outsiders, and the \
                 release itself is attacked: outsiders who live otherwise than the people are told \
                 apart by that alone. Without, the release is made again shadows/8 times from \
                 random halves of the people. Success: membership told right. The guesser tosses a \
                 coin, and without a leak every try is a fair coin too.",
    source: "D. Chen, N. Yu, Y. Zhang, M. Fritz: GAN-Leaks, a taxonomy of membership inference \
             attacks against generative models, 2020 (distance to the nearest released record); \
             A. Pyrgelis, C. Troncoso, E. De Cristofaro: Knock knock, who's there? Membership \
             inference on aggregate location data, 2018 (membership as the question).",
    run,
};

const NAME: &str = "membership-nearest";
/// So many releases fewer than shadows: here they only take the chance out of one draw.
const SHADOWS_PER_HALF: usize = 8;

/// One victim in one release.
#[derive(Clone, Copy, Debug)]
struct Try {
    nearness: f64,
    is_in: bool,
}

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    let mut random = RandomSource::insecure_seed_for(NAME, settings.seed);
    match scene.outsiders {
        Some(outsiders) => with_outsiders(scene, outsiders, settings, &mut random),
        None => with_halves(scene, settings, &mut random, progress),
    }
}

/// Attacks the release itself. Every victim is one of the people or an outsider by a fair coin.
fn with_outsiders(
    scene: &Scene<'_>,
    outsiders: &People,
    settings: &AttackSettings,
    random: &mut RandomSource,
) -> Result<Outcome> {
    let people = &scene.people.sequences;
    if outsiders.sequences.is_timed() != people.is_timed() {
        return Err(
            Error::input("only one of the people and the outsiders have time bins")
                .hint("import the outsiders in the same way as the data"),
        );
    }
    // No more than there are of either, whichever way the coins fall.
    let most = people.len().min(outsiders.len()).min(settings.victims);
    if most < 2 {
        return Ok(too_few("people and outsiders"));
    }
    let mut stream = random.stream();
    let is_in: Vec<bool> = (0..most).map(|_| stream.next_u32() & 1 == 1).collect();
    let members = is_in.iter().filter(|&&is_in| is_in).count();
    let mut insiders = choose(people.len(), members, random)?.into_iter();
    let mut others = choose(outsiders.len(), most - members, random)?.into_iter();
    let mut victims = Sequences::empty(people.is_timed());
    for &is_in in &is_in {
        let (sequences, from) = match is_in {
            true => (people, &mut insiders),
            false => (&outsiders.sequences, &mut others),
        };
        if let Some(record) = from.next() {
            victims.push(sequences.codes_of(record), sequences.bins_of(record));
        }
    }
    let probe = Probe::new(&victims, 0..victims.len());
    let released = &scene.target.records.sequences;
    let nearness = nearness(&probe, &probe.count(released), released);
    let tries: Vec<Try> = nearness
        .into_iter()
        .zip(is_in)
        .map(|(nearness, is_in)| Try { nearness, is_in })
        .collect();
    Ok(judge(&[tries]))
}

/// Attacks releases of random halves of the people.
fn with_halves(
    scene: &Scene<'_>,
    settings: &AttackSettings,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Outcome> {
    let people = &scene.people.sequences;
    let most = people.len().min(settings.victims);
    if most < 2 {
        return Ok(too_few("people"));
    }
    let chosen = choose(people.len(), most, random)?;
    let probe = Probe::new(people, chosen.iter().copied());
    let halves = (settings.shadows / SHADOWS_PER_HALF).max(1);
    let seen = look_at_halves(scene, halves, random, progress, |is_in, released| {
        let nearness = nearness(&probe, &probe.count(released), released);
        let tries = nearness.into_iter().zip(&chosen);
        tries
            .map(|(nearness, &record)| Try {
                nearness,
                is_in: is_in[record],
            })
            .collect::<Vec<_>>()
    })?;
    Ok(match seen {
        Halves::Seen(releases) => judge(&releases),
        Halves::NotPossible(reason) => Outcome::NotPossible(reason),
    })
}

fn too_few(whom: &str) -> Outcome {
    Outcome::NotPossible(format!(
        "there are too few {whom}: a threshold is learned on one victim at least, and judged on \
         another"
    ))
}

fn choose(from: usize, count: usize, random: &mut RandomSource) -> Result<Vec<usize>> {
    let chosen = choose_distinct(from as u64, count as u64, &mut random.stream())
        .map_err(|cause| Error::input(cause.to_string()))?;
    Ok(chosen.into_iter().map(|record| record as usize).collect())
}

/// Learns the threshold on every second victim, in all releases, and judges it on the others.
fn judge(releases: &[Vec<Try>]) -> Outcome {
    let every_second = |first: usize| {
        let tries = releases.iter();
        tries.flat_map(move |tries| tries.iter().copied().skip(first).step_by(2))
    };
    let threshold = threshold(every_second(0).collect());
    let (mut tries, mut successes) = (0, 0);
    for judged in every_second(1) {
        tries += 1;
        successes += u64::from((judged.nearness >= threshold) == judged.is_in);
    }
    Outcome::Found(vec![Found {
        name: "nearest".into(),
        tries,
        successes,
        guesser: Guesser::Coin(0.5),
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
        for (turned, right) in [(true, 0), (false, 8)] {
            let Outcome::Found(found) = judge(&[tries(turned), tries(turned)]) else {
                panic!("not judged");
            };
            assert_eq!((found[0].tries, found[0].successes), (8, right));
        }
    }
}
