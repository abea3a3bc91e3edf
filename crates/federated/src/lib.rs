//! Counting fragments of trajectories that stay with their owners.

mod baselines;
pub mod campaign;
pub mod client;
pub mod collector;
pub mod decide;
pub mod message;
pub mod simulate;
pub mod synthesis;
