//! First guesses: where trajectories begin and end, and how often they leave what was released.

use super::automaton::Automaton;

/// The least share of a location's count that any of its flows weighs: whatever is fitted as a ratio
/// must not begin at nothing.
const LEAST: f64 = 0.01;

/// Numbers of clients, by single location (node less one).
#[derive(Clone, Debug)]
pub(super) struct Flows {
    /// Clients that begin there.
    pub(super) begin: Vec<f64>,
    /// Clients that end there.
    pub(super) end: Vec<f64>,
    /// Clients that go on from there in a way that was not released.
    pub(super) leave: Vec<f64>,
    /// Clients that come there in a way that was not released, for their proportions.
    pub(super) arrive: Vec<f64>,
    /// Clients that hold none of the locations.
    pub(super) nowhere: f64,
}

impl Flows {
    /// The slacks, brought to one beginning and one end for each client: what is missing is spread by
    /// counts; what is too much leaves and arrives by ways that were not released.
    pub(super) fn guess(automaton: &Automaton) -> Self {
        let singles = automaton.singles();
        let counts: Vec<f64> = (automaton.nodes()[1..=singles].iter())
            .map(|node| node.count as f64)
            .collect();
        let (mut onward, mut inward) = (vec![0.0; singles], vec![0.0; singles]);
        for node in automaton.nodes().iter().filter(|node| node.length == 2) {
            onward[node.parent as usize - 1] += node.count as f64;
            inward[node.link as usize - 1] += node.count as f64;
        }
        let clients = automaton.clients() as f64;
        let held: f64 = counts.iter().sum();
        let somewhere = clients.min(held);
        let (end, leave) = split(&counts, &onward, somewhere, held);
        let (begin, arrive) = split(&counts, &inward, somewhere, held);
        let at_least = |values: Vec<f64>| -> Vec<f64> {
            let pairs = values.iter().zip(&counts);
            pairs
                .map(|(value, count)| value.max(LEAST * count))
                .collect()
        };
        Self {
            begin: at_least(begin),
            end: at_least(end),
            leave: at_least(leave),
            arrive: at_least(arrive),
            nowhere: (clients - held).max(LEAST * clients),
        }
    }
}

/// Slacks as ends of `total` clients and the rest.
fn split(counts: &[f64], onward: &[f64], total: f64, held: f64) -> (Vec<f64>, Vec<f64>) {
    let slack = |(count, onward): (&f64, &f64)| (count - onward).max(0.0);
    let slacks: Vec<f64> = counts.iter().zip(onward).map(slack).collect();
    let sum: f64 = slacks.iter().sum();
    if sum > total {
        let ends = |slack: &f64| slack * total / sum;
        let rest = |slack: &f64| slack - slack * total / sum;
        (
            slacks.iter().map(ends).collect(),
            slacks.iter().map(rest).collect(),
        )
    } else {
        let filled = |(slack, count): (&f64, &f64)| slack + (total - sum) * count / held.max(1.0);
        let ends = slacks.iter().zip(counts).map(filled).collect();
        (ends, vec![0.0; counts.len()])
    }
}
