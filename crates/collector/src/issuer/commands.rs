//! What the program's commands call: an issuer from start to stop, codes for people, and a key.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use wayveil_admission::{Code, IssuerKey, KeyId};
use wayveil_core::{Error, RandomSource, Result};

use super::Issuer;
use super::draft::{Draft, check_is_free};
use super::file::IssuerFile;
use super::store::IssuerStore;
use crate::program::{Stop, log_as_lines_of_json, runtime};

/// The most people that are enrolled at once.
pub const MOST_PEOPLE: u32 = 10_000_000;

/// Issues tokens as a file says, until it is stopped. `ready` hears where it listens.
pub fn issue(file: &Path, stop: &Stop, ready: impl FnOnce(SocketAddr)) -> Result<()> {
    let file = IssuerFile::read(file)?;
    log_as_lines_of_json();
    runtime()?.block_on(async {
        let issuer = Issuer::open(file).await?;
        ready(issuer.address()?);
        issuer.run(stop.wait()).await
    })
}

/// Draws a code for each of so many people, makes it known to the issuer's store, which may be in use,
/// and writes all of them to a new file. Returns how many codes the issuer knows now.
///
/// Codes are in the file before the store knows them, and the file has its name after: a code that
/// can be handed out is good, whatever goes wrong in between.
pub fn enrol(file: &Path, people: u32, output: &Path) -> Result<u64> {
    let file = IssuerFile::read(file)?;
    if !(1..=MOST_PEOPLE).contains(&people) {
        return Err(
            Error::input(format!("invalid number of people (got {people})"))
                .hint(format!("enrol between 1 and {MOST_PEOPLE} at once")),
        );
    }
    let mut rng = random()?.stream();
    let codes: Vec<Code> = (0..people).map(|_| Code::draw(&mut rng)).collect();
    let lines: String = codes.iter().map(|code| code.text() + "\n").collect();
    let draft = Draft::write(output, &lines)?;
    let known = runtime()?.block_on(async {
        let mut store = IssuerStore::open(file.service.store).await?;
        let known = store.enrol(&codes).await;
        store.close().await;
        known
    })?;
    draft.keep()?;
    Ok(known)
}

/// A key that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeKey {
    /// Its name.
    pub id: KeyId,
    /// The file for the issuer, which nobody else may read.
    pub secret: PathBuf,
    /// The file for the collector.
    pub public: PathBuf,
}

/// Makes a key of so many bits: `NAME.secret.pem` for the issuer and `NAME.pem` for the collector.
pub fn keygen(name: &Path, bits: usize) -> Result<MadeKey> {
    let ending = |ending: &str| {
        let mut name = name.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let (secret, public) = (ending(".secret.pem"), ending(".pem"));
    check_is_free(&secret)?;
    check_is_free(&public)?;
    let key = IssuerKey::generate(bits, &mut random()?.stream())?;
    let drafts = [
        Draft::write(&secret, &key.to_pem()?)?,
        Draft::write(&public, &key.public().to_pem()?)?,
    ];
    for draft in drafts {
        draft.keep()?;
    }
    Ok(MadeKey {
        id: key.public().id(),
        secret,
        public,
    })
}

fn random() -> Result<RandomSource> {
    RandomSource::os()
        .map_err(|cause| Error::system("cannot read the system's random generator", cause))
}
