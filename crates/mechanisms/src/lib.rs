//! Wayveil's mechanisms.
//!
//! Each has a folder: its code, its guarantee and why it holds, its tests. All of them stand in
//! one static list, [`ALL`], from which the command line, the documentation and other bindings
//! are made.

mod baseline;
pub mod fastpub;
mod fragments;
pub mod generalize;
mod here;
pub mod hybrid_tree;
mod list;
mod parameters;
pub mod prefix_tree;
pub mod sfp;
mod simulated;
pub mod suppress;
pub mod tree;
pub mod triehh;
pub mod weave;

pub use fragments::Asked;
pub use list::{ALL, Entry, find};
pub use parameters::{DELTA, Parameter, Parameters};
pub use simulated::{SIMULATED, Simulation, Traffic, Wire};
