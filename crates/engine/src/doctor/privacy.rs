//! Who else on this machine can read what the agent was told.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Patient;
use super::finding::{Checked, Remedy, good, names, problem, quoted_paths, warning};
use crate::config::MINDFILE_JSON;
use crate::error::Error;
use crate::status::files;

/// Everyone but the owner.
const OTHERS: u32 = 0o077;

pub(super) fn check(patient: &Patient<'_>, found: &mut Vec<Checked>) -> Result<(), Error> {
    let folders = open(folders(patient))?;
    let files = open(private_files(patient)?)?;
    if folders.is_empty() && files.is_empty() && patient.settings().state_dir.exists() {
        found.push(good("only you can read the state directory and the index"));
    }
    found.extend(close(
        folders,
        "700",
        "they can list what is in there and read every file that is open to them",
        warning,
    ));
    found.extend(close(
        files,
        "600",
        "they can read the text of your notes, or settings such as keys",
        problem,
    ));
    Ok(())
}

fn close(
    open: Vec<(PathBuf, u32)>,
    mode: &str,
    effect: &str,
    severity: impl FnOnce(String, String) -> Checked,
) -> Option<Checked> {
    if open.is_empty() {
        return None;
    }
    let shown: Vec<String> =
        open.iter().map(|(path, mode)| format!("{} (mode {mode:o})", path.display())).collect();
    let paths: Vec<PathBuf> = open.into_iter().map(|(path, _)| path).collect();
    let what = format!("other users of this machine can get at {}", names(&shown));
    let command = format!("chmod {mode} {}", quoted_paths(&paths));
    Some(severity(what, effect.to_owned()).or(command, Remedy::Close(paths)))
}

/// The state directory, and the index's folder in it. A folder that the user chose elsewhere may be shared on purpose.
fn folders(patient: &Patient<'_>) -> Vec<PathBuf> {
    let state = &patient.settings().state_dir;
    let inner = patient.looked.path.parent().filter(|folder| folder.starts_with(state) && *folder != state);
    std::iter::once(state.clone()).chain(inner.map(Path::to_owned)).collect()
}

/// The index, what lies beside it under its name, and the settings, which may hold keys. The lock holds nothing.
fn private_files(patient: &Patient<'_>) -> Result<Vec<PathBuf>, Error> {
    let index = &patient.looked.path;
    let beside = files::siblings(index)?.into_iter().filter(|name| !name.ends_with(".lock"));
    let mut files: Vec<PathBuf> = beside.map(|name| index.with_file_name(name)).collect();
    files.push(patient.settings().state_dir.join(MINDFILE_JSON));
    files.sort();
    Ok(files)
}

/// Those that exist and that others can get at, with their modes.
fn open(paths: Vec<PathBuf>) -> Result<Vec<(PathBuf, u32)>, Error> {
    let mut open = Vec::new();
    for path in paths {
        match std::fs::metadata(&path) {
            Ok(found) if found.permissions().mode() & OTHERS != 0 => {
                open.push((path, found.permissions().mode() & 0o777));
            }
            Ok(_) => {}
            Err(error) if files::is_out_of_sight(&error) => {}
            Err(source) => return Err(Error::Io { path, source }),
        }
    }
    Ok(open)
}
