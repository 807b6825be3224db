//! The words and phrases that speak for a band, as stems, so that every form of a word counts.

use std::collections::HashSet;
use std::sync::LazyLock;

use mindfile_note::words;

/// How many different cues of each sort a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Found {
    pub(super) defining: u32,
    pub(super) important: u32,
    pub(super) minor: u32,
    pub(super) dates: u32,
}

pub(super) fn find(text: &str) -> Found {
    let terms: HashSet<String> = words::terms(text).into_iter().collect();
    let spoken = spoken(text);
    let count = |cues: &Cues| cues.count(&terms, &spoken);
    Found {
        defining: count(&DEFINING),
        important: count(&IMPORTANT),
        minor: count(&MINOR),
        dates: u32::from(DATES.count(&terms, &spoken) > 0),
    }
}

/// Lower case, words parted by one space and surrounded by spaces, so that a phrase is found as whole words.
fn spoken(text: &str) -> String {
    let letters: String = text
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '\'' { c.to_ascii_lowercase() } else { ' ' })
        .collect();
    format!(" {} ", letters.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Single words by their stems, and phrases as they are said.
struct Cues {
    stems: HashSet<String>,
    phrases: Vec<String>,
}

impl Cues {
    fn new(single: &str, phrases: &[&str]) -> Self {
        let stems = single.split_whitespace().flat_map(words::terms).collect();
        Self { stems, phrases: phrases.iter().map(|phrase| format!(" {phrase} ")).collect() }
    }

    fn count(&self, terms: &HashSet<String>, spoken: &str) -> u32 {
        let single = self.stems.intersection(terms).count();
        let phrases = self.phrases.iter().filter(|phrase| spoken.contains(phrase.as_str())).count();
        u32::try_from(single + phrases).unwrap_or(u32::MAX)
    }
}

static DEFINING: LazyLock<Cues> = LazyLock::new(|| {
    Cues::new(
        "resign resigned quit quits fired dismissed redundant layoff layoffs retire retired retirement promoted promotion \
         demoted appointed ceo cto cfo founder cofounder married marry marries wedding divorce divorced divorcing \
         engaged engagement fiance fiancee widow widowed spouse husband wife born birth newborn baby pregnant pregnancy \
         adopted adoption died dies death dead funeral cancer diagnosed diagnosis disease diabetes stroke allergic allergy \
         surgery hospital hospitalised disabled disability emigrate emigrated immigrate relocate relocating pronouns \
         identity identifies religion religious nationality citizenship transgender bankrupt bankruptcy",
        &[
            "passed away", "laid off", "let go", "is leaving the company", "leaving the company",
            "left the company", "leaves the company", "leaving the team", "is leaving us", "last day",
            "job offer", "new job", "handed in", "gave notice", "first child", "second child",
            "is expecting", "are expecting", "broke up", "breaking up", "moved in together",
            "moving to another country", "career change", "name is", "is called", "born in", "grew up in",
            "mother tongue", "native language", "identifies as", "lost his job", "lost her job",
            "parental leave", "vice president", "vp of", "head of", "lifelong",
        ],
    )
});

static IMPORTANT: LazyLock<Cues> = LazyLock::new(|| {
    Cues::new(
        "decided decide decision agreed agree agreement chose chosen choose approved approve approval rejected reject \
         deadline milestone launch launches launched contract contracts renewed renewal signed budget funding invest \
         investor roadmap strategy strategic priority reorganise reorg restructure joins joined hired hire recruit \
         outage downtime incident breach leak vulnerability security audit compliance legal lawsuit court law regulation \
         gdpr requires mandatory forbidden prohibited cancelled cancel cancels terminate terminated acquisition acquired \
         merger customer client stakeholder board migrate migration deprecate deprecated standard policy commit \
         committed commitment promised promise owner ownership responsible lead leads escalated critical urgent risk",
        &[
            "takes over", "took over", "take over", "handed over", "in charge", "drop support",
            "dropped support", "has to be", "have to be", "must be", "was down", "went down", "is down",
            "data loss", "decided against", "decided to", "end of life", "tech lead", "team lead",
            "product owner", "new owner", "go live", "goes live", "scheduled for", "due on", "due by",
            "at risk", "as the standard", "is scheduled",
        ],
    )
});

static MINOR: LazyLock<Cues> = LazyLock::new(|| {
    Cues::new(
        "likes liked dislikes enjoys enjoyed prefers prefer favourite favorite fond rather slightly bit nicer nice pretty \
         cute boring tired hungry coffee tea lunch dinner breakfast snack weather rain raining snow sunny currently \
         temporarily temporary momentarily waiting tonight probably maybe restarted rebooted music song film \
         movie series watched weekend icon font colour color emoji joke funny \
         download downloading afternoon",
        &[
            "right now", "just now", "at the moment", "for now", "today", "this morning", "this afternoon",
            "last night", "a bit", "a little", "not much",
        ],
    )
});

static DATES: LazyLock<Cues> = LazyLock::new(|| {
    Cues::new(
        "january february march april may june july august september october november december monday tuesday wednesday \
         thursday friday q1 q2 q3 q4",
        &["next month", "next week", "next year", "end of", "before the", "by the"],
    )
});
