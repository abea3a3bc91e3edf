//! Records that stay elsewhere and are only counted, before the door.

use super::{Counting, Elsewhere, Engine};
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::raw::{Internal, NonPrivate, Raw};
use crate::taxonomy::Taxonomy;
use crate::unit::PrivacyUnit;

/// What is public about records that stay where they are, and who counts them there.
///
/// [`crate::publish_counted`] has them counted, after the charge, and so does whoever says why
/// ([`Counted::inspect`]), for the publisher's own eyes. They cannot be counted past that:
/// ```compile_fail,E0616
/// fn leak(counted: &wayveil_core::Counted) -> wayveil_core::Result<u64> {
///     use wayveil_core::counting::{Question, What};
///     let question = Question {
///         unit: Default::default(), locations: 1, bins: None, columns: vec![], what: What::Records,
///     };
///     Ok(counted.engine.ask(&question)?.of((0, 0)))
/// }
/// ```
/// Nor can whoever holds them make the counting part of them alone:
/// ```compile_fail,E0624
/// fn leak(counted: &wayveil_core::Counted) -> wayveil_core::Result<u64> {
///     use wayveil_core::counting::Counting;
///     counted.counting(wayveil_core::PrivacyUnit::Owner).records()
/// }
/// ```
/// They are not printed:
/// ```compile_fail,E0277
/// fn leak(counted: &wayveil_core::Counted) {
///     println!("{counted:?}");
/// }
/// ```
/// And they do not pass for records:
/// ```compile_fail,E0308
/// use wayveil_core::{Books, Mechanism, RandomSource, Silent, Terms};
/// fn leak(counted: &wayveil_core::Counted, by: &dyn Mechanism, books: &mut dyn Books, random: &mut RandomSource) {
///     let _ = wayveil_core::publish_booked(counted, by, &Terms::default(), books, random, &Silent);
/// }
/// ```
pub struct Counted {
    public: Raw<Dataset>,
    engine: Box<dyn Engine>,
}

impl Counted {
    /// Takes what is public from a data set without records: universe, axis of time, names of columns, and the
    /// population. One with records is refused, for they would be left out without a word.
    pub fn new(public: Raw<Dataset>, engine: Box<dyn Engine>) -> Result<Self> {
        match public.inner.trips().is_empty() {
            true => Ok(Self { public, engine }),
            false => Err(Error::input(
                "records that are counted elsewhere stand beside records that are here",
            )),
        }
    }

    /// What is public, as a data set without records.
    pub fn public(&self) -> &Raw<Dataset> {
        &self.public
    }

    /// Puts another taxonomy over the locations; it must not be made from the data.
    pub fn with_taxonomy(self, taxonomy: Taxonomy) -> Result<Self> {
        Ok(Self {
            public: self.public.with_taxonomy(taxonomy)?,
            engine: self.engine,
        })
    }

    /// Has records counted for the publisher's own eyes; the result is marked as such.
    pub fn inspect<R>(
        &self,
        _because: NonPrivate,
        unit: PrivacyUnit,
        look: impl FnOnce(&dyn Counting) -> R,
    ) -> Internal<R> {
        Internal::of(look(&self.counting(unit)))
    }

    pub(crate) fn data(&self) -> &Dataset {
        &self.public.inner
    }

    pub(crate) fn counting(&self, unit: PrivacyUnit) -> Elsewhere<'_> {
        let data = self.data();
        let locations = data.universe().len() as u32;
        let bins = data.time().map(|axis| axis.bins);
        let columns = data.attributes().iter().map(|it| it.name.clone());
        let columns = columns.collect();
        Elsewhere::new(self.engine.as_ref(), unit, locations, bins, columns)
    }
}
