//! Generated data keeps to its preset's figures, to its random source, and to plausible movement.

mod doublets;
mod roads;
mod taxi;
mod transit;

use wayveil_core::{Dataset, NonPrivate, RandomSource, Raw, Silent, Universe};
use wayveil_io::generate::{GenerateOptions, Preset, generate};

fn sized(records: u64, locations: Option<u32>) -> GenerateOptions {
    GenerateOptions {
        records: Some(records),
        locations,
        ..GenerateOptions::default()
    }
}

fn timed(records: u64, locations: Option<u32>, bins: u32) -> GenerateOptions {
    GenerateOptions {
        bins: Some(bins),
        ..sized(records, locations)
    }
}

fn made(preset: Preset, options: GenerateOptions, seed: u64) -> Raw<Dataset> {
    generate(
        preset,
        &options,
        &mut RandomSource::insecure_seed(seed),
        &Silent,
    )
    .unwrap()
}

fn look<R>(raw: &Raw<Dataset>, look: impl FnOnce(&Dataset) -> R) -> R {
    let because = NonPrivate::because("a test of generated data");
    raw.inspect(because, look).for_publisher_only()
}

fn universe(raw: &Raw<Dataset>) -> Universe {
    look(raw, |data| data.universe().as_ref().clone())
}

/// Runs work with a number of threads.
fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(work)
}

/// Kilometres between two locations, on a plane.
fn apart(universe: &Universe, one: u32, other: u32) -> f64 {
    let [one, other] = [one, other].map(|code| universe.locations()[code as usize].at.unwrap());
    let (x, y) = ((one.lng - other.lng) * 78.0, (one.lat - other.lat) * 111.0);
    x.hypot(y)
}

/// FNV-1a, to name a result in a line.
fn fingerprint(values: impl Iterator<Item = i64>) -> u64 {
    let bytes = values.flat_map(i64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn threads_do_not_matter() {
    for preset in Preset::all() {
        let on = |threads: usize| {
            let records = match preset {
                Preset::Taxi => 9,
                // A destination each: more take long.
                Preset::Oldenburg => 300,
                _ => 20_000,
            };
            let raw = on_threads(threads, || made(preset, sized(records, None), 5));
            look(&raw, |data| {
                (data.trips().clone(), data.attributes().to_vec())
            })
        };
        let alone = on(1);
        assert!(alone == on(2) && alone == on(5), "{preset}");
    }
}

#[test]
fn the_seed_moves_people_but_not_the_public_inputs() {
    for preset in Preset::all() {
        let records = match preset {
            Preset::Taxi => 2,
            Preset::Oldenburg => 200,
            _ => 2_000,
        };
        let [one, same, other] = [6, 6, 7].map(|seed| made(preset, sized(records, None), seed));
        let trips = |raw| look(raw, |data| data.trips().clone());
        assert!(trips(&one) == trips(&same));
        assert!(trips(&one) != trips(&other));
        assert_eq!(universe(&one), universe(&other));
        let axis = |raw| look(raw, |data| data.time().cloned());
        assert_eq!(axis(&one), axis(&other));
        look(&one, |data| {
            assert_eq!(data.population(), format!("generated-{preset}"));
        });
    }
}

/// Figures and examples in documents rely on a seed; a change of this vector changes them all.
#[test]
fn reference_vector() {
    let found: Vec<(u64, u64)> = Preset::all()
        .map(|preset| {
            let records = match preset {
                Preset::Taxi => 5,
                Preset::Oldenburg => 500,
                _ => 5_000,
            };
            look(&made(preset, sized(records, None), 42), |data| {
                let places = data.universe().locations().iter().map(|l| l.at.unwrap());
                let degrees = places.flat_map(|at| [at.lat, at.lng]);
                let network = fingerprint(degrees.map(|degrees| (degrees * 1e6).round() as i64));
                let codes = data.trips().codes().iter();
                let bins = data.trips().bins().unwrap_or_default().iter();
                let values = data
                    .attributes()
                    .iter()
                    .flat_map(|column| &column.of_record);
                let all = codes.chain(bins).chain(values);
                (network, fingerprint(all.map(|&value| value.into())))
            })
        })
        .collect();
    assert_eq!(found, REFERENCE, "got {found:#x?}");
}

/// The places' and the movements' fingerprints, by preset.
const REFERENCE: [(u64, u64); 7] = [
    (0xadaf_56e3_dc0e_c07f, 0xd8f5_92ea_f8cf_b4c7),
    (0xe9b0_5e53_ac26_984d, 0xb0b4_cacb_49a2_d043),
    (0x1a3e_be92_e0de_0d68, 0x38c9_ccba_384f_baab),
    (0xdb4f_0905_ff0a_570b, 0xe645_847f_ee0a_937f),
    (0xadaf_56e3_dc0e_c07f, 0x6441_9929_6542_b8b0),
    (0x8442_217d_efcd_c5fd, 0x8275_827e_2293_c89d),
    (0xebb5_60a0_6edc_48f5, 0x96e3_67f5_5380_03ba),
];
