//! `mindfile watch`

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use mindfile::Memory;
use mindfile::fault::Hint;
use mindfile::ingest::neighbour;
use mindfile::watch::{self, Event, Rescan};
use mindfile_operations::{Indexed, Looked};

use super::Run;
use super::index;
use crate::arguments::Watch;
use crate::failure::{Class, Failure};
use crate::interrupt;
use crate::output;
use crate::output::quantity::{count, time};
use crate::output::spelling::Terminal;
use crate::output::style::FAINT;

pub(super) fn run(_: &Watch, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    memory.check_on()?;
    let timing = watch::timing(memory.settings()).ok_or_else(unwanted)?;
    let stop = interrupt::listen()?;
    let workspace = memory.workspace()?;
    let mut watching = Watching { memory: &memory, run, said: Vec::new(), failed: None };
    run.screen.say(&format!("Watching {} (Ctrl-C ends it)", workspace.root().display()));
    mindfile_qmd::boot(&memory);
    std::thread::scope(|scope| {
        scope.spawn(|| mindfile_qmd::keep(&memory, false, stop));
        // Where no socket can be made, other processes look for themselves.
        scope.spawn(|| neighbour::tell(&memory, stop).ok());
        watch::run(&workspace, &memory.lookout, &timing, stop, |event| watching.on(&event, stop));
    });
    watching.failed.map_or(Ok(ExitCode::SUCCESS), Err)
}

fn unwanted() -> Failure {
    let message = "the notes are not to be watched: sync.watch is false, and sync.intervalMinutes is 0";
    Failure::usage(message).hint(Hint::set("sync.watch", "true"))
}

struct Watching<'a> {
    memory: &'a Memory,
    run: &'a Run<'a>,
    /// Complaints that were made already and still hold.
    said: Vec<String>,
    failed: Option<Failure>,
}

impl Watching<'_> {
    fn on(&mut self, event: &Event, stop: &AtomicBool) {
        let done = match event {
            Event::Degraded { reason } => self.degraded(reason.to_string()),
            Event::Rescan { reason: reason @ Rescan::Overflow } => {
                self.rescanned(reason.to_string()).and_then(|()| self.look())
            }
            Event::Rescan { reason: Rescan::Started | Rescan::Folders } | Event::Look => self.look(),
        };
        if let Err(failure) = done {
            self.failed = Some(failure);
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn degraded(&self, reason: String) -> Result<(), Failure> {
        if self.run.screen.json {
            return Ok(output::json_line(&Looked::Degraded { reason })?);
        }
        self.run.screen.warn(&reason);
        Ok(())
    }

    fn rescanned(&self, reason: String) -> Result<(), Failure> {
        if self.run.screen.json {
            return Ok(output::json_line(&Looked::Rescanned { reason })?);
        }
        self.run.screen.say(&reason);
        Ok(())
    }

    /// A disk that is away or full for the moment does not end the watch; the next look tries again.
    fn look(&mut self) -> Result<(), Failure> {
        match index::index(self.memory, self.run.screen) {
            Ok(indexed) => self.report(indexed),
            Err(failure) => match failure.class {
                Class::Interrupted => Ok(()),
                Class::Environment | Class::Away => {
                    self.complain(vec![failure.message(&Terminal)]);
                    Ok(())
                }
                Class::Usage
                | Class::Absent
                | Class::Conflict
                | Class::Forbidden
                | Class::Unread
                | Class::Bug => Err(failure),
            },
        }
    }

    fn report(&mut self, indexed: Indexed) -> Result<(), Failure> {
        let screen = self.run.screen;
        if screen.json {
            return Ok(output::json_line(&Looked::Indexed(Box::new(indexed)))?);
        }
        self.complain(indexed.complaints(&Terminal));
        if indexed.report.is_unchanged() || screen.quiet {
            return Ok(());
        }
        let clock = self.memory.clock();
        let at = clock.now().to_zoned(clock.zone()).strftime("%H:%M:%S").to_string();
        Ok(output::text(&format!("{FAINT}{at}{FAINT:#}  {}\n", line(&indexed)))?)
    }

    /// Says what was not said before.
    fn complain(&mut self, complaints: Vec<String>) {
        for complaint in complaints.iter().filter(|complaint| !self.said.contains(complaint)) {
            self.run.screen.warn(complaint);
        }
        self.said = complaints;
    }
}

/// `2 notes changed, 3 chunks, 8 ms`
fn line(indexed: &Indexed) -> String {
    let report = &indexed.report;
    let kinds = [
        (report.added, "new"),
        (report.changed, "changed"),
        (report.renamed, "renamed"),
        (report.removed, "removed"),
    ];
    let told = kinds.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", count(*n, "note")));
    let mut told: Vec<String> = told.collect();
    told.extend([count(report.chunks, "chunk"), time(indexed.took)]);
    told.join(", ")
}
