//! What a client sends to the collector.

use wayveil_admission::{Admission, KeyId, Submission, Token};
use wayveil_federated::message::Answer;

use crate::Target;
use crate::check::accepted;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "submission",
    run,
    seeds,
    words: &["WVS\u{1}", "\u{0}\u{0}\u{0}\u{0}", "\u{13}", "\u{1}"],
    longest: 700,
};

fn seeds() -> Vec<Vec<u8>> {
    let small = Answer {
        campaign: 300,
        round: 7,
        block: 2,
        fragments: 1,
        bits: 1,
    };
    let large = Answer {
        campaign: u64::MAX,
        round: u32::MAX,
        block: u32::MAX,
        fragments: 64,
        bits: u64::MAX,
    };
    let token = |length| {
        Admission::Token(Token {
            key: KeyId([1; 32]),
            randomizer: [2; 32],
            message: [3; 32],
            signature: vec![4; length],
        })
    };
    let admissions = [Admission::Ticket([5; 32]), token(256), token(384), token(7)];
    let sent = |answer| {
        admissions.clone().map(|admission| {
            Submission {
                answer,
                nonce: [6; 16],
                admission,
            }
            .encode()
        })
    };
    let mut seeds: Vec<Vec<u8>> = [small, large].into_iter().flat_map(sent).collect();
    seeds.extend([vec![], b"WVS\x01".to_vec(), vec![0; 86]]);
    seeds
}

fn run(data: &[u8]) -> bool {
    let Some(read) = accepted(Submission::decode(data)) else {
        return false;
    };
    assert_eq!(read.encode(), data, "a submission has one spelling");
    assert!(data.len() <= Submission::MAX_BYTES);
    let turned = Submission {
        nonce: read.nonce.map(|byte| !byte),
        ..read.clone()
    };
    assert_ne!(turned.receipt(), read.receipt());
    assert_eq!(turned.spent_key(), read.spent_key());
    true
}
