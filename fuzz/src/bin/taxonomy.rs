//! Fuzzes `wayveil_fuzzing::targets::taxonomy`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::taxonomy::TARGET);
