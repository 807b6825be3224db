//! Who makes vectors: names, keys, addresses, and the order of `auto`.

use super::*;

/// Who was chosen, where it is, and with which key; the key is asked for by comparing, because it does not print.
fn chosen(home: &Home) -> String {
    shown(&home.loaded().settings.embedding.primary)
}

fn shown(maker: &Maker) -> String {
    match maker {
        Maker::Embedded | Maker::None => maker.name().to_owned(),
        Maker::Local(local) => format!("local {}", local.model),
        Maker::Service(service) => {
            let keys = ["sk-env", "sk-remote", "sk-listed", "sk-file", "sk-other"];
            let key = service.key.as_ref().map_or("no key", |key| {
                keys.into_iter().find(|text| Secret::new(text).as_ref() == Some(key)).unwrap_or("another key")
            });
            format!("{} {} {} {key}", service.provider, service.base_url, service.model)
        }
    }
}

fn with_env(mut home: Home, lookup: fn(&str) -> Option<String>) -> Home {
    home.overrides.env.lookup = Some(lookup);
    home
}

fn openai_key(name: &str) -> Option<String> {
    (name == "OPENAI_API_KEY").then(|| "sk-env".to_owned())
}

const OPENAI: &str = "openai https://api.openai.com/v1 text-embedding-3-small";

#[test]
fn auto_is_the_first_provider_with_a_key_and_else_the_embedded_model() {
    assert_eq!(chosen(&Home::new()), "embedded");
    assert_eq!(chosen(&with_env(Home::new(), openai_key)), format!("{OPENAI} sk-env"));
    let gemini = |name: &str| (name == "GEMINI_API_KEY").then(|| "sk-env".to_owned());
    assert_eq!(
        chosen(&with_env(Home::new(), gemini)),
        "gemini https://generativelanguage.googleapis.com/v1beta gemini-embedding-001 sk-env"
    );
    let voyage = |name: &str| (name == "VOYAGE_API_KEY").then(|| "sk-env".to_owned());
    assert_eq!(
        chosen(&with_env(Home::new(), voyage)),
        "voyage https://api.voyageai.com/v1 voyage-4-large sk-env"
    );
    let both = |name: &str| (name != "OPENAI_API_KEY").then(|| "sk-env".to_owned());
    assert!(chosen(&with_env(Home::new(), both)).starts_with("gemini "));
    let mistral = |name: &str| (name == "MISTRAL_API_KEY").then(|| "sk-env".to_owned());
    assert_eq!(chosen(&with_env(Home::new(), mistral)), "embedded");
    assert_eq!(chosen(&with_env(Home::new(), |_| Some(String::new()))), "embedded");
    let home = Home::new().mindfile("{memorySearch: {local: {modelPath: '/no/such/file.gguf'}}}");
    assert_eq!(chosen(&home), "embedded");
}

#[test]
fn a_key_comes_from_the_setting_the_list_or_the_environment() {
    let check = |file: &str, expected: &str| {
        let home = with_env(Home::new().mindfile(file), openai_key).with("key.txt", " sk-file\n");
        assert_eq!(chosen(&home), expected, "{file}");
    };
    check("{memorySearch: {provider: 'openai'}}", &format!("{OPENAI} sk-env"));
    check(
        "{memorySearch: {provider: 'openai', remote: {apiKey: 'sk-remote'}}}",
        &format!("{OPENAI} sk-remote"),
    );
    check(
        "{memorySearch: {provider: 'openai', remote: {apiKey: {file: '~/key.txt'}}}}",
        &format!("{OPENAI} sk-file"),
    );
    check(
        "{memorySearch: {provider: 'openai', remote: {apiKey: {source: 'env', id: 'OPENAI_API_KEY'}}}}",
        &format!("{OPENAI} sk-env"),
    );
    check(
        "{memorySearch: {provider: 'openai', remote: {apiKey: '${NOT_SET}'}}}",
        &format!("{OPENAI} no key"),
    );
    check(
        "{memorySearch: {provider: 'openai'}, models: {providers: {openai: {apiKey: 'sk-listed'}}}}",
        &format!("{OPENAI} sk-listed"),
    );
    check(
        "{memorySearch: {provider: 'openai', remote: {apiKey: 'sk-remote'}}, models: {providers: {openai: {apiKey: 'sk-listed'}}}}",
        &format!("{OPENAI} sk-remote"),
    );
    check(
        "{memorySearch: {provider: 'gemini'}, models: {providers: {google: {apiKey: 'sk-listed'}}}}",
        "gemini https://generativelanguage.googleapis.com/v1beta gemini-embedding-001 sk-listed",
    );
}

