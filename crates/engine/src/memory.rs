//! What a front end opens: one memory, with everything that can be asked of it.

use std::ops::Deref;
use std::sync::Arc;

use jiff::civil::Date;
use mindfile_model::Embedder;
use mindfile_model::provider::Pace;
use serde_json::Value;

use crate::ask::{self, Response};
use crate::clock::Clock;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::fact::graph::Graph;
use crate::fact::{self, Edited, EntityPage, Inspection, Listed, Renamed};
use crate::follower::Wait;
use crate::forget::{self, Forgotten};
use crate::ingest::{self, Budget, Scope};
use crate::lookout::Lookout;
use crate::notes;
use crate::origin::{self, Trusted};
use crate::policy::{self, Applied};
use crate::private::{self, Moved, OldKeys, Protect, Rekeyed};
use crate::reflect::{self, Reflected};
use crate::report::{OnProgress, Report};
use crate::retain::{self, Retained};
use crate::session::decide::Decision;
use crate::session::{
    self, About, Assistant, Check, Compacted, Context, Flushed, Start, Trigger, TurnReport,
};
use mindfile_note::Origin;
use mindfile_ranking::recall::{self, Remembered, Touch};
use mindfile_ranking::search::{self, Place};
use mindfile_settings::Settings;
use mindfile_trust::age::Passphrase;
use mindfile_trust::speaker::Door;
use mindfile_workspace::Lines;

pub struct Memory {
    corpus: Corpus,
    /// Vectors that are under way are kept.
    end: Wait,
}

impl Memory {
    pub fn new(settings: Settings, clock: Box<dyn Clock>) -> Self {
        Self::of(Corpus::new(settings, clock))
    }

    /// The same where somebody else says how time passes between requests.
    pub fn with_pace(settings: Settings, clock: Arc<dyn Clock>, pace: Arc<dyn Pace>) -> Self {
        Self::of(Corpus::with_pace(settings, clock, pace))
    }

    /// A memory whose vectors come from elsewhere.
    pub fn with_embedder(
        settings: Settings,
        clock: Box<dyn Clock>,
        embedder: Option<Box<dyn Embedder>>,
    ) -> Self {
        Self::of(Corpus::with_embedder(settings, clock, embedder))
    }

    fn of(corpus: Corpus) -> Self {
        Self { end: Wait(Arc::clone(&corpus.follower)), corpus }
    }

    /// Brings the index up to date with the notes, after going on with what was being forgotten.
    pub fn sync(&self, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        sync(self, on_progress)
    }

    /// Makes the index again from the notes, beside the one in use, and puts it in its place.
    pub fn rebuild(&self, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        ingest::rebuild(self, on_progress)
    }

