//! HTTP by real sockets.

use serde_json::json;

use crate::home::Home;
use crate::served::Served;

#[test]
fn everything_but_health_and_the_page_needs_the_token() {
    let home = Home::new();
    let served = Served::new(&home);
    for path in
        ["/v1/search?query=dog", "/v1/notes/MEMORY.md", "/metrics", "/openapi.json", "/v1/events", "/mcp"]
    {
        let refused = served.raw("GET", path, &[], "");
        assert_eq!(
            (refused.status, refused.json()["error"]["type"].clone()),
            (401, json!("unauthorized")),
            "{path}"
        );
        assert_eq!(refused.header("www-authenticate"), Some("Bearer realm=\"mindfile\""));
        assert_eq!(served.raw("GET", path, &[("Authorization", "Bearer wrong")], "").status, 401, "{path}");
    }
    assert_eq!(served.raw("GET", "/healthz", &[], "").json(), json!({"ok": true}));
    let page = served.raw("GET", "/", &[], "");
    assert_eq!(page.status, 200);
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    assert!(!page.body.contains("Pixel"));
}

#[test]
fn other_names_and_pages_of_other_sites_are_refused() {
    let home = Home::new();
    let served = Served::new(&home);
    let bearer = format!("Bearer {}", served.token);
    let status = |headers: &[(&str, &str)]| {
        let headers = [headers, &[("Authorization", bearer.as_str())]].concat();
        served.raw("GET", "/v1/search?query=dog", &headers, "").status
    };
    let own = format!("http://{}", served.address);
    assert_eq!(status(&[("Host", "evil.example")]), 403);
    assert_eq!(status(&[("Host", "127.0.0.1.evil.example:80")]), 403);
    assert_eq!(status(&[("Host", "")]), 403);
    assert_eq!(status(&[("Origin", "https://evil.example")]), 403);
    assert_eq!(status(&[("Origin", "null")]), 403);
    assert_eq!(status(&[("Host", "localhost"), ("Origin", own.as_str())]), 403);
    assert_eq!(status(&[("Origin", own.as_str())]), 200);
    assert_eq!(status(&[("Host", "localhost:1")]), 200);
    let preflight = served.raw("OPTIONS", "/v1/search", &[("Origin", "https://evil.example")], "");
    assert_eq!((preflight.status, preflight.header("access-control-allow-origin")), (403, None));
}

#[test]
fn names_and_origins_can_be_allowed() {
    let home = Home::new();
    home.config(
        "{ memory: { server: { allowedHosts: ['notes.example'], allowedOrigins: ['https://app.example'] } } }",
    );
    let served = Served::new(&home);
    let headers = [("Host", "notes.example:443"), ("Origin", "https://app.example")];
    assert_eq!(served.raw("GET", "/healthz", &headers, "").status, 200);
}

#[test]
fn facts_and_turns_are_written_and_found() {
    let home = Home::new();
    let served = Served::new(&home);
    let kept =
        served.post("/v1/facts", &json!({"text": "The router is in the attic", "entities": ["router"]}));
    assert_eq!((&kept["ok"], &kept["outcome"]), (&json!(true), &json!("written")));
    let twice = served.ask("POST", "/v1/facts", &json!({"text": "The router is in the attic"}).to_string());
    assert_eq!((twice.status, twice.json()["error"]["type"].clone()), (409, json!("EDUPFACTS")));
    assert_eq!(served.get("/v1/recall?entities=router")["results"][0]["id"], kept["id"]);
    let unknown = served.ask("GET", "/v1/recall?query=&entities=router,nobody", "");
    assert_eq!((unknown.status, unknown.json()["results"].clone()), (200, json!([])));
    let messages = json!({"messages": [{"role": "user", "text": "The garage code is 4711"}]});
    let said = served.post("/v1/sessions/s1/messages", &messages);
    assert_eq!(said["entries"][0]["line"], json!(2));
    let found = served.get("/v1/search?query=garage%20code&source=sessions");
    assert_eq!(found["results"][0]["messages"][0]["role"], json!("user"));
    assert_eq!(served.get("/v1/sessions/s1")["entries"][0]["text"], json!("The garage code is 4711"));
    assert_eq!(served.get("/v1/sessions/s1/flush-check?contextWindow=200000")["flush"], json!(false));
    assert_eq!(served.get("/v1/sessions/s1/context")["turns"][0]["text"], json!("The garage code is 4711"));
}

