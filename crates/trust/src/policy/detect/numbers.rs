//! Finds the numbers of cards, accounts, people and telephones. A number whose check digit proves little counts only
//! beside a word that names it: one in eleven nine-digit numbers would pass.

use std::ops::Range;
use std::sync::LazyLock;

use super::alphabet::joins;
use super::table::{NumberForm, Parting};
use super::{DETECTORS, Pace, Sink, checks};

/// How much text around a number is asked for a word that names it.
const BEFORE: usize = 48;
const AFTER: usize = 24;
/// The longest number that is read, in digits and in groups.
const MOST_DIGITS: usize = 19;
/// The fewest digits of anything that is looked for: a telephone's after `+`, a Spanish id before its letter.
const LEAST_DIGITS: usize = 8;
const MOST_GROUPS: usize = 9;

const ORDERS: &[&str] =
    &["order", "tracking", "invoice", "ticket", "serial", "isbn", "timestamp", "bestell", "#"];
const PHONES: &[&str] = &[
    "phone", "tel", "mobil", "cell", "call", "fax", "whatsapp", "signal", "sms", "handy", "móvil", "ring",
    "numéro", "number is", "电话", "手机", "電話", "телефон", "전화",
];

/// Digits one after the other, in groups that one separator each parts.
struct Digits<'a> {
    groups: &'a [Range<usize>],
    digits: Vec<u8>,
    /// The separators between the groups.
    between: Vec<u8>,
}

pub(super) fn find(sink: &mut Sink<'_>, pace: Pace) {
    let text = sink.text;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(far) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let digit = at + far;
        let start = alnum_start(bytes, digit, at);
        let end = alnum_end(bytes, digit);
        at = if start == digit && bytes[start..end].iter().all(u8::is_ascii_digit) {
            digits(sink, start..end, pace)
        } else {
            mixed(sink, start..end, pace)
        };
    }
}

fn alnum_start(bytes: &[u8], from: usize, least: usize) -> usize {
    let back = bytes[least..from].iter().rev().take(64).take_while(|byte| byte.is_ascii_alphanumeric());
    from - back.count()
}

fn alnum_end(bytes: &[u8], from: usize) -> usize {
    from + bytes[from..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()
}

/// Whether a word of letters and digits can be the beginning of an account number, or an id of some country.
fn may_be_id(word: &[u8]) -> bool {
    let account = matches!(word, [a, b, c, d, ..]
        if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && c.is_ascii_digit() && d.is_ascii_digit());
    account || matches!(word.len(), 9 | 15 | 16)
}

/// A word of letters and digits. Returns where to go on.
fn mixed(sink: &mut Sink<'_>, Range { start, end }: Range<usize>, pace: Pace) -> usize {
    let bytes = sink.text.as_bytes();
    if pace == Pace::Fast && !may_be_id(&bytes[start..end]) {
        return end;
    }
    let joined = start > 0 && joins(bytes[start - 1]);
    if joined || bytes.get(end).is_some_and(|byte| joins(*byte)) {
        return end;
    }
    let word = bytes[start..end].to_ascii_uppercase();
    if let Some(end) = account(sink, start, end) {
        sink.put_named("iban", start..end);
        return end;
    }
    match word.len() {
        9 if checks::dni(&word) => {
            let named = word[0].is_ascii_alphabetic() || is_near(sink.text, &(start..end), ID_WORDS_ES);
            if named {
                sink.put_named("es-dni", start..end);
            }
        }
        16 if checks::codice_fiscale(&word) => sink.put_named("it-codice-fiscale", start..end),
        15 if checks::insee(&word) => sink.put_named("fr-insee", start..end),
        _ => {}
    }
    end
}

const ID_WORDS_ES: &[&str] = &["dni", "nif", "nie", "identidad", "documento"];

/// Where an account number that begins at `start` ends: one word, or groups of four with spaces between.
fn account(sink: &Sink<'_>, start: usize, end: usize) -> Option<usize> {
    let bytes = sink.text.as_bytes();
    let length = checks::iban_length(&bytes[start..end].to_ascii_uppercase())?;
    if !bytes.get(start + 2..start + 4)?.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut plain = Vec::with_capacity(length);
    let mut at = start;
    while plain.len() < length {
        match bytes.get(at)? {
            byte if byte.is_ascii_alphanumeric() => plain.push(byte.to_ascii_uppercase()),
            b' ' | b'-' if plain.len() % 4 == 0 && bytes[at - 1].is_ascii_alphanumeric() => {}
            _ => return None,
        }
        at += 1;
    }
    let alone = !bytes.get(at).is_some_and(|byte| joins(*byte));
    (alone && checks::iban(&plain)).then_some(at)
}

/// Groups of digits. Returns where to go on.
fn digits(sink: &mut Sink<'_>, Range { start, end }: Range<usize>, pace: Pace) -> usize {
    let text = sink.text;
    let most = following(text.as_bytes(), start, MOST_DIGITS + MOST_GROUPS);
    if pace == Pace::Fast && most < LEAST_DIGITS {
        return end;
    }
    let groups = groups(text.as_bytes(), start, end);
    if let Some(span) = telephone(text, &groups) {
        sink.put_named("phone", span.clone());
        return span.end;
    }
    for count in (1..=groups.len()).rev() {
        let some = Digits::of(text.as_bytes(), &groups[..count]);
        if some.digits.len() > MOST_DIGITS {
            continue;
        }
        let span = some.span();
        if let Some((name, span)) = named(text, &some, span) {
            sink.put_named(name, span.clone());
            return span.end;
        }
    }
    end
}

/// How many digits stand there before anything that cannot be inside a number, no further than `far` bytes.
fn following(bytes: &[u8], start: usize, far: usize) -> usize {
    let rest = bytes[start..].iter().take(far);
    let inside = rest.take_while(|byte| byte.is_ascii_digit() || b" -./)(".contains(byte));
    inside.filter(|byte| byte.is_ascii_digit()).count()
}

/// The group at `start` and those after it that single separators part.
fn groups(bytes: &[u8], start: usize, end: usize) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = std::iter::once(start..end).collect();
    let mut total = end - start;
    while let Some(last) = groups.last().map(|group| group.end) {
        let separated = bytes.get(last).is_some_and(|byte| b" -./)".contains(byte));
        let next = match bytes.get(last..) {
            // `(0)20`, `) 555`: telephones alone are written so.
            Some([b')', b' ' | b'-', ..] | [b' ', b'(', ..]) => last + 2,
            _ => last + 1,
        };
        let end = bytes.get(next..).map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count());
        total += end;
        if !separated || end == 0 || total > MOST_DIGITS + 2 || groups.len() == MOST_GROUPS {
            break;
        }
        groups.push(next..next + end);
    }
    groups
}

