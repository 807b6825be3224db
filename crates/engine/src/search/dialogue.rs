//! Who says what.
use mindfile_note::segment::segments;

pub(super) fn param(name: &str, usual: f32) -> f32 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(usual)
}

pub(super) struct Asked(Vec<String>);

impl Asked {
    pub(super) fn of(query: &str) -> Self {
        let words = query.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1);
        Self(words.map(str::to_lowercase).collect())
    }

    /// Of each segment, whether one who was asked for says it.
    pub(super) fn said(&self, text: &str) -> Option<Vec<bool>> {
        let labels: Vec<Option<&str>> = text.split('\n').map(label).collect();
        let mut names: Vec<&str> = labels.iter().flatten().copied().collect();
        let labelled = names.len();
        names.sort_unstable();
        names.dedup();
        let lines = text.split('\n').filter(|line| !line.trim().is_empty() && !line.starts_with('#')).count();
        if names.len() < 2 || names.len() == labelled || 2 * labelled < lines {
            return None;
        }
        let is_asked = |name: &str| {
            name.split(' ').any(|part| self.0.iter().any(|word| word == &part.to_lowercase()))
        };
        let asked = names.iter().filter(|name| is_asked(name)).count();
        if asked == 0 || asked == names.len() {
            return None;
        }
        let mut by_line = Vec::with_capacity(labels.len());
        let mut last = true;
        for label in labels {
            if let Some(name) = label {
                last = is_asked(name);
            }
            by_line.push(last);
        }
        Some(segments(text).iter().map(|segment| by_line[segment.line as usize]).collect())
    }
}

fn label(line: &str) -> Option<&str> {
    let (label, _) = line.split_once(": ")?;
    let name = label.trim_matches(|c: char| !c.is_alphanumeric());
    let is_name = name.len() < 30 && name.split(' ').count() < 4 && name.starts_with(char::is_uppercase);
    is_name.then_some(name)
}
