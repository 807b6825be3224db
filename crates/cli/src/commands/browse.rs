//! `mindfile search --interactive`: search as one types, with a preview. The state and how it is drawn are plain; only
//! `run` touches the terminal, and it leaves the terminal as it found it, whatever happens.

mod draw;
mod terminal;

use std::process::ExitCode;
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use mindfile::Memory;
use mindfile::search::{Hit, Request};

use crate::environment;
use crate::failure::Failure;
use crate::interrupt;
use crate::output;

use terminal::Terminal;

/// How many hits are listed.
const MOST: usize = 50;
/// A key that follows this soon is part of the same word: the search waits for it.
const PAUSE: Duration = Duration::from_millis(30);
/// How often a signal is looked for while nothing is typed.
const PATIENCE: Duration = Duration::from_millis(200);

/// What the person sees.
#[derive(Debug, Default)]
struct View {
    query: String,
    hits: Vec<Hit>,
    chosen: usize,
    /// The lines around the chosen hit, and the number of the first.
    preview: (u32, Vec<String>),
    told: Option<String>,
}

/// What a key means.
#[derive(Debug, PartialEq, Eq)]
enum Act {
    Nothing,
    Search,
    Look,
    Open,
    Leave,
}

/// What was chosen at the end.
enum End {
    Left,
    Chosen(Box<Hit>),
}

pub(super) fn run(memory: &Memory, request: &Request) -> Result<ExitCode, Failure> {
    if !Terminal::is_there() {
        return Err(Failure::usage("--interactive needs a terminal")
            .hint("leave it out, or do not redirect input and output"));
    }
    interrupt::listen()?;
    let end = {
        let mut terminal = Terminal::enter()?;
        browse(memory, request, &mut terminal)?
    };
    match end {
        End::Left => Ok(ExitCode::SUCCESS),
        End::Chosen(hit) => open(memory, &hit),
    }
}

fn browse(memory: &Memory, request: &Request, terminal: &mut Terminal) -> Result<End, Failure> {
    let mut view = View { query: request.query.clone(), ..View::default() };
    view.search(memory, request)?;
    loop {
        terminal.show(|width, height| draw::screen(&view, width, height))?;
        let Some(event) = next()? else { return Ok(End::Left) };
        let mut act = view.take(&event);
        while act == Act::Search && event::poll(PAUSE)? {
            match view.take(&event::read()?) {
                Act::Nothing | Act::Search | Act::Look => {}
                other @ (Act::Open | Act::Leave) => {
                    view.search(memory, request)?;
                    act = other;
                }
            }
        }
        match act {
            Act::Nothing => {}
            Act::Search => view.search(memory, request)?,
            Act::Look => view.look(memory),
            Act::Leave => return Ok(End::Left),
            Act::Open => {
                if let Some(hit) = view.hits.get(view.chosen) {
                    return Ok(End::Chosen(Box::new(hit.clone())));
                }
            }
        }
    }
}

/// The next event; none when a signal asks the program to end.
fn next() -> std::io::Result<Option<Event>> {
    while interrupt::go_on().is_continue() {
        if event::poll(PATIENCE)? {
            return event::read().map(Some);
        }
    }
    Ok(None)
}

impl View {
    fn take(&mut self, event: &Event) -> Act {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Paste(text) => {
                self.query.extend(text.chars().filter(|c| !c.is_control()));
                Act::Search
            }
            Event::Key(_) | Event::Resize(..) | Event::FocusGained | Event::FocusLost | Event::Mouse(_) => {
                Act::Nothing
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the keys of a keyboard are not ours to list")]
    fn key(&mut self, key: &KeyEvent) -> Act {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => Act::Leave,
            KeyCode::Char('c' | 'd') if control => Act::Leave,
            KeyCode::Char('u') if control => {
                self.query.clear();
                Act::Search
            }
            KeyCode::Char('w') if control => {
                let rest = self.query.trim_end().rfind(' ').map_or(0, |at| at + 1);
                self.query.truncate(rest);
                Act::Search
            }
            KeyCode::Char('n') if control => self.step(1),
            KeyCode::Char('p') if control => self.step(-1),
            KeyCode::Char(c) if !control => {
                self.query.push(c);
                Act::Search
            }
            KeyCode::Backspace => {
                self.query.pop();
                Act::Search
            }
            KeyCode::Down => self.step(1),
            KeyCode::Up => self.step(-1),
            KeyCode::PageDown => self.step(10),
            KeyCode::PageUp => self.step(-10),
            KeyCode::Enter => Act::Open,
            _ => Act::Nothing,
        }
    }

    fn step(&mut self, by: isize) -> Act {
        let last = self.hits.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by).min(last);
        Act::Look
    }

