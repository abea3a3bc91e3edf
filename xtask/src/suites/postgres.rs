//! A PostgreSQL of our own on the loopback, for as long as the tests run.
//!
//! It is Debian's, installed where that is expected, with a cluster, a port and a password made for
//! this run; whatever else the machine's PostgreSQL holds is not touched. A server does not run as
//! root, so root hands it to the user `postgres`.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Stop, packages};
use crate::command::{self, succeeds};

const LIMIT: Duration = Duration::from_secs(120);
/// The database of the one test that restarts the server.
const CAMPAIGN: &str = "campaign";

/// A server that ends with this value.
pub(crate) struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    as_root: bool,
    address: String,
}

impl Postgres {
    /// Makes a cluster and starts it.
    pub(crate) fn start() -> Result<Self, Stop> {
        let programs = match programs() {
            Some(programs) => programs,
            None => {
                packages::install(&["postgresql"]);
                programs().ok_or_else(|| {
                    Stop::skipped("PostgreSQL is missing (apt-get install postgresql)")
                })?
            }
        };
        let as_root = succeeds("sh", &["-c", "test \"$(id -u)\" = 0"]);
        let mut server = Self {
            programs,
            folder: PathBuf::new(),
            as_root,
            address: String::new(),
        };
        server.folder = server.folder()?;
        server.make_cluster()?;
        server.run(
            "pg_ctl",
            &["-w", "-t", "60", "-l", "log", "-D", "data", "start"],
        )?;
        server.run(
            "psql",
            &[
                &server.address,
                "-q",
                "-c",
                &format!("CREATE DATABASE {CAMPAIGN}"),
            ],
        )?;
        server.write_restart()?;
        Ok(server)
    }

    /// Tells a command where the server is.
    pub(super) fn tell(&self, command: &mut Command) {
        command
            .env("WAYVEIL_TEST_POSTGRES", &self.address)
            .env("WAYVEIL_TEST_POSTGRES_CAMPAIGN", self.campaign())
            .env("WAYVEIL_TEST_POSTGRES_RESTART", self.restart());
    }

    /// The address of an empty database for one campaign.
    pub(crate) fn campaign(&self) -> String {
        self.address.replace("/postgres", &format!("/{CAMPAIGN}"))
    }

    /// The program that ends the server as a crash would, and starts it again.
    pub(crate) fn restart(&self) -> PathBuf {
        self.folder.join("restart")
    }

    /// A folder that belongs to whom the server runs as.
    fn folder(&self) -> Result<PathBuf, Stop> {
        let mut make = self.command(Path::new("mktemp"));
        make.current_dir(std::env::temp_dir())
            .args(["-d", "-t", "wayveil-postgres-XXXXXXXX"]);
        let made = make.stderr(Stdio::inherit()).output()?;
        let path = String::from_utf8_lossy(&made.stdout).trim().to_owned();
        match made.status.success() && !path.is_empty() {
            true => Ok(PathBuf::from(path)),
            false => Err(Stop::failed("no folder for PostgreSQL could be made")),
        }
    }

    fn make_cluster(&mut self) -> Result<(), Stop> {
        let password = password()?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        self.address = format!("postgres://wayveil:{password}@127.0.0.1:{port}/postgres");
        let file = self.folder.join("password");
        fs::write(&file, &password)?;
        let made = self.run(
            "initdb",
            &[
                "--no-sync",
                "-U",
                "wayveil",
                "--pwfile=password",
                "-A",
                "scram-sha-256",
                "-D",
                "data",
            ],
        );
        fs::remove_file(&file)?;
        made?;
        let settings = self.folder.join("data/postgresql.conf");
        let mut text = fs::read_to_string(&settings)?;
        text += &format!(
            "\nport = {port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
        );
        Ok(fs::write(&settings, text)?)
    }

    fn write_restart(&self) -> Result<(), Stop> {
        let mut restart = self.command(&self.programs.join("pg_ctl"));
        restart.args([
            "-w",
            "-t",
            "60",
            "-m",
            "immediate",
            "-l",
            "log",
            "-D",
            "data",
            "restart",
        ]);
        let words = std::iter::once(restart.get_program()).chain(restart.get_args());
        let words: Vec<String> = words.map(|word| format!("'{}'", word.display())).collect();
        let script = format!(
            "#!/bin/sh\ncd '{}' && exec {} > /dev/null 2>&1\n",
            self.folder.display(),
            words.join(" ")
        );
        let file = self.restart();
        fs::write(&file, script)?;
        match succeeds("chmod", &["755", &file.to_string_lossy()]) {
            true => Ok(()),
            false => Err(Stop::failed(
                "the restarting script cannot be made a program",
            )),
        }
    }

    fn run(&self, program: &str, words: &[&str]) -> Result<(), Stop> {
        let mut command = self.command(&self.programs.join(program));
        command.args(words).stdout(Stdio::null());
        match command::run(&mut command, LIMIT) {
            end if end.ok() => Ok(()),
            end => Err(Stop::failed(format!("{program} of PostgreSQL: {end}"))),
        }
    }

    /// A command of whom the server runs as, in the server's folder.
    fn command(&self, program: &Path) -> Command {
        let mut command = match self.as_root {
            false => Command::new(program),
            true => {
                let mut command = Command::new("runuser");
                command.args(["-u", "postgres", "--"]).arg(program);
                command
            }
        };
        if self.folder.is_dir() {
            command.current_dir(&self.folder);
        }
        command.env("LC_ALL", "C.UTF-8");
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if self.folder.is_dir() {
            let _ = self.run("pg_ctl", &["-w", "-m", "fast", "-D", "data", "stop"]);
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Where Debian keeps the server's programs, the newest version first; elsewhere the path is searched.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut found: Vec<(u32, PathBuf)> = versions
        .flatten()
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .filter(|(_, bin)| bin.join("initdb").exists() && bin.join("psql").exists())
        .collect();
    found.sort();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut elsewhere = std::env::split_paths(&paths).filter(|bin| bin.join("initdb").exists());
    found.pop().map(|(_, bin)| bin).or_else(|| elsewhere.next())
}

fn password() -> Result<String, Stop> {
    let mut bytes = [0; 16];
    fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where PostgreSQL is installed: it replies, also after the restarting script, and is gone afterwards.
    #[test]
    fn a_server_of_our_own_comes_and_goes() {
        if programs().is_none() {
            return;
        }
        let server = Postgres::start().expect("a server");
        let replies = || server.run("psql", &[&server.address, "-q", "-c", "SELECT 1"]);
        replies().expect("a reply");
        let restart = server.restart();
        assert!(succeeds(&restart.to_string_lossy(), &[]));
        replies().expect("a reply after the restart");
        let folder = server.folder.clone();
        drop(server);
        assert!(!folder.exists());
    }
}
