//! The sample workspace that comes with the program: ten weeks of an invented person's notes.

macro_rules! notes {
    ($($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!("../demo/", $path)))),+]
    };
}

/// The path within the workspace and the text of every note.
pub(crate) const NOTES: &[(&str, &str)] = notes![
    "MEMORY.md",
    "SOUL.md",
    "USER.md",
    "memory/2026-06-29.md",
    "memory/2026-07-02.md",
    "memory/2026-07-03.md",
    "memory/2026-07-06.md",
    "memory/2026-07-08-retries.md",
    "memory/2026-07-10.md",
    "memory/2026-07-12.md",
    "memory/2026-07-14.md",
    "memory/2026-07-15.md",
    "memory/2026-07-17-vermieter.md",
    "memory/2026-07-21-label-printers.md",
    "memory/2026-07-23.md",
    "memory/2026-07-26-osaka.md",
    "memory/2026-07-28-paper-bags.md",
    "memory/2026-07-30-restore-drill.md",
    "memory/2026-08-03.md",
    "memory/2026-08-04.md",
    "memory/2026-08-06.md",
    "memory/2026-08-09-cutover.md",
    "memory/2026-08-12-inc-4471.md",
    "memory/2026-08-13-post-mortem.md",
    "memory/2026-08-15.md",
    "memory/2026-08-17.md",
    "memory/2026-08-19.md",
    "memory/2026-08-20-tre-kransar.md",
    "memory/2026-08-21.md",
    "memory/2026-08-24.md",
    "memory/2026-08-26.md",
    "memory/2026-08-28.md",
    "memory/2026-09-01.md",
    "memory/2026-09-03.md",
    "memory/2026-09-06.md",
    "memory/bakeries.md",
    "memory/people/elin.md",
    "memory/people/landlord.md",
    "memory/people/tomasz.md",
    "memory/pixel.md",
    "memory/projects/bullkorg.md",
    "memory/projects/postgres-migration.md",
    "memory/projects/saltmuseet.md",
    "memory/runbook.md",
];

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::NOTES;

    fn files(dir: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
    }

    #[test]
    fn no_note_of_the_sample_is_forgotten() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
        let mut there: Vec<String> =
            files(&root).iter().map(|path| path.strip_prefix(&root).unwrap().display().to_string()).collect();
        there.sort();
        let listed: Vec<&str> = NOTES.iter().map(|(path, _)| *path).collect();
        assert_eq!(listed, there);
    }
}
