//! The paper that goes with every release: what it is, what it promises, and why.
//!
//! It holds nothing raw: no seed, no count of raw records (but of people, where the promise takes their
//! number for public), no hash of raw data, no elapsed time, no path of the publisher's machine.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dataset::TimeAxis;
use crate::expected::ExpectedError;
use crate::guarantee::Guarantee;
use crate::universe::Origin;

/// Version of the release format that this code writes.
pub const FORMAT_VERSION: u32 = 1;
/// What `format` says in every manifest.
pub const FORMAT: &str = "wayveil-release";

/// The manifest of a release.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Always `wayveil-release`.
    pub format: String,
    /// Version of the format.
    pub format_version: u32,
    /// The program that made it.
    pub tool: Tool,
    /// A random name of this release, by which the publisher's books know it.
    pub id: String,
    /// The UTC date on which it was made, `YYYY-MM-DD`.
    pub date: String,
    /// Whether it may be published.
    pub publishable: bool,
    /// Why not, where it may not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_publishable_because: Option<String>,
    /// How it was made.
    pub method: Method,
    /// What it promises.
    pub guarantee: Guarantee,
    /// What it is not good for.
    pub limits: Vec<String>,
    /// Everything public that went into it.
    pub public_inputs: PublicInputsRecord,
    /// How noise and randomness were made.
    pub noise: NoiseRecord,
    /// The names of the columns beside the trajectories, where there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<String>,
    /// What the release says of its own error, where its method does: an estimate without the raw data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_error: Option<ExpectedError>,
    /// The other files of the release.
    pub files: Vec<FileRecord>,
}

/// The program that made a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// How a release was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Method {
    /// The mechanism's name, as on the command line.
    pub name: String,
    /// Which form of it: `as-published` or `repaired` for a published method, `own` for one of ours, `collected` for a
    /// campaign that was held.
    pub variant: String,
    /// Its parameters, all of them public.
    pub parameters: BTreeMap<String, serde_json::Value>,
}

/// Everything public that went into a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PublicInputsRecord {
    /// The set of locations.
    pub universe: UniverseRecord,
    /// The axis of time bins, in a timed release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeAxis>,
    /// How many units took part, where the guarantee takes that for public.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<u64>,
}

/// The set of locations, by size and hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UniverseRecord {
    /// Where it came from.
    #[serde(flatten)]
    pub origin: Origin,
    /// How many locations it has.
    pub locations: u64,
    /// SHA-256 of its document.
    pub sha256: String,
}

/// How noise and randomness were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoiseRecord {
    /// The distribution and its sampler.
    pub distribution: String,
    /// Where random bits came from.
    pub randomness: String,
}

impl Manifest {
    /// Whether rows are true rows of people, with parts left out and no noise.
    pub fn rows_are_true(&self) -> bool {
        let noisy = self.guarantee.model.is_differential_privacy();
        !noisy && self.noise.distribution.starts_with("none")
    }
}

/// A file of a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileRecord {
    /// Its name within the release.
    pub name: String,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
}

/// The JSON Schema of [`Manifest`].
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Manifest).to_value();
    schema["$id"] = "wayveil-release-manifest-v1".into();
    schema["title"] = "Manifest of a Wayveil release".into();
    schema
}
