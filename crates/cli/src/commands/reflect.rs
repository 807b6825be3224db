//! `mindfile reflect`

use std::process::ExitCode;

use mindfile::origin::Door;
use mindfile_operations::{Caller, Operation, UndoReflection};

use super::Run;
use crate::arguments::{Globals, Reflect};
use crate::environment;
use crate::failure::Failure;

pub(super) fn run(asked: &Reflect, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let agent = asked.agent_id.clone().or_else(|| run.globals.agent.clone());
    let globals = Globals { agent, ..run.globals.clone() };
    let memory = run.open(&globals, Door::Terminal)?;
    if asked.undo {
        return run.print(&UndoReflection {}.run(&Caller::person(&memory))?, &memory);
    }
    let model = environment::chat_model(&memory, &asked.model)?;
    let caller = Caller { model: model.as_deref(), ..Caller::person(&memory) };
    run.print(&asked.asked.clone().run(&caller)?, &memory)
}
