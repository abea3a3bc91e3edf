use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wayveil_core::{
    Booked, Booking, Books, Claim, Cost, Dataset, Epsilon, Error, ErrorEstimate, ExpectedError,
    FragmentCounts, Group, Guarantee, Location, Mechanism, NoisyCounts, Origin, Output, Owners,
    Progress, PublicInputs, RandomSource, Raw, Records, Result, Sequences, Silent, Spend, Terms,
    TimeAxis, Transcript, Universe, UniverseDocument, publish_booked,
};

use super::*;
use crate::release::write::write_release as write_booked_release;
use crate::{Loaded, export_published_csv, load, write_published_seq};

/// Releases the same thing whatever the data: trivially private.
struct Constant {
    counts: bool,
}

impl Mechanism for Constant {
    fn name(&self) -> &'static str {
        "constant"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let epsilon: Epsilon = "1".parse()?;
        Ok(Claim {
            cost: Cost::pure(epsilon.clone()),
            guarantee: Guarantee::pure(&epsilon, public.unit).resting_on("nothing at all"),
            variant: "repaired",
            parameters: BTreeMap::from([("copies".into(), 2.into())]),
            limits: vec!["It says nothing.".into()],
            noise: "none".into(),
            columns: Vec::new(),
        })
    }

    fn run(&self, records: &Records<'_>, _: &mut RandomSource, _: &dyn Progress) -> Result<Output> {
        let timed = records.public.time.is_some();
        let bins = |bins: &[u32]| timed.then(|| bins.to_vec());
        let trajectories = Sequences::new(vec![0, 2, 2, 3], vec![0, 1, 1], bins(&[0, 1, 2]))?;
        let counts = self.counts.then(|| NoisyCounts {
            prefixes: Sequences::new(vec![0, 1, 3], vec![0, 0, 1], bins(&[0, 0, 1])).unwrap(),
            noisy: vec![-3, 7],
            estimate: vec![0.1, 6.5],
            standard_error: vec![1.25, 1.25],
        });
        Ok(Output {
            trajectories,
            attributes: Vec::new(),
            counts,
            fragments: self.counts.then(fragments),
            expected_error: self.counts.then(expected_error),
            transcript: Transcript::none(),
        })
    }
}

/// What is estimated beside counts.
fn expected_error() -> ExpectedError {
    ExpectedError::new(vec![ErrorEstimate {
        name: "flow-error.trips".into(),
        value: 0.13,
        low: 0.1,
        high: 0.3,
    }])
}

/// What is released beside counts.
fn fragments() -> FragmentCounts {
    FragmentCounts {
        fragments: Sequences::from_codes([vec![1], vec![0], vec![1, 0]]),
        count: vec![40, 7, 3],
        standard_error: vec![0.1, 2.5, 1e-9],
        low: vec![39, 0, 3],
        high: vec![50, 7, 3],
    }
}

/// Books that remember what was done, and whether the release was in its place by then.
#[derive(Default)]
struct Witness {
    folder: Option<PathBuf>,
    done: Vec<(String, bool)>,
}

impl Books for Witness {
    fn book(&mut self, spend: &Spend<'_>) -> Result<Booking> {
        assert_eq!((spend.population(), spend.method), ("p", "constant"));
        Ok(Booking {
            entry: "entry-17".into(),
            warnings: vec!["mind the gap".into()],
        })
    }

    fn done(&mut self, entry: &str) -> Result<()> {
        let in_place = self
            .folder
            .as_ref()
            .is_some_and(|folder| read_release(folder).is_ok());
        self.done.push((entry.to_owned(), in_place));
        Ok(())
    }
}

fn write_release(folder: &Path, release: &Booked, overwrite: bool) -> Result<Manifest> {
    write_booked_release(folder, release, None, &mut Witness::default(), overwrite)
}

#[test]
fn a_release_is_marked_as_done_when_it_is_in_its_place() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("r");
    let mut books = Witness {
        folder: Some(folder.clone()),
        ..Witness::default()
    };
    let booked = release(false, true, secure());
    assert_eq!(booked.warnings(), ["mind the gap"]);
    let manifest = write_booked_release(&folder, &booked, None, &mut books, false).unwrap();
    assert_eq!(manifest.id, "entry-17", "the manifest names the entry");
    assert_eq!(books.done, [("entry-17".to_owned(), true)]);
    assert!(write_booked_release(&folder, &booked, None, &mut books, false).is_err());
    assert_eq!(books.done.len(), 1, "what was not written is not done");
}

