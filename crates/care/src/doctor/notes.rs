//! The workspace and the notes in it.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::{SignedDuration, ToSpan};
use mindfile_note::date;
use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::io::Errno;
use serde_json::{Value, json};

use super::Patient;
use super::finding::{Diagnosis, Remedy, good, names, problem, quoted, quoted_path, quoted_paths, warning};
use crate::status::{Content, Presence};
use mindfile::clock;
use mindfile::reconcile::Problem;
use mindfile::wording;
use mindfile_fault::Hint;
use mindfile_settings::Settings;
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::{Leftover, Reason, Scan, SkippedPath, Workspace};

pub(super) fn check(patient: &Patient<'_>, found: &mut Vec<Diagnosis>) {
    found.extend(presence(patient));
    let Some((workspace, scan)) = patient.seen.both() else { return };
    found.push(amount(workspace, scan));
    found.extend(skipped(patient, workspace, scan));
    if let Some(content) = &patient.content {
        found.extend(unreadable(workspace, content));
        found.extend(garbled(workspace, content));
        found.extend(cut(workspace, content));
        found.extend(content.left_out.iter().map(left_out));
    }
    found.extend(named_ahead(patient, scan));
    found.extend(saved_ahead(patient, workspace, scan));
    found.extend(leftovers(patient, scan));
}

fn init(root: &Path) -> Hint {
    Hint::operation("init", &[("dir", &root.to_string_lossy())])
}

fn presence(patient: &Patient<'_>) -> Vec<Diagnosis> {
    let root = &patient.settings().workspace;
    let away = "searches answer from the old index alone, and nothing new can be remembered";
    match &patient.seen.presence {
        Presence::There => permitted(root),
        Presence::Missing => vec![
            problem(
                format!("the workspace {} does not exist", root.display()),
                format!("{away}; if it is on a disk of its own, mount that first"),
            )
            .by(init(root)),
        ],
        Presence::Unusable(why) => vec![problem(why, away).by(format!("ls -ld {}", quoted_path(root)))],
    }
}

/// Asks the system what is allowed; nothing is written to find out.
fn permitted(root: &Path) -> Vec<Diagnosis> {
    let places = [root.to_owned(), root.join("memory"), root.join("MEMORY.md")];
    let closed: Vec<&Path> =
        places.iter().map(std::path::PathBuf::as_path).filter(|path| !writable(path)).collect();
    if closed.is_empty() {
        return vec![good(format!("the workspace {} is there, readable and writable", root.display()))];
    }
    let refuse = |path: &Path| {
        let what = format!("{} cannot be written to", path.display());
        let rights = if path.is_dir() { "u+rwx" } else { "u+rw" };
        problem(what, "searches work, but nothing new can be remembered there")
            .by(format!("chmod {rights} {}", quoted_path(path)))
    };
    closed.into_iter().map(refuse).collect()
}

/// Unless the system says no: what is not there can be made, if its folder allows it.
fn writable(path: &Path) -> bool {
    let wanted = Access::READ_OK | Access::WRITE_OK;
    let asked = accessat(CWD, path, wanted, AtFlags::EACCESS);
    !matches!(asked, Err(Errno::ACCESS | Errno::PERM | Errno::ROFS))
}

fn left_out(problem: &Problem) -> Diagnosis {
    let effect = "recall and connections know only what is taken; search finds all of the text";
    warning(format!("{}: {}", problem.path, problem.what), effect)
        .by(Hint::operation("get", &[("path", &problem.path)]))
}

fn amount(workspace: &Workspace, scan: &Scan) -> Diagnosis {
    match scan.files.len() {
        0 => warning(
            format!("there are no memory files in {} yet", workspace.root().display()),
            "every search comes back empty",
        )
        .by(init(workspace.root())),
        1 => good("1 memory file was found"),
        count => good(format!("{count} memory files were found")),
    }
}

/// One finding a reason.
fn skipped(patient: &Patient<'_>, workspace: &Workspace, scan: &Scan) -> Vec<Diagnosis> {
    let mut by_reason: BTreeMap<String, Vec<&SkippedPath>> = BTreeMap::new();
    for skipped in scan.skipped.iter().filter(|skipped| skipped.reason != Reason::OwnWorkspace) {
        by_reason.entry(skipped.reason.to_string()).or_default().push(skipped);
    }
    let finding = |(reason, all): (String, Vec<&SkippedPath>)| {
        let paths: Vec<&str> = all.iter().map(|skipped| skipped.path.as_str()).collect();
        let effect =
            format!("what {} is not searched", if paths.len() == 1 { "it holds" } else { "they hold" });
        let made = warning(format!("not indexed: {} ({reason})", names(&paths)), effect);
        let command = all.first().map(|first| unblock(patient.settings(), workspace, first));
        command.into_iter().fold(made, Diagnosis::by)
    };
    by_reason.into_iter().map(finding).collect()
}

