//! The issuer's secret keys, and which campaign each belongs to.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use wayveil_admission::{IssuerKey, KeyId};
use wayveil_core::{Error, Result};

use super::file::IssuedCampaign;
use crate::service::PROTOCOL;

/// A secret key in use.
pub(super) struct Held {
    pub(super) key: IssuerKey,
    pub(super) campaign: Arc<str>,
    /// Whether it signs anything new.
    pub(super) signs: bool,
}

impl Held {
    pub(super) fn id(&self) -> KeyId {
        self.key.public().id()
    }
}

/// All keys, none of them twice.
pub(super) struct Keyring(Vec<Arc<Held>>);

impl Keyring {
    /// Reads the files of all keys.
    pub(super) fn read(campaigns: &[IssuedCampaign]) -> Result<Self> {
        let mut keyring = Self(Vec::new());
        for campaign in campaigns {
            let name: Arc<str> = campaign.name.as_str().into();
            for listed in &campaign.keys {
                let file = listed.file.display().to_string();
                let pem = std::fs::read_to_string(&listed.file).map_err(|cause| {
                    Error::input(format!("cannot be read: {cause}")).in_file(&file)
                })?;
                let held = Held {
                    key: IssuerKey::from_pem(&pem).map_err(|error| error.in_file(&file))?,
                    campaign: name.clone(),
                    signs: !listed.retired,
                };
                if keyring.get(held.id()).is_some() {
                    // In two campaigns it would let a token of the one into the other.
                    return Err(Error::input("this key is listed before")
                        .in_file(&file)
                        .hint("a key belongs to one campaign, and stands there once"));
                }
                keyring.0.push(Arc::new(held));
            }
        }
        Ok(keyring)
    }

    pub(super) fn all(&self) -> &[Arc<Held>] {
        &self.0
    }

    pub(super) fn get(&self, id: KeyId) -> Option<&Arc<Held>> {
        self.0.iter().find(|held| held.id() == id)
    }

    /// What everybody may know of the keys.
    pub(super) fn document(&self) -> Value {
        let key = |held: &Arc<Held>| {
            json!({
                "id": held.id().to_string(),
                "public_key": STANDARD.encode(held.key.public().spki()),
                "campaign": &*held.campaign,
                "signs": held.signs,
            })
        };
        let keys: Vec<Value> = self.0.iter().map(key).collect();
        json!({ "protocol": PROTOCOL, "keys": keys })
    }
}
