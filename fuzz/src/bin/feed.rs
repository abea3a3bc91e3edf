//! Fuzzes `wayveil_fuzzing::targets::feed`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::feed::TARGET);
