//! `heartbeat --json`

use mindfile_care::heartbeat::{Anomaly, Beat, FadedPreference};
use serde::Serialize;

use crate::explain::rounded;
use crate::fact::Fact;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Beats {
    at: String,
    line: String,
    dry_run: bool,
    facts: usize,
    overdue: Vec<Fact>,
    faded: Vec<Fades>,
    unconfirmed: Vec<Fact>,
    expired: usize,
    clusters: Vec<Vec<Fact>>,
    contradictions: Vec<Contradiction>,
    asked: Asked,
    swept: Swept,
    notices: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Fades {
    #[serde(flatten)]
    fact: Fact,
    before: Option<f64>,
    now: f64,
}

#[derive(Debug, Serialize)]
struct Contradiction {
    newer: Fact,
    older: Fact,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Asked {
    questions: usize,
    tokens: u64,
    budget: u64,
    left: usize,
}

#[derive(Debug, Serialize)]
struct Swept {
    leftovers: usize,
    files: Vec<String>,
    uses: usize,
}

impl Beats {
    pub fn new(beat: &Beat) -> Self {
        let facts = |facts: &[mindfile::fact::FactRecord]| facts.iter().map(Fact::new).collect::<Vec<_>>();
        let (asked, swept) = (&beat.asked, &beat.swept);
        Self {
            at: format!("{:.0}", beat.at),
            line: beat.line(),
            dry_run: beat.dry_run,
            facts: beat.facts,
            overdue: facts(&beat.overdue),
            faded: beat.faded.iter().map(Fades::new).collect(),
            unconfirmed: facts(&beat.unconfirmed),
            expired: beat.expired,
            clusters: beat.clusters.iter().map(|group| facts(group)).collect(),
            contradictions: beat.anomalies.iter().map(Contradiction::new).collect(),
            asked: Asked {
                questions: asked.questions,
                tokens: asked.tokens,
                budget: asked.budget,
                left: asked.left,
            },
            swept: Swept {
                leftovers: swept.leftovers,
                files: swept.files.iter().map(|path| path.display().to_string()).collect(),
                uses: swept.uses,
            },
            notices: beat.notices.clone(),
        }
    }
}

impl Fades {
    fn new(faded: &FadedPreference) -> Self {
        Self { fact: Fact::new(&faded.fact), before: faded.before.map(rounded), now: rounded(faded.now) }
    }
}

impl Contradiction {
    fn new(anomaly: &Anomaly) -> Self {
        let verdict = anomaly.verdict.map(mindfile_care::heartbeat::Verdict::as_str);
        Self { newer: Fact::new(&anomaly.newer), older: Fact::new(&anomaly.older), verdict }
    }
}
