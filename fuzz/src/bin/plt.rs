//! Fuzzes `wayveil_fuzzing::targets::plt`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::plt::TARGET);
