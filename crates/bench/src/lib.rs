//! Speed and memory as ratios.
//!
//! A time in seconds says more about the machine than about the program. Here ours and a peer (or a
//! floor: the least work that any program must do) run in turn, in one process and for several
//! rounds, so that a slow minute of the machine hits both; what is reported is the ratio of medians.
//!
//! A benchmark is a module in [`benchmarks`] and an entry in [`benchmarks::ALL`]. The long audit and the
//! experiments of three papers, which measure no speed but take as long, live here too: [`audits`],
//! [`figures`] of suppression, [`taxis`] of generalising, [`fastpub`] of federated counting. So do those on
//! [`advice`], on [`weave`], on what it says of its own error ([`weave_errors`]) and on GPS trips ([`weave_gps`]).
//! [`record`] keeps what benchmarks have measured and writes the page about it, with the exponents of [`growth`].
//! With feature `collector` there is the collector under load, run by `wayveil-load`.

pub mod advice;
pub mod audits;
pub mod benchmarks;
#[cfg(feature = "collector")]
pub mod collector;
pub mod fastpub;
pub mod figures;
pub mod growth;
pub mod memory;
mod msnbc;
pub mod plot;
pub mod record;
pub mod report;
pub mod rounds;
pub mod taxis;
pub mod weave;
pub mod weave_errors;
pub mod weave_gps;
