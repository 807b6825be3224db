//! The part of a file that reflection writes: between two markers, and nowhere else. Everything outside keeps its bytes.

use std::ops::Range;

pub use crate::error::reflect::Torn;
pub use mindfile_note::reflected::{BEGIN, END};

/// Where the section stands, markers included; `None` in a file that has none.
pub fn find(bytes: &[u8]) -> Result<Option<Range<usize>>, Torn> {
    let (begins, ends) = (places(bytes, BEGIN.as_bytes()), places(bytes, END.as_bytes()));
    match (begins.as_slice(), ends.as_slice()) {
        ([], []) => Ok(None),
        ([], [_, ..]) => Err(Torn::NoBegin),
        ([_, ..], []) => Err(Torn::NoEnd),
        ([begin], [end]) if begin < end => Ok(Some(*begin..end + END.len())),
        _ => Err(Torn::Tangled),
    }
}

/// What stands between the markers, as lines; empty where there is no section.
pub fn lines(bytes: &[u8]) -> Result<Vec<String>, Torn> {
    let Some(range) = find(bytes)? else { return Ok(Vec::new()) };
    let inner = &bytes[range.start + BEGIN.len()..range.end - END.len()];
    Ok(String::from_utf8_lossy(inner).lines().map(|line| line.trim_end_matches('\r').to_owned()).collect())
}

/// The file with `body` as its section, in the file's own line ending; a new section comes last. An empty body is an
/// empty section.
pub fn put(bytes: &[u8], body: &str) -> Result<Vec<u8>, Torn> {
    let ending = if bytes.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
    let body = body.trim_end_matches('\n');
    let body = if body.is_empty() { String::new() } else { format!("{body}\n") };
    let section = format!("{BEGIN}\n{body}{END}").replace('\n', ending);
    let mut new = Vec::with_capacity(bytes.len() + section.len());
    match find(bytes)? {
        Some(range) => {
            new.extend_from_slice(&bytes[..range.start]);
            new.extend_from_slice(section.as_bytes());
            new.extend_from_slice(&bytes[range.end..]);
        }
        None => {
            new.extend_from_slice(bytes);
            new.extend_from_slice(gap(bytes, ending).as_bytes());
            new.extend_from_slice(section.as_bytes());
            new.extend_from_slice(ending.as_bytes());
        }
    }
    Ok(new)
}

/// The section of `from` in the place of the one of `to`: what undoing needs. Where `from` has none, it is taken out.
pub fn transplant(from: &[u8], to: &[u8]) -> Result<Vec<u8>, Torn> {
    let (Some(place), source) = (find(to)?, find(from)?) else { return Ok(to.to_vec()) };
    let mut new = to[..place.start].to_vec();
    new.extend_from_slice(source.map_or(&[], |range| &from[range]));
    new.extend_from_slice(&to[place.end..]);
    Ok(new)
}

/// What parts a new section from the text before it.
fn gap(bytes: &[u8], ending: &str) -> String {
    match bytes {
        [] => String::new(),
        [.., b'\n'] => ending.to_owned(),
        _ => ending.repeat(2),
    }
}

fn places(bytes: &[u8], wanted: &[u8]) -> Vec<usize> {
    bytes
        .windows(wanted.len())
        .enumerate()
        .filter(|(_, window)| *window == wanted)
        .map(|(at, _)| at)
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_marker_without_the_other_is_refused() {
        assert_eq!(find(format!("a\n{BEGIN}\nb").as_bytes()), Err(Torn::NoEnd));
        assert_eq!(find(format!("a\n{END}\nb").as_bytes()), Err(Torn::NoBegin));
        assert_eq!(find(format!("{END}\n{BEGIN}").as_bytes()), Err(Torn::Tangled));
        assert_eq!(find(format!("{BEGIN}\n{BEGIN}\n{END}").as_bytes()), Err(Torn::Tangled));
        assert_eq!(find(b"plain"), Ok(None));
    }

    #[test]
    fn a_new_section_comes_last_in_the_ending_of_the_file() {
        let new = put(b"# Mine\r\ntext", "- a").unwrap();
        let expected = format!("# Mine\r\ntext\r\n\r\n{BEGIN}\r\n- a\r\n{END}\r\n");
        assert_eq!(String::from_utf8(new).unwrap(), expected);
        assert_eq!(String::from_utf8(put(b"", "- a").unwrap()).unwrap(), format!("{BEGIN}\n- a\n{END}\n"));
    }

    #[test]
    fn what_was_put_is_read_back() {
        let new = put(b"x\n", "- a\n\n- b\n").unwrap();
        assert_eq!(lines(&new).unwrap(), ["", "- a", "", "- b"]);
    }

    proptest! {
        #[test]
        fn text_outside_the_markers_keeps_its_bytes(
            before in proptest::collection::vec(any::<u8>(), 0..200),
            after in proptest::collection::vec(any::<u8>(), 0..200),
            old in "[a-z \n]{0,40}",
            new in "[a-z \n]{0,40}",
        ) {
            let file = [&before[..], format!("{BEGIN}\n{old}\n{END}").as_bytes(), &after[..]].concat();
            let put = put(&file, &new).unwrap();
            prop_assert!(put.starts_with(&before) && put.ends_with(&after));
            prop_assert_eq!(transplant(&file, &put).unwrap(), file);
        }
    }
}
