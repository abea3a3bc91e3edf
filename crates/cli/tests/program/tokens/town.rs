//! An issuer and a collector, each a process of the program.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::super::common::Place;
use super::super::logs::append;
use super::super::phone::{EPSILON, OnAPhone};
use super::people::OnACommandLine;

/// The public number of people who were asked.
pub(super) const CLIENTS: u64 = 200;

/// A round closes with so many answers.
pub(super) const ENOUGH: u64 = 8;

/// What the issuer and the collector write to standard error.
const LOGS: [&str; 2] = ["issuer.log", "collector.log"];

/// A folder with all files, and the processes that run in it.
pub(super) struct Town {
    pub(super) place: Place,
    ports: [u16; 2],
    issuer: Option<Child>,
    collector: Option<Child>,
    counted: u64,
}

impl Drop for Town {
    fn drop(&mut self) {
        for child in [self.issuer.take(), self.collector.take()]
            .into_iter()
            .flatten()
        {
            kill(child);
        }
    }
}

fn kill(mut child: Child) {
    child.kill().expect("it runs");
    child.wait().expect("it has ended");
}

impl Town {
    /// Files of an issuer with these keys, and of a campaign that takes their tokens.
    pub(super) fn new(keys: &[&str]) -> Self {
        let place = Place::new();
        let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
        place.write("cert.pem", made.cert.pem());
        place.write("key.pem", made.signing_key.serialize_pem());
        place.write("stops.txt", "quay\nmill\nhill\n");
        place.write("visits.txt", "quay\nmill\n");
        for key in keys {
            place.ok(&format!("federate keygen -o {key} --bits 2048"));
        }
        // Both are held until both are known.
        let ports = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
        let ports = ports.map(|port| port.local_addr().unwrap().port());
        let town = Self {
            place,
            ports,
            issuer: None,
            collector: None,
            counted: 0,
        };
        let listed = |end: &str| {
            keys.iter()
                .map(|key| format!("\"{key}{end}\""))
                .collect::<Vec<_>>()
        };
        town.write(
            &listed(".secret.pem").join(", "),
            &listed(".pem").join(", "),
        );
        town
    }

    /// Writes both files with these keys.
    fn write(&self, secret: &str, public: &str) {
        let [issuer, collector] = self.ports;
        let service = |port: u16, store: &str| {
            format!(
                "[service]\nlisten = \"127.0.0.1:{port}\"\ncertificate = \"cert.pem\"\n\
                 key = \"key.pem\"\nstore = \"sqlite:{store}.db\"\n"
            )
        };
        let campaign = format!(
            "[[campaign]]\nname = \"Harbour city\"\nkeys = [{secret}]\n{}",
            service(issuer, "issuer")
        );
        self.place.write("issuer.toml", campaign);
        let asked = format!(
            "name = \"Harbour city\"\nuniverse = \"stops.txt\"\n\
             [asked]\nclients = {CLIENTS}\nk = 2\nlength = 1\nepsilon = \"{EPSILON}\"\n\
             [rounds]\nopen_for = \"1h\"\nquorum = 2\nenough = {ENOUGH}\n\
             [admission]\nkind = \"tokens\"\nissuer = \"https://127.0.0.1:{issuer}\"\n\
             keys = [{public}]\n{}\
             requests_per_second = 10000\nrequests_at_once = 10000\n",
            service(collector, "campaign")
        );
        self.place.write("campaign.toml", asked);
    }

    pub(super) fn phone(&self, number: usize, code: &str) -> OnAPhone {
        let enrolled = (self.issuer(), code.to_owned());
        OnAPhone::new(&self.place, &self.collector(), number, Some(enrolled))
    }

