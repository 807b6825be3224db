//! Stop words: how a question is phrased, not what it is about.
//!
//! The lists hold nothing that, folded, is a content word in another language or a usual abbreviation (German
//! `war` and `für`, French `son`, Spanish `sin`, Portuguese `os`, Italian `ai`), because a question does not
//! say which language it is in. If one of these words shows that, more are stop words (`tongue.rs`).

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

/// Whether a word, or the term made of it, is a stop word.
pub fn is_stop(word: &str) -> bool {
    STOPS.contains(word)
}

/// Whether a word is a stop word, but not one of English.
pub fn is_foreign_stop(word: &str) -> bool {
    is_stop(word) && !ENGLISH.split_whitespace().any(|english| english == word)
}

/// Whether a pair of Chinese characters is held together by grammar: one of them is a particle.
pub(super) fn is_grammar(term: &str) -> bool {
    let mut chars = term.chars();
    let pair = (chars.next(), chars.next(), chars.next());
    matches!(pair, (Some(first), Some(second), None) if PARTICLES.contains(first) || PARTICLES.contains(second))
}

/// Characters that rarely begin or end a content word.
const PARTICLES: &str = "的了吗呢么什谁嗎麼甚誰哪怎这這";

/// Made by every process that searches, so that it has to cost little: nobody chooses these words to collide.
static STOPS: LazyLock<HashSet<&'static str, BuildHasherDefault<Fnv>>> = LazyLock::new(|| {
    let all =
        words().chain([TERMS, KOREAN, THAI, VIETNAMESE].into_iter().flat_map(str::split_ascii_whitespace));
    let mut stops = HashSet::with_capacity_and_hasher(2048, BuildHasherDefault::default());
    stops.extend(all);
    stops
});

/// Fowler, Noll and Vo's hash.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn words() -> impl Iterator<Item = &'static str> {
    let latin = [
        ENGLISH, GERMAN, DUTCH, NORDIC, FRENCH, SPANISH, PORTUGUESE, ITALIAN, SLAVIC, ROMANIAN, TURKISH,
        OTHERS,
    ];
    let others = [GREEK, RUSSIAN, UKRAINIAN, ARABIC, PERSIAN, HEBREW, HINDI, CHINESE, JAPANESE];
    latin.into_iter().chain(others).flat_map(str::split_ascii_whitespace)
}

/// The terms of these words that are not themselves in the lists. Analysing all words would take longer than the rest of a
/// search.
const TERMS: &str = "
    adond ag ani becaus byli cand carei carui cate cati cett dies doe dokad dond ell ello entr ess
    etaient etait ete etr habia hatt howev hvilk hvornar icin kac kacinci kacta kdi kedi kiedi ktera
    ktere ktereho kteri ktora ktore ktorego ktorej ktori ktorych ktorym ktorzi laquell lesquel lesquell
    mani miert missa mista mita nao nasil nered nerey nicin niy nosotro notr ond onli ourselv perch piu
    pleas porqu preco quai quell sao segun skad sobr tambem tambien themselv tien varfor veri voce votr
    waarme waarto welch whi wofur worub wurd απ αυτ γ γιατ εινα ειχ εν εχ ητ κα κατ μ οπωσ οτ οταν π ποι
    ποσ ποτ πωσ σ στ στισ τ τισ ωσ бул быт ве всег долж должн е ег ем есл ест ещ зач ил ког когд кол
    котор куд либ могл можн называ наход нег поч сво себ скольк тог тож тольк уж че чег чог чом чтоб эт
    явля ال الت الذ ان او اي اين ايه ذين عل كجا كدام كه كي لد لماذ ماذ مت چيس چگون まし 一 个 为 些 什 何 做 儿 叫
    否 哪 多 如 少 年 怎 时 样 為 甚 种 称 裡 里 麼";

/// Prepositions of place and time are not among them: `over`, `after` or `through` help to find what was
/// said.
pub(super) const ENGLISH: &str = "
    a about again all also am an and any are as at be because been being both but by can could did do does
    doing dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant couldnt shouldnt
    each ever for from get got had has have having he her here hers herself him himself his how however i
    if in into is it its itself just let like many me mention mentioned mentions might much must my myself
    no nor not now of on only or other our ours ourselves please said say says shall she should so some
    such tell than that the their theirs them themselves then there these they this those to too upon very
    was we were what when where which while who whom whose why will with would you your yours yourself";

