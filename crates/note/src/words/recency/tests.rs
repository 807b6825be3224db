//! Questions about recent things, and questions that are about something.

use super::period;

/// `any`: recent, however far back; `7..0`: from seven days ago until today; `no`: not about time alone.
fn shown(question: &str) -> String {
    period(question).map_or("no".to_owned(), |period| {
        period.first.map_or("any".to_owned(), |first| format!("{first}..{}", period.last))
    })
}

fn check(expected: &str, questions: &[&str]) {
    let wrong: Vec<String> = questions
        .iter()
        .map(|question| format!("{question}: {}", shown(question)))
        .filter(|told| !told.ends_with(&format!(": {expected}")))
        .collect();
    assert_eq!(wrong, [""; 0], "expected {expected}");
}

/// They ask for what is new, and do not say since when.
const RECENT: &[&str] = &[
    "any recent updates",
    "Any recent updates?",
    "what's new",
    "What’s new?",
    "what is new",
    "whats new",
    "Is there anything new?",
    "Has anything changed recently?",
    "What has happened lately?",
    "what happened in the last few days",
    "Bring me up to date with the latest developments",
    "Give me a summary of recent changes",
    "latest news please",
    "Show me the newest notes",
    "Hasn't anything happened?",
    "was gibt es Neues",
    "Was gibt's Neues?",
    "Gibt es etwas Neues?",
    "Ist in letzter Zeit etwas passiert, was ich wissen sollte?",
    "Was hat sich geändert?",
    "Was ist zuletzt geschehen?",
    "Irgendwelche Neuigkeiten?",
    "quoi de neuf",
    "Qu'est-ce qui a changé récemment ?",
    "Y a-t-il du nouveau ?",
    "Quelles sont les dernières nouvelles ?",
    "¿Qué hay de nuevo?",
    "¿Ha cambiado algo últimamente?",
    "novidades recentes",
    "O que aconteceu recentemente?",
    "Che cosa è successo di recente?",
    "Ci sono novità?",
    "Is er nog nieuws?",
    "Wat is er onlangs veranderd?",
    "Hvad er der sket for nylig?",
    "Har det hänt något nytt?",
    "Co nowego?",
    "Co się ostatnio zmieniło?",
    "Co je nového?",
    "Ne var ne yok, yeni bir şey oldu mu?",
    "Son değişiklikler neler?",
    "Что нового?",
    "Какие есть новости?",
    "Що нового?",
    "Τι νέα;",
    "Ce mai e nou?",
    "ما الجديد؟",
    "हाल में क्या बदला?",
    "最近有什么新消息？",
    "最近发生了什么",
    "最近何か変わったことはありますか",
    "最近のニュースは？",
    "최근에 무슨 일이 있었나요?",
    "새로운 소식 있어?",
    "what's the latest",
    "recent events",
    "tell me about the past few days",
    "updates?",
    "Was ist neu?",
    "Was hat sich in letzter Zeit getan?",
    "Des nouvelles ?",
    "Qu'est-ce qui est nouveau ?",
    "¿Alguna novedad?",
    "Cuéntame las últimas noticias",
    "O que há de novo?",
    "Quais são as últimas atualizações?",
    "Novità?",
    "Quali sono gli ultimi aggiornamenti?",
    "Laatste nieuws",
    "Vad är nytt?",
    "Hva er nytt?",
    "Co się dzieje?",
    "Stalo se něco?",
    "Расскажи последние новости",
    "Які новини?",
    "Son haberler",
    "最近怎么样",
    "有什么新鲜事吗？",
    "最新情報を教えて",
    "요즘 뭐 새로운 거 있어?",
    "ما آخر الأخبار؟",
    "कोई नई खबर?",
];

#[test]
fn what_is_new_is_asked_in_many_ways_and_languages() {
    check("any", RECENT);
}

