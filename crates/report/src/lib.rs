//! Raw data against a release, to look at.
//!
//! A publisher who sees what the noise did to their data trusts a release for the right reasons,
//! or holds it back. [`picture()`] draws both sides into one SVG; [`bar_table`],
//! [`histogram_text`] and [`map_text()`] are for a terminal.
//!
//! These pictures show raw data, so they are for the publisher alone. A comparison is best built inside
//! [`wayveil_core::Raw::inspect`] and drawn with [`wayveil_core::Internal::map`]; the picture
//! itself says that it must not be published, and nothing turns that note off. [`cluster_map()`] draws
//! only the centres it is given.
//!
//! [`page`] makes pages of HTML. Their publishable part shows a release and nothing else, and may go to
//! recipients; their internal part shows raw data.
//!
//! Everything here is a pure function of its input: the same comparison is the same text. Values
//! that cannot be drawn (not a number, infinite, below zero) are drawn as nothing.

mod atlas;
mod attack_chart;
mod bars;
mod bounds;
mod caption;
mod cluster_map;
mod comparison;
mod curves;
mod histogram;
mod legend;
mod map_text;
mod number;
pub mod page;
mod picture;
mod place_names;
mod projection;
mod svg;
mod terminal;
mod words;

pub use attack_chart::{
    AttackBar, AttackChart, AttackControl, AttackRow, AttackVerdict, KnowledgeCurve, QuestionGroup,
    Rate, attack_chart,
};
pub use bounds::Bounds;
pub use cluster_map::{ClusterPanel, cluster_map};
pub use comparison::{Comparison, Flow, Line, Row, Station};
pub use curves::{Chart, Curve, CurvePoint, Panel, curves};
pub use map_text::map_text;
pub use picture::picture;
pub use terminal::{bar_table, histogram_text};
