//! Every client by itself, in parallel, without keeping any of them.

use core::num::NonZeroU64;

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{RandomSource, Result};
use wayveil_noise::{Stream, binomial_ratio};

use super::{Clients, Options, Part};
use crate::campaign::Campaign;
use crate::client::{Prepared, answer};
use crate::collector::{Collector, Findings, Round, Tally};

/// Clients that are simulated together, about; each such piece has a stream of its own, so that
/// results do not depend on the number of threads.
const PIECE: u64 = 1 << 17;

/// Runs a campaign, each client's answer by the client's own code.
pub fn per_client(
    campaign: Campaign,
    clients: &Clients<'_>,
    options: &Options,
    source: &mut RandomSource,
) -> Result<Findings> {
    let honest = |question: Prepared<'_>, trajectory: &[u32], rng: &mut Stream| {
        answer(question, trajectory, rng)
    };
    run(campaign, clients, options, source, honest, |_, tally| {
        tally.clone()
    })
}

/// The floor of benchmarks: the same campaign, but every client only checks its trajectory; the noise
/// of all clients of a block is drawn at once, so that the rounds have the same law. Only the number
/// of clients asked is returned.
pub fn check_only(
    campaign: Campaign,
    clients: &Clients<'_>,
    source: &mut RandomSource,
) -> Result<u64> {
    let truthful =
        |question: Prepared<'_>, trajectory: &[u32], _: &mut Stream| question.truth(trajectory);
    let mut rng = source.stream();
    let noisy = |round: &Round, truth: &Tally| {
        let mut tally = round.tally();
        for block in 0..round.blocks() {
            let answers = truth.answers(block);
            let noisy = |&yes| {
                round
                    .response(block)
                    .yes_among(yes, answers - yes, &mut rng)
            };
            let yes: Vec<u64> = truth.yes(block).iter().map(noisy).collect();
            tally.add_many(block, answers, &yes);
        }
        tally
    };
    let findings = run(
        campaign,
        clients,
        &Options::default(),
        source,
        truthful,
        noisy,
    )?;
    Ok(findings.traffic.clients)
}

/// Records whose clients are simulated by one stream.
struct Piece {
    first: usize,
    /// For each record, how many of its clients were in no round yet.
    left: Vec<u64>,
    stream: Stream,
}

fn run(
    campaign: Campaign,
    clients: &Clients<'_>,
    options: &Options,
    source: &mut RandomSource,
    respond: impl Fn(Prepared<'_>, &[u32], &mut Stream) -> u64 + Sync,
    mut finish: impl FnMut(&Round, &Tally) -> Tally,
) -> Result<Findings> {
    clients.check(&campaign)?;
    options.check()?;
    let mut pieces = pieces(clients, source);
    let mut collector = Collector::new(campaign)?;
    // The part of all clients that were in no round yet.
    let mut rest = u64::MAX;
    while let Some(round) = collector.open() {
        let width = collector.campaign().schedule().width(round.index());
        let visit = Visit {
            clients,
            round,
            width,
            rest: NonZeroU64::new(rest),
            drop_out: Part::of(options.drop_out),
            poison: Part::of(options.poison),
        };
        let tally = pieces
            .par_iter_mut()
            .fold(
                || round.tally(),
                |tally, piece| visit.piece(piece, tally, &respond),
            )
            .reduce_with(|a, b| a.merged(&b));
        rest -= width;
        if let Some(tally) = tally {
            let tally = finish(round, &tally);
            collector.merge(&tally)?;
        }
        collector.close()?;
    }
    Ok(collector.finish())
}

fn pieces(clients: &Clients<'_>, source: &mut RandomSource) -> Vec<Piece> {
    let records = clients.records.len();
    let in_piece = PIECE
        .div_ceil(clients.per_record.max(1))
        .min(records as u64)
        .max(1) as usize;
    (0..records)
        .step_by(in_piece)
        .map(|first| Piece {
            first,
            left: vec![clients.per_record; in_piece.min(records - first)],
            stream: source.stream(),
        })
        .collect()
}

/// What is done with the clients of one round.
struct Visit<'a> {
    clients: &'a Clients<'a>,
    round: &'a Round,
    width: u64,
    rest: Option<NonZeroU64>,
    drop_out: Part,
    poison: Part,
}

impl Visit<'_> {
    fn piece(
        &self,
        piece: &mut Piece,
        mut tally: Tally,
        respond: &impl Fn(Prepared<'_>, &[u32], &mut Stream) -> u64,
    ) -> Tally {
        let Some(rest) = self.rest else {
            return tally;
        };
        let rng = &mut piece.stream;
        for (record, left) in (piece.first..).zip(&mut piece.left) {
            let here = binomial_ratio(*left, self.width, rest, rng);
            *left -= here;
            let trajectory = self.clients.records.codes_of(record);
            for _ in 0..here {
                if !self.drop_out.is_none() && self.drop_out.has(rng.next_u64()) {
                    continue;
                }
                let block = self.round.block_of(rng.next_u64());
                let lies = !self.poison.is_none() && self.poison.has(rng.next_u64());
                let bits = match lies {
                    true => u64::MAX >> (64 - self.round.members(block).len()),
                    false => respond(self.round.prepared(block), trajectory, rng),
                };
                tally.add(block, bits);
            }
        }
        tally
    }
}
