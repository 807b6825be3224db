//! The messages of a client as lines. What is no message is answered, so that nobody waits for it.

use std::io;
use std::sync::Arc;

use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

/// The longest line that is kept.
const LONGEST: usize = 16 * 1024 * 1024;
/// The longest outline of one that is not.
const LONGEST_OUTLINE: usize = 4096;

type Out = TxJsonRpcMessage<RoleServer>;
type Message = RxJsonRpcMessage<RoleServer>;

pub(super) struct Lines<R, W> {
    from: BufReader<R>,
    /// What came of the next line; it outlives a wait that is given up.
    line: Vec<u8>,
    longest: usize,
    /// Of a line that is too long.
    outline: Option<Outline>,
    to: Arc<Mutex<W>>,
}

enum Line {
    Whole(Vec<u8>),
    TooLong(Outline),
    /// Nothing comes any more.
    End,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new((from, to): (R, W)) -> Self {
        Self::up_to(LONGEST, (from, to))
    }

    fn up_to(longest: usize, (from, to): (R, W)) -> Self {
        let to = Arc::new(Mutex::new(to));
        Self { from: BufReader::new(from), line: Vec::new(), longest, outline: None, to }
    }

    /// Nothing is lost where the wait for it is given up: what was read is kept before anything else is waited for.
    async fn next(&mut self) -> io::Result<Line> {
        loop {
            let came = self.from.fill_buf().await?;
            if came.is_empty() {
                return Ok(Line::End);
            }
            let end = memchr::memchr(b'\n', came);
            let (part, used) = end.map_or((came, came.len()), |end| (&came[..end], end + 1));
            if let Some(outline) = &mut self.outline {
                outline.extend(part);
            } else if self.line.len() + part.len() > self.longest {
                let mut outline = Outline::default();
                outline.extend(&std::mem::take(&mut self.line));
                outline.extend(part);
                self.outline = Some(outline);
            } else {
                self.line.extend_from_slice(part);
            }
            self.from.consume(used);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                return Ok(self.outline.take().map_or(Line::Whole(line), Line::TooLong));
            }
        }
    }

    /// Answers aside, so that an answer is written whole whatever becomes of this wait.
    fn refuse(&self, refusal: Out) {
        drop(tokio::spawn(write(Arc::clone(&self.to), refusal)));
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(&mut self, message: Out) -> impl Future<Output = io::Result<()>> + Send + 'static {
        write(Arc::clone(&self.to), message)
    }

    async fn receive(&mut self) -> Option<Message> {
        loop {
            let refusal = match self.next().await {
                Ok(Line::Whole(line)) if line.trim_ascii().is_empty() => None,
                Ok(Line::Whole(line)) => match parsed(&line) {
                    Ok(message) => return Some(message),
                    Err(refusal) => refusal,
                },
                Ok(Line::TooLong(outline)) => outline.refusal(self.longest),
                // Whoever wrote to it is gone in both cases.
                Ok(Line::End) | Err(_) => return None,
            };
            if let Some(refusal) = refusal {
                self.refuse(*refusal);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.to.lock().await.shutdown().await
    }
}

async fn write<W: AsyncWrite + Send + Unpin>(to: Arc<Mutex<W>>, message: Out) -> io::Result<()> {
    let mut line = serde_json::to_vec(&message)?;
    line.push(b'\n');
    let mut to = to.lock().await;
    to.write_all(&line).await?;
    to.flush().await
}

/// A message; else what is answered, which is nothing to a notification.
fn parsed(line: &[u8]) -> Result<Message, Option<Box<Out>>> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Ok(message),
        Err(error) => error,
    };
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        let what = ErrorData::new(ErrorCode::PARSE_ERROR, format!("the line is no JSON: {error}"), None);
        return Err(Some(Box::new(Out::error(what, None))));
    };
    Err(refused(&value, "the line is no request that this server knows"))
}

/// A notification is never answered, not even to refuse it.
fn refused(value: &Value, what: &str) -> Option<Box<Out>> {
    let is_notification = value["method"].is_string() && value.get("id").is_none();
    let id = value.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    let what = ErrorData::new(ErrorCode::INVALID_REQUEST, what.to_owned(), None);
    (!is_notification).then(|| Box::new(Out::error(what, id)))
}

/// A JSON object without what its values hold inside them: still JSON, and short however long the line is.
#[derive(Default)]
struct Outline {
    kept: Vec<u8>,
    depth: usize,
    in_text: bool,
    is_escaped: bool,
}

impl Outline {
    fn extend(&mut self, part: &[u8]) {
        for byte in part {
            let outside = self.depth;
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.in_text => self.is_escaped = true,
                b'"' => self.in_text = !self.in_text,
                b'{' | b'[' if !self.in_text => self.depth += 1,
                b'}' | b']' if !self.in_text => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if outside.min(self.depth) <= 1 && self.kept.len() < LONGEST_OUTLINE {
                self.kept.push(*byte);
            }
        }
    }

    fn refusal(&self, longest: usize) -> Option<Box<Out>> {
        let value = serde_json::from_slice(&self.kept).unwrap_or_default();
        refused(&value, &format!("the line is longer than {longest} bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is received of the lines, and what is answered at once.
    fn heard(lines: &str) -> (usize, Vec<Value>) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (ours, theirs) = tokio::io::duplex(1 << 20);
            let mut transport = Lines::up_to(200, (lines.as_bytes(), ours));
            let mut received = 0;
            while transport.receive().await.is_some() {
                received += 1;
            }
            tokio::task::yield_now().await;
            transport.close().await.unwrap();
            drop(transport);
            let mut answers = BufReader::new(theirs).lines();
            let mut all = Vec::new();
            while let Some(answer) = answers.next_line().await.unwrap() {
                all.push(serde_json::from_str(&answer).unwrap());
            }
            (received, all)
        })
    }

    #[test]
    fn what_is_no_message_is_answered_and_the_next_one_is_heard() {
        let long = "x".repeat(400);
        let ping = r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#;
        for (line, id, code) in [
            ("{".to_owned(), Value::Null, -32700),
            (r#"{"jsonrpc":"2.0","id":4,"method":7}"#.to_owned(), 4.into(), -32600),
            (
                format!(r#"{{"id":7,"method":"tools/call","params":{{"id":1,"text":"\"}}{long}"}}}}"#),
                7.into(),
                -32600,
            ),
            (
                format!(r#"{{"method":"tools/call","params":{{"a":[{{"id":1}},"{long}"]}},"id":"last"}}"#),
                "last".into(),
                -32600,
            ),
            (long, Value::Null, -32600),
        ] {
            let (received, answers) = heard(&format!("{line}\n{ping}\n"));
            assert_eq!(received, 1, "{line}");
            assert_eq!(answers.len(), 1, "{line}: {answers:?}");
            assert_eq!((&answers[0]["id"], &answers[0]["error"]["code"]), (&id, &code.into()), "{line}");
        }
    }

    #[test]
    fn a_notification_that_is_not_understood_is_not_answered() {
        let long = "x".repeat(400);
        let lines = format!(
            "{{\"method\":\"textDocument/didOpen\",\"params\":{{\"text\":\"{long}\"}}}}\n\
             {{\"method\":\"$/odd\"}}\n\n"
        );
        assert_eq!(heard(&lines).1, Vec::<Value>::new());
    }
}
