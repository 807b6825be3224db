//! Whether two statements disagree: the same subject, the same rest of the line, one part that differs.
//!
//! That alone is no disagreement: who speaks French may speak German. What makes it one for certain is grammar. A quantity
//! after "is" is one at a time; "the" says that there is one such thing, so that its name is one as well; a thing is in one
//! place; and a statement and its negation are never both true. Whatever else differs in one part is doubtful, and left to
//! somebody who knows.

mod grammar;
mod statement;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use statement::Statement;

use grammar::Function;
use statement::{Element, Form, MOST};

/// A part that differs has at most so many words.
const LONGEST: usize = 4;

/// How two statements that cannot both hold differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// They may both hold.
    Doubtful,
    /// One holds at a time.
    Certain,
}

/// How two statements disagree, if they do.
pub fn difference(one: &Statement, other: &Statement) -> Option<Difference> {
    let language = Statement::language(one, other);
    let (one, other) = (one.read(language), other.read(language));
    if one.tokens.len().max(other.tokens.len()) > MOST {
        return None;
    }
    // "also" adds, and what both are not says nothing of what they are.
    if one.adds != other.adds || (one.is_negated && other.is_negated) {
        return None;
    }
    if one.is_negated != other.is_negated {
        return negated(&one.tokens, &other.tokens);
    }
    let parts = Parts::of(&one.tokens, &other.tokens)?;
    if parts.is_certain() && !(one.is_verb_last && parts.may_end_in_a_verb()) {
        Some(Difference::Certain)
    } else {
        parts.is_doubtful().then_some(Difference::Doubtful)
    }
}

/// A statement and its negation. What was, what is so on a condition, and what some are may be told both ways.
fn negated(one: &[Element<'_>], other: &[Element<'_>]) -> Option<Difference> {
    let said = |tokens: &[Element<'_>]| -> Vec<String> {
        tokens.iter().filter(|token| token.role != Function::Indefinite).map(Element::stem).collect()
    };
    let (words, others) = (said(one), said(other));
    if words.is_empty() || words != others {
        return None;
    }
    let is_open = |token: &Element<'_>| {
        matches!(token.role, Function::Past | Function::Has | Function::If | Function::Some)
    };
    let begins_with_any = one.first().is_some_and(|token| token.role == Function::Indefinite);
    let is_open = begins_with_any || one.iter().chain(other).any(is_open);
    Some(if is_open { Difference::Doubtful } else { Difference::Certain })
}

/// Two statements with one part that differs.
struct Parts<'a> {
    /// What both begin with.
    before: &'a [Element<'a>],
    one: &'a [Element<'a>],
    other: &'a [Element<'a>],
    /// What both end with.
    after: &'a [Element<'a>],
}

impl<'a> Parts<'a> {
    fn of(one: &'a [Element<'a>], other: &'a [Element<'a>]) -> Option<Self> {
        let common = |(a, b): &(&Element<'_>, &Element<'_>)| a.is(b);
        let before = one.iter().zip(other).take_while(common).count();
        let most = one.len().min(other.len()) - before;
        let after = one.iter().rev().zip(other.iter().rev()).take(most).take_while(common).count();
        let middle = |tokens: &'a [Element<'a>]| &tokens[before..tokens.len() - after];
        let parts = Self {
            before: &one[..before],
            one: middle(one),
            other: middle(other),
            after: &one[one.len() - after..],
        };
        let is_part = |part: &[Element<'_>]| (1..=LONGEST).contains(&part.len());
        let has_subject = parts.before.iter().any(Element::is_content);
        (is_part(parts.one) && is_part(parts.other) && has_subject).then_some(parts)
    }

    fn is_certain(&self) -> bool {
        let all = || self.before.iter().chain(self.after);
        let is_open = |token: &Element<'_>| {
            matches!(token.role, Function::Past | Function::If | Function::Some | Function::Or)
        };
        if all().any(is_open) || self.after.iter().any(|token| token.role.is_joint()) {
            return false;
        }
        let Some(joint) = self.joint() else { return false };
        let subject = &self.before[..joint];
        if !is_definite(subject) {
            return false;
        }
        let between = &self.before[joint + 1..];
        let role = self.before[joint].role;
        if self.is_quantity() {
            let is_measured = self.after.first().is_some_and(Element::is_content);
            return role == Function::Is || (between.is_empty() && is_measured);
        }
        role == Function::Is && self.after.is_empty() && self.are_names() && is_one_name(subject, between)
    }

    /// Where verbs may stand last, a word after the noun that is counted may tell what was done with it.
    fn may_end_in_a_verb(&self) -> bool {
        let is_verb = |last: &Element<'_>| last.is_content() && last.form == Form::Word;
        content(self.after) > 1 && self.after.last().is_some_and(is_verb)
    }

    /// Where the value is joined to what it is the value of: the last "is", "has" or colon before it, with nothing but words
    /// of grammar between.
    fn joint(&self) -> Option<usize> {
        let joint = self.before.iter().rposition(|token| token.role.is_joint())?;
        self.before[joint + 1..].iter().all(|token| !token.is_content()).then_some(joint)
    }

    fn is_doubtful(&self) -> bool {
        let last = &self.before[self.before.len() - 1];
        let is_joined = !last.is_content();
        if self.is_quantity() {
            let is_measured = self.after.first().is_some_and(Element::is_content);
            return is_joined || (is_measured && content(self.before) > 1);
        }
        // How somebody or something is: one word after "is".
        let is_state =
            last.role.is_joint() && self.after.is_empty() && self.one.len() + self.other.len() == 2;
        is_joined && (self.are_names() || is_state)
    }

    /// Numbers of the same sort, with units or months that may differ, too.
    fn is_quantity(&self) -> bool {
        let has_number = self.one.iter().any(|token| token.form == Form::Number);
        let same = |(a, b): (&Element<'_>, &Element<'_>)| a.form == b.form && a.unit() == b.unit();
        has_number && self.one.len() == self.other.len() && self.one.iter().zip(self.other).all(same)
    }

    fn are_names(&self) -> bool {
        self.one.iter().chain(self.other).all(|token| token.form == Form::Name)
    }
}

/// Whether a name after it is that of the one that there is, or the place of something. Who is "in" something may be a
/// member of it.
fn is_one_name(subject: &[Element<'_>], between: &[Element<'_>]) -> bool {
    subject[0].follows_the && (between.is_empty() || (between.len() == 1 && between[0].is_in))
}

fn content(tokens: &[Element<'_>]) -> usize {
    tokens.iter().filter(|token| token.is_content()).count()
}

/// Whether something certain is spoken of: "the limit", "our limit", "Peter", and not "a limit", "it", "in summer".
fn is_definite(subject: &[Element<'_>]) -> bool {
    let begins = subject
        .first()
        .is_some_and(|first| first.role == Function::Mine || first.follows_the || first.is_content());
    begins && content(subject) > 0
}

/// Where the words of a part stand among those that are compared: for the frames of a statement.
fn parts(words: usize) -> impl Iterator<Item = Range<usize>> {
    (1..words).flat_map(move |start| (start + 1..=words.min(start + LONGEST)).map(move |end| start..end))
}