    /// What a question does before it is answered, for a caller who wants to see how far that is, or to end it. What goes
    /// wrong is left to the question itself.
    pub fn prepare(&self, on_progress: &mut OnProgress<'_>) -> Result<(), Error> {
        match ingest::run_shown(self, Scope::All, Budget::Question, on_progress) {
            Err(Error::Interrupted) => Err(Error::Interrupted),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// The same memory, reached through a door: whatever is written has that door's origin.
    #[must_use]
    pub fn through(self, door: Door) -> Self {
        Self { corpus: self.corpus.through(door), end: self.end }
    }

    /// The same memory, told of changes by a watch that somebody else keeps.
    #[must_use]
    pub fn watched_by(self, lookout: &Arc<Lookout>) -> Self {
        Self { corpus: self.corpus.watched_by(lookout), end: self.end }
    }

    /// Gives back what is kept for the next question, which then takes a little longer.
    pub fn rest(&self) {
        self.spaces().for_each(crate::Space::rest);
    }

    /// Hybrid search over the notes as they are now.
    pub fn search(&self, request: &search::Request, why_not: Option<&Place>) -> Result<Response, Error> {
        ask::search(self, request, why_not)
    }

    /// Facts that answer, and facts that hang together with those. What is returned is noted in the access journal.
    pub fn recall(&self, request: &recall::Request, touch: Touch) -> Result<Remembered, Error> {
        ask::recall(self, request, touch)
    }

    /// For whoever came through the memory's own door; so are the next ones.
    pub fn inspect(&self, name: &str, as_of: Option<Date>) -> Result<Inspection, Error> {
        fact::inspect(self, self.viewer(), name, as_of)
    }

    /// Exact lines of a memory file.
    pub fn get(&self, path: &str, from: u32, lines: Option<u32>) -> Result<Lines, Error> {
        Ok(notes::read(self, self.viewer(), path, from, lines)?.lines)
    }

    pub fn entities(&self) -> Result<Vec<Listed>, Error> {
        fact::entities(self, self.viewer())
    }

    pub fn entity(&self, name: &str) -> Result<EntityPage, Error> {
        fact::entity(self, self.viewer(), name)
    }

    pub fn entity_graph(&self) -> Result<Graph, Error> {
        fact::entity_graph(self, self.viewer())
    }

    /// Keeps a fact.
    pub fn retain(&self, request: &retain::Request) -> Result<Retained, Error> {
        retain::retain(self, self.viewer(), request, None)
    }

    /// Changes what a fact says, or the value of a key.
    pub fn edit(&self, name: &str, text: &str) -> Result<Edited, Error> {
        fact::edit(self, name, text)
    }

    /// Gives an entity another name in every fact.
    pub fn rename_entity(&self, old: &str, new: &str) -> Result<Renamed, Error> {
        fact::rename_entity(self, old, new)
    }

    /// Says whose word a fact is.
    pub fn trust(&self, id: &str, origin: Origin) -> Result<Trusted, Error> {
        origin::trust(self, id, origin)
    }

    /// Forgets, or says what would be forgotten.
    pub fn forget(&self, request: &forget::Erasure) -> Result<Forgotten, Error> {
        forget::forget(self, request)
    }

    /// Why something that was forgotten is still in a file.
    pub fn forgetting(&self) -> Vec<String> {
        forget::forgetting(self)
    }

    /// Consolidates the facts that matter.
    pub fn reflect(&self, request: reflect::CoreRequest) -> Result<Reflected, Error> {
        reflect::reflect(self, request, None)
    }

    pub fn undo_reflection(&self) -> Result<Vec<String>, Error> {
        reflect::undo_reflection(self)
    }

    /// Applies the policy's rules to what is stored.
    pub fn apply_policy(&self, dry_run: bool) -> Result<Applied, Error> {
        policy::apply(self, dry_run)
    }

    pub fn encrypt_notes(&self, paths: &[String]) -> Result<Moved, Error> {
        private::encrypt_notes(self, paths)
    }

    pub fn decrypt_note(&self, path: &str, to: Option<&str>) -> Result<Moved, Error> {
        private::decrypt_note(self, path, to)
    }

    /// Encrypts private notes again, with a new key.
    pub fn rekey(&self, protect: Protect, old_keys: OldKeys) -> Result<Rekeyed, Error> {
        private::rekey(self, protect, old_keys)
    }

    /// From now on this passphrase opens the key of private notes.
    pub fn unlock(&self, passphrase: Passphrase) {
        private::unlock(self, passphrase);
    }
}

/// Conversations.
impl Memory {
    /// What a model would be given next in a session; one that is not there yet has no turns.
    pub fn context(&self, session: &str, start: &Start) -> Result<Context, Error> {
        session::context::context(self, session, start)
    }

    /// Saves what was said since the last flush, and asks the model. Whatever the model does, the first holds.
    pub fn flush(&self, session: &str, assistant: Option<Assistant<'_>>) -> Result<Flushed, Error> {
        session::flush::flush(self, session, assistant)
    }

    /// The user turn of a flush, with the day's note.
    pub fn flush_prompt(&self) -> String {
        session::flush::prompt(self)
    }

    /// Whether a session must be flushed before its next turn.
    pub fn flush_check(&self, session: &str, check: &Check<'_>) -> Result<Decision, Error> {
        session::flush::is_due(self, session, check)
    }

    /// Whether it must be compacted.
    pub fn compaction_check(&self, session: &str, check: &Check<'_>) -> Result<bool, Error> {
        session::flush::is_compaction_due(self, session, check)
    }

    /// Compacts a session. What was said since the last flush is saved first.
    pub fn compact(
        &self,
        session: &str,
        assistant: Option<Assistant<'_>>,
        trigger: Trigger,
    ) -> Result<Compacted, Error> {
        session::compact::compact(self, session, assistant, trigger)
    }

    /// Writes turns down, and makes them findable. `entries` are those of
    /// [`Message::entry`](crate::session::Message::entry) or of [`parse_lines`](crate::session::parse_lines).
    pub fn say(&self, session: &str, entries: &[Value], about: &About) -> Result<TurnReport, Error> {
        session::memory::say(self, session, entries, about)
    }
}

/// What forgetting has left undone is done first.
pub fn sync(corpus: &Corpus, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
    forget::go_on(corpus)?;
    ingest::run_shown(corpus, Scope::All, Budget::Unlimited, on_progress)
}

impl Deref for Memory {
    type Target = Corpus;

    fn deref(&self) -> &Corpus {
        &self.corpus
    }
}
