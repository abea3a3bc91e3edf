//! People: some type commands, most have phones.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use wayveil_client::https::Https;
use wayveil_client::transport::ThreadSleeper;
use wayveil_client::{Folder, Outcome, Settings, Tools, take_part};
use wayveil_core::RandomSource;

use super::EPSILON;
use super::town::Town;

/// Somebody who types `wayveil federate join`.
pub(super) struct OnACommandLine {
    number: usize,
    code: String,
    /// The issuer that this person was told of; the town's if none.
    pub(super) issuer: Option<String>,
    pub(super) is_counted: bool,
}

impl OnACommandLine {
    pub(super) fn new(number: usize, code: &str) -> Self {
        Self {
            number,
            code: code.to_owned(),
            issuer: None,
            is_counted: false,
        }
    }

    fn line(&self, town: &Town) -> String {
        format!(
            "federate join {} --trajectory visits.txt --issuer {} --issuer-code {} \
             --accept-epsilon {EPSILON} --accept-total {EPSILON} --root-certificate cert.pem \
             --state typed-{} --wait 0s --spread 0s",
            town.collector(),
            self.issuer.as_ref().unwrap_or(&town.issuer()),
            self.code,
            self.number
        )
    }

    /// Exit code and standard output.
    pub(super) fn join(&self, town: &Town) -> (i32, String) {
        let (code, out, err) = town.place.run(&self.line(town));
        (code, out + &err)
    }

    /// Exit code and standard error of what is refused without an outcome.
    pub(super) fn fails(&self, town: &Town) -> (i32, String) {
        let (code, out, err) = town.place.run(&self.line(town));
        assert_eq!(out, "");
        (code, err)
    }

    /// One more call; 1 if that was counted.
    pub(super) fn call(&mut self, town: &Town) -> Option<u64> {
        if self.is_counted {
            return None;
        }
        for _ in 0..100 {
            let (code, out, err) = town.place.run(&(self.line(town) + " --json"));
            let said: Value =
                serde_json::from_str(&out).unwrap_or_else(|_| panic!("{code}: {err}"));
            match said["outcome"].as_str() {
                Some("counted") => {
                    assert_eq!(code, 0);
                    self.is_counted = true;
                    return Some(1);
                }
                Some("later") => assert_eq!(code, 1),
                _ => panic!("{said}"),
            }
            // Its round is not open; anything else passes.
            if said["why"]
                .as_str()
                .is_some_and(|why| why.contains("not open yet"))
            {
                return None;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("it never ends");
    }
}

/// Somebody whose app does the same.
pub(super) struct OnAPhone {
    pub(super) number: usize,
    settings: Settings,
    folder: PathBuf,
    root: Vec<u8>,
    ended: Option<Outcome>,
}

impl OnAPhone {
    pub(super) fn new(town: &Town, number: usize, code: &str) -> Self {
        let mut settings = Settings::new(town.collector());
        settings.limits.epsilon = EPSILON.parse().unwrap();
        settings.total = EPSILON.parse().unwrap();
        settings.issuer = Some(town.issuer());
        settings.code = Some(code.to_owned());
        settings.spread = Duration::ZERO;
        Self {
            number,
            settings,
            folder: town.place.path(&format!("phone-{number}")),
            root: std::fs::read(town.place.path("cert.pem")).unwrap(),
            ended: None,
        }
    }

    /// One more call; whether that was counted just now. Rounds and places are drawn from a seed.
    pub(super) fn call(&mut self) -> bool {
        if self.ended.is_some() {
            return false;
        }
        let outcome = take_part(
            &self.settings,
            &["quay", "mill"],
            Tools {
                disk: &mut Folder::open(&self.folder).unwrap(),
                transport: &mut Https::with_roots(&self.root).unwrap(),
                sleeper: &mut ThreadSleeper,
                random: &mut RandomSource::insecure_seed_for("phone", self.number as u64),
            },
        );
        let outcome = outcome.unwrap();
        if outcome.is_final() {
            self.ended = Some(outcome);
        }
        self.ended == Some(Outcome::Counted)
    }

    pub(super) fn stopped_as(&self, code: &str) -> bool {
        matches!(&self.ended, Some(Outcome::Stopped { code: found, .. }) if found == code)
    }
}
