//! Stemming by script, with a cache: a text uses few different words many times.

use rust_stemmers::{Algorithm, Stemmer};

use super::script::{self, Script};

pub(super) struct Stems {
    /// Allocated when first used: most runs see few words.
    slots: Vec<Option<Box<Slot>>>,
    english: Stemmer,
    russian: Stemmer,
    greek: Stemmer,
    arabic: Stemmer,
    tamil: Stemmer,
}

/// A word and its stem; a newer word in the same slot replaces it.
#[derive(Clone)]
struct Slot {
    word: String,
    stem: String,
}

/// A power of two, so that the low bits of a hash are a place.
const SLOTS: usize = 8192;

impl Stems {
    pub(super) fn new() -> Self {
        Self {
            slots: vec![None; SLOTS],
            english: Stemmer::create(Algorithm::English),
            russian: Stemmer::create(Algorithm::Russian),
            greek: Stemmer::create(Algorithm::Greek),
            arabic: Stemmer::create(Algorithm::Arabic),
            tamil: Stemmer::create(Algorithm::Tamil),
        }
    }

    /// The stem of a folded word of letters.
    pub(super) fn stem<'a>(&'a mut self, word: &'a str) -> &'a str {
        if word.len() <= 2 || word.len() > super::MAX_BYTES {
            return word;
        }
        let place = place(word);
        if self.slots[place].as_ref().is_none_or(|slot| slot.word != word) {
            let stem = self.compute(word);
            match &mut self.slots[place] {
                Some(slot) => {
                    slot.word.clear();
                    slot.word.push_str(word);
                    slot.stem = stem;
                }
                empty @ None => *empty = Some(Box::new(Slot { word: word.to_owned(), stem })),
            }
        }
        self.slots[place].as_ref().map_or(word, |slot| &slot.stem)
    }

    fn compute(&self, word: &str) -> String {
        let stemmer = match script::of_word(word) {
            Script::Latin => &self.english,
            Script::Cyrillic => &self.russian,
            Script::Greek => &self.greek,
            Script::Arabic => &self.arabic,
            Script::Tamil => &self.tamil,
            Script::Hebrew | Script::Unspaced(_) | Script::Other => return word.to_owned(),
        };
        let stem = stemmer.stem(word);
        if stem.is_empty() { word.to_owned() } else { stem.into_owned() }
    }
}

/// FNV-1a, folded to a slot.
fn place(word: &str) -> usize {
    let hash = word
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    usize::try_from((hash ^ hash >> 32) & 0xFFFF_FFFF).unwrap_or(0) % SLOTS
}
