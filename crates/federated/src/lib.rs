//! Counting fragments of trajectories that stay with their owners.
//!
//! A *campaign* is public: which locations there are, how long fragments may be, how many clients
//! take part, what each of them gives away at most. The *collector* asks each client at most one
//! question, the *client* answers it with noise of its own, and what many answers say is published.
//! Nothing in here has a clock, a network or randomness that was not handed in: the same code stands
//! behind a simulation and behind a service.
//!
//! | module | |
//! | --- | --- |
//! | [`campaign`] | public parameters, and which clients are asked when |
//! | [`message`] | what passes between client and collector, and its size |
//! | [`client`] | the rules of answering, and why an answer is ε-locally private |
//! | [`collector`] | candidates, rounds, decisions, counts |
//! | [`decide`] | the statistics behind decisions: exact tests, many tests at once, consistent counts |
//! | [`simulate`] | whole campaigns on one machine |
//! | [`baselines`] | two other ways to the same end, for comparison |
//! | [`synthesis`] | trajectories drawn from what was published |

pub mod baselines;
pub mod campaign;
pub mod client;
pub mod collector;
pub mod decide;
pub mod message;
pub mod simulate;
pub mod synthesis;
