//! The estimates as a whole.
