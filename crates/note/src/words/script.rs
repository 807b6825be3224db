//! The script of a character, as far as the analysis distinguishes them.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Tamil,
    Unspaced(Class),
    Other,
}

/// Scripts in which a run of letters is more than one word. Han and kana are one class, because Japanese
/// mixes them within words; hangul has spaces, but particles grow on its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Cjk,
    Hangul,
    Thai,
    Lao,
    Khmer,
    Myanmar,
}

pub(super) fn of(c: char) -> Script {
    match u32::from(c) {
        0x0000..=0x024F | 0x1E00..=0x1EFF | 0x2C60..=0x2C7F | 0xA720..=0xA7FF | 0xFF21..=0xFF5A => {
            Script::Latin
        }
        0x0370..=0x03FF | 0x1F00..=0x1FFF => Script::Greek,
        0x0400..=0x052F | 0x1C80..=0x1C8F | 0x2DE0..=0x2DFF | 0xA640..=0xA69F => Script::Cyrillic,
        0x0590..=0x05FF | 0xFB1D..=0xFB4F => Script::Hebrew,
        0x0600..=0x06FF | 0x0750..=0x077F | 0x08A0..=0x08FF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFE => {
            Script::Arabic
        }
        0x0B80..=0x0BFF => Script::Tamil,
        code => class(code).map_or(Script::Other, Script::Unspaced),
    }
}

fn class(code: u32) -> Option<Class> {
    Some(match code {
        0x0E00..=0x0E7F => Class::Thai,
        0x0E80..=0x0EFF => Class::Lao,
        0x1000..=0x109F | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F => Class::Myanmar,
        0x1780..=0x17FF => Class::Khmer,
        0x1100..=0x11FF | 0x3130..=0x318F | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xFFA0..=0xFFDC => {
            Class::Hangul
        }
        0x3005..=0x3007 | 0x3021..=0x3029 | 0x3031..=0x3035 | 0x3038..=0x303B => Class::Cjk,
        0x2E80..=0x2FDF | 0x3041..=0x312F | 0x31A0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF => Class::Cjk,
        0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x1B000..=0x1B16F | 0x20000..=0x3FFFF => Class::Cjk,
        _ => return None,
    })
}

/// Letters that only Vietnamese has: hardly a sentence is without one.
pub fn is_vietnamese(text: &str) -> bool {
    text.contains(is_own_to_vietnamese)
}

pub(super) fn is_own_to_vietnamese(c: char) -> bool {
    matches!(c, 'ơ' | 'ư' | 'Ơ' | 'Ư' | '\u{1EA0}'..='\u{1EF9}')
}

/// Han ideographs, of which one alone can be a word.
pub(super) fn is_han(c: char) -> bool {
    let code = u32::from(c);
    matches!(code, 0x3005..=0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// The script of a word all of whose letters are of one script.
pub(super) fn of_word(word: &str) -> Script {
    let mut chars = word.chars();
    let first = chars.next().map_or(Script::Other, of);
    if chars.all(|c| of(c) == first) { first } else { Script::Other }
}
