//! Fuzzes `wayveil_fuzzing::targets::parameters`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::parameters::TARGET);
