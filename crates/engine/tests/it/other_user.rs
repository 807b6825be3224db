//! Tests in a process of another user: for root no permissions hold.

use std::fs;
use std::path::Path;

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
fn runnable(dir: &Path) -> std::path::PathBuf {
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
