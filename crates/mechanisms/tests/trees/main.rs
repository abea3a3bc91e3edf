//! The trees through the one door.

mod common;
mod counted;
mod hybrid_tree;
mod prefix_tree;
