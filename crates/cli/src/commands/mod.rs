//! One file a command: arguments in, one call of the library, output out.

mod audit;
mod backup;
mod browse;
mod chat;
mod completions;
mod config;
mod controls;
mod demo;
mod doctor;
mod entities;
mod eval;
mod export;
mod forget;
mod get;
mod heartbeat;
mod help;
mod hook;
mod import;
mod index;
mod init;
mod inspect;
mod install;
mod man;
mod policy;
mod private;
mod recall;
mod reflect;
mod retain;
mod search;
mod serve;
mod session;
mod status;
mod watch;

use std::cell::RefCell;
use std::process::ExitCode;
use std::sync::Arc;

use mindfile::Memory;
use mindfile::origin::Door;

use crate::arguments::{Arguments, Command, Globals};
use crate::environment;
use crate::failure::Failure;
use crate::output::Screen;

/// What every command needs: how it was called, and how it prints.
pub(crate) struct Run<'a> {
    pub(crate) globals: &'a Globals,
    pub(crate) screen: &'a Screen,
    opened: RefCell<Vec<Arc<Memory>>>,
}

impl Run<'_> {
    /// The memory that the command is about.
    fn memory(&self) -> Result<Arc<Memory>, Failure> {
        self.open(self.globals, Door::Terminal)
    }

    /// The same by other flags, or through another door.
    fn open(&self, globals: &Globals, door: Door) -> Result<Arc<Memory>, Failure> {
        let memory = Arc::new(environment::memory(globals, self.screen)?.through(door));
        self.opened.borrow_mut().push(Arc::clone(&memory));
        Ok(memory)
    }

    /// Whatever happened on the way and the command itself did not say.
    fn say_rest(&self) {
        for memory in &*self.opened.borrow() {
            memory.notices().iter().for_each(|notice| self.screen.warn_once(notice));
        }
    }
}

pub(crate) fn run(arguments: Arguments, screen: &Screen) -> Result<ExitCode, Failure> {
    let run = Run { globals: &arguments.globals, screen, opened: RefCell::default() };
    let done = carry_out(arguments.command.command(), &run);
    run.say_rest();
    done
}

fn carry_out(command: Command, run: &Run<'_>) -> Result<ExitCode, Failure> {
    match command {
        Command::Init(asked) => init::run(&asked, run),
        Command::Demo(asked) => demo::run(&asked, run),
        Command::Index(asked) => index::run(&asked, run),
        Command::Watch => watch::run(run),
        Command::Search(asked) => search::run(&asked, run),
        Command::Get(asked) => get::run(&asked, run),
        Command::Retain(asked) => retain::run(&asked, run),
        Command::Recall(asked) => recall::run(&asked, run),
        Command::Reflect(asked) => reflect::run(&asked, run),
        Command::Heartbeat(asked) => heartbeat::run(&asked, run),
        Command::Inspect(asked) => inspect::run(&asked, run),
        Command::Edit(asked) => controls::edit(&asked, run),
        Command::Trust(asked) => controls::trust(&asked, run),
        Command::Delete(asked) => controls::delete(&asked, run),
        Command::Forget(asked) => forget::run(&asked, run),
        Command::Entities(asked) => entities::run(&asked, run),
        Command::Session(asked) => session::run(&asked.command, run),
        Command::Chat(asked) => chat::run(&asked, run),
        Command::Hook(asked) => hook::run(&asked, run),
        Command::Install(asked) => install::run(&asked, run),
        Command::Import(asked) => import::run(&asked, run),
        Command::Export(asked) => export::run(&asked, run),
        Command::Backup(asked) => backup::run(&asked, run),
        Command::Restore(asked) => backup::restore(&asked, run),
        Command::Serve(asked) => serve::run(&asked, run),
        Command::Mcp(asked) => serve::mcp(&asked, run),
        Command::Encrypt(asked) => private::encrypt(&asked, run),
        Command::Decrypt(asked) => private::decrypt(&asked, run),
        Command::Rekey(asked) => private::rekey(&asked, run),
        Command::Status(asked) => status::run(&asked, run),
        Command::Doctor(asked) => doctor::run(&asked, run),
        Command::Policy(asked) => policy::run(&asked.command, run),
        Command::Audit(asked) => audit::run(&asked.command, run),
        Command::Config(asked) => config::run(&asked, run),
        Command::Completions(asked) => completions::run(&asked),
        Command::Man(asked) => man::run(&asked, run),
        Command::Eval(asked) => eval::run(&asked.command, run),
        Command::Help(asked) => help::run(&asked),
    }
}
