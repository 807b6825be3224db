//! The program `mindfile-evals`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use mindfile::config::{self, Env, Flags, Overrides, Settings};
use mindfile::search;
use mindfile_care::eval::{self, Report};
use mindfile_evals::public::{self, Format};
use mindfile_evals::{Error, Seeds, agreement, associative, evidence, policy};
use serde::Serialize;

/// Measure a memory on public data sets and on worlds made from seeds.
#[derive(Debug, Parser)]
#[command(name = "mindfile-evals")]
struct Arguments {
    /// Print JSON instead of tables
    #[arg(long, global = true)]
    json: bool,
    /// Also list every question, or every mistake
    #[arg(long, global = true)]
    questions: bool,
    #[command(subcommand)]
    set: Set,
}

#[derive(Debug, Subcommand)]
enum Set {
    /// Search for the evidence of a LoCoMo file
    Locomo(Public),
    /// Search for the evidence of a LongMemEval file
    Longmemeval(Public),
    /// Search for the judged documents of a BEIR folder
    Beir(Public),
    /// Search for the evidence of workspaces with their questions, as evals/fit/sets.py makes them
    Cases(Public),
    /// Print what ranking knows of each hit as lines of JSON, for evals/fit/fit.py
    Evidence {
        /// Files of cases
        paths: Vec<PathBuf>,
        /// How many hits of each question
        #[arg(long, value_name = "N", default_value = "40")]
        depth: usize,
        #[arg(long, value_enum, default_value = "hybrid")]
        mode: Mode,
    },
    /// Recall facts in made-up worlds
    Associative {
        /// Which worlds; the first hundred seeds were used for tuning
        #[arg(long, value_name = "FIRST..LAST", default_value = "101..120")]
        seeds: Seeds,
    },
    /// Tell changed facts from added, reworded and similar ones
    Agreement {
        /// A file of pairs
        path: PathBuf,
    },
    /// Run the policy's detectors on made-up values and texts
    Policy {
        #[arg(long, value_name = "FIRST..LAST", default_value = "1")]
        seeds: Seeds,
    },
}

#[derive(Debug, Args)]
struct Public {
    /// The file or folder of the data set
    path: PathBuf,
    /// One mode instead of all
    #[arg(long, value_enum)]
    mode: Option<Mode>,
    /// Use the settings of this state directory instead of the defaults
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Mode {
    Hybrid,
    Keyword,
    Vector,
}

impl From<Mode> for search::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Hybrid => Self::Hybrid,
            Mode::Keyword => Self::Keyword,
            Mode::Vector => Self::Vector,
        }
    }
}

#[expect(clippy::print_stderr, reason = "a program says why it failed")]
fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(asked: &Arguments) -> Result<(), Error> {
    let each = asked.questions;
    match &asked.set {
        Set::Locomo(set) => search_set(Format::Locomo, set, asked),
        Set::Longmemeval(set) => search_set(Format::Longmemeval, set, asked),
        Set::Beir(set) => search_set(Format::Beir, set, asked),
        Set::Cases(set) => search_set(Format::Cases, set, asked),
        Set::Evidence { paths, depth, mode } => evidence_of(paths, ((*mode).into(), *depth)),
        Set::Associative { seeds } => {
            let sides = associative::run(*seeds)?;
            let text = associative::text(*seeds, &sides, each);
            print(asked.json, &associative::WorldsReport::new(*seeds, &sides, each), &text)
        }
        Set::Agreement { path } => {
            let report = agreement::judge(&agreement::load_pairs(path)?);
            print(asked.json, &report, &agreement::text(&report))
        }
        Set::Policy { seeds } => {
            let verdicts = policy::run(*seeds)?;
            print(asked.json, &policy::DetectorReport::new(&verdicts), &policy::text(&verdicts, each))
        }
    }
}

fn search_set(format: Format, set: &Public, asked: &Arguments) -> Result<(), Error> {
    let dataset = public::load(format, &set.path)?;
    let all = [search::Mode::Hybrid, search::Mode::Keyword, search::Mode::Vector];
    let modes = set.mode.map_or_else(|| all.to_vec(), |mode| vec![mode.into()]);
    let scratch = tempfile::tempdir().map_err(Error::scratch)?;
    let settings = settings(set.state_dir.as_deref().unwrap_or(scratch.path()))?;
    let measured = eval::run(&dataset, &settings, &modes, &mut |_, _| ControlFlow::Continue(()))?;
    let report = Report::new(&dataset, &measured, asked.questions);
    print(asked.json, &report, &public::table(&report))
}

#[expect(clippy::print_stdout, reason = "the figures are the output")]
fn evidence_of(paths: &[PathBuf], how: (search::Mode, usize)) -> Result<(), Error> {
    let scratch = tempfile::tempdir().map_err(Error::scratch)?;
    let settings = settings(scratch.path())?;
    for path in paths {
        let format = if is_locomo(path) { Format::Locomo } else { Format::Cases };
        let dataset = public::load(format, path)?;
        evidence::run(&dataset, &settings, how, &mut |one| {
            println!("{}", serde_json::to_string(one)?);
            Ok(())
        })?;
    }
    Ok(())
}

fn is_locomo(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("locomo"))
}

/// The settings of a state directory; of an empty one, the defaults.
fn settings(state_dir: &Path) -> Result<Settings, Error> {
    let flags = Flags { state_dir: Some(state_dir.to_owned()), ..Flags::default() };
    let env = Env { lookup: Some(variable), ..Env::default() };
    let overrides = Overrides { flags, env, home: None, cwd: state_dir.to_owned() };
    Ok(config::load(&overrides).map_err(mindfile::Error::from)?.settings)
}

/// Where the settings of a provider name their key.
#[expect(clippy::disallowed_methods, reason = "a program reads its environment")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[expect(clippy::print_stdout, reason = "the figures are the output")]
fn print(as_json: bool, report: &impl Serialize, text: &str) -> Result<(), Error> {
    if as_json {
        println!("{}", serde_json::to_string_pretty(report)?);
    } else {
        print!("{text}");
    }
    Ok(())
}
