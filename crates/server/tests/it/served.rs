//! A server in a thread, at a port of its own; it ends with the test.

use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use mindfile::origin::Door;
use mindfile::session::ChatType;
use mindfile_server::mcp::Offer;
use mindfile_server::{Place, Terms, serve};
use serde_json::Value;

use crate::exchange::{Answer, exchange};
use crate::home::Home;

pub(crate) struct Served {
    pub(crate) address: String,
    pub(crate) token: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn new(home: &Home) -> Self {
        Self::in_chat(home, ChatType::Direct)
    }

    /// With others who read along, whatever a request says.
    pub(crate) fn for_group(home: &Home) -> Self {
        Self::in_chat(home, ChatType::Group)
    }

    fn in_chat(home: &Home, chat: ChatType) -> Self {
        let people = home.desk(Door::Http, chat);
        let agents = home.desk(Door::Mcp, chat);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let (tell, told) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
            let terms = Terms {
                place: Place::Address { address, insecure: false },
                heartbeat: None,
                offer: Offer::default(),
            };
            let on = |listening: &mindfile_server::Listening| {
                let address = listening.address.unwrap().to_string();
                tell.send((address, listening.token.text().to_owned())).unwrap();
            };
            serve(&people, &agents, &terms, &stopped, on).unwrap();
        });
        let (address, token) = told.recv().unwrap();
        Self { address, token, stop, thread: Some(thread) }
    }

    /// As anybody can ask.
    pub(crate) fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let host = [("Host", self.address.as_str())];
        let host: &[_] = if headers.iter().any(|(name, _)| *name == "Host") { &[] } else { &host };
        let headers: Vec<_> = host.iter().chain(headers).collect();
        exchange(TcpStream::connect(&self.address).unwrap(), method, path, &headers, body)
    }

    /// As one asks who has the token.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        self.raw(method, path, &[("Authorization", bearer.as_str())], body)
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let answer = self.ask("GET", path, "");
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.ask("POST", path, &body.to_string());
        assert!((200..300).contains(&answer.status), "{path}: {}", answer.body);
        answer.json()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // A panic of the server has failed the test already.
        drop(self.thread.take().map(JoinHandle::join));
    }
}