#[test]
fn a_key_is_not_sent_to_another_address_than_its_own() {
    let check = |file: &str, expected: &str| {
        assert_eq!(chosen(&with_env(Home::new().mindfile(file), openai_key)), expected, "{file}");
    };
    check(
        "{memorySearch: {provider: 'openai', remote: {baseUrl: 'https://proxy.example/v1'}}}",
        "openai https://proxy.example/v1 text-embedding-3-small no key",
    );
    check(
        "{memorySearch: {provider: 'openai', remote: {baseUrl: 'https://api.openai.com/v1/'}}}",
        "openai https://api.openai.com/v1/ text-embedding-3-small sk-env",
    );
    check(
        "{memorySearch: {provider: 'openai', remote: {baseUrl: 'https://proxy.example/v1', apiKey: 'sk-remote'}}}",
        "openai https://proxy.example/v1 text-embedding-3-small sk-remote",
    );
    check(
        "{memorySearch: {provider: 'openai'}, models: {providers: {openai: {baseUrl: 'https://proxy.example/v1'}}}}",
        "openai https://proxy.example/v1 text-embedding-3-small no key",
    );
    check(
        "{memorySearch: {provider: 'openai', remote: {baseUrl: 'https://other.example/v1'}},
          models: {providers: {openai: {baseUrl: 'https://proxy.example/v1', apiKey: 'sk-listed'}}}}",
        "openai https://other.example/v1 text-embedding-3-small no key",
    );
}

#[test]
fn any_name_of_the_list_with_an_address_is_a_provider() {
    let home = Home::new().openclaw(
        "{memory: {search: {provider: 'vllm', model: 'bge-m3'}},
          models: {providers: {vllm: {baseUrl: 'http://10.0.0.7:8000/v1', apiKey: 'sk-listed', api: 'openai', models: []}}}}",
    );
    assert_eq!(chosen(&home), "vllm http://10.0.0.7:8000/v1 bge-m3 sk-listed");
    assert_eq!(home.warnings(), "");
    let home = Home::new().mindfile("{memorySearch: {provider: 'lmstudio'}}");
    assert_eq!(
        chosen(&home),
        "lmstudio http://127.0.0.1:1234/v1 text-embedding-nomic-embed-text-v1.5 no key"
    );
    let home = Home::new().mindfile("{memorySearch: {provider: 'ollama', model: 'embeddinggemma'}}");
    assert_eq!(chosen(&home), "ollama http://127.0.0.1:11434 embeddinggemma no key");
}

#[test]
fn a_compatible_server_needs_an_address_and_a_model() {
    mindfile_errors(
        "{memorySearch: {provider: 'openai-compatible', {}}}",
        &["", "remote: {baseUrl: 'http://127.0.0.1:8080/v1'}"],
        expect![[r#"
            default: remote.baseUrl is not set; it must be set, because the provider is "openai-compatible"
            default: model is not set; it must be set, because the provider is "openai-compatible"
        "#]],
    );
}

#[test]
fn headers_of_both_places_are_sent_and_the_nearer_one_wins() {
    let home = Home::new().mindfile(
        "{memorySearch: {provider: 'openai', remote: {headers: {'X-Project': 'b', 'x-team': {env: 'OPENAI_API_KEY'}}}},
          models: {providers: {openai: {headers: {'x-project': 'a', 'x-organisation': 'c'}}}}}",
    );
    let Maker::Service(service) = with_env(home, openai_key).loaded().settings.embedding.primary else {
        panic!("no service")
    };
    let names: Vec<&str> = service.headers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["x-organisation", "X-Project", "x-team"]);
    assert_eq!(service.headers[1].1, Secret::new("b").unwrap());
    assert_eq!(service.headers[2].1, Secret::new("sk-env").unwrap());
}

