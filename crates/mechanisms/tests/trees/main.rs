//! The trees through the one door.

mod common;
mod hybrid_tree;
mod prefix_tree;
