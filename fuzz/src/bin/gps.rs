//! Fuzzes `wayveil_fuzzing::targets::gps`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::gps::TARGET);
