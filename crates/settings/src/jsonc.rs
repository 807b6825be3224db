//! Edits JSON files of other people: comments, order, indentation and line endings stay.

use std::fmt;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstContainerNode, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::Value;

/// A text that is an object. Places in it are the names on the way to them.
pub struct EditableJson {
    /// The byte-order mark, if there is one.
    mark: &'static str,
    root: CstRootNode,
    object: CstObject,
}

impl EditableJson {
    pub fn parse(text: &str) -> Result<Self, String> {
        let body = text.strip_prefix('\u{feff}');
        let mark = if body.is_some() { "\u{feff}" } else { "" };
        let root = CstRootNode::parse(body.unwrap_or(text), &ParseOptions::default());
        let root = root.map_err(|error| error.to_string())?;
        let object = root.object_value_or_create().ok_or("it is not an object")?;
        Ok(Self { mark, root, object })
    }

    pub fn value(&self) -> Value {
        self.root.to_serde_value().unwrap_or_default()
    }

    pub fn get(&self, at: &[&str]) -> Option<Value> {
        let (name, parents) = at.split_last()?;
        self.object_at(parents)?.get(name)?.to_serde_value()
    }

    /// Sets a value, making the objects on the way; none if something else than an object is in the way.
    pub fn put(&self, at: &[&str], value: &Value) -> Option<()> {
        let (name, parents) = at.split_last()?;
        let object = self.object_or_new(parents)?;
        match object.get(name) {
            Some(there) if there.to_serde_value().as_ref() == Some(value) => {}
            Some(there) => there.set_value(input(value)),
            None => drop(object.append(name, input(value))),
        }
        Some(())
    }

    /// Adds an element to a list, which is made if it is missing. An object gets lines of its own.
    pub fn push(&self, at: &[&str], value: &Value) -> Option<()> {
        let (name, parents) = at.split_last()?;
        let list = self.object_or_new(parents)?.array_value_or_create(name)?;
        list.append(input(value));
        if value.is_object() {
            list.ensure_multiline();
        }
        Some(())
    }

    /// Removes what stands there, and what is empty without it.
    pub fn remove(&self, at: &[&str]) {
        let Some((name, parents)) = at.split_last() else { return };
        if let Some(entry) = self.object_at(parents).and_then(|object| object.get(name)) {
            entry.remove();
            self.prune(parents);
        }
    }

    /// Removes elements of a list. Whether there were any.
    pub fn remove_elements(&self, at: &[&str], is_gone: &dyn Fn(&Value) -> bool) -> bool {
        let elements = self.list_at(at).map_or_else(Vec::new, |list| list.elements());
        let gone = |node: &CstNode| node.to_serde_value().as_ref().is_some_and(is_gone);
        elements.into_iter().filter(gone).map(CstNode::remove).count() > 0
    }

    /// Removes each value that is no object and of whose names `is_gone` says so. Their places, with dots.
    pub fn remove_values(&self, is_gone: &dyn Fn(&[String]) -> bool) -> Vec<String> {
        let mut removed = Vec::new();
        remove_values(&self.object, &mut Vec::new(), is_gone, &mut removed);
        removed
    }

    /// Removes the lists and objects on the way to `at` that are empty now and hold no comment, the innermost first.
    pub fn prune(&self, at: &[&str]) {
        for depth in (1..=at.len()).rev() {
            let Some(found) = self.object_at(&at[..depth - 1]).and_then(|object| object.get(at[depth - 1]))
            else {
                return;
            };
            let empty = match found.value() {
                Some(CstNode::Container(CstContainerNode::Object(object))) => {
                    object.children_exclude_trivia_and_tokens().is_empty()
                }
                Some(CstNode::Container(CstContainerNode::Array(list))) => list.elements().is_empty(),
                Some(CstNode::Container(_) | CstNode::Leaf(_)) | None => false,
            };
            if !empty || has_comment(&found.to_string()) {
                return;
            }
            found.remove();
        }
    }

    fn object_at(&self, at: &[&str]) -> Option<CstObject> {
        at.iter().try_fold(self.object.clone(), |object, name| object.object_value(name))
    }

    fn object_or_new(&self, at: &[&str]) -> Option<CstObject> {
        at.iter().try_fold(self.object.clone(), |object, name| object.object_value_or_create(name))
    }

    fn list_at(&self, at: &[&str]) -> Option<CstArray> {
        let (name, parents) = at.split_last()?;
        self.object_at(parents)?.array_value(name)
    }
}

impl fmt::Display for EditableJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.mark, self.root)
    }
}

pub fn has_comment(text: &str) -> bool {
    text.contains("//") || text.contains("/*")
}

fn remove_values(
    object: &CstObject,
    at: &mut Vec<String>,
    is_gone: &dyn Fn(&[String]) -> bool,
    removed: &mut Vec<String>,
) {
    for property in object.properties() {
        let Some(name) = property.decoded_name() else { continue };
        at.push(name);
        match property.object_value() {
            Some(inner) => remove_values(&inner, at, is_gone, removed),
            None if is_gone(at) => {
                removed.push(at.join("."));
                property.remove();
            }
            None => {}
        }
        at.pop();
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(object) => {
            CstInputValue::Object(object.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}
