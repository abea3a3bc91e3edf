//! Fuzzes `wayveil_fuzzing::targets::manifest`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::manifest::TARGET);
