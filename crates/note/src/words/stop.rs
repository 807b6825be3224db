//! Words that say how a question is put, not what it is about.
//!
//! The lists hold nothing that, folded, is a content word in another language or a usual abbreviation (German
//! `war` and `für`, French `son`, Spanish `sin`, Portuguese `os`, Italian `ai`), because a question does not
//! say which language it is in.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Whether a word, or the term made of it, is a stop word.
pub fn is_stop(word: &str) -> bool {
    STOPS.contains(word)
}

/// Whether a pair of Chinese characters is held together by grammar: one of them is a particle.
pub(super) fn is_grammar(term: &str) -> bool {
    let mut chars = term.chars();
    let pair = (chars.next(), chars.next(), chars.next());
    matches!(pair, (Some(first), Some(second), None) if PARTICLES.contains(first) || PARTICLES.contains(second))
}

/// Characters that hardly begin or end a word of content.
const PARTICLES: &str = "的了吗呢么谁嗎麼誰哪怎这這";

static STOPS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| words().chain(TERMS.split_whitespace()).collect());

fn words() -> impl Iterator<Item = &'static str> {
    let lists = [ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, RUSSIAN, CHINESE, JAPANESE];
    lists.into_iter().flat_map(str::split_whitespace)
}

/// The terms of these words that are no words of the lists. Analysing all words would take longer than a search does
/// otherwise.
const TERMS: &str = "
    ag ani becaus cett dan dell doe dond ell ello entr ess etaient etait ete etr habia hatt howev mai
    mani nao nell nosotro notr ond onli ourselv perch piu pleas porqu quai quell sao segun sobr tambem
    tambien themselv tien veri voce votr welch whi wurd быт ве всег долж должн е ег ем есл ест ещ зач ил
    ког когд котор куд либ могл можн называ наход нег поч сво себ скольк тог тож тольк уж че чег чтоб эт
    явля まし 一 个 为 些 什 何 儿 否 哪 多 如 少 年 怎 时 样 為 甚 种 裡 里 麼";

/// Prepositions of place and time are not among them: `over`, `after` or `through` help to find what was
/// said.
const ENGLISH: &str = "
    a about again all also am an and any are as at be because been being both but by can could did do does
    doing dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant couldnt shouldnt
    each ever for from get got had has have having he her here hers herself him himself his how however i
    if in into is it its itself just let like many me mention mentioned mentions might much must my myself
    no nor not now of on only or other our ours ourselves please said say says shall she should so some
    such tell than that the their theirs them themselves then there these they this those to too upon very
    was we were what when where which while who whom whose why will with would you your yours yourself";

const GERMAN: &str = "
    aber als auf aus bei bis dass dem der des das ein eine einem einen einer eines er es habe haben hatte
    ich ihr ihre im ist ja kann kein keine mich mir nach nicht noch nur oder sein seine sich sie sind und
    uns vom von vor wann waren warum wegen welche welchem welchen welcher welches wem wen wenn wer werden
    wie wieviel wird wir wo wurde wurden zu zum zur";

const FRENCH: &str = "
    au aux avec ce ces cette combien comment dans de des du elle elles en est et était étaient eux il ils
    je la le les leur leurs lui ma mais mes moi ne nos notre nous où ou par pas pourquoi quand que quel
    quelle quelles quels qui quoi sa se ses sont sur ta te tes toi tu un une vos votre vous été être";

const SPANISH: &str = "
    al algo como cómo con cual cuál cuáles cuando cuándo cuanto cuánto cuántos de del donde dónde el él
    ella ellos en eran es esa ese eso esta está estaba este esto fue fueron ha había han hay la las le les
    lo los mi muy ni nos nosotros o para pero por porque que qué quien quién se según ser si sobre su sus
    también tiene un una uno unos y ya yo";

const PORTUGUESE: &str = "
    ao aos com da das de dela dele do e é ela elas ele eles em entre eram essa esse esta este foi foram há
    isso isto já lhe mais mas meu minha muito na não nem nos nós numa o onde ou para pela pelo por porque
    qual quais quando quanto que quem são se sem seu seus sua suas também tem tinha um uma você";

const ITALIAN: &str = "
    agli al alla alle allo che chi con cosa cui da dal dalla dei del della delle dello di e è erano gli ha
    hanno ho i il in io l la le lei lo loro lui ma mi nei nel nella nelle noi non o perché per più quale
    quali quando quanto quanti questo questa qui se si sono stata stato su sua suo sul sulla te ti tra un
    una uno voi";

const RUSSIAN: &str = "
    а без был была были было быть в вам вас весь во вот все всего вы где да для до его ее если есть еще же
    за и из или им их к как какая какие какими какого какой каком какую ко когда кого который которая
    которое которые которого которой которым которых кто куда ли либо мне мы на над нам нас не него нее
    нет ни них но о об обо он она они оно от ото по под при про с сколько со так такой там то того тоже
    той только том ты у уже чего чей чем что чтобы эта эти это этого этой этом этот я почему зачем ему ей
    ею ней нем ним ними кем ком кому чем чему каков какова каково каковы каким какому каких которому
    которыми свой своя свое свои своего своей своем своим своих свою себе себя может могут мог могла могли
    можно должен должна должно должны является являются являлся являлась называется называются называлась
    называлось называли называют находится находятся имеет имеют";

const CHINESE: &str = "
    什么 哪些 哪个 哪里 哪儿 怎么 怎样 如何 为何 为什 多少 是否 谁 吗 呢 的 了 是 在 和 与 有 几 么 何时 哪年 哪一 哪种 甚麼 什麼 哪裡 怎麼 為何 為什 嗎 是什 是谁 是哪
    有多 有哪 了什 的什 么是 么时 个是";

const JAPANESE: &str = "
    です ます した して する され れた れた から まで こと もの ある いる った って とは では には など どの どん どこ なに なぜ いつ だれ 何で 何が 何を 何は ました でし たか
    すか しょ ょう のは のか ので のが んな んで うか るか いた いて であ てい によ よっ れる";

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::words::Analyzer;

    #[test]
    fn the_terms_are_those_of_the_words() {
        let known: HashSet<&str> = words().collect();
        let mut analyzer = Analyzer::new();
        let mut terms = BTreeSet::new();
        words().filter(|word| word.chars().all(char::is_alphabetic)).for_each(|word| {
            analyzer.for_each(word, |term| {
                terms.insert(term.to_owned());
            });
        });
        terms.retain(|term| !known.contains(term.as_str()));
        let written: Vec<&str> = TERMS.split_whitespace().collect();
        assert_eq!(written.join(" "), terms.into_iter().collect::<Vec<_>>().join(" "));
    }

    #[test]
    fn words_and_their_terms_are_stops() {
        for word in ["what", "why", "whi", "does", "was", "которых", "что", "wer", "où", "ou", "什么", "です"]
        {
            assert!(is_stop(word), "{word}");
        }
    }

    #[test]
    fn content_words_of_any_language_are_not() {
        for word in [
            "war", "son", "sin", "ai", "ci", "os", "us", "eu", "fur", "uber", "era", "die", "api", "over", "",
        ] {
            assert!(!is_stop(word), "{word}");
        }
    }
}
