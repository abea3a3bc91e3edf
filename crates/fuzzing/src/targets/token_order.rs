//! What a client sends to the issuer.

use wayveil_admission::order::NoOrder;
use wayveil_admission::{BlindedMessage, Code, KeyId, TokenOrder};

use crate::Target;
use crate::check::accepted;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "token-order",
    run,
    seeds,
    words: &[
        "\"code\"",
        "\"key\"",
        "\"blinded_message\"",
        CODE,
        "\\u0030",
        "==",
    ],
    longest: 1100,
};

/// A code: seventeen zeros, and what checks them.
const CODE: &str = "0000-0000-0000-0000-0000-0000-000C-R239";

fn seeds() -> Vec<Vec<u8>> {
    let order = |length: usize| {
        let order = TokenOrder {
            code: CODE.parse().expect("a sound code"),
            key: KeyId([0x5A; 32]),
            blinded: BlindedMessage((0..length).map(|at| at as u8).collect()),
        };
        order.encode().expect("it can be written")
    };
    let mut seeds: Vec<Vec<u8>> = [0, 3, 256, 384, 512].map(order).to_vec();
    let loose = CODE.to_lowercase().replace('0', "o").replace('-', " ");
    let spaced = format!(
        "{{ \"blinded_message\" : \"AAEC\",\n \"key\":\"{}\", \"code\":\"{loose}\" }} ",
        KeyId([1; 32])
    );
    seeds.extend([vec![], b"{}".to_vec(), spaced.into_bytes()]);
    seeds
}

fn run(data: &[u8]) -> bool {
    let read = TokenOrder::decode(data).map_err(|no| match no {
        NoOrder::Garbage(error) | NoOrder::Mistyped(error) => {
            let said = error.to_string();
            assert!(!said.contains("0000-"), "a code is repeated: {said}");
            error
        }
    });
    let Some(read) = accepted(read) else {
        return false;
    };
    assert!(data.len() <= TokenOrder::MAX_BYTES);
    let Some(written) = accepted(read.encode()) else {
        panic!("what was read cannot be written");
    };
    assert_eq!(TokenOrder::decode(&written).ok(), Some(read.clone()));
    // What is kept of a code does not depend on how it was spelt.
    let again: Option<Code> = read.code.text().parse().ok();
    assert_eq!(again.map(|code| code.kept()), Some(read.code.kept()));
    true
}
