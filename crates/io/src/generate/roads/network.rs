//! A road network in a form to move on: one connected piece, in whole units.

use wayveil_core::{Error, Origin, Result};

use super::Grid;

/// Coordinates and lengths are kept in millionths of the files' unit.
pub(super) const UNIT: f64 = 1e6;
/// The box of degrees on which the longer side of every network's box is laid: south, west, and
/// the extent north and east. What coordinates a file uses is not known, so these are made up.
const SOUTH: f64 = 53.1;
const WEST: f64 = 8.14;
const NORTHWARD: f64 = 0.09;
const EASTWARD: f64 = 0.15;

/// What was left out of a given network, because nothing can move on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Edges from a vertex to itself.
    pub self_loops: u64,
    /// Edges between vertices that a shorter or equal edge connects already.
    pub parallel_edges: u64,
    /// Vertices that do not belong to the largest connected piece.
    pub vertices_apart: u64,
    /// Edges between those.
    pub edges_apart: u64,
}

/// An edge as written: two vertices and a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) length: u64,
}

/// A connected road network; its edges can be used both ways.
#[derive(Debug)]
pub struct RoadNetwork {
    /// Positions of the vertices, from the box's lower left corner.
    at: Vec<(i64, i64)>,
    width: i64,
    height: i64,
    /// The edges of vertex `v` are `ends[starts[v]..starts[v + 1]]`, as other end and length.
    starts: Vec<u32>,
    ends: Vec<(u32, u64)>,
    given: bool,
    left_out: LeftOut,
}

impl RoadNetwork {
    /// Keeps the largest connected piece (of equally large ones, the one with the first vertex)
    /// and the shortest edge between two vertices.
    pub(super) fn new(at: &[(i64, i64)], mut edges: Vec<Edge>, given: bool) -> Result<Self> {
        let mut left_out = LeftOut::default();
        let all = edges.len();
        edges.retain(|edge| edge.from != edge.to);
        left_out.self_loops = (all - edges.len()) as u64;
        for edge in &mut edges {
            (edge.from, edge.to) = (edge.from.min(edge.to), edge.from.max(edge.to));
        }
        edges.sort_unstable();
        let all = edges.len();
        edges.dedup_by_key(|edge| (edge.from, edge.to));
        left_out.parallel_edges = (all - edges.len()) as u64;

        let codes = codes_of_largest_piece(at.len(), &edges);
        let kept = codes.iter().flatten().count();
        if kept < 2 {
            return Err(
                Error::input("the road network has no edge between two vertices")
                    .hint("give a network of at least two connected vertices"),
            );
        }
        left_out.vertices_apart = (at.len() - kept) as u64;
        let inside: Vec<Edge> = edges
            .iter()
            .filter_map(|edge| {
                let (from, to) = (codes[edge.from as usize]?, codes[edge.to as usize]?);
                Some(Edge { from, to, ..*edge })
            })
            .collect();
        left_out.edges_apart = (edges.len() - inside.len()) as u64;
        let at = at
            .iter()
            .zip(&codes)
            .filter_map(|(at, code)| code.map(|_| *at));
        Self::connected(at.collect(), &inside, given, left_out)
    }

    fn connected(
        mut at: Vec<(i64, i64)>,
        edges: &[Edge],
        given: bool,
        left_out: LeftOut,
    ) -> Result<Self> {
        let bounds = |values: &mut dyn Iterator<Item = i64>| {
            values.fold((i64::MAX, i64::MIN), |(low, high), value| {
                (low.min(value), high.max(value))
            })
        };
        let (left, right) = bounds(&mut at.iter().map(|at| at.0));
        let (bottom, top) = bounds(&mut at.iter().map(|at| at.1));
        if left == right && bottom == top {
            return Err(
                Error::input("all vertices of the road network lie at one place")
                    .hint("check the columns of vertices.txt: id, x, y"),
            );
        }
        for (x, y) in &mut at {
            (*x, *y) = (*x - left, *y - bottom);
        }
        let mut degrees = vec![0u32; at.len() + 1];
        for edge in edges {
            degrees[edge.from as usize + 1] += 1;
            degrees[edge.to as usize + 1] += 1;
        }
        for vertex in 1..degrees.len() {
            degrees[vertex] += degrees[vertex - 1];
        }
        let starts = degrees.clone();
        let mut ends = vec![(0, 0); 2 * edges.len()];
        for edge in edges {
            for (here, there) in [(edge.from, edge.to), (edge.to, edge.from)] {
                let place = &mut degrees[here as usize];
                ends[*place as usize] = (there, edge.length);
                *place += 1;
            }
        }
        Ok(Self {
            at,
            width: right - left + 1,
            height: top - bottom + 1,
            starts,
            ends,
            given,
            left_out,
        })
    }

