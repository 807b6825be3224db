//! Keeping a fact.

use mindfile::fact::FactRecord;
use mindfile::fault::Spelling;
use mindfile::retain::{self, Outcome, Request, Retained, Rivals};
use mindfile::session::tools;

use super::settle::settle_words;
use crate::fact::Fact;
use serde_json::Value;

use crate::operation::prelude::*;
use crate::spelling::Program;
use crate::text::clean;
use crate::values::{
    DayForm, FactIdForm, KeyForm, Kind, LifetimeForm, NoteForm, SaidForm, Salience, Sensitivity, SourceForm,
    WordForm, one_text,
};

#[derive(Debug, Clone, Default, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("dependentRequired" = {"ifVersion": ["key"]}))]
pub struct Retain {
    /// The fact: one sentence that can be understood by itself.
    #[arg(value_name = "TEXT", required = true)]
    #[serde(deserialize_with = "one_text")]
    #[schemars(with = "SaidForm")]
    pub text: Vec<String>,
    /// W world fact, B experience, O opinion or preference, S summary. W if it is not said, O with a key.
    #[arg(long = "type", value_name = "W|B|O|S", ignore_case = true)]
    pub kind: Option<Kind>,
    /// Whom and what it is about, such as Sarah or slow-endpoint.
    #[arg(long = "entity", value_name = "NAME")]
    #[serde(default)]
    #[schemars(with = "Vec<WordForm>")]
    pub entities: Vec<String>,
    /// How much it matters, 0 to 1; estimated if it is not said.
    #[arg(long, value_name = "X|auto", allow_negative_numbers = true)]
    #[serde(default)]
    #[schemars(with = "Option<f32>", range(min = 0, max = 1))]
    pub salience: Option<Salience>,
    /// How sure it is, 0 to 1.
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[schemars(range(min = 0, max = 1))]
    pub confidence: Option<f32>,
    /// Makes it the current value of this name, such as editor.theme.
    #[arg(long, value_name = "KEY")]
    #[schemars(with = "Option<KeyForm>")]
    pub key: Option<String>,
    /// How long it holds: 180d, 2w, or a last day.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<LifetimeForm>")]
    pub ttl: Option<String>,
    /// Who may see it.
    #[arg(long, value_name = "LEVEL")]
    pub sensitivity: Option<Sensitivity>,
    /// The day on which the person is to be reminded of it: 2026-07-14.
    #[arg(long, value_name = "DAY")]
    #[schemars(with = "Option<DayForm>")]
    pub due: Option<String>,
    /// Where it comes from: kind:reference, such as chat:msg_9981.
    #[arg(long, value_name = "KIND:REF")]
    #[schemars(with = "Option<SourceForm>")]
    pub source: Option<String>,
    /// A memory file instead of today's note.
    #[arg(long, value_name = "PATH")]
    #[schemars(with = "Option<NoteForm>")]
    pub file: Option<String>,
    /// Your own name for this fact: a second request with it writes nothing.
    #[arg(long, value_name = "ID")]
    #[schemars(with = "Option<FactIdForm>")]
    pub id: Option<String>,
    /// Replace a keyed value only if it has this version; 0: only if there is none.
    #[arg(long, value_name = "N")]
    pub if_version: Option<u32>,
    /// Write it though the same is known.
    #[arg(long)]
    #[serde(default)]
    pub force: bool,
    /// The person has confirmed the change of a keyed value.
    #[arg(long)]
    #[serde(default)]
    pub confirm: bool,
}

impl Operation for Retain {
    const ROW: Row = Row::new("retain", "Keep a fact: one line in today's note").typed("retain", "\
Examples:
  mindfile retain \"Sarah is leaving the company next month\" --type B --entity Sarah --entity project --salience 0.95
  mindfile retain \"Rate limiting is 100 requests per minute\" --entity api --id api-limit
  mindfile retain dark --key editor.theme --confidence 0.91 --entity user --ttl 180d
  mindfile retain light --key editor.theme --if-version 1 --confirm").http(Http::post("/v1/facts"));
    type Answer = RetainedFact;

    fn run(self, caller: &Caller<'_>) -> Result<RetainedFact, Failure> {
        let request = Request {
            text: self.text.join(" "),
            kind: self.kind.map(Into::into),
            entities: self.entities,
            salience: self.salience.and_then(|salience| salience.0),
            confidence: self.confidence,
            key: self.key,
            ttl: self.ttl,
            sensitivity: self.sensitivity.map(Into::into),
            due: self.due,
            source: self.source,
            file: self.file,
            id: self.id,
            if_version: self.if_version,
            force: self.force,
            confirm: self.confirm,
        };
        let retained = match caller.session {
            Some(session) => tools::retain(caller.memory, caller.viewer, session, &request)?,
            None => retain::retain(caller.memory, caller.viewer, &request, caller.model)?,
        };
        Ok(RetainedFact::new(retained))
    }
}

impl ToolOperation for Retain {
    const TOOL: Tool = Tool {
        name: "memory_retain",
        title: "Keep a fact",
        about: "Write one fact down, with the names it is about as entities. Use it when the person says something worth keeping or asks you to remember. Give a key \
                (such as editor.theme) for something that has one current value.",
        deed: Deed::Adds,
        fields: &["text", "kind", "entities", "key", "due", "force", "confirm"],
        usual: true,
    };

