use proptest::prelude::*;

use super::*;
use crate::testing::{issuer, rng, token};

fn request(seed: u64) -> TokenRequest {
    TokenRequest::new(issuer(0).public(), &mut rng(seed)).unwrap()
}

fn signed(request: &TokenRequest) -> BlindSignature {
    issuer(0).sign(&request.blinded(), &mut rng(9)).unwrap()
}

#[test]
fn a_token_is_good_and_another_each_time() {
    let (one, other) = (token(0, 1), token(0, 2));
    for token in [&one, &other] {
        token.verify(issuer(0).public()).unwrap();
    }
    assert_ne!(one.message, other.message);
    assert_ne!(one.spent_key(), other.spent_key());
}

#[test]
fn a_client_that_was_killed_goes_on() {
    let asked = request(3);
    let kept = asked.to_bytes();
    let restored = TokenRequest::from_bytes(&kept).unwrap();
    assert_eq!(restored, asked);
    assert_eq!(restored.blinded(), asked.blinded());
    let signature = signed(&asked);
    let finished = restored.finish(&signature).unwrap();
    assert_eq!(finished, asked.finish(&signature).unwrap());
    finished.verify(issuer(0).public()).unwrap();
}

#[test]
fn a_reply_that_is_no_signature_is_refused() {
    let asked = request(4);
    let good = signed(&asked).0;
    let foreign = issuer(1).sign(&asked.blinded(), &mut rng(1));
    let mut bad = vec![
        vec![],
        vec![0; 256],
        vec![0xFF; 256],
        good[1..].to_vec(),
        [good.as_slice(), &[0]].concat(),
        signed(&request(5)).0,
    ];
    // The blinded message may lie above the other key's modulus, which is a refusal too.
    bad.extend(foreign.map(|signature| signature.0));
    for reply in bad {
        assert!(asked.finish(&BlindSignature(reply)).is_err());
    }
    assert!(asked.finish(&BlindSignature(good)).is_ok());
}

#[test]
fn a_token_of_another_key_is_refused() {
    let foreign = token(1, 6);
    assert!(foreign.verify(issuer(0).public()).is_err());
    let renamed = Token {
        key: issuer(0).public().id(),
        ..foreign
    };
    assert!(renamed.verify(issuer(0).public()).is_err());
}

/// Equality, also of parts: no eight bytes in a row that the issuer sees are seen by the collector.
/// (By chance: fewer than 2^17 pairs of windows for each token, so below 2^-46 for all of these.)
#[test]
fn nothing_the_issuer_sees_is_seen_by_the_collector() {
    for seed in 0..4 {
        let asked = request(20 + seed);
        let signature = signed(&asked);
        let token = asked.finish(&signature).unwrap();
        let by_issuer = [asked.blinded().0, signature.0];
        let by_collector = [
            token.randomizer.to_vec(),
            token.message.to_vec(),
            token.signature.clone(),
            token.spent_key().to_vec(),
        ];
        for (theirs, ours) in by_issuer
            .iter()
            .flat_map(|theirs| by_collector.iter().map(move |ours| (theirs, ours)))
        {
            let shared = theirs
                .windows(8)
                .find(|part| ours.windows(8).any(|w| w == *part));
            assert_eq!(shared, None);
        }
    }
}

/// Why even all that the issuer saw does not tell which token it was: for every pair of a token and
/// a request there is a blinding that leads from the one to the other. With z blinded, s = z^d its
/// signature and t the token's: r = s/t satisfies r^e·t^e = z. So both pairings look alike.
#[test]
fn every_token_could_come_of_every_request() {
    let asked = [request(31), request(32)];
    let signatures = [signed(&asked[0]), signed(&asked[1])];
    let tokens = [0, 1].map(|i| asked[i].finish(&signatures[i]).unwrap());
    let key = issuer(0).public();
    for (asked, signature) in asked.iter().zip(&signatures) {
        for token in &tokens {
            assert!(possible(
                key,
                &asked.blinded().0,
                &signature.0,
                &token.signature
            ));
        }
    }
}

