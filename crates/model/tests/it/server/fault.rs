//! The ways in which a provider fails or lies.

#![expect(clippy::wildcard_enum_match_arm, reason = "each place knows the faults that it makes")]

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::Ways;
use super::http::Answer;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fault {
    None,
    /// A status, and what `Retry-After` says.
    Status(u16, Option<&'static str>),
    Quota,
    /// The connection is closed before, or in the middle of, the answer.
    Close,
    Truncated,
    Hang(Duration),
    /// A byte at a time.
    Drip,
    Html,
    Empty,
    WrongType,
    /// More than anybody reads, as it is or packed.
    Huge,
    GzipBomb,
    BrokenGzip,
    BrokenChunks,
    /// Answers that look right.
    Fewer,
    More,
    Permuted,
    Duplicate,
    OtherDims,
    MixedDims,
    Number(&'static str),
    Zero,
    Redirect(u16, String),
}

impl Fault {
    /// Every one that a random history may hold; those that only cost time are left out.
    pub(crate) fn every() -> Vec<Self> {
        let statuses = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 529];
        let mut all: Vec<Self> = statuses.map(|status| Self::Status(status, None)).to_vec();
        all.extend(
            ["0", "3", "1000000000", "Wed, 21 Oct 2015 07:28:00 GMT"].map(|at| Self::Status(429, Some(at))),
        );
        all.extend([Self::Quota, Self::Close, Self::Truncated, Self::Html, Self::Empty, Self::WrongType]);
        all.extend([Self::BrokenGzip, Self::BrokenChunks, Self::Fewer, Self::More, Self::Permuted]);
        all.extend([Self::Duplicate, Self::OtherDims, Self::MixedDims, Self::Zero]);
        all.extend(["NaN", "1e999", "1e39", "-1e39", "null", "\"0.5\"", "{}"].map(Self::Number));
        all.push(Self::Redirect(307, "http://169.254.169.254/latest".to_owned()));
        all.push(Self::Redirect(302, "/elsewhere".to_owned()));
        all
    }

    pub(super) fn ways(&self, ways: Ways) -> Ways {
        match self {
            Self::OtherDims => Ways { dims: ways.dims + 1, ..ways },
            _ => ways,
        }
    }

    /// Sends the answer, or what the fault makes of it. None ends the connection.
    pub(super) fn send(&self, mut stream: &TcpStream, mut answer: Answer) -> Option<()> {
        match self {
            Self::None | Self::OtherDims => {}
            Self::Status(status, again) => answer = status_answer(*status, *again),
            Self::Quota => {
                let error =
                    json!({ "message": "You exceeded your current quota", "code": "insufficient_quota" });
                answer = Answer::json(429, &json!({ "error": error }));
            }
            Self::Close => return None,
            Self::Hang(time) => {
                std::thread::sleep(*time);
                return None;
            }
            Self::Truncated => {
                stream.write_all(&answer.head(Some(answer.body.len()))).ok()?;
                stream.write_all(&answer.body[..answer.body.len() / 2]).ok()?;
                return None;
            }
            Self::Drip => return drip(stream, &answer),
            Self::Html => answer.body = b"<html><body>502 Bad Gateway</body></html>".to_vec(),
            Self::Empty => answer.body.clear(),
            Self::WrongType => answer.headers = vec![("content-type".to_owned(), "text/plain".to_owned())],
            Self::Huge => return huge(stream, &answer),
            Self::GzipBomb => packed(&mut answer, bomb(100 << 20)),
            Self::BrokenGzip => {
                packed(&mut answer, b"\x1f\x8b\x08\0\0\0\0\0\0\xffnot deflate at all".to_vec())
            }
            Self::BrokenChunks => {
                stream.write_all(&answer.head(None)).ok()?;
                stream.write_all(b"zz\r\nnonsense\r\n").ok()?;
                return None;
            }
            Self::Redirect(status, to) => {
                answer = Answer {
                    status: *status,
                    headers: vec![("location".to_owned(), to.clone())],
                    body: Vec::new(),
                };
            }
            lie => tell(lie, &mut answer),
        }
        answer.send(stream)
    }
}

fn status_answer(status: u16, again: Option<&str>) -> Answer {
    let mut answer = Answer::json(status, &json!({ "error": { "message": format!("status {status}") } }));
    answer.headers.extend(again.map(|time| ("retry-after".to_owned(), time.to_owned())));
    answer
}

fn drip(mut stream: &TcpStream, answer: &Answer) -> Option<()> {
    stream.write_all(&answer.head(Some(answer.body.len()))).ok()?;
    for byte in &answer.body {
        stream.write_all(&[*byte]).ok()?;
        std::thread::sleep(Duration::from_millis(50));
    }
    Some(())
}

fn huge(mut stream: &TcpStream, answer: &Answer) -> Option<()> {
    stream.write_all(&answer.head(None)).ok()?;
    let chunk = [b"100000\r\n".to_vec(), vec![b' '; 0x10_0000], b"\r\n".to_vec()].concat();
    for _ in 0..70 {
        stream.write_all(&chunk).ok()?;
    }
    stream.write_all(b"0\r\n\r\n").ok()
}

fn packed(answer: &mut Answer, body: Vec<u8>) {
    answer.headers.push(("content-encoding".to_owned(), "gzip".to_owned()));
    answer.body = body;
}

/// A gzip stream of a few hundred kilobytes that unpacks to `size` zeros: one literal, then nothing but the longest
/// repetition that deflate has.
fn bomb(size: usize) -> Vec<u8> {
    let mut bits = Bits { bytes: b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec(), used: 0 };
    bits.put(&[1, 1, 0]);
    bits.put(&[0, 0, 1, 1, 0, 0, 0, 0]);
    for _ in 0..size / 258 {
        bits.put(&[1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]);
    }
    bits.put(&[0; 7]);
    bits.bytes.extend([0; 8]);
    bits.bytes
}

struct Bits {
    bytes: Vec<u8>,
    used: u8,
}

impl Bits {
    fn put(&mut self, bits: &[u8]) {
        for bit in bits {
            if self.used == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= bit << self.used;
            }
            self.used = (self.used + 1) % 8;
        }
    }
}

/// Changes the list of embeddings, whatever protocol it is in.
fn tell(lie: &Fault, answer: &mut Answer) {
    let mut body: Value = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
    let name = if body["data"].is_array() { "data" } else { "embeddings" };
    let Some(list) = body[name].as_array_mut() else { return };
    match lie {
        Fault::Fewer => drop(list.pop()),
        Fault::More => list.push(list[0].clone()),
        // Where embeddings have no number, their order is their number.
        Fault::Permuted if name == "data" => list.reverse(),
        Fault::Duplicate if name == "data" => list.iter_mut().for_each(|one| one["index"] = json!(0)),
        Fault::MixedDims => drop(values(&mut list[0]).pop()),
        Fault::Zero => values(&mut list[0]).iter_mut().for_each(|value| *value = json!(0)),
        Fault::Number(_) => values(&mut list[0])[0] = json!("@"),
        _ => {}
    }
    let mut text = body.to_string();
    if let Fault::Number(number) = lie {
        text = text.replace("\"@\"", number);
    }
    answer.body = text.into_bytes();
}

fn values(one: &mut Value) -> &mut Vec<Value> {
    let place = if one.is_array() {
        one
    } else if one["values"].is_array() {
        &mut one["values"]
    } else {
        &mut one["embedding"]
    };
    place.as_array_mut().unwrap()
}