    fn told(kept: &RetainedFact) -> String {
        let fact = &kept.retained.fact;
        let words = match kept.retained.outcome {
            Outcome::Written => "Retained",
            Outcome::Known => "Already known",
            Outcome::Confirmed => "Confirmed",
            Outcome::Proposed => "Proposed, until it is confirmed",
        };
        let first = format!("{words}: {} ({}#L{}, id {})", fact.shown(), fact.path, fact.line, fact.id);
        let rivals = told_rivals(&kept.retained, &Program);
        std::iter::once(first).chain(rivals).collect::<Vec<_>>().join("\n")
    }

    fn lean(kept: &RetainedFact) -> Value {
        serde_json::json!({"outcome": kept.outcome, "id": kept.retained.fact.id, "says": Self::told(kept)})
    }

    fn given(_: &RetainedFact) -> Vec<GivenPlace> {
        Vec::new()
    }
}

/// What it takes the place of, and what does not agree with it.
fn told_rivals(retained: &Retained, spelling: &dyn Spelling) -> Vec<String> {
    let Rivals { past, doubtful } = &retained.rivals;
    let past = past.iter().map(|fact| format!("\"{}\" is kept as what was ^{}", fact.text, fact.id));
    let doubtful = doubtful.iter().map(|fact| {
        let settle = settle_words(spelling, &retained.fact.id, &fact.id);
        format!("this and \"{}\" do not agree ^{}; {settle}", fact.text, fact.id)
    });
    past.chain(doubtful).collect()
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct RetainedFact {
    ok: bool,
    outcome: &'static str,
    #[serde(flatten)]
    fact: Fact,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Fact>,
    /// Facts that it takes the place of; they stay in their notes as what was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    past: Vec<Fact>,
    /// Facts that do not agree with it, for somebody to settle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disagrees: Vec<Fact>,
    #[serde(skip)]
    retained: Retained,
}

impl RetainedFact {
    fn new(retained: Retained) -> Self {
        let outcome = match retained.outcome {
            Outcome::Written => "written",
            Outcome::Known => "known",
            Outcome::Confirmed => "confirmed",
            Outcome::Proposed => "proposed",
        };
        let before = retained.before.as_ref().map(Fact::new);
        let facts = |facts: &[FactRecord]| facts.iter().map(Fact::new).collect();
        let (past, disagrees) = (facts(&retained.rivals.past), facts(&retained.rivals.doubtful));
        Self { ok: true, outcome, fact: Fact::new(&retained.fact), before, past, disagrees, retained }
    }
}

impl Answer for RetainedFact {
    /// `✓ Retained: B(s=0.95) @Sarah @project: Sarah is leaving`
    fn shown(&self, page: &Page<'_>) -> Shown {
        let Retained { fact, outcome, before, notices, .. } = &self.retained;
        let words = match outcome {
            Outcome::Written => "✓ Retained",
            Outcome::Known => "✓ Known already",
            Outcome::Confirmed => "✓ Confirmed",
            Outcome::Proposed => "? Proposed",
        };
        let mut remarks = vec![format!("{}#L{} ^{}", fact.path, fact.line, fact.id)];
        remarks.extend(before.as_ref().and_then(|before| match outcome {
            Outcome::Proposed => Some(format!(
                "\"{}\" stays until it is seen again on another day, or with {}",
                before.text,
                page.spelling.field("confirm")
            )),
            Outcome::Written => Some(format!("\"{}\" is kept as what was", before.text)),
            Outcome::Known | Outcome::Confirmed => None,
        }));
        remarks.extend(told_rivals(&self.retained, page.spelling));
        Shown {
            text: format!("{words}: {}\n", clean::text(&fact.shown())),
            notices: notices.clone(),
            remarks: remarks.iter().map(|remark| clean::text(remark).into_owned()).collect(),
            ..Shown::default()
        }
    }
}
