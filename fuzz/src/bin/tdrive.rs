//! Fuzzes `wayveil_fuzzing::targets::tdrive`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::tdrive::TARGET);
