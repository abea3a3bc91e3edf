//! A small campaign that is served over TLS at this machine's own address.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::super::cargo::expect;
use super::super::{Stop, packages};
use crate::command::succeeds;
use crate::scratch::Scratch;

const LIMIT: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(50);
const STOPS: &str = "quay\nmill\nhill\ngate\ndock\npark\n";
const LISTENING: &str = "listening at ";

/// No authority: a server's own certificate, which clients trust by itself.
const CERTIFICATE: &str = "[req]
distinguished_name = name
x509_extensions = extensions
prompt = no
[name]
CN = localhost
[extensions]
basicConstraints = critical, CA:FALSE
subjectAltName = DNS:localhost, IP:127.0.0.1
";

pub(super) fn require() -> Result<(), Stop> {
    let there = || succeeds("openssl", &["version"]);
    if !there() {
        packages::install(&["openssl"]);
    }
    match there() {
        true => Ok(()),
        false => Err(Stop::skipped("openssl is missing")),
    }
}

/// The service as a process, which ends with this.
pub(super) struct Campaign {
    service: Child,
    folder: PathBuf,
    url: String,
}

impl Campaign {
    /// Starts the service of a campaign of this name.
    pub(super) fn start(program: &Path, scratch: &Scratch, name: &str) -> Result<Self, Stop> {
        let folder = scratch.folder(&format!("{name}-service"))?;
        fs::write(folder.join("stops.txt"), STOPS)?;
        fs::write(folder.join("campaign.toml"), text(name))?;
        certificate(&folder)?;
        let log = fs::File::create(folder.join("log"))?;
        let mut service = Command::new(program);
        service.args(["federate", "serve", "campaign.toml", "-o", "found"]);
        service.current_dir(&folder);
        service.env("WAYVEIL_LEDGER", folder.join("ledger.sqlite"));
        service.stdin(Stdio::null()).stdout(log.try_clone()?);
        let mut campaign = Self {
            service: service.stderr(log).spawn()?,
            folder,
            url: String::new(),
        };
        campaign.url = campaign.until("the service listens", |folder| {
            let said = fs::read_to_string(folder.join("log")).ok()?;
            let (_, after) = said.split_once(LISTENING)?;
            let (url, _) = after.split_once('\n')?;
            Some(url.to_owned())
        })?;
        Ok(campaign)
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn certificate(&self) -> PathBuf {
        self.folder.join("cert.pem")
    }

    /// What phones have answered is published.
    pub(super) fn expect_release(mut self) -> Result<(), Stop> {
        self.until("the release is written", |folder| {
            folder.join("found/manifest.json").exists().then_some(())
        })
    }

    fn until<T>(&mut self, what: &str, look: impl Fn(&Path) -> Option<T>) -> Result<T, Stop> {
        let start = Instant::now();
        loop {
            if let Some(found) = look(&self.folder) {
                return Ok(found);
            }
            if start.elapsed() > LIMIT || self.service.try_wait()?.is_some() {
                let said = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                eprint!("{said}");
                return Err(Stop::failed(format!("waited in vain until {what}")));
            }
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for Campaign {
    fn drop(&mut self) {
        // Both fail only when it has ended already.
        let _ = self.service.kill();
        let _ = self.service.wait();
    }
}

/// As many people as the sessions have phones; every round closes with two answers.
fn text(name: &str) -> String {
    format!(
        r#"name = "{name}"
universe = "stops.txt"
[asked]
clients = 120
k = 20
length = 1
epsilon = "2"
[rounds]
open_for = "1h"
quorum = 2
enough = 2
[admission]
kind = "open"
[service]
listen = "127.0.0.1:0"
certificate = "cert.pem"
key = "key.pem"
store = "sqlite:campaign.db"
"#
    )
}

fn certificate(folder: &Path) -> Result<(), Stop> {
    fs::write(folder.join("request.cnf"), CERTIFICATE)?;
    let mut openssl = Command::new("openssl");
    openssl.current_dir(folder).stderr(Stdio::null());
    openssl.args([
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
    ]);
    openssl.args([
        "-config",
        "request.cnf",
        "-out",
        "cert.pem",
        "-keyout",
        "key.pem",
    ]);
    expect(openssl, LIMIT.as_secs())
}
