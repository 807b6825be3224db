//! Asks QMD's own server, which one process runs for all: ten times faster than starting QMD.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ureq::Agent;

use crate::KEEPER;
use crate::home::Home;
use crate::trouble::Trouble;
use mindfile_disk::durable;

const FILE: &str = "server.json";
const LONGEST: u64 = 4 << 20;

/// A server that runs. A type with serde is a format: see FORMAT.md.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServerRecord {
    pub(crate) port: u16,
    /// The group of its processes.
    pub(crate) group: i32,
    /// The file that it has open: the inode of the index.
    pub(crate) database: u64,
    /// The digest of the settings it was started with.
    pub(crate) config: String,
}

impl ServerRecord {
    /// What the last keeper wrote down, whether or not its server still runs.
    pub(crate) fn read(home: &Home) -> Option<Self> {
        serde_json::from_str(&std::fs::read_to_string(home.file(FILE)).ok()?).ok()
    }

    pub(crate) fn write(&self, home: &Home) -> Result<(), Trouble> {
        let path = home.file(FILE);
        let bytes = serde_json::to_vec(self).map_err(std::io::Error::from);
        bytes.and_then(|bytes| durable::replace(&path, &bytes)).map_err(Trouble::io(&path))
    }

    pub(crate) fn remove(home: &Home) {
        // It is not there, or the next keeper writes over it.
        match std::fs::remove_file(home.file(FILE)) {
            Ok(()) | Err(_) => {}
        }
    }

    /// The server to ask: that of a keeper who lives, on the index as it is now and with the settings as they are.
    pub(crate) fn running(home: &Home, config: &str) -> Option<Self> {
        let record = Self::read(home).filter(|_| home.is_locked(KEEPER))?;
        let current = home.inode() == Some(record.database) && record.config == config;
        current.then_some(record)
    }
}

/// What came of asking.
pub(crate) enum Reply {
    /// Nobody listens there, or not to the end: it was killed, or is being started anew.
    Nobody,
    Text(String),
}

pub(crate) fn ask(port: u16, body: &Value, within: Duration) -> Result<Reply, Trouble> {
    let request = agent(within).post(format!("http://127.0.0.1:{port}/query"));
    let sent = request.header("Content-Type", "application/json").send(body.to_string());
    let mut response = match sent {
        Err(ureq::Error::Io(_) | ureq::Error::ConnectionFailed) => return Ok(Reply::Nobody),
        Err(ureq::Error::Timeout(_)) => return Err(late(within)),
        sent => sent.map_err(|error| Trouble::Server { what: error.to_string() })?,
    };
    let status = response.status();
    let text = response.body_mut().with_config().limit(LONGEST).read_to_string();
    match text {
        Err(ureq::Error::Timeout(_)) => Err(late(within)),
        Err(ureq::Error::Io(_)) => Ok(Reply::Nobody),
        Err(error) => Err(Trouble::Server { what: error.to_string() }),
        Ok(_) if !status.is_success() => Err(Trouble::Server { what: format!("it answered with {status}") }),
        Ok(text) => Ok(Reply::Text(text)),
    }
}

/// Whether a server answers there.
pub(crate) fn is_up(port: u16, within: Duration) -> bool {
    agent(within)
        .get(format!("http://127.0.0.1:{port}/health"))
        .call()
        .is_ok_and(|reply| reply.status().is_success())
}

fn late(within: Duration) -> Trouble {
    Trouble::TimedOut { what: "mcp".to_owned(), after: within }
}

fn agent(within: Duration) -> Agent {
    let config = Agent::config_builder().timeout_global(Some(within)).proxy(None).max_redirects(0);
    config.http_status_as_error(false).build().into()
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use serde_json::json;

    use super::*;

    /// What comes of asking a server that reads the question and then does this.
    fn asked(does: impl FnOnce(&mut std::net::TcpStream) + Send + 'static) -> String {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let read = stream.read(&mut [0; 4096]).unwrap();
            assert!(read > 0);
            does(&mut stream);
        });
        let told = told(ask(port, &json!({ "searches": [] }), Duration::from_millis(600)));
        server.join().unwrap();
        told
    }

    fn told(came: Result<Reply, Trouble>) -> String {
        match came {
            Ok(Reply::Nobody) => "nobody".to_owned(),
            Ok(Reply::Text(text)) => text,
            Err(trouble) => trouble.to_string(),
        }
    }

    fn says(text: &'static str) -> impl FnOnce(&mut std::net::TcpStream) + Send {
        move |stream| stream.write_all(text.as_bytes()).unwrap()
    }

    #[test]
    fn an_answer_is_given_whole() {
        assert_eq!(asked(says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")), "{}");
    }

    #[test]
    fn a_refusal_is_told() {
        let said = asked(says("HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"));
        assert_eq!(said, "QMD's server: it answered with 500 Internal Server Error");
    }

    #[test]
    fn who_says_nothing_is_not_waited_for() {
        let said = asked(|_| std::thread::sleep(Duration::from_millis(1_500)));
        assert_eq!(said, "`qmd mcp` took longer than 600 ms");
    }

    #[test]
    fn who_is_not_there_any_more_is_nobody() {
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        assert_eq!(told(ask(port, &json!({}), Duration::from_secs(5))), "nobody");
        assert_eq!(asked(says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")), "nobody");
    }
}
