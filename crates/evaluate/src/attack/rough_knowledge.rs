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

use rayon::prelude::*;
use wayveil_core::{Progress, Result};

use super::coarse::{Places, coarsened, places};
use super::matching::{Crowd, Key, bin_of, key, location_of};
use super::singling_out::isolated;
use super::trials::{Trials, Victim};
use super::{Attack, AttackSettings, Outcome, Question, Scene};

pub(super) static ATTACK: Attack = Attack {
    name: "rough-knowledge",
    about: "isolates a person's record by a few visits known roughly",
    question: Question::SinglingOut,
    definition: "As singling-out with 4 known visits, but groups of up to 1, 2, 4, 8, 16 near \
                 locations (or the taxonomy's groups) are taken for one location, and 1, 2, 4, 8 \
                 bins for one bin, in what is known and in what was published. Success: exactly one \
                 published record matches, and it is as roughly the victim's whole record.",
    source: "de Montjoye, Hidalgo, Verleysen, Blondel (2013), coarser resolutions",
    run,
};

fn run(scene: &Scene<'_>, settings: &AttackSettings, progress: &dyn Progress) -> Result<Outcome> {
    settings.check()?;
    let timed = scene.people.sequences.is_timed();
    let times: &[u32] = match timed {
        true => &settings.coarse_times,
        false => &[1],
    };
    let places = places(scene.universe, &settings.coarse_places);
    let ways: Vec<(&Places, u32)> = (places.iter())
        .flat_map(|places| times.iter().map(move |&bins| (places, bins)))
        .collect();
    let points = settings.typical_points;
    let trials = Trials {
        scene,
        settings,
        progress,
        name: ATTACK.name,
        nobody: "nobody has a visit",
    };
    let tried = trials.make(
        |visits| !visits.is_empty(),
        |victim, random| victim.reveal(points, random),
        |published, victims| {
            let mut results = vec![Vec::new(); victims.len()];
            for &(places, bins) in &ways {
                let crowd = Crowd::new(&coarsened(&published.sequences, places, bins)?)?;
                let of_way: Vec<bool> = (victims.par_iter())
                    .map(|victim| isolated(&roughly(victim, places, bins, timed), &crowd, points))
                    .collect();
                for (result, isolated) in results.iter_mut().zip(of_way) {
                    result.push(isolated);
                }
            }
            Ok(results)
        },
    )?;
    let name = |(places, bins): (&Places, u32)| match timed {
        true => format!("{}-times-{bins}", places.name),
        false => places.name.clone(),
    };
    Ok(tried.map_or_else(
        |not_possible| not_possible,
        |tried| {
            let of_way = |(at, &way)| tried.found(name(way), |_, it: &Vec<bool>| Some(it[at]));
            Outcome::Found(ways.iter().enumerate().map(of_way).collect())
        },
    ))
}

/// A victim as someone knows them who was not quite there. Which visits are known stays the same.
fn roughly(victim: &Victim, places: &Places, bins: u32, timed: bool) -> Victim {
    let rough = |visit: Key| {
        let bin = bin_of(visit) / bins.max(1);
        key(bin, places.taken_for(location_of(visit)))
    };
    let mut order: Vec<usize> = (0..victim.record.len()).collect();
    if timed {
        order.sort_by_key(|&at| rough(victim.record[at]));
    }
    let mut place_of = vec![0; order.len()];
    for (place, &at) in order.iter().enumerate() {
        place_of[at] = place;
    }
    Victim {
        record: order.iter().map(|&at| rough(victim.record[at])).collect(),
        revealed: victim.revealed.iter().map(|&at| place_of[at]).collect(),
        ..*victim
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::{
        Coordinate, Location, Origin, Sequences, Silent, TimeAxis, Universe, UniverseDocument,
    };

    use super::super::testing::{attack, found, random_records, successes};
    use super::super::{Found, Method, People, Target, singling_out};
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
                method: Method::Unknown("made elsewhere".into()),
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
            ("places-1", 8, 8),
            // Two people in each place: hidden.
            ("places-2", 8, 0),
            ("places-4", 8, 0),
            ("places-8", 8, 0),
            ("places-16", 8, 0),
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
        assert_eq!(result[0], ("places-1-times-1", 8, 8));
        assert_eq!(result[1], ("places-1-times-2", 8, 0));
        assert_eq!(result[18], ("places-16-times-4", 8, 0));
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
            assert_eq!(rough[0].members, curve[3].members);
            assert_eq!(rough.len(), if timed.is_some() { 4 } else { 1 });
        }
    }
}
