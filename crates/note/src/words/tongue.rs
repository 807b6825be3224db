//! Stop words that are content words elsewhere: German `war`, French `son`, Polish `co`. They are stop words in a
//! question that shows its language by others.

use std::borrow::Cow;
use std::collections::HashSet;

use super::stop::{
    DUTCH, ENGLISH, FRENCH, GERMAN, ITALIAN, NORDIC, PORTUGUESE, ROMANIAN, SLAVIC, SPANISH, TURKISH,
};
use super::{Analyzer, Purpose, is_foreign_stop, is_vietnamese};

/// The fewest stop words of a language that a text in it has.
const LEAST: usize = 2;

/// The longest word considered, in bytes, with the marks around it: stop words are short.
const LONGEST: usize = 14;

/// A language that is written in Latin letters.
#[derive(Debug)]
struct Tongue {
    /// Words that show it.
    own: &'static str,
    /// Words that are stop words only there.
    only: &'static str,
    /// Letters that none of the others has.
    letters: &'static str,
}

static TONGUES: [Tongue; 10] = [
    Tongue { own: DUTCH, only: ONLY_DUTCH, letters: "" },
    Tongue { own: FRENCH, only: ONLY_FRENCH, letters: "œ" },
    Tongue { own: GERMAN, only: ONLY_GERMAN, letters: "ß" },
    Tongue { own: ITALIAN, only: ONLY_ITALIAN, letters: "" },
    Tongue { own: NORDIC, only: ONLY_NORDIC, letters: "åæø" },
    Tongue { own: PORTUGUESE, only: ONLY_PORTUGUESE, letters: "ãõ" },
    Tongue { own: ROMANIAN, only: ONLY_ROMANIAN, letters: "ășțţ" },
    Tongue { own: SLAVIC, only: ONLY_SLAVIC, letters: "ąćčďęěľłńňřśšťůźżž" },
    Tongue { own: SPANISH, only: ONLY_SPANISH, letters: "ñ" },
    Tongue { own: TURKISH, only: ONLY_TURKISH, letters: "ğı" },
];

/// The different words of a text.
struct DistinctWords<'a>(HashSet<Cow<'a, str>>);

impl<'a> DistinctWords<'a> {
    fn of(words: impl Iterator<Item = &'a str>) -> Self {
        Self(words.map(bare).collect())
    }

    fn common(&self, words: &'static str) -> impl Iterator<Item = &'static str> {
        words.split_whitespace().filter(|word| self.0.contains(*word))
    }

    fn count(&self, tongue: &Tongue) -> usize {
        let words = self.common(tongue.own).count() + self.common(tongue.only).count();
        words + usize::from(self.is_spelled_in(tongue))
    }

    fn is_spelled_in(&self, tongue: &Tongue) -> bool {
        let is_own = |c: char| !c.is_ascii() && tongue.letters.contains(c);
        !tongue.letters.is_empty() && self.0.iter().any(|word| !word.is_ascii() && word.contains(is_own))
    }

    /// How many of them show a language. Words of two letters, such as `de`, belong to many.
    fn show(&self, tongue: &Tongue) -> usize {
        let is_long = |word: &str| word.chars().nth(2).is_some();
        let is_shown = self.common(tongue.own).any(is_long) || self.is_spelled_in(tongue);
        if is_shown { self.count(tongue) } else { 0 }
    }

    fn english(&self) -> usize {
        self.common(ENGLISH).count()
    }

    /// The language that most of them show, unless they show English; several on a tie.
    fn tongues(&self) -> Vec<&'static Tongue> {
        let is_shown = |word: &Cow<'_, str>| !word.is_ascii() || is_foreign_stop(word);
        if !self.0.iter().any(is_shown) || self.0.iter().any(|word| is_vietnamese(word)) {
            return Vec::new();
        }
        let all: Vec<usize> = TONGUES.iter().map(|tongue| self.show(tongue)).collect();
        let most = all.iter().copied().max().unwrap_or(0);
        let spoken = TONGUES.iter().zip(all).filter(|(_, shown)| *shown == most && most > self.english());
        spoken.map(|(tongue, _)| tongue).collect()
    }
}

fn bare(word: &str) -> Cow<'_, str> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    if word.contains(char::is_uppercase) { word.to_lowercase().into() } else { word.into() }
}

