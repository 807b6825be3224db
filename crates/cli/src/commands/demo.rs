//! `mindfile demo`: a tour on the sample, with the library's own search and nothing prepared.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mindfile::clock::{System, today};
use mindfile::config::{self, Env, Flags, Overrides};
use mindfile::origin::Door;
use mindfile::search::{Request, Sure};
use mindfile::{Memory, durable};
use mindfile_operations::NOTHING_ANSWERS;

use super::{Run, index};
use crate::arguments::Demo;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::quantity::count;
use crate::output::style::{FAINT, HEAD};
use crate::output::{self, Screen, clean, hits, shell};
use crate::sample;

/// A question, what it shows, and what to look for in the answer.
struct Stop {
    title: &'static str,
    query: &'static str,
    remark: &'static str,
}

const TOUR: [Stop; 5] = [
    Stop {
        title: "By meaning",
        query: "What is the dog scared of?",
        remark: "The note says \"afraid\"; it never says \"scared\".",
    },
    Stop {
        title: "By an exact name",
        query: "At what time did commit a828e60 reach production?",
        remark: "A commit means nothing to a model. The words find it.",
    },
    Stop {
        title: "By date",
        query: "incident on 12 August",
        remark: "A daily note is found by the day in its name, however the day is written.",
    },
    Stop {
        title: "In another language",
        query: "花の運動会は何月何日ですか。",
        remark: "\"When is Hana's sports day?\" Chinese and Japanese need no spaces to be found.",
    },
    Stop {
        title: "An honest empty answer",
        query: "What did the electrician say about the solar panels?",
        remark: "Nobody wrote about it: an agent gets nothing it could mistake for an answer.",
    },
];

/// Enough to read an answer; `search` shows more.
const SNIPPET: usize = 220;
const SHOWN: usize = 1;

pub(super) fn run(asked: &Demo, run: &Run<'_>) -> Result<ExitCode, Failure> {
    if run.screen.json {
        return Err(Failure::usage("the demo is for reading and has no JSON")
            .hint("mindfile demo --keep sample, then mindfile search QUERY --state-dir sample --json"));
    }
    interrupt::listen()?;
    match &asked.keep {
        Some(dir) => tour(&Place::kept(dir)?, run.screen)?,
        None => {
            let dir = tempfile::tempdir()
                .map_err(|source: std::io::Error| Failure::file("a temporary directory", &source))?;
            tour(&Place { dir: dir.path().to_owned(), kept: None }, run.screen)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the sample is, and how a person names that place if it stays.
struct Place {
    dir: PathBuf,
    kept: Option<String>,
}

impl Place {
    /// A new or an empty directory: nothing of anybody's is mixed with the sample.
    fn kept(dir: &Path) -> Result<Self, Failure> {
        let shown = dir.display().to_string();
        let file = |source: std::io::Error| Failure::file(&shown, &source);
        if dir.exists() && std::fs::read_dir(dir).map_err(file)?.next().is_some() {
            return Err(Failure::usage(format!("{shown} is not empty"))
                .hint("name a directory that does not exist yet"));
        }
        Ok(Self { dir: std::path::absolute(dir).map_err(file)?, kept: Some(shown) })
    }
}

fn tour(place: &Place, screen: &Screen) -> Result<(), Failure> {
    let memory = copy(place)?;
    output::text(&welcome(place))?;
    let indexed = index::index(&memory, screen)?;
    output::text(&format!("{}{}\n\n", command(place, "index"), indexed.summary()))?;
    for (number, stop) in TOUR.iter().enumerate() {
        output::text(&ask(number + 1, stop, &memory, place, screen)?)?;
    }
    Ok(output::text(&farewell(place))?)
}

/// Writes the sample as a state directory of its own, with the notes where they are looked for by default.
fn copy(place: &Place) -> Result<Memory, Failure> {
    let workspace = place.dir.join("workspace");
    for (path, text) in sample::NOTES {
        let path = workspace.join(path);
        let unwritten = |source: std::io::Error| Failure::file(&path.display(), &source);
        durable::replace(&path, text.as_bytes()).map_err(unwritten)?;
    }
    let flags = Flags { state_dir: Some(place.dir.clone()), ..Flags::default() };
    let overrides = Overrides { flags, env: Env::default(), home: None, cwd: place.dir.clone() };
    let mut settings = config::load(&overrides)?.settings;
    settings.query.max_snippet_chars = SNIPPET;
    Ok(Memory::new(settings, Box::new(System)).through(Door::Terminal))
}

fn welcome(place: &Place) -> String {
    let files = count(sample::NOTES.len(), "Markdown file");
    let at = place.kept.as_deref().unwrap_or("a temporary directory");
    format!(
        "{HEAD}mindfile: memory in plain Markdown{HEAD:#}\n\
         {files} of an invented engineer, in {}.\n\
         No model is downloaded, no key is needed, nothing leaves this machine.\n\n",
        clean::text(at)
    )
}

/// The command line as one would type it.
fn command(place: &Place, rest: &str) -> String {
    let places = place.kept.as_ref().map(|dir| format!(" --state-dir {}", clean::text(&shell::word(dir))));
    format!("{FAINT}${FAINT:#} mindfile {rest}{}\n", places.unwrap_or_default())
}

fn ask(
    number: usize,
    stop: &Stop,
    memory: &Memory,
    place: &Place,
    screen: &Screen,
) -> Result<String, Failure> {
    let request = Request { max_results: Some(SHOWN), ..Request::new(stop.query) };
    let response = memory.search(&request, None)?;
    let mut text = format!("{HEAD}{number}. {}{HEAD:#}\n", stop.title);
    text.push_str(&command(place, &format!("search \"{}\"", stop.query)));
    let width = Some(screen.width.unwrap_or(80).min(80));
    for hit in response.answer.hits.iter().filter(|hit| hit.sure > Sure::Weak) {
        let cited = response.citation(hit);
        let about = (today(memory.clock()), width);
        text.push_str(&hits::hit(hit, cited.as_deref(), &response.answer.sought, about));
    }
    if !response.answer.is_sure() {
        text.push_str(&format!("       {NOTHING_ANSWERS}.\n"));
    }
    text.push_str(&format!("{FAINT}{}{FAINT:#}\n\n", stop.remark));
    Ok(text)
}

fn farewell(place: &Place) -> String {
    let more = match &place.kept {
        Some(dir) => {
            format!("  mindfile search \"your question\" --state-dir {}\n", clean::text(&shell::word(dir)))
        }
        None => "  mindfile demo --keep sample                     keep the sample, to ask more\n".to_owned(),
    };
    format!(
        "{HEAD}Now yours{HEAD:#}\n\
         \x20 mindfile search \"your question\" --workspace ~/notes\n\
         \x20 mindfile search \"your question\" --explain       how each score came about\n{more}"
    )
}
