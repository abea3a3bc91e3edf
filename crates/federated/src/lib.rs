//! Counting fragments of trajectories that stay with their owners.

pub mod baselines;
mod campaign;
mod client;
mod collector;
mod decide;
mod message;
mod simulate;
mod synthesis;
