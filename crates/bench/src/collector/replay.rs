//! What the protocol core makes of the same answers, without a service.

use wayveil_collector::campaign_file::CampaignFile;
use wayveil_core::FragmentCounts;
use wayveil_federated::collector::{Collector, Findings};
use wayveil_federated::message::Answer;

/// Plays a campaign with the answers of each round.
pub(super) fn replay(file: &CampaignFile, answers: &[Vec<Answer>]) -> Result<Findings, String> {
    let failed = |error: wayveil_core::Error| error.to_string();
    let mut collector = Collector::new(file.campaign.clone()).map_err(failed)?;
    while let Some(round) = collector.open().map(|round| round.index()) {
        for answer in answers.get(round).map_or(&[][..], Vec::as_slice) {
            collector.record(answer).map_err(failed)?;
        }
        collector.close().map_err(failed)?;
    }
    Ok(collector.finish())
}

/// Where a release differs from findings, if it does.
pub(super) fn difference(released: &FragmentCounts, findings: &Findings) -> Option<String> {
    let expected: Vec<_> = findings.released().collect();
    if released.len() != expected.len() {
        let (ours, theirs) = (released.len(), expected.len());
        return Some(format!(
            "{ours} fragments were released instead of {theirs}"
        ));
    }
    expected.into_iter().find_map(|finding| {
        let codes = finding.fragment.as_slice();
        let row = (0..released.len()).find(|&row| released.fragments.codes_of(row) == codes);
        let same = row.is_some_and(|row| {
            finding.count == Some(released.count[row])
                && finding.standard_error == released.standard_error[row]
        });
        (!same).then(|| format!("the fragment {codes:?} is not released as it should be"))
    })
}
