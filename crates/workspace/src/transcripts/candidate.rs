//! Finds sentences of a conversation that may be worth remembering, by rules and without a model. These candidates are
//! stored apart with their place, shown to the model during a flush, and saved before a compaction; none is treated as a
//! fact but one with a [`Wish`].

use mindfile_note::text::sentences;

use super::entry::Message;
use super::flatten;
use super::wish::{self, Wish};
use mindfile_trust::speaker::Role;

/// Longer sentences are cut.
const LONGEST: usize = 400;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The line of the transcript.
    pub line: u32,
    pub role: Role,
    pub rule: Rule,
    pub text: String,
    /// What a person asks to be remembered in it, in words of their own.
    pub wish: Option<Wish>,
}

mindfile_note::word_enum! {
    /// Why a sentence is a candidate.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Rule {
        /// Somebody asked to remember it.
        Remember = "remember",
        Decision = "decision",
        Correction = "correction",
        Preference = "preference",
        /// It says who or what somebody or something is.
        Name = "name",
        /// It has a date.
        Date = "date",
    }
}

impl Rule {
    /// The phrases that make a sentence one, in lower case; those that begin with a space begin a word.
    pub fn cues(self) -> &'static [&'static str] {
        match self {
            Self::Remember => REMEMBER_CUES,
            Self::Decision => DECISION_CUES,
            Self::Correction => CORRECTION_CUES,
            Self::Preference => PREFERENCE_CUES,
            Self::Name => NAME_CUES,
            Self::Date => &[],
        }
    }
}

const REMEMBER_CUES: &[&str] = &[
    " remember ", " remember:", " don't forget", " do not forget", " note that", " keep in mind",
    " for the record", " make a note", " merk dir", " nicht vergessen", "记住", "记得", "别忘", "覚えて",
    "忘れないで", "기억해", " recuerda ", " souviens-toi",
];

const DECISION_CUES: &[&str] = &[
    " we decided", " i decided", " i've decided", " we've decided", " decided to ", " let's go with",
    " we'll go with", " we will go with", " we'll use", " we will use", " we chose", " i chose",
    " we agreed", " going with ", " settled on", " the decision is", " decision:", " approved",
    " beschlossen", " entschieden", "决定", "決め", "결정",
];

const CORRECTION_CUES: &[&str] = &[
    " actually,", " actually it", " correction:", " that's wrong", " that is wrong", " that's not right",
    " i meant", " not anymore", " no longer", " instead of ", " it's not ", " is not true", " changed to ",
    " moved to ", " renamed to ", "其实", "不对", "更正", "訂正",
];

const PREFERENCE_CUES: &[&str] = &[
    " i prefer", " i'd prefer", " i like ", " i love ", " i hate ", " i dislike", " i don't like",
    " i do not like", " i always ", " i never ", " i usually ", " please always", " please never",
    " my favourite", " my favorite", " i'm allergic", " i am allergic", " i want you to", " i can't stand",
    " ich mag", " lieber ", "我喜欢", "我不喜欢", "我讨厌", "我更喜欢", "好きです", "嫌い", "좋아",
];

const NAME_CUES: &[&str] = &[
    " my name is", " i'm called", " call me ", " is called ", " is named ", " named ", " my wife",
    " my husband", " my son", " my daughter", " my mother", " my father", " my brother", " my sister",
    " my partner", " my boss", " my team", " my dog", " my cat", " i work at", " i work for", " i live in",
    " i'm from", " i am from", " ich heiße", "我叫", "我的名字", "私の名前", "と申します",
];

/// The candidates of a message. Tools and hidden messages have none; of what the assistant says only decisions count,
/// because the rest it has from elsewhere.
pub fn find(line: u32, message: &Message) -> Vec<Candidate> {
    let allowed = |rule: Rule| match message.role {
        Role::User => true,
        Role::Assistant => rule == Rule::Decision,
        Role::Tool | Role::System => false,
    };
    if message.hidden {
        return Vec::new();
    }
    let text = flatten::spoken(&message.text());
    let prose = without_quotes(&text);
    let sentences = sentences(&prose).into_iter().map(|range| prose[range].trim());
    let is_person = message.role == Role::User && message.speaker.is_none();
    let mut wishes = if is_person { wish::find(&text) } else { Vec::new() };
    let mut candidate = |sentence: &str| {
        let rule = rule_of(sentence).filter(|rule| allowed(*rule))?;
        let wished = wishes.iter().position(|wish| wish.sentence == sentence);
        let wish = wished.map(|at| wishes.remove(at));
        Some(Candidate { line, role: message.role, rule, text: cut(sentence), wish })
    };
    sentences.filter_map(&mut candidate).collect()
}

