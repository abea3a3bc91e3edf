//! Fuzzes `wayveil_fuzzing::targets::dates`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::dates::TARGET);
