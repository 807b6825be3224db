//! Facts that an earlier merge made two of: the value that went to a new id is what the other side still has under the old.

use std::collections::HashMap;

use super::build::{OURS, THEIRS};
use super::version::{Block, Key, Version};

/// Has the base and the side that knows nothing of it use the new id, so that a change of that value, or its end, is one.
pub(super) fn follow(versions: &mut [Version<'_>; 3]) {
    for (side, other) in [(OURS, THEIRS), (THEIRS, OURS)] {
        let moved = moved(versions, side, other);
        for version in [0, other] {
            for block in versions[version].blocks_mut() {
                if let Some(key) = moved.get(&block.key) {
                    block.line.set_id(Some(&key.id));
                    block.key = key.clone();
                }
            }
        }
    }
}

/// The facts of the base whose words one side has under an id of its own, beside other words under the old one.
fn moved(versions: &[Version<'_>; 3], side: usize, other: usize) -> HashMap<Key, Key> {
    let by_key = |version: usize| -> HashMap<&Key, String> {
        versions[version].blocks().map(|block| (&block.key, block.line.derived_id())).collect()
    };
    let (base, here, there) = (by_key(0), by_key(side), by_key(other));
    let is_new = |block: &&Block<'_>| !base.contains_key(&block.key) && !there.contains_key(&block.key);
    let new: HashMap<String, &Key> =
        versions[side].blocks().filter(is_new).map(|block| (block.line.derived_id(), &block.key)).collect();
    let is_split = |key: &Key, said: &String| {
        here.get(key).is_some_and(|now| now != said && there.get(key) != Some(now))
    };
    let split = base.iter().filter(|(key, said)| is_split(key, said));
    split.filter_map(|(key, said)| Some(((*key).clone(), (*new.get(said)?).clone()))).collect()
}