pub(super) const GERMAN: &str = "
    aber als auf aus bei beim bis dass dem der des das diese diesem diesen dieser dieses ein eine einem
    einen einer eines er es habe haben hatte hatten ich ihr ihre im ist ja kann kein keine mich mir nach
    nicht noch nur oder sein seine sich sie sind und uns vom von vor wann waren warum wegen welche welchem
    welchen welcher welches wem wen wenn wer werden weshalb wessen wie wieso wieviel wieviele wird wir wo
    wodurch wofür woher wohin womit woran worauf worin worüber wovon wozu wurde wurden zu zum zur";

pub(super) const DUTCH: &str = "
    een deze heeft hebben het hoe hoeveel waar waaraan waardoor waarin waarmee waarom waarop waartoe
    waarvan waarvoor wanneer wat welk welke werd werden zijn";

/// Danish, Norwegian and Swedish.
pub(super) const NORDIC: &str = "
    hur hva hvad hvem hvilke hvilken hvilket hvor hvordan hvorfor hvornår och vad varför vem vems vilka
    vilken vilket";

pub(super) const FRENCH: &str = "
    au aux avec ce ces cette combien comment de des du elle elles en est et était étaient eux il ils je
    la le les leur leurs lui ma mes moi ne nos notre nous où ou par pas pourquoi quand que quel quelle
    quelles quels qui quoi sa se ses sont sur ta te tes toi tu un une vos votre vous été être lequel
    laquelle lesquels lesquelles";

pub(super) const SPANISH: &str = "
    adonde adónde al algo aquel aquella como cómo con cual cuál cuáles cuando cuándo cuanta cuánta
    cuantas cuántas cuanto cuánto cuantos cuántos de del donde dónde el él ella ellos en eran es esa ese
    eso esta está estaba este esto fue fueron ha había han hay la las le les lo los mi muy ni nos
    nosotros o para pero por porque que qué quien quién se según ser si sobre su sus también tiene un
    una uno unos y ya yo";

pub(super) const PORTUGUESE: &str = "
    ao aos com da das de dela dele do e é ela elas ele eles em entre eram essa esse esta este foi foram
    há isso isto já lhe mas meu minha muito na não nem nos nós numa o onde ou para pela pelo por porque
    qual quais quando quanto quantos que quem são se sem seu seus sua suas também tem tinha um uma você";

pub(super) const ITALIAN: &str = "
    agli al alla alle allo che chi con cosa cui da dal dalla dei del della dello di e è erano gli ha
    hanno ho i il in io l la le lei lo loro lui ma mi nei nel nella noi non o perché per più quale quali
    quando quanto quanti questo questa qui se si sono stata stato su sua suo sul sulla te ti tra un una
    uno voi";

/// Polish, Czech and Slovak.
pub(super) const SLAVIC: &str = "
    był była było były byl byla bylo byly czemu czyich czyj czyja czyje czym dlaczego dokąd gdzie ilu
    jaka jaká jaką jaki jakich jakie jakiego jakiej jakim jakimi jakou jaký jsou kdo kdy kedy kiedy kogo
    kolik koľko kolko komu która která którą które které którego kterého której którym který
    który których którzy kterou ktorá ktoré ktorý kto prečo się skąd są";

pub(super) const TURKISH: &str = "
    bir hangi hangisi için kaç kaçıncı kaçta kimden kimdir kime kimin kimler nasıl neden nedir neler nerede
    nereden neresi nereye neydi niçin niye olan olarak";

pub(super) const ROMANIAN: &str = "
    când cărei cărui câte câți cine este pentru sunt unde";

/// Finnish, Hungarian and Indonesian.
const OTHERS: &str = "
    kuinka mihin miksi milloin missä mistä miten mitä montako hogyan melyik mennyi miért mikor adalah
    apakah bagaimana berapa dengan dimana kapan kenapa mengapa siapa siapakah untuk";

const GREEK: &str = "
    από για δεν είναι ένα ένας η ήταν θα και κατά με να ο οι ποια ποιά ποιαν ποιες ποιο ποιό ποιοι ποιον
    ποιος ποιός ποιους ποιου ποιων πόσα πόσες πόση πόσο πόσοι πόσους πότε πώς πως σε στα στη στην στις στο
    στον στους τα τη την της τι τις το τον του τους των ως γιατί μου σου αυτό αυτή αυτός όταν όπως που ότι
    μας σας έχει είχε είχαν στου δε";

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

