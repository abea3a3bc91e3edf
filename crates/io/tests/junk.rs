//! No bytes make a reader of text panic, and no line its memory grow.

use std::io::{Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use wayveil_core::{Origin, Result, Universe};
use wayveil_io::{
    Bins, Input, Itemsets, MsnbcOptions, SeqOptions, SpmfOptions, UniverseChoice, Unknown,
    VisitsOptions, read_msnbc_from, read_ngrams_from, read_seq_from, read_spmf_from,
    read_visits_from,
};

/// A reader that says only whether it liked the input.
type Reader = Box<dyn Fn(Input) -> Result<()>>;

/// All readers, strict and lenient, with the beginning of a file that each would accept.
fn readers() -> Vec<(&'static str, Reader)> {
    let universe = Universe::from_labels(["1", "A"], Origin::Declared("test".into()));
    let strict = UniverseChoice::Declared(universe.unwrap());
    let free = UniverseChoice::FromData;
    let bins = Some(Bins::Declared(3));
    let mut all: Vec<(&'static str, Reader)> =
        vec![("1\n", Box::new(|input| read_ngrams_from(input).map(drop)))];
    for (universe, unknown, bins) in [
        (&strict, Unknown::Error, None),
        (&strict, Unknown::Drop, bins),
        (&free, Unknown::Error, None),
    ] {
        let seq = SeqOptions {
            unknown,
            bins,
            ..SeqOptions::new(universe.clone(), "p")
        };
        let spmf = SpmfOptions {
            unknown,
            bins,
            itemsets: match unknown {
                Unknown::Error => Itemsets::Single,
                Unknown::Drop => Itemsets::Flatten,
            },
            ..SpmfOptions::new(universe.clone(), "p")
        };
        let visits = VisitsOptions {
            unknown,
            bins,
            ..VisitsOptions::new(universe.clone(), "p")
        };
        let msnbc = MsnbcOptions {
            unknown,
            ..MsnbcOptions::new("p")
        };
        let head = match bins {
            Some(_) => "uid,trajectory,position,location,bin,age\n",
            None => "trajectory,position,location,age\n",
        };
        let seq: Reader = Box::new(move |input| read_seq_from(input, &seq).map(drop));
        let spmf: Reader = Box::new(move |input| read_spmf_from(input, &spmf).map(drop));
        let visits: Reader = Box::new(move |input| read_visits_from(input, &visits).map(drop));
        let msnbc: Reader = Box::new(move |input| read_msnbc_from(input, &msnbc).map(drop));
        all.extend([("\n", seq), ("-2\n", spmf), (head, visits), ("\n", msnbc)]);
    }
    all
}

fn feed(bytes: &[u8]) {
    for (head, reader) in readers() {
        for start in ["", head] {
            let whole = [start.as_bytes(), bytes].concat();
            if let Ok(input) = Input::from_reader("x", Cursor::new(whole)) {
                let _ = reader(input);
            }
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        feed(&bytes);
    }

    #[test]
    fn arbitrary_syntax_never_panics(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "1", "17", "18", "A", "0", "-1", "-2", "-3", "<1>", "<", ">", "@", "%", "%4", "#",
                "@ITEM=", "=", ":", " : ", "\"", "\"\"", ",", ";", " ", "\t", "\n", "\r\n", "\r",
                "\0", "\u{feff}", "é", "99999999999999999999", "1e999", "frontpage", "1,1,A,", "p,",
            ]),
            0..30,
        ),
    ) {
        feed(pieces.concat().as_bytes());
    }
}

/// Endless text that counts what was taken of it.
struct Counted<R> {
    bytes: R,
    taken: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let taken = self.bytes.read(buffer)?;
        self.taken.fetch_add(taken as u64, Ordering::Relaxed);
        Ok(taken)
    }
}

#[test]
fn a_line_beyond_the_limit_is_not_read_to_its_end() {
    for byte in [b'1', b' ', b'"', b'\r', 0] {
        for (head, reader) in readers() {
            let taken = Arc::new(AtomicU64::new(0));
            let start = Cursor::new(head.as_bytes().to_vec());
            let bytes = start.chain(std::io::repeat(byte).take(1 << 40));
            let counted = Counted {
                bytes,
                taken: taken.clone(),
            };
            let error = reader(Input::from_reader("x", counted).unwrap()).unwrap_err();
            assert!(error.message().contains("longer than"), "{error}");
            assert_eq!(error.place().unwrap().line, Some(2), "{error}");
            let taken = taken.load(Ordering::Relaxed);
            assert!(taken < 17 << 20, "{taken} bytes were read");
        }
    }
}
