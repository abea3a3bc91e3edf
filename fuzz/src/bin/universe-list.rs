//! Fuzzes `wayveil_fuzzing::targets::universe_list`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::universe_list::TARGET);
