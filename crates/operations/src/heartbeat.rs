//! One pass of upkeep: what is overdue, fading, unconfirmed or left behind.

use clap::Args;
use mindfile::fact::FactRecord;
use mindfile_care::heartbeat::{self, Anomaly, Beat, FadedPreference, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Caller;
use crate::explain::rounded;
use crate::fact::Fact;
use crate::facts::settle_words;
use crate::failure::Failure;
use crate::operation::{Answer, Operation, Page, Row, Shown};
use crate::text::clean;
use crate::text::quantity::number;

#[derive(Debug, Clone, Copy, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Heartbeat {
    /// Say what would be done, and change nothing.
    #[arg(long)]
    #[serde(default)]
    pub dry_run: bool,
    /// The most tokens that a model may take in one pass.
    #[arg(long, value_name = "TOKENS", default_value_t = heartbeat::BUDGET)]
    pub budget: u64,
}

impl Operation for Heartbeat {
    const ROW: Row = Row::new("heartbeat", "List what is overdue, fading, unconfirmed or left behind").typed("heartbeat", "\
Examples:
  mindfile heartbeat             one pass, without a model
  mindfile heartbeat --every 30m
  mindfile heartbeat --dry-run --json

Where a chat model is named (MINDFILE_CHAT_MODEL or --model), it is asked about facts that do not agree, and about nothing else,
within --budget.");
    type Answer = Upkeep;

    fn run(self, caller: &Caller<'_>) -> Result<Upkeep, Failure> {
        let request = Request { dry_run: self.dry_run, budget: self.budget };
        Ok(Upkeep::new(heartbeat::run(caller.memory, request, caller.model)?))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Upkeep {
    at: String,
    line: String,
    dry_run: bool,
    facts: usize,
    overdue: Vec<Fact>,
    faded: Vec<FadedFact>,
    unconfirmed: Vec<Fact>,
    expired: usize,
    clusters: Vec<Vec<Fact>>,
    /// Facts that do not agree, for somebody to settle.
    contradictions: Vec<Contradiction>,
    /// Those that this pass settled.
    settled: Vec<Contradiction>,
    asked: ModelUse,
    swept: Sweep,
    notices: Vec<String>,
    #[serde(skip)]
    beat: Beat,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FadedFact {
    #[serde(flatten)]
    fact: Fact,
    before: Option<f64>,
    now: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Contradiction {
    newer: Fact,
    older: Fact,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ModelUse {
    questions: usize,
    tokens: u64,
    budget: u64,
    left: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Sweep {
    leftovers: usize,
    files: Vec<String>,
    uses: usize,
}

impl Upkeep {
    fn new(beat: Beat) -> Self {
        let facts = |facts: &[FactRecord]| facts.iter().map(Fact::new).collect::<Vec<_>>();
        let Beat { asked, swept, .. } = &beat;
        Self {
            at: format!("{:.0}", beat.at),
            line: beat.line(),
            dry_run: beat.dry_run,
            facts: beat.facts,
            overdue: facts(&beat.overdue),
            faded: beat.faded.iter().map(FadedFact::new).collect(),
            unconfirmed: facts(&beat.unconfirmed),
            expired: beat.expired,
            clusters: beat.clusters.iter().map(|group| facts(group)).collect(),
            contradictions: beat.anomalies.iter().map(Contradiction::new).collect(),
            settled: beat.settled.iter().map(Contradiction::new).collect(),
            asked: ModelUse {
                questions: asked.questions,
                tokens: asked.tokens,
                budget: asked.budget,
                left: asked.left,
            },
            swept: Sweep {
                leftovers: swept.leftovers,
                files: swept.files.iter().map(|path| path.display().to_string()).collect(),
                uses: swept.uses,
            },
            notices: beat.notices.clone(),
            beat,
        }
    }
}

impl FadedFact {
    fn new(faded: &FadedPreference) -> Self {
        Self { fact: Fact::new(&faded.fact), before: faded.before.map(rounded), now: rounded(faded.now) }
    }
}

impl Contradiction {
    fn new(anomaly: &Anomaly) -> Self {
        let verdict = anomaly.verdict.map(heartbeat::Verdict::as_str);
        Self { newer: Fact::new(&anomaly.newer), older: Fact::new(&anomaly.older), verdict }
    }
}

/// How many of each sort a person is shown; the rest is counted, and the JSON has all of them.
const SHOWN: usize = 5;

impl Answer for Upkeep {
    /// Its line, and below it what a person should look at.
    fn shown(&self, page: &Page<'_>) -> Shown {
        let beat = &self.beat;
        let at = beat.at.to_zoned(page.clock.zone()).strftime("%Y-%m-%d %H:%M").to_string();
        let dry = if self.dry_run { " (dry run)" } else { "" };
        let mut lines = vec![format!("{at}  {}{dry}", self.line)];
        section(&mut lines, "Overdue", &beat.overdue, |fact| {
            let day = fact.due.map(|day| format!(" (due {day})")).unwrap_or_default();
            format!("{}{day}", cited(fact))
        });
        section(&mut lines, "To confirm", &beat.unconfirmed, cited);
        section(&mut lines, if self.dry_run { "Would fade" } else { "Faded" }, &beat.faded, faded);
        section(&mut lines, "Nearly the same; fold into one?", &beat.clusters, |group| {
            group.iter().map(cited).collect::<Vec<_>>().join("\n      ")
        });
        let settled = if self.dry_run { "Would be marked as past" } else { "Marked as past" };
        section(&mut lines, settled, &beat.settled, marked);
        section(&mut lines, "These do not agree", &beat.anomalies, |one| contradiction(one, page));
        Shown {
            text: lines.iter().map(|line| format!("{}\n", clean::text(line))).collect(),
            notices: self.notices.clone(),
            ..Shown::default()
        }
    }
}

fn section<T>(lines: &mut Vec<String>, title: &str, items: &[T], told: impl Fn(&T) -> String) {
    if items.is_empty() {
        return;
    }
    lines.push(format!("  {title}:"));
    lines.extend(items.iter().take(SHOWN).map(|item| format!("    - {}", told(item))));
    if items.len() > SHOWN {
        lines.push(format!("    and {} more", number(items.len() - SHOWN)));
    }
}

fn cited(fact: &FactRecord) -> String {
    format!("{} ^{} {}#L{}", fact.text, fact.id, fact.path, fact.line)
}

fn faded(one: &FadedPreference) -> String {
    let before = one.before.map_or_else(|| "unsaid".to_owned(), |before| format!("{before:.2}"));
    format!("{} · confidence {before} → {:.2}", cited(&one.fact), one.now)
}

/// The fact that is past, and the one that took its place.
fn marked(one: &Anomaly) -> String {
    let how = if one.verdict == Some(heartbeat::Verdict::Both) { "holds beside" } else { "now" };
    format!("{}\n      {how}: {}", cited(&one.older), cited(&one.newer))
}

fn contradiction(one: &Anomaly, page: &Page<'_>) -> String {
    let verdict = one.verdict.map(|verdict| format!("\n      a model says: {}", verdict.as_str()));
    let settle = settle_words(page.spelling, &one.newer.id, &one.older.id);
    format!(
        "{}\n      {}{}\n      {settle}",
        cited(&one.newer),
        cited(&one.older),
        verdict.unwrap_or_default()
    )
}
