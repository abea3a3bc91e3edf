//! Fuzzes `wayveil_fuzzing::targets::token_order`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::token_order::TARGET);
