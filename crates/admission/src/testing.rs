//! Keys and tokens for tests; drawing a key takes a while, so each is drawn once.

use std::sync::LazyLock;

use wayveil_core::RandomSource;
use wayveil_noise::Stream;

use crate::{IssuerKey, Token, TokenRequest};

static ISSUERS: LazyLock<[IssuerKey; 2]> = LazyLock::new(|| {
    [1, 2].map(|seed| IssuerKey::generate(2048, &mut rng(seed)).expect("a key can be drawn"))
});

pub(crate) fn rng(seed: u64) -> Stream {
    RandomSource::insecure_seed_for("admission", seed).stream()
}

pub(crate) fn issuer(which: usize) -> &'static IssuerKey {
    &ISSUERS[which]
}

/// A token of one of the issuers, from asking to finishing.
pub(crate) fn token(which: usize, seed: u64) -> Token {
    let mut rng = rng(100 + seed);
    let request = TokenRequest::new(issuer(which).public(), &mut rng).expect("a request");
    let signed = issuer(which).sign(&request.blinded(), &mut rng);
    request.finish(&signed.expect("signed")).expect("a token")
}
