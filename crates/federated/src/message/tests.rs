use proptest::prelude::*;

use super::*;
use crate::campaign::Parameters;

fn terms() -> Terms {
    let parameters =
        Parameters::repaired(17, 5, 47_685_000, 100_000, "0.3".parse().expect("a number"));
    Terms::of(&Campaign::new(parameters).expect("good parameters"))
}

#[test]
fn the_bytes_of_a_question_and_an_answer_are_these() {
    let question = Question {
        campaign: 300,
        round: 7,
        block: 2,
        length: 3,
        codes: vec![1, 2, 200],
    };
    let bytes = [0x12, 0xAC, 2, 7, 2, 3, 1, 1, 2, 0xC8, 1];
    assert_eq!(question.encode(), bytes);
    assert_eq!(Question::decode(&bytes).unwrap(), question);
    let answer = Answer {
        campaign: 300,
        round: 7,
        block: 2,
        fragments: 1,
        bits: 1,
    };
    let bytes = [0x13, 0xAC, 2, 7, 2, 1, 1];
    assert_eq!(answer.encode(), bytes);
    assert_eq!(Answer::decode(&bytes).unwrap(), answer);
}

#[test]
fn terms_come_back() {
    let terms = terms();
    let bytes = terms.encode().unwrap();
    assert_eq!(Terms::decode(&bytes).unwrap(), terms);
    assert_eq!(terms.length(), 5);
}

#[test]
fn a_message_has_one_spelling() {
    let bytes = terms().encode().unwrap();
    for cut in 0..bytes.len() {
        assert!(Terms::decode(&bytes[..cut]).is_err(), "cut at {cut}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(Terms::decode(&longer).is_err());
    // A padded number, another kind, another version, a bit beyond the last fragment.
    assert!(Answer::decode(&[0x13, 0x80, 0, 7, 2, 1, 1]).is_err());
    assert!(Answer::decode(&[0x12, 1, 7, 2, 1, 1]).is_err());
    assert!(Answer::decode(&[0x23, 1, 7, 2, 1, 1]).is_err());
    assert!(Answer::decode(&[0x13, 1, 7, 2, 1, 2]).is_err());
    assert!(Answer::decode(&[0x13, 1, 7, 2, 1, 1]).is_ok());
}

#[test]
fn information_is_counted_by_hand() {
    let question = Question {
        campaign: 0,
        round: 0,
        block: 0,
        length: 5,
        codes: vec![0; 5],
    };
    // Five of 16 locations, one of 4 rounds, one of 1024 blocks.
    assert_eq!(question.information_bits(16, 4, 1024), 20.0 + 2.0 + 10.0);
}

proptest! {
    #[test]
    fn questions_come_back(
        campaign: u64, round: u32, block: u32, length in 1_u32..=9, fragments in 1_usize..=9,
        code: u32,
    ) {
        let codes = (0..length * fragments as u32).map(|i| code.rotate_left(i)).collect();
        let question = Question { campaign, round, block, length, codes };
        let bytes = question.encode();
        prop_assert_eq!(question.fragments(), fragments);
        prop_assert_eq!(Question::decode(&bytes).unwrap(), question);
    }

    #[test]
    fn answers_come_back(campaign: u64, round: u32, block: u32, fragments in 1_u32..=64, bits: u64) {
        let bits = bits >> (64 - fragments);
        let answer = Answer { campaign, round, block, fragments, bits };
        prop_assert_eq!(Answer::decode(&answer.encode()).unwrap(), answer);
    }

    /// Nothing panics, and what is read is written back the same.
    #[test]
    fn any_bytes_are_read_or_refused(
        kind in 0_u8..4, mut bytes in proptest::collection::vec(any::<u8>(), 0..60), small: bool,
    ) {
        if small {
            bytes.iter_mut().for_each(|byte| *byte &= 7);
        }
        bytes.insert(0, 0x10 | kind);
        if let Ok(question) = Question::decode(&bytes) {
            prop_assert_eq!(question.encode(), bytes.as_slice());
        }
        if let Ok(answer) = Answer::decode(&bytes) {
            prop_assert_eq!(answer.encode(), bytes.as_slice());
        }
        if let Ok(terms) = Terms::decode(&bytes) {
            prop_assert_eq!(terms.encode().unwrap(), bytes);
        }
    }

    #[test]
    fn terms_with_one_byte_changed_never_panic(at in 0_usize..200, to: u8) {
        let mut bytes = terms().encode().unwrap();
        let at = at % bytes.len();
        bytes[at] = to;
        if let Ok(terms) = Terms::decode(&bytes) {
            prop_assert_eq!(terms.encode().unwrap(), bytes);
        }
    }
}
