//! Plugins, from `integrations`: for OpenClaw's memory slot, for OpenCode, and of the Open Plugins form. They are part of the
//! program, so that they always match its version.

/// One line a file: its name in the plugin's folder, and its text.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../openclaw/", $name)))),+]
    };
}

/// Every file that OpenClaw loads. A test compares this with the folder.
pub(super) const FILES: &[(&str, &str)] = files![
    "package.json", "openclaw.plugin.json", "index.js", "src/cli.js", "src/flush.js", "src/hosts.js",
    "src/process.js", "src/prompt.js", "src/provenance.js", "src/runtime.js", "src/tools.js",
    "src/tools.json",
];

/// OpenCode's plugin, a file of its own.
pub(super) const OPENCODE: &str = include_str!("../../opencode/mindfile.js");

/// What programs that read plugins of the Open Plugins form need beside the hooks, which name the program as it is here.
pub(super) const OPEN_PLUGIN: &[(&str, &str)] = &[
    ("plugin.json", include_str!("../../claude-code/plugin.json")),
    ("skills/remember/SKILL.md", include_str!("../../claude-code/skills/remember/SKILL.md")),
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::FILES;

    #[test]
    fn no_file_of_the_plugin_is_forgotten() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/openclaw");
        let mut there: Vec<String> = vec!["index.js".to_owned()];
        for entry in std::fs::read_dir(folder.join("src")).unwrap() {
            there.push(format!("src/{}", entry.unwrap().file_name().to_str().unwrap()));
        }
        let loaded = FILES.iter().map(|(name, _)| (*name).to_owned());
        let mut known: Vec<String> =
            loaded.filter(|name| name == "index.js" || name.starts_with("src/")).collect();
        there.sort();
        known.sort();
        assert_eq!(known, there);
    }
}