fn release(timed: bool, counts: bool, random: RandomSource) -> Booked {
    let origin = Origin::Declared("test".into());
    let location = |label: &str, name: Option<&str>| Location {
        label: label.into(),
        name: name.map(Into::into),
        at: Some(wayveil_core::Coordinate {
            lat: 45.1,
            lng: -73.7,
        }),
        group: Some(1),
    };
    let document = UniverseDocument {
        origin: origin.clone(),
        locations: vec![location("A", Some("Berri")), location("B b", None)],
        groups: vec![
            Group {
                label: "metro".into(),
                parent: None,
            },
            Group {
                label: "green".into(),
                parent: Some(0),
            },
        ],
    };
    let universe = Arc::new(Universe::try_from(document).unwrap());
    let time = timed.then_some(TimeAxis::new(3, origin));
    let trips = Sequences::empty(timed);
    let data = Dataset::new(
        universe,
        time,
        trips,
        Owners::EachRecord,
        vec![],
        "p".into(),
    )
    .unwrap();
    let mut random = random;
    publish_booked(
        &Raw::new(data),
        &Constant { counts },
        &Terms::default(),
        &mut Witness::default(),
        &mut random,
        &Silent,
    )
    .unwrap()
}

fn secure() -> RandomSource {
    RandomSource::os().unwrap()
}

#[test]
fn a_release_comes_back_as_it_was() {
    for (timed, counts) in [(false, false), (true, true), (true, false), (false, true)] {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("r");
        let booked = release(timed, counts, secure());
        let manifest = write_release(&folder, &booked, false).unwrap();
        let release = booked.release();
        let Loaded::Release(back) = load(&folder).unwrap() else {
            panic!("a release")
        };
        assert_eq!(back.manifest(), &manifest);
        assert_eq!(back.trajectories(), release.trajectories());
        assert_eq!(back.universe(), release.universe());
        assert_eq!(back.time(), release.time());
        let (ours, theirs) = (back.counts(), release.counts());
        assert_eq!(ours.is_some(), counts);
        for (ours, theirs) in ours.into_iter().zip(theirs) {
            assert_eq!(ours.prefixes, theirs.prefixes);
            assert_eq!(ours.noisy, theirs.noisy);
            assert_eq!(ours.estimate, theirs.estimate);
            assert_eq!(ours.standard_error, theirs.standard_error);
        }
        assert_eq!(folder.join(COUNTS).exists(), counts);
        assert_eq!(back.fragments(), counts.then(fragments).as_ref());
        assert_eq!(folder.join(FRAGMENTS).exists(), counts);
        assert_eq!(manifest.files.len(), 3 + 2 * usize::from(counts));
    }
}

#[test]
fn the_same_release_has_the_same_tables() {
    let parent = tempfile::tempdir().unwrap();
    let (one, other) = (parent.path().join("1"), parent.path().join("2"));
    write_release(&one, &release(true, true, secure()), false).unwrap();
    write_release(&other, &release(true, true, secure()), false).unwrap();
    for name in [TRAJECTORIES, LOCATIONS, COUNTS, FRAGMENTS] {
        assert_eq!(
            fs::read(one.join(name)).unwrap(),
            fs::read(other.join(name)).unwrap()
        );
    }
}

#[test]
fn changes_after_publication_are_refused() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("r");
    write_release(&folder, &release(false, true, secure()), false).unwrap();
    for name in [TRAJECTORIES, LOCATIONS, COUNTS, FRAGMENTS, README] {
        let whole = fs::read(folder.join(name)).unwrap();
        let mut bent = whole.clone();
        bent[whole.len() / 2] ^= 1;
        for bytes in [bent, whole[1..].to_vec()] {
            fs::write(folder.join(name), bytes).unwrap();
            let error = read_release(&folder).unwrap_err();
            assert_eq!(error.message(), "this file was changed after publication");
            assert_eq!(error.exit_code(), 1);
            assert!(error.place().unwrap().file.ends_with(name));
        }
        fs::remove_file(folder.join(name)).unwrap();
        assert_eq!(read_release(&folder).unwrap_err().exit_code(), 1);
        fs::write(folder.join(name), whole).unwrap();
    }
    assert!(read_release(&folder).is_ok());
}

