//! Trips as points: read from AdaTrace's text form, or generated.

use std::io::{BufRead, BufReader};
use std::path::Path;

use wayveil_core::{NonPrivate, PrivacyUnit, RandomSource, Sequences, Silent, Universe};
use wayveil_io::generate::{GenerateOptions, Preset, generate};
use wayveil_io::{GeoBox, Input, Places};

/// Latitude and longitude.
pub(super) type Point = (f64, f64);

/// The public box of the T-Drive trips: south, west, north, east.
const BEIJING: [f64; 4] = [39.75, 116.2, 40.05, 116.55];
/// Cells of the grid on which points are compared, at each side.
const FINE: u32 = 256;
/// Degrees around the locations of generated trips.
const MARGIN: f64 = 0.01;
/// The same generated vehicles on every machine.
const SEED: u64 = 7;

/// Trips with their public box, and what a peer made of them where that is at hand.
pub(super) struct Data {
    pub(super) name: String,
    pub(super) area: GeoBox,
    pub(super) trips: Vec<Vec<Point>>,
    pub(super) peer: Option<Vec<Vec<Point>>>,
}

impl Data {
    /// The T-Drive trips in this folder with AdaTrace's output; none where they are not there.
    pub(super) fn tdrive(folder: &Path) -> Result<Option<Self>, String> {
        let (trips, peer) = (
            folder.join("trips.dat.gz"),
            folder.join("adatrace-eps1.dat.gz"),
        );
        if !trips.exists() {
            return Ok(None);
        }
        let [south, west, north, east] = BEIJING;
        Ok(Some(Self {
            name: "T-Drive trips".into(),
            area: GeoBox::new(south, west, north, east).map_err(|it| it.to_string())?,
            trips: read(&trips)?,
            peer: match peer.exists() {
                true => Some(read(&peer)?),
                false => None,
            },
        }))
    }

    /// Generated trips of this many vehicles.
    pub(super) fn generated(preset: Preset, records: Option<u64>) -> Result<Self, String> {
        let options = GenerateOptions {
            records,
            ..GenerateOptions::default()
        };
        let mut random = RandomSource::insecure_seed_for("generate", SEED);
        let raw = generate(preset, &options, &mut random, &Silent).map_err(|it| it.to_string())?;
        let because = NonPrivate::because("publishes generated data again and again");
        let seen = raw.inspect(because, |data| {
            let rows = data.bounded(PrivacyUnit::Trip);
            (points(&rows, data.universe()), around(data.universe()))
        });
        let (trips, area) = seen.for_publisher_only();
        Ok(Self {
            name: format!("generated {preset}"),
            area: area?,
            trips,
            peer: None,
        })
    }

    /// The grid on which points are compared.
    pub(super) fn fine(&self) -> Result<Places, String> {
        self.grid(FINE)
    }

    /// A grid over the box.
    pub(super) fn grid(&self, side: u32) -> Result<Places, String> {
        Places::grid(self.area, side, side).map_err(|it| it.to_string())
    }
}

/// A box around all public locations, visited or not.
fn around(universe: &Universe) -> Result<GeoBox, String> {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for place in universe.locations().iter().filter_map(|it| it.at) {
        let place = [place.lat, place.lng];
        low = [low[0].min(place[0]), low[1].min(place[1])];
        high = [high[0].max(place[0]), high[1].max(place[1])];
    }
    GeoBox::new(
        low[0] - MARGIN,
        low[1] - MARGIN,
        high[0] + MARGIN,
        high[1] + MARGIN,
    )
    .map_err(|it| it.to_string())
}

/// The middles of the cells that records visit.
pub(super) fn points(records: &Sequences, universe: &Universe) -> Vec<Vec<Point>> {
    let at: Vec<Option<Point>> = universe
        .locations()
        .iter()
        .map(|location| location.at.map(|at| (at.lat, at.lng)))
        .collect();
    let trip = |codes: &[u32]| codes.iter().filter_map(|&code| at[code as usize]).collect();
    records.iter().map(trip).collect()
}

/// `#id:` and below it `>0:longitude,latitude;…`; every line of points is a trip.
fn read(path: &Path) -> Result<Vec<Vec<Point>>, String> {
    let input = Input::open(path).map_err(|it| it.to_string())?;
    let mut trips = Vec::new();
    for line in BufReader::new(input).lines() {
        let line = line.map_err(|it| it.to_string())?;
        let Some((_, list)) = line.strip_prefix('>').and_then(|line| line.split_once(':')) else {
            continue;
        };
        let point = |pair: &str| {
            let (lng, lat) = pair.split_once(',')?;
            Some((lat.parse().ok()?, lng.parse().ok()?))
        };
        let trip: Option<Vec<Point>> = list.trim().split_terminator(';').map(point).collect();
        trips.push(trip.ok_or_else(|| format!("{}: not a trip: {list:.40}", path.display()))?);
    }
    Ok(trips)
}
