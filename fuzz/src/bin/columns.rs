//! Fuzzes `wayveil_fuzzing::targets::columns`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::columns::TARGET);
