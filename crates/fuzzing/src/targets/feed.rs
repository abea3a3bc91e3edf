//! Timetables as archives. The first byte chooses the universe and what the rest is: the bytes of an
//! archive, or the texts of tables, each after the byte 1D but the first. These take the places of
//! the tables of a sound feed, which is read as a folder and as an archive; an empty one takes the
//! table away.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use wayveil_core::{Result, Universe};
use wayveil_io::feed::{Level, Service, StopLabel};
use wayveil_io::{Feed, FeedLocations, FeedUniverse, read_feed_universe};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::Target;
use crate::check::{accepted, is_compressed, options, put, survives_its_document};
use crate::scratch;

/// The bit of the first byte for texts.
const TEXTS: u8 = 1;

/// A sound feed.
const TABLES: [(&str, &str); 8] = [
    (
        "stops.txt",
        "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station\n\
         S1,11,Berri,45.5,-73.56,0,S3\nS2,12,,45.52,-73.6,,\nS3,13,Gare,45.6,-73.5,1,\n\
         S4,,\"A, b\",,,3,S3\n",
    ),
    (
        "calendar.txt",
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
         w,1,1,1,1,1,0,0,20190301,20190401\n",
    ),
    (
        "agency.txt",
        "agency_name,agency_url,agency_timezone\nSTM,http://a.example,America/Montreal\n",
    ),
    (
        "calendar_dates.txt",
        "service_id,date,exception_type\nw,20190304,2\nh,20190303,1\n",
    ),
    ("feed_info.txt", "feed_publisher_name,feed_version\nSTM,7\n"),
    (
        "stop_times.txt",
        "trip_id,stop_id,stop_sequence,departure_time\nt1,S1,1,8:00:00\nt1,S2,2,25:10:00\nt2,S1,1,\n",
    ),
    (
        "routes.txt",
        "route_id,route_short_name,route_type\nr1,green,1\nr2,,3\n",
    ),
    (
        "trips.txt",
        "route_id,service_id,trip_id\nr1,w,t1\nr2,h,t2\n",
    ),
];

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "feed",
    run,
    seeds,
    words: &[
        "\x1d",
        "stops.txt",
        "calendar.txt",
        "agency.txt",
        "stop_id",
        "stop_code",
        "stop_lat",
        "location_type",
        "parent_station",
        "service_id",
        "20190301",
        "99991231",
        "agency_timezone",
        "departure_time",
        "25:10:00",
        "exception_type",
        "route_type",
        "PK\x01\x02",
        "PK\x03\x04",
        "PK\x05\x06",
        "PK\x06\x06",
        "PK\x06\x07",
    ],
    longest: 1 << 12,
};

fn zipped(tables: &[(&str, &[u8])], folder: &str, method: CompressionMethod) -> Vec<u8> {
    const MEMORY: &str = "memory takes bytes";
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in tables {
        let started = archive.start_file(format!("{folder}{name}"), options);
        started.expect(MEMORY);
        archive.write_all(bytes).expect(MEMORY);
    }
    archive.finish().expect(MEMORY).into_inner()
}

fn seeds() -> Vec<Vec<u8>> {
    let sound = TABLES.map(|(name, text)| (name, text.as_bytes()));
    let with = |chosen: u8, bytes: &[u8]| [&[chosen][..], bytes].concat();
    let [stops, calendar, agency, dates, ..] = TABLES.map(|(_, text)| text);
    let texts = |chosen: u8, texts: &[&str]| with(chosen, texts.join("\x1d").as_bytes());
    vec![
        with(0, &zipped(&sound, "", CompressionMethod::Deflated)),
        with(2, &zipped(&sound, "gtfs/", CompressionMethod::Stored)),
        with(4, &zipped(&sound[..3], "", CompressionMethod::Stored)),
        with(0, &zipped(&[], "", CompressionMethod::Stored)),
        with(
            0,
            &zipped(&[("inner.zip", b"PK")], "", CompressionMethod::Stored),
        ),
        texts(1, &[stops]),
        texts(3, &[stops, calendar, agency, dates]),
        texts(
            5,
            &["stop_id,stop_lat,stop_lon,stop_code\nS2,1,2,7\nS1,1,2,7\nc,-90,180,8\n"],
        ),
        texts(9, &[stops, "", "", "", "", "trip_id,stop_id\nt1,S1\n"]),
        texts(
            11,
            &[
                "stop_id,stop_lat,stop_lon,location_type,parent_station\nP,1,2,1,\nS1,1,2,0,P\nS2,,,4,S1\n",
                "",
            ],
        ),
        texts(
            1,
            &[
                stops,
                "",
                "",
                "service_id,date,exception_type\nh,20240229,1\n",
            ],
        ),
    ]
}

