//! Facts put where they belong: after the line after which they stand in the version that placed them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::build::{OURS, Part, Skeleton, THEIRS, build};
use super::version::{Bare, Block, Ending, Key, MARK, Piece, Version};
use super::{Merged, Rules};
use crate::fact::{self, chosen};

/// What a fact comes to, as lines.
struct Settled<'a> {
    lines: Vec<String>,
    end: Ending<'a>,
    rest: Vec<Bare<'a>>,
}

/// The merged note, and the ids of the facts that it is to have.
pub(super) fn merge(versions: &[Version<'_>; 3], rules: Rules) -> (Merged, Vec<String>) {
    let blocks = versions.each_ref().map(|version| {
        version.blocks().map(|block| (&block.key, block)).collect::<HashMap<&Key, &Block<'_>>>()
    });
    let keys: BTreeSet<&Key> = blocks.iter().flat_map(|blocks| blocks.keys().copied()).collect();
    let mut settled: BTreeMap<&Key, Settled<'_>> = BTreeMap::new();
    for key in keys {
        let [base, ours, theirs] = blocks.each_ref().map(|blocks| blocks.get(key).copied());
        if let Some(kept) = settle(base, ours, theirs) {
            settled.insert(key, kept);
        }
    }
    let ids = ids(&mut settled);
    let [in_ours, in_theirs] = [OURS, THEIRS].map(|side| in_order(&versions[0], &versions[side]));
    let stable: HashSet<&Key> = in_ours.intersection(&in_theirs).copied().collect();
    let skeleton = build(versions, &stable, rules);
    let places = places(versions, &skeleton, &settled, &in_ours);
    (write(versions, skeleton, &places, &settled), ids)
}

/// The ids that the facts have. A second value that came by an earlier merge already does not come again.
fn ids(settled: &mut BTreeMap<&Key, Settled<'_>>) -> Vec<String> {
    let said = |line: &str| fact::read(line).map(|line| line.derived_id());
    let known: HashMap<String, Option<String>> =
        settled.iter().map(|(key, fact)| (key.id.clone(), said(&fact.lines[0]))).collect();
    let mut ids: Vec<String> = settled.keys().map(|key| key.id.clone()).collect();
    for fact in settled.values_mut() {
        let Some(mut second) = fact.lines.get(1).and_then(|line| fact::read(line)) else { continue };
        let id = second.id_or_derived().into_owned();
        match known.get(&id) {
            None => ids.push(id),
            Some(same) if *same == Some(second.derived_id()) => fact.lines.truncate(1),
            Some(_) => {
                let id = fact::id_of_line(&fact.lines[1]);
                second.set_id(Some(&id));
                fact.lines[1] = fact::write(&second);
                ids.push(id);
            }
        }
    }
    ids
}

/// What becomes of a fact; none where it is deleted.
fn settle<'a>(
    base: Option<&Block<'a>>,
    ours: Option<&Block<'a>>,
    theirs: Option<&Block<'a>>,
) -> Option<Settled<'a>> {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => Some(Settled {
            lines: fact::blend(base.map(|base| &base.line), &ours.line, &theirs.line),
            end: chosen(base.map(|base| &base.end), ours.end, theirs.end).unwrap_or(ours.end),
            rest: rest(base, ours, theirs),
        }),
        (Some(only), None) | (None, Some(only)) => {
            let is_kept = base.is_none_or(|base| base.line.text() != only.line.text());
            let lines = vec![fact::write(&only.line)];
            is_kept.then(|| Settled { lines, end: only.end, rest: only.rest.clone() })
        }
        (None, None) => None,
    }
}

/// The further lines of a fact's list item: of one side, or of both where both changed them.
fn rest<'a>(base: Option<&Block<'a>>, ours: &Block<'a>, theirs: &Block<'a>) -> Vec<Bare<'a>> {
    chosen(base.map(|base| &base.rest), ours.rest.clone(), theirs.rest.clone()).unwrap_or_else(|| {
        let is_new = |line: &&Bare<'a>| !ours.rest.iter().any(|known| known.text == line.text);
        ours.rest.iter().chain(theirs.rest.iter().filter(is_new)).copied().collect()
    })
}

/// The facts of two versions that stand in both at the same place among what is the same in both.
fn in_order<'v>(base: &'v Version<'_>, side: &'v Version<'_>) -> HashSet<&'v Key> {
    let (base, side) = (told_apart(base), told_apart(side));
    let ops = capture_diff_slices(Algorithm::Myers, &base, &side);
    let equal = ops.into_iter().filter(|op| matches!(op, DiffOp::Equal { .. }));
    equal
        .flat_map(|op| base[op.old_range()].iter().filter_map(|(key, ..)| *key).collect::<Vec<_>>())
        .collect()
}

