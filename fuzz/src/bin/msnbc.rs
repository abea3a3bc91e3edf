//! Fuzzes `wayveil_fuzzing::targets::msnbc`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::msnbc::TARGET);