impl<'a> Digits<'a> {
    fn of(bytes: &[u8], groups: &'a [Range<usize>]) -> Self {
        let digits = groups.iter().flat_map(|group| &bytes[group.clone()]).copied().collect();
        let between = groups.windows(2).map(|pair| bytes[pair[0].end]).collect();
        Self { groups, digits, between }
    }

    fn span(&self) -> Range<usize> {
        let start = self.groups.first().map_or(0, |group| group.start);
        start..self.groups.last().map_or(start, |group| group.end)
    }

    fn shape(&self) -> Vec<usize> {
        self.groups.iter().map(Range::len).collect()
    }

    /// All separators are this one.
    fn parted_by(&self, allowed: &[u8]) -> bool {
        self.between.first().is_none_or(|first| {
            allowed.contains(first) && self.between.iter().all(|separator| separator == first)
        })
    }
}

/// What a number is, if it is one that is looked for.
fn named(text: &str, some: &Digits<'_>, span: Range<usize>) -> Option<(&'static str, Range<usize>)> {
    let bytes = text.as_bytes();
    let before = span.start.checked_sub(1).map(|at| bytes[at]);
    let after = bytes.get(span.end).copied();
    if before.is_some_and(joins) || is_national_tail(bytes, &span).is_none() && after.is_some_and(joins) {
        return None;
    }
    if is_card(text, some, &span, before) {
        return Some(("payment-card", span));
    }
    if let Some(end) = is_national_tail(bytes, &span).filter(|_| is_near(text, &span, ID_WORDS_ES)) {
        return Some(("es-dni", span.start..end));
    }
    let near = |words: &[&str]| is_near(text, &span, words);
    let (name, _) = NUMBERS.iter().find(|(_, form)| form.fits(some, &near))?;
    Some((name, span))
}

/// The rows of numbers, by the names of their detectors.
static NUMBERS: LazyLock<Vec<(&str, &NumberForm)>> =
    LazyLock::new(|| DETECTORS.iter().filter_map(|row| Some((row.name, row.number.as_ref()?))).collect());

