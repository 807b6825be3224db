//! `mindfile index`

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

use mindfile::Memory;
use mindfile::reconcile::Progress;
use mindfile_operations::{Caller, Index, Indexed, Listener, Operation};

use super::Run;
use crate::failure::{Class, Failure};
use crate::interrupt;
use crate::output::Screen;
use crate::output::progress::Bar;
use crate::output::quantity::{count, number};

pub(super) fn run(asked: &Index, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    interrupt::listen()?;
    let done =
        with_bar(run.screen, |bar| asked.run(&Caller { listener: Some(bar), ..Caller::person(&memory) }));
    run.print(&done?, &memory)
}

/// Brings the index up to date.
pub(super) fn index(memory: &Memory, screen: &Screen) -> Result<Indexed, Failure> {
    with_bar(screen, |bar| Ok(Indexed::run(memory, false, |progress| bar.step(progress))?))
}

/// Work that shows how far it is and can be stopped.
fn with_bar<T>(screen: &Screen, work: impl FnOnce(&IndexBar) -> Result<T, Failure>) -> Result<T, Failure> {
    let bar = IndexBar(RefCell::new(Bar::new(screen)));
    let done = work(&bar);
    bar.0.borrow_mut().clear();
    match done {
        Err(failure) if failure.class == Class::Interrupted => {
            let message = "stopped; what is indexed stays, run the same command again to go on";
            Err(Failure::new(Class::Interrupted, message))
        }
        done => done,
    }
}

struct IndexBar(RefCell<Bar>);

impl Listener for IndexBar {
    fn step(&self, progress: &Progress) -> ControlFlow<()> {
        let mut bar = self.0.borrow_mut();
        if progress.of_embedded > 0 {
            let (done, of) = (progress.embedded as u64, progress.of_embedded as u64);
            bar.show(done, of, |_| {
                format!("{}/{} chunks embedded", number(progress.embedded), number(progress.of_embedded))
            });
        } else {
            bar.show(progress.bytes, progress.of_bytes, |elapsed| words(progress, elapsed));
        }
        interrupt::go_on()
    }

    fn say(&self, _: &str) {}
}

fn words(progress: &Progress, elapsed: Duration) -> String {
    let rate = progress.notes as f64 / elapsed.as_secs_f64().max(0.001);
    format!(
        "{}/{} notes, {}/s, {}",
        number(progress.notes),
        number(progress.of_notes),
        number(rate as usize),
        count(progress.chunks, "chunk")
    )
}
