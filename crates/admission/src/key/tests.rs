use proptest::prelude::*;

use super::*;
use crate::TokenRequest;
use crate::testing::{issuer, rng};

#[test]
fn keys_survive_their_files() {
    let key = issuer(0);
    let back = IssuerKey::from_pem(&key.to_pem().unwrap()).unwrap();
    assert_eq!(back.public(), key.public());
    let message = BlindedMessage(vec![7; 256]);
    assert_eq!(
        back.sign(&message, &mut rng(5)).unwrap(),
        key.sign(&message, &mut rng(6)).unwrap(),
        "the same message gets the same signature"
    );
    let public = key.public();
    assert_eq!(
        &PublicKey::from_pem(&public.to_pem().unwrap()).unwrap(),
        public
    );
    assert_eq!(&PublicKey::from_spki(public.spki()).unwrap(), public);
    assert_eq!(
        public.id().0,
        <[u8; 32]>::from(Sha256::digest(public.spki()))
    );
    assert_eq!(
        public.id().to_string().parse::<KeyId>().unwrap(),
        public.id()
    );
}

#[test]
fn a_name_has_one_spelling() {
    let name = issuer(0).public().id().to_string();
    for bad in [
        &name[1..],
        &name.to_uppercase(),
        &format!("{name}0"),
        "",
        &"g".repeat(64),
    ] {
        assert!(bad.parse::<KeyId>().is_err(), "{bad}");
    }
}

#[test]
fn lengths_that_are_too_short_or_odd_are_refused() {
    for bits in [0, 512, 1024, 2047, 2056, 8192] {
        assert!(IssuerKey::generate(bits, &mut rng(1)).is_err(), "{bits}");
    }
}

#[test]
fn only_numbers_below_the_modulus_are_signed() {
    for bad in [vec![], vec![1; 255], vec![1; 257], vec![0xFF; 256]] {
        let error = issuer(0).sign(&BlindedMessage(bad), &mut rng(1));
        assert!(error.unwrap_err().advice().is_some());
    }
}

#[test]
fn a_secret_is_not_printed() {
    let shown = format!("{:?}", issuer(0));
    assert!(shown.len() < 120, "{shown}");
}

/// Keys come from the network. One with an even modulus, which no arithmetic here is made for, or with
/// a modulus of small factors must not bring a client down.
#[test]
fn keys_that_are_none_do_no_harm() {
    let sound = issuer(0).public().spki();
    // The exponent, an integer of three bytes, follows the modulus.
    let last = sound.len() - 6;
    let first = last - 255;
    assert!(sound[first] >= 0x80 && sound[last] & 1 == 1);
    let changed = |change: &dyn Fn(&mut [u8])| {
        let mut spki = sound.to_vec();
        change(&mut spki[first..=last]);
        PublicKey::from_spki(&spki).is_ok_and(|key| TokenRequest::new(&key, &mut rng(8)).is_ok())
    };
    assert!(changed(&|_| ()));
    assert!(!changed(&|modulus| modulus[255] &= 0xFE));
    assert!(!changed(&|modulus| modulus[0] = 0));
    assert!(!changed(&|modulus| modulus.fill(0)));
    for bit in (0..2040).step_by(51) {
        // Whether blinding works under such a modulus is open; that it ends is not.
        changed(&|modulus| modulus[255 - bit / 8] ^= 1 << (bit % 8));
    }
    changed(&|modulus| modulus.fill(0xFF));
}

proptest! {
    /// Nothing panics, and what is read is written back the same.
    #[test]
    fn damaged_public_keys_are_read_or_refused(at: usize, bit in 0..8, cut: Option<u16>) {
        let mut spki = issuer(0).public().spki().to_vec();
        let at = at % spki.len();
        spki[at] ^= 1_u8 << bit;
        spki.truncate(cut.map_or(usize::MAX, usize::from));
        if let Ok(key) = PublicKey::from_spki(&spki) {
            prop_assert_eq!(key.spki(), spki.as_slice());
            prop_assert_ne!(key.id(), issuer(0).public().id());
        }
    }
}
