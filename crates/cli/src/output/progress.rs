//! The bar of long work. It appears when the work turns out to be long, and only on a terminal.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::{Screen, quantity};

/// Work that is done before this needs no bar.
const PATIENCE: Duration = Duration::from_millis(150);

pub(crate) struct Bar {
    started: Instant,
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Bar {
    pub(crate) fn new(screen: &Screen) -> Self {
        let wanted = !screen.quiet && io::stderr().is_terminal();
        Self { started: Instant::now(), wanted, bar: None }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// `done` of `of`, in what the time that is left follows from; `message` says it in words.
    pub(crate) fn show(&mut self, done: u64, of: u64, message: impl FnOnce(Duration) -> String) {
        if !self.wanted || of == 0 || self.elapsed() < PATIENCE {
            return;
        }
        let elapsed = self.elapsed();
        let bar = self.bar.get_or_insert_with(|| ProgressBar::new(of).with_style(style()));
        bar.set_length(of);
        bar.set_message(format!("{}, {}", message(elapsed), left(elapsed, done, of)));
        bar.set_position(done);
    }

    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// The time that is left if the rest goes as fast as what is done.
fn left(elapsed: Duration, done: u64, of: u64) -> String {
    if done == 0 {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() * of.saturating_sub(done) as f64 / done as f64;
    format!("{} left", quantity::seconds(seconds.ceil() as u64))
}

fn style() -> ProgressStyle {
    const TEMPLATE: &str = "{wide_bar:.cyan/dim} {percent:>3}%  {msg}";
    match ProgressStyle::with_template(TEMPLATE) {
        Ok(style) => style.progress_chars("━╸─"),
        Err(_template) => ProgressStyle::default_bar(),
    }
}
