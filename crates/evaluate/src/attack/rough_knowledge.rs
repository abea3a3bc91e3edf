//! `rough-knowledge`: is a person isolated by visits of which place and time are known roughly?
//!
//! **Attacker.** As in `singling-out` with 4 (`typical_points`) known visits, or all, but several
//! locations are taken for one and several bins for one, both in what is known and in what was
//! published.
//!
//! Places: where all locations have coordinates, groups of at most v locations by recursive cuts at
//! the median of the wider side, v = 1, 2, 4, 8, 16 (`coarse_places`). Else the groups of the
//! taxonomy are the one rougher level; without any, places are known exactly. Times: so many bins,
//! 1, 2, 4, 8 (`coarse_times`), from bin 0 on, for one; in timed data only. Entries are named
//! `places-4-times-2`, `groups-times-2`, and without the times in untimed data.
//!
//! **Success.** Exactly one published record matches, and it is, as roughly, the victim's whole
//! record.
//!
//! **Guesser.** The same among the records of everyone but the victim.

use wayveil_core::{Progress, Result};

use super::coarse::{coarsened, places};
use super::singling_out::{isolated, victims};
use super::stage::Stage;
use super::{Attack, AttackSettings, Found, Outcome, Question, Scene};

pub(super) static ATTACK: Attack = Attack {
    name: "rough-knowledge",
    about: "isolates a person's record by a few visits known roughly",
    question: Question::SinglingOut,
    definition: "As singling-out with 4 known visits, but groups of up to 1, 2, 4, 8, 16 near \
                 locations (or the taxonomy's groups) are taken for one location, and 1, 2, 4, 8 \
                 bins for one bin, in what is known and in what was published. Success: exactly one \
                 published record matches, and it is as roughly the victim's whole record. Guesser: \
                 the same among the records of everyone but the victim.",
    source: "de Montjoye, Hidalgo, Verleysen, Blondel (2013), coarser resolutions",
    run,
};

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    settings.check()?;
    let (truth, published) = (&scene.people.sequences, &scene.target.records.sequences);
    let same = std::ptr::eq(truth, published);
    let times: &[u32] = match truth.is_timed() {
        true => &settings.coarse_times,
        false => &[1],
    };
    let mut found = Vec::new();
    for places in places(scene.universe, &settings.coarse_places) {
        for &bins in times {
            let published = match same {
                true => None,
                false => Some(coarsened(published, &places, bins)?),
            };
            let stage = Stage::new(&coarsened(truth, &places, bins)?, published.as_ref())?;
            let points = settings.typical_points;
            let victims = victims(&stage, settings, points)?;
            if victims.is_empty() {
                return Ok(Outcome::NotPossible("nobody has a visit".into()));
            }
            let name = match truth.is_timed() {
                true => format!("{}-times-{bins}", places.name),
                false => places.name.clone(),
            };
            let results = stage.each(&victims, (progress, ATTACK.name), |victim, side| {
                isolated(victim, side, points)
            });
            found.push(Found::paired(name, results));
        }
    }
    Ok(Outcome::Found(found))
}

#[cfg(test)]
mod tests {
    use wayveil_core::{
        Coordinate, Location, Origin, Sequences, Silent, TimeAxis, Universe, UniverseDocument,
    };

    use super::super::testing::{attack, found, random_records, successes};
    use super::super::{Method, People, Target, singling_out};
    use super::*;

    /// Locations on a line.
    fn line(locations: u32) -> Universe {
        let location = |at: u32| Location {
            label: at.to_string(),
            at: Some(Coordinate {
                lat: 0.0,
                lng: f64::from(at),
            }),
            ..Location::default()
        };
        Universe::try_from(UniverseDocument {
            origin: Origin::Declared("test".into()),
            locations: (0..locations).map(location).collect(),
            groups: vec![],
        })
        .unwrap()
    }

    fn run_on(universe: &Universe, people: &People, published: &People) -> Vec<Found> {
        let axis = TimeAxis::new(8, Origin::Declared("test".into()));
        let scene = Scene {
            people,
            target: Target {
                records: published,
                method: Method::AsTheyAre,
            },
            outsiders: None,
            universe,
            time: people.sequences.is_timed().then_some(&axis),
        };
        found(run(&scene, &AttackSettings::default(), &Silent).unwrap())
    }

    #[test]
    fn rougher_places_and_times_hide_people() {
        let people = People::bare(Sequences::from_codes((0..8u32).map(|at| [at])));
        let result = run_on(&line(8), &people, &people.clone());
        let expected = [
            ("places-1", 8, 8, 0),
            // Two people in each place: hidden, and each is known from the other.
            ("places-2", 8, 0, 8),
            ("places-4", 8, 0, 0),
            ("places-8", 8, 0, 0),
            ("places-16", 8, 0, 0),
        ];
        assert_eq!(successes(&result), expected);
        // The same over times, all at one place.
        let mut records = Sequences::empty(true);
        for bin in 0..8 {
            records.push(&[0], &[bin]);
        }
        let people = People::bare(records);
        let result = run_on(&line(2), &people, &people);
        let result = successes(&result);
        assert_eq!(result.len(), 20);
        assert_eq!(result[0], ("places-1-times-1", 8, 8, 0));
        assert_eq!(result[1], ("places-1-times-2", 8, 0, 8));
        assert_eq!(result[18], ("places-16-times-4", 8, 0, 0));
    }

    #[test]
    fn exact_knowledge_is_singling_out() {
        for seed in 0..30 {
            let timed = (seed % 2 == 0).then_some(3);
            let people = People::bare(random_records(seed, 30, 6, 4, timed));
            let published = People::bare(random_records(seed / 2, 30, 6, 4, timed));
            if people.sequences.symbols() == 0 {
                continue;
            }
            let settings = AttackSettings::default();
            let curve = attack(&singling_out::ATTACK, &people, &published, &settings);
            let curve = found(curve);
            let rough = found(attack(&ATTACK, &people, &published, &settings));
            assert_eq!(rough[0].successes, curve[3].successes);
            assert_eq!(rough[0].guesser, curve[3].guesser);
            assert_eq!(rough.len(), if timed.is_some() { 4 } else { 1 });
        }
    }
}
