//! Who else on this machine can read what the agent was told.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Patient;
use super::finding::{Diagnosis, Remedy, good, names, problem, quoted_paths, warning};
use crate::Error;
use crate::status::files::{self, listed};
use mindfile::session;
use mindfile_disk::Error as Disk;
use mindfile_disk::secret_key;
use mindfile_settings::MINDFILE_JSON;

/// Everyone but the owner.
const OTHERS: u32 = 0o077;

/// What all agents have in common: the key of digests, and the log of hooks.
const SHARED: [&str; 2] = [secret_key::FILE, "hooks.log"];

pub(super) fn check(patient: &Patient<'_>, found: &mut Vec<Diagnosis>) -> Result<(), Error> {
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
    severity: impl FnOnce(String, String) -> Diagnosis,
) -> Option<Diagnosis> {
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

/// The state directory, and the folders in it that hold what was said. A folder that the user chose elsewhere may be
/// shared on purpose.
fn folders(patient: &Patient<'_>) -> Vec<PathBuf> {
    let settings = patient.settings();
    let state = &settings.state_dir;
    let inner = patient.looked.path.parent().filter(|folder| folder.starts_with(state) && *folder != state);
    let sessions = session::folder(settings);
    let undo = state.join("memory").join(format!("{}.reflect", settings.agent));
    let mut folders: Vec<PathBuf> =
        std::iter::once(state.clone()).chain(inner.map(Path::to_owned)).chain([sessions, undo]).collect();
    folders.dedup();
    folders
}

/// The index and what lies beside it under its name, journals, logs, transcripts, what a reflection keeps, the settings,
/// which may hold keys, and the key of private notes. Locks hold nothing.
fn private_files(patient: &Patient<'_>) -> Result<Vec<PathBuf>, Error> {
    let settings = patient.settings();
    let index = &patient.looked.path;
    let mut files = files::siblings(index)?;
    let agent = format!("{}.", settings.agent);
    let memory = settings.state_dir.join("memory");
    let own = |name: &str| name.starts_with(&agent) || SHARED.iter().any(|shared| name.starts_with(shared));
    files.extend(listed(&memory, own)?);
    files.extend(listed(&memory.join(format!("{agent}reflect")), |_| true)?);
    files.extend(listed(&session::folder(settings), |_| true)?);
    files.push(settings.state_dir.join(MINDFILE_JSON));
    files.push(settings.encryption.key_file.clone());
    files.retain(|path| path.extension().is_none_or(|end| end != "lock"));
    files.sort();
    files.dedup();
    Ok(files)
}

/// Those that exist and that others can get at, with their modes.
fn open(paths: Vec<PathBuf>) -> Result<Vec<(PathBuf, u32)>, Error> {
    let mut open = Vec::new();
    for path in paths {
        let found = files::if_in_sight(std::fs::metadata(&path)).map_err(Disk::at(&path))?;
        if let Some(mode) = found.map(|found| found.permissions().mode()).filter(|mode| mode & OTHERS != 0) {
            open.push((path, mode & 0o777));
        }
    }
    Ok(open)
}