    fn search(&mut self, memory: &Memory, request: &Request) -> Result<(), Failure> {
        (self.chosen, self.told) = (0, None);
        if self.query.trim().is_empty() {
            self.hits.clear();
            self.preview = (1, Vec::new());
            return Ok(());
        }
        let limit = request.max_results.unwrap_or(MOST);
        let asked = Request { query: self.query.clone(), max_results: Some(limit), ..request.clone() };
        let response = memory.search(&asked, None)?;
        self.told = response.degraded.first().cloned().or(response.stale);
        self.hits = response.answer.hits;
        self.look(memory);
        Ok(())
    }

    /// Reads the lines around the chosen hit.
    fn look(&mut self, memory: &Memory) {
        const BEFORE: u32 = 2;
        const LINES: u32 = 200;
        let Some(hit) = self.hits.get(self.chosen) else {
            self.preview = (1, Vec::new());
            return;
        };
        let from = hit.start_line.saturating_sub(BEFORE).max(1);
        self.preview = match memory.get(&hit.path, from, Some(LINES)) {
            Ok(lines) => (from, String::from_utf8_lossy(&lines.bytes).lines().map(str::to_owned).collect()),
            // A conversation is no memory file: what was found of it is shown.
            Err(_) => (hit.start_line, hit.snippet.lines().map(str::to_owned).collect()),
        };
    }
}

/// Opens a note at its line in the person's editor; without one, prints the citation.
fn open(memory: &Memory, hit: &Hit) -> Result<ExitCode, Failure> {
    let Some(editor) = environment::editor() else {
        output::text(&format!("{}\n", hit.citation()))?;
        return Ok(ExitCode::SUCCESS);
    };
    let path = memory.settings().workspace.join(&hit.path);
    if !path.is_file() {
        output::text(&format!("{}\n", hit.citation()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut words = editor.split_whitespace().map(str::to_owned);
    let program = words.next().unwrap_or_default();
    let failed = |source: std::io::Error| Failure::file(&editor, &source);
    let status = std::process::Command::new(&program)
        .args(words)
        .args(place(&program, &path.display().to_string(), hit.start_line))
        .status()
        .map_err(failed)?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// How an editor is told the line.
fn place(program: &str, path: &str, line: u32) -> Vec<String> {
    let name = program.rsplit('/').next().unwrap_or(program);
    match name {
        "code" | "codium" | "cursor" => vec!["--goto".to_owned(), format!("{path}:{line}")],
        "hx" | "helix" | "zed" | "subl" => vec![format!("{path}:{line}")],
        _ => vec![format!("+{line}"), path.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(view: &mut View, code: KeyCode, modifiers: KeyModifiers) -> Act {
        view.take(&Event::Key(KeyEvent::new(code, modifiers)))
    }

    #[test]
    fn keys_edit_the_question_and_move_the_choice() {
        let mut view = View::default();
        for c in "rate limit".chars() {
            assert_eq!(press(&mut view, KeyCode::Char(c), KeyModifiers::NONE), Act::Search);
        }
        press(&mut view, KeyCode::Char('w'), KeyModifiers::CONTROL);
        assert_eq!(view.query, "rate ");
        press(&mut view, KeyCode::Backspace, KeyModifiers::NONE);
        assert_eq!(view.query, "rate");
        press(&mut view, KeyCode::Char('u'), KeyModifiers::CONTROL);
        assert_eq!(view.query, "");
        assert_eq!(press(&mut view, KeyCode::Down, KeyModifiers::NONE), Act::Look);
        assert_eq!(view.chosen, 0, "there is nothing to choose from");
        assert_eq!(press(&mut view, KeyCode::Esc, KeyModifiers::NONE), Act::Leave);
        assert_eq!(press(&mut view, KeyCode::Char('c'), KeyModifiers::CONTROL), Act::Leave);
        assert_eq!(press(&mut view, KeyCode::Enter, KeyModifiers::NONE), Act::Open);
    }

    #[test]
    fn editors_are_told_the_line_in_their_way() {
        assert_eq!(place("/usr/bin/vim", "a.md", 7), ["+7", "a.md"]);
        assert_eq!(place("code", "a.md", 7), ["--goto", "a.md:7"]);
        assert_eq!(place("hx", "a.md", 7), ["a.md:7"]);
    }
}
