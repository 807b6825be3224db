//! What rules found in a conversation.

use mindfile::session::candidate::Candidate;
use mindfile::session::{self, path_of};

use crate::operation::prelude::*;
use crate::text::clean;
use crate::values::SessionForm;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Candidates {
    /// The session.
    #[arg(long = "session", value_name = "ID")]
    #[schemars(with = "SessionForm")]
    pub id: String,
}

impl Operation for Candidates {
    const ROW: Row = Row::new("candidates", "Show what the rules found in it that may be worth keeping")
        .typed(
            "session candidates",
            "\
Examples:
  mindfile session candidates --session 2026-11-14",
        )
        .http(Http::get("/v1/sessions/{id}/candidates"));
    type Answer = CandidateList;

    fn run(self, caller: &Caller<'_>) -> Result<CandidateList, Failure> {
        let found = session::candidates(caller.memory, caller.viewer, &self.id)?;
        Ok(CandidateList(FoundCandidate::all(&self.id, found)))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct CandidateList(Vec<FoundCandidate>);

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FoundCandidate {
    rule: &'static str,
    role: &'static str,
    text: String,
    citation: String,
}

impl FoundCandidate {
    pub(super) fn all(session: &str, found: Vec<Candidate>) -> Vec<Self> {
        let one = |candidate: Candidate| Self {
            rule: candidate.rule.as_str(),
            role: candidate.role.as_str(),
            text: candidate.text,
            citation: format!("{}#L{}", path_of(session), candidate.line),
        };
        found.into_iter().map(one).collect()
    }

    pub(super) fn line(&self) -> String {
        format!("  {} ({}): {}\n", self.rule, self.citation, clean::text(&self.text))
    }
}

impl Answer for CandidateList {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::text(self.0.iter().map(FoundCandidate::line).collect::<String>())
    }
}