#[test]
fn a_fallback_is_another_provider_with_its_own_key() {
    let of = |file: &str| {
        let home = with_env(Home::new().mindfile(file), openai_key);
        home.loaded().settings.embedding.fallback.as_ref().map(shown)
    };
    assert_eq!(of("{memorySearch: {provider: 'openai'}}"), None);
    assert_eq!(of("{memorySearch: {provider: 'openai', fallback: 'none'}}"), None);
    assert_eq!(of("{memorySearch: {provider: 'openai', fallback: 'openai'}}"), None);
    assert_eq!(of("{memorySearch: {provider: 'openai', fallback: 'embedded'}}").as_deref(), Some("embedded"));
    let file = "{memorySearch: {provider: 'ollama', model: 'x', fallback: 'openai', remote: {baseUrl: 'http://box:11434', apiKey: 'sk-remote'}}}";
    assert_eq!(of(file), Some(format!("{OPENAI} sk-env")));
    // Beside a first provider that is no service, remote.* means the fallback.
    for first in ["local", "embedded"] {
        let remote = |more: &str| {
            of(&format!(
                "{{memorySearch: {{provider: '{first}', fallback: 'openai', remote: {{apiKey: 'sk-remote'{more}}}}}}}"
            ))
        };
        assert_eq!(remote(""), Some(format!("{OPENAI} sk-remote")));
        let elsewhere = remote(", baseUrl: 'http://box:8000/v1'");
        assert_eq!(elsewhere.as_deref(), Some("openai http://box:8000/v1 text-embedding-3-small sk-remote"));
        let compatible = format!(
            "{{memorySearch: {{provider: '{first}', fallback: 'openai-compatible', model: 'bge', remote: {{baseUrl: 'http://box:8000/v1', apiKey: 'sk-remote'}}}}}}"
        );
        assert_eq!(of(&compatible).as_deref(), Some("openai-compatible http://box:8000/v1 bge sk-remote"));
    }
}

#[test]
fn secrets_are_not_in_anything_that_prints() {
    let home = with_env(
        Home::new().mindfile(
            "{memorySearch: {provider: 'openai', remote: {apiKey: 'sk-remote', headers: {a: 'sk-other'}}},
              models: {providers: {openai: {apiKey: 'sk-listed', headers: {b: 'sk-file'}}}}}",
        ),
        openai_key,
    );
    let all = format!("{:?}", home.loaded());
    assert!(!all.contains("sk-"), "{all}");
    assert_eq!(home.value("remote.apiKey"), json!("(set)"));
}

