//! Fuzzes `wayveil_fuzzing::targets::wkb`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::wkb::TARGET);
