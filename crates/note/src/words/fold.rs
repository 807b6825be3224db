//! Folding: spellings that readers take for the same become one.
//!
//! Compatibility forms (full width, ligatures, presentation forms) are replaced; case is folded; Latin, Greek
//! and Cyrillic letters lose their diacritics, except where the letter with it is another letter to its
//! readers (й, ї, ў; a Vietnamese word has a form with all of them, too); Arabic and Hebrew lose their vowel
//! points, Arabic also its elongation and the variants of alef, yeh and teh. Marks of other scripts stay.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::script::{self, Script};

/// Folds a compound, or a part of one, into `out`, which is cleared first.
pub(super) fn word(raw: &str, out: &mut String) {
    out.clear();
    if raw.is_ascii() {
        out.extend(raw.bytes().map(|b| char::from(b.to_ascii_lowercase())));
    } else if is_nfkc_quick(raw.chars()) == IsNormalized::Yes {
        raw.chars().for_each(|c| push(c, out));
    } else {
        raw.nfkc().for_each(|c| push(c, out));
    }
}

/// Writes a Vietnamese word into `out` with its marks, and says whether it is one: to its readers, each mark makes
/// another word.
pub(super) fn marked(raw: &str, out: &mut String) -> bool {
    out.clear();
    if !raw.is_ascii() && raw.contains(may_be_vietnamese) {
        out.extend(raw.nfkc().filter(|c| !is_invisible(*c)).flat_map(char::to_lowercase));
    }
    script::is_vietnamese(out)
}

/// A letter of its own, or a mark that makes one.
fn may_be_vietnamese(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}') || script::is_own_to_vietnamese(c)
}

/// Writes a run of a script without spaces into `out`, which is emptied first. Such scripts have no case.
pub(super) fn run(raw: &str, out: &mut String) {
    out.clear();
    if is_nfkc_quick(raw.chars()) == IsNormalized::Yes {
        out.push_str(raw);
    } else {
        out.extend(raw.nfkc());
    }
    out.retain(|c| !is_invisible(c));
}

fn push(c: char, out: &mut String) {
    if c.is_ascii_alphanumeric() {
        out.push(c.to_ascii_lowercase());
    } else {
        c.to_lowercase().for_each(|lower| push_lower(lower, out));
    }
}

fn push_lower(c: char, out: &mut String) {
    if let Some(spelled) = respelled(c) {
        out.push_str(spelled);
    } else if is_invisible(c) || is_dropped_mark(c) {
        // Nothing of it remains.
    } else if matches!(script::of(c), Script::Latin | Script::Greek | Script::Cyrillic) {
        decompose_canonical(c, |part| {
            if !is_combining_mark(part) {
                out.push(part);
            }
        });
    } else {
        out.push(c);
    }
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}' | '\u{00AD}' | '\u{2060}') || c.is_whitespace() || c == '"'
}

/// Combining diacritics, Hebrew points, Arabic vowel signs and elongation.
fn is_dropped_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05C7}')
        || matches!(c, '\u{0610}'..='\u{061A}' | '\u{0640}' | '\u{064B}'..='\u{065F}' | '\u{0670}')
        || matches!(c, '\u{06D6}'..='\u{06ED}' | '\u{08D3}'..='\u{08FF}')
}

/// Letters whose folding no decomposition gives.
fn respelled(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'þ' => "th",
        'ı' => "i",
        'ħ' => "h",
        'ŋ' => "n",
        'ς' => "σ",
        'й' => "й",
        'ї' => "ї",
        'ў' => "ў",
        'أ' | 'إ' | 'آ' | 'ٱ' => "ا",
        'ى' | 'ی' => "ي",
        'ک' => "ك",
        'ة' => "ه",
        '\u{2019}' | '\u{02BC}' => "'",
        '\u{2010}' | '\u{2011}' => "-",
        _ => return None,
    })
}
