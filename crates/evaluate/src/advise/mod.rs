//! Which method, which parameters, which ε: advice for whoever must choose.
//!
//! A steward knows what the release is for and how wrong it may be. This engine tries methods out on
//! data that resembles theirs and says what would serve. What the resembling data is made of decides
//! what the advice costs; there are three sources, and none is ever mixed with another unasked:
//!
//! | source | arenas are | what it costs |
//! | --- | --- | --- |
//! | [`Source::Facts`] | made up from [`Facts`]: universe, time axis, sizes that one would say in public | nothing |
//! | [`Source::Release`] | drawn from trajectories that were released already | nothing more |
//! | [`Source::Raw`] | the raw data itself | the guarantee becomes conditional on the choice |
//!
//! **Why the first touches no raw row.** [`Facts`] has no place for one: it holds the public inputs and
//! numbers that were typed in. [`lookalikes`] takes `Facts` and a seed, nothing else; the search takes
//! what it made. Two files with the same public inputs therefore give the same advice, byte for byte.
//! **Why the second costs nothing more.** [`like_release`] takes a [`wayveil_core::Released`], which only a
//! release can be: what is computed from one is post-processing.
//!
//! | module | decides |
//! | --- | --- |
//! | `facts` | what is known, and what is assumed where nothing was said |
//! | `lookalike`, `places`, `like`, `look` | the arenas: made up, from a release, raw |
//! | `arena` | one run of a method in an arena, as an error |
//! | `scale` | how many records a run is of, and by how much ε is raised for it |
//! | `candidates`, `setting` | which settings of which method are tried, and which lie near which |
//! | `search` | successive halving over settings, for each method and ε |
//! | `ladder` | the values of ε, and the least that meets a tolerance |
//! | `truthful` | the strongest (K, C)_L-privacy that a tolerance allows |
//! | `advice` | what comes out, as plain data |

mod advice;
mod arena;
mod candidates;
mod facts;
mod ladder;
mod like;
mod look;
mod lookalike;
mod places;
mod scale;
mod score;
mod search;
mod setting;
mod truthful;

pub use advice::{Advice, LeftOut, Point, Source, Spread, TriedOn};
pub use arena::Arena;
pub use candidates::{Excluded, Method, spaces};
pub use facts::{Assumption, Facts, Sizes};
pub use ladder::{Question, USEFUL, advise, check_question};
pub use like::like_release;
pub use look::look_at;
pub use lookalike::lookalikes;
pub use search::Effort;
pub use truthful::{Sensitive, TruthfulQuestion, advise_truthful};

use rand_core::Rng;
use wayveil_core::RandomSource;

/// The one number that decides all chance in a piece of advice.
pub fn seed_from(random: &mut RandomSource) -> u64 {
    random.stream().next_u64()
}
