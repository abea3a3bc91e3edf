//! Names on a map where there is room for them: more of them the closer one looks.

use crate::page::charts::TEXT;
use crate::svg::Frame;
use crate::words::pixels;

/// How near one must be for the names of each level: 1 is the whole map on a large screen.
pub(super) const LEVELS: [f64; 5] = [0.5, 1.0, 2.0, 4.0, 8.0];
/// Names of all levels.
const MOST: usize = 90;

/// A name that has found its room.
pub(super) struct Label {
    /// Its place.
    pub(super) at: (f64, f64),
    /// How far above it, on the screen.
    pub(super) away: f64,
    pub(super) name: String,
    pub(super) level: usize,
}

/// Gives room to names, the most important first, each above its place.
pub(super) fn arrange(
    spots: impl Iterator<Item = ((f64, f64), f64, String)>,
    size: (f64, f64),
) -> Vec<Label> {
    let spots: Vec<_> = spots.take(MOST).collect();
    let mut labels: Vec<Label> = Vec::new();
    let mut used = vec![false; spots.len()];
    for (level, near) in LEVELS.into_iter().enumerate() {
        let mut taken: Vec<Frame> = labels.iter().map(|label| frame(label, near)).collect();
        for (index, (at, radius, name)) in spots.iter().enumerate() {
            if used[index] {
                continue;
            }
            let label = Label {
                at: *at,
                away: radius + 4.0,
                name: name.clone(),
                level,
            };
            let room = frame(&label, near);
            let inside = room.x > 0.0 && room.right() < size.0 && room.y > 0.0;
            if (inside || near > 1.0) && taken.iter().all(|other| other.common(&room) == 0.0) {
                taken.push(room);
                labels.push(label);
                used[index] = true;
            }
        }
    }
    labels
}

/// The room of a label on the map as large as it is at one level.
fn frame(label: &Label, near: f64) -> Frame {
    let width = (pixels(&label.name, TEXT) + 6.0) / near;
    let height = (TEXT + 3.0) / near;
    let top = label.at.1 - label.away / near - height;
    Frame::new(label.at.0 - width / 2.0, top, width, height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_lie_on_each_other_and_come_when_there_is_room() {
        let spots = (0..40).map(|index| {
            let at = (100.0 + 3.0 * f64::from(index), 200.0);
            (at, 2.0, format!("Station {index}"))
        });
        let labels = arrange(spots, (700.0, 500.0));
        assert_eq!(labels[0].name, "Station 0");
        for (level, near) in LEVELS.into_iter().enumerate() {
            let seen: Vec<&Label> = labels.iter().filter(|it| it.level <= level).collect();
            for (index, one) in seen.iter().enumerate() {
                for other in &seen[..index] {
                    assert_eq!(frame(one, near).common(&frame(other, near)), 0.0);
                }
            }
        }
        let count = |level| labels.iter().filter(|it| it.level <= level).count();
        assert!(count(0) < count(2) && count(2) < count(4));
    }
}
