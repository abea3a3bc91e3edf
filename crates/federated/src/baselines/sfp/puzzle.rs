//! From frequent pieces to candidate words.

use super::sketch::{HashFunctions, Sketch};
use super::words::{Alphabet, HASHES};

/// Pieces of a position that are used at most, the most frequent ones; a guard against noise.
const MOST_PIECES: usize = 4096;

/// An estimate must be this many standard errors above zero.
pub(super) const SIGNIFICANT: f64 = 3.0;

/// The hash that joins the pieces of a word: the one column function of a family of width 256.
pub(super) fn joining_hash(joining: &HashFunctions, word: u64) -> u64 {
    joining.column(0, word) as u64
}

/// The pieces of a position with at least `least` estimated reports, by hash.
pub(super) fn frequent_pieces(
    alphabet: &Alphabet,
    position: usize,
    sketch: &Sketch,
    hashes: &HashFunctions,
    least: f64,
) -> Vec<Vec<u64>> {
    let pieces = alphabet.possible_pieces(position);
    let keys: Vec<(u64, u64)> = (0..HASHES)
        .flat_map(|hash| pieces.iter().map(move |&piece| (hash, piece)))
        .collect();
    let values: Vec<u64> = (keys.iter())
        .map(|&(hash, piece)| alphabet.with_hash(hash, piece))
        .collect();
    let found = sketch.frequencies(hashes, &values);
    let mut frequent: Vec<(f64, u64, u64)> = (found.into_iter().zip(keys))
        .filter(|(found, _)| found.count >= least.max(SIGNIFICANT * found.standard_error))
        .map(|(found, (hash, piece))| (found.count, hash, piece))
        .collect();
    frequent.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    frequent.truncate(MOST_PIECES);
    let mut by_hash = vec![Vec::new(); HASHES as usize];
    for (_, hash, piece) in frequent {
        by_hash[hash as usize].push(piece);
    }
    by_hash
}

/// All words whose pieces, one of each position, were frequent with the hash that the word has.
pub(super) fn join(
    alphabet: &Alphabet,
    joining: &HashFunctions,
    positions: &[Vec<Vec<u64>>],
) -> Vec<u64> {
    let mut candidates = Vec::new();
    for hash in 0..HASHES {
        let lists: Vec<&Vec<u64>> = positions.iter().map(|p| &p[hash as usize]).collect();
        if lists.iter().any(|list| list.is_empty()) {
            continue;
        }
        let mut chosen = vec![0; lists.len()];
        loop {
            let pieces = chosen.iter().zip(&lists).map(|(&i, list)| list[i]);
            let word = alphabet.joined(pieces);
            if joining_hash(joining, word) == hash {
                candidates.push(word);
            }
            // The next choice, as an odometer counts.
            let Some(wheel) = (0..chosen.len()).find(|&i| chosen[i] + 1 < lists[i].len()) else {
                break;
            };
            chosen[wheel] += 1;
            chosen[..wheel].fill(0);
        }
    }
    candidates.sort_unstable();
    candidates
}
