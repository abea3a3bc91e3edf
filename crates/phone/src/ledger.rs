//! The phone's own ledger.

use wayveil_client::History;

use crate::Outcome;

/// What was spent on this phone's owner.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct Spending {
    /// The ε of all campaigns together, exactly.
    pub total: String,
    /// The campaigns that were paid for, in order.
    pub campaigns: Vec<LedgerEntry>,
}

/// A campaign that was paid for.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct LedgerEntry {
    /// Its number.
    pub campaign: String,
    /// What it cost, exactly.
    pub epsilon: String,
    /// Where it was joined, if that is still known.
    pub collector: Option<String>,
    /// How it ended, if it has and that is still known.
    pub outcome: Option<Outcome>,
}

impl From<History> for Spending {
    fn from(history: History) -> Self {
        let entry = |paid: wayveil_client::history::Paid| LedgerEntry {
            campaign: paid.campaign.to_string(),
            epsilon: paid.epsilon.to_string(),
            collector: paid.collector,
            outcome: paid.outcome.map(Outcome::from),
        };
        Self {
            total: history.total.to_string(),
            campaigns: history.paid.into_iter().map(entry).collect(),
        }
    }
}