#[test]
fn facts_are_changed_and_forgotten_and_the_log_tells_it() {
    let home = Home::new();
    home.note(
        "memory/attic.md",
        "# Attic\n\n- W @router: The router is in the attic ^r1\n\nThe ladder squeaks.\n",
    );
    let served = Served::new(&home);
    let edited =
        served.ask("PATCH", "/v1/facts/r1", &json!({"text": "The router is in the hall"}).to_string());
    assert_eq!((edited.status, edited.json()["text"].clone()), (200, json!("The router is in the hall")));
    let would = served.ask("DELETE", "/v1/facts/r1?dryRun=true", "").json();
    assert_eq!((&would["dryRun"], would["lines"].as_array().unwrap().len()), (&json!(true), 1));
    assert_eq!(served.get("/v1/facts/r1")["text"], json!("The router is in the hall"));
    assert_eq!(served.ask("DELETE", "/v1/facts/r1", "").json()["facts"], json!(1));
    assert_eq!(served.ask("GET", "/v1/facts/r1", "").status, 404);
    let gone = served.post("/v1/forget", &json!({"query": "ladder squeaks"}));
    assert_eq!(gone["lines"][0]["path"], json!("memory/attic.md"));
    assert!(!served.get("/v1/notes/memory/attic.md").to_string().contains("ladder"));
    for body in [json!({}), json!({"query": "a", "entity": "b"})] {
        assert_eq!(served.ask("POST", "/v1/forget", &body.to_string()).status, 400);
    }
    let log = served.get("/v1/audit?limit=20").to_string();
    assert!(log.contains("\"edit\"") && log.contains("\"http\"") && !log.contains("hall"), "{log}");
    assert_eq!(served.get("/v1/audit/verify")["ok"], json!(true));
    let key = ["gh", "p_"].concat() + &"Ab3dE5".repeat(6);
    let found = served.post("/v1/policy/check", &json!({"text": format!("the key is {key}")}));
    assert_eq!(found["findings"][0]["class"], json!("never-store"));
    assert!(served.get("/v1/policy")["builtin"].as_array().unwrap().len() > 10);
}

#[test]
fn a_server_for_a_group_changes_and_forgets_nothing() {
    let home = Home::new();
    home.note("MEMORY.md", "- W @Pixel: Pixel fears the sweeper ^pix1\n");
    let served = Served::for_group(&home);
    let asked = [
        ("PATCH", "/v1/facts/pix1", json!({"text": "Pixel fears nothing"}).to_string()),
        ("DELETE", "/v1/facts/pix1?dryRun=true", String::new()),
        ("POST", "/v1/forget", json!({"query": "sweeper", "dryRun": true}).to_string()),
    ];
    for (method, path, body) in asked {
        let refused = served.ask(method, path, &body);
        assert_eq!(refused.status, 403, "{method} {path}");
        assert!(!refused.body.contains("sweeper"), "{}", refused.body);
    }
}

