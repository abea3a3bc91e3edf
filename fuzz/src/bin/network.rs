//! Fuzzes `wayveil_fuzzing::targets::network`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::network::TARGET);
