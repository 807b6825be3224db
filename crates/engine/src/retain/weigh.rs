//! How much a new fact matters: what the caller says, else what a chat model says, else an estimate.

use mindfile_model::chat::ChatModel;

use super::Request;
use crate::chat;
use crate::salience::{self, Asking, Reply};

/// Asks a chat model one question. What went wrong is said in its own words.
pub type AskModel<'a> = dyn FnMut(&str) -> Result<String, String> + 'a;

/// `shown` is what a model may see of the text. The salience, and why it is only an estimate where a model was there to be asked.
pub(super) fn salience(
    request: &Request,
    shown: &str,
    ask: Option<&mut AskModel<'_>>,
) -> (f32, Option<String>) {
    if let Some(said) = request.salience {
        return (said, None);
    }
    let estimate = || salience::estimate(request.kind(), &request.text);
    match ask {
        None => (estimate(), None),
        Some(ask) => match asked(shown, ask) {
            Ok(said) => (said, None),
            Err(why) => (estimate(), Some(format!("salience is an estimate: {why}"))),
        },
    }
}

/// How a chat model is asked: one number is all that is wanted of it.
pub(super) fn by(model: &dyn ChatModel) -> impl FnMut(&str) -> Result<String, String> {
    const SYSTEM: &str = "You rate memories. Your whole reply is one number from 0.0 to 1.0.";
    /// Room for a model that thinks aloud, whose reply is then refused.
    const LONGEST: u64 = 64;
    move |question| chat::ask(model, SYSTEM, question.to_owned(), LONGEST).map_err(|error| error.to_string())
}

fn asked(text: &str, ask: &mut AskModel<'_>) -> Result<f32, String> {
    let mut asking = Asking::default();
    loop {
        match asking.reply(&ask(&Asking::prompt(text))?) {
            Reply::Salience(said) => return Ok(said),
            Reply::Again => {}
            Reply::Estimate => return Err("the model gave no number from 0 to 1, twice".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(replies: &[Result<&str, &str>], expected: Option<f32>) {
        let mut replies = replies.iter();
        let mut ask = |_: &str| match replies.next() {
            Some(Ok(reply)) => Ok((*reply).to_owned()),
            Some(Err(why)) => Err((*why).to_owned()),
            None => panic!("asked too often"),
        };
        let (said, why) = salience(&Request::new("Sarah is leaving"), "Sarah is leaving", Some(&mut ask));
        assert_eq!(why.is_none().then_some(said), expected);
    }

    #[test]
    fn a_model_is_asked_twice_at_most_and_only_a_number_counts() {
        check(&[Ok("0.85")], Some(0.85));
        check(&[Ok("very important"), Ok("0.7")], Some(0.7));
        check(&[Ok("1.5"), Ok("I think 0.9")], None);
        check(&[Err("it is down")], None);
    }

    #[test]
    fn who_says_a_number_is_not_asked() {
        let mut ask = |_: &str| -> Result<String, String> { panic!("asked") };
        let request = Request { salience: Some(0.3), ..Request::new("x") };
        assert_eq!(salience(&request, "x", Some(&mut ask)), (0.3, None));
    }
}