#[test]
fn mistakes_are_said_with_their_status() {
    let home = Home::new();
    home.config("{ memory: { server: { maxBodyBytes: 2048 } } }");
    let served = Served::new(&home);
    let check = |method: &str, path: &str, body: &str, status: u16, message: &str| {
        let answer = served.ask(method, path, body);
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        let value = answer.json();
        assert_eq!(value["ok"], json!(false));
        assert!(value["error"]["message"].as_str().unwrap().contains(message), "{path}: {}", answer.body);
    };
    check("GET", "/v1/search", "", 400, "missing field `query`");
    check("GET", "/v1/search?query=x&colour=red", "", 400, "unknown field `colour`");
    check("GET", "/v1/search?query=x&maxResults=0", "", 400, "it must be");
    check("GET", "/v1/search?query=x&since=yesterday", "", 400, "not a date");
    check(
        "GET",
        "/v1/search?query=x&maxResults=many",
        "",
        400,
        "maxResults is \"many\"; it must be a whole number",
    );
    check("GET", "/v1/search?query=x&query=y", "", 400, "query is given twice");
    check("GET", "/v1/facts?limit=0", "", 400, "limit is 0; it must be between 1 and 1000");
    check("POST", "/v1/facts", "{\"text\": 3}", 400, "text is 3; it must be a text");
    check("GET", "/v1/notes/memory/none.md", "", 404, "does not exist");
    check("GET", "/v1/notes/..%2F..%2Fstate%2Fserver.token", "", 403, "is not a memory file");
    check("GET", "/v1/facts/none", "", 404, "there is no fact");
    check("GET", "/v1/sessions/none", "", 404, "there is no session");
    check("GET", "/v2", "", 404, "nothing at this path");
    check("POST", "/v1/facts", "{", 400, "the body");
    check("POST", "/v1/facts", "{\"text\": \"\"}", 400, "the fact has no text");
    check("POST", "/v1/facts", &"x".repeat(4096), 413, "too long");
    check("DELETE", "/v1/search", "", 405, "does not take that method");
    assert_eq!(served.ask("DELETE", "/v1/search", "").header("allow"), Some("GET,HEAD"));
}

#[test]
fn a_browser_logs_in_by_the_token_and_keeps_a_cookie_that_is_not_it() {
    let home = Home::new();
    let served = Served::new(&home);
    let token = json!({"token": served.token}).to_string();
    assert_eq!(served.raw("POST", "/login", &[], "{\"token\": \"wrong\"}").status, 401);
    let login = served.raw("POST", "/login", &[], &token);
    let cookie = login.header("set-cookie").unwrap();
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(&served.token));
    let pair = cookie.split(';').next().unwrap();
    assert_eq!(served.raw("GET", "/v1/notes", &[("Cookie", pair)], "").status, 200);
    assert_eq!(served.raw("GET", "/v1/notes", &[("Cookie", "mindfile=0")], "").status, 401);
    assert_eq!(
        served.raw("GET", "/v1/notes", &[("Authorization", &format!("Bearer {}", &pair[9..]))], "").status,
        401
    );
}

#[test]
fn a_cookie_counts_for_the_own_page_alone() {
    let home = Home::new();
    let served = Served::new(&home);
    let token = json!({"token": served.token}).to_string();
    let login = served.raw("POST", "/login", &[("Content-Type", "application/json")], &token);
    let cookie = login.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let bearer = format!("Bearer {}", served.token);
    for (site, status) in
        [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403), ("", 403)]
    {
        let asked = |name: &str, value: &str| {
            served.raw("GET", "/v1/notes", &[(name, value), ("Sec-Fetch-Site", site)], "").status
        };
        assert_eq!((asked("Cookie", &cookie), asked("Authorization", &bearer)), (status, 200), "{site}");
    }
}

