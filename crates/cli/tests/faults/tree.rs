//! The bytes of a directory tree, to compare before and after, and to copy.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file with its bytes; a folder has none.
pub(crate) type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

pub(crate) fn of(root: &Path) -> Tree {
    let mut tree = Tree::new();
    walk(root, root, &mut tree);
    tree
}

fn walk(root: &Path, at: &Path, tree: &mut Tree) {
    let Ok(entries) = fs::read_dir(at) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().to_owned();
        if path.is_dir() {
            tree.insert(name, None);
            walk(root, &path, tree);
        } else {
            tree.insert(name, Some(fs::read(&path).unwrap()));
        }
    }
}

/// Makes `to` hold what `tree` holds, and nothing else.
pub(crate) fn put(tree: &Tree, to: &Path) {
    crate::world::remove(to);
    fs::create_dir_all(to).unwrap();
    for (name, bytes) in tree {
        let path = to.join(name);
        match bytes {
            None => fs::create_dir_all(path).unwrap(),
            Some(bytes) => write(&path, bytes),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a test's own files need not survive")]
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}
