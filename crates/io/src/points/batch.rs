//! Points that are placed many at a time.

use std::sync::Arc;

use wayveil_core::Result;

use crate::events::{InvalidPoints, PointCounts, Swapped};
use crate::place::Places;
use crate::summary::ImportSummary;
use crate::universe::Located;
use crate::visits::{Arrangement, Gatherer, Imported};

/// Points that wait for being placed together.
const TOGETHER: usize = 1 << 16;

/// Hands points to a gatherer as visits of locations.
pub(crate) struct PointBatch {
    gatherer: Gatherer,
    places: Arc<Places>,
    invalid: InvalidPoints,
    rows: Vec<(u32, u32, i64)>,
    points: Vec<(f64, f64)>,
    codes: Vec<u32>,
    counts: PointCounts,
}

impl PointBatch {
    pub(crate) fn new(gatherer: Gatherer, places: &Arc<Places>, invalid: InvalidPoints) -> Self {
        Self {
            gatherer,
            places: places.clone(),
            invalid,
            rows: Vec::new(),
            points: Vec::new(),
            codes: Vec::new(),
            counts: PointCounts::default(),
        }
    }

    pub(crate) fn gatherer(&mut self) -> &mut Gatherer {
        &mut self.gatherer
    }

    /// Takes a point. Its error comes back unless such points are to be left out.
    pub(crate) fn push(
        &mut self,
        (owner, trip, time): (u32, u32, i64),
        point: Result<(f64, f64)>,
    ) -> Result<()> {
        let point = match point {
            Ok(point) => point,
            Err(error) if self.invalid == InvalidPoints::Error => return Err(error),
            Err(_) => {
                self.counts.invalid += 1;
                (f64::NAN, f64::NAN)
            }
        };
        self.rows.push((owner, trip, time));
        self.points.push(point);
        if self.rows.len() == TOGETHER {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.codes.clear();
        self.counts
            .place_batch(&self.places, &mut self.points, &mut self.codes);
        for (&(owner, trip, time), &code) in self.rows.iter().zip(&self.codes) {
            self.gatherer.push(owner, trip, time, code)?;
        }
        self.rows.clear();
        Ok(())
    }

    /// Everything that was taken, unless it looks swapped.
    pub(crate) fn finish(
        mut self,
        file: &str,
        swapped: Swapped,
        mut summary: ImportSummary,
        arrangement: &Arrangement,
    ) -> Result<Imported> {
        self.flush()?;
        self.counts.check_order(file, swapped)?;
        self.counts.write_to(&mut summary);
        let located = Located::declared(self.places.universe().clone());
        Ok(Imported::new(self.gatherer, located, summary, arrangement))
    }
}
