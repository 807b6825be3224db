//! Any text is a question: the whole search answers it, the same twice, or says that it is empty.
#![no_main]

use std::ops::ControlFlow;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use mindfile::config::{self, Flags, Overrides};
use mindfile::search::{Mode, Request};
use mindfile::{Error::Question, Memory, clock};
use mindfile_ranking::Error::Empty;
use tempfile::TempDir;

const NOTES: [(&str, &str); 4] = [
    (
        "MEMORY.md",
        "# Memory\n\n- W @api: The rate limit is 100 requests a minute\n- O(c=0.9) @me: I like short answers\n",
    ),
    (
        "memory/2026-07-14.md",
        "# Tuesday\n\nCoffee with Tomasz. The deploy failed; \"connection pool\" was too small.\n",
    ),
    (
        "memory/projects/acme.md",
        "# Acme\n\n## Database\n\nPostgres 17, migration on Friday. C++ and E2BIG.\n",
    ),
    ("memory/sprachen.md", "# Sprachen\n\nStraße, Übung. 記憶と検索。 память и поиск\n"),
];

fuzz_target!(|query: &str| {
    static MEMORY: OnceLock<(TempDir, Memory)> = OnceLock::new();
    let (_, memory) = MEMORY.get_or_init(open);
    for mode in [Mode::Hybrid, Mode::Keyword, Mode::Vector] {
        let request = Request { mode: Some(mode), ..Request::new(query.to_owned()) };
        match (memory.search(&request, None), memory.search(&request, None)) {
            (Ok(one), Ok(two)) => {
                assert_eq!(one.answer, two.answer);
                assert!(one.answer.hits.iter().all(|hit| hit.snippet.chars().count() <= 700));
            }
            (Err(Question(Empty)), Err(Question(Empty))) => {}
            (one, two) => panic!("{one:?} {two:?}"),
        }
    }
});

fn open() -> (TempDir, Memory) {
    let home = TempDir::new().unwrap();
    for (name, text) in NOTES {
        let path = home.path().join("workspace").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let flags = Flags {
        state_dir: Some(home.path().join("state")),
        workspace: Some(home.path().join("workspace")),
        ..Flags::default()
    };
    let overrides = Overrides {
        flags,
        home: Some(home.path().to_owned()),
        cwd: home.path().to_owned(),
        ..Overrides::default()
    };
    let mut settings = config::load(&overrides).unwrap().settings;
    // The notes stay as they are.
    settings.sync.on_search = false;
    let memory = Memory::new(settings, Box::new(clock::System));
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    (home, memory)
}
