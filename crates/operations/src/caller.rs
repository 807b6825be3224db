//! Who asks: the memory, what the caller may see of it, and what the front end lends for the time of the request.

use std::ops::ControlFlow;

use jiff::civil::Date;
use mindfile::chat::ChatModel;
use mindfile::config::Warning;
use mindfile::fault::Spelling;
use mindfile::reconcile::Progress;
use mindfile::session::{Assistant, ChatType, EmptyToolbox, Toolbox};
use mindfile::{Memory, Viewer, when};

use crate::failure::{Class, Failure};
use crate::indexing::Indexing;
use crate::spelling::Program;
use crate::values::Chat;

/// What every operation runs with.
#[derive(Clone, Copy)]
pub struct Caller<'a> {
    pub memory: &'a Memory,
    /// The most that this caller may see.
    pub viewer: Viewer,
    /// A model that may be asked.
    pub model: Option<&'a dyn ChatModel>,
    /// The tools that it may call.
    pub tools: &'a dyn Toolbox,
    /// The conversation in which a model asks for this.
    pub session: Option<&'a str>,
    /// Who wants to know how far long work is, and may end it.
    pub listener: Option<&'a dyn Listener>,
    /// Who brings the index up to date while requests are answered.
    pub indexing: Option<&'a dyn Indexing>,
    /// What is odd in the settings.
    pub warnings: &'a [Warning],
    /// How operations are written in an answer.
    pub spelling: &'a dyn Spelling,
    /// What a person types at a terminal to reach this memory; none where they are there already.
    pub command: Option<&'a str>,
}

pub trait Listener {
    fn step(&self, progress: &Progress) -> ControlFlow<()>;
    fn say(&self, what: &str);
}

impl<'a> Caller<'a> {
    /// Whoever came through the memory's own door, with nobody reading along.
    pub fn person(memory: &'a Memory) -> Self {
        Self {
            memory,
            viewer: memory.viewer(),
            model: None,
            tools: &EmptyToolbox,
            session: None,
            listener: None,
            indexing: None,
            warnings: &[],
            spelling: &Program,
            command: None,
        }
    }

    /// A program, whose answers may go to a model and so to a provider.
    pub fn program(memory: &'a Memory, chat: ChatType) -> Self {
        let viewer = memory.viewer().in_chat(chat).for_model();
        Self { viewer, ..Self::person(memory) }
    }

    /// For whom an answer is. A caller in a group gets no more than a group may see, whatever is asked.
    pub fn viewer(&self, asked: Option<Chat>) -> Viewer {
        match asked.map(ChatType::from) {
            Some(asked) if self.viewer.chat.is_private() || !asked.is_private() => self.viewer.in_chat(asked),
            Some(_) | None => self.viewer,
        }
    }

    /// The chat, if the request or the front end names one; else the conversation's own record decides.
    pub fn chat(&self, asked: Option<Chat>) -> Option<ChatType> {
        let chat = self.viewer(asked).chat;
        (asked.is_some() || !chat.is_private()).then_some(chat)
    }

    /// What is changed or forgotten is listed line by line, wherever it stands: a group would see MEMORY.md by it.
    pub fn check_alone(&self) -> Result<(), Failure> {
        if self.viewer.chat.is_private() {
            return Ok(());
        }
        let message = "a server for a group does not change or forget what is remembered";
        let hint = "use the command line, or a server of your own";
        Err(Failure::new(Class::Forbidden, message).code("forbidden").hint(hint))
    }

    /// The model with its tools.
    pub fn assistant(&self) -> Option<Assistant<'a>> {
        self.model.map(|model| Assistant { model, tools: self.tools })
    }

    /// A day as people write it.
    pub fn day(&self, text: Option<&str>) -> Result<Option<Date>, Failure> {
        Ok(text.map(|text| when::day(self.memory.clock(), text)).transpose()?)
    }

    /// Brings the index up to date before a question, if somebody wants to see how far that is.
    pub fn catch_up(&self) -> Result<(), Failure> {
        match self.listener {
            Some(listener) => Ok(self.memory.prepare(&mut |progress| listener.step(progress))?),
            None => Ok(()),
        }
    }

    /// Tells how far long work is, and whether to go on with it.
    pub fn step(&self, progress: &Progress) -> ControlFlow<()> {
        self.listener.map_or(ControlFlow::Continue(()), |listener| listener.step(progress))
    }

    pub(crate) fn indexing(&self) -> Result<&dyn Indexing, Failure> {
        self.indexing.ok_or_else(|| Failure::bug("nothing works on the index beside the requests"))
    }

    /// Tells what is done now.
    pub fn say(&self, what: &str) {
        if let Some(listener) = self.listener {
            listener.say(what);
        }
    }
}
