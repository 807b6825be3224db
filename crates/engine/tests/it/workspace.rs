//! The workspace on a real file system: what is found, what is refused, and that no byte is lost.

mod paths;
mod reads;
mod scans;
mod writes;

use std::fs;
use std::path::Path;

use mindfile::workspace::{NotePath, Scan, Workspace};
use tempfile::TempDir;

/// A workspace with these files; a path that ends in `/` is a folder.
fn workspace(files: &[(&str, &[u8])]) -> (TempDir, Workspace) {
    let dir = TempDir::new().unwrap();
    fill(dir.path(), files);
    let workspace = Workspace::open(dir.path(), &[]).unwrap();
    (dir, workspace)
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

/// Runs the test `name` of this binary in a process of its own, in `dir`, as a user for whom permissions hold.
pub(crate) fn in_child(name: &str, dir: &Path) -> std::process::Child {
    use std::os::unix::process::CommandExt;
    let mut command = std::process::Command::new(runnable(dir));
    command.args([name, "--exact", "--ignored", "--quiet"]).current_dir(dir);
    command.stdout(std::process::Stdio::null());
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.spawn().unwrap()
}

/// This binary at a place where another user can run it: the folder it was built in may be closed to others.
pub(crate) fn runnable(dir: &Path) -> std::path::PathBuf {
    let built = std::env::current_exe().unwrap();
    if !rustix::process::geteuid().is_root() {
        return built;
    }
    let copy = dir.join(".tests");
    if !copy.exists() {
        fs::copy(&built, &copy).unwrap();
    }
    copy
}

const NOBODY: u32 = 65534;

/// Hands the tree to the user that [`in_child`] runs as.
pub(crate) fn hand_over(path: &Path) {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            hand_over(&entry.unwrap().path());
        }
    }
}
