//! The state directory, the workspace and other paths.

use super::*;

#[test]
fn the_state_directory_is_the_flag_then_the_variables_then_an_openclaw_home() {
    let mut home = Home::new();
    let state = |home: &Home| {
        let place = config::paths(&home.overrides).unwrap().state_dir;
        home.tidy(&format!("{} ({})", place.path.display(), place.why))
    };
    check(&state(&home), expect!["~/.mindfile (default)"]);
    fs::create_dir(home.path(".moltbot")).unwrap();
    check(&state(&home), expect!["~/.moltbot (the Moltbot home exists)"]);
    fs::create_dir(home.path(".openclaw")).unwrap();
    check(&state(&home), expect!["~/.openclaw (the OpenClaw home exists)"]);
    home.overrides.env.openclaw_state_dir = Some("~/theirs".into());
    check(&state(&home), expect!["~/theirs ($OPENCLAW_STATE_DIR)"]);
    home.overrides.env.mindfile_state_dir = Some("../ours".into());
    check(&state(&home), expect!["~/ours ($MINDFILE_STATE_DIR)"]);
    home.overrides.flags.state_dir = Some("here".into());
    check(&state(&home), expect!["~/cwd/here (--state-dir)"]);
    home.overrides.flags.state_dir = Some("".into());
    check(
        &home.error(),
        expect![[r#"
        --state-dir: "" is not a usable path: it is empty
        hint: write the path out, or start it with ~/"#]],
    );
}

/// Before it was called OpenClaw, its file had the old name, too; and the index lies beside OpenClaw's own there as well.
#[test]
fn a_moltbot_home_is_used_as_it_is() {
    let home = Home::new().with(".moltbot/moltbot.json", "{agents: {defaults: {workspace: '~/molt'}}}");
    assert_eq!(home.origin("workspace"), "agents.defaults.workspace in ~/.moltbot/moltbot.json");
    let index = |home: &Home| home.tidy(&home.loaded().settings.index_path.display().to_string());
    assert_eq!(index(&home), "~/.moltbot/memory/main.mindfile.sqlite");
    let home = home.with(".moltbot/openclaw.json", "{agents: {defaults: {workspace: '~/claw'}}}");
    assert_eq!(home.origin("workspace"), "agents.defaults.workspace in ~/.moltbot/openclaw.json");
    let home = home.with(".mindfile/mindfile.json", "{agents: {defaults: {workspace: '~/mine'}}}");
    assert_eq!(home.value("workspace"), json!(home.path("claw")), "an OpenClaw home comes before ours");
}

#[test]
fn an_empty_variable_is_as_good_as_none() {
    let mut home = Home::new();
    home.overrides.env.mindfile_state_dir = Some("".into());
    home.overrides.env.mindfile_workspace = Some("".into());
    home.overrides.env.mindfile_agent = Some(String::new());
    assert_eq!(home.loaded().settings, Home { overrides: plain(&home), ..Home::new() }.loaded().settings);
}

fn plain(home: &Home) -> Overrides {
    Overrides { env: config::Env::default(), ..home.overrides.clone() }
}

#[test]
fn without_a_home_the_flags_must_name_the_state_directory() {
    let mut home = Home::new();
    home.overrides.home = None;
    check(
        &home.error(),
        expect![[r#"
        the home directory is not known
        hint: set HOME, or pass --state-dir and absolute paths"#]],
    );
    assert_eq!(home.load().unwrap_err().fault(), Fault::Environment);
    home.overrides.flags.state_dir = Some(home.path("state"));
    assert_eq!(home.loaded().settings.workspace, home.path("state/workspace"));
    let home = home.with("state/mindfile.json", "{agents: {defaults: {workspace: '~/notes'}}}");
    check(
        &home.error(),
        expect![[r#"
        the home directory is not known
        hint: set HOME, or pass --state-dir and absolute paths"#]],
    );
}

#[test]
fn the_workspace_is_the_flag_then_the_variable_then_the_files() {
    let mut home = Home::new();
    let place = |home: &Home| {
        let place = home.loaded().workspace;
        home.tidy(&format!("{} ({})", place.path.display(), place.why))
    };
    check(&place(&home), expect!["~/.mindfile/workspace (default)"]);
    home = home.openclaw("{agents: {defaults: {workspace: '~/clawd'}}}");
    check(&place(&home), expect!["~/clawd (agents.defaults.workspace in ~/.mindfile/openclaw.json)"]);
    home = home
        .openclaw("{agents: {defaults: {workspace: '~/clawd'}, list: [{id: 'main', workspace: '/own'}]}}");
    check(&place(&home), expect!["/own (agents.list[0].workspace in ~/.mindfile/openclaw.json)"]);
    home = home.mindfile("{agents: {defaults: {workspace: 'notes/./x/..'}}}");
    check(
        &place(&home),
        expect!["~/.mindfile/notes (agents.defaults.workspace in ~/.mindfile/mindfile.json)"],
    );
    home.overrides.env.mindfile_workspace = Some("env".into());
    check(&place(&home), expect!["~/cwd/env ($MINDFILE_WORKSPACE)"]);
    home.overrides.flags.workspace = Some("flag".into());
    check(&place(&home), expect!["~/cwd/flag (--workspace)"]);
    assert_eq!(home.value("workspace"), json!(home.path("cwd/flag")));
    assert_eq!(home.loaded().settings.workspace, home.path("cwd/flag"));
}

#[test]
fn paths_that_cannot_be_meant_are_refused() {
    let workspace =
        |path: &str| Home::new().openclaw(&json!({"agents": {"defaults": {"workspace": path}}}).to_string());
    check(
        &workspace("${HOME}/notes").error(),
        expect![[r#"
            agents.defaults.workspace in ~/.mindfile/openclaw.json: "${HOME}/notes" is not a usable path: variables are not replaced
            hint: write the path out, or start it with ~/"#]],
    );
    check(
        &workspace("~other/notes").error(),
        expect![[r#"
            agents.defaults.workspace in ~/.mindfile/openclaw.json: "~other/notes" is not a usable path: only one's own home directory can be named with ~
            hint: write the path out, or start it with ~/"#]],
    );
    check(
        &workspace("a\0b").error(),
        expect![[r#"
            agents.defaults.workspace in ~/.mindfile/openclaw.json: "a\0b" is not a usable path: it holds a null character
            hint: write the path out, or start it with ~/"#]],
    );
    check(
        &workspace(" ").error(),
        expect![[r#"~/.mindfile/openclaw.json: agents.defaults.workspace is " "; it must be a path"#]],
    );
}

#[test]
fn the_index_path_knows_the_agent_and_the_home() {
    let index = |path: &str| {
        let home = Home::new()
            .mindfile(&json!({"memorySearch": {"store": {"path": path}}}).to_string())
            .agent("Work");
        home.tidy(&home.loaded().settings.index_path.display().to_string())
    };
    check(&index("~/indexes/{agentId}/{agentId}.db"), expect!["~/indexes/work/work.db"]);
    check(&index("index.db"), expect!["~/.mindfile/index.db"]);
    check(&index("/srv/index.db"), expect!["/srv/index.db"]);
}

/// OpenClaw 2026.9 does not start while a database that is none of its own lies where its index once was.
#[test]
fn the_index_is_never_where_openclaw_keeps_its_own() {
    let index = |home: Home| home.tidy(&home.loaded().settings.index_path.display().to_string());
    let openclaw = || Home::new().openclaw("{}");
    check(&index(openclaw()), expect!["~/.mindfile/memory/main.mindfile.sqlite"]);
    let named = Home::new()
        .openclaw("{agents: {defaults: {memorySearch: {store: {path: '~/indexes/{agentId}.sqlite'}}}}}");
    check(&index(named), expect!["~/indexes/main.mindfile.sqlite"]);
    let ours = openclaw().mindfile("{memorySearch: {store: {path: 'memory/main.sqlite'}}}");
    check(&index(ours), expect!["~/.mindfile/memory/main.sqlite"]);
    let home = Home::new();
    std::fs::create_dir_all(home.path(".openclaw")).unwrap();
    check(&index(home), expect!["~/.openclaw/memory/main.mindfile.sqlite"]);
}

#[test]
fn extra_paths_are_below_the_workspace_and_an_agents_own_are_added() {
    let home = Home::new().openclaw(
        "{agents: {defaults: {memorySearch: {extraPaths: ['../team', '/srv/a.md']}},
           list: [{id: 'main', memorySearch: {extraPaths: [{path: '~/docs', pattern: '**/*.md'}, '../team']}}]}}",
    );
    check(
        &home.tidy(&format!("{:#?}", home.loaded().settings.extra_paths)),
        expect![[r#"
            [
                ExtraPath {
                    path: "~/.mindfile/team",
                    pattern: None,
                },
                ExtraPath {
                    path: "/srv/a.md",
                    pattern: None,
                },
                ExtraPath {
                    path: "~/docs",
                    pattern: Some(
                        "**/*.md",
                    ),
                },
            ]"#]],
    );
    let home = home.mindfile("{memorySearch: {extraPaths: []}}");
    assert_eq!(home.loaded().settings.extra_paths, []);
}
