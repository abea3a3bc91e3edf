//! Fuzzes `wayveil_fuzzing::targets::adatrace`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::adatrace::TARGET);
