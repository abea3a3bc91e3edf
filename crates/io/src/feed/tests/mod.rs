//! Feeds that tests write into a folder or an archive of their own.

mod archive;
mod service;
mod stm;
mod stops;
mod universe;

use std::io::{Cursor, Write};
use std::path::PathBuf;

use tempfile::TempDir;
use wayveil_core::{Error, Result};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::*;

/// A feed in a place of its own.
pub(super) struct Place {
    folder: TempDir,
    path: PathBuf,
}

impl Place {
    /// A folder of files.
    pub(super) fn folder(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Self {
            path: folder.path().to_owned(),
            folder,
        }
    }

    /// An archive of these bytes.
    pub(super) fn bytes(bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("feed.zip");
        std::fs::write(&path, bytes).unwrap();
        Self { path, folder }
    }

    /// An archive of files.
    pub(super) fn zip(files: &[(&str, &str)]) -> Self {
        Self::bytes(&zipped(files, CompressionMethod::Deflated))
    }

    pub(super) fn open(&self) -> Result<Feed> {
        Feed::open(&self.path)
    }

    pub(super) fn universe(&self, options: &FeedUniverse) -> Result<FeedLocations> {
        read_feed_universe(&self.open()?, options)
    }

    /// All names beside the feed, to see that nothing was written.
    pub(super) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }
}

/// An archive of files.
pub(super) fn zipped(files: &[(&str, &str)], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, text) in files {
        archive.start_file(*name, options).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The error, which must say all of these, somewhere, and give advice.
pub(super) fn assert_says<T>(result: Result<T>, says: &[&str]) -> Error {
    let error = result.err().expect("it fails");
    for part in says {
        assert!(error.to_string().contains(part), "{error} lacks {part:?}");
    }
    assert!(error.advice().is_some(), "{error}");
    error
}

/// The line and column of an error in a file.
pub(super) fn assert_at(error: &Error, file: &str, line: u64, column: &str) {
    let place = error.place().unwrap();
    assert!(place.file.ends_with(file), "{error}");
    assert_eq!(
        (place.line, place.column.as_deref()),
        (Some(line), Some(column)),
        "{error}"
    );
}

/// Two stations, three platforms, an entrance, a boarding area and two lone stops.
pub(super) const STOPS_TEXT: &str = "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station\n\
    S,50,Station S,45.5,-73.5,1,\n\
    S1,501,S platform 1,45.51,-73.51,0,S\n\
    S2,502,S platform 2,45.52,-73.52,,S\n\
    SE,503,S entrance,45.53,-73.53,2,S\n\
    SB,,,,,4,S1\n\
    T,60,\"Station \"\"T\"\", north\",45.6,-73.6,1,\n\
    T1,601,T platform,45.61,-73.61,0,T\n\
    b,70,Stop b,45.7,-73.7,0,\n\
    B,71,Stop B,0.1,0.0000001,0,\n";
/// Line 1 is a metro at S and T, line 9 a bus at S2 and b.
pub(super) const ROUTES_TEXT: &str = "route_id,route_short_name,route_type\nm,Metro,1\nn,Bus,3\n";
pub(super) const TRIPS_TEXT: &str = "route_id,service_id,trip_id\nm,w,1\nn,w,2\n";
pub(super) const STOP_TIMES_TEXT: &str = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
    1,24:50:00,24:51:00,S1,1\n\
    1,25:34:00,25:35:00,T1,2\n\
    2,8:00:00,8:00:00,S2,1\n\
    2,,,S2,2\n\
    2,9:00:00,,b,3\n";
pub(super) const AGENCY_TEXT: &str =
    "agency_id,agency_name,agency_url,agency_timezone\na,Réseau,http://x,America/Montreal\n";
pub(super) const INFO_TEXT: &str = "feed_publisher_name,feed_version\nx,v7\n";

pub(super) const WHOLE_FEED: [(&str, &str); 6] = [
    (AGENCY, AGENCY_TEXT),
    (FEED_INFO, INFO_TEXT),
    (STOPS, STOPS_TEXT),
    (ROUTES, ROUTES_TEXT),
    (TRIPS, TRIPS_TEXT),
    (STOP_TIMES, STOP_TIMES_TEXT),
];
