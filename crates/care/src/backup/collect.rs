//! Collects what a backup needs: everything that cannot be rebuilt. The index can.

use std::path::Path;

use crate::Error;
use mindfile::archive::FileContent;
use mindfile::session;
use mindfile_disk::absent::if_there;
use mindfile_disk::durable::PART;
use mindfile_disk::secret_key;
use mindfile_disk::tree::{self, below};
use mindfile_settings::jsonc::EditableJson;
use mindfile_settings::{MINDFILE_JSON, Settings};

/// Files by their names in the archive, in order.
#[derive(Debug, Default)]
pub(super) struct BackupContent {
    pub(super) files: Vec<(String, FileContent)>,
    pub(super) left_out: Vec<String>,
}

pub(super) fn collect(settings: &Settings) -> Result<BackupContent, Error> {
    let mut all = BackupContent::default();
    all.folder("workspace", &settings.workspace, &settings.workspace, &|_| true)?;
    let state = &settings.state_dir;
    let agent = format!("{}.", settings.agent);
    let of_agent = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        // Without its key, nothing would be known of what was forgotten, and of whose word a line is.
        (name.starts_with(&agent) && !is_cache(name)) || name == secret_key::FILE
    };
    all.folder("state", state, &state.join("memory"), &of_agent)?;
    all.folder("state", state, &session::folder(settings), &|_| true)?;
    all.settings(&state.join(MINDFILE_JSON))?;
    if settings.encryption.key_file.exists() {
        let key = settings.encryption.key_file.display();
        all.left_out.push(format!("{key}: the key of private notes; keep a copy of it elsewhere"));
    }
    for extra in &settings.extra_paths {
        all.left_out.push(format!("{}: an extra path, outside the workspace", extra.path.display()));
    }
    all.files.sort_by(|(a, _), (b, _)| a.cmp(b));
    all.files.dedup_by(|(a, _), (b, _)| a == b);
    Ok(all)
}

/// What is made again, or means nothing to another process.
fn is_cache(name: &str) -> bool {
    name.contains(".sqlite")
        || name.ends_with(".lock")
        || name.ends_with(".backups")
        || name.ends_with(".recent.jsonl")
        || name.contains(PART)
}

impl BackupContent {
    fn folder(
        &mut self,
        prefix: &str,
        root: &Path,
        folder: &Path,
        takes: &dyn Fn(&Path) -> bool,
    ) -> Result<(), Error> {
        if !folder.is_dir() {
            return Ok(());
        }
        let enters = |name: &str| name != ".git";
        let whole = |path: &Path| {
            takes(path) && !path.file_name().is_some_and(|name| name.to_string_lossy().contains(PART))
        };
        for path in tree::files(folder, &enters, &whole)? {
            match below(root, &path) {
                Some(rest) => self.files.push((format!("{prefix}/{rest}"), FileContent::File(path))),
                None => self.left_out.push(format!("{}: its name is not UTF-8", path.display())),
            }
        }
        Ok(())
    }

    fn settings(&mut self, path: &Path) -> Result<(), Error> {
        let text = if_there(std::fs::read_to_string(path)).map_err(mindfile_disk::Error::at(path))?;
        let Some(text) = text else { return Ok(()) };
        match without_secrets(&text) {
            Some((text, taken)) => {
                self.left_out.extend(taken.iter().map(|name| format!("{MINDFILE_JSON}: {name}, a secret")));
                self.files.push((format!("state/{MINDFILE_JSON}"), FileContent::Text(text)));
            }
            None => self.left_out.push(format!("{}: it cannot be read", path.display())),
        }
        Ok(())
    }
}

/// Settings without the values of keys that hold secrets, and which these were.
fn without_secrets(text: &str) -> Option<(String, Vec<String>)> {
    let document = EditableJson::parse(text).ok()?;
    let is_gone = |at: &[String]| {
        let (name, parents) = at.split_last().map_or(("", at), |(name, parents)| (name.as_str(), parents));
        is_secret(name) || parents.iter().any(|parent| parent.eq_ignore_ascii_case("headers"))
    };
    let taken = document.remove_values(&is_gone);
    Some((document.to_string(), taken))
}

fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    ["apikey", "api_key", "token", "secret", "password", "passphrase"].iter().any(|part| name.contains(part))
        && !name.ends_with("tokens")
        && !name.contains("tokensfloor")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_stay_out_and_everything_else_stays_as_it_is() {
        let text = "{\n  // mine\n  memorySearch: { remote: { baseUrl: \"http://x\", apiKey: \"abc\", headers: { A: \"b\" } } },\n  reserveTokens: 3,\n}\n";
        let (left, taken) = without_secrets(text).unwrap();
        assert_eq!(taken, ["memorySearch.remote.apiKey", "memorySearch.remote.headers.A"]);
        assert!(!left.contains("abc") && !left.contains("\"b\""), "{left}");
        assert!(
            left.contains("// mine") && left.contains("http://x") && left.contains("reserveTokens: 3"),
            "{left}"
        );
    }
}
