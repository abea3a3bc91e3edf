//! A campaign on disk: its file, places, certificate, and where it listens.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use wayveil_admission::IssuerKey;
use wayveil_client::https::Https;
use wayveil_collector::campaign_file::CampaignFile;
use wayveil_core::RandomSource;

use super::process::Process;

/// Places of the campaign.
pub(super) const PLACES: usize = 30;

pub(super) struct Scene {
    folder: TempDir,
    program: PathBuf,
    port: u16,
    store: String,
    certificate: String,
}

/// What differs between campaigns.
pub(super) struct Asked {
    pub(super) clients: u64,
    pub(super) k: u64,
    pub(super) length: u32,
    pub(super) epsilon: u32,
    /// The lines of `[rounds]`.
    pub(super) rounds: String,
    /// The lines of `[admission]`.
    pub(super) admission: String,
}

/// People with codes.
pub(super) struct Enrolled {
    pub(super) codes: Vec<String>,
    /// The address of who gave them out.
    pub(super) issuer: Option<String>,
    /// The lines of `[admission]` for a campaign that these people may answer.
    pub(super) admission: String,
}

impl Scene {
    /// An empty folder for a store: `sqlite`, or a connection string.
    pub(super) fn new(program: &Path, store: &str) -> Result<Self, String> {
        let folder =
            tempfile::tempdir().map_err(|cause| format!("no temporary folder: {cause}"))?;
        let names = vec!["127.0.0.1".to_owned(), "localhost".to_owned()];
        let made = rcgen::generate_simple_self_signed(names).map_err(|it| it.to_string())?;
        let scene = Self {
            folder,
            program: program.to_owned(),
            port: free_port()?,
            store: match store {
                "sqlite" => "sqlite:campaign.db".to_owned(),
                other => other.to_owned(),
            },
            certificate: made.cert.pem(),
        };
        let places: Vec<String> = (0..PLACES).map(place).collect();
        scene.write("places.txt", &(places.join("\n") + "\n"))?;
        scene.write("cert.pem", &scene.certificate)?;
        scene.write("key.pem", &made.signing_key.serialize_pem())?;
        Ok(scene)
    }

    /// Writes the campaign file and reads it as the service does.
    pub(super) fn campaign(&self, asked: &Asked) -> Result<CampaignFile, String> {
        let Asked {
            clients,
            k,
            length,
            epsilon,
            rounds,
            admission,
        } = asked;
        let (port, store) = (self.port, &self.store);
        self.write(
            "campaign.toml",
            &format!(
                "name = \"Load\"\nuniverse = \"places.txt\"\n\
                 [asked]\nclients = {clients}\nk = {k}\nlength = {length}\nepsilon = \"{epsilon}\"\n\
                 [rounds]\n{rounds}\n[admission]\n{admission}\n\
                 [service]\nlisten = \"127.0.0.1:{port}\"\ncertificate = \"cert.pem\"\nkey = \"key.pem\"\n\
                 store = \"{store}\"\nrequests_per_second = 1000000\nrequests_at_once = 1000000\n"
            ),
        )?;
        CampaignFile::read(&self.path("campaign.toml")).map_err(|error| error.to_string())
    }

    /// Starts the service, and does not wait for it.
    pub(super) fn serve(&self) -> Result<Process, String> {
        let (campaign, release) = (self.text("campaign.toml"), self.text("release"));
        let ledger = self.text("ledger.sqlite");
        let words = [
            "federate", "serve", &campaign, "-o", &release, "--ledger", &ledger,
        ];
        self.start(&words)
    }

    /// Makes a key, and a code for each of so many people: what an issuer begins with.
    pub(super) fn enrol(&self, people: u64) -> Result<Enrolled, String> {
        let failed = |error: wayveil_core::Error| error.to_string();
        let mut random = RandomSource::os().map_err(|cause| cause.to_string())?;
        let key = IssuerKey::generate(2048, &mut random.stream()).map_err(failed)?;
        self.write("issuer.secret.pem", &key.to_pem().map_err(failed)?)?;
        self.write("issuer.pem", &key.public().to_pem().map_err(failed)?)?;
        let port = free_port()?;
        self.write(
            "issuer.toml",
            &format!(
                "[[campaign]]\nname = \"Load\"\nkeys = [\"issuer.secret.pem\"]\n\
                 [service]\nlisten = \"127.0.0.1:{port}\"\ncertificate = \"cert.pem\"\nkey = \"key.pem\"\n\
                 store = \"sqlite:issuer.db\"\nrequests_per_second = 1000000\nrequests_at_once = 1000000\n"
            ),
        )?;
        let (file, codes) = (self.text("issuer.toml"), self.text("codes.txt"));
        let people = people.to_string();
        self.start(&[
            "federate", "enrol", &file, "--people", &people, "-o", &codes,
        ])?
        .finish()?;
        let codes = std::fs::read_to_string(self.path("codes.txt"));
        let codes = codes.map_err(|cause| format!("no codes: {cause}"))?;
        let issuer = format!("https://127.0.0.1:{port}");
        Ok(Enrolled {
            codes: codes.lines().map(str::to_owned).collect(),
            admission: format!("kind = \"tokens\"\nissuer = \"{issuer}\"\nkeys = [\"issuer.pem\"]"),
            issuer: Some(issuer),
        })
    }

    /// Starts the issuer, and does not wait for it.
    pub(super) fn issue(&self) -> Result<Process, String> {
        self.start(&["federate", "issue", &self.text("issuer.toml")])
    }

    /// Starts the program with other words.
    pub(super) fn start(&self, words: &[&str]) -> Result<Process, String> {
        Process::start(&self.program, words, &self.path("log"))
    }

    /// The address of the service.
    pub(super) fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// A transport that trusts the service.
    pub(super) fn https(&self) -> Result<Https, String> {
        Https::with_roots(self.certificate.as_bytes()).map_err(|error| error.to_string())
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), String> {
        std::fs::write(self.path(name), text).map_err(|cause| format!("cannot write: {cause}"))
    }

    /// The last lines of what the service said.
    pub(super) fn said(&self) -> String {
        let log = std::fs::read_to_string(self.path("log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().rev().take(5).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }
}

/// The name of a place.
pub(super) fn place(code: usize) -> String {
    format!("place {code:02}")
}

/// A port that was free a moment ago.
pub(super) fn free_port() -> Result<u16, String> {
    let bound = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
    Ok(bound.map_err(|cause| format!("no port: {cause}"))?.port())
}