#[test]
fn a_key_that_is_somewhere_else_is_named_when_it_cannot_be_had() {
    mindfile_errors(
        "{memorySearch: {provider: 'openai', remote: {apiKey: {}}}}",
        &["{source: 'exec', id: 'x'}", "{somewhere: 'x'}"],
        expect![[r#"
            ~/.mindfile/mindfile.json: remote.apiKey is an object; it must be a string, { env: "NAME" } or { file: "PATH" }
            ~/.mindfile/mindfile.json: remote.apiKey is an object; it must be a string, { env: "NAME" } or { file: "PATH" }
        "#]],
    );
    let home =
        Home::new().mindfile("{memorySearch: {provider: 'openai', remote: {apiKey: {file: '~/none'}}}}");
    check(&home.error(), expect!["cannot read ~/none"]);
}

#[test]
fn a_key_that_another_program_keeps_elsewhere_is_no_key() {
    for key in ["{source: 'exec', provider: 'vault', id: 'x'}", "{source: 'file', path: '~/none'}", "7"] {
        let home = Home::new().openclaw(&format!("{{models: {{providers: {{openai: {{apiKey: {key}}}}}}}}}"));
        assert_eq!(chosen(&home), "embedded", "{key}");
    }
}

#[test]
fn a_workspace_cannot_name_providers() {
    for text in [
        "{models: {providers: {}}}",
        "{memorySearch: {provider: 'openai'}}",
        "{memorySearch: {remote: {baseUrl: 'https://x.example'}}}",
    ] {
        let home = Home::new().workspace(text);
        assert!(home.error().contains("may not be set in a workspace's own file"), "{}", home.error());
    }
}

#[test]
fn our_own_list_of_providers_is_read_strictly() {
    mindfile_errors(
        "{models: {providers: {openai: {}}}}",
        &["{apikey: 'x'}", "{baseUrl: 1}", "3"],
        expect![[r#"
            ~/.mindfile/mindfile.json: unknown key models.providers.openai.apikey
            hint: did you mean models.providers.openai.apiKey?
            ~/.mindfile/mindfile.json: models.providers.openai.baseUrl is a number; it must be a string
            ~/.mindfile/mindfile.json: models.providers.openai is a number; it must be an object
        "#]],
    );
}

#[test]
fn authorities_come_from_the_setting_or_the_environment() {
    let everywhere = |name: &str| (name == "SSL_CERT_FILE").then(|| "/etc/company.pem".to_owned());
    let check = |file: &str, expected: [Option<&str>; 2]| {
        let home = with_env(Home::new().mindfile(file), everywhere);
        let settings = home.loaded().settings;
        let Maker::Service(service) = &settings.embedding.primary else { panic!("{file}") };
        let found = [&service.ca_file, &settings.chat.ca_file].map(|path| path.as_ref()?.to_str());
        assert_eq!(found, expected, "{file}");
    };
    let company = Some("/etc/company.pem");
    check(
        "{memorySearch: {provider: 'ollama'}, agents: {defaults: {chat: {model: 'm'}}}}",
        [company, company],
    );
    check(
        "{memorySearch: {provider: 'ollama', remote: {caFile: '/etc/a.pem'}},
          agents: {defaults: {chat: {model: 'm', caFile: '/etc/b.pem'}}}}",
        [Some("/etc/a.pem"), Some("/etc/b.pem")],
    );
}

const PROFILES: &str = "{version: 1, profiles: {
    'anthropic:default': {type: 'api_key', provider: 'anthropic', key: 'sk-remote'},
    'google:default': {type: 'api_key', provider: 'google', key: 'sk-other'},
    'openai:a': {type: 'oauth', provider: 'openai', access: 'sk-file', key: 'sk-file'},
    'openai:b': {type: 'api_key', provider: 'openai', key: 'sk-other'},
    'openai:c': {type: 'api_key', provider: 'openai', keyRef: {source: 'env', provider: 'default', id: 'OPENAI_API_KEY'}},
    'openai:d': {type: 'token', provider: 'openai', token: 'sk-file'}}";

/// The profiles of an agent, with more fields after them.
fn with_profiles(home: Home, agent: &str, more: &str) -> Home {
    home.with(&format!(".mindfile/agents/{agent}/agent/auth-profiles.json"), &format!("{PROFILES}{more}}}"))
}

#[test]
fn a_key_of_openclaws_profiles_is_used_and_shown_by_its_place() {
    let home = with_profiles(Home::new(), "main", "");
    assert_eq!(chosen(&home), format!("{OPENAI} sk-other"), "logins and tokens are no keys");
    let shown = |home: &Home| format!("{} {}", home.value("remote.apiKey"), home.origin("remote.apiKey"));
    check(
        &shown(&home),
        expect![[r#""(set)" profiles.openai:b.key in ~/.mindfile/agents/main/agent/auth-profiles.json"#]],
    );
    assert!(!format!("{:?}", home.loaded()).contains("sk-other"));
    let gemini = "{memorySearch: {provider: 'gemini'}}";
    let home = with_profiles(Home::new().mindfile(gemini), "main", "");
    assert!(chosen(&home).ends_with("gemini-embedding-001 sk-other"), "OpenClaw calls it google");
    let embedded = "{memorySearch: {provider: 'embedded'}}";
    let home = with_profiles(Home::new().mindfile(embedded), "main", "");
    assert_eq!(shown(&home), "null default", "a key that nobody uses is not shown");
    assert_eq!(
        home.origin("chat.apiKey"),
        "profiles.openai:b.key in ~/.mindfile/agents/main/agent/auth-profiles.json"
    );
    let chat = "{agents: {defaults: {chat: {provider: 'anthropic', model: 'm'}}}}";
    let home = with_profiles(Home::new().mindfile(chat), "main", "");
    assert_eq!(home.loaded().settings.chat.key, Secret::new("sk-remote"));
}

#[test]
fn profiles_are_taken_in_openclaws_order_and_after_what_our_own_file_says() {
    let key = |home: Home| {
        let chosen = chosen(&with_env(home, openai_key));
        chosen.rsplit_once(' ').unwrap().1.to_owned()
    };
    let profiles = |home, more| key(with_profiles(home, "main", more));
    assert_eq!(profiles(Home::new(), ""), "sk-other", "before the environment");
    assert_eq!(profiles(Home::new(), ", order: {openai: ['openai:a', 'openai:c']}"), "sk-env");
    assert_eq!(profiles(Home::new(), ", lastGood: {openai: 'openai:c'}"), "sk-env");
    let listed = "{models: {providers: {openai: {apiKey: 'sk-listed'}}}}";
    assert_eq!(profiles(Home::new().openclaw(listed), ""), "sk-other");
    assert_eq!(profiles(Home::new().mindfile(listed), ""), "sk-listed");
    let remote = "{memorySearch: {remote: {apiKey: 'sk-remote'}}}";
    assert_eq!(profiles(Home::new().mindfile(remote), ""), "sk-remote");
    let elsewhere = "{memorySearch: {provider: 'openai', remote: {baseUrl: 'http://127.0.0.1:9'}}}";
    assert!(
        profiles(Home::new().mindfile(elsewhere), "").ends_with("key"),
        "it is for its own address alone"
    );
    let other = with_profiles(Home::new(), "main", "").agent("work");
    assert_eq!(key(other), "sk-other", "those of the main agent are for every agent");
    let own = with_profiles(Home::new(), "work", "");
    assert_eq!(key(own), "sk-env", "those of another agent are not");
}

#[test]
fn profiles_that_cannot_be_read_are_said_and_nothing_is_refused() {
    let home = Home::new()
        .with(".mindfile/agents/main/agent/auth-profiles.json", "{profiles: {'openai:x': 'sk-other'");
    assert_eq!(chosen(&home), "embedded");
    check(
        &home.warnings(),
        expect![[r#"
            ~/.mindfile/agents/main/agent/auth-profiles.json: its keys are not used: ~/.mindfile/agents/main/agent/auth-profiles.json:1:12: not valid JSON5: EOF parsing object
        "#]],
    );
    let odd = "{profiles: {'openai:x': 'sk-other', 'openai:y': {type: 'api_key', provider: 'openai', key: 7}}, order: 3}";
    let home = Home::new().with(".mindfile/agents/main/agent/auth-profiles.json", odd);
    assert_eq!((chosen(&home), home.warnings()), ("embedded".to_owned(), String::new()));
}
