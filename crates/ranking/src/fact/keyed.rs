//! Keyed memories: many values over time, one at a time.

use super::FactRecord;

/// Which value of a key is in force: the highest version, then the latest, then the last in the files. Proposals and
/// values that say themselves what superseded them are not asked.
pub fn current(values: &[FactRecord]) -> Option<&FactRecord> {
    let standing = values.iter().filter(|value| is_standing(value));
    standing.max_by_key(|value| (value.version, value.since(), &value.path, value.line))
}

/// Makes every other standing value one that the current one superseded: two lines for one key are what a hand or a
/// crash between two writes leaves.
pub fn settle(values: &mut [FactRecord]) {
    let Some(current) = current(values).cloned() else { return };
    let place = (current.path.clone(), current.line);
    for value in values.iter_mut().filter(|value| is_standing(value)) {
        if (value.path.clone(), value.line) != place {
            value.by = Some(current.id.clone());
            value.until = current.since();
        }
    }
}

fn is_standing(value: &FactRecord) -> bool {
    !value.proposed && value.until.is_none() && value.by.is_none()
}