#[test]
fn odd_requests_are_the_callers_mistake() {
    let home = Home::new();
    let served = Served::new(&home);
    let bearer = format!("Bearer {}", served.token);
    let ask = |method: &str, path: &str, more: &[(&str, &str)], body: &str| {
        let headers = [&[("Authorization", bearer.as_str())], more].concat();
        let answer = served.raw(method, path, &headers, body);
        (answer.status, answer.json()["error"]["message"].as_str().unwrap_or_default().to_owned())
    };
    let two = [("Host", served.address.as_str()), ("Host", "evil.example")];
    assert_eq!(ask("GET", "/v1/notes", &two, ""), (400, "the request names two hosts".to_owned()));
    let fact = json!({"text": "The pier is closed on Mondays"}).to_string();
    for (kind, status) in [
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("application/json; charset=utf-8", 200),
    ] {
        assert_eq!(ask("POST", "/v1/facts", &[("Content-Type", kind)], &fact).0, status, "{kind}");
    }
    assert_eq!(ask("POST", "/login", &[("Content-Type", "text/plain")], "{}").0, 415);
    let json = [("Content-Type", "application/json")];
    let null = ask("POST", "/v1/reflect", &json, "{\"maxTokens\": null}");
    assert_eq!(null, (400, "the body: maxTokens is null".to_owned()));
    let long = "a".repeat(5_000);
    let too_long =
        |name: &str| format!("\"{name}\" is not a memory file: it is longer than a file's name can be");
    for name in [format!("memory/{long}.md"), format!("memory/{}x.md", "a/".repeat(2_000))] {
        assert_eq!(ask("GET", &format!("/v1/notes/{name}"), &[], ""), (403, too_long(&name)));
    }
    for path in [format!("/v1/sessions/{long}"), format!("/v1/facts/{long}"), format!("/v1/entities/{long}")]
    {
        let status = ask("GET", &path, &[], "").0;
        assert!((400..500).contains(&status), "{path}: {status}");
    }
}

#[test]
fn the_index_can_be_made_again_while_others_ask() {
    let home = Home::new();
    let served = Served::new(&home);
    assert_eq!(served.post("/v1/index", &json!({"force": true}))["ok"], json!(true));
    assert_eq!(served.get("/v1/search?query=dog")["results"][0]["path"], json!("MEMORY.md"));
    assert_eq!(served.get("/v1/index")["ok"], json!(true));
}

#[test]
fn too_many_requests_are_told_to_wait() {
    let home = Home::new();
    home.config("{ memory: { server: { requestsPerSecond: 1 } } }");
    let served = Served::new(&home);
    let statuses: Vec<u16> = (0..6).map(|_| served.raw("GET", "/healthz", &[], "").status).collect();
    assert_eq!((statuses[0], statuses[1]), (200, 200));
    assert!(statuses.contains(&429), "{statuses:?}");
}

#[test]
fn vectors_are_given_as_clients_of_openai_expect_them() {
    let home = Home::new();
    let served = Served::new(&home);
    let plain = served.post("/v1/embeddings", &json!({"input": ["dog", "…"], "model": "any"}));
    assert_eq!((&plain["object"], &plain["model"]), (&json!("list"), &json!("potion-base-8M")));
    let vector = plain["data"][0]["embedding"].as_array().unwrap();
    let length: f64 = vector.iter().map(|value| value.as_f64().unwrap().powi(2)).sum();
    assert_eq!((vector.len(), (length * 1e3).round()), (256, 1e3));
    let packed = served.post("/v1/embeddings", &json!({"input": "dog", "encoding_format": "base64"}));
    assert_eq!(packed["data"][0]["embedding"].as_str().unwrap().len(), (256_usize * 4).div_ceil(3) * 4);
    assert_eq!(served.ask("POST", "/v1/embeddings", "{\"input\": []}").status, 400);
}

#[test]
fn the_document_names_every_path_and_the_metrics_count_them() {
    let home = Home::new();
    let served = Served::new(&home);
    let document = served.get("/openapi.json");
    assert_eq!(document["openapi"], json!("3.1.0"));
    let search = &document["paths"]["/v1/search"]["get"];
    assert_eq!(search["parameters"][0]["name"], json!("query"));
    assert_eq!(search["parameters"][0]["required"], json!(true));
    assert!(document["paths"]["/v1/sessions/{id}/messages"]["post"]["requestBody"].is_object());
    served.get("/v1/search?query=dog");
    let text = served.ask("GET", "/metrics", "").body;
    assert!(
        text.contains("mindfile_http_request_duration_seconds_count{route=\"/v1/search\",method=\"GET\",status=\"200\"} 1"),
        "{text}"
    );
    assert!(text.contains("\nmindfile_notes 3\n"), "{text}");
}

