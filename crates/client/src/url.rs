//! Which addresses are talked to.

use wayveil_core::{Error, Result};

/// The longest address.
const LONGEST: usize = 1024;

/// An address without the slash at its end: `https://`, or `http://` of this machine, for tests.
pub(crate) fn checked(url: &str) -> Result<String> {
    let refused = |why: &str| {
        Err(
            Error::input(format!("invalid address (got {url:?}): {why}"))
                .hint("give it as https://host or https://host:port"),
        )
    };
    if url.len() > LONGEST || !url.bytes().all(|byte| byte.is_ascii_graphic()) {
        return refused("it is too long or has characters that an address cannot have");
    }
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let authority = rest.split('/').next().unwrap_or_default();
    if authority.is_empty() || rest.contains(['?', '#', '@', '\\']) {
        return refused("it is no plain address of a host");
    }
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    match scheme {
        "https" => {}
        "http" if ["localhost", "127.0.0.1", "::1"].contains(&host) => {}
        "http" => return refused("what is sent without encryption can be read on the way"),
        _ => return refused("it does not begin with https://"),
    }
    Ok(url.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encryption_is_needed_except_on_this_machine() {
        for (good, plain) in [
            ("https://count.example.org/", "https://count.example.org"),
            (
                "https://count.example.org:8443/city",
                "https://count.example.org:8443/city",
            ),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080/", "http://[::1]:8080"),
        ] {
            assert_eq!(checked(good).unwrap(), plain);
        }
        for bad in [
            "",
            "count.example.org",
            "http://count.example.org",
            "http://127.0.0.1.example.org",
            "http://localhost@example.org",
            "https://user@example.org",
            "https://",
            "ftp://example.org",
            "https://example.org/?a",
            "https://example.org/ b",
        ] {
            assert!(checked(bad).is_err(), "{bad}");
        }
    }
}
