//! A configuration file as a tree of JSON values: bounded in size and depth, and with every key that was written twice.

use std::fmt::{self, Display};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use mindfile_disk::plain::{self, Plain};
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::kind::type_name;
use crate::origin::{ConcealedSecret, Origin, Warning, shown, shown_key};

const MAX_BYTES: u64 = 4 << 20;
const MAX_DEPTH: usize = 64;

/// Whose file it is, which decides how strict the checks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileRole {
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
    pub(crate) role: FileRole,
    root: Value,
    /// Full paths of the keys that stand twice in one object; the last one counts.
    pub(crate) repeated: Vec<String>,
}

impl Document {
    /// A file that does not exist: it sets nothing.
    pub(crate) fn absent(file: &Path, role: FileRole) -> Self {
        Self { file: file.to_owned(), role, root: Value::Object(Map::new()), repeated: Vec::new() }
    }

    pub(crate) fn root(&self) -> Node<'_> {
        Node { document: self, at: String::new(), value: &self.root }
    }

    /// The value at a path of names.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(&self.root, |value, name| value.get(name))
    }

    pub(crate) fn origin(&self, at: &str) -> Origin {
        Origin::File { path: self.file.clone(), at: at.to_owned() }
    }

    pub(crate) fn warning(&self, key: &str, message: String) -> Warning {
        Warning { file: self.file.clone(), key: key.to_owned(), message }
    }

    pub(crate) fn unknown(&self, key: String, nearest: Option<String>) -> Error {
        Error::UnknownKey { file: self.file.clone(), key, nearest }
    }

    pub(crate) fn not_in_workspace(&self, key: &str) -> Error {
        Error::NotInWorkspace { file: self.file.clone(), key: key.to_owned() }
    }
}

/// A value of a file, and where it stands.
#[derive(Clone)]
pub(crate) struct Node<'a> {
    pub(crate) document: &'a Document,
    pub(crate) at: String,
    pub(crate) value: &'a Value,
}

impl<'a> Node<'a> {
    pub(crate) fn child(&self, name: &str) -> Option<Self> {
        Some(Self { value: self.value.get(name)?, at: join(&self.at, name), ..self.clone() })
    }

    /// The children of an object, where nothing else makes sense.
    pub(crate) fn children(&self) -> Result<Vec<(&'a str, Self)>, Error> {
        let object = self.value.as_object().ok_or_else(|| self.wrong_type("an object"))?;
        let child = |(name, value): (&'a String, &'a Value)| {
            (name.as_str(), Self { value, at: join(&self.at, name), ..self.clone() })
        };
        Ok(object.iter().map(child).collect())
    }

    pub(crate) fn check_object(&self) -> Result<(), Error> {
        if self.value.is_object() { Ok(()) } else { Err(self.wrong_type("an object")) }
    }

    /// The object at a dotted path, if it is there.
    pub(crate) fn object(&self, path: &str) -> Result<Option<Self>, Error> {
        let mut node = self.clone();
        for name in path.split('.').filter(|name| !name.is_empty()) {
            let Some(next) = node.child(name) else { return Ok(None) };
            next.check_object()?;
            node = next;
        }
        Ok(Some(node))
    }

    pub(crate) fn origin(&self) -> Origin {
        self.document.origin(&self.at)
    }

    pub(crate) fn concealed(&self) -> ConcealedSecret {
        ConcealedSecret { value: self.value.clone(), origin: self.origin() }
    }

    /// Of a file that came with the notes only the type is shown: a stranger may have written it, or something secret.
    pub(crate) fn wrong(&self, allowed: impl Display) -> Error {
        match self.document.role {
            FileRole::OpenClaw | FileRole::Mindfile => self.refused(shown(self.value), allowed),
            FileRole::Workspace => self.wrong_type(allowed),
        }
    }

    /// Shows only the type of the value, which may be long, or a secret.
    pub(crate) fn wrong_type(&self, allowed: impl Display) -> Error {
        self.refused(type_name(self.value).to_owned(), allowed)
    }

    pub(crate) fn refused(&self, value: String, allowed: impl Display) -> Error {
        let key = if self.at.is_empty() { "the whole file".to_owned() } else { self.at.clone() };
        Error::BadValue { origin: self.origin(), key, value, allowed: allowed.to_string() }
    }
}

