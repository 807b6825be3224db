//! A conversation in the form that a chat model is given.

use mindfile_model::chat::{Call, Turn as Given};

use super::flatten;
use super::window::{Turn, Window};
use super::{Role, ToolCall, tool_calls};

/// The summary, then the turns.
pub fn turns(window: &Window) -> Vec<Given> {
    let summary = window.summary.as_ref().map(|summary| {
        Given::User(format!(
            "[What was said before, in short]\n{}\n[The conversation goes on below]",
            summary.text
        ))
    });
    paired(summary.into_iter().chain(window.turns.iter().filter_map(given)))
}

/// Services refuse a call without its result, and a result without its call. A process that was killed between the two
/// leaves the first, a cut in a transcript of others the second.
fn paired(turns: impl Iterator<Item = Given>) -> Vec<Given> {
    let mut whole: Vec<Given> = Vec::new();
    let mut open: Vec<Call> = Vec::new();
    for turn in turns {
        match turn {
            Given::Tool { call, name, text, failed } => {
                match open.iter().position(|known| known.id == call) {
                    Some(at) => {
                        open.remove(at);
                        whole.push(Given::Tool { call, name, text, failed });
                    }
                    None => whole.push(Given::User(format!("[{name} answered]\n{text}"))),
                }
            }
            Given::Assistant { text, calls } => {
                whole.extend(open.drain(..).map(unanswered));
                open.clone_from(&calls);
                whole.push(Given::Assistant { text, calls });
            }
            Given::User(text) => {
                whole.extend(open.drain(..).map(unanswered));
                whole.push(Given::User(text));
            }
        }
    }
    whole.extend(open.drain(..).map(unanswered));
    whole
}

fn unanswered(call: Call) -> Given {
    let text = "[no result: it was interrupted]".to_owned();
    Given::Tool { call: call.id, name: call.name, text, failed: true }
}

fn given(turn: &Turn) -> Option<Given> {
    let message = &turn.message;
    let text = message.text();
    match message.role {
        Role::User | Role::System => Some(Given::User(flatten::spoken(&text))),
        Role::Assistant => {
            let calls: Vec<Call> = tool_calls(&message.blocks).map(call).collect();
            (!text.is_empty() || !calls.is_empty()).then_some(Given::Assistant { text, calls })
        }
        Role::Tool => match &message.call_id {
            Some(id) => Some(Given::Tool {
                call: id.clone(),
                name: message.tool.clone().unwrap_or_default(),
                text,
                failed: message.failed,
            }),
            None => Some(Given::User(text)),
        },
    }
}

fn call(call: &ToolCall) -> Call {
    Call { id: call.id.clone(), name: call.name.clone(), arguments: call.arguments.clone() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(call: &str) -> Given {
        Given::Tool { call: call.to_owned(), name: "t".to_owned(), text: "r".to_owned(), failed: false }
    }

    fn asks(ids: &[&str]) -> Given {
        let call = |id: &&str| Call { id: (*id).to_owned(), name: "t".to_owned(), arguments: json!({}) };
        Given::Assistant { text: String::new(), calls: ids.iter().map(call).collect() }
    }

    fn shape(turns: Vec<Given>) -> String {
        let one = |turn: Given| match turn {
            Given::User(_) => "u".to_owned(),
            Given::Assistant { calls, .. } => format!("a{}", calls.len()),
            Given::Tool { call, failed, .. } => format!("{}{call}", if failed { "!" } else { "" }),
        };
        paired(turns.into_iter()).into_iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_call_has_its_result_and_every_result_its_call() {
        let user = || Given::User("x".to_owned());
        assert_eq!(shape(vec![user(), asks(&["1", "2"]), tool("1"), tool("2"), asks(&[])]), "u a2 1 2 a0");
        assert_eq!(shape(vec![asks(&["1", "2"]), tool("2"), user()]), "a2 2 !1 u");
        assert_eq!(shape(vec![asks(&["1"])]), "a1 !1");
        assert_eq!(shape(vec![tool("9"), user()]), "u u");
        assert_eq!(shape(vec![asks(&["1"]), asks(&["1"]), tool("1")]), "a1 !1 a1 1");
    }
}
