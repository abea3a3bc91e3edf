//! Fuzzes `wayveil_fuzzing::targets::native`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::native::TARGET);
