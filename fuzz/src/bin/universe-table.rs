//! Fuzzes `wayveil_fuzzing::targets::universe_table`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::universe_table::TARGET);
