//! Facts that do not agree, and which of them holds.

use mindfile::fact::{self, Difference, Disagreement, Settled, Settlement};
use mindfile::fault::Spelling;

use crate::fact::{Fact, place};
use crate::operation::prelude::*;
use crate::text::clean;
use crate::values::Chat;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListDisagreements {
    /// How many at most, the newest; all if it is not said.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Who reads along; direct if it is not said.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
}

impl Operation for ListDisagreements {
    const ROW: Row = Row::new("listDisagreements", "List facts that do not agree, for somebody to settle")
        .typed(
            "disagreements",
            "\
Examples:
  mindfile disagreements
  mindfile settle k3f9a2 x81bqd                  the first holds, the second is past",
        )
        .http(Http::get("/v1/disagreements"));
    type Answer = OpenDisagreements;

    fn run(self, caller: &Caller<'_>) -> Result<OpenDisagreements, Failure> {
        let found = fact::disagreements(caller.memory, caller.viewer(self.chat_type))?;
        let listed = found.iter().take(self.limit.unwrap_or(usize::MAX));
        Ok(OpenDisagreements {
            disagreements: listed.map(OpenDisagreement::new).collect(),
            total: found.len(),
        })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct OpenDisagreements {
    /// The newest first.
    disagreements: Vec<OpenDisagreement>,
    /// How many there are, listed or not.
    total: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct OpenDisagreement {
    /// The one that was said last, as far as that is known.
    newer: Fact,
    older: Fact,
    /// Only one of them can hold: the next pass of upkeep marks the older one, unless it cannot tell which that is.
    certain: bool,
    #[serde(skip)]
    found: Disagreement,
}

impl OpenDisagreement {
    fn new(found: &Disagreement) -> Self {
        Self {
            newer: Fact::new(&found.newer),
            older: Fact::new(&found.older),
            certain: found.difference == Difference::Certain,
            found: found.clone(),
        }
    }
}

impl Answer for OpenDisagreements {
    fn shown(&self, page: &Page<'_>) -> Shown {
        if self.total == 0 {
            return Shown::text("All facts agree.\n");
        }
        let told = |one: &OpenDisagreement| {
            let Disagreement { newer, older, .. } = &one.found;
            let line =
                |fact| clean::text(&format!("{} ({})", shown_with_day(fact), place(fact))).into_owned();
            let settle = settle_words(page.spelling, &newer.id, &older.id);
            format!("- {}\n  {}\n  {}\n", line(newer), line(older), clean::text(&settle))
        };
        let left = self.total - self.disagreements.len();
        let more = if left > 0 { format!("and {left} more\n") } else { String::new() };
        Shown::text(self.disagreements.iter().map(told).collect::<String>() + &more)
    }
}

fn shown_with_day(fact: &fact::FactRecord) -> String {
    let day = fact.since().map(|day| format!("{day} ")).unwrap_or_default();
    format!("{day}{} ^{}", fact.text, fact.id)
}

/// How somebody says which of two facts holds.
pub(crate) fn settle_words(spelling: &dyn Spelling, newer: &str, older: &str) -> String {
    let run = |more: &[(&str, String)]| {
        let fields = [("holds", newer.to_owned()), ("other", older.to_owned())];
        spelling.run("settle", &[&fields[..], more].concat())
    };
    let both = run(&[("both", String::new())]);
    format!("if the first alone holds: {}; if both do: {both}", run(&[]))
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Settle {
    /// The id of the fact that holds.
    pub holds: String,
    /// The id of the one that does not agree with it. It is past from now on, and stays in its note.
    pub other: String,
    /// Both hold: they are not asked about again.
    #[arg(long)]
    #[serde(default)]
    pub both: bool,
}

impl Operation for Settle {
    const ROW: Row = Row::new("settleFacts", "Say which of two facts holds, or that both do")
        .typed(
            "settle",
            "\
Examples:
  mindfile disagreements                         which facts do not agree
  mindfile settle k3f9a2 x81bqd                  the first holds, the second is past
  mindfile settle x81bqd k3f9a2                  the other way round, also afterwards
  mindfile settle k3f9a2 x81bqd --both           both hold",
        )
        .http(Http::post("/v1/settle"));
    type Answer = SettledFacts;

    fn run(self, caller: &Caller<'_>) -> Result<SettledFacts, Failure> {
        caller.check_alone()?;
        let settlement = if self.both { Settlement::Both } else { Settlement::Replaces };
        Ok(SettledFacts::new(fact::settle(caller.memory, &self.holds, &self.other, settlement)?))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SettledFacts {
    ok: bool,
    both: bool,
    holds: Fact,
    /// Past, with the day and the fact that took its place, unless both hold.
    other: Fact,
    notices: Vec<String>,
    #[serde(skip)]
    settled: Settled,
}

impl SettledFacts {
    fn new(settled: Settled) -> Self {
        Self {
            ok: true,
            both: settled.settlement == Settlement::Both,
            holds: Fact::new(&settled.fact),
            other: Fact::new(&settled.other),
            notices: settled.notices.clone(),
            settled,
        }
    }
}

impl Answer for SettledFacts {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let Settled { fact, other, settlement, notices } = &self.settled;
        let words = match settlement {
            Settlement::Replaces => "is kept as what was",
            Settlement::Both => "holds beside it",
        };
        let text =
            format!("✓ Holds: {} ^{}\n  \"{}\" {words} ^{}\n", fact.shown(), fact.id, other.text, other.id);
        Shown { text: clean::text(&text).into_owned(), notices: notices.clone(), ..Shown::default() }
    }
}
