//! Kotlin: the generated source, the example of the documentation and a session, compiled and run on a JVM.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::cargo::expect;
use super::super::{Stop, browser, packages};
use super::make::Library;
use crate::command::succeeds;
use crate::readme;
use crate::scratch::Scratch;
use crate::workspace::Workspace;

const COMPILE_LIMIT: u64 = 10 * 60;
/// What the generated source calls the library with, where Debian puts it.
const JNA: &str = "/usr/share/java/jna.jar";
/// The compiler and what it needs itself.
const PARTS: [&str; 6] = [
    "kotlin-compiler.jar",
    "kotlin-stdlib.jar",
    "kotlin-script-runtime.jar",
    "kotlin-reflect.jar",
    "kotlinx-coroutines-core-jvm.jar",
    "annotations-13.0.jar",
];

/// A Kotlin compiler from npm, for a JVM that is the system's.
pub(super) struct Compiler {
    home: PathBuf,
}

impl Compiler {
    /// Finds or installs what is needed.
    pub(super) fn require(workspace: &Workspace) -> Result<Self, Stop> {
        let java = || succeeds("java", &["-version"]);
        if !java() {
            packages::install(&["openjdk-17-jre-headless"]);
        }
        if !Path::new(JNA).exists() {
            packages::install(&["libjna-java"]);
        }
        if !java() || !Path::new(JNA).exists() {
            return Err(Stop::skipped(
                "Java or JNA is missing (packages openjdk-17-jre-headless and libjna-java on Debian)",
            ));
        }
        browser::require_node()?;
        let pinned = workspace.root.join("xtask/bindings");
        let packages = browser::environment(&workspace.target.join("bindings-env"), &pinned)?;
        Ok(Self {
            home: packages.join("node_modules/kotlin-compiler"),
        })
    }

    /// Compiles everything. The folder with the classes is returned.
    pub(super) fn compile(
        &self,
        workspace: &Workspace,
        made: &Path,
        scratch: &Scratch,
    ) -> Result<PathBuf, Stop> {
        let page = fs::read_to_string(workspace.root.join("docs/phone.md"))?;
        let example = readme::blocks_of(&page, "kotlin");
        if example.is_empty() {
            return Err(Stop::failed("docs/phone.md shows no Kotlin"));
        }
        let example_file = scratch.path().join("Example.kt");
        fs::write(&example_file, example.join("\n"))?;
        let classes = scratch.folder("classes")?;
        let mut compiler = Command::new("java");
        compiler.arg("-cp").arg(self.path_of(&PARTS, &[])?);
        compiler.arg("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler");
        compiler.arg("-kotlin-home").arg(&self.home);
        compiler.args(["-jvm-target", "17", "-nowarn", "-cp", JNA]);
        compiler.arg(made.join("kotlin")).arg(example_file);
        compiler.arg(workspace.root.join("xtask/bindings/Session.kt"));
        compiler.arg("-d").arg(&classes);
        expect(compiler, COMPILE_LIMIT)?;
        Ok(classes)
    }

    /// The session, to be run with its words.
    pub(super) fn session(&self, classes: &Path, library: &Library) -> Result<Command, Stop> {
        let mut java = Command::new("java");
        let others = [classes, Path::new(JNA)];
        java.arg("-cp").arg(self.path_of(&PARTS[1..2], &others)?);
        let mut place = OsString::from("-Djna.library.path=");
        place.push(library.path().parent().unwrap_or(Path::new(".")));
        java.arg(place).arg("SessionKt");
        Ok(java)
    }

    fn path_of(&self, parts: &[&str], others: &[&Path]) -> Result<OsString, Stop> {
        let ours = parts.iter().map(|part| self.home.join("lib").join(part));
        let all = ours.chain(others.iter().map(|path| path.to_path_buf()));
        std::env::join_paths(all).map_err(|error| Stop::failed(error.to_string()))
    }
}
