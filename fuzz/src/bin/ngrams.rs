//! Fuzzes `wayveil_fuzzing::targets::ngrams`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::ngrams::TARGET);