#[test]
fn bad_manifests_are_named() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("r");
    write_release(&folder, &release(false, false, secure()), false).unwrap();
    let manifest = folder.join(MANIFEST);
    let good = fs::read_to_string(&manifest).unwrap();
    for (from, to) in [
        ("{", "["),
        ("wayveil-release", "other-release"),
        ("\"format_version\": 1", "\"format_version\": 2"),
        ("\"limits\"", "\"limit\""),
        ("\"trajectories.parquet\"", "\"../trajectories.parquet\""),
        ("\"trajectories.parquet\"", "\"README.md\""),
    ] {
        fs::write(&manifest, good.replacen(from, to, 1)).unwrap();
        assert!(read_release(&folder).is_err(), "{to} was accepted");
    }
    fs::remove_file(&manifest).unwrap();
    assert!(
        read_release(&folder)
            .unwrap_err()
            .message()
            .contains("not a release")
    );
    assert!(
        load(&folder)
            .err()
            .unwrap()
            .message()
            .contains("no manifest.json")
    );
    assert!(load(Path::new("/no/such")).is_err());
}

#[test]
fn bins_beyond_the_axis_are_refused() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("r");
    write_release(&folder, &release(true, true, secure()), false).unwrap();
    let manifest = folder.join(MANIFEST);
    let good = fs::read_to_string(&manifest).unwrap();
    assert!(good.contains("\"bins\": 3"));
    // Bin 2 occurs in the trajectories.
    fs::write(&manifest, good.replace("\"bins\": 3", "\"bins\": 2")).unwrap();
    let error = read_release(&folder).unwrap_err();
    assert!(
        error.place().unwrap().file.ends_with(TRAJECTORIES),
        "{error}"
    );
}

#[test]
fn an_old_release_is_replaced_only_on_request() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("r");
    let first = write_release(&folder, &release(false, true, secure()), false).unwrap();
    let error = write_release(&folder, &release(false, false, secure()), false).unwrap_err();
    assert!(error.advice().unwrap().contains("--force"));
    assert_eq!(read_release(&folder).unwrap().manifest(), &first);
    write_release(&folder, &release(false, false, secure()), true).unwrap();
    assert!(!folder.join(COUNTS).exists());
    let documents = parent.path().join("documents");
    fs::create_dir(&documents).unwrap();
    fs::write(documents.join("thesis"), "years of work").unwrap();
    assert!(write_release(&documents, &release(false, false, secure()), true).is_err());
    assert!(documents.join("thesis").exists());
    assert_eq!(
        fs::read_dir(parent.path()).unwrap().count(),
        2,
        "no temporaries are left"
    );
}

#[test]
fn what_lies_in_a_release_is_known_before_it_is_written() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().canonicalize().unwrap().join("r");
    write_release(&folder, &release(false, true, secure()), false).unwrap();
    fs::create_dir(folder.join(".hidden")).unwrap();
    for inside in ["new.html", "README.md", ".hidden/new.html"] {
        assert_eq!(release_around(&folder.join(inside)), Some(folder.clone()));
    }
    let beside = parent.path().join("other");
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join(MANIFEST), "{}").unwrap();
    assert_eq!(release_around(&beside.join("new.html")), None);
    assert_eq!(release_around(&parent.path().join("new.html")), None);
    #[cfg(unix)]
    {
        let link = parent.path().join("link");
        std::os::unix::fs::symlink(folder.join(README), &link).unwrap();
        assert_eq!(release_around(&link), Some(folder));
    }
}

#[test]
fn a_page_is_one_of_the_files() {
    fn page(release: &dyn Released) -> Result<String> {
        Ok(format!("{} rows", release.trajectories().len()))
    }
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("r");
    let write = |page: Option<Page>, overwrite| {
        let booked = release(false, true, secure());
        write_booked_release(&folder, &booked, page, &mut Witness::default(), overwrite)
    };
    let manifest = write(Some(page), false).unwrap();
    assert!(manifest.files.iter().any(|file| file.name == REPORT));
    let rows = read_release(&folder).unwrap().trajectories().len();
    let html = folder.join(REPORT);
    assert_eq!(fs::read_to_string(&html).unwrap(), format!("{rows} rows"));
    let readme = fs::read_to_string(folder.join(README)).unwrap();
    assert!(readme.contains("`report.html`"), "{readme}");

    fs::write(&html, "raw data").unwrap();
    let error = read_release(&folder).unwrap_err();
    assert!(error.to_string().contains("changed"), "{error}");

    write(None, true).unwrap();
    assert!(!html.exists() && read_release(&folder).is_ok());
    let readme = fs::read_to_string(folder.join(README)).unwrap();
    assert!(!readme.contains("report.html"), "{readme}");

    let refused = write(Some(|_| Err(Error::refused("no page"))), true);
    assert_eq!(refused.unwrap_err().message(), "no page");
    assert!(read_release(&folder).is_ok(), "the old release is kept");
    assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
}

