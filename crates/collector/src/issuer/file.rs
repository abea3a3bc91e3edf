//! The issuer's file: which campaigns it issues tokens for, with which keys, and where it runs.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;
use wayveil_core::{Error, Result};

use crate::campaign_file::{Named, ServiceSettings, Source, WrittenService};

/// An issuer's file that was checked.
#[derive(Clone, Debug)]
pub struct IssuerFile {
    /// The campaigns that tokens are issued for.
    pub campaigns: Vec<IssuedCampaign>,
    /// Where and how the service runs.
    pub service: ServiceSettings,
}

/// A campaign as its issuer knows it: a name, and keys that belong to no other campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedCampaign {
    /// Its name. A person gets one token for each name.
    pub name: String,
    /// Its keys, the newest first.
    pub keys: Vec<KeyFile>,
}

/// A secret key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFile {
    /// Its file, PEM.
    pub file: PathBuf,
    /// Whether it signs nothing new.
    pub retired: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    campaign: Vec<WrittenCampaign>,
    service: WrittenService,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCampaign {
    name: Spanned<String>,
    keys: Spanned<Vec<Named<WrittenKey>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenKey {
    file: String,
    #[serde(default)]
    retired: bool,
}

impl From<String> for WrittenKey {
    fn from(file: String) -> Self {
        Self {
            file,
            retired: false,
        }
    }
}

impl IssuerFile {
    /// Reads and checks a file. Paths in it are relative to its folder.
    pub fn read(path: &Path) -> Result<Self> {
        let source = Source::read(path)?;
        let written: Written =
            source.written("the form of an issuer's file stands in docs/collector.md")?;
        let mut campaigns: Vec<IssuedCampaign> = Vec::new();
        for campaign in &written.campaign {
            let name = source.name(&campaign.name)?;
            if campaigns.iter().any(|earlier| earlier.name == name) {
                let error = Error::input(format!("the campaign {name:?} is named twice"))
                    .hint("list all of its keys in one place");
                return Err(source.placed(error, campaign.name.span()));
            }
            let keys = campaign.keys.get_ref();
            if keys.is_empty() {
                let error = Error::input("a campaign needs a key that signs its tokens")
                    .hint("make one with: wayveil federate keygen -o NAME");
                return Err(source.placed(error, campaign.keys.span()));
            }
            let key = |Named(key): &Named<WrittenKey>| KeyFile {
                file: source.folder.join(&key.file),
                retired: key.retired,
            };
            campaigns.push(IssuedCampaign {
                name,
                keys: keys.iter().map(key).collect(),
            });
        }
        if let Some(operator) = &written.service.operator {
            let error = Error::input("an issuer has no operator's page")
                .hint("leave it out; numbers are at /metrics");
            return Err(source.placed(error, operator.span()));
        }
        Ok(Self {
            campaigns,
            service: source.service(&written.service)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"[[campaign]]
name = "Harbour city, spring"
keys = ["issuer-2.secret.pem", { file = "issuer-1.secret.pem", retired = true }]
[service]
listen = "0.0.0.0:8444"
certificate = "cert.pem"
key = "key.pem"
store = "sqlite:issuer.db"
"#;

    fn read(text: &str) -> Result<IssuerFile> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("issuer.toml");
        std::fs::write(&path, text).unwrap();
        IssuerFile::read(&path)
    }

    #[test]
    fn keys_are_named_plainly_or_with_more() {
        let file = read(GOOD).unwrap();
        let keys = &file.campaigns[0].keys;
        assert!(keys[0].file.is_absolute() && keys[0].file.ends_with("issuer-2.secret.pem"));
        assert_eq!(
            keys.iter().map(|key| key.retired).collect::<Vec<_>>(),
            [false, true]
        );
    }

    #[test]
    fn errors_name_line_and_column() {
        let keys =
            "keys = [\"issuer-2.secret.pem\", { file = \"issuer-1.secret.pem\", retired = true }]";
        for (from, to, line, column, says) in [
            ("retired = true", "retried = true", 3, 0, "retried"),
            ("retired = true", "retired = 1", 3, 0, "invalid type"),
            (
                "name = \"Harbour city, spring\"",
                "name = \" \"",
                2,
                8,
                "200 printable",
            ),
            (keys, "keys = []", 3, 8, "needs a key"),
            (keys, "keys = [7]", 3, 0, "the name of a file"),
            (keys, "", 1, 0, "keys"),
            ("0.0.0.0:8444", "here", 5, 10, "address"),
            ("sqlite:", "mysql:", 8, 9, "store"),
            (
                "[service]",
                "[service]\noperator = \"127.0.0.1:9\"",
                5,
                12,
                "no operator's page",
            ),
            ("[service]", "people = 3\n[service]", 4, 1, "people"),
            (
                "[service]",
                "[[campaign]]\nname = \"Harbour city, spring\"\nkeys = [\"x\"]\n[service]",
                5,
                8,
                "named twice",
            ),
        ] {
            assert!(GOOD.contains(from), "{from}");
            let error = read(&GOOD.replace(from, to)).unwrap_err();
            let shown = error.to_string();
            assert!(shown.contains(says), "{to}: {shown}");
            let place = match column {
                0 => format!("issuer.toml:{line}, "),
                column => format!("issuer.toml:{line}, column {column}"),
            };
            assert!(shown.contains(&place), "{to}: {shown}");
            assert!(error.advice().is_some(), "{to}: {shown}");
        }
    }
}
