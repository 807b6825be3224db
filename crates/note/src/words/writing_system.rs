//! The unusual writing system of a question: notes written otherwise say little about it.

use super::script::{self, Script};
use super::tongue::Tongues;

/// The script or the language of a question.
#[derive(Debug)]
pub struct WritingSystem(Writing);

#[derive(Debug)]
enum Writing {
    Script(Script),
    Tongues(Tongues),
}

impl WritingSystem {
    /// `None` for a question in Latin letters that shows no language but English.
    pub fn of(question: &str) -> Option<Self> {
        let script = question.chars().filter(|c| c.is_alphabetic()).map(script::of);
        match script.into_iter().find(|script| *script != Script::Latin) {
            Some(script) => Some(Self(Writing::Script(script))),
            None => Tongues::of(question).map(|tongues| Self(Writing::Tongues(tongues))),
        }
    }

    /// Whether the script shows it.
    pub fn is_script(&self) -> bool {
        matches!(self.0, Writing::Script(_))
    }

    /// Whether a text is, at least in part, written in that way.
    pub fn is_way_of(&self, text: &str) -> bool {
        match &self.0 {
            Writing::Script(script) => text.chars().any(|c| script::of(c) == *script && c.is_alphabetic()),
            Writing::Tongues(tongues) => tongues.are_of(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, text: &str, expected: Option<bool>) {
        let written = WritingSystem::of(question);
        assert_eq!(written.map(|written| written.is_way_of(text)), expected, "{question:?}, {text:?}");
    }

    #[test]
    fn a_text_may_be_written_as_a_question_is() {
        check("когда поезд", "The train, поезд, leaves at nine", Some(true));
        check("когда поезд", "The train leaves at nine", Some(false));
        check("Hur många bullar säljer han?", "Vi bakar bullar till den 4 oktober, och kaffe", Some(true));
        check("Hur många bullar säljer han?", "We bake buns in October, for the whole town", Some(false));
        check("Wat is de naam van het schip?", "Ich schicke die Marmelade in der Dose", Some(false));
        check("What did we bake?", "buns", None);
    }
}
