//! What an issuer and a collector keep, side by side: nothing in the one leads to the other.

use std::collections::BTreeSet;

use wayveil_admission::Admission;

use super::rotation::{Counting, token};
use super::running::{Running, enrolled};
use super::*;
use crate::ask::Http;
use crate::testing::people::Person;

/// Every eight bytes in a row of the files of a store that may be those of a hash.
fn pieces(folder: &TempDir, store: &str) -> BTreeSet<[u8; 8]> {
    let bytes: Vec<u8> = ["", "-wal"]
        .iter()
        .filter_map(|end| std::fs::read(folder.path().join(format!("{store}{end}"))).ok())
        .flatten()
        .collect();
    let is_random = |piece: &&[u8]| {
        let different: BTreeSet<u8> = piece.iter().copied().collect();
        different.len() >= 7 && !piece.iter().all(|it| it.is_ascii_graphic() || *it == b' ')
    };
    bytes
        .windows(8)
        .filter(is_random)
        .map(|piece| piece.try_into().unwrap())
        .collect()
}

/// Two people enrol, get tokens and answer. Hashes are in both stores, and none of them, nor any
/// eight bytes of one, is in both. (By chance: fewer than 2^13 hashed bytes in each, so below 2^-38.)
#[tokio::test]
async fn the_stores_have_nothing_in_common() {
    let folder = folder(&spring("\"0.secret.pem\""));
    let issuer = Running::start(&folder, Http::Newest).await;
    let counting = Counting::start(&folder, "\"0.pem\"").await;
    let both = || [pieces(&folder, "issuer.db"), pieces(&folder, "campaign.db")];
    // The form of such files, and their tables, are alike.
    let before = both();
    let codes = enrolled(&folder, 2).await;
    let mut people = Person::crowd(&counting.setup, 3000);
    people.retain(|person| person.round() == Some(0));
    let plain = wayveil_federated::collector::Collector::new(counting.setup.campaign.clone());
    let plain = plain.unwrap();
    let mut spent = Vec::new();
    for ((seed, code), person) in (0..).zip(&codes).zip(&mut people) {
        let token = token(&issuer, code, 0, seed).await;
        spent.push(token.spent_key());
        person.admission = Admission::Token(token);
        let heard = counting
            .post(person.submission(plain.open().unwrap()))
            .await;
        assert_eq!(json(&heard)["status"], "counted", "{:?}", heard.body);
    }
    let [ours, theirs] = both();
    let ours: BTreeSet<_> = ours.difference(&before[0]).copied().collect();
    let theirs: BTreeSet<_> = theirs.difference(&before[1]).copied().collect();
    let has = |pieces: &BTreeSet<[u8; 8]>, hash: [u8; 32]| {
        hash.windows(8).any(|piece| pieces.contains(piece))
    };
    for (code, spent) in codes.iter().zip(spent) {
        assert!(has(&ours, code.kept()) && !has(&theirs, code.kept()));
        assert!(has(&theirs, spent) && !has(&ours, spent));
    }
    let shared: Vec<_> = ours.intersection(&theirs).collect();
    assert!(shared.is_empty(), "{shared:?}");
    counting.stop().await;
    issuer.stop().await;
}
