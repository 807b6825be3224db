//! What a fact says, and whose word it is.

use mindfile::fact::Edited;
use mindfile::origin::Trusted;

use crate::fact::{Fact, place};
use crate::operation::prelude::*;
use crate::text::clean;
use crate::values::{Origin, SaidForm};

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edit {
    /// The fact's id, or a key.
    pub id: String,
    /// What it says from now on.
    #[arg(long, value_name = "TEXT")]
    #[schemars(with = "SaidForm")]
    pub text: String,
}

impl Operation for Edit {
    const ROW: Row = Row::new("editFact", "Reword a fact, or change who it is attributed to")
        .typed(
            "edit",
            "\
Examples:
  mindfile edit k3f9a2 \"Sarah leaves in June\"
  mindfile edit k3f9a2                           in $EDITOR
  mindfile edit k3f9a2 --origin untrusted        take trust away",
        )
        .http(Http::patch("/v1/facts/{id}"));
    type Answer = EditedFact;

    fn run(self, caller: &Caller<'_>) -> Result<EditedFact, Failure> {
        caller.check_alone()?;
        let edited = caller.memory.edit(&self.id, &self.text)?;
        Ok(EditedFact {
            ok: true,
            fact: Fact::new(&edited.fact),
            before: edited.before.clone(),
            notices: edited.notices.clone(),
            edited,
        })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct EditedFact {
    ok: bool,
    #[serde(flatten)]
    fact: Fact,
    before: String,
    notices: Vec<String>,
    #[serde(skip)]
    edited: Edited,
}

impl Answer for EditedFact {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let fact = &self.edited.fact;
        let text = format!("✓ Edited: {} (v{})\n  was: {}\n", fact.shown(), fact.version, self.before);
        Shown::text(clean::text(&format!("{text}  {} ^{}\n", place(fact), fact.id)))
    }
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Trust {
    /// The id of a fact, or a key.
    pub id: String,
    /// Whose word it is from now on; the owner's if it is not said.
    #[arg(skip)]
    pub origin: Option<Origin>,
}

impl Operation for Trust {
    const ROW: Row = Row::new("trustFact", "Mark a fact as confirmed by its owner").typed(
        "trust",
        "\
Examples:
  mindfile recall \"the landlord\" --include-untrusted
  mindfile trust k3f9a2                          it is true: make it the owner's word",
    );
    type Answer = TrustedFact;

    fn run(self, caller: &Caller<'_>) -> Result<TrustedFact, Failure> {
        let origin = self.origin.unwrap_or(Origin::Owner);
        let Trusted { fact, before } = caller.memory.trust(&self.id, origin.into())?;
        let now = fact.origin.as_str();
        Ok(TrustedFact {
            ok: true,
            text: fact.text.clone(),
            fact: Fact::new(&fact),
            was: before.as_str(),
            now,
        })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct TrustedFact {
    ok: bool,
    #[serde(flatten)]
    fact: Fact,
    was: &'static str,
    #[serde(skip)]
    now: &'static str,
    #[serde(skip)]
    text: String,
}

impl Answer for TrustedFact {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let Self { was, now, text, .. } = self;
        Shown::text(clean::text(&format!("✓ {was} → {now}: {text}\n")))
    }
}
