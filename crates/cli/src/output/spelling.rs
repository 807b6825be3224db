//! Fields, operations and settings as they are typed.

use mindfile::fault::Spelling;

use super::shell;

/// Fields that are operands, and need no name.
const OPERANDS: [&str; 7] = ["query", "text", "name", "dir", "path", "holds", "other"];

/// What a shell reads otherwise, even between double quotes.
const SPECIAL: [char; 5] = ['"', '\'', '$', '`', '\\'];

pub(crate) struct Terminal;

impl Spelling for Terminal {
    fn field(&self, field: &str) -> String {
        format!("--{}", field.replace('_', "-"))
    }

    fn run(&self, operation: &str, fields: &[(&str, String)]) -> String {
        let mut line = format!("mindfile {operation}");
        for (field, value) in fields {
            if !OPERANDS.contains(field) {
                line = format!("{line} {}", self.field(field));
            }
            if value.contains(' ') && !value.contains(SPECIAL) {
                line = format!("{line} \"{value}\"");
            } else if !value.is_empty() {
                line = format!("{line} {}", shell::word(value));
            }
        }
        line
    }

    fn set(&self, key: &str, value: &str) -> String {
        let value = if value.contains(SPECIAL) { shell::word(value) } else { value.into() };
        format!("mindfile config set {key} {value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_can_be_typed_as_it_is_spelled() {
        let fields =
            [("query", "rate limits".to_owned()), ("max_results", "5".to_owned()), ("json", String::new())];
        assert_eq!(Terminal.run("search", &fields), "mindfile search \"rate limits\" --max-results 5 --json");
    }
}
