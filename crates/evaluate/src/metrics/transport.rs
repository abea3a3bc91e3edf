//! The transport problem: the cheapest way to move goods from sources to sinks.

/// The least total cost of moving all `supplies` to the `demands`, whose sums must be equal, when
/// moving one unit from source i to sink j costs `cost(i, j)` ≥ 0.
///
/// Shortest augmenting paths with dual prices, as in the Hungarian method. Amounts are integers, so
/// that nothing is lost or left over; only costs are rounded.
pub(super) fn least_cost(
    supplies: Vec<u128>,
    demands: Vec<u128>,
    cost: impl Fn(usize, usize) -> f64,
) -> f64 {
    let costs: Vec<Vec<f64>> = (0..supplies.len())
        .map(|i| (0..demands.len()).map(|j| cost(i, j)).collect())
        .collect();
    let mut plan = Plan {
        source_price: vec![0.0; supplies.len()],
        sink_price: vec![0.0; demands.len()],
        inflow: vec![Vec::new(); demands.len()],
        supplies,
        demands,
        costs,
    };
    for source in 0..plan.supplies.len() {
        while plan.supplies[source] > 0 {
            let Some(search) = plan.search(source) else {
                break;
            };
            plan.reprice(&search);
            plan.augment(source, &search);
        }
    }
    plan.cost()
}

struct Plan {
    costs: Vec<Vec<f64>>,
    /// What is still to be moved.
    supplies: Vec<u128>,
    demands: Vec<u128>,
    /// By sink: sources with the amounts they send.
    inflow: Vec<Vec<(usize, u128)>>,
    /// Cost − source price − sink price is never negative, and zero where something flows.
    source_price: Vec<f64>,
    sink_price: Vec<f64>,
}

/// Shortest paths, by reduced cost, from one source to the nearest sink with open demand.
struct Search {
    /// Distance of the sources reached, and the sink each was reached through.
    sources: Vec<Option<(f64, Option<usize>)>>,
    /// Distance of the sinks, the source each is reached from, and whether that is final.
    sinks: Vec<(f64, usize, bool)>,
    end: usize,
}

impl Plan {
    fn search(&self, start: usize) -> Option<Search> {
        let mut sources = vec![None; self.supplies.len()];
        let mut sinks = vec![(f64::INFINITY, start, false); self.demands.len()];
        sources[start] = Some((0.0, None));
        let mut reached = vec![start];
        loop {
            for source in reached.drain(..) {
                let from = sources[source].map_or(0.0, |(distance, _)| distance);
                let price = self.source_price[source];
                let costs = self.costs[source].iter().zip(&self.sink_price);
                for (sink, (cost, sink_price)) in sinks.iter_mut().zip(costs) {
                    let distance = from + (cost - price - sink_price).max(0.0);
                    if !sink.2 && distance < sink.0 {
                        (sink.0, sink.1) = (distance, source);
                    }
                }
            }
            let open = sinks.iter().enumerate().filter(|(_, sink)| !sink.2);
            let (nearest, _) = open.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
            sinks[nearest].2 = true;
            if self.demands[nearest] > 0 {
                return Some(Search {
                    sources,
                    sinks,
                    end: nearest,
                });
            }
            for &(source, _) in &self.inflow[nearest] {
                if sources[source].is_none() {
                    sources[source] = Some((sinks[nearest].0, Some(nearest)));
                    reached.push(source);
                }
            }
        }
    }

    fn reprice(&mut self, search: &Search) {
        let length = search.sinks[search.end].0;
        for (price, reached) in self.source_price.iter_mut().zip(&search.sources) {
            if let Some((distance, _)) = reached {
                *price += length - distance;
            }
        }
        for (price, (distance, _, settled)) in self.sink_price.iter_mut().zip(&search.sinks) {
            if *settled {
                *price -= length - distance;
            }
        }
    }

    /// Sends as much as the path can carry.
    fn augment(&mut self, start: usize, search: &Search) {
        // From the end back to the start: (sink, source that sends more, sink it sends less to).
        let mut path = Vec::new();
        let mut amount = self.supplies[start].min(self.demands[search.end]);
        let mut sink = search.end;
        loop {
            let source = search.sinks[sink].1;
            let through = search.sources[source].and_then(|(_, through)| through);
            path.push((sink, source, through));
            let Some(other) = through else { break };
            amount = amount.min(self.flow(source, other));
            sink = other;
        }
        for (sink, source, through) in path {
            match self.inflow[sink].iter_mut().find(|flow| flow.0 == source) {
                Some(flow) => flow.1 += amount,
                None => self.inflow[sink].push((source, amount)),
            }
            if let Some(other) = through {
                for flow in self.inflow[other].iter_mut().filter(|f| f.0 == source) {
                    flow.1 -= amount;
                }
                self.inflow[other].retain(|flow| flow.1 > 0);
            }
        }
        self.supplies[start] -= amount;
        self.demands[search.end] -= amount;
    }

    fn flow(&self, source: usize, sink: usize) -> u128 {
        let mut inflow = self.inflow[sink].iter();
        inflow.find(|flow| flow.0 == source).map_or(0, |f| f.1)
    }

    fn cost(&self) -> f64 {
        let sinks = self.inflow.iter().enumerate();
        sinks
            .flat_map(|(sink, inflow)| inflow.iter().map(move |flow| (flow, sink)))
            .map(|(&(source, amount), sink)| amount as f64 * self.costs[source][sink])
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All ways, for tiny amounts: the first source that has a unit left sends it to any sink.
    fn brute(supplies: &mut [u128], demands: &mut [u128], costs: &[Vec<f64>]) -> f64 {
        let Some(source) = supplies.iter().position(|&left| left > 0) else {
            return 0.0;
        };
        let mut best = f64::INFINITY;
        supplies[source] -= 1;
        for sink in 0..demands.len() {
            if demands[sink] > 0 {
                demands[sink] -= 1;
                best = best.min(costs[source][sink] + brute(supplies, demands, costs));
                demands[sink] += 1;
            }
        }
        supplies[source] += 1;
        best
    }

    #[test]
    fn by_hand() {
        // The greedy choice (0 to 0 for nothing) would force 100.
        let costs = [[0.0, 1.0], [1.0, 100.0]];
        let cost = |i: usize, j: usize| costs[i][j];
        assert_eq!(least_cost(vec![5, 5], vec![5, 5], cost), 10.0);
        assert_eq!(least_cost(vec![6, 4], vec![5, 5], cost), 9.0);
        assert_eq!(least_cost(vec![], vec![], cost), 0.0);
    }

    proptest! {
        #[test]
        fn no_way_is_cheaper(
            units in prop::collection::vec((0usize..4, 0usize..4), 0..7),
            costs in prop::collection::vec(prop::collection::vec(0.0f64..100.0, 4), 4),
        ) {
            let (mut supplies, mut demands) = (vec![0u128; 4], vec![0u128; 4]);
            for (source, sink) in units {
                supplies[source] += 1;
                demands[sink] += 1;
            }
            let found = least_cost(supplies.clone(), demands.clone(), |i, j| costs[i][j]);
            let expected = brute(&mut supplies, &mut demands, &costs);
            prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
        }
    }
}
