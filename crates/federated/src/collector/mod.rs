//! The collector.
