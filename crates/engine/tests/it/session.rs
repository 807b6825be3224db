//! Conversations on the disk, in the index, and when they grow too long.

mod agent;
mod compacts;
mod finds;
mod reads;
mod remembers;
mod writes;

use mindfile::Memory;
use mindfile::session::{About, Message, Role, TurnReport};

use crate::world::World;

pub(crate) fn say(memory: &Memory, session: &str, role: Role, text: &str) -> TurnReport {
    memory.say(session, &[Message::new(role, text).entry()], &About::default()).unwrap()
}

pub(crate) fn path(world: &World, session: &str) -> std::path::PathBuf {
    world.memory().sessions().path(session)
}

/// The texts of the messages, in the order of the conversation.
pub(crate) fn texts(memory: &Memory, session: &str) -> Vec<String> {
    let transcript = memory.sessions().read(session).unwrap();
    transcript.messages().map(|(_, message)| message.text()).collect()
}
