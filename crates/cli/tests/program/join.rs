//! Taking part in a campaign, up to where a server is needed.

use super::common::Place;

#[cfg(not(feature = "collector"))]
#[test]
fn a_build_without_it_says_how_to_build_it() {
    let place = Place::new();
    place.write("visits.txt", "a\n");
    let (code, _, err) = place.run("federate join https://localhost --trajectory visits.txt");
    assert_eq!(code, 2);
    assert!(err.contains("--features collector"), "{err}");
    let (code, out, _) = place.run("federate join --help");
    assert_eq!(code, 0);
    assert!(out.contains("--accept-epsilon"), "{out}");
}

#[cfg(feature = "collector")]
mod with_network {
    use std::net::TcpListener;

    use serde_json::Value;

    use super::Place;

    fn place() -> Place {
        let place = Place::new();
        place.write("visits.txt", "harbour\nmarket\n\nstation\n");
        place
    }

    /// An address of this machine where nobody listens.
    fn nobody() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("https://{}", listener.local_addr().unwrap())
    }

    #[test]
    fn nobody_there_is_not_yet() {
        let place = place();
        let line = format!(
            "federate join {} --trajectory visits.txt --state s --wait 0s",
            nobody()
        );
        let (code, out, _) = place.run(&line);
        assert_eq!(code, 1);
        assert!(
            out.contains("Not yet") && out.contains("epsilon 0 in 0 campaigns"),
            "{out}"
        );
        let (code, out, _) = place.run(&(line + " --json"));
        assert_eq!(code, 1);
        let object: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(object["outcome"], "later");
        assert_eq!(
            (&object["spent"], &object["campaigns"]),
            (&"0".into(), &0.into())
        );
    }

    #[test]
    fn bad_usage_is_told_apart() {
        let place = place();
        place.write("none.pem", "no certificate");
        place.write("bytes.txt", b"\xFF\xFE");
        for (words, says) in [
            (
                "http://count.example.org --trajectory visits.txt",
                "without encryption",
            ),
            (
                "count.example.org --trajectory visits.txt",
                "does not begin with https://",
            ),
            ("https://localhost --trajectory missing.txt", "missing.txt"),
            ("https://localhost --trajectory bytes.txt", "no text"),
            (
                "https://localhost --trajectory visits.txt --wait 5",
                "30s, 10m",
            ),
            (
                "https://localhost --trajectory visits.txt --accept-epsilon 0",
                "epsilon",
            ),
            (
                "https://localhost --trajectory visits.txt --accept-fragments 0",
                "--accept-fragments",
            ),
            (
                "https://localhost --trajectory visits.txt --accept-length 0",
                "--accept-length",
            ),
            (
                "https://localhost --trajectory visits.txt --issuer-code 4X7K",
                "--issuer <URL>",
            ),
            (
                "https://localhost --trajectory visits.txt --issuer https://localhost",
                "--issuer-code <CODE>",
            ),
            (
                "https://localhost --trajectory visits.txt --issuer-code 4X7K --issuer http://example.org",
                "without encryption",
            ),
            (
                "https://localhost --trajectory visits.txt --root-certificate none.pem",
                "none.pem",
            ),
        ] {
            let (code, _, err) = place.run(&format!("federate join {words} --state s"));
            assert_eq!(code, 2, "{words}: {err}");
            assert!(err.contains(says), "{words}: {err}");
        }
    }

    #[test]
    fn a_folder_is_used_by_one_at_a_time() {
        let place = place();
        let _other = wayveil_client::Folder::open(place.path("s")).unwrap();
        let line = format!(
            "federate join {} --trajectory visits.txt --state s --wait 0s",
            nobody()
        );
        let (code, _, err) = place.run(&line);
        assert_eq!(code, 1, "{err}");
        assert!(err.contains("another process"), "{err}");
    }
}
