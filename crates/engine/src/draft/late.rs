//! Hosts tell what a tool said only when the turn is over: by then the agent may have kept it as its own word.

use mindfile_note::Origin;
use mindfile_ranking::fact::FactRecord;
use mindfile_trust::heard::Voice;

use super::bind::set_origin;
use super::heard::{catch_up, hear, repeats_tool};
use crate::clock;
use crate::corpus::Corpus;
use crate::error::Error;

/// Keeps in mind what tools said, without their texts. What an agent has kept of it since yesterday is found and loses
/// its trust.
pub fn hear_tools(corpus: &Corpus, texts: &[String]) -> Result<(), Error> {
    if !hear(corpus, Voice::Tool, texts)? {
        return Ok(());
    }
    let yesterday = clock::today(&*corpus.clock).yesterday().unwrap_or(jiff::civil::Date::MIN);
    let recent = |fact: &FactRecord| fact.since().is_none_or(|day| day >= yesterday);
    catch_up(corpus)?;
    for (_, fact) in corpus.facts()? {
        if fact.origin == Origin::Agent && recent(&fact) && repeats_tool(corpus, &fact.text)? {
            set_origin(corpus, &fact, Origin::Untrusted)?;
        }
    }
    Ok(())
}