/// Whether r = s/t exists and blinds t^e to z.
fn possible(key: &PublicKey, blinded: &[u8], signed: &[u8], token: &[u8]) -> bool {
    use num_bigint::BigUint;
    let number = BigUint::from_bytes_be;
    let n = number(&key.inner.components().n());
    let e = number(&key.inner.components().e());
    let Some(inverse) = number(token).modinv(&n) else {
        return false;
    };
    let r = number(signed) * inverse % &n;
    r.modpow(&e, &n) * number(token).modpow(&e, &n) % &n == number(blinded)
}

/// The same by the client's own code: for every request with its signature, and every token, the one
/// blinding is worked out that leads from the one to the other. A client with that blinding, which
/// is as likely as any other, would have sent this request and finished that very token.
#[test]
fn every_pair_has_a_blinding_that_the_client_itself_takes_off() {
    use num_bigint::BigUint;
    let asked = [request(41), request(42), request(43)];
    let signatures = asked.each_ref().map(signed);
    let tokens = [0, 1, 2].map(|at| asked[at].finish(&signatures[at]).unwrap());
    let key = issuer(0).public();
    let number = BigUint::from_bytes_be;
    let n = number(&key.inner.components().n());
    for (seen, (asked, signature)) in asked.iter().zip(&signatures).enumerate() {
        for (at, token) in tokens.iter().enumerate() {
            // What takes the blinding off s is t/s.
            let inverse = number(&signature.0).modinv(&n).unwrap();
            let secret = (number(&token.signature) * inverse % &n).to_bytes_be();
            let mut padded = vec![0; key.signature_length() - secret.len()];
            padded.extend(secret);
            let supposed = TokenRequest {
                key: key.clone(),
                message: token.message,
                blinding: BlindingResult {
                    blind_message: BlindMessage(asked.blinded().0),
                    secret: Secret(padded.clone()),
                    msg_randomizer: Some(MessageRandomizer(token.randomizer)),
                },
            };
            assert_eq!(&supposed.finish(signature).unwrap(), token);
            // It is the true one where it should be, and another elsewhere.
            assert_eq!(asked.blinding.secret.0 == padded, seen == at);
        }
    }
}

#[test]
fn what_would_match_token_and_request_is_not_printed() {
    let shown = format!("{:?}", request(7));
    assert!(shown.len() < 140, "{shown}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_flipped_bit_is_refused(field in 0..4, at: usize, bit in 0..8) {
        let mut token = token(0, 8);
        let bytes: &mut [u8] = match field {
            0 => &mut token.key.0,
            1 => &mut token.randomizer,
            2 => &mut token.message,
            _ => &mut token.signature,
        };
        let at = at % bytes.len();
        bytes[at] ^= 1_u8 << bit;
        prop_assert!(token.verify(issuer(0).public()).is_err());
    }

    #[test]
    fn a_cut_or_longer_signature_is_refused(length in 0_usize..600) {
        let mut token = token(0, 9);
        token.signature.resize(length, 0);
        prop_assert_eq!(token.verify(issuer(0).public()).is_ok(), length == 256);
    }

    /// Nothing panics; what is read is written back the same, and finishes to a sound token or not
    /// at all.
    #[test]
    fn damaged_requests_are_read_or_refused(at: usize, to: u8, cut: Option<u16>) {
        let asked = request(10);
        let mut bytes = asked.to_bytes();
        let at = at % bytes.len();
        bytes[at] = to;
        bytes.truncate(cut.map_or(usize::MAX, usize::from));
        if let Ok(read) = TokenRequest::from_bytes(&bytes) {
            prop_assert_eq!(read.to_bytes(), bytes);
            if let Ok(token) = read.finish(&signed(&asked)) {
                prop_assert!(token.verify(issuer(0).public()).is_ok());
            }
        }
    }
}

mod known_answers;
