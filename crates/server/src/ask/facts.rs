//! Facts and entities.

use schemars::JsonSchema;
use serde::Deserialize;

use super::values::{Chat, Kind, Names, Order, Sensitivity, State};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Retain {
    /// The fact: one sentence that can be understood by itself.
    pub text: String,
    /// W world fact, B experience, O opinion or preference, S summary. W if it is not said, O with a key.
    pub kind: Option<Kind>,
    /// Whom and what it is about, such as Sarah or slow-endpoint.
    #[serde(default)]
    pub entities: Names,
    /// How much it matters, 0 to 1; estimated if it is not said.
    #[schemars(range(min = 0, max = 1))]
    pub salience: Option<f32>,
    /// How sure it is, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub confidence: Option<f32>,
    /// Makes it the current value of this name, such as editor.theme.
    pub key: Option<String>,
    /// How long it holds: 180d, 2w, or a last day.
    pub ttl: Option<String>,
    pub sensitivity: Option<Sensitivity>,
    /// The day on which the person is to be reminded of it: 2026-07-14.
    pub due: Option<String>,
    /// Where it comes from: kind:reference, such as chat:msg_9981.
    pub source: Option<String>,
    /// A memory file instead of today's note.
    pub file: Option<String>,
    /// Your own name for this fact: a second request with it writes nothing.
    pub id: Option<String>,
    /// Replace a keyed value only if it has this version; 0: only if there is none.
    pub if_version: Option<u32>,
    /// Write it though the same is known.
    #[serde(default)]
    pub force: bool,
    /// The person has confirmed the change of a keyed value.
    #[serde(default)]
    pub confirm: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Inspect {
    /// The fact's id, or a key.
    pub id: String,
    /// What the key said on that day.
    pub as_of: Option<String>,
    /// Who reads along; direct if it is not said.
    pub chat_type: Option<Chat>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Facts {
    /// Only facts of this sort.
    pub kind: Option<Kind>,
    /// Only facts about it.
    pub entity: Option<String>,
    /// Only facts in this state.
    pub state: Option<State>,
    /// Only values of this key.
    pub key: Option<String>,
    /// Only facts whose text holds this.
    pub text: Option<String>,
    /// Only facts of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
    pub since: Option<String>,
    /// Only facts of this day and before.
    pub until: Option<String>,
    /// Only facts that matter at least so much, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub min_salience: Option<f32>,
    /// What comes first; newest if it is not said.
    pub order: Option<Order>,
    /// How many to leave out at the beginning.
    #[serde(default)]
    pub offset: usize,
    /// How many at most; 100 if it is not said.
    #[schemars(range(min = 1, max = 1000))]
    pub limit: Option<usize>,
    /// Who reads along; direct if it is not said.
    pub chat_type: Option<Chat>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Entity {
    /// Any of its names.
    pub name: String,
    /// Who reads along; direct if it is not said.
    pub chat_type: Option<Chat>,
}
