//! Many clients at once against a running server: `cargo bench -p mindfile-server --bench load -- ADDRESS TOKEN-FILE PID
//! [CLIENTS] [SECONDS]`. Prints how long searches took, what failed, and the most memory that the server had.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement fails by panicking, and prints")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const QUERIES: [&str; 8] = [
    "rate+limit",
    "when+is+the+rent+due",
    "deploy+failed",
    "dog",
    "train+tickets",
    "who+leads+the+team",
    "timeouts",
    "what+did+we+decide+about+the+database",
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [address, token_file, pid, rest @ ..] = words.as_slice() else {
        println!("ADDRESS TOKEN-FILE PID [CLIENTS] [SECONDS]");
        return;
    };
    let number = |at: usize, usual: u64| rest.get(at).map_or(usual, |word| word.parse().unwrap());
    let (clients, seconds) = (number(0, 200), number(1, 60));
    let token = std::fs::read_to_string(token_file).unwrap().trim().to_owned();
    let until = Instant::now() + Duration::from_secs(seconds);
    let before = memory(pid, "VmRSS");
    let threads: Vec<_> = (0..clients)
        .map(|client| {
            let (address, token) = (address.clone(), token.clone());
            std::thread::spawn(move || ask_until(&address, &token, client as usize, until))
        })
        .collect();
    let (mut took, mut errors) = (Vec::new(), 0);
    for thread in threads {
        let (times, failed) = thread.join().unwrap();
        took.extend(times);
        errors += failed;
    }
    took.sort_unstable();
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!("{clients} clients, {seconds} s: {} answers, {errors} errors", took.len());
    println!(
        "{:.0} a second; p50 {:.1} ms, p90 {:.1} ms, p99 {:.1} ms, longest {:.1} ms; p99 is {:.1} x p50",
        took.len() as f64 / seconds as f64,
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0),
        at(0.99) / at(0.5)
    );
    println!(
        "the server's memory: {before} kB before, {} kB after, {} kB at most",
        memory(pid, "VmRSS"),
        memory(pid, "VmHWM")
    );
}

/// One connection, one question after the other.
fn ask_until(address: &str, token: &str, client: usize, until: Instant) -> (Vec<Duration>, u64) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut took, mut errors, mut at) = (Vec::new(), 0, client);
    while Instant::now() < until {
        let query = QUERIES[at % QUERIES.len()];
        at += 1;
        let began = Instant::now();
        let request = format!(
            "GET /v1/search?query={query} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        if answer(&mut reader) == 200 { took.push(began.elapsed()) } else { errors += 1 }
    }
    (took, errors)
}

fn answer(reader: &mut impl BufRead) -> u16 {
    let (mut status, mut length) = (0, 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line == "\r\n" {
            break;
        }
        if line.starts_with("HTTP/") {
            status = line.split(' ').nth(1).unwrap().parse().unwrap();
        }
        if let Some(text) = line.to_lowercase().strip_prefix("content-length: ") {
            length = text.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    status
}

fn memory(pid: &str, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
