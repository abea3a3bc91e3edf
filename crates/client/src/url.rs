//! Which addresses are talked to.

use wayveil_core::{Error, Result};

/// The longest address.
const LONGEST: usize = 1024;

/// An address in its one form: `https://`, or `http://` of this machine, for tests; scheme and host in
/// small letters, without the port that goes without saying and without a slash at the end.
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
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (scheme, authority) = (scheme.to_ascii_lowercase(), authority.to_ascii_lowercase());
    if authority.is_empty() || rest.contains(['?', '#', '@', '\\']) {
        return refused("it is no plain address of a host");
    }
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let port = match scheme.as_str() {
        "https" => ":443",
        "http" if ["localhost", "127.0.0.1", "::1"].contains(&host) => ":80",
        "http" => return refused("what is sent without encryption can be read on the way"),
        _ => return refused("it does not begin with https://"),
    };
    let authority = authority.strip_suffix(port).unwrap_or(&authority);
    Ok(format!(
        "{scheme}://{authority}{}",
        path.trim_end_matches('/')
    ))
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
            (
                "HTTPS://Count.Example.org:443//",
                "https://count.example.org",
            ),
            ("https://example.org/City", "https://example.org/City"),
            ("https://[2001:DB8::443]", "https://[2001:db8::443]"),
            ("https://[2001:db8::1]:443", "https://[2001:db8::1]"),
            ("http://localhost:80/", "http://localhost"),
            ("https://example.org:80", "https://example.org:80"),
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
