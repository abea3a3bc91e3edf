//! Codes and keys in files, and what is in the store's.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::commands::{enrol, keygen};
use super::running::{Running, codes, enrolled};
use super::*;
use crate::ask::Http;

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().unwrap().permissions().mode() & 0o777
}

fn names(folder: &Path) -> BTreeSet<String> {
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.unwrap().file_name().to_string_lossy().into_owned()
    };
    std::fs::read_dir(folder).unwrap().map(name).collect()
}

#[test]
fn everybody_gets_another_code_in_a_file_of_ones_own() {
    let folder = folder(&spring("\"0.secret.pem\""));
    let (file, list) = (
        folder.path().join("issuer.toml"),
        folder.path().join("codes.txt"),
    );
    assert_eq!(enrol(&file, 1200, &list).unwrap(), 1200);
    let drawn: BTreeSet<_> = codes(&list).iter().map(Code::text).collect();
    assert_eq!(drawn.len(), 1200);
    #[cfg(unix)]
    assert_eq!(
        (mode(&list), mode(&folder.path().join("issuer.db"))),
        (0o600, 0o600)
    );
    // Nothing is overwritten, and a refusal enrols nobody.
    let before = std::fs::read(&list).unwrap();
    let refused = enrol(&file, 5, &list).unwrap_err();
    assert_eq!(refused.exit_code(), 1);
    assert_eq!(std::fs::read(&list).unwrap(), before);
    let more = folder.path().join("more.txt");
    assert_eq!(enrol(&file, 1, &more).unwrap(), 1201);
    for bad in [0, super::super::commands::MOST_PEOPLE + 1] {
        assert_eq!(
            enrol(&file, bad, &folder.path().join("x"))
                .unwrap_err()
                .exit_code(),
            2
        );
    }
    let left = names(folder.path());
    assert!(
        !left.iter().any(|name| name.contains("tmp") || name == "x"),
        "{left:?}"
    );
}

/// Where the store cannot be used nobody is handed a code that it does not know.
#[test]
fn no_codes_without_a_store() {
    let folder = folder(&spring("\"0.secret.pem\""));
    let file = folder.path().join("issuer.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(
        &file,
        text.replace("sqlite:issuer.db", "sqlite:nowhere/issuer.db"),
    )
    .unwrap();
    let before = names(folder.path());
    assert!(enrol(&file, 5, &folder.path().join("codes.txt")).is_err());
    assert_eq!(names(folder.path()), before);
}

#[test]
fn a_key_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("issuer-1");
    let made = keygen(&name, 2048).unwrap();
    assert_eq!(
        names(folder.path()),
        ["issuer-1.pem", "issuer-1.secret.pem"]
            .map(String::from)
            .into()
    );
    #[cfg(unix)]
    assert_eq!(mode(&made.secret), 0o600);
    let secret = IssuerKey::from_pem(&std::fs::read_to_string(&made.secret).unwrap()).unwrap();
    let public = std::fs::read_to_string(&made.public).unwrap();
    let public = wayveil_admission::PublicKey::from_pem(&public).unwrap();
    assert_eq!(secret.public(), &public);
    assert_eq!(made.id, public.id());
    assert_eq!(keygen(&name, 2048).unwrap_err().exit_code(), 1);
    std::fs::remove_file(&made.secret).unwrap();
    assert_eq!(keygen(&name, 2048).unwrap_err().exit_code(), 1);
    assert_eq!(names(folder.path()).len(), 1);
    assert_eq!(
        keygen(&folder.path().join("odd"), 1000)
            .unwrap_err()
            .exit_code(),
        2
    );
}

/// Neither a code nor what was signed is in any file of the store, while it runs and after.
#[tokio::test]
async fn the_store_holds_hashes_alone() {
    let folder = folder(&spring("\"0.secret.pem\""));
    let issuer = Running::start(&folder, Http::Newest).await;
    let codes = enrolled(&folder, 3).await;
    let asked = [request(0, 1), request(0, 2)];
    let mut secrets: Vec<Vec<u8>> = Vec::new();
    for (code, request) in codes.iter().zip(&asked) {
        let signed = given(&issuer.ask_for(code, request).await);
        secrets.extend([
            request.blinded().0[..16].to_vec(),
            signed.signature.0[..16].to_vec(),
        ]);
    }
    for code in &codes {
        let text = code.text();
        secrets.push(text.as_bytes()[..9].to_vec());
        secrets.push(text.replace('-', "").into_bytes()[..12].to_vec());
        // The bits of the code, whose first five are its first letter's.
        secrets.push(bits(code));
    }
    let found = || {
        let files = names(folder.path());
        let of_store = files.iter().filter(|name| name.starts_with("issuer.db"));
        let bytes: Vec<u8> = of_store
            .flat_map(|name| std::fs::read(folder.path().join(name)).unwrap())
            .collect();
        let kept = codes[0].kept();
        assert!(bytes.windows(32).any(|it| it == kept), "hashes are there");
        let is_there = |secret: &&Vec<u8>| bytes.windows(secret.len()).any(|it| it == **secret);
        secrets.iter().filter(is_there).count()
    };
    assert_eq!(found(), 0);
    issuer.stop().await;
    assert_eq!(found(), 0);
}

/// The first eight bytes of a code, worked out from its letters.
fn bits(code: &Code) -> Vec<u8> {
    let letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let word = (code.text().chars().filter(|it| *it != '-').take(13)).fold(0_u128, |word, it| {
        word << 5 | letters.find(it).unwrap() as u128
    });
    ((word >> 1) as u64).to_be_bytes().to_vec()
}

/// Who could join what an issuer and a collector keep does not find both in one place.
#[tokio::test]
async fn a_store_is_of_one_kind() {
    use crate::store::{Identity, Store};

    for kind in crate::testing::fresh_stores().await {
        let identity = Identity {
            id: 1,
            digest: [1; 32],
        };
        Store::open(kind.address.clone(), identity)
            .await
            .unwrap()
            .close()
            .await;
        let refused = super::super::store::IssuerStore::open(kind.address.clone()).await;
        assert!(refused.err().unwrap().message().contains("another kind"));
    }
    for kind in crate::testing::fresh_stores().await {
        let ours = super::super::store::IssuerStore::open(kind.address.clone()).await;
        ours.unwrap().close().await;
        let identity = Identity {
            id: 1,
            digest: [1; 32],
        };
        let refused = Store::open(kind.address.clone(), identity).await;
        assert!(refused.err().unwrap().message().contains("another kind"));
    }
}
