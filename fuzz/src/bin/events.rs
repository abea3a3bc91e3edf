//! Fuzzes `wayveil_fuzzing::targets::events`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::events::TARGET);
