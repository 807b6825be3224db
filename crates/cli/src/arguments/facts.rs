//! The arguments of the commands about facts.

use std::path::PathBuf;

use clap::Args;
use mindfile_operations as operations;

use super::chat::Model;
use super::examples;

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Retain {
    #[command(flatten)]
    pub(crate) asked: operations::Retain,
    #[command(flatten)]
    pub(crate) model: Model,
}

#[derive(Debug, Args)]
#[command(after_help = examples::ENTITIES)]
pub(crate) struct Entities {
    /// One of them; without it, all
    pub(crate) name: Option<String>,
    /// Print its neighbourhood for Graphviz
    #[arg(long, requires = "name", group = "what")]
    pub(crate) dot: bool,
    /// Draw its neighbourhood into this file
    #[arg(long, value_name = "FILE", requires = "name", group = "what")]
    pub(crate) svg: Option<PathBuf>,
    /// Another name for it, from now on
    #[arg(long, value_name = "OTHER", requires = "name", group = "what")]
    pub(crate) alias: Option<String>,
    /// Write another name in every fact
    #[arg(long, value_name = "NEW", requires = "name", group = "what")]
    pub(crate) rename: Option<String>,
    /// Count its facts for this one
    #[arg(long, value_name = "OTHER", requires = "name", group = "what")]
    pub(crate) merge_into: Option<String>,
    /// How many entities, facts and neighbours at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
}
