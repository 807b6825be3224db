//! What consolidation makes of an item: a line of prose that cites its facts.

pub use mindfile_note::CitedLine as Line;

use super::consolidate::Item;

impl From<&Item> for Line {
    fn from(item: &Item) -> Self {
        let text = match item.confidence {
            Some(confidence) => format!("{} (confidence {confidence:.2})", item.text),
            None => item.text.clone(),
        };
        Self { text, cites: item.cites.clone() }
    }
}
