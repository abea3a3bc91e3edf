//! Fuzzes `wayveil_fuzzing::targets::budget`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::budget::TARGET);
