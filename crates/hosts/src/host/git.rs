//! What makes git merge notes by their facts: a merge driver in the settings of the notes' repository, and lines beside the
//! notes that say which files it merges.

use std::path::{Path, PathBuf};

use mindfile_disk::Error as Disk;
use mindfile_workspace::Ending;
use serde_json::{Value, json};

use super::entries::{Format, Insertion, NAME, Target};
use super::{Places, Program};
use crate::Error;

/// The files of a workspace that hold facts. Private notes are encrypted, and nothing merges them.
const MERGED: [&str; 5] = ["/MEMORY.md", "/memory.md", "/USER.md", "/memory/**/*.md", "/bank/**/*.md"];

pub(super) fn targets(places: &Places, program: &Program) -> Result<Vec<Target>, Error> {
    let notes = places.project.as_ref().unwrap_or(&places.home);
    let driver = format!("{} merge-driver %O %A %B %P %L", program.shell);
    let section = json!({"name": "facts by their ids, other lines as lines", "driver": driver});
    let section = Insertion::Entry { at: vec!["merge", NAME], value: section };
    let line = |path| Insertion::Element { at: Vec::new(), value: json!(format!("{path} merge={NAME}")) };
    Ok(vec![
        Target::new(settings(notes)?, Format::GitConfig, vec![section]),
        Target::new(notes.join(".gitattributes"), Format::GitAttributes, MERGED.map(line).to_vec()),
    ])
}

/// Where the repository of a folder keeps its settings.
fn settings(folder: &Path) -> Result<PathBuf, Error> {
    let Some(git) = folder.ancestors().map(|above| above.join(".git")).find(|git| git.exists()) else {
        return Err(Error::NoRepository { path: folder.to_owned() });
    };
    if git.is_dir() {
        return Ok(git.join("config"));
    }
    // A worktree or a submodule: the file says where the rest is.
    let read = |path: &Path| std::fs::read_to_string(path).map_err(Disk::at(path));
    let said = read(&git)?;
    let said = said.trim().strip_prefix("gitdir:").unwrap_or_default().trim();
    let own = git.with_file_name("").join(said);
    let common = own.join("commondir");
    let shared = if common.exists() { own.join(read(&common)?.trim()) } else { own };
    Ok(shared.join("config"))
}

pub(super) fn put_section(old: &str, puts: &[Insertion]) -> String {
    let mut section = String::new();
    for one in puts {
        let Insertion::Entry { at, value } = one else { continue };
        section.push_str(&format!("{}\n", header(at)));
        for (key, field) in value.as_object().into_iter().flatten() {
            section.push_str(&format!("\t{key} = {field}\n"));
        }
    }
    if lines(old).contains(&section) {
        return old.to_owned();
    }
    appended(&take_section(old, puts), &section)
}

/// The text without the section: its header and the lines up to a blank one, a comment or the next section.
pub(super) fn take_section(old: &str, puts: &[Insertion]) -> String {
    let is_ours = |line: &str| {
        let header_of = |one: &Insertion| header(one.at()) == line.trim();
        puts.iter().any(header_of)
    };
    let mut inside = false;
    let stays = |line: &&str| {
        inside =
            is_ours(line) || inside && !line.trim().is_empty() && !line.trim().starts_with(['[', '#', ';']);
        !inside
    };
    old.split_inclusive('\n').filter(stays).collect()
}

pub(super) fn put_lines(old: &str, puts: &[Insertion]) -> String {
    let missing = |line: &&str| !old.lines().any(|known| known == *line);
    let block: String = ours(puts).filter(missing).map(|line| format!("{line}\n")).collect();
    if block.is_empty() { old.to_owned() } else { appended(old, &block) }
}

pub(super) fn take_lines(old: &str, puts: &[Insertion]) -> String {
    let stays = |line: &&str| !ours(puts).any(|own| own == line.trim_end());
    old.split_inclusive('\n').filter(stays).collect()
}

fn ours(puts: &[Insertion]) -> impl Iterator<Item = &str> {
    puts.iter().filter_map(|one| match one {
        Insertion::Element { value: Value::String(line), .. } => Some(line.as_str()),
        Insertion::Element { .. }
        | Insertion::Entry { .. }
        | Insertion::Needed { .. }
        | Insertion::Object { .. }
        | Insertion::Lent { .. }
        | Insertion::Allowed { .. } => None,
    })
}

/// `[merge "mindfile"]`
fn header(at: &[&str]) -> String {
    let (section, name) =
        at.split_first().map_or(("", String::new()), |(first, rest)| (*first, rest.join(".")));
    format!("[{section} \"{name}\"]")
}

/// The text with the line ends of Unix.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The text with lines at its end, which end as its own do.
fn appended(text: &str, block: &str) -> String {
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let block = Ending::of(text.as_bytes()).apply(format!("{gap}{block}").as_bytes());
    format!("{text}{}", String::from_utf8_lossy(&block))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section() -> Vec<Insertion> {
        let value = json!({"name": "x", "driver": "\"/a b/mindfile\" merge-driver"});
        vec![Insertion::Entry { at: vec!["merge", NAME], value }]
    }

    #[test]
    fn a_section_goes_as_it_came() {
        for old in ["", "[core]\n\tbare = false\n", "[core]\r\n\tbare = false\r\n", "[core]\n\tbare = true"] {
            let new = put_section(old, &section());
            assert!(new.contains("\tdriver = \"\\\"/a b/mindfile\\\" merge-driver\""), "{new}");
            assert_eq!(put_section(&new, &section()), new);
            assert_eq!(take_section(&new, &section()).trim_end(), old.trim_end());
        }
    }

    #[test]
    fn what_others_wrote_beside_it_stays() {
        let old =
            "[a]\n\tx = 1\n[merge \"mindfile\"]\n\tname = old\n\trecursive = text\n# of b\n[b]\n\ty = 2\n";
        assert_eq!(take_section(old, &section()), "[a]\n\tx = 1\n# of b\n[b]\n\ty = 2\n");
        let line = vec![Insertion::Element { at: Vec::new(), value: json!("/a merge=mindfile") }];
        assert_eq!(put_lines("*.png binary", &line), "*.png binary\n/a merge=mindfile\n");
        assert_eq!(take_lines("x\r\n/a merge=mindfile\r\ny\r\n", &line), "x\r\ny\r\n");
    }
}
