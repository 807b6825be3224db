//! Facts that answer a question, then facts connected with those.

use mindfile::fact::{AsOf, Disagreement, FactRecord};
use mindfile::fault::Spelling;
use mindfile::recall::{self, FactPlan, Recalled, Remembered, Touch};

use crate::explain::{self, Piece, pieces, rounded};
use crate::fact::Fact;
use crate::facts::settle_words;
use serde_json::Value;

use crate::operation::prelude::*;
use crate::spelling::Program;
use crate::text::clean;
use crate::text::style::{FAINT, HEAD, PLACE};
use crate::values::{Chat, Kind, SaidForm, Scorer, WhenForm, one_text};

#[derive(Debug, Clone, Default, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the request")]
pub struct Recall {
    /// The question, in your own words. May be empty if entities or a time are named.
    #[arg(value_name = "QUERY")]
    #[serde(default, deserialize_with = "one_text")]
    #[schemars(with = "SaidForm")]
    pub query: Vec<String>,
    /// How many facts at most; 10 if it is not said.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[schemars(range(min = 1, max = 1000))]
    pub k: Option<usize>,
    /// Only facts that matter at least so much, 0 to 1.
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[schemars(range(min = 0, max = 1))]
    pub min_salience: Option<f32>,
    /// How many entities away connections may be, 0 to 3; as far as the question asks for if it is not said.
    #[arg(long, value_name = "N")]
    #[schemars(range(min = 0, max = 3))]
    pub associative_depth: Option<u32>,
    /// What one step leaves of the activation, 0 to 1.
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[schemars(range(min = 0, max = 1))]
    pub activation_decay: Option<f32>,
    /// Only facts about one of these.
    #[arg(long = "entity", value_name = "NAME")]
    #[serde(default)]
    pub entities: Vec<String>,
    /// Only facts of this sort: W world, B experience, O opinion, S summary.
    #[arg(long, value_name = "W|B|O|S", ignore_case = true)]
    pub kind: Option<Kind>,
    /// Only facts of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub since: Option<String>,
    /// What came in on that day and after, the most salient first; needs no question. A question narrows it.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub recent: Option<String>,
    /// What held on that day, instead of today.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub as_of: Option<String>,
    /// How many tokens the facts may have together.
    #[arg(long, value_name = "TOKENS", allow_negative_numbers = true)]
    pub budget: Option<usize>,
    /// How facts are put in order; gated if it is not said.
    #[arg(long, value_name = "SCORER")]
    pub scorer: Option<Scorer>,
    /// Also what expired or was superseded.
    #[arg(long)]
    #[serde(default)]
    pub past: bool,
    /// Also what nobody trusts, wrapped and labelled.
    #[arg(long)]
    #[serde(default)]
    pub include_untrusted: bool,
    /// Show which entities led where.
    #[arg(long)]
    #[serde(default)]
    pub debug: bool,
    /// Say how each score came about.
    #[arg(long)]
    #[serde(default)]
    pub explain: bool,
    /// Look without counting it as a use of the facts.
    #[arg(long)]
    #[serde(default)]
    pub no_touch: bool,
    /// Who reads along; direct if it is not said. In a group MEMORY.md is never given.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
}

impl Operation for Recall {
    const ROW: Row = Row::new("recall", "Find facts that answer, and facts connected with those")
        .typed(
            "recall",
            "\
Examples:
  mindfile recall \"who could fix the slow checkout\"
  mindfile recall \"app performance\" --associative-depth 2 --debug
  mindfile recall --entity Sarah --since 30d
  mindfile recall --recent 7d
  mindfile recall \"rate limits\" --budget 500 --json --no-touch
  mindfile recall \"editor theme\" --as-of 2026-07-14",
        )
        .http(Http::get("/v1/recall"));
    type Answer = Recollection;

    fn run(self, caller: &Caller<'_>) -> Result<Recollection, Failure> {
        let viewer = caller.viewer(self.chat_type);
        let request = recall::Request {
            query: self.query.join(" "),
            k: self.k,
            min_salience: self.min_salience,
            depth: self.associative_depth,
            decay: self.activation_decay,
            entities: self.entities,
            kind: self.kind.map(Into::into),
            since: caller.day(self.since.as_deref())?,
            recent: caller.day(self.recent.as_deref())?,
            as_of: caller.day(self.as_of.as_deref())?,
            budget: self.budget,
            scorer: self.scorer.map(Into::into).unwrap_or_default(),
            past: self.past,
            chat: viewer.chat,
            untrusted: self.include_untrusted,
            for_model: viewer.for_model,
            unasked: false,
        };
        caller.catch_up()?;
        let touch = if self.no_touch { Touch::No } else { Touch::Yes };
        Ok(Recollection::new(caller.memory.recall(&request, touch)?, self.debug, self.explain))
    }
}

