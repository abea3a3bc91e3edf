//! Fuzzes `wayveil_fuzzing::targets::gtfs`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::gtfs::TARGET);
