//! Fuzzes `wayveil_fuzzing::targets::seq`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::seq::TARGET);