#[test]
fn the_page_tells_the_recipient() {
    let parent = tempfile::tempdir().unwrap();
    let (open, seeded) = (parent.path().join("open"), parent.path().join("seeded"));
    write_release(&open, &release(true, true, secure()), false).unwrap();
    let page = fs::read_to_string(open.join(README)).unwrap();
    assert!(page.starts_with("# Movement data"));
    for part in [
        "Are these real people?",
        "cover 95 % for counts of first locations",
        "within a factor of e^1",
        "nothing at all",
        "It says nothing.",
        "pandas",
        "polars",
        "DuckDB",
        "arrow::read_parquet",
        "What not to do",
        "counts.parquet",
        "prefix_bins",
        "| `fragments.csv` | `fragment`",
        "pandas.read_csv(\"fragments.csv\"",
        "the raw data and the true error were not looked at",
        "| `flow-error.trips` | 0.13 | 0.10 | 0.30 |",
    ] {
        assert!(page.contains(part), "{part} is missing");
    }
    write_release(
        &seeded,
        &release(false, false, RandomSource::insecure_seed(1)),
        false,
    )
    .unwrap();
    assert!(
        fs::read_to_string(seeded.join(README))
            .unwrap()
            .starts_with("> **Not to be published:**")
    );
    let plain = fs::read_to_string(seeded.join(README)).unwrap();
    assert!(!plain.contains("fragment"), "there are none");
    assert!(!plain.contains("How wrong"), "nothing is estimated");
}

#[test]
fn a_release_converts_to_text() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("r");
    write_release(&folder, &release(true, false, secure()), false).unwrap();
    let back = read_release(&folder).unwrap();
    let (seq, csv) = (parent.path().join("r.seq"), parent.path().join("r.csv"));
    write_published_seq(&seq, &back, false).unwrap();
    assert_eq!(
        fs::read_to_string(&seq).unwrap(),
        "A@0 B%20b@1\n\nB%20b@2\n"
    );
    export_published_csv(&csv, &back, false).unwrap();
    assert_eq!(
        fs::read_to_string(&csv).unwrap(),
        "trajectory,position,location,bin\n1,1,A,0\n1,2,B b,1\n2,0,,\n3,1,B b,2\n"
    );
}

#[test]
fn fragments_that_do_not_fit_are_named_with_their_line() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("r");
    let mut manifest = write_release(&folder, &release(false, true, secure()), false).unwrap();
    let path = folder.join(FRAGMENTS);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().nth(3), Some("B%20b A,3,2,1e-9,3,3"));
    // With the hash of what was changed: a publisher who writes such a table by other means.
    for (from, to, line) in [("B%20b A,3", "B b A,3", 4), ("A,7,", "A,70,", 3)] {
        fs::write(&path, text.replace(from, to)).unwrap();
        let (sha256, bytes) = write::digest(&path).unwrap();
        let listed = manifest.files.iter_mut().find(|it| it.name == FRAGMENTS);
        let listed = listed.unwrap();
        (listed.sha256, listed.bytes) = (sha256, bytes);
        let document = serde_json::to_string(&manifest).unwrap();
        fs::write(folder.join(MANIFEST), document).unwrap();
        let error = read_release(&folder).unwrap_err();
        let place = error.place().unwrap();
        assert!(place.file.ends_with(FRAGMENTS), "{error}");
        assert_eq!(place.line, Some(line), "{error}");
    }
}

#[test]
fn bins_lie_on_the_axis_of_the_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    let timed = release(true, false, RandomSource::os().unwrap());
    write_release(&path, &timed, false).unwrap();
    let bins = timed
        .release()
        .manifest()
        .public_inputs
        .time
        .as_ref()
        .unwrap()
        .bins;
    let manifest = fs::read_to_string(path.join(MANIFEST)).unwrap();
    let with = |other: u32| {
        let mut value: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(value["public_inputs"]["time"]["bins"], bins);
        value["public_inputs"]["time"]["bins"] = other.into();
        fs::write(path.join(MANIFEST), value.to_string()).unwrap();
        read_release(&path)
    };
    assert!(with(bins).is_ok());
    // Bins 0, 1 and 2 are released.
    assert!(with(3).is_ok());
    for other in [0, 1, 2, u32::MAX] {
        let error = with(other).unwrap_err();
        assert!(error.message().contains("damaged"), "{other}: {error}");
    }
}
