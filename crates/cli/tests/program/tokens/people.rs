//! People who type commands.

use std::time::Duration;

use serde_json::Value;

use super::super::phone::EPSILON;
use super::town::Town;

/// Somebody who types `wayveil federate join`.
pub(super) struct OnACommandLine {
    number: usize,
    code: String,
    /// The issuer that this person was told of; the town's if none.
    pub(super) issuer: Option<String>,
    /// How it ended, once it has: `counted`, or the code of a refusal.
    pub(super) ended: Option<String>,
}

impl OnACommandLine {
    pub(super) fn new(number: usize, code: &str) -> Self {
        Self {
            number,
            code: code.to_owned(),
            issuer: None,
            ended: None,
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
        if self.ended.is_some() {
            return None;
        }
        for _ in 0..100 {
            let (code, out, err) = town.place.run(&(self.line(town) + " --json"));
            let said: Value =
                serde_json::from_str(&out).unwrap_or_else(|_| panic!("{code}: {err}"));
            match said["outcome"].as_str() {
                Some("counted") => {
                    assert_eq!(code, 0);
                    self.ended = Some("counted".to_owned());
                    return Some(1);
                }
                Some("stopped") => {
                    assert_eq!(code, 1);
                    self.ended = said["code"].as_str().map(str::to_owned);
                    return None;
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
