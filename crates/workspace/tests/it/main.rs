//! The workspace on a real file system: what is found, what is refused, and that no byte is lost.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod other_user;
mod paths;
mod reads;
mod scans;
mod writes;

use std::fs;
use std::path::Path;

use mindfile_workspace::{NotePath, Scan, Workspace, Writer};
use tempfile::TempDir;

/// A workspace with these files; a path that ends in `/` is a folder.
fn workspace(files: &[(&str, &[u8])]) -> (TempDir, Workspace) {
    let dir = TempDir::new().unwrap();
    fill(dir.path(), files);
    let workspace = Workspace::open(dir.path(), &[]).unwrap();
    (dir, workspace)
}

/// The right to write to it; each test has a lock of its own.
fn writer(files: &[(&str, &[u8])]) -> (TempDir, Writer) {
    let (dir, workspace) = workspace(files);
    (dir, workspace.writer(tempfile::tempfile().unwrap()))
}

fn fill(root: &Path, files: &[(&str, &[u8])]) {
    for (path, bytes) in files {
        let full = root.join(path);
        if path.ends_with('/') {
            fs::create_dir_all(full).unwrap();
        } else {
            put(&full, bytes);
        }
    }
}

fn put(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = fs::File::create(path).unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
}

fn note(workspace: &Workspace, path: &str) -> NotePath {
    workspace.is_memory_path(path).unwrap()
}

fn names(scan: &Scan) -> Vec<&str> {
    scan.files.iter().map(|found| found.path.as_str()).collect()
}

fn skipped(scan: &Scan) -> Vec<String> {
    scan.skipped.iter().map(|skipped| format!("{}: {}", skipped.path, skipped.reason)).collect()
}