const UKRAINIAN: &str = "
    був була було були де до є за й коли кого кому та такий така таке такі хто чи чий чого чому ще що
    щоб як яка яке який яким яких якими якій якого якої якому якою які";

const ARABIC: &str = "
    أي أية أين إلى التي الذي الذين بماذا بم عن في كان كانت كم كيف لماذا لمن ما ماذا متى من هذا هذه هل هو
    هي على أن إن لم لا لن قد كل ذلك تلك كانوا يكون تكون مع أو ثم كما لدى له لها لهم";

const PERSIAN: &str = "
    از است این با به بود چرا چقدر چگونه چند چه چیست در را کجا کدام کی که";

const HEBREW: &str = "
    אילו איזה איזו איך איפה את באיזה באיזו באילו בכמה במה האם הוא היא היכן כיצד כמה לאיזה לאיזו לאן לכמה
    למה למי מאיזה מאיזו מדוע מה מהו מהי מהן מי ממה ממי מניין מתי על של";

const HINDI: &str = "
    और इस उस क्या क्यों कब कहाँ कहां कितना कितनी कितने किस किसका किसकी किसके किसने किसे का की के को कैसे
    कैसी कैसा कौन कौनसा गई गए गया तक था थी थे ने पर में यह वह लिए से है हैं नहीं किया हुई हुआ हुए जाता
    जाती जाते रहा रही रहे वाला वाली वाले कर करने एक भी ही तो जो कि इसे उसे अपने अपनी अपना उनके उनकी उनका
    मेरा मेरी मेरे";

const CHINESE: &str = "
    什么 哪些 哪个 哪里 哪儿 怎么 怎样 如何 为何 为什 多少 是否 谁 吗 呢 的 了 是 在 和 与 有 几 么 何时 何种 叫做 称为 哪年 哪一 哪种 甚麼 什麼 哪裡 怎麼 為何 為什 嗎 是什 是谁 是哪
    有多 有哪 了什 的什 么是 么时 个是";

const JAPANESE: &str = "
    です ます した して する され れた れた から まで こと もの ある いる った って とは では には など どの どん どこ なに なぜ いつ だれ 何で 何が 何を 何は ました でし たか
    すか しょ ょう のは のか ので のが んな んで うか るか いた いて であ てい によ よっ れる たの はど はな ぜで りま るの られ かっ なっ ため
    どう いま とに にな るこ しま めて よう なか れま くな てで にし らで のた めで でい うし めに うに なり ると この その ない りに らせ
    ても でも てる れて なく てく んだ だっ うと せた につ ませ せん えま させ でに うで との れば あり とし てお うな";

/// As terms, which are pairs of syllables: asking words, and how verbs end.
const KOREAN: &str = "
    무엇 엇이 엇인 엇을 누구 구인 구였 누가 언제 어떤 무슨 어디 디에 디서 얼마 마나 몇 왜 나요 니까 인가 가요 까요 습니 입니 었습 었나 했나 는지 을까 에서 으로 이었 것은 것이
    것을 때문 라고 하는 했습 되었 였습 니다 어느 에게 까지 부터 하고 하여 하기 있는 있습 없는 에는 서는";

/// As terms, too.
const THAI: &str = "
    อะไร ว่าอะ ออะ ใคร ทำไม ไหน เท่าไร ใดที่ งใด อใด นใด";

/// With their marks, which make them words of their own.
const VIETNAMESE: &str = "
    bởi của để được mấy một những ở sẽ thế tại từ với vậy";

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
    fn some_stop_words_tell_the_language() {
        assert!(["wer", "hangi", "которых", "dónde"].into_iter().all(is_foreign_stop));
        assert!(!["what", "is", "ferry", "für"].into_iter().any(is_foreign_stop));
    }

    #[test]
    fn content_words_of_any_language_are_not() {
        for word in [
            "war", "son", "sin", "ai", "ci", "os", "us", "eu", "fur", "uber", "era", "die", "api", "over",
            "", "dan", "dell", "nell", "mai", "jake", "kim", "mika", "wien", "jest", "kde", "proc", "cat",
            "yang",
        ] {
            assert!(!is_stop(word), "{word}");
        }
    }
}