    /// How many vertices there are; at least two.
    pub fn vertices(&self) -> usize {
        self.at.len()
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.ends.len() / 2
    }

    /// What the files had besides.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// The other end and the length of each edge at a vertex.
    pub(super) fn edges_at(&self, vertex: u32) -> &[(u32, u64)] {
        let vertex = vertex as usize;
        &self.ends[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// The mean length of an edge.
    pub(super) fn mean_edge(&self) -> u64 {
        let all: u64 = self.ends.iter().map(|&(_, length)| length).sum();
        all / self.ends.len().max(1) as u64
    }

    /// The cell of every vertex.
    pub(super) fn cells(&self, grid: Grid) -> Vec<u32> {
        let cell = |&(x, y): &(i64, i64)| grid.cell(x, y, self.width, self.height);
        self.at.iter().map(cell).collect()
    }

    /// The cell of the point on an edge that divides it as `gone` divides `length`.
    pub(super) fn cell_between(
        &self,
        grid: Grid,
        one: u32,
        other: u32,
        gone: u64,
        length: u64,
    ) -> u32 {
        let ((x, y), (to_x, to_y)) = (self.at[one as usize], self.at[other as usize]);
        let between = |from: i64, to: i64| {
            let part = i128::from(to - from) * i128::from(gone) / i128::from(length.max(1));
            from + part as i64
        };
        let (x, y) = (between(x, to_x), between(y, to_y));
        grid.cell(x, y, self.width, self.height)
    }

    /// The made-up box of degrees under the network's box, in its proportions.
    pub(super) fn area(&self) -> [f64; 4] {
        let longer = self.width.max(self.height) as f64;
        let north = SOUTH + NORTHWARD * self.height as f64 / longer;
        let east = WEST + EASTWARD * self.width as f64 / longer;
        [SOUTH, WEST, north, east]
    }

    /// Where a grid over the network came from.
    pub(super) fn origin(&self, grid: Grid) -> Origin {
        let network = match self.given {
            true => format!(
                "a given network of {} vertices and {} edges",
                self.vertices(),
                self.edges()
            ),
            false => "its own network".to_owned(),
        };
        Origin::Declared(format!(
            "generator oldenburg, {} rows and {} columns over {network}",
            grid.rows, grid.columns
        ))
    }
}

/// New codes for the vertices of the largest piece, in the old order; none for all others.
fn codes_of_largest_piece(vertices: usize, edges: &[Edge]) -> Vec<Option<u32>> {
    let mut parent: Vec<u32> = (0..vertices as u32).collect();
    fn root(parent: &mut [u32], mut vertex: u32) -> u32 {
        while parent[vertex as usize] != vertex {
            parent[vertex as usize] = parent[parent[vertex as usize] as usize];
            vertex = parent[vertex as usize];
        }
        vertex
    }
    for edge in edges {
        let (one, other) = (root(&mut parent, edge.from), root(&mut parent, edge.to));
        parent[one.max(other) as usize] = one.min(other);
    }
    let mut sizes = vec![0u32; vertices];
    for vertex in 0..vertices as u32 {
        sizes[root(&mut parent, vertex) as usize] += 1;
    }
    // The root of a piece is its first vertex; of equal sizes the first one stays.
    let largest = (0..vertices).rev().max_by_key(|&vertex| sizes[vertex]);
    let largest = largest.unwrap_or(0) as u32;
    let mut next = 0;
    (0..vertices as u32)
        .map(|vertex| {
            (root(&mut parent, vertex) == largest).then(|| {
                next += 1;
                next - 1
            })
        })
        .collect()
}
