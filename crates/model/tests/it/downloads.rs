//! Model files: fetched once, resumed where it broke off, and refused when they are not what was announced.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};

use mindfile_model::provider::Local;
use mindfile_model::provider::download::HostedModel;
use sha2::{Digest, Sha256};

/// A hub with one file of ten thousand bytes, which sends `at_once` bytes of it and then hangs up.
struct Hub {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

fn content() -> Vec<u8> {
    (0..10_000_u32).map(|n| (n * 31 % 251) as u8).collect()
}

fn hub(at_once: usize, hash: Option<String>, redirect: Option<String>) -> Hub {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming().take(6) {
            let mut stream = stream.unwrap();
            let lines =
                BufReader::new(&stream).lines().map(Result::unwrap).take_while(|line| !line.is_empty());
            let lines: Vec<String> = lines.collect();
            let range = lines.iter().find_map(|line| {
                line.to_lowercase().strip_prefix("range: bytes=")?.strip_suffix('-')?.parse::<usize>().ok()
            });
            seen.lock().unwrap().push(format!("{} from {}", lines[0], range.unwrap_or(0)));
            let from = range.unwrap_or(0);
            let body = content()[from.min(10_000)..].to_vec();
            let status = match (&redirect, range) {
                (Some(_), _) => "302 Found",
                (None, Some(10_000)) => "416 Range Not Satisfiable",
                (None, Some(_)) => "206 Partial Content",
                (None, None) => "200 OK",
            };
            let mut head = format!(
                "HTTP/1.1 {status}\r\nconnection: close\r\nx-linked-size: 10000\r\ncontent-length: {}\r\n",
                body.len()
            );
            head.extend(redirect.iter().map(|to| format!("location: {to}\r\n")));
            head.extend(hash.iter().map(|hash| format!("x-linked-etag: \"{hash}\"\r\n")));
            stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
            stream.write_all(&body[..at_once.min(body.len())]).unwrap();
        }
    });
    Hub { url, asked }
}

fn hash() -> String {
    Sha256::digest(content()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn get(hub: &Hub, cache: &Path) -> Result<Vec<u8>, String> {
    let came = local(hub, cache).file().map_err(|error| error.to_string());
    came.map(|path| std::fs::read(path).unwrap())
}

fn local(hub: &Hub, cache: &Path) -> Local {
    let (model, cache) = ("hf:owner/repo-GGUF/model-Q8_0.gguf".to_owned(), cache.to_owned());
    Local { model, cache, endpoint: hub.url.clone(), ca_file: None }
}

#[test]
fn a_file_is_fetched_once() {
    let cache = tempfile::tempdir().unwrap();
    let hub = hub(10_000, Some(hash()), None);
    assert_eq!(get(&hub, cache.path()).unwrap(), content());
    assert_eq!(get(&hub, cache.path()).unwrap(), content());
    assert_eq!(
        *hub.asked.lock().unwrap(),
        ["GET /owner/repo-GGUF/resolve/main/model-Q8_0.gguf HTTP/1.1 from 0"]
    );
    assert!(local(&hub, cache.path()).is_there());
}

#[test]
fn many_who_want_the_file_at_once_fetch_it_once() {
    let cache = tempfile::tempdir().unwrap();
    let hub = hub(10_000, Some(hash()), None);
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|_| scope.spawn(|| get(&hub, cache.path()))).collect();
        for one in all {
            assert_eq!(one.join().unwrap().unwrap(), content());
        }
    });
    assert_eq!(hub.asked.lock().unwrap().len(), 1);
}

#[test]
fn a_fetch_that_broke_off_goes_on_where_it_was() {
    let cache = tempfile::tempdir().unwrap();
    let hub = hub(4_000, Some(hash()), None);
    for _ in 0..2 {
        get(&hub, cache.path()).unwrap_err();
    }
    assert_eq!(get(&hub, cache.path()).unwrap(), content());
    let asked = hub.asked.lock().unwrap().clone();
    let from: Vec<&str> = asked.iter().map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(from, ["0", "4000", "8000"]);
}

#[test]
fn a_whole_part_is_only_checked() {
    let cache = tempfile::tempdir().unwrap();
    let hub = hub(10_000, Some(hash()), None);
    let part = cache.path().join("owner--repo-GGUF--model-Q8_0.part");
    std::fs::File::create(&part).unwrap().write_all(&content()).unwrap();
    assert_eq!(get(&hub, cache.path()).unwrap(), content());
}

#[test]
fn a_file_with_another_checksum_is_not_used() {
    let cache = tempfile::tempdir().unwrap();
    let hub = hub(10_000, Some("0".repeat(64)), None);
    let error = get(&hub, cache.path()).unwrap_err();
    assert!(error.contains("its SHA-256 is"), "{error}");
    assert_eq!(std::fs::read_dir(cache.path()).unwrap().count(), 0);
}

#[test]
fn a_redirect_into_the_private_network_is_refused() {
    let cache = tempfile::tempdir().unwrap();
    for (to, why) in [
        ("http://169.254.169.254/x", "it is a private address"),
        ("http://127.0.0.1:9/x", "it is a private address"),
        ("http://localhost:9/x", "cannot be fetched"),
        ("file:///etc/passwd", "it cannot be read"),
    ] {
        let error = get(&hub(0, None, Some(to.to_owned())), cache.path()).unwrap_err();
        assert!(error.contains(why), "{to}: {error}");
    }
}

#[test]
fn without_a_network_it_is_said_what_to_put_where() {
    let cache = tempfile::tempdir().unwrap();
    let hub = Hub { url: "http://127.0.0.1:1".to_owned(), asked: Arc::default() };
    let error = get(&hub, cache.path()).unwrap_err();
    assert!(
        error.contains("owner--repo-GGUF--model-Q8_0.gguf: it is not there and cannot be fetched"),
        "{error}"
    );
    assert!(
        error.ends_with(
            "put the file http://127.0.0.1:1/owner/repo-GGUF/resolve/main/model-Q8_0.gguf there yourself"
        ),
        "{error}"
    );
}

#[test]
fn an_address_names_owner_repository_and_file() {
    for wrong in ["hf:", "hf:a/b", "hf:a/../c.gguf", "hf:a/b/../../c", "hf:a/b/c d", "hf:a/b/"] {
        assert!(HostedModel::parse(wrong).is_err(), "{wrong}");
    }
    assert_eq!(HostedModel::parse("/models/x.gguf").unwrap(), None);
}