    /// What issuer and collector have written to standard error, in this order.
    pub(super) fn logs(&self) -> [(&'static str, String); 2] {
        LOGS.map(|name| {
            let log = std::fs::read_to_string(self.place.path(name)).unwrap();
            (name, log)
        })
    }

    /// Where both listen.
    pub(super) fn addresses(&self) -> [String; 2] {
        self.ports.map(|port| format!("127.0.0.1:{port}"))
    }

    pub(super) fn collector(&self) -> String {
        format!("https://127.0.0.1:{}", self.ports[1])
    }

    pub(super) fn issuer(&self) -> String {
        format!("https://127.0.0.1:{}", self.ports[0])
    }

    /// Enrols people and reads their codes.
    pub(super) fn enrol(&self, people: usize, list: &str) -> Vec<String> {
        self.place.ok(&format!(
            "federate enrol issuer.toml --people {people} -o {list}"
        ));
        let text = std::fs::read_to_string(self.place.path(list)).unwrap();
        let codes: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(codes.len(), people);
        codes
    }

    /// Starts what does not run.
    pub(super) fn start(&mut self) {
        let run = |line: &str, port: u16, log: &str| {
            let mut command = self.place.command(line);
            let child = command
                .stdout(Stdio::null())
                .stderr(append(&self.place, log))
                .spawn()
                .unwrap();
            for _ in 0..600 {
                if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                    return child;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            kill(child);
            panic!("{line} does not begin");
        };
        if self.issuer.is_none() {
            self.issuer = Some(run("federate issue issuer.toml", self.ports[0], LOGS[0]));
        }
        if self.collector.is_none() {
            self.collector = Some(run(
                "federate serve campaign.toml -o found",
                self.ports[1],
                LOGS[1],
            ));
        }
    }

    /// Kills the issuer: it gets no chance to end well.
    pub(super) fn kill_issuer(&mut self) {
        kill(self.issuer.take().expect("it runs"));
    }

    /// From now on a new key signs; the old one's tokens are good up to a round. Both services are
    /// started again.
    pub(super) fn rotate(&mut self, new: &str, old: &str, last: u32) {
        self.place
            .ok(&format!("federate keygen -o {new} --bits 2048"));
        self.write(
            &format!("\"{new}.secret.pem\", {{ file = \"{old}.secret.pem\", retired = true }}"),
            &format!("\"{new}.pem\", {{ file = \"{old}.pem\", not_after_round = {last} }}"),
        );
        kill(self.collector.take().expect("it runs"));
        self.start();
    }

    pub(super) fn status(&self) -> Value {
        let url = self.collector();
        self.place.json(&format!(
            "federate status {url} --root-certificate cert.pem"
        ))
    }

    /// Lets everybody take part until so many answers were counted. Whoever types commands comes
    /// first in every round.
    pub(super) fn take_part(
        &mut self,
        typed: &mut [OnACommandLine],
        phones: &mut [OnAPhone],
        until: u64,
    ) {
        let mut called_at = None;
        for pass in 0..600 {
            for phone in phones.iter_mut() {
                let round = self.counted / ENOUGH;
                if called_at != Some(round) {
                    called_at = Some(round);
                    self.counted += (typed.iter_mut())
                        .filter_map(|it| it.call(self))
                        .sum::<u64>();
                }
                if self.counted >= until {
                    return;
                }
                self.counted += u64::from(phone.call());
            }
            if pass == 599 {
                let became: Vec<String> = phones.iter().map(OnAPhone::became).collect();
                panic!(
                    "only {} answers were counted: {became:?}, {}",
                    self.counted,
                    self.status()
                );
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The places of the release with their counts, in order.
    pub(super) fn release(&self) -> Vec<(String, String)> {
        for _ in 0..600 {
            if self.place.path("found/manifest.json").exists() {
                let table =
                    std::fs::read_to_string(self.place.path("found/fragments.csv")).unwrap();
                return read(&table);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("nothing is published: {}", self.status());
    }
}

fn read(table: &str) -> Vec<(String, String)> {
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let column = |name: &str| {
        head.iter()
            .position(|it| *it == name)
            .unwrap_or_else(|| panic!("{table}"))
    };
    let (fragment, count) = (column("fragment"), column("count"));
    let mut rows: Vec<_> = lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            (cells[fragment].to_owned(), cells[count].to_owned())
        })
        .collect();
    rows.sort();
    rows
}