/// Facts by their ids, and other lines by what stands in them.
fn told_apart<'v>(version: &'v Version<'_>) -> Vec<(Option<&'v Key>, &'v str, bool)> {
    version.pieces.iter().map(Piece::identity).collect()
}

/// Which facts come after how many parts of the skeleton.
fn places<'v>(
    versions: &'v [Version<'_>; 3],
    skeleton: &Skeleton<'_>,
    settled: &BTreeMap<&Key, Settled<'_>>,
    in_ours: &HashSet<&Key>,
) -> BTreeMap<usize, Vec<&'v Key>> {
    let among = |part: &Part<'_>| match part {
        Part::Fact(key) => Some(key.clone()),
        Part::Bare(_) | Part::Mark(_) => None,
    };
    let mut placed: HashSet<Key> = skeleton.parts.iter().filter_map(among).collect();
    let standing = placed.clone();
    let in_theirs: HashSet<&Key> = versions[THEIRS].blocks().map(|block| &block.key).collect();
    let in_base: HashSet<&Key> = versions[0].blocks().map(|block| &block.key).collect();
    // Where ours left it, theirs says where it stands now.
    let is_theirs = |key: &Key| in_ours.contains(key) && in_base.contains(key) && in_theirs.contains(key);
    let mut places: BTreeMap<usize, Vec<&Key>> = BTreeMap::new();
    for (side, first) in [(OURS, true), (THEIRS, false)] {
        let (mut line, mut after) = (0, front(versions, skeleton));
        for piece in &versions[side].pieces {
            let key = match piece {
                Piece::Fact(block) if !standing.contains(&block.key) => &block.key,
                Piece::Bare(_) | Piece::Fact(_) => {
                    after = after.max(skeleton.places[side].get(line).copied().unwrap_or_default());
                    line += 1;
                    continue;
                }
            };
            let is_elsewhere = first && is_theirs(key);
            if settled.contains_key(key) && !is_elsewhere && placed.insert(key.clone()) {
                places.entry(after).or_default().push(key);
            }
        }
    }
    places
}

/// How many parts the front matter takes: no fact stands above its end.
fn front(versions: &[Version<'_>; 3], skeleton: &Skeleton<'_>) -> usize {
    let begins = matches!(skeleton.parts.first(), Some(Part::Bare(bare)) if bare.verbatim);
    let is_kept = |side: &usize| begins && skeleton.places[*side].first() == Some(&1);
    let end = |side: usize| skeleton.places[side].get(versions[side].front.checked_sub(1)?);
    [OURS, THEIRS].into_iter().filter(is_kept).filter_map(end).copied().max().unwrap_or_default()
}

fn write(
    versions: &[Version<'_>; 3],
    skeleton: Skeleton<'_>,
    places: &BTreeMap<usize, Vec<&Key>>,
    settled: &BTreeMap<&Key, Settled<'_>>,
) -> Merged {
    let [base, ours, theirs] = versions;
    let usual = chosen(Some(&base.usual), ours.usual, theirs.usual).flatten();
    let usual = usual.or(ours.usual).or(theirs.usual).unwrap_or("\n");
    let mut page = Page { text: String::new(), usual, is_open: false };
    if chosen(Some(&base.has_mark), ours.has_mark, theirs.has_mark).unwrap_or(ours.has_mark) {
        page.text.push(MARK);
    }
    let facts = |page: &mut Page<'_>, key: &Key| {
        let Some(fact) = settled.get(key) else { return };
        fact.lines.iter().for_each(|line| page.line(line, fact.end));
        fact.rest.iter().for_each(|line| page.line(line.text, line.end));
    };
    for (at, part) in skeleton.parts.iter().map(Some).chain([None]).enumerate() {
        places.get(&at).into_iter().flatten().for_each(|key| facts(&mut page, key));
        match part {
            Some(Part::Bare(bare)) => page.line(bare.text, bare.end),
            Some(Part::Fact(key)) => facts(&mut page, key),
            Some(Part::Mark(mark)) => page.line(mark, Ending::Usual),
            None => {}
        }
    }
    Merged { text: page.text, conflicts: skeleton.conflicts }
}

struct Page<'a> {
    text: String,
    usual: &'a str,
    /// The last line has no end yet.
    is_open: bool,
}

impl Page<'_> {
    fn line(&mut self, text: &str, end: Ending<'_>) {
        if self.is_open {
            self.text.push_str(self.usual);
        }
        let end = match end {
            Ending::Usual => self.usual,
            Ending::Other(end) => end,
        };
        self.is_open = end.is_empty();
        self.text.push_str(text);
        self.text.push_str(end);
    }
}