/// Everything that a feed is asked for.
struct Answers {
    locations: Option<FeedLocations>,
    service: Option<Option<Service>>,
    zone: Option<Option<String>>,
    agencies: Option<Vec<String>>,
}

fn ask(feed: Result<Feed>, chosen: u8) -> Option<Answers> {
    let feed = accepted(feed)?;
    let bit = |number: u8| chosen >> number & 1 == 1;
    let options = FeedUniverse {
        level: if bit(1) {
            Level::Stations
        } else {
            Level::Stops
        },
        label: if bit(2) {
            StopLabel::StopCode
        } else {
            StopLabel::StopId
        },
        route_types: if bit(3) { vec![1] } else { Vec::new() },
    };
    Some(Answers {
        locations: accepted(read_feed_universe(&feed, &options)),
        service: accepted(feed.service()),
        zone: accepted(feed.timezone()),
        agencies: accepted(feed.agencies()),
    })
}

impl Answers {
    fn check(&self) -> bool {
        self.locations.iter().for_each(check_locations);
        if let Some(Some(service)) = &self.service {
            let days = (service.last - service.first).get_days() + 1;
            assert!(service.first <= service.last);
            assert!((1..=u64::from(days.unsigned_abs())).contains(&service.days));
            assert_eq!(self.zone.as_ref(), Some(&service.timezone));
        }
        self.locations.is_some()
    }

    /// How a feed is packed makes no difference.
    fn check_same(&self, other: &Self) {
        let universe = |it: &Self| it.locations.as_ref().map(|it| it.universe.clone());
        let (one, two): (Option<Universe>, _) = (universe(self), universe(other));
        assert_eq!(one, two);
        let aliases = |it: &Self| it.locations.as_ref().map(|it| it.aliases.clone());
        assert_eq!(aliases(self), aliases(other));
        assert_eq!(self.service, other.service);
        assert_eq!(self.zone, other.zone);
        assert_eq!(self.agencies, other.agencies);
    }
}

fn check_locations(found: &FeedLocations) {
    let universe = &found.universe;
    survives_its_document(universe);
    assert!(found.unserved <= universe.len() as u64);
    assert!(found.aliases.windows(2).all(|pair| pair[0].0 < pair[1].0));
    for (_, label) in &found.aliases {
        assert!(universe.code(label).is_some(), "{label:?} is no location");
    }
}

fn open(path: &Path, bytes: &[u8]) -> Result<Feed> {
    put(path, bytes);
    Feed::open(path)
}

fn run(data: &[u8]) -> bool {
    let (chosen, rest) = options(data);
    scratch::with(|scratch| {
        let archive = scratch.join("feed.zip");
        if chosen & TEXTS == 0 {
            return ask(open(&archive, rest), chosen).is_some_and(|it| it.check());
        }
        let folder = scratch.join("feed");
        fs::create_dir_all(&folder).expect("the scratch folder takes folders");
        let mut texts = rest.split(|&byte| byte == 0x1d);
        let mut tables = Vec::new();
        for (name, sound) in TABLES {
            match texts.next().unwrap_or(sound.as_bytes()) {
                // Most often there was none.
                [] => drop(fs::remove_file(folder.join(name))),
                text => {
                    put(&folder.join(name), text);
                    tables.push((name, text));
                }
            }
        }
        let of_folder = ask(Feed::open(&folder), chosen).expect("a folder can be opened");
        let packed = zipped(&tables, "", CompressionMethod::Stored);
        let of_archive = ask(open(&archive, &packed), chosen);
        // An archive refuses what is compressed twice.
        if let Some(of_archive) = of_archive
            && !tables.iter().any(|(_, text)| is_compressed(text))
        {
            of_folder.check_same(&of_archive);
        }
        of_folder.check()
    })
}