/// Without code, quoted text and what a memory search put there: what was recalled is not said again.
fn without_quotes(text: &str) -> String {
    let mut fenced = false;
    let mut prose = String::new();
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced && !trimmed.starts_with('>') && !trimmed.starts_with("Source: ") {
            prose.push_str(line);
        }
        prose.push('\n');
    }
    prose
}

pub(super) fn rule_of(sentence: &str) -> Option<Rule> {
    if sentence.ends_with(['?', '？']) {
        return None;
    }
    let lower = format!(" {} ", sentence.to_lowercase().replace('’', "'"));
    Rule::ALL.iter().copied().find(|rule| match rule {
        Rule::Date => has_date(&lower),
        Rule::Remember | Rule::Decision | Rule::Correction | Rule::Preference | Rule::Name => {
            rule.cues().iter().any(|cue| lower.contains(cue))
        }
    })
}

/// `2026-07-14`, `14.7.2026`, `July 14`, `14 July`, `7月14日`, or a day of the week.
fn has_date(lower: &str) -> bool {
    const MONTHS: &[&str] = &[
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    const DAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let is_day = |word: &&str| {
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day))
    };
    let month_beside_day = words.windows(2).any(|pair| {
        (MONTHS.contains(&pair[0]) && is_day(&pair[1])) || (is_day(&pair[0]) && MONTHS.contains(&pair[1]))
    });
    month_beside_day
        || words.iter().any(|word| DAYS.contains(word) || mindfile_note::date::parse(word).is_some())
        || (lower.contains('月') && lower.contains('日') && lower.chars().any(char::is_numeric))
}

fn cut(sentence: &str) -> String {
    match sentence.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &sentence[..end]),
        None => sentence.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(role: Role, text: &str) -> Vec<(&'static str, String)> {
        find(7, &Message::new(role, text))
            .into_iter()
            .map(|found| (found.rule.as_str(), found.text))
            .collect()
    }

    #[test]
    fn each_rule_finds_its_sentence() {
        for (text, rule) in [
            ("Please remember that the key is under the mat.", "remember"),
            ("We decided to use PostgreSQL.", "decision"),
            ("Actually, it is port 8081.", "correction"),
            ("I prefer tabs over spaces.", "preference"),
            ("My wife Ana is a dentist.", "name"),
            ("The audit is on 2026-12-03.", "date"),
            ("We fly on July 14 with the kids.", "date"),
            ("记住我的车停在三楼。", "remember"),
            ("我们决定用关系型数据库。", "decision"),
            ("I’d prefer the window seat.", "preference"),
        ] {
            assert_eq!(rules(Role::User, text), [(rule, text.to_owned())]);
        }
    }

    #[test]
    fn questions_code_quotes_and_tools_give_no_candidates() {
        for text in [
            "Do you remember my name?",
            "```\nwe decided to crash\n```",
            "> I prefer tea",
            "Source: memory/2026-07-14.md#L3",
            "just a remark",
        ] {
            assert_eq!(rules(Role::User, text), []);
        }
        assert_eq!(rules(Role::Tool, "We decided to use PostgreSQL."), []);
    }

    #[test]
    fn of_the_assistants_words_only_decisions_count() {
        assert_eq!(rules(Role::Assistant, "You said I prefer tea. We decided to wait.").len(), 1);
    }

    #[test]
    fn a_message_is_cut_into_sentences() {
        let found = rules(Role::User, "Hello. I like jazz. The port is 8.1 now.\nWe agreed on Friday!");
        let rules: Vec<&str> = found.iter().map(|(rule, _)| *rule).collect();
        assert_eq!(rules, ["preference", "decision"]);
    }
}
