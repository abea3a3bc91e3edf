//! Shortest ways to one destination from everywhere (Dijkstra 1959), in whole units.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::RoadNetwork;

const FAR: u64 = u64::MAX;

/// The ways to the destination asked for last; buffers are kept.
pub(super) struct Ways<'a> {
    network: &'a RoadNetwork,
    /// How far each vertex is from the destination.
    distance: Vec<u64>,
    /// The next vertex on the way, and how far it is.
    next: Vec<Option<(u32, u64)>>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<'a> Ways<'a> {
    pub(super) fn new(network: &'a RoadNetwork) -> Self {
        Self {
            network,
            distance: vec![FAR; network.vertices()],
            next: vec![None; network.vertices()],
            queue: BinaryHeap::new(),
        }
    }

    /// Finds the ways to a destination. Of equally short ones, which one it is depends on the
    /// network alone.
    pub(super) fn lead_to(&mut self, destination: u32) {
        self.distance.fill(FAR);
        self.next.fill(None);
        self.distance[destination as usize] = 0;
        self.queue.clear();
        self.queue.push(Reverse((0, destination)));
        while let Some(Reverse((distance, here))) = self.queue.pop() {
            if distance > self.distance[here as usize] {
                continue;
            }
            for &(there, length) in self.network.edges_at(here) {
                let through = distance + length;
                if through < self.distance[there as usize] {
                    self.distance[there as usize] = through;
                    self.next[there as usize] = Some((here, length));
                    self.queue.push(Reverse((through, there)));
                }
            }
        }
    }

    /// The next vertex on the way and its distance; none at the destination.
    pub(super) fn onward(&self, vertex: u32) -> Option<(u32, u64)> {
        self.next[vertex as usize]
    }

    #[cfg(test)]
    pub(super) fn distance(&self, vertex: u32) -> u64 {
        self.distance[vertex as usize]
    }
}
