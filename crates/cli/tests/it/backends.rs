//! Which engine keeps the index: a name that is not known and one that is not there are said before anything happens.

use expect_test::expect;

use crate::home::Home;

#[test]
fn an_engine_that_nobody_knows_is_refused() {
    let home = Home::new();
    home.run(&["search", "x", "--backend", "oracle"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: --backend: memory.backend is "oracle"; it must be one of "builtin", "sqlite", "postgres", "lancedb", "qmd"
    "#]]);
}

#[test]
fn an_engine_that_is_not_built_in_is_named_with_what_to_do() {
    let home = Home::new();
    home.config("{ memory: { backend: 'lancedb' } }");
    home.run(&["index"]).check(&expect![[r#"
        exit 1
        --- stdout
        --- stderr
        error: lancedb at memory.backend cannot be used: this program was built without it
        hint: use a build with lancedb (docs/backends.md), or the built-in index: mindfile config set memory.backend builtin
    "#]]);
}

#[test]
fn the_built_in_engine_goes_by_both_its_names() {
    let home = Home::new();
    for name in ["builtin", "sqlite"] {
        let status = home.json(&["status", "--backend", name]);
        assert_eq!(status[0]["status"]["backend"], name);
    }
}

/// The whole way on a real server, where `crates/postgres/tests/server` started one.
#[cfg(feature = "postgres")]
mod postgres {
    use std::path::Path;
    use std::process::Command;
    use std::time::Duration;

    use super::*;
    use crate::own::Own;

    /// A home whose index is in a database; none, and said so, where there is no server.
    #[expect(clippy::disallowed_methods, reason = "a test is told where the server is")]
    #[expect(clippy::print_stderr, reason = "a test that has no server says so")]
    fn home(schema: &str) -> Option<Home> {
        let Ok(url) = std::env::var("MINDFILE_TEST_POSTGRES") else {
            eprintln!("SKIPPED: no PostgreSQL server; run crates/postgres/tests/server cargo test …");
            return None;
        };
        let home = Home::new();
        let config = serde_json::json!({"memory": {
            "backend": "postgres",
            "postgres": {"url": url, "schema": format!("{schema}_{}", std::process::id()), "timeoutMs": 2000},
        }});
        home.config(&config.to_string());
        home.note("MEMORY.md", "# Memory\n\n- The rate limit of the API is 100 requests per minute\n");
        Some(home)
    }

    /// The same home, whose database cannot be reached.
    fn away(home: &Home) {
        let url = "postgresql://ann@127.0.0.1:1/notes";
        let config = serde_json::json!({"memory": {"backend": "postgres", "postgres": {"url": url}}});
        home.config(&config.to_string());
    }

    #[test]
    fn a_memory_lives_in_the_database() {
        let Some(home) = home("lives") else { return };
        assert!(home.out(&["index"]).starts_with("Indexed "));
        let retained = home.json(&["retain", "Sarah leaves the company in May", "--entity", "Sarah"]);
        let found = home.json(&["search", "rate limit"]);
        assert_eq!(found["results"][0]["path"], "MEMORY.md");
        assert_eq!(found["mode"], "hybrid");
        assert!(found["fallback"].is_null());
        let recalled = home.json(&["recall", "Sarah"]);
        assert_eq!(recalled["results"][0]["id"], retained["id"]);
        assert_eq!(home.json(&["entities", "Sarah"])["spelled"], "Sarah");
        let status = home.json(&["status", "--deep"]);
        assert_eq!(status[0]["status"]["backend"], "postgres");
        assert!(status[0]["mindfile"]["engine"].as_str().unwrap().starts_with("PostgreSQL"));
        assert!(!home.out(&["status"]).contains("@127.0.0.1:1/"));
        assert!(home.out(&["index", "--force"]).starts_with("Indexed "));
        assert!(!home.path().join("state/memory/main.sqlite").exists());
        let doctor = home.run(&["doctor"]);
        assert!(doctor.out.contains("match their checksums"), "{doctor:?}");
    }

    #[test]
    fn what_is_forgotten_leaves_the_database() {
        let Some(home) = home("forgets") else { return };
        let retained = home.json(&["retain", "The zanzibar contract ends in June"]);
        let id = retained["id"].as_str().unwrap();
        let gone = home.json(&["delete", id, "--yes"]);
        assert_eq!(gone["ok"], true, "{gone}");
        assert!(!home.out(&["search", "zanzibar"]).contains("anzibar"));
        assert_eq!(home.json(&["status"])[0]["mindfile"]["notices"], serde_json::json!([]));
    }

    #[test]
    fn the_built_in_index_answers_while_the_database_is_away_and_says_why() {
        let Some(home) = home("away") else { return };
        home.out(&["index"]);
        away(&home);
        let found = home.json(&["search", "rate limit"]);
        assert_eq!(found["results"][0]["path"], "MEMORY.md");
        assert_eq!(
            (&found["fallback"]["from"], &found["fallback"]["to"]),
            (&"postgres".into(), &"builtin".into())
        );
        assert!(found["fallback"]["reason"].as_str().unwrap().contains("cannot be reached"));
        let recalled = home.json(&["recall", "rate limit"]);
        assert!(
            recalled["degraded"][0].as_str().unwrap().starts_with("index: postgres fails since"),
            "{recalled}"
        );
        let status = home.run(&["status"]);
        assert!(status.out.contains("postgres fails since"), "{status:?}");
        assert!(Path::new(&home.path().join("state/memory/main.sqlite")).exists());
        let builtin = home.json(&["search", "rate limit", "--backend", "builtin"]);
        assert!(builtin["fallback"].is_null());
    }

    /// A server of the test's own, and a home with a fact that is there. Its folder is what the server keeps.
    fn own() -> Option<(Own, Home, String)> {
        let own = Own::start("")?;
        let home = Home::new();
        let config = serde_json::json!({"memory": {
            "backend": "postgres", "postgres": {"url": own.url(), "timeoutMs": 2000},
        }});
        home.config(&config.to_string());
        let retained = home.json(&["retain", "The zanzibar contract ends in June"]);
        assert_eq!(home.json(&["search", "zanzibar"])["backend"], "postgres");
        let id = retained["id"].as_str().unwrap().to_owned();
        Some((own, home, id))
    }

    /// Asks until the database answers itself: it is tried again after 1 s, 2 s, 4 s.
    fn back(home: &Home) -> serde_json::Value {
        for _ in 0..100 {
            let found = home.json(&["search", "rate limit"]);
            if found["fallback"].is_null() {
                return found;
            }
            std::thread::sleep(Duration::from_millis(300));
        }
        panic!("the database did not come back: {:?}", home.run(&["status"]));
    }

    /// Whether a word is in the server's tables, down to their files.
    fn is_kept(own: &Own, word: &str) -> bool {
        assert!(own.run("psql", &[&own.url(), "-c", "CHECKPOINT"]));
        let grep = Command::new("grep").args(["-rlai", word]).arg(own.data().join("base")).output().unwrap();
        !grep.stdout.is_empty()
    }

    #[test]
    fn a_database_that_comes_back_takes_over_by_itself() {
        let Some((own, home, _)) = own() else { return };
        own.stop();
        let found = home.json(&["search", "zanzibar"]);
        assert_eq!(found["fallback"]["to"], "builtin", "{found}");
        assert!(found["results"][0]["snippet"].as_str().unwrap().contains("zanzibar"), "{found}");
        assert!(home.out(&["status"]).contains("postgres fails since"));
        home.note("memory/new.md", "# New\n\nThe lighthouse has a green door.\n");
        own.again();
        assert_eq!(back(&home)["backend"], "postgres");
        let found = home.json(&["search", "lighthouse door"]);
        assert_eq!((&found["results"][0]["path"], &found["fallback"]), (&"memory/new.md".into(), &().into()));
        let status = home.out(&["status"]);
        assert!(!status.contains("postgres fails since"), "{status}");
    }

    #[test]
    fn what_is_forgotten_while_the_database_is_away_leaves_it_when_it_is_back() {
        let Some((own, home, id)) = own() else { return };
        assert!(is_kept(&own, "zanzibar"));
        own.stop();
        let gone = home.run(&["delete", &id, "--yes", "--json"]);
        assert!(gone.out.contains("pending"), "{gone:?}");
        assert!(!home.out(&["search", "zanzibar"]).contains("anzibar"));
        own.again();
        back(&home);
        home.out(&["index"]);
        assert!(!home.out(&["search", "zanzibar"]).contains("anzibar"));
        assert!(!is_kept(&own, "zanzibar"), "{:?}", home.run(&["status"]));
    }

    #[test]
    fn no_password_is_in_any_output() {
        let home = Home::new();
        let secret = ["correct", "horse"].join("-");
        for url in [format!("postgresql://ann:{secret}@127.0.0.1:1/d"), format!("postgresql//ann:{secret}@h")]
        {
            home.config(
                &serde_json::json!({"memory": {"backend": "postgres", "postgres": {"url": url}}}).to_string(),
            );
            for words in
                [&["index"][..], &["status", "--json"], &["doctor"], &["config", "show"], &["search", "x"]]
            {
                let came = home.run(words);
                assert!(!came.out.contains(&secret) && !came.err.contains(&secret), "{words:?}: {came:?}");
            }
        }
        let grep = Command::new("grep")
            .args(["-rl", &secret])
            .arg(home.path().join("state/memory"))
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&grep.stdout), "");
    }

    #[test]
    fn an_address_that_is_missing_is_asked_for() {
        let home = Home::new();
        home.run(&["index", "--backend", "postgres"]).check(&expect![[r#"
            exit 1
            --- stdout
            --- stderr
            error: postgres at memory.postgres.url cannot be used: it is not set
            hint: mindfile config set memory.postgres.url postgresql://USER:PASSWORD@HOST:PORT/DATABASE, or set MINDFILE_POSTGRES_URL
        "#]]);
    }
}
