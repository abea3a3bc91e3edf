//! Where the project lies, and what cargo knows about it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The workspace on disk.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    /// Where cargo builds, `CARGO_TARGET_DIR` and configuration taken into account.
    pub(crate) target: PathBuf,
    pub(crate) packages: Vec<Package>,
}

/// A crate of the workspace.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) depends_on: Vec<Dependency>,
}

/// An edge of the dependency graph.
#[derive(Clone, Debug)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// What a dependency is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Normal,
    Dev,
    Build,
}

impl Workspace {
    pub(crate) fn load() -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .ok_or("xtask lies in no workspace")?
            .to_path_buf();
        // Without dependencies there is nothing to fetch, but old versions of cargo want to look.
        let text = metadata(&root, &["--offline"]).or_else(|_| metadata(&root, &[]))?;
        let json = serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))?;
        let target = PathBuf::from(json_text(&json, "target_directory")?);
        let packages = packages(&json)?;
        Ok(Self {
            root,
            target,
            packages,
        })
    }

    /// A cargo command in the workspace.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        cargo(&self.root, arguments)
    }
}

/// A cargo command without what `cargo run` has told us about xtask itself: some build scripts
/// watch these variables, and would build again for nothing.
fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).args(arguments);
    for (key, _) in std::env::vars_os() {
        let name = key.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&key);
        }
    }
    command
}

fn metadata(root: &Path, more: &[&str]) -> Result<String, String> {
    let output = cargo(root, &["metadata", "--format-version", "1", "--no-deps"])
        .args(more)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

fn json_text<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value[key]
        .as_str()
        .ok_or_else(|| format!("cargo metadata: no {key}"))
}

fn packages(json: &Value) -> Result<Vec<Package>, String> {
    list(json, "packages")
        .map(|package| {
            let depends_on = list(package, "dependencies")
                .map(dependency)
                .collect::<Result<_, _>>();
            Ok(Package {
                name: json_text(package, "name")?.to_owned(),
                depends_on: depends_on?,
            })
        })
        .collect()
}

fn dependency(json: &Value) -> Result<Dependency, String> {
    let kind = match json["kind"].as_str() {
        None => Kind::Normal,
        Some("dev") => Kind::Dev,
        Some("build") => Kind::Build,
        Some(other) => return Err(format!("cargo metadata: unknown kind {other}")),
    };
    Ok(Dependency {
        name: json_text(json, "name")?.to_owned(),
        kind,
    })
}

fn list<'a>(json: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    json[key].as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_workspace_is_understood() {
        let workspace = Workspace::load().expect("cargo metadata answers");
        assert!(workspace.root.join("xtask/Cargo.toml").is_file());
        let xtask = workspace
            .packages
            .iter()
            .find(|package| package.name == "xtask");
        let names: Vec<_> = xtask
            .expect("xtask is a member")
            .depends_on
            .iter()
            .map(|d| d.name.as_str())
            .collect();
        assert_eq!(names, ["pulldown-cmark", "serde_json"]);
    }
}
