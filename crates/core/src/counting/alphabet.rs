//! Locations and time bins as one kind of symbol.

/// How locations and time bins become symbols.
///
/// A symbol is `bin · locations + location`. Along a path bins never decrease, so that the
/// symbols of the same bin and of later ones may follow a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alphabet {
    locations: u32,
    bins: u32,
}

impl Alphabet {
    /// An alphabet of `locations × bins` symbols, or none where they do not fit 32 bits.
    pub fn new(locations: usize, bins: u32) -> Option<Self> {
        let locations = u32::try_from(locations).ok()?;
        locations.checked_mul(bins.max(1))?;
        Some(Self {
            locations,
            bins: bins.max(1),
        })
    }

    /// How many symbols there are.
    pub fn symbols(self) -> u32 {
        self.locations * self.bins
    }

    /// How many locations there are.
    pub fn locations(self) -> u32 {
        self.locations
    }

    /// How many bins there are; 1 in untimed data.
    pub fn bins(self) -> u32 {
        self.bins
    }

    /// The symbol of a location in a bin.
    pub fn symbol(self, location: u32, bin: u32) -> u32 {
        bin * self.locations + location
    }

    /// The location of a symbol.
    pub fn location(self, symbol: u32) -> u32 {
        symbol % self.locations
    }

    /// The bin of a symbol.
    pub fn bin(self, symbol: u32) -> u32 {
        symbol / self.locations
    }

    /// The first bin that may follow on a path; 0 at the root.
    pub fn first_bin(self, after: Option<u32>) -> u32 {
        after.map_or(0, |symbol| self.bin(symbol))
    }
}
