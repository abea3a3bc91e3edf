use proptest::prelude::*;

use super::*;
use crate::testing::token as good_token;

fn answer() -> Answer {
    Answer {
        campaign: 300,
        round: 7,
        block: 2,
        fragments: 1,
        bits: 1,
    }
}

fn open() -> Submission {
    Submission {
        answer: answer(),
        nonce: [0xA5; 16],
        admission: Admission::Ticket([0x5A; 32]),
    }
}

fn with_token() -> Submission {
    Submission {
        admission: Admission::Token(good_token(0, 1)),
        ..open()
    }
}

#[test]
fn the_bytes_are_these() {
    let mut bytes = b"WVS\x01\x00".to_vec();
    bytes.extend([0xA5; 16]);
    bytes.extend([7, 0x13, 0xAC, 2, 7, 2, 1, 1]);
    bytes.extend([0; 25]);
    bytes.extend([0x5A; 32]);
    assert_eq!(open().encode(), bytes);
    assert_eq!(Submission::decode(&bytes).unwrap(), open());
    let sent = with_token().encode();
    assert_eq!(sent.len(), 54 + 96 + 256);
    assert_eq!(Submission::decode(&sent).unwrap(), with_token());
}

#[test]
fn receipt_and_spent_key_are_what_they_are_said_to_be() {
    let plain: Vec<u8> = [&[0xA5; 16][..], &[0x13, 0xAC, 2, 7, 2, 1, 1]].concat();
    assert_eq!(open().receipt(), <[u8; 32]>::from(Sha256::digest(plain)));
    assert_eq!(open().receipt(), with_token().receipt());
    assert_eq!(
        open().spent_key(),
        <[u8; 32]>::from(Sha256::digest([0x5A; 32]))
    );
    let message = good_token(0, 1).message;
    assert_eq!(
        with_token().spent_key(),
        <[u8; 32]>::from(Sha256::digest(message))
    );
}

#[test]
fn a_submission_has_one_spelling() {
    for sound in [open(), with_token()] {
        let bytes = sound.encode();
        for cut in 0..bytes.len() {
            assert!(Submission::decode(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(Submission::decode(&longer).is_err());
        let changed = |at: usize, to: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = to;
            Submission::decode(&bytes).is_ok()
        };
        for (at, to) in [
            (0, b'w'),
            (3, 2),
            (4, 2),
            (21, 6),
            (21, 8),
            (21, 33),
            (21, 255),
            (53, 1),
        ] {
            assert!(!changed(at, to), "byte {at} as {to}");
        }
    }
}

#[test]
fn the_length_does_not_tell_the_answer() {
    let of = |answer| Submission { answer, ..open() }.encode().len();
    let most = Answer {
        campaign: u64::MAX,
        round: u32::MAX,
        block: u32::MAX,
        fragments: 64,
        bits: u64::MAX,
    };
    assert_eq!(most.encode().len(), ANSWER);
    assert_eq!(of(most), of(answer()));
    assert_eq!(of(Answer { bits: 0, ..most }), of(most));
    let mut longest = with_token();
    if let Admission::Token(token) = &mut longest.admission {
        token.signature.resize(512, 0);
    }
    assert_eq!(longest.encode().len(), Submission::MAX_BYTES);
}

fn any_submission() -> impl Strategy<Value = Submission> {
    let numbers = (
        any::<u64>(),
        any::<u32>(),
        any::<u32>(),
        1_u32..=64,
        any::<u64>(),
    );
    let arrays = (
        any::<[u8; 16]>(),
        any::<[u8; 32]>(),
        any::<[u8; 32]>(),
        any::<[u8; 32]>(),
    );
    let signature = (prop::option::of(0_usize..3), any::<u8>());
    (numbers, arrays, signature).prop_map(|(numbers, arrays, (length, fill))| {
        let (campaign, round, block, fragments, bits) = numbers;
        let (nonce, key, randomizer, message) = arrays;
        let bits = bits >> (64 - fragments);
        let admission = match length {
            None => Admission::Ticket(key),
            Some(at) => Admission::Token(Token {
                key: KeyId(key),
                randomizer,
                message,
                signature: vec![fill; BITS[at] / 8],
            }),
        };
        Submission {
            answer: Answer {
                campaign,
                round,
                block,
                fragments,
                bits,
            },
            nonce,
            admission,
        }
    })
}

proptest! {
    #[test]
    fn submissions_come_back(sent in any_submission()) {
        let bytes = sent.encode();
        prop_assert!(bytes.len() <= Submission::MAX_BYTES);
        prop_assert_eq!(Submission::decode(&bytes).unwrap(), sent);
    }

    /// Nothing panics, and what is read is written back the same.
    #[test]
    fn changed_bytes_are_read_or_refused(
        sent in any_submission(), at: usize, to: u8, cut: Option<u16>,
    ) {
        let mut bytes = sent.encode();
        let at = at % bytes.len();
        bytes[at] = to;
        bytes.truncate(cut.map_or(usize::MAX, usize::from));
        if let Ok(read) = Submission::decode(&bytes) {
            prop_assert_eq!(read.encode(), bytes);
        }
    }

    /// A repeat is known as one; another answer, nonce or ticket is not taken for it.
    #[test]
    fn a_receipt_tells_a_repeat_from_a_reuse(one in any_submission(), other in any_submission()) {
        prop_assert_eq!(one.receipt(), one.clone().receipt());
        let same = one.answer == other.answer && one.nonce == other.nonce;
        prop_assert_eq!(one.receipt() == other.receipt(), same);
        let turned = Submission { answer: Answer { bits: one.answer.bits ^ 1, ..one.answer }, ..one.clone() };
        prop_assert_ne!(turned.receipt(), one.receipt());
    }
}
