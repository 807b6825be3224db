//! A connection that can be cut at the worst moment: between a commit and its reply, or just before the commit.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// As the client sends it: a simple query.
const COMMIT: &[u8] = b"Q\0\0\0\x0bCOMMIT\0";

const PASS: u8 = 0;
const AFTER: u8 = 1;
const BEFORE: u8 = 2;
const CUT: u8 = 3;

pub(crate) struct Proxy {
    pub(crate) url: String,
    mode: Arc<AtomicU8>,
}

impl Proxy {
    pub(crate) fn to(url: &str) -> Self {
        let (head, rest) = url.split_once("127.0.0.1:").unwrap();
        let (port, database) = rest.split_once('/').unwrap();
        let target: u16 = port.parse().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap().port();
        let mode = Arc::new(AtomicU8::new(PASS));
        let seen = Arc::clone(&mode);
        // It ends with the test's process.
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if let Ok(server) = TcpStream::connect(("127.0.0.1", target)) {
                    serve(client, server, &seen);
                }
            }
        });
        Self { url: format!("{head}127.0.0.1:{own}/{database}"), mode }
    }

    pub(crate) fn cut_after_commit(&self) {
        self.mode.store(AFTER, Ordering::SeqCst);
    }

    pub(crate) fn cut_before_commit(&self) {
        self.mode.store(BEFORE, Ordering::SeqCst);
    }

    pub(crate) fn has_cut(&self) -> bool {
        self.mode.load(Ordering::SeqCst) == CUT
    }
}

fn serve(client: TcpStream, server: TcpStream, mode: &Arc<AtomicU8>) {
    let mut back = server.try_clone().unwrap();
    let mut to_client = client.try_clone().unwrap();
    std::thread::spawn(move || {
        let mut bytes = [0; 65_536];
        while let Ok(read @ 1..) = back.read(&mut bytes) {
            if to_client.write_all(&bytes[..read]).is_err() {
                break;
            }
        }
        to_client.shutdown(Shutdown::Both).ok();
    });
    let mode = Arc::clone(mode);
    let mut from_client = client;
    let mut to_server = server;
    std::thread::spawn(move || {
        let mut bytes = [0; 65_536];
        while let Ok(read @ 1..) = from_client.read(&mut bytes) {
            let commits = bytes[..read].windows(COMMIT.len()).any(|part| part == COMMIT);
            let cut = if commits { fire(&mode) } else { PASS };
            if cut != PASS {
                from_client.shutdown(Shutdown::Both).ok();
            }
            let is_sent = cut != BEFORE && to_server.write_all(&bytes[..read]).is_ok();
            if cut != PASS || !is_sent {
                break;
            }
        }
        from_client.shutdown(Shutdown::Both).ok();
        // The server does what it was sent, answers into the void and closes.
        to_server.shutdown(Shutdown::Write).ok();
    });
}

/// How this commit is cut. The cut is known before the client can notice it; and it is one.
fn fire(mode: &AtomicU8) -> u8 {
    let cut = |armed| (armed == AFTER || armed == BEFORE).then_some(CUT);
    mode.fetch_update(Ordering::SeqCst, Ordering::SeqCst, cut).unwrap_or(PASS)
}
