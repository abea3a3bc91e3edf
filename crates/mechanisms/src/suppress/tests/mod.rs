//! Hand-worked examples, and everything fast against brute force.

mod brute;
mod by_record;
mod enumeration;
mod examples;
mod extremes;
mod greedy;
mod maximal;
mod random;
