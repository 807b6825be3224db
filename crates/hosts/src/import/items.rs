//! Streams the elements of a list in a JSON file: an export may be larger than the machine's memory.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// Calls `take` for each element of the list that the file is, or that stands under one of `names` in its object. An
/// error says where the file could not be read any further; what came before was taken.
pub(super) fn each(path: &Path, names: &[&str], take: &mut dyn FnMut(Value)) -> Result<(), String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let reader: Box<dyn Read> = Box::new(BufReader::with_capacity(1 << 20, file));
    let mut deserializer = serde_json::Deserializer::from_reader(reader);
    deserializer.deserialize_any(ElementVisitor { names, take }).map_err(|error| error.to_string())
}

struct ElementVisitor<'a> {
    names: &'a [&'a str],
    take: &'a mut dyn FnMut(Value),
}

impl<'de> Visitor<'de> for ElementVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list, or an object that holds one")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element::<Value>()? {
            (self.take)(element);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(name) = object.next_key::<String>()? {
            if self.names.contains(&name.as_str()) {
                let value = object.next_value::<Value>()?;
                value.as_array().into_iter().flatten().for_each(|element| (self.take)(element.clone()));
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}
