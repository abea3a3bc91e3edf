//! Fuzzes `wayveil_fuzzing::targets::spmf`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::spmf::TARGET);
