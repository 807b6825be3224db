//! One file a command: arguments in, one call of the library, output out.

mod browse;
mod chat;
mod completions;
mod config;
mod demo;
mod doctor;
mod edit;
mod entities;
mod eval;
mod export;
mod forget;
mod get;
mod heartbeat;
pub(crate) mod help;
mod hook;
mod import;
mod index;
mod init;
mod install;
mod man;
mod memory_tool;
mod merge_driver;
mod policy;
mod private;
mod reflect;
mod retain;
mod search;
mod serve;
mod session;
mod status;
pub(crate) mod tree;
mod watch;

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Args};
use mindfile::Memory;
use mindfile::origin::Door;
use mindfile_operations::{self as operations, Caller, Entry, OPERATIONS, Operation, Page, Reply, Row};

use crate::arguments::Globals;
use crate::environment;
use crate::failure::{self, Failure};
use crate::output::spelling::Terminal;
use crate::output::{self, Screen};
use tree::AGAIN;

/// What every command needs: how it was called, and how it prints.
pub(crate) struct Run<'a> {
    pub(crate) globals: &'a Globals,
    pub(crate) screen: &'a Screen,
    home: Option<PathBuf>,
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

    fn page<'a>(&'a self, memory: &'a Memory) -> Page<'a> {
        Page {
            home: self.home.as_deref(),
            width: self.screen.width,
            clock: memory.clock(),
            spelling: &Terminal,
        }
    }

    /// Prints an answer, and gives the code to exit with.
    fn print(&self, reply: &dyn Reply, memory: &Memory) -> Result<ExitCode, Failure> {
        self.print_as(reply, memory, || reply.pretty_json())
    }

    /// The same for one of several answers: as JSON each has a line of its own.
    fn print_line(&self, reply: &dyn Reply, memory: &Memory) -> Result<ExitCode, Failure> {
        self.print_as(reply, memory, || Ok(String::from_utf8_lossy(&reply.json()?).into_owned()))
    }

    fn print_as(
        &self,
        reply: &dyn Reply,
        memory: &Memory,
        json: impl FnOnce() -> Result<String, Failure>,
    ) -> Result<ExitCode, Failure> {
        let shown = reply.shown(&self.page(memory));
        shown.notices.iter().for_each(|notice| self.screen.warn(notice));
        if self.screen.json {
            output::pretty(json()?)?;
        } else {
            shown.caveats.iter().for_each(|caveat| self.screen.warn(caveat));
            if !(shown.is_receipt && self.screen.quiet) {
                output::text(&shown.text)?;
            }
            shown.remarks.iter().for_each(|remark| self.screen.say(remark));
        }
        Ok(if shown.is_incomplete { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    /// Whatever happened on the way and the command itself did not say.
    fn say_rest(&self) {
        for memory in &*self.opened.borrow() {
            memory.notices().iter().for_each(|notice| self.screen.warn_once(notice));
        }
    }
}

type Work = Box<dyn Fn(&ArgMatches, &Run<'_>) -> Result<ExitCode, Failure>>;

/// A command: where it is found and how it is done.
pub(crate) struct Command {
    pub(crate) row: Row,
    pub(crate) augment: fn(clap::Command) -> clap::Command,
    work: Work,
}

impl Command {
    /// As they are typed.
    pub(crate) fn words(&self) -> &'static str {
        self.row.command.unwrap_or(self.row.name)
    }
}

/// Every command by its name: those of the program's own, and the operations that need nothing else.
pub(crate) fn all() -> Vec<Command> {
    let mut all = own_commands();
    let plain = OPERATIONS.iter().filter(|entry| entry.row.command.is_some());
    let plain = plain.filter(|entry| !all.iter().any(|own| own.row.name == entry.row.name));
    let plain: Vec<Command> = plain.map(operation).collect();
    all.extend(plain);
    all.sort_by_key(Command::words);
    all
}

/// What only a person at a terminal can do, or does with more than the operation takes.
fn own_commands() -> Vec<Command> {
    vec![
        own(Row::command("init", "Make a workspace; nothing is overwritten"), init::run),
        own(Row::command("demo", "Take a tour on a sample workspace"), demo::run),
        own(operations::Index::ROW, index::run),
        own(Row::command("watch", "Keep the index up to date until stopped"), watch::run),
        own(operations::Search::ROW, search::run),
        own(operations::Get::ROW, get::run),
        own(operations::Retain::ROW, retain::run),
        own(operations::Reflect::ROW, reflect::run),
        own(operations::Heartbeat::ROW, heartbeat::run),
        own(operations::Edit::ROW, edit::run),
        own(operations::Delete::ROW, forget::delete),
        own(operations::Forget::ROW, forget::run),
        own(Row::command("entities", "List the people and things that facts mention"), entities::run),
        own(operations::sessions::Append::ROW, session::append),
        own(operations::sessions::Flush::ROW, session::flush),
        own(operations::sessions::Compact::ROW, session::compact),
        own(Row::command("chat", "Talk to a model that remembers, in the terminal"), chat::run),
        own(Row::command("install", "Connect mindfile to an agent that you use"), install::run),
        own(Row::command("hook", "Answer a host's hook; hosts call this at each turn"), hook::run),
        own(operations::MemoryTool::ROW, memory_tool::run),
        own(
            Row::command("merge-driver", "Merge three versions of a note by their facts; git calls this"),
            merge_driver::run,
        ),
        own(operations::Import::ROW, import::run),
        own(Row::command("export", "Export notes and facts"), export::run),
        own(Row::command("serve", "Serve HTTP, MCP and a page for the browser"), serve::run),
        own(Row::command("mcp", "Run as an MCP server over stdin and stdout"), serve::mcp),
        own(operations::Rekey::ROW, private::rekey),
        own(operations::ShowStatus::ROW, status::run),
        own(operations::Doctor::ROW, doctor::run),
        own(operations::CheckPolicy::ROW, policy::check),
        own(Row::command("config", "Show and change the settings"), config::run),
        own(Row::command("completions", "Print a script for completion in a shell"), completions::run),
        own(Row::command("man", "Print the manual as a man page"), man::run),
        own(Row::command("eval", "Measure how well your notes are found"), eval::run),
        own(Row::command("help", "Explain a command, or list all of them"), help::run),
    ]
}

fn own<A: Args + 'static>(row: Row, work: fn(&A, &Run<'_>) -> Result<ExitCode, Failure>) -> Command {
    let work = move |given: &ArgMatches, run: &Run<'_>| match A::from_arg_matches(given) {
        Ok(asked) => work(&asked, run),
        Err(error) => Ok(failure::misread(&error)),
    };
    Command { row, augment: A::augment_args, work: Box::new(work) }
}

fn operation(entry: &'static Entry) -> Command {
    let work = |given: &ArgMatches, run: &Run<'_>| {
        let memory = run.memory()?;
        let reply = (entry.by_words)(&Caller::person(&memory), given)?;
        run.print(&*reply, &memory)
    };
    Command { row: entry.row, augment: entry.augment, work: Box::new(work) }
}

pub(crate) fn run(matches: &ArgMatches, globals: &Globals, screen: &Screen) -> Result<ExitCode, Failure> {
    let run = Run { globals, screen, home: environment::folder("HOME"), opened: RefCell::default() };
    let done = carry_out(matches, &run);
    run.say_rest();
    done
}

/// The longest words that are a command are the one that is meant; what stands below it is its own.
fn carry_out(matches: &ArgMatches, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let all = all();
    let mut words: Vec<&str> = Vec::new();
    let mut given = matches;
    while let Some((name, below)) = given.subcommand() {
        given = below;
        if words.is_empty() && name == AGAIN {
            continue;
        }
        words.push(name);
        if let Some(command) = all.iter().find(|command| command.words() == words.join(" ")) {
            return (command.work)(given, run);
        }
    }
    Err(Failure::bug(format!("{words:?} is no command")))
}
