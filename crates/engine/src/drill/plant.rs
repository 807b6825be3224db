//! Putting the canaries in, each through the door that makes it what it is.

use std::ops::ControlFlow;

use mindfile_index::Origin;
use mindfile_note::hash::Digest;

use super::scratch::Scratch;
use super::{Canary, Way};
use crate::durable;
use crate::error::Error;
use crate::fact::Sensitivity;
use crate::forget::{self, What};
use crate::memory::Memory;
use crate::origin::Door;
use crate::retain::Request;
use crate::session::{About, Message, Role};

/// The rule that masks a canary.
pub(super) const MASK: &str = "drill";
pub(super) const SESSION: &str = "drill";
/// Letters and digits of the mark.
const MARK: usize = 8;

/// The canaries, and what was seen while they were put in.
pub(super) struct Planted {
    /// Different in every drill, so that no note has it.
    mark: String,
    /// What came through on the way in.
    pub(super) seen: Vec<(Canary, Way)>,
}

impl Planted {
    pub(super) fn plant(scratch: &mut Scratch) -> Result<Self, Error> {
        let moment = format!("{} {}", scratch.memory(Door::Terminal).clock.now(), durable::nonce());
        let mark = Digest::of(moment.as_bytes()).to_string()[..MARK].to_owned();
        let mut planted = Self { mark, seen: Vec::new() };
        scratch.mask(&planted.word(Canary::Masked))?;
        scratch.write("memory/drill-masked.md", planted.fact(Canary::Masked).as_bytes())?;
        let owner = scratch.memory(Door::Terminal);
        owner.sync(&mut |_| ControlFlow::Continue(()))?;
        planted.retain(scratch, Door::Terminal, Canary::Owner)?;
        planted.retain(scratch, Door::Mcp, Canary::Agent)?;
        planted.retain(scratch, Door::Tool, Canary::Untrusted)?;
        planted.raise(scratch)?;
        let private = planted.request(Canary::Private);
        owner.retain(&Request { sensitivity: Some(Sensitivity::High), ..private })?;
        planted.forget(&owner)?;
        planted.converse(scratch)?;
        Ok(planted)
    }

    /// A word that says which canary it is, and stands nowhere else.
    pub(super) fn word(&self, canary: Canary) -> String {
        format!("zq{}{}", self.mark, canary.as_str())
    }

    /// The word comes first, where no snippet cuts it off.
    pub(super) fn sentence(&self, canary: Canary) -> String {
        format!("{} is what we decided to call the {} lighthouse", self.word(canary), canary.as_str())
    }

    fn fact(&self, canary: Canary) -> String {
        format!("- W(s=1.0) @lighthouse: {}\n", self.sentence(canary))
    }

    /// Each is about something else, and matters as much as a fact can: what stays out does so for no other reason.
    fn request(&self, canary: Canary) -> Request {
        let entities = vec!["lighthouse".to_owned()];
        Request { salience: Some(1.0), force: true, entities, ..Request::new(&self.sentence(canary)) }
    }

    fn retain(&self, scratch: &Scratch, door: Door, canary: Canary) -> Result<String, Error> {
        Ok(scratch.memory(door).retain(&self.request(canary))?.fact.id)
    }

    /// What nobody trusts asks to be the owner's word, and the program's own.
    fn raise(&mut self, scratch: &Scratch) -> Result<(), Error> {
        let id = self.retain(scratch, Door::Tool, Canary::System)?;
        let tries = [
            (Way::RaiseToSystem, Door::Terminal, Origin::System),
            (Way::RaiseByAgent, Door::Mcp, Origin::Owner),
            (Way::RaiseToOwner, Door::Terminal, Origin::Owner),
        ];
        for (way, door, origin) in tries {
            // A refusal is what is hoped for; what came of it is read from the memory itself.
            let refused = scratch.memory(door).trust(&id, origin).is_err();
            let now = scratch.memory(Door::Terminal).inspect(&id, None)?.fact.origin;
            if !refused || now == origin {
                self.seen.push((Canary::System, way));
            }
        }
        Ok(())
    }

    fn forget(&mut self, owner: &Memory) -> Result<(), Error> {
        let canary = Canary::Forgotten;
        let id = owner.retain(&self.request(canary))?.fact.id;
        let found = owner.search(&crate::search::Request::new(self.sentence(canary)), None)?;
        if found.answer.hits.iter().any(|hit| hit.snippet.contains(&self.word(canary))) {
            self.seen.push((canary, Way::Before));
        }
        owner.forget(&forget::Request { what: What::Fact(id), dry_run: false })?;
        if owner.retain(&self.request(canary)).is_ok() {
            self.seen.push((canary, Way::Again));
        }
        Ok(())
    }

    /// A conversation in which each of them is said by whoever may say it, what was forgotten is said again, and the agent
    /// echoes a tool.
    fn converse(&self, scratch: &Scratch) -> Result<(), Error> {
        let turns = [
            Message::new(Role::User, self.sentence(Canary::Owner)),
            Message::new(Role::User, self.sentence(Canary::Masked)),
            Message::new(Role::User, self.sentence(Canary::Forgotten)),
            Message::new(Role::Assistant, self.sentence(Canary::Agent)),
            Message::new(Role::Tool, self.sentence(Canary::Untrusted)),
            Message::new(Role::Assistant, self.sentence(Canary::Untrusted)),
        ];
        let entries: Vec<_> = turns.iter().map(Message::entry).collect();
        let owner = scratch.memory(Door::Terminal);
        owner.say(SESSION, &entries, &About::default())?;
        owner.flush(SESSION, None)?;
        owner.reflect(crate::reflect::Request { max_tokens: Some(100_000), dry_run: false })?;
        Ok(())
    }
}