/// What a question shows of these languages.
#[derive(Debug)]
pub(super) struct Tongues(Vec<&'static Tongue>);

impl Tongues {
    /// `None` if it shows none of them, or English as much.
    pub(super) fn of(question: &str) -> Option<Self> {
        let tongues = DistinctWords::of(question.split_whitespace()).tongues();
        (!tongues.is_empty()).then_some(Self(tongues))
    }

    /// Whether a text is in one of them, and not rather in another.
    pub(super) fn are_of(&self, text: &str) -> bool {
        let short = |word: &&str| word.len() <= LONGEST;
        let said = DistinctWords::of(text.split_whitespace().filter(short));
        let least = LEAST.max(1 + said.english());
        let most = self.0.iter().map(|tongue| said.count(tongue)).max().unwrap_or(0);
        most >= least && TONGUES.iter().all(|tongue| said.count(tongue) <= most)
    }
}

/// Whether a question shows one of these languages, and not English.
pub fn is_other_tongue(question: &str) -> bool {
    Tongues::of(question).is_some()
}

/// The additional stop terms of a question with these words, beside those of all languages.
pub(super) fn stops<'a>(words: impl Iterator<Item = &'a str>, analyzer: &mut Analyzer) -> HashSet<String> {
    let mut stops = HashSet::new();
    for word in DistinctWords::of(words).tongues().iter().flat_map(|tongue| tongue.only.split_whitespace()) {
        analyzer.analyze(word, Purpose::Query, |term: &str| {
            stops.insert(term.to_owned());
        });
    }
    stops
}

pub(super) const ONLY_DUTCH: &str = "
    aan als bij dan dat de den der die dit door er had hadden haar hem hen hij hun ik in is je kan kon kunnen
    maar me meer men met mij mijn moest moet moeten nog nu niet of om onze ook op te toe toen tot uit van veel
    voor want was we wel wie wij word worden wordt zal ze zich zij zo zou";

pub(super) const ONLY_FRENCH: &str = "
    a ai ait as avait avaient c cela cet d dans dont est-ce eu fut furent j l lors m mais même mon n on ont
    plus pour qu s si son t ton tous tout toute toutes très y";

pub(super) const ONLY_GERMAN: &str = "
    also an bin da dann den denn die doch du für hab hast hat her hin ihm ihn ihnen ihrem ihren ihrer in jede
    jeden jeder jedes mal man mehr mein meine meinem meinen meiner mit muss musste müssen ob schon sehr seinem
    seinen seiner so soll sollte sollen über um viel viele war was weil will wieder";

pub(super) const ONLY_ITALIAN: &str = "
    a ai c ci come d dai degli delle dell ed era fu ma me mia mie miei mio ne nell nelle negli nello ogni
    quell quella quelle quelli questi queste s sia sue suoi tua tuo v vi stati state";

pub(super) const ONLY_NORDIC: &str = "
    at att av blev bli blir da de den denna der det dette en er et ett eller för fra från ha han hade
    hans hun hon i ikke inte jag jeg kan kunne man med mig min mitt mit nu när når og også också om på sig
    sin ska skal skulle som så til till ut var vara være varit vi är";

pub(super) const ONLY_PORTUGUESE: &str = "
    a à as às como dos era estava mais me meus minhas nas no num os quanta quantas ser te ter teu tua";

pub(super) const ONLY_ROMANIAN: &str = "
    a acest această ai al ale am ar are as au avea ca că care cât câtă ce cei cel cele cu cui cum da dar de
    din e ei el ele era erau fi fie fost i îi îl în într la le li lor lui mai mea mei meu mi mult nu o pe s sa
    să sau se și te un una unei unor unui va";

pub(super) const ONLY_SLAVIC: &str = "
    a aby ale ani bo by być będzie co czego čo czy dla do go i ich ile im ja jak jako je jego jej jest
    jestem już jsem jsme kde ma mam mi mu můj my na nas nie nim o od on ona oni po proč przez s sa sam se si
    ta tak tam te tę ten to tych tylko tym u v ve w we z za ze že";

pub(super) const ONLY_SPANISH: &str = "
    a era fui iba me mis más sea son te ti tu tus tú";

pub(super) const ONLY_TURKISH: &str = "
    ben biz bu çok da daha de değil en gibi her hiç idi ile ise kadar kim kimi mi mı mu mü ne o oldu olduğu
    onu onun sen şu var ve yok";

#[cfg(test)]
mod tests {
    use super::is_other_tongue;
    use crate::words::query;

    fn check(question: &str, expected: &str) {
        assert_eq!(query(question).terms.join(" "), expected);
    }

    #[test]
    fn a_word_may_say_something_in_one_language_only() {
        check("Wer war mit dem Hund im Garten?", "hund garten");
        check("the war with the dog", "war dog");
        check("Où est le son de la cloche?", "cloch");
        check("son of the king", "son king");
        check("Ile godzin dojrzewa zakwas, który piekł Jan?", "godzin dojrzewa zakwa piekl jan");
        check("Kim bu kitabı nasıl yazdı?", "kitabi yazdi");
        check("Co wymieniono w rowerze Łukasza?", "wymieniono rowerz lukasza");
        check("What did Łukasz do on the A1?", "lukasz a1");
    }

    #[test]
    fn english_words_do_not_make_a_question_english() {
        assert!(is_other_tongue("Wat is de naam van het schip?"));
        assert!(!is_other_tongue("What is the name of De Boer's ship?"));
    }

    #[test]
    fn a_name_in_another_language_makes_no_question_of_it() {
        check("Who will pour the wine in Rio de Janeiro?", "pour wine rio janeiro");
        check("was hat sich geändert", "geandert");
    }
}
