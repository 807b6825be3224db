use mindfile::{Memory, config};

use crate::world::{World, memory, put};

fn configured(json: &str) -> Result<(World, Memory), config::Error> {
    let mut world = World::new(&[]);
    put(&world.at("mindfile.json"), json.as_bytes());
    let flags = config::Flags { state_dir: Some(world.dir.path().to_owned()), ..Default::default() };
    let overrides = config::Overrides {
        flags,
        env: config::Env::default(),
        home: None,
        cwd: world.dir.path().to_owned(),
    };
    world.settings = config::load(&overrides)?.settings;
    let memory = memory(world.settings.clone());
    Ok((world, memory))
}

fn cover(json: &str, text: &str) -> String {
    let (_world, memory) = configured(json).unwrap();
    memory.policy().cover(text).into_owned()
}

#[test]
fn a_persons_own_rules_find_patterns_entities_and_keys() {
    let rules = "{memory: {policy: {rules: [
        {name: 'project', class: 'never-store', pattern: '(?i)heron-\\\\d+'},
        {name: 'health', class: 'never-store', key: 'health.*'},
        {name: 'ana', class: 'never-store', entity: 'Ana'},
    ]}}}";
    assert_eq!(cover(rules, "We call it Heron-42 here\n"), "We call it [removed: project] here\n");
    assert_eq!(
        cover(rules, "- O(key=health.sleep,c=0.9) @user: six hours ^k3f9a2\n- O(key=food) @user: plums\n"),
        "- O(key=health.sleep,c=0.9) @user: [removed: health] ^k3f9a2\n- O(key=food) @user: plums\n"
    );
    assert_eq!(
        cover(rules, "- W @ana @porto: moved there ^a1\n- W @porto: rains\nasked @Ana. again\nanalysis\n"),
        "- W @ana @porto: [removed: ana] ^a1\n- W @porto: rains\n[removed: ana]\nanalysis\n"
    );
}

#[test]
fn classes_of_detectors_can_be_changed_and_exceptions_be_made() {
    let mail = "write to ana@porto.example today";
    assert_eq!(cover("{}", mail), mail);
    let strict = "{memory: {policy: {builtin: {email: 'never-store'}}}}";
    assert_eq!(cover(strict, mail), "write to [removed: email] today");
    let own = "{memory: {policy: {rules: [{name: 'mail', class: 'never-store', detector: 'email'}]}}}";
    assert_eq!(cover(own, mail), "write to [removed: mail] today");
    let except = "{memory: {policy: {builtin: {email: 'never-store'},
        rules: [{name: 'ours', class: 'allowed', pattern: '\\\\w+@porto\\\\.example'}]}}}";
    assert_eq!(cover(except, &format!("{mail}, x@y.example")), format!("{mail}, [removed: email]"));
}

#[test]
fn wrong_rules_are_named_with_their_place() {
    let fails = |json: &str| configured(json).map(|_| ()).unwrap_err().to_string();
    let pattern = fails("{memory: {policy: {rules: [{name: 'a', class: 'masked', pattern: '(x'}]}}}");
    assert!(
        pattern.contains("memory.policy.rules[0].pattern is \"(x\"; it must be a regular expression"),
        "{pattern}"
    );
    let big = format!(
        "{{memory: {{policy: {{rules: [{{name: 'a', class: 'masked', pattern: '{}'}}]}}}}}}",
        "(a{1000}){1000}"
    );
    assert!(fails(&big).contains("memory.policy.rules[0].pattern"));
    for wrong in [
        "{name: 'A B', class: 'masked', key: 'x'}",
        "{name: 'a', class: 'secret', key: 'x'}",
        "{name: 'a', class: 'masked'}",
        "{name: 'a', class: 'masked', key: 'x', entity: 'y'}",
    ] {
        let said = fails(&format!("{{memory: {{policy: {{rules: [{wrong}]}}}}}}"));
        assert!(said.contains("it must be a list of rules"), "{said}");
    }
    assert!(fails("{memory: {policy: {builtin: {emial: 'masked'}}}}").contains("detectors"));
}

#[test]
fn a_workspaces_own_file_cannot_make_rules() {
    let world = World::new(&[]);
    world.save(".mindfile.json", b"{memory: {policy: {builtin: {email: 'allowed'}}}}");
    let flags = config::Flags { state_dir: Some(world.dir.path().to_owned()), ..Default::default() };
    let overrides = config::Overrides {
        flags,
        env: config::Env::default(),
        home: None,
        cwd: world.dir.path().to_owned(),
    };
    let said = config::load(&overrides).unwrap_err().to_string();
    assert!(said.contains("memory.policy.builtin may not be set in a workspace's own file"), "{said}");
}
