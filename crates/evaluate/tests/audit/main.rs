//! The auditor before mechanisms that keep their promise and mechanisms that do not.

mod approximate;
mod federated;
mod generalize;
mod leaks;
mod leaky;
mod local;
mod trees;
mod weave;