#[test]
fn a_span_of_time_is_a_period_of_days() {
    check(
        "0..0",
        &["what happened today?", "Was ist heute passiert?", "今天发生了什么？", "今日何があった？"],
    );
    check("1..1", &["what happened yesterday", "Was war gestern?", "Что произошло вчера?", "昨天有什么消息"]);
    check("1..0", &["what's new since yesterday", "Was ist seit gestern passiert?"]);
    check(
        "7..0",
        &[
            "what happened this week",
            "What did we do this week?",
            "Was ist diese Woche passiert?",
            "Que s'est-il passé cette semaine ?",
            "¿Qué pasó esta semana?",
            "O que mudou nesta semana?",
            "Cosa è cambiato questa settimana?",
            "Wat is er deze week gebeurd?",
            "Vad har hänt denna vecka?",
            "Co się zmieniło w tym tygodniu?",
            "Co se stalo tento týden?",
            "Bu hafta ne oldu?",
            "Что произошло на этой неделе?",
            "इस हफ्ते क्या हुआ?",
            "这周发生了什么？",
            "今週の出来事を教えて",
            "이번 주에 무슨 일이 있었나요?",
        ],
    );
    check("14..0", &["what happened last week", "Was ist letzte Woche passiert?", "la semaine dernière ?"]);
    check("14..0", &["what changed in the last 2 weeks", "ce s-a întâmplat săptămâna trecută"]);
    check(
        "3..0",
        &["what changed in the last 3 days", "Was ist in den letzten 3 Tagen passiert?", "最近3天有什么变化"],
    );
    check("31..0", &["anything new this month?", "Quoi de neuf ce mois ?", "本月有什么新闻"]);
}

/// They have a word of something else, ask for something else, or name no time.
const ABOUT_SOMETHING: &[&str] = &[
    "",
    "?",
    "what",
    "to be or not to be",
    "any recent updates on the database",
    "recent changes of the API",
    "what did Sarah do this week",
    "news about @heartbeat",
    "\"recent updates\"",
    "what's new in v2.3.0",
    "latest 1.80 release",
    "capital of Mongolia",
    "quantum chromodynamics",
    "database",
    "the new office",
    "New York",
    "new year",
    "новый год",
    "año nuevo",
    "what year is it",
    "which day is it",
    "how do I update",
    "who changed it",
    "where is the latest",
    "when did that happen",
    "Wie ändere ich das?",
    "Wer war gestern da?",
    "Was gibt es Neues vom Vermieter?",
    "Was ist die Hauptstadt der Mongolei?",
    "Last dieser Woche",
    "quoi de neuf sur le projet",
    "¿Qué hay de nuevo con el coche?",
    "novità sul contratto",
    "Что нового у Маши?",
    "Какая столица Монголии?",
    "最近张伟怎么样",
    "数据库有什么更新",
    "蒙古的首都",
    "日本最近のニュース",
    "会議の最新情報",
    "데이터베이스에 새로운 소식 있어?",
    "recent 🎉",
    "news from Berlin",
    "latest version of the SDK",
    "what changed in the config",
    "is the new laptop here",
    "who is new",
    "new passwords",
    "happy new year",
    "last name of Sarah",
    "day job",
    "week number of the release",
    "yesterday's meeting",
    "today's standup notes",
    "recent emails",
    "update the wiki",
    "what's new with Sarah",
    "change of plans",
    "year of birth",
    "the months ahead",
    "how was yesterday",
    "why did things change",
    "where are the notes",
    "memory leak",
    "facts about whales",
    "events calendar",
    "Neujahr",
    "Neue Wohnung",
    "Tagesplan",
    "gestern beim Arzt",
    "letzte Rechnung",
    "nouvelle voiture",
    "la semaine de Paul",
    "noticias de Madrid",
    "novo emprego",
    "nuova casa",
    "nieuwe auto",
    "ny bil",
    "nowy samochód",
    "nový byt",
    "новая работа",
    "新年",
    "新车",
    "日本",
    "新宿",
    "새 차",
    "yeni araba",
    "capital of France",
    "editor theme",
    "rate limit",
    "What time is it?",
    "how many days",
    "two weeks notice",
    "Monats-Abo",
    "le mois de mai",
    "passé composé",
    "last call",
    "end of the year review",
    "first week at work",
    "thing",
];

#[test]
fn one_word_of_something_else_makes_it_a_question_about_that() {
    check("no", ABOUT_SOMETHING);
}

#[test]
fn a_long_run_of_characters_takes_no_longer_than_its_length() {
    let run = "の".repeat(8_000);
    assert_eq!(period(&run), None);
    assert_eq!(period(&format!("{run}象")), None);
}
