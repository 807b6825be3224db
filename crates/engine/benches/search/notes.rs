//! Notes and questions that look like months of an agent's memory, the same on every machine.
//!
//! The words of the sample workspace by their frequency, then coined ones, drawn by Zipf's law; each note keeps coming
//! back to a few words of its own, as a note about something does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::ToSpan;
use jiff::civil::{Date, date};

use crate::{Bench, put};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/demo");
const VOCABULARY: usize = 30_000;
/// The words of a language that stand in every text: no note is about them.
const COMMON: usize = 150;
const OWN_WORDS: usize = 16;
const OWN_SHARE: f64 = 0.35;
const DATED_SHARE: f64 = 0.7;
const FIRST_DAY: Date = date(2023, 1, 2);
const DAYS: usize = 900;
const SYLLABLES: &str = "ba be bo da de do fa fi ga go ha hi ka ke ki la le li lo ma me mi mo na ne ni no pa pe po \
                         ra re ri ro sa se si so ta te ti to va ve vi vo za ze zo";

pub(crate) struct Generator {
    words: Vec<String>,
    /// Running sums of the words' weights.
    sums: Vec<f64>,
}

/// What one note is about.
struct Subject {
    chance: Chance,
    own: Vec<usize>,
}

impl Generator {
    pub(crate) fn new() -> Bench<Self> {
        let mut words = sample_words()?;
        let mut chance = Chance(1);
        let mut known: BTreeSet<String> = words.iter().cloned().collect();
        while words.len() < VOCABULARY {
            let coined = coin(&mut chance);
            if known.insert(coined.clone()) {
                words.push(coined);
            }
        }
        let weights = (0..words.len()).map(|rank| 1.0 / (rank as f64 + 2.7));
        let sums = weights.scan(0.0, |sum, weight| Some(accumulate(sum, weight))).collect();
        Ok(Self { words, sums })
    }

    /// The name and the text of a note.
    pub(crate) fn note(&self, number: usize) -> (String, String) {
        let mut subject = self.subject(number);
        let name = self.name(number, &mut subject);
        let size = 800.0 * (9000.0_f64 / 800.0).powf(subject.chance.share());
        let mut text = format!("# {}\n\n", self.phrase(&mut subject, 3));
        while (text.len() as f64) < size {
            text.push_str(&self.block(&mut subject));
        }
        (name, text)
    }

    fn subject(&self, number: usize) -> Subject {
        let mut chance = Chance(number as u64 + 1_000_003);
        let own = (0..OWN_WORDS).map(|_| COMMON + self.draw(&mut chance) % (VOCABULARY - COMMON)).collect();
        Subject { chance, own }
    }

    fn name(&self, number: usize, subject: &mut Subject) -> String {
        let slug = &self.words[subject.own[0]];
        if subject.chance.share() < DATED_SHARE {
            let day = FIRST_DAY.saturating_add((subject.chance.below(DAYS) as i64).days());
            format!("memory/{day}-{slug}-{number}.md")
        } else {
            format!("memory/topics/{slug}-{number}.md")
        }
    }

    fn block(&self, subject: &mut Subject) -> String {
        match subject.chance.below(10) {
            0 | 1 => format!("## {}\n\n", self.phrase(subject, 4)),
            2..=4 => (0..3).map(|_| format!("- {}\n", self.sentence(subject))).collect::<String>() + "\n",
            _ => {
                let count = 2 + subject.chance.below(4);
                let sentences: Vec<String> = (0..count).map(|_| self.sentence(subject)).collect();
                sentences.join(" ") + "\n\n"
            }
        }
    }

    fn sentence(&self, subject: &mut Subject) -> String {
        let length = 6 + subject.chance.below(13);
        self.phrase(subject, length) + "."
    }

    fn phrase(&self, subject: &mut Subject, length: usize) -> String {
        let words: Vec<&str> = (0..length).map(|_| self.word(subject, OWN_SHARE)).collect();
        let mut phrase = words.join(" ");
        phrase[..1].make_ascii_uppercase();
        phrase
    }

    fn word(&self, subject: &mut Subject, own_share: f64) -> &str {
        let own = subject.own[subject.chance.below(OWN_WORDS)];
        let drawn = self.draw(&mut subject.chance);
        let at = if subject.chance.share() < own_share { own } else { drawn };
        &self.words[at]
    }

    fn draw(&self, chance: &mut Chance) -> usize {
        let all = self.sums.last().copied().unwrap_or(0.0);
        let wanted = chance.share() * all;
        self.sums.partition_point(|sum| *sum < wanted).min(self.words.len() - 1)
    }

    /// `count` different questions of 3 to 8 words about the notes below `notes`: half a note's own words, half any.
    pub(crate) fn queries(&self, notes: usize, count: usize, seed: u64) -> Vec<String> {
        let mut chance = Chance(seed);
        let mut queries = BTreeSet::new();
        let mut order = Vec::with_capacity(count);
        while order.len() < count {
            let mut subject = self.subject(chance.below(notes));
            subject.chance = Chance(chance.next());
            let length = 3 + chance.below(6);
            let words: Vec<&str> = (0..length).map(|_| self.word(&mut subject, 0.5)).collect();
            let query = words.join(" ");
            if queries.insert(query.clone()) {
                order.push(query);
            }
        }
        order
    }
}

fn accumulate(sum: &mut f64, weight: f64) -> f64 {
    *sum += weight;
    *sum
}

/// The words of the sample workspace, the most frequent first.
fn sample_words() -> Bench<Vec<String>> {
    let mut counts = BTreeMap::new();
    count_words(Path::new(SAMPLE), &mut counts)?;
    let mut words: Vec<(String, usize)> = counts.into_iter().collect();
    words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Ok(words.into_iter().map(|(word, _)| word).collect())
}

fn count_words(folder: &Path, counts: &mut BTreeMap<String, usize>) -> Bench<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            count_words(&path, counts)?;
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        for word in words.filter(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase())) {
            *counts.entry(word).or_default() += 1;
        }
    }
    Ok(())
}

fn coin(chance: &mut Chance) -> String {
    let syllables: Vec<&str> = SYLLABLES.split_whitespace().collect();
    (0..2 + chance.below(3)).map(|_| syllables[chance.below(syllables.len())]).collect()
}

/// Writes notes until `enough` says so; returns how many, and their bytes.
pub(crate) fn write(
    generator: &Generator,
    workspace: &Path,
    mut enough: impl FnMut(usize, &str) -> bool,
) -> Bench<(usize, usize)> {
    std::fs::create_dir_all(workspace.join("memory/topics"))?;
    let mut bytes = 0;
    for number in 0.. {
        let (name, text) = generator.note(number);
        put(&workspace.join(name), &text)?;
        bytes += text.len();
        if enough(number + 1, &text) {
            return Ok((number + 1, bytes));
        }
    }
    Ok((0, bytes))
}

/// Steele, Lea and Flood's SplitMix64: small, and the same everywhere.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to 1, without 1.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.share() * limit as f64) as usize
    }
}
