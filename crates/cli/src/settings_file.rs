//! Settings in a file of JSON.

use std::path::Path;

use serde::de::DeserializeOwned;
use wayveil_core::{Error, Result};

/// Reads settings, or takes their defaults where no file is named. `hint` tells where they are
/// listed.
pub(crate) fn read<T: DeserializeOwned + Default>(path: Option<&Path>, hint: &str) -> Result<T> {
    let Some(path) = path else {
        return Ok(T::default());
    };
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|cause| Error::input(format!("cannot be read: {cause}")).in_file(&file))?;
    serde_json::from_str(&text).map_err(|cause| {
        Error::input(format!("not settings: {cause}"))
            .in_file(file)
            .at_line(cause.line() as u64)
            .hint(hint)
    })
}
