//! Counting fragments of trajectories that stay with their owners.

mod baselines;
pub mod campaign;
pub mod client;
mod collector;
mod decide;
pub mod message;
mod simulate;
mod synthesis;
