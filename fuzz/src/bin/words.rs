//! Fuzzes `wayveil_fuzzing::targets::words`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::words::TARGET);