/// How the first of them becomes a note.
fn unblock(settings: &Settings, workspace: &Workspace, skipped: &SkippedPath) -> Hint {
    let full = workspace.root().join(&skipped.path);
    let path = quoted_path(&full);
    let aside = quoted(&format!("{}.aside", full.display()));
    match &skipped.reason {
        Reason::Link => follow(settings, &full),
        Reason::NotRegular(_) => format!("mv {path} {aside}").into(),
        Reason::NotFolder => format!("mv {path} {aside} && mkdir {path}").into(),
        Reason::NotMarkdown => format!("mv {path} {}", quoted(&format!("{}.md", full.display()))).into(),
        Reason::NotUtf8Name | Reason::TooDeep => {
            format!("ls -b {}", quoted_path(full.parent().unwrap_or(workspace.root()))).into()
        }
        Reason::Unreadable(_) => format!("chmod -R u+rX {path}").into(),
        Reason::ExtraMissing | Reason::OwnWorkspace => "mindfile config get extraPaths".into(),
    }
}

/// The link's target as one more extra path. A link to nothing can only go.
fn follow(settings: &Settings, link: &Path) -> Hint {
    let Ok(target) = link.canonicalize() else { return format!("rm {}", quoted_path(link)).into() };
    let known = settings.extra_paths.iter().map(|extra| match &extra.pattern {
        Some(pattern) => json!({ "path": extra.path.to_string_lossy(), "pattern": pattern }),
        None => json!(extra.path.to_string_lossy()),
    });
    let all: Value = known.chain([json!(target.to_string_lossy())]).collect();
    Hint::set("extraPaths", all.to_string())
}

fn unreadable(workspace: &Workspace, content: &Content) -> Vec<Diagnosis> {
    let finding = |note: &Problem| {
        let path = workspace.root().join(&note.path);
        problem(note.what.clone(), "what it says now is not found")
            .by(format!("chmod u+r {}", quoted_path(&path)))
    };
    content.unreadable.iter().map(finding).collect()
}

fn garbled(workspace: &Workspace, content: &Content) -> Option<Diagnosis> {
    let first = workspace.root().join(content.garbled.first()?);
    let count = content.garbled.len() as u64;
    let what =
        format!("{} not valid text in places: {}", wording::are(count, "note"), names(&content.garbled));
    let from = quoted_path(&first);
    let to = quoted(&format!("{}.utf8", first.display()));
    let effect = "those places are searched and shown as \u{fffd}; the files stay as they are";
    Some(warning(what, effect).by(format!("iconv -f WINDOWS-1252 -t UTF-8 {from} > {to}")))
}

fn cut(workspace: &Workspace, content: &Content) -> Option<Diagnosis> {
    let first = workspace.root().join(content.cut.first()?);
    let notes = wording::are(content.cut.len() as u64, "note");
    let what = format!("{notes} longer than {} MiB: {}", NOTE_LIMIT >> 20, names(&content.cut));
    let effect = format!("only the first {} MiB of each are searched", NOTE_LIMIT >> 20);
    let parts = quoted(&format!("{}-", first.with_extension("").display()));
    let command = ["split -C 8m", "--additional-suffix=.md", &quoted_path(&first), &parts].join(" ");
    Some(warning(what, effect).by(command))
}

/// Daily notes of days to come. The user's zone may be ahead by a day.
fn named_ahead(patient: &Patient<'_>, scan: &Scan) -> Option<Diagnosis> {
    let today = clock::today(patient.memory.clock());
    let latest = today.saturating_add(1.day());
    let ahead = |path: &&str| date::of_path(path).is_some_and(|day| day > latest);
    let notes: Vec<&str> = scan.files.iter().map(|found| found.path.as_str()).filter(ahead).collect();
    if notes.is_empty() {
        return None;
    }
    let what = format!(
        "{} named after a day to come ({today} is today): {}",
        wording::are(notes.len() as u64, "daily note"),
        names(&notes)
    );
    Some(
        warning(what, "counts among the newest notes until that day; check the clock, or the name")
            .by("date"),
    )
}

fn saved_ahead(patient: &Patient<'_>, workspace: &Workspace, scan: &Scan) -> Option<Diagnosis> {
    let latest = patient.memory.clock().now().saturating_add(SignedDuration::from_hours(24)).ok()?;
    let latest = i64::try_from(latest.as_nanosecond()).unwrap_or(i64::MAX);
    let ahead = scan.files.iter().filter(|found| found.stat.mtime_ns > latest);
    let notes: Vec<&str> = ahead.map(|found| found.path.as_str()).collect();
    if notes.is_empty() {
        return None;
    }
    let what = format!(
        "{} a time of change that is more than a day ahead of this machine's clock: {}",
        wording::have(notes.len() as u64, "note"),
        names(&notes)
    );
    let full: Vec<_> = notes.iter().map(|path| workspace.root().join(path)).collect();
    let effect = "searches by date go wrong; if the clock is right, set the time of change to now";
    Some(warning(what, effect).by(format!("touch {}", quoted_paths(&full))))
}

fn leftovers(patient: &Patient<'_>, scan: &Scan) -> Option<Diagnosis> {
    if scan.leftovers.is_empty() {
        return None;
    }
    let paths: Vec<String> = scan.leftovers.iter().map(Leftover::path).collect();
    let what = format!(
        "{} left from interrupted writes: {}",
        wording::are(paths.len() as u64, "hidden file"),
        names(&paths)
    );
    let effect = "a line that was saved at that moment may stand only there, where no search looks";
    Some(
        warning(what, effect)
            .or(patient.run("doctor", &[("fix", "")]), Remedy::Settle(scan.leftovers.clone())),
    )
}
