//! What an agent says in the words of a tool is the tool's word, through whatever door it says it.

use std::cmp::Reverse;

use mindfile_index::{Filter, Origin, QueryTerm, Shelf, Source};
use mindfile_note::words;
use mindfile_trust::heard::{Listened, Voice, is_said_in};
use mindfile_trust::origin::{Judge, Marks};
use mindfile_trust::speaker::{Door, Role};
use mindfile_workspace::transcripts::{SessionFile, Transcript};

use crate::corpus::Corpus;
use crate::error::Error;
use crate::ingest::{self, Budget, Scope};

/// How many chunks are looked at for the owner's own words.
const LOOKED_AT: usize = 8;
/// How the tools of a memory are called: what they answer is known with its origin.
const OWN_TOOLS: &str = "memory_";
/// Bytes of transcripts that one question listens to, about.
const AT_ONCE: usize = 4 << 20;
/// The inode of a transcript that is no file.
const IN_A_DATABASE: u64 = 0;

/// The origin of a text that is said with `origin` at best: no more than that of whom it repeats.
pub(crate) fn lowered(corpus: &Corpus, origin: Origin, text: &str) -> Result<Origin, Error> {
    let known = corpus.judge()?.anywhere(text).map(|binding| binding.origin);
    let origin = known.map_or(origin, |known| origin.min(known));
    if origin != Origin::Agent || known == Some(Origin::Owner) {
        return Ok(origin);
    }
    catch_up(corpus)?;
    Ok(if repeats_tool(corpus, text)? { Origin::Untrusted } else { origin })
}

/// Whether it says what a tool was heard to say, and not the owner.
pub(super) fn repeats_tool(corpus: &Corpus, text: &str) -> Result<bool, Error> {
    let repeats = corpus.heard.voices()?.repeats_tool(corpus.key.key()?, text);
    Ok(repeats && !is_owners(corpus, text)?)
}

/// Whether the owner's notes say it: then a tool that was heard to say it may have read them.
fn is_owners(corpus: &Corpus, text: &str) -> Result<bool, Error> {
    ingest::run(corpus, Scope::All, Budget::Question)?;
    let index = corpus.index()?;
    let snapshot = index.snapshot()?;
    let terms = QueryTerm::as_asked(&words::query(text).terms);
    let filter = Filter { trusted: true, source: Some(Source::Memory), ..Filter::default() };
    let hits = snapshot.lexical(Shelf::Chunks, &terms, &filter, LOOKED_AT)?.hits;
    let docs: Vec<_> = hits.iter().take(LOOKED_AT).map(|hit| hit.doc).collect();
    let chunks = snapshot.chunks(&docs)?;
    let owners = chunks.iter().filter(|chunk| chunk.origin == Origin::Owner);
    Ok(is_said_in(text, owners.map(|chunk| chunk.text.as_str())))
}

/// Listens to what is new in the agent's conversations, whoever wrote them down, the latest first.
pub(super) fn catch_up(corpus: &Corpus) -> Result<(), Error> {
    let sessions = corpus.sessions();
    let (key, voices, judge) = (corpus.key.key()?, corpus.heard.voices()?, corpus.judge()?);
    let mut files = sessions.list()?;
    files.sort_by_key(|file| Reverse(file.stat.mtime_ns));
    let mut left = AT_ONCE;
    for SessionFile { session, stat, .. } in files {
        let mark = Marks::session(key, &session);
        let known = voices.place(mark).filter(|place| place.file == stat.inode && place.read <= stat.size);
        if known.is_some_and(|place| place.read == stat.size) {
            continue;
        }
        let from = known.map_or(0, |place| place.read);
        let mut bytes = match stat.inode {
            IN_A_DATABASE => sessions.bytes(&session)?,
            inode => match sessions.part(&session, inode, from, stat.size) {
                Ok(bytes) => bytes,
                // Somebody has put another file in its place: that one is listened to the next time.
                Err(_changed) => continue,
            },
        };
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        bytes.truncate(whole);
        hear_turns(corpus, &judge, &sessions.transcript(&session, &bytes, 1))?;
        let read = if stat.inode == IN_A_DATABASE { stat.size } else { from + whole as u64 };
        if known.is_none_or(|place| place.read != read) {
            corpus.heard.listened(mark, Listened { file: stat.inode, read })?;
        }
        left = left.saturating_sub(whole);
        if left == 0 {
            break;
        }
    }
    Ok(())
}

/// Keeps in mind what the tools and the owner said in a conversation.
fn hear_turns(corpus: &Corpus, judge: &Judge, transcript: &Transcript) -> Result<(), Error> {
    let own = |tool: &Option<String>| tool.as_ref().is_some_and(|tool| tool.starts_with(OWN_TOOLS));
    let by = |role: Role| {
        let messages = transcript.entries.iter().filter_map(|placed| placed.entry.message());
        let said = messages.filter(|message| message.role == role && !own(&message.tool));
        said.map(mindfile_workspace::transcripts::Message::text).collect::<Vec<String>>()
    };
    hear(corpus, Voice::Tool, &by(Role::Tool))?;
    // A program with a token could put anything into the owner's mouth.
    match judge.session_door(&transcript.session) {
        None | Some(Door::Terminal | Door::Hook | Door::Chat) => {
            hear(corpus, Voice::Owner, &by(Role::User)).map(drop)
        }
        Some(_) => Ok(()),
    }
}

pub(super) fn hear(corpus: &Corpus, voice: Voice, texts: &[String]) -> Result<bool, Error> {
    if texts.is_empty() {
        return Ok(false);
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(corpus.heard.hear(corpus.key.key()?, voice, &texts)?)
}
