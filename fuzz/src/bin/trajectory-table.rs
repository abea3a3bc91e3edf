//! Fuzzes `wayveil_fuzzing::targets::trajectory_table`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::trajectory_table::TARGET);
