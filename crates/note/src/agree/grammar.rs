//! The closed classes of some languages: words whose number is fixed, and which hold a sentence together.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a word does in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// "is", or a colon.
    Is,
    Has,
    /// Tells of what was.
    Past,
    Not,
    /// What "not" takes with it: "no longer".
    NotTail,
    Definite,
    /// Whose it is.
    Mine,
    Indefinite,
    /// Some of many.
    Some,
    If,
    Or,
    Now,
    Also,
    /// Helps another word and says nothing.
    Help,
    Plain,
}

impl Function {
    /// Joins a value to what it is the value of.
    pub(super) fn is_joint(self) -> bool {
        matches!(self, Self::Is | Self::Has)
    }

    /// Whether a statement says the same without it.
    pub(super) fn is_left_out(self) -> bool {
        matches!(self, Self::Not | Self::NotTail | Self::Definite | Self::Now | Self::Also | Self::Help)
    }
}

/// The words of a language.
struct Grammar {
    roles: &'static [(Function, &'static str)],
    /// Words that say in which place something is.
    places: &'static str,
    /// Its verbs may stand last: "hat 2 Karten gekauft".
    is_verb_last: bool,
}

static LANGUAGES: [Grammar; 8] = [
    Grammar {
        roles: &[
            (Function::Is, "is are"),
            (Function::Has, "has have"),
            (Function::Past, "was were did had been"),
            (Function::Not, "not no never nobody nothing cannot"),
            (Function::NotTail, "longer anymore"),
            (Function::Definite, "the"),
            (Function::Mine, "my our your his her its their"),
            (Function::Indefinite, "a an"),
            (Function::Some, "some one several another many few all every each most any other both"),
            (Function::If, "if when unless while because although until before after whenever"),
            (Function::Or, "or and"),
            (Function::Now, "now currently presently"),
            (Function::Also, "also too additionally"),
            (Function::Help, "do does"),
        ],
        places: "in",
        is_verb_last: false,
    },
    Grammar {
        roles: &[
            (Function::Is, "ist sind"),
            (Function::Has, "hat haben"),
            (Function::Past, "war waren wurde wurden hatte hatten gewesen worden"),
            (Function::Not, "nicht kein keine keinen keinem keiner nie niemals niemand nichts"),
            (Function::NotTail, "mehr länger"),
            (Function::Definite, "der die das den dem des"),
            (
                Function::Mine,
                "mein meine meiner meinem meinen unser unsere unserer unserem unseren dein deine sein seine ihr ihre euer eure",
            ),
            (Function::Indefinite, "ein eine einen einem einer eines"),
            (Function::Some, "einige manche mehrere andere anderer alle jeder jede jedes viele wenige beide"),
            (Function::If, "wenn falls sobald weil obwohl während bevor nachdem bis als"),
            (Function::Or, "oder und"),
            (Function::Now, "jetzt nun aktuell derzeit momentan inzwischen mittlerweile"),
            (Function::Also, "auch zusätzlich außerdem"),
        ],
        places: "in im",
        is_verb_last: true,
    },
    Grammar {
        roles: &[
            (Function::Is, "est sont"),
            (Function::Has, "a ont"),
            (Function::Past, "était étaient fut furent avait avaient été"),
            (Function::Not, "ne n pas jamais aucun aucune rien"),
            (Function::NotTail, "plus"),
            (Function::Definite, "le la les l"),
            (Function::Mine, "mon ma mes notre nos votre vos son sa ses leur leurs ton ta tes"),
            (Function::Indefinite, "un une des"),
            (Function::Some, "quelques certains certaines plusieurs autre autres chaque tous toutes"),
            (Function::If, "si quand lorsque parce puisque tandis avant après"),
            (Function::Or, "ou et"),
            (Function::Now, "maintenant actuellement désormais"),
            (Function::Also, "aussi également"),
            (Function::Help, "de d"),
        ],
        places: "à en",
        is_verb_last: false,
    },
    Grammar {
        roles: &[
            (Function::Is, "es está son están"),
            (Function::Has, "tiene tienen"),
            (Function::Past, "era eran fue fueron estaba estaban había ha han"),
            (Function::Not, "no nunca ningún ninguna nadie nada"),
            (Function::NotTail, "ya más"),
            (Function::Definite, "el la los las"),
            (Function::Mine, "mi mis tu tus su sus nuestro nuestra nuestros nuestras"),
            (Function::Indefinite, "un una unos unas"),
            (Function::Some, "algún alguna algunos algunas otro otra otros otras varios cada todos todas"),
            (Function::If, "si cuando porque aunque mientras"),
            (Function::Or, "o y"),
            (Function::Now, "ahora actualmente"),
            (Function::Also, "también además"),
        ],
        places: "en",
        is_verb_last: false,
    },
    Grammar {
        roles: &[
            (Function::Is, "is zijn"),
            (Function::Has, "heeft hebben"),
            (Function::Past, "was waren werd werden had hadden geweest"),
            (Function::Not, "niet geen nooit niemand niets"),
            (Function::NotTail, "meer langer"),
            (Function::Definite, "de het"),
            (Function::Mine, "mijn onze ons jouw haar hun"),
            (Function::Indefinite, "een"),
            (Function::Some, "sommige enkele andere alle elke ieder iedere veel beide"),
            (Function::If, "als wanneer omdat hoewel terwijl voordat nadat totdat"),
            (Function::Or, "of en"),
            (Function::Now, "nu momenteel"),
            (Function::Also, "ook"),
        ],
        places: "in",
        is_verb_last: true,
    },
    Grammar {
        roles: &[
            (Function::Is, "è sono"),
            (Function::Has, "ha hanno"),
            (Function::Past, "era erano fu furono aveva avevano stato stata stati state"),
            (Function::Not, "non mai nessun nessuno nessuna niente"),
            (Function::NotTail, "più"),
            (Function::Definite, "il lo la i gli le l"),
            (Function::Mine, "mio mia nostro nostra nostri nostre tuo tua suo sua loro"),
            (Function::Indefinite, "un uno una"),
            (Function::Some, "alcuni alcune qualche altro altra altri altre ogni tutti tutte molti"),
            (Function::If, "se quando perché mentre prima dopo"),
            (Function::Or, "o e"),
            (Function::Now, "ora adesso attualmente"),
            (Function::Also, "anche inoltre"),
        ],
        places: "a in",
        is_verb_last: false,
    },
    Grammar {
        roles: &[
            (Function::Is, "é são está estão"),
            (Function::Has, "tem têm"),
            (Function::Past, "era eram foi foram estava estavam tinha tinham"),
            (Function::Not, "não nunca nenhum nenhuma ninguém nada"),
            (Function::NotTail, "mais já"),
            (Function::Definite, "o a os as"),
            (Function::Mine, "meu minha nosso nossa nossos nossas seu sua seus suas"),
            (Function::Indefinite, "um uma uns umas"),
            (Function::Some, "alguns algumas outro outra outros outras vários cada todos todas"),
            (Function::If, "se quando porque enquanto embora"),
            (Function::Or, "ou e"),
            (Function::Now, "agora atualmente"),
            (Function::Also, "também"),
        ],
        places: "em",
        is_verb_last: false,
    },
    Grammar {
        roles: &[
            (Function::Past, "был была было были"),
            (Function::Not, "не нет никогда никто ничего"),
            (Function::NotTail, "больше"),
            (Function::Mine, "мой моя моё мои наш наша наше наши его её их"),
            (Function::Some, "некоторые другие каждый каждая все многие"),
            (Function::If, "если когда пока хотя чтобы"),
            (Function::Or, "или и"),
            (Function::Now, "сейчас теперь"),
            (Function::Also, "также тоже"),
        ],
        places: "в",
        is_verb_last: false,
    },
];

/// How many languages are known.
pub(super) const KNOWN: usize = LANGUAGES.len();

/// The words of all languages, each with what it does in them.
static WORDS: LazyLock<HashMap<&'static str, [Function; KNOWN]>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for (at, language) in LANGUAGES.iter().enumerate() {
        for (role, words) in language.roles {
            for word in words.split_whitespace() {
                all.entry(word).or_insert([Function::Plain; KNOWN])[at] = *role;
            }
        }
    }
    all
});

/// What a word does in each language.
pub(super) fn roles(word: &str) -> [Function; KNOWN] {
    WORDS.get(word).copied().unwrap_or([Function::Plain; KNOWN])
}

pub(super) fn is_verb_last(language: usize) -> bool {
    LANGUAGES[language].is_verb_last
}

pub(super) fn is_place(language: usize, word: &str) -> bool {
    LANGUAGES[language].places.split_whitespace().any(|place| place == word)
}
