//! What every parser must keep to on any bytes.
//!
//! A [`Target`] is a parser with what must hold whatever it is given: no panic, no failure of the
//! machine, and where it accepts its input, that what was read can be written and read again. Two
//! runners share the targets: `cargo xtask fuzz` (coverage-guided, see `docs/fuzzing.md`) and the
//! tests of this crate (every seed, every input that once failed, and some thousand mutations).
//!
//! To add a target: a module in [`targets`] with a `TARGET`, its line in [`ALL`], and a file of four
//! lines in `fuzz/src/bin`. A test tells when one of them is missing.

pub mod mutate;
pub mod targets;

mod check;
mod list;
mod samples;
mod scratch;
mod tables;
mod target;
mod visits;

pub use check::is_caught_by_reader;
pub use list::ALL;
pub use target::Target;