/// The path of a key below another.
pub(crate) fn join(at: &str, key: &str) -> String {
    if at.is_empty() { shown_key(key) } else { format!("{at}.{}", shown_key(key)) }
}

/// Reads a file, if there is one.
pub(crate) fn read(file: &Path, role: FileRole) -> Result<Option<Document>, Error> {
    let text = match role {
        FileRole::OpenClaw | FileRole::Mindfile => text(file)?,
        FileRole::Workspace => own_text(file)?,
    };
    text.map(|text| parse(file, role, &text)).transpose()
}

/// The text of a file that is no link, if there is one.
fn own_text(file: &Path) -> Result<Option<String>, Error> {
    let cannot = |source| Error::Read { file: file.to_owned(), source };
    match plain::open(file).map_err(cannot)? {
        Plain::File(opened) => bounded(file, opened).map(Some),
        Plain::Absent => Ok(None),
        Plain::Link => Err(Error::Link { file: file.to_owned() }),
        Plain::Special => Err(Error::NotAFile { file: file.to_owned() }),
    }
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
    bounded(file, File::open(file).map_err(cannot)?).map(Some)
}

fn bounded(file: &Path, opened: File) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let read = opened.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|source| Error::Read { file: file.to_owned(), source })?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Error::TooLarge { file: file.to_owned(), limit: MAX_BYTES });
    }
    String::from_utf8(bytes)
        .map_err(|error| Error::NotText { file: file.to_owned(), offset: error.utf8_error().valid_up_to() })
}

/// Parses the text of a file. A blank file is allowed and sets nothing.
pub(crate) fn parse(file: &Path, role: FileRole, text: &str) -> Result<Document, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut document = Document::absent(file, role);
    if text.trim().is_empty() {
        return Ok(document);
    }
    let tree: Tree = json5::from_str(text).map_err(|error| {
        // The parser gives no position for a text that ends too early.
        let at = error.position().unwrap_or_else(|| json5::Position::from_offset(text.len(), text));
        let file = file.to_owned();
        let line = at.line + 1;
        let column = at.column + 1;
        match error.code() {
            Some(code) => Error::Syntax { file, line, column, reason: code.to_string() },
            None => Error::TooDeep { file, line, column, limit: MAX_DEPTH },
        }
    })?;
    document.root = tree.value;
    document.repeated = tree.repeated;
    document.root().check_object()?;
    Ok(document)
}

/// One JSON5 value that stands alone, such as an argument of the command line.
pub(crate) fn parse_value(text: &str) -> Option<Value> {
    let tree: Tree = json5::from_str(text).ok()?;
    tree.repeated.is_empty().then_some(tree.value)
}

/// A value, and the paths of its keys that stand twice.
struct Tree {
    value: Value,
    repeated: Vec<String>,
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut repeated = Vec::new();
        let root = Branch { at: String::new(), depth: 0, repeated: &mut repeated };
        let value = root.deserialize(deserializer)?;
        Ok(Self { value, repeated })
    }
}

/// Reads the value at a path.
struct Branch<'a> {
    at: String,
    depth: usize,
    repeated: &'a mut Vec<String>,
}

impl Branch<'_> {
    /// The parser recurses for every bracket: what is deeper is refused before it is read.
    fn check_depth<E: de::Error>(&self) -> Result<(), E> {
        if self.depth < MAX_DEPTH { Ok(()) } else { Err(E::custom("too deep")) }
    }

    fn below(&mut self, at: String) -> Branch<'_> {
        Branch { at, depth: self.depth + 1, repeated: self.repeated }
    }
}

impl<'de> DeserializeSeed<'de> for Branch<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Branch<'_> {
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

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Value, A::Error> {
        self.check_depth()?;
        let mut items: Vec<Value> = Vec::new();
        loop {
            let at = format!("{}[{}]", self.at, items.len());
            match list.next_element_seed(self.below(at))? {
                Some(item) => items.push(item),
                None => return Ok(Value::Array(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut object: A) -> Result<Value, A::Error> {
        self.check_depth()?;
        let mut map = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            let at = join(&self.at, &key);
            let value = object.next_value_seed(self.below(at.clone()))?;
            if map.insert(key, value).is_some() {
                self.repeated.push(at);
            }
        }
        Ok(Value::Object(map))
    }
}
