//! Facts and entities.

use schemars::JsonSchema;
use serde::Deserialize;

use mindfile_operations::values::{Chat, Kind, Order, State};

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
