//! Writes the sources in Kotlin, Swift and Python that go with the library; `cargo xtask bindings` runs it.

use std::process::ExitCode;

use camino::Utf8PathBuf;
use uniffi::{GenerateOptions, TargetLanguage};

const USAGE: &str = "usage: wayveil-bindgen LIBRARY CONFIG FOLDER";

fn main() -> ExitCode {
    let words: Vec<Utf8PathBuf> = std::env::args().skip(1).map(Utf8PathBuf::from).collect();
    let [library, config, folder] = &words[..] else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    for (language, name) in [
        (TargetLanguage::Kotlin, "kotlin"),
        (TargetLanguage::Swift, "swift"),
        (TargetLanguage::Python, "python"),
    ] {
        let written = uniffi::generate(GenerateOptions {
            languages: vec![language],
            source: library.clone(),
            out_dir: folder.join(name),
            config_override: Some(config.clone()),
            // Formatters of those languages may be there or not: the sources shall not depend on it.
            format: false,
            crate_filter: None,
            metadata_no_deps: true,
        });
        if let Err(error) = written {
            eprintln!("writing {name} for {library}: {error:#}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
