//! Fuzzes `wayveil_fuzzing::targets::input`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::input::TARGET);