impl NumberForm {
    fn fits(&self, some: &Digits<'_>, near: &dyn Fn(&[&str]) -> bool) -> bool {
        let parted = match self.parting {
            Parting::Whole => some.groups.len() == 1,
            Parting::Spaced => some.parted_by(b" -."),
            Parting::Groups(shape) => some.groups.len() == 1 || some.shape() == shape,
            Parting::Telling(_) => true,
        };
        let telling = matches!(self.parting, Parting::Telling(between) if some.between == between);
        some.digits.len() == self.length
            && parted
            && (self.check)(&some.digits)
            && (telling || self.beside.is_empty() || near(self.beside))
    }
}

/// Where the letter of a Spanish id ends, if one follows eight digits.
fn is_national_tail(bytes: &[u8], span: &Range<usize>) -> Option<usize> {
    let letter = match bytes.get(span.end..)? {
        [b'-' | b' ', letter, ..] if letter.is_ascii_alphabetic() => span.end + 1,
        _ => return None,
    };
    let mut id = bytes[span.clone()].to_vec();
    id.push(bytes[letter].to_ascii_uppercase());
    let alone = !bytes.get(letter + 1).is_some_and(|byte| joins(*byte));
    (alone && checks::dni(&id)).then_some(letter + 1)
}

fn is_card(text: &str, some: &Digits<'_>, span: &Range<usize>, before: Option<u8>) -> bool {
    let digits = &some.digits[..];
    if !checks::is_card_range(digits) || !checks::luhn(digits) {
        return false;
    }
    match some.shape()[..] {
        [4, 4, 4, 4] | [4, 6, 5] | [4, 6, 4] | [4, 4, 4, 4, 3] => some.parted_by(b" -"),
        // A long number in one piece is as often an order's.
        [_] => {
            digits.len() < 19
                && !before.is_some_and(|byte| b".-/#$".contains(&byte))
                && !text.as_bytes().get(span.end).is_some_and(|byte| b"-/_".contains(byte))
                && !is_before(text, span.start, ORDERS)
        }
        _ => false,
    }
}

/// A telephone's number that begins with the first group: with `+`, with a code in brackets, or beside a word.
fn telephone(text: &str, groups: &[Range<usize>]) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let first = groups.first()?.start;
    let (lead, before) = match bytes[..first] {
        [.., before, b'+'] => (Some(b'+'), Some(before)),
        [b'+'] => (Some(b'+'), None),
        [.., before, b'('] => (Some(b'('), Some(before)),
        [b'('] => (Some(b'('), None),
        [.., before] => (None, Some(before)),
        [] => (None, None),
    };
    if before.is_some_and(joins) {
        return None;
    }
    let count = longest(groups, 15)?;
    let groups = &groups[..count];
    let digits = groups.iter().map(Range::len).sum::<usize>();
    let end = groups.last()?.end;
    if bytes.get(end).is_some_and(|byte| joins(*byte)) {
        return None;
    }
    let span = first - usize::from(lead.is_some())..end;
    let shape: Vec<usize> = groups.iter().map(Range::len).collect();
    let is_one = match lead {
        Some(b'+') => (8..=15).contains(&digits) && bytes[first] != b'0',
        Some(_) => shape == [3, 3, 4],
        None => {
            (9..=14).contains(&digits)
                && groups.len() > 1
                && !is_date(&shape)
                && is_before(text, first, PHONES)
        }
    };
    is_one.then_some(span)
}

/// How many groups make at most so many digits.
fn longest(groups: &[Range<usize>], most: usize) -> Option<usize> {
    let mut total = 0;
    let fit = groups.iter().take_while(|group| {
        total += group.len();
        total <= most
    });
    Some(fit.count()).filter(|count| *count > 0)
}

/// `2026-07-14 10` is a moment.
fn is_date(shape: &[usize]) -> bool {
    matches!(shape, [4, 2, 2, ..] | [2, 2, 4, ..] | [1 | 2, 1 | 2, 4])
}

fn is_near(text: &str, span: &Range<usize>, words: &[&str]) -> bool {
    let from = text.floor_char_boundary(span.start.saturating_sub(BEFORE));
    let to = text.ceil_char_boundary((span.end + AFTER).min(text.len()));
    has_word(&text[from..to], words)
}

fn is_before(text: &str, at: usize, words: &[&str]) -> bool {
    let from = text.floor_char_boundary(at.saturating_sub(BEFORE));
    // What another line says is about another number.
    let before = text[from..at].rsplit('\n').next().unwrap_or_default();
    has_word(before, words)
}

fn has_word(text: &str, words: &[&str]) -> bool {
    let lower = text.to_lowercase();
    words.iter().any(|word| {
        lower.match_indices(word).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            !word.starts_with(char::is_alphabetic)
                || !before.is_some_and(|c| c.is_alphabetic() && c.is_ascii())
        })
    })
}