impl ToolOperation for Recall {
    const TOOL: Tool = Tool {
        name: "memory_recall",
        title: "Recall facts",
        about: "Recall single facts that answer a question, then facts connected with those through people and things \
                they name together. Best for who, what and why questions; memory_search finds passages.",
        deed: Deed::Reads,
        fields: &["query", "k", "entities", "kind", "since", "recent", "asOf", "past", "chatType"],
        usual: false,
    };

    fn told(recollection: &Recollection) -> String {
        let remembered = &recollection.remembered;
        let on = remembered.plan.filter.on;
        let line = |one: &Recalled| {
            let Recalled { fact, .. } = one;
            let place = remembered.citation(fact).map(|place| format!(" [{place}]")).unwrap_or_default();
            format!("- {}{}{}{place}", mark(fact, on), fact.shown(), via(one))
        };
        let lines: Vec<String> = remembered.answer.recalled.iter().map(line).collect();
        let near = |one: &Recalled| {
            let place = remembered.citation(&one.fact).map(|place| format!(" [{place}]")).unwrap_or_default();
            format!("{}{}{place}", mark(&one.fact, on), one.fact.shown())
        };
        let nearest: Vec<String> = remembered.answer.nearest.iter().map(near).collect();
        let open = remembered.answer.disagreements.iter().map(|one| disagreement(one, &Program));
        let lines: Vec<String> = lines.into_iter().chain(open).collect();
        match (lines.is_empty(), nearest.is_empty()) {
            (false, _) => lines.join("\n"),
            (true, true) => "No fact is known about that.".to_owned(),
            (true, false) => format!("No fact answers this.\nNearest: {}", nearest.join("; ")),
        }
    }

    fn lean(recollection: &Recollection) -> Value {
        says(Self::told(recollection))
    }

