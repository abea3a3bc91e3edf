//! Trajectories drawn from released fragments.
//!
//! Post-processing: what is drawn depends on the released counts, on public numbers and on fresh
//! randomness, and on nothing else, so that it costs no privacy.
//!
//! # What fragments say
//!
//! A count S(f) is the number of clients whose trajectory contains f at least once; it is not a
//! number of occurrences. A client that holds a either ends in a or goes on from a, so that with
//! every S(ax) known
//!
//! ```text
//! clients that end in a   ≥ S(a) − Σ_x S(ax)
//! clients that begin in a ≥ S(a) − Σ_x S(xa)
//! ```
//!
//! with equality where nobody visits a twice. Repeats hide occurrences from both sides, and
//! fragments that were not released make the right sides too large. So these *slacks* are only a
//! first guess.
//!
//! # The model
//!
//! A Markov chain of variable order: the next location depends on the longest released fragment that
//! the trajectory so far ends with (at most one shorter than the longest released). From a one may
//! go on to every x with ax released; end; or *jump* to any released location but a, which stands
//! for what was not released. The weight of going on to x is S(ax) times one factor for each longer
//! fragment that then ends there; an extension that was not released has the factor 1, which is the
//! Markov assumption, or less where that would make it about as frequent as the rarest released
//! fragment of its length. A start has a weight, and so has the empty trajectory, which also stands
//! for clients that visited only locations that were not released.
//!
//! # The fit
//!
//! Rounds of trial draws: trajectories are drawn from the model, their supports are counted as S is,
//! and each factor is moved by the ratio of the released count to the drawn one; jumps as a whole by
//! that of all single locations together. Weights of ends and of the empty trajectory stay as guessed; since only ratios matter, every end probability is free
//! to follow, and for a chain of order one there are as many equations as unknowns. What repeats
//! hide is accounted for, as drawn trajectories repeat themselves in the same way.
//!
//! # Conventions
//!
//! - Without any released fragment with a positive count, every drawn trajectory is empty: the
//!   number of clients is public, their locations are not known.
//! - A count of 0 is as good as none; a count above the number of clients is cut to it.
//! - A part of a released fragment that was not released itself is used with the greatest count of
//!   a released fragment around it, which is a lower bound, and is not fitted.
//! - Factors are floating point (sums, products and quotients only, so that they are the same
//!   everywhere); draws are made with integer weights. The result depends on the random source, not
//!   on threads.

mod automaton;
mod draw;
mod fit;
mod flows;
#[cfg(test)]
mod tests;

use wayveil_core::{Error, RandomSource, Result, Sequences};

use automaton::Automaton;
use draw::Tables;
use fit::Model;

/// What is public about the trajectories to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Public {
    /// How many clients the counts are of.
    pub clients: u64,
    /// How many trajectories to draw; as many as clients for supports of the same size.
    pub records: usize,
    /// The size of the universe.
    pub locations: usize,
    /// The greatest length of a trajectory. A draw that reaches it ends there.
    pub longest: usize,
}

/// Draws trajectories that hold the fragments about as often as released.
///
/// `counts` has one entry for each fragment. A fragment that is empty, listed twice or outside the
/// universe is an error.
pub fn synthesise(
    fragments: &Sequences,
    counts: &[u64],
    public: &Public,
    random: &mut RandomSource,
) -> Result<Sequences> {
    check(fragments, counts, public)?;
    let automaton = Automaton::new(fragments, counts, public.clients)?;
    let mut model = Model::new(&automaton);
    if !automaton.is_empty() && public.longest > 0 {
        model.fit(public.records, public.longest, random);
    }
    Ok(Tables::new(&automaton, &model).sequences(public, random))
}

fn check(fragments: &Sequences, counts: &[u64], public: &Public) -> Result<()> {
    if fragments.len() != counts.len() {
        return Err(Error::input(format!(
            "{} released fragments have {} counts",
            fragments.len(),
            counts.len()
        )));
    }
    if fragments.iter().any(<[u32]>::is_empty) {
        return Err(Error::input("a released fragment has no locations"));
    }
    let mut sorted: Vec<&[u32]> = fragments.iter().collect();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Error::input("a fragment is released twice"));
    }
    match fragments
        .codes()
        .iter()
        .find(|&&code| code as usize >= public.locations)
    {
        None => Ok(()),
        Some(code) => Err(Error::input(format!(
            "location code {code} lies outside the universe of {} locations",
            public.locations
        ))),
    }
}
