//! Packages of the system for the suites that need them, installed where that is expected.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::command::{self, succeeds};

const INSTALL_LIMIT: Duration = Duration::from_secs(10 * 60);

/// Installs Debian's packages where that is expected, and does nothing elsewhere. Whether it worked is for
/// the caller to find out.
pub(super) fn install(names: &[&str]) {
    if !may_install_now() {
        return;
    }
    println!("installing {} with apt-get", names.join(", "));
    let _ = succeeds("apt-get", &["update"]);
    let mut apt = Command::new("apt-get");
    apt.args(["install", "-y", "--no-install-recommends"])
        .args(names)
        .env("DEBIAN_FRONTEND", "noninteractive");
    let _ = command::run(&mut apt, INSTALL_LIMIT);
}

/// A developer's system is theirs: packages are added only where that is expected.
fn may_install_now() -> bool {
    let debian = Path::new("/etc/debian_version").exists();
    let root = succeeds("sh", &["-c", "test \"$(id -u)\" = 0"]);
    let ci = std::env::var("CI").is_ok_and(|value| value == "true");
    may_install(debian, root, ci)
}

fn may_install(debian: bool, root: bool, ci: bool) -> bool {
    (debian && root) || ci
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_packages_are_left_alone_on_a_developers_machine() {
        for (debian, root, ci, expected) in [
            (true, false, false, false),
            (false, true, false, false),
            (true, true, false, true),
            (true, false, true, true),
        ] {
            assert_eq!(
                may_install(debian, root, ci),
                expected,
                "{debian} {root} {ci}"
            );
        }
    }
}