    fn given(recollection: &Recollection) -> Vec<GivenPlace> {
        let place = |one: &Recalled| GivenPlace::fact(&one.fact, &one.fact.text);
        let recall::Recollection { recalled, nearest, .. } = &recollection.remembered.answer;
        recalled.iter().chain(nearest).map(place).collect()
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Recollection {
    results: Vec<RecalledFact>,
    /// Where nothing answers, the facts that come nearest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nearest: Vec<RecalledFact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    traversal: Option<Traversal>,
    tokens: usize,
    /// Relevant facts that the budget had no room for.
    left_out: usize,
    degraded: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
    #[serde(skip)]
    remembered: Remembered,
    #[serde(skip)]
    explain: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RecalledFact {
    #[serde(flatten)]
    fact: Fact,
    score: f64,
    hop: u32,
    via: Vec<String>,
    /// The ids of those of the facts that do not agree with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disagrees: Vec<String>,
    /// Of what does not hold: superseded, expired, proposed or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<Piece>>,
}

/// Which entities passed activation on to which, and what was active at the end.
#[derive(Debug, Serialize, JsonSchema)]
struct Traversal {
    steps: Vec<Step>,
    activation: Vec<Activation>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Step {
    from: String,
    to: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Activation {
    entity: String,
    activation: f64,
}

impl Recollection {
    fn new(remembered: Remembered, debug: bool, explain: bool) -> Self {
        let answer = &remembered.answer;
        let on = remembered.plan.filter.on;
        let one = |recalled: &Recalled| RecalledFact {
            state: (!on.holds(&recalled.fact)).then(|| recalled.fact.state(on.day()).as_str()),
            fact: Fact::new(&recalled.fact),
            score: rounded(recalled.score.value()),
            hop: recalled.hop,
            via: recalled.via.clone(),
            disagrees: rivals(answer, &recalled.fact).map(|fact| fact.id.clone()).collect(),
            parts: explain.then(|| pieces(&recalled.score)),
        };
        Self {
            results: answer.recalled.iter().map(one).collect(),
            nearest: answer.nearest.iter().map(one).collect(),
            traversal: debug.then(|| Traversal::new(&remembered)),
            tokens: answer.tokens,
            left_out: answer.left_out,
            degraded: remembered.degraded.clone(),
            stale: remembered.stale.clone(),
            notices: remembered.notices.clone(),
            remembered,
            explain,
        }
    }
}

impl Traversal {
    fn new(remembered: &Remembered) -> Self {
        let trace = &remembered.answer.trace;
        let step = |(from, to): &(String, Vec<String>)| Step { from: from.clone(), to: to.clone() };
        let active = |(entity, activation): &(String, f32)| Activation {
            entity: entity.clone(),
            activation: rounded(*activation),
        };
        Self {
            steps: trace.steps.iter().map(step).collect(),
            activation: trace.active.iter().map(active).collect(),
        }
    }
}

impl Answer for Recollection {
    /// Direct matches, then connections hop by hop, each with its path.
    fn shown(&self, page: &Page<'_>) -> Shown {
        let answer = &self.remembered.answer;
        let mut text = String::new();
        if self.traversal.is_some() {
            text.push_str(&clean::text(&answer.trace.text()));
            text.push('\n');
        }
        let plan = &self.remembered.plan;
        text.push_str(&title(answer, plan));
        let mut hop = None;
        for recalled in &answer.recalled {
            if hop != Some(recalled.hop) {
                hop = Some(recalled.hop);
                text.push_str(&heading(recalled.hop));
            }
            let place = self.remembered.citation(&recalled.fact);
            text.push_str(&line(recalled, plan.filter.on, place));
            if self.explain {
                text.push_str(&explain::table(&recalled.score));
            }
        }
        for one in &answer.disagreements {
            let words = disagreement(one, page.spelling);
            text.push_str(&format!("{}\n", clean::text(&words)));
        }
        if !answer.nearest.is_empty() {
            text.push_str(&format!("{HEAD}Nearest:{HEAD:#}\n"));
        }
        for near in &answer.nearest {
            text.push_str(&line(near, plan.filter.on, self.remembered.citation(&near.fact)));
        }
        if self.left_out > 0 {
            let Self { left_out, tokens, .. } = self;
            let words = format!("E2BIG: {left_out} more did not fit; {tokens} tokens are used");
            text.push_str(&format!("{FAINT}{words}{FAINT:#}\n"));
        }
        let mut caveats = self.notices.clone();
        caveats.extend(self.degraded.iter().map(|what| format!("not everything was consulted: {what}")));
        caveats.extend(self.stale.iter().map(|stale| format!("the answer may be old: {stale}")));
        Shown { text, caveats, ..Shown::default() }
    }
}

/// Those of the facts that do not agree with one.
fn rivals<'a>(
    answer: &'a recall::Recollection,
    fact: &'a FactRecord,
) -> impl Iterator<Item = &'a FactRecord> {
    answer.disagreements.iter().filter_map(|one| match &fact.id {
        id if *id == one.newer.id => Some(&one.older),
        id if *id == one.older.id => Some(&one.newer),
        _ => None,
    })
}

/// `These two do not agree: ^k3f9a2 and ^x81bqd; if the first alone holds: …`
fn disagreement(one: &Disagreement, spelling: &dyn Spelling) -> String {
    let (newer, older) = (&one.newer.id, &one.older.id);
    format!("These two do not agree: ^{newer} and ^{older}; {}", settle_words(spelling, newer, older))
}

/// How the facts were found: `RETRIEVED (associative, depth=2):`
fn title(answer: &recall::Recollection, plan: &FactPlan) -> String {
    if answer.recalled.is_empty() {
        return "Nothing relevant is known.\n".to_owned();
    }
    let how = match (plan.period, answer.depth) {
        (Some(period), _) => format!("recent, {} to {}", period.first, period.last),
        (None, 0) => "direct".to_owned(),
        (None, depth) => format!("associative, depth={depth}"),
    };
    format!("{HEAD}RETRIEVED ({how}):{HEAD:#}\n")
}

fn heading(hop: u32) -> String {
    match hop {
        0 => format!("{HEAD}Direct matches:{HEAD:#}\n"),
        hop => format!("{HEAD}{hop}-hop connections:{HEAD:#}\n"),
    }
}

/// ` (via @database → @slow-endpoint)`
fn via(recalled: &Recalled) -> String {
    let path: Vec<String> = recalled.via.iter().map(|name| format!("@{name}")).collect();
    if path.is_empty() { String::new() } else { format!(" (via {})", path.join(" → ")) }
}

/// `(superseded 2026-07-14) ` before what does not hold.
fn mark(fact: &FactRecord, on: AsOf) -> String {
    on.mark(fact).map(|mark| format!("({mark}) ")).unwrap_or_default()
}

/// `- B(s=0.95) @Sarah: Sarah is leaving (via @database → @slow-endpoint)  memory/2026-07-14.md#L3 ^k3f9a2`
fn line(recalled: &Recalled, on: AsOf, place: Option<String>) -> String {
    let fact = &recalled.fact;
    let said = format!("{}{}{}", mark(fact, on), fact.shown(), via(recalled));
    let place = format!("{}^{}", place.map(|place| place + " ").unwrap_or_default(), fact.id);
    format!("- {}  {PLACE}{}{PLACE:#}\n", clean::text(&said), clean::text(&place))
}
