//! The collector under load: whole campaigns of real clients over TLS on the loopback, and how many
//! answers it takes beside a handler that does nothing.
//!
//! The service is the real program in a process of its own, so that it can be killed and measured.
//! The clients are those of `wayveil-client`, each request over a connection of its own.

pub mod answers;
pub mod campaign;
mod line;
mod memory_disk;
mod people;
mod process;
mod replay;
mod scene;

pub use campaign::Plan;
pub use process::PRODUCT;
