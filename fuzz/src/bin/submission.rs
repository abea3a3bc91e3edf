//! Fuzzes `wayveil_fuzzing::targets::submission`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::submission::TARGET);