#[test]
fn a_group_never_gets_long_term_memory() {
    let home = Home::new();
    home.note(
        "MEMORY.md",
        "# Memory\n\nThe dog is called Pixel.\n\n- W @Pixel: Pixel fears the sweeper ^pix1\n",
    );
    let served = Served::new(&home);
    assert!(served.get("/v1/search?query=dog%20Pixel").to_string().contains("Pixel"));
    let in_group = |path: &str| {
        let mark = if path.contains('?') { '&' } else { '?' };
        served.ask("GET", &format!("{path}{mark}chatType=group"), "")
    };
    for path in [
        "/v1/search?query=dog%20called%20Pixel",
        "/v1/recall?query=what%20does%20Pixel%20fear",
        "/v1/notes",
        "/v1/notes/MEMORY.md",
        "/v1/notes/.%2FMEMORY.md",
        "/v1/context",
        "/v1/facts",
        "/v1/facts/pix1",
        "/v1/entities/pixel",
    ] {
        let answer = in_group(path);
        assert!(!answer.body.contains("sweeper"), "{path}: {}", answer.body);
        assert!(!answer.body.contains("called Pixel"), "{path}: {}", answer.body);
    }
    assert_eq!(in_group("/v1/notes/MEMORY.md").status, 403);
    let group = Served::for_group(&home);
    assert_eq!(group.ask("GET", "/v1/notes/MEMORY.md?chatType=direct", "").status, 403);
}

/// What is said in private and what stands in MEMORY.md leaves no trace in what a server for a group tells.
#[test]
fn a_server_for_a_group_tells_nothing_of_private_ones() {
    let home = Home::new();
    home.note("MEMORY.md", "- W @SecretLover @clinic: The visit is on Monday ^visit\n");
    home.note("memory/api.md", "- W @clinic: The clinic has a new door ^door\n");
    let owner = Served::new(&home);
    let turn = |text: &str| json!({"messages": [{"role": "user", "text": text}], "chatType": "direct"});
    owner.post("/v1/sessions/private1/messages", &turn("my diagnosis is zzqdiag"));
    assert!(owner.get("/v1/entities").to_string().contains("SecretLover"));
    assert!(owner.get("/v1/search?query=zzqdiag&source=sessions").to_string().contains("diagnosis"));
    drop(owner);
    let group = Served::for_group(&home);
    for path in [
        "/v1/entities",
        "/v1/entities/clinic",
        "/v1/facts",
        "/v1/sessions",
        "/v1/sessions/private1",
        "/v1/sessions/private1/candidates",
        "/v1/sessions/private1/context",
        "/v1/search?query=zzqdiag&source=sessions&explain=true",
        "/v1/search?query=diagnosis%20zzqdiag&explain=true",
        "/v1/recall?query=when%20is%20the%20visit&explain=true&debug=true",
        "/v1/audit?limit=1000",
    ] {
        let told = group.ask("GET", path, "").body.to_lowercase();
        for secret in ["secretlover", "monday", "diagnosis is", "visit is"] {
            assert!(!told.contains(secret), "{path}: {told}");
        }
        let asks_for_it = path.contains("private1");
        assert!(asks_for_it || !told.contains("private1"), "{path}: {told}");
    }
    assert_eq!(group.ask("GET", "/v1/sessions/private1", "").status, 404);
    assert_eq!(group.ask("GET", "/v1/entities/secretlover", "").status, 404);
    assert_eq!(group.get("/v1/entities")[0]["factCount"], json!(1));
    let shared = json!({"messages": [{"role": "user", "text": "The picnic is on the island."}]});
    group.post("/v1/sessions/picnic/messages", &shared);
    assert!(group.get("/v1/sessions/picnic").to_string().contains("island"));
    assert!(
        group.get("/v1/search?query=picnic%20island&source=sessions").to_string().contains("picnic.jsonl")
    );
}
