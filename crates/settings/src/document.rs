//! A configuration file as a tree of JSON values: bounded in size and depth before it is parsed, and with every key
//! that was written twice.

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::kind::type_name;
use crate::origin::{Origin, shown_key};

const MAX_BYTES: u64 = 4 << 20;
const MAX_DEPTH: usize = 64;

/// Whose file it is, which decides how strictly it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Another program's file: what is not ours is ignored, oddities are warnings.
    OpenClaw,
    /// Our file in the state directory: oddities are errors.
    Mindfile,
    /// A file that came with the notes: as strict, and not trusted with paths, commands or addresses.
    Workspace,
}

/// One parsed file.
pub(crate) struct Document {
    pub(crate) file: PathBuf,
    pub(crate) role: Role,
    pub(crate) root: Map<String, Value>,
    /// Full paths of the keys that stand twice in one object; the last one counts.
    pub(crate) repeated: Vec<String>,
}

impl Document {
    /// A file that is not there, and says nothing.
    pub(crate) fn absent(file: &Path, role: Role) -> Self {
        Self { file: file.to_owned(), role, root: Map::new(), repeated: Vec::new() }
    }

    /// The value at a path of names.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Value> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.root.get(*first)?, |value, name| value.get(name))
    }
}

/// Reads a file, if there is one.
pub(crate) fn read(file: &Path, role: Role) -> Result<Option<Document>, Error> {
    text(file)?.map(|text| parse(file, role, &text)).transpose()
}

/// The text of a file, if there is one.
pub(crate) fn text(file: &Path) -> Result<Option<String>, Error> {
    let cannot = |source| Error::Read { file: file.to_owned(), source };
    // Asked before opening: opening a pipe would wait for its other end.
    match std::fs::metadata(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot(error)),
        Ok(found) if !found.is_file() => return Err(Error::NotAFile { file: file.to_owned() }),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    File::open(file).and_then(|opened| opened.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(cannot)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Error::TooLarge { file: file.to_owned(), limit: MAX_BYTES });
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|error| Error::NotText { file: file.to_owned(), offset: error.utf8_error().valid_up_to() })
}

/// Parses the text of a file. A blank file says nothing, which is allowed.
pub(crate) fn parse(file: &Path, role: Role, text: &str) -> Result<Document, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut document = Document::absent(file, role);
    if text.trim().is_empty() {
        return Ok(document);
    }
    check_depth(file, text)?;
    let parsed: Parsed = json5::from_str(text).map_err(|error| syntax(file, text, &error))?;
    document.repeated = parsed.repeated;
    match parsed.value {
        Value::Object(root) => document.root = root,
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
            return Err(not_an_object(file, &other));
        }
    }
    Ok(document)
}

/// One JSON5 value that stands alone, such as an argument of the command line.
pub(crate) fn parse_value(text: &str) -> Option<Value> {
    check_depth(Path::new(""), text).ok()?;
    let parsed: Parsed = json5::from_str(text).ok()?;
    parsed.repeated.is_empty().then_some(parsed.value)
}

fn not_an_object(file: &Path, value: &Value) -> Error {
    let origin = Origin::File { path: file.to_owned(), at: String::new() };
    let key = "the whole file".to_owned();
    Error::BadValue { origin, key, value: type_name(value).to_owned(), allowed: "an object".to_owned() }
}

fn syntax(file: &Path, text: &str, error: &json5::Error) -> Error {
    // The parser gives no position for a text that ends too early.
    let at = error.position().unwrap_or_else(|| json5::Position::from_offset(text.len(), text));
    let line = at.line + 1;
    let column = at.column + 1;
    let reason = error.code().map_or_else(|| "unexpected value".to_owned(), |code| code.to_string());
    Error::Syntax { file: file.to_owned(), line, column, reason }
}

/// The parser recurses for every bracket, so brackets are counted first.
fn check_depth(file: &Path, text: &str) -> Result<(), Error> {
    let Some(offset) = too_deep(text) else { return Ok(()) };
    let at = json5::Position::from_offset(offset, text);
    let line = at.line + 1;
    let column = at.column + 1;
    Err(Error::TooDeep { file: file.to_owned(), line, column, limit: MAX_DEPTH })
}

/// Where the text is nested too deeply. Brackets in strings and comments do not count.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut chars = text.char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            '"' | '\'' => skip_string(c, &mut chars),
            '/' if chars.peek().is_some_and(|(_, next)| *next == '/') => skip_line(&mut chars),
            '/' if chars.peek().is_some_and(|(_, next)| *next == '*') => skip_comment(&mut chars),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(offset);
        }
    }
    None
}

fn skip_string(quote: char, chars: &mut impl Iterator<Item = (usize, char)>) {
    while let Some((_, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            return;
        }
    }
}

fn skip_line(chars: &mut impl Iterator<Item = (usize, char)>) {
    // The line ends where JSON5 says, or brackets after it would stay uncounted.
    chars.find(|(_, c)| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}'));
}

fn skip_comment(chars: &mut impl Iterator<Item = (usize, char)>) {
    chars.next();
    let mut star = false;
    chars.find(|(_, c)| {
        let end = star && *c == '/';
        star = *c == '*';
        end
    });
}

/// The path of a key below another.
pub(crate) fn join(at: &str, key: &str) -> String {
    if at.is_empty() { shown_key(key) } else { format!("{at}.{}", shown_key(key)) }
}

/// A value, and the paths of its keys that stand twice.
struct Parsed {
    value: Value,
    repeated: Vec<String>,
}

impl<'de> Deserialize<'de> for Parsed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut repeated = Vec::new();
        let value = ValueAt { at: String::new(), repeated: &mut repeated }.deserialize(deserializer)?;
        Ok(Self { value, repeated })
    }
}

/// Reads the value at a path.
struct ValueAt<'a> {
    at: String,
    repeated: &'a mut Vec<String>,
}

impl<'de> DeserializeSeed<'de> for ValueAt<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueAt<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON5 value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    /// JSON has no word for what is not finite: it stays what was written, and is no number.
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(if value.is_finite() { Value::from(value) } else { Value::from(value.to_string()) })
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items: Vec<Value> = Vec::new();
        loop {
            let at = format!("{}[{}]", self.at, items.len());
            match list.next_element_seed(ValueAt { at, repeated: &mut *self.repeated })? {
                Some(item) => items.push(item),
                None => return Ok(Value::Array(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            let at = join(&self.at, &key);
            let value = object.next_value_seed(ValueAt { at: at.clone(), repeated: &mut *self.repeated })?;
            if map.insert(key, value).is_some() {
                self.repeated.push(at);
            }
        }
        Ok(Value::Object(map))
    }
}
