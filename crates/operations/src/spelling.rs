//! Fields, operations and settings as a program reads them.

use mindfile::fault::Spelling;
use serde_json::Value;

pub struct Program;

impl Spelling for Program {
    fn field(&self, field: &str) -> String {
        let mut words = field.split('_');
        let mut name = words.next().unwrap_or_default().to_owned();
        for word in words {
            let (first, rest) = word.split_at(word.len().min(1));
            name.push_str(&first.to_uppercase());
            name.push_str(rest);
        }
        name
    }

    /// `forget {"allow":"TEXT"}`; a field without a value is a switch.
    fn run(&self, operation: &str, fields: &[(&str, String)]) -> String {
        let value =
            |value: &String| if value.is_empty() { Value::Bool(true) } else { Value::from(value.as_str()) };
        let fields: Vec<String> = fields
            .iter()
            .map(|(field, given)| format!("\"{}\":{}", self.field(field), value(given)))
            .collect();
        if fields.is_empty() { operation.to_owned() } else { format!("{operation} {{{}}}", fields.join(",")) }
    }

    fn set(&self, key: &str, value: &str) -> String {
        format!("set {key} to {value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_operations_are_those_of_json() {
        assert_eq!(Program.field("max_results"), "maxResults");
        assert_eq!(Program.run("session list", &[]), "session list");
        let fields = [("merge_into", "sarah".to_owned()), ("force", String::new())];
        assert_eq!(Program.run("entities", &fields), "entities {\"mergeInto\":\"sarah\",\"force\":true}");
    }
}
