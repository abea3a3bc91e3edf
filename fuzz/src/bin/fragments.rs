//! Fuzzes `wayveil_fuzzing::targets::fragments`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::fragments::TARGET);
