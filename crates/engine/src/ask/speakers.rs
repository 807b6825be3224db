//! Who said what is found in conversations.

use mindfile_index::Source;
use mindfile_ranking::search::Hit;
use mindfile_trust::speaker::Utterance;
use mindfile_workspace::transcripts::{flatten, id_of};

use crate::corpus::Corpus;
use crate::error::Error;
use crate::transcripts::index;

/// Says of each hit in a conversation who said it and when.
pub(super) fn name_speakers(corpus: &Corpus, hits: &mut [Hit], degraded: &mut Vec<String>) {
    let mut hits: Vec<&mut Hit> = hits.iter_mut().filter(|hit| hit.source == Source::Sessions).collect();
    hits.sort_by(|one, other| (&one.path, one.start_line).cmp(&(&other.path, other.start_line)));
    for hits in hits.chunk_by_mut(|one, other| one.path == other.path) {
        if let Err(error) = name_speakers_in(corpus, hits) {
            degraded.push(format!("sessions: {error}"));
        }
    }
}

/// Hits in one transcript, by their lines: it is read once, as far as they go.
fn name_speakers_in(corpus: &Corpus, hits: &mut [&mut Hit]) -> Result<(), Error> {
    let Some(session) = hits.first().and_then(|hit| id_of(&hit.path)).map(str::to_owned) else {
        return Ok(());
    };
    let ranges: Vec<_> = hits.iter().map(|hit| hit.start_line..=hit.end_line).collect();
    let cited = corpus.sessions().cited(&session, &ranges)?;
    for (hit, bytes) in hits.iter_mut().zip(cited) {
        hit.spoken = spoken(corpus, &session, &bytes, hit.start_line)?;
    }
    Ok(())
}

fn spoken(corpus: &Corpus, session: &str, bytes: &[u8], first: u32) -> Result<Vec<Utterance>, Error> {
    let cited = corpus.sessions().transcript(session, bytes, first);
    let mut lines = flatten::lines(&cited, index::also(&corpus.settings));
    for spoken in &mut lines {
        spoken.text = corpus.forgotten()?.cover(&spoken.text).into_owned();
    }
    Ok(lines)
}
