//! The tokens of a chunk as they are stored: those of its context, then those of each segment of its text, set apart by a
//! mark, so that each part is found again without the text.

/// Stands where a segment begins. No token has this number.
const BEGIN: u16 = u16::MAX;

/// All parts in one list.
pub fn joined<'t>(context: &[u16], segments: impl IntoIterator<Item = &'t [u16]>) -> Vec<u16> {
    let mut stored = context.to_vec();
    for segment in segments {
        stored.push(BEGIN);
        stored.extend(segment);
    }
    stored
}

/// Those of the context.
pub fn of_context(stored: &[u16]) -> &[u16] {
    stored.split(|token| *token == BEGIN).next().unwrap_or_default()
}

/// Those of each segment.
pub fn of_segments(stored: &[u16]) -> impl Iterator<Item = &[u16]> {
    stored.split(|token| *token == BEGIN).skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_found_again() {
        let segments: [&[u16]; 3] = [&[3], &[], &[4, 5]];
        let stored = joined(&[1, 2], segments);
        assert_eq!(of_context(&stored), [1, 2]);
        assert_eq!(of_segments(&stored).collect::<Vec<_>>(), segments);
        assert_eq!(of_segments(&joined(&[7], [])).count(), 0);
    }
}
