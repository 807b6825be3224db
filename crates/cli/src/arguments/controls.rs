//! The arguments of a person's controls over what is remembered.

use clap::Args;
use mindfile_operations::values::Origin;

use super::examples;

#[derive(Debug, Args)]
#[command(after_help = examples::EDIT)]
pub(crate) struct Edit {
    /// The id of a fact, or a key
    pub(crate) id: String,
    /// What it says from now on; without it, $EDITOR is opened
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// Whose word it is from now on
    #[arg(long, value_enum, value_name = "ORIGIN")]
    pub(crate) origin: Option<Origin>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::TRUST)]
pub(crate) struct Trust {
    /// The id of a fact, or a key
    pub(crate) id: String,
}

#[derive(Debug, Args)]
#[command(after_help = examples::DELETE)]
pub(crate) struct Delete {
    /// The id of a fact, or a key with all its values
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) sure: Sure,
}

// Whether it is only looked at, and whether nobody is asked.
// (No doc comment: it would be the help text of each command that has these options.)
#[derive(Debug, Args)]
pub(crate) struct Sure {
    /// List exactly what would go, and change nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples::FORGET)]
#[group(id = "what", required = true, multiple = true)]
pub(crate) struct Forget {
    /// The daily notes, facts and messages of the last days: 7d, 2w, 3mo
    #[arg(long, value_name = "SPAN", group = "what", conflicts_with_all = ["since", "until", "entity", "query", "session", "origin", "allow"])]
    pub(crate) last: Option<String>,
    /// Those of this day and after
    #[arg(long, value_name = "WHEN", group = "what", conflicts_with_all = ["entity", "query", "session", "origin", "allow"])]
    pub(crate) since: Option<String>,
    /// Those of this day and before
    #[arg(long, value_name = "WHEN", group = "what", conflicts_with_all = ["entity", "query", "session", "origin", "allow"])]
    pub(crate) until: Option<String>,
    /// Every fact that names it, and its page
    #[arg(long, value_name = "NAME", group = "what", conflicts_with_all = ["query", "session", "origin", "allow"])]
    pub(crate) entity: Option<String>,
    /// Every line and sentence that has these words in this order
    #[arg(long, value_name = "WORDS", group = "what", conflicts_with_all = ["session", "origin", "allow"])]
    pub(crate) query: Option<String>,
    /// A conversation, and what was kept of it
    #[arg(long, value_name = "ID", group = "what", conflicts_with_all = ["origin", "allow"])]
    pub(crate) session: Option<String>,
    /// Everything that is untrusted, or everything that agents wrote
    #[arg(long, value_enum, value_name = "ORIGIN", group = "what", conflicts_with = "allow")]
    pub(crate) origin: Option<Origin>,
    /// The other way round: let this text be stored again
    #[arg(long, value_name = "TEXT", group = "what")]
    pub(crate) allow: Option<String>,
    #[command(flatten)]
    pub(crate) sure: Sure,
}
