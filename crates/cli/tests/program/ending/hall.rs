//! A collector of a campaign that anybody may answer, as a process of the program.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use wayveil_ledger::{Event, Ledger};

use super::super::common::Place;
use super::super::logs::append;
use super::super::phone::{EPSILON, OnAPhone};

/// What is served, and where the release goes.
pub(super) const SERVE: &str = "federate serve campaign.toml -o out/found";

const LOG: &str = "collector.log";

/// A folder with a campaign, and the process that serves it.
pub(super) struct Hall {
    pub(super) place: Place,
    pub(super) port: u16,
    pub(super) phones: Vec<OnAPhone>,
    collector: Option<Child>,
}

impl Drop for Hall {
    fn drop(&mut self) {
        if self.collector.is_some() {
            self.kill();
        }
    }
}

impl Hall {
    /// People, and a campaign of this name. There is no folder yet for the release to lie in.
    pub(super) fn new(name: &str) -> Self {
        let place = Place::new();
        let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
        place.write("cert.pem", made.cert.pem());
        place.write("key.pem", made.signing_key.serialize_pem());
        place.write("stops.txt", "quay\nmill\nhill\n");
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = port.local_addr().unwrap().port();
        let url = format!("https://127.0.0.1:{port}");
        let phones = (0..120).map(|number| OnAPhone::new(&place, &url, number, None));
        let hall = Self {
            phones: phones.collect(),
            place,
            port,
            collector: None,
        };
        hall.write(name);
        hall
    }

    /// Writes the campaign file; each name is another campaign, with a store of its own.
    pub(super) fn write(&self, name: &str) {
        let (port, store) = (self.port, name.replace(' ', "-"));
        let campaign = format!(
            "name = \"{name}\"\nuniverse = \"stops.txt\"\n\
             [asked]\nclients = 20000\nk = 2000\nlength = 1\nepsilon = \"{EPSILON}\"\n\
             [rounds]\nopen_for = \"1h\"\nquorum = 2\nenough = 3\n\
             [admission]\nkind = \"open\"\n\
             [service]\nlisten = \"127.0.0.1:{port}\"\ncertificate = \"cert.pem\"\n\
             key = \"key.pem\"\nstore = \"sqlite:{store}.db\"\n\
             requests_per_second = 10000\nrequests_at_once = 10000\n"
        );
        self.place.write("campaign.toml", campaign);
    }

    pub(super) fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// Starts the service.
    pub(super) fn start(&mut self) {
        self.start_with("");
    }

    /// Starts it where no file may grow beyond so many blocks of the shell, as on a disk that is nearly full.
    pub(super) fn start_nearly_full(&mut self, blocks: u32) {
        self.start_with(&format!("ulimit -f {blocks};"));
    }

    fn start_with(&mut self, limit: &str) {
        let program = self.place.command(SERVE);
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("trap '' XFSZ; {limit} exec \"$0\" \"$@\"")])
            .arg(program.get_program())
            .args(program.get_args())
            .env("WAYVEIL_LEDGER", self.place.ledger())
            .current_dir(self.place.path("."))
            .stdout(Stdio::null())
            .stderr(append(&self.place, LOG));
        let mut child = command.spawn().unwrap();
        for _ in 0..1200 {
            let ended = child.try_wait().unwrap();
            assert!(ended.is_none(), "it ended: {ended:?} {}", self.log());
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                self.collector = Some(child);
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        self.collector = Some(child);
        panic!("it does not begin");
    }

    /// Everything that the service has written to standard error.
    pub(super) fn log(&self) -> String {
        std::fs::read_to_string(self.place.path(LOG)).unwrap_or_default()
    }

    /// Gives it no chance to end well.
    pub(super) fn kill(&mut self) {
        let mut child = self.collector.take().expect("it runs");
        child.kill().expect("it runs");
        child.wait().expect("it has ended");
    }

    /// Asks it to end.
    pub(super) fn terminate(&self) {
        let id = self.collector.as_ref().expect("it runs").id();
        let mut kill = Command::new("kill");
        let sent = kill.args(["-TERM", &id.to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until it has ended by itself, and tells its exit code.
    pub(super) fn ended(&mut self) -> i32 {
        let mut child = self.collector.take().expect("it runs");
        for _ in 0..1200 {
            if let Some(status) = child.try_wait().unwrap() {
                return status.code().expect("it ended by itself");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        child.kill().unwrap();
        panic!("it does not end: {}", self.log());
    }

    pub(super) fn status(&self) -> Value {
        let url = self.url();
        self.place.json(&format!(
            "federate status {url} --root-certificate cert.pem"
        ))
    }

    /// Lets everybody take part until the campaign is complete.
    pub(super) fn complete(&mut self) {
        for _ in 0..200 {
            for phone in &mut self.phones {
                phone.call();
            }
            if self.status()["state"] == "complete" {
                return;
            }
        }
        panic!("it never ends: {}", self.status());
    }

    /// Waits until the status says whether it is published, and returns it.
    pub(super) fn until_published_is(&self, state: &str) -> Value {
        for _ in 0..600 {
            let status = self.status();
            if status["published"] == state {
                return status;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{}\n{}", self.status(), self.log());
    }

    /// The entries that were booked, and those of them that are done.
    pub(super) fn entries(&self) -> (Vec<String>, Vec<String>) {
        let chain = Ledger::read(&self.place.ledger()).expect("sound books");
        let named = |kind: fn(&Event) -> bool| {
            let entries = chain.entries().iter().filter(|it| kind(&it.event));
            entries.map(|it| it.id.clone()).collect()
        };
        (
            named(|it| matches!(it, Event::Booked(_))),
            named(|it| matches!(it, Event::Done)),
        )
    }

    /// One entry, done, of the one release that is there; nothing is left beside it.
    pub(super) fn assert_published_once(&self) {
        let id = self.place.read_json("out/found/manifest.json")["id"].clone();
        let id = id.as_str().expect("an id").to_owned();
        assert_eq!(self.entries(), (vec![id.clone()], vec![id]));
        self.place.ok("info out/found");
        self.place.ok("ledger verify");
    }
}
