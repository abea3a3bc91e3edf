//! Fuzzes `wayveil_fuzzing::targets::release`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::release::TARGET);
