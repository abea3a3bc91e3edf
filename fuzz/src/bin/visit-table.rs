//! Fuzzes `wayveil_fuzzing::targets::visit_table`.
#![no_main]

wayveil_fuzz::fuzz!(wayveil_fuzzing::targets::visit_table::TARGET);
