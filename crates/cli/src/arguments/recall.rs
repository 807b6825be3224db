//! The arguments of recall and reflect.

use clap::Args;

use super::chat::Model;
use super::examples;
use super::values::{Kind, Scorer};

#[derive(Debug, Args)]
#[command(after_help = examples::RECALL)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Recall {
    /// What to remember, in your own words; with --entity it may be left out
    #[arg(value_name = "QUERY")]
    pub(crate) words: Vec<String>,
    /// How many facts at most
    #[arg(long, value_name = "N")]
    pub(crate) k: Option<usize>,
    /// Only facts that matter at least so much, 0 to 1
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) min_salience: Option<f32>,
    /// How far to follow connections, 0 to 3; without it, as far as the question asks for
    #[arg(long, value_name = "N")]
    pub(crate) associative_depth: Option<u32>,
    /// What one step of connections leaves of the activation, 0 to 1
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) activation_decay: Option<f32>,
    /// Only facts about this entity; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) entity: Vec<String>,
    /// Only facts of this sort: W world, B experience, O opinion, S summary
    #[arg(long, value_enum, value_name = "W|B|O|S", ignore_case = true)]
    pub(crate) kind: Option<Kind>,
    /// Only facts of this day and after: 2026-07-14, or 30d, 6w, 3mo before today
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// What was valid on this day
    #[arg(long, value_name = "WHEN")]
    pub(crate) as_of: Option<String>,
    /// Also what expired or was superseded
    #[arg(long)]
    pub(crate) past: bool,
    /// Also what nobody trusts, wrapped and labelled
    #[arg(long)]
    pub(crate) include_untrusted: bool,
    /// Fill so many tokens with the best facts
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,
    /// How facts are put in order
    #[arg(long, value_enum, value_name = "SCORER", default_value_t = Scorer::Gated)]
    pub(crate) scorer: Scorer,
    /// Show which entities passed activation on to which
    #[arg(long)]
    pub(crate) debug: bool,
    /// Show how each score came about
    #[arg(long)]
    pub(crate) explain: bool,
    /// Do not note that these facts were used
    #[arg(long)]
    pub(crate) no_touch: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples::REFLECT)]
pub(crate) struct Reflect {
    /// The agent whose memory it is; the same as --agent
    #[arg(long, value_name = "ID")]
    pub(crate) agent_id: Option<String>,
    /// How many tokens the core memory may have
    #[arg(long, value_name = "TOKENS")]
    pub(crate) max_tokens: Option<usize>,
    /// Show what would change, and change nothing
    #[arg(long, conflicts_with = "undo")]
    pub(crate) dry_run: bool,
    /// Bring back what stood there before the last reflection
    #[arg(long)]
    pub(crate) undo: bool,
    /// List more of the facts, and what became of them
    #[arg(long)]
    pub(crate) debug: bool,
    #[command(flatten)]
    pub(crate) model: Model,
}
