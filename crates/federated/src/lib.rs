//! Counting fragments of trajectories that stay with their owners.

mod baselines;
mod campaign;
mod client;
mod collector;
mod decide;
mod message;
mod simulate;
pub mod synthesis;
