//! Fuzzes `wayveil_fuzzing::targets::porto`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::porto::TARGET);
