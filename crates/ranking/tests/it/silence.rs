//! When the notes do not know, the answer is empty.

use mindfile_ranking::search::{Mode, Part, Request, Stage};

use crate::world::World;
use crate::{all, by, demo, paths};

#[test]
fn a_question_about_a_name_that_nobody_wrote_is_empty() {
    let world = World::new(&[
        ("memory/limits.md", "# Limits\n\nThe rate limit is 100 requests a minute.\n"),
        ("memory/pace.md", "# Pace\n\nLimit the rate at which staging is asked.\n"),
    ]);
    let answer = world.answer("What did Zebulon Quirke say about the rate limit?");
    assert_eq!(answer.hits, []);
    assert!(answer.below_minimum > 0);
}

#[test]
fn among_few_notes_what_has_nothing_to_do_with_the_question_is_left_out() {
    let world = World::new(&[
        ("memory/lake.md", "# Day\n\nThe heron nests by the lake.\n"),
        ("memory/office.md", "# 記憶\n\n東京の会議は水曜日です。\n"),
        ("memory/code.md", "# T\n\nPR-4711 fixed in parse_config_v2()\n"),
    ]);
    assert_eq!(world.finds("heron"), ["memory/lake.md"]);
    assert_eq!(paths(&world.answer("bird at the water").hits)[0], "memory/lake.md", "in other words");
    assert_eq!(world.finds("who owes me money"), Vec::<String>::new());
    let weak = world.search(&all("heron"), None).unwrap().answer;
    assert_eq!(weak.hits.len(), 3, "they are there for who asks for them");
}

#[test]
fn a_question_about_something_else_is_empty() {
    let world = demo();
    for question in [
        "Which ski resort did we book for February?",
        "Who won the chess tournament at the club?",
        "What did the electrician say about the solar panels?",
        "How do I prune the apple trees in the garden?",
        "When does my passport expire?",
        "Where did I store the skis?",
        "Which gym membership did I cancel?",
        "How many strings does a cello have?",
    ] {
        let answer = world.answer(question);
        assert_eq!(paths(&answer.hits), Vec::<&str>::new(), "{question}");
        assert!(!world.ask(&all(question)).answer.hits.is_empty(), "{question}");
    }
}

/// Among more notes something is always nearer, whatever is asked: the same hit says less there.
#[test]
fn what_is_near_among_few_notes_may_be_chance_among_many() {
    let strength = |world: &World| world.ask(&all("bird at the water")).answer.strength.unwrap();
    let mut world = World::new(&[("memory/lake.md", "The heron nests by the lake.\n")]);
    let few = strength(&world);
    for number in 0..30 {
        world
            .save(&format!("memory/{number}.md"), format!("Invoice {number} was paid in full.\n").as_bytes());
    }
    let many = strength(&world);
    assert!(many.evidence.nearness_lead < few.evidence.nearness_lead, "{few:?} {many:?}");
}

/// One word in common says little; a question that says more, and is as near, is answered.
#[test]
fn a_question_that_tells_more_is_believed_more() {
    let told = |query| demo().ask(&all(query)).answer.strength.unwrap().evidence.told;
    let short = told("dog");
    let long = told("what did the veterinarian say about the infected ear of the dog");
    assert!(short < 2.0 && long > 2.0 * short, "{short} {long}");
    assert!((told("the dog of") - short).abs() < 1e-5, "stop words tell nothing");
}

/// A note a line.
fn world(lines: &[&str]) -> World {
    let named: Vec<(String, &str)> =
        lines.iter().enumerate().map(|(at, line)| (format!("memory/{at:02}.md"), *line)).collect();
    let notes: Vec<(&str, &str)> = named.iter().map(|(name, line)| (name.as_str(), *line)).collect();
    World::new(&notes)
}

const RUSSIAN: [&str; 20] = [
    "Принтер чистят спиртом раз в месяц.",
    "Поезд в Казань уходит в семь утра.",
    "Врач просил принимать таблетки после еды.",
    "Соседка сверху вернула лестницу.",
    "Договор аренды продлили до весны.",
    "Велосипед стоит в подвале у двери.",
    "Новый пароль хранится в сейфе.",
    "Бабушка печёт пироги с капустой.",
    "Кот боится пылесоса и грозы.",
    "Собрание перенесли на среду.",
    "Ключ от почтового ящика потерялся.",
    "Учитель математики хвалит Аню.",
    "Билеты в театр купил Олег.",
    "Машину отдали в ремонт, тормоза скрипят.",
    "Дача открывается в мае.",
    "Сервер перезагружается ночью.",
    "Хлеб берём в пекарне на углу.",
    "Мастер починит окно в пятницу.",
    "Отпуск начинается в августе.",
    "Рецепт супа записан в тетради.",
];

const THAI: [&str; 20] = [
    "รถไฟไปเชียงใหม่ออกตอนเจ็ดโมงเช้า",
    "หมอให้กินยาหลังอาหาร",
    "แมวกลัวเสียงฟ้าร้อง",
    "ประชุมเลื่อนไปวันพุธ",
    "กุญแจตู้จดหมายหายไป",
    "ครูคณิตศาสตร์ชมน้องนิด",
    "ซื้อตั๋วละครเวทีแล้ว",
    "รถเข้าอู่เพราะเบรกดัง",
    "บ้านสวนเปิดเดือนพฤษภาคม",
    "เซิร์ฟเวอร์เริ่มใหม่ตอนกลางคืน",
    "ซื้อขนมปังที่ร้านหัวมุม",
    "ช่างจะซ่อมหน้าต่างวันศุกร์",
    "วันหยุดเริ่มเดือนสิงหาคม",
    "สูตรต้มยำอยู่ในสมุด",
    "จักรยานอยู่ในห้องใต้ดิน",
    "เพื่อนบ้านคืนบันไดแล้ว",
    "สัญญาเช่าต่อถึงปีหน้า",
    "รหัสผ่านใหม่อยู่ในตู้เซฟ",
    "ยายทำขนมกล้วย",
    "เครื่องพิมพ์ต้องล้างทุกเดือน",
];

#[test]
fn in_languages_that_the_table_does_not_know_the_words_decide() {
    let russian = world(&RUSSIAN);
    assert_eq!(paths(&russian.answer("Когда уходит поезд в Казань?").hits)[0], "memory/01.md");
    assert_eq!(paths(&russian.answer("пироги").hits), ["memory/07.md"]);
    let other = "Какой университет основал император в столице?";
    assert_eq!(paths(&russian.answer(other).hits), Vec::<&str>::new());
    // There is no vector for these at all.
    let thai = world(&THAI);
    assert_eq!(paths(&thai.answer("รถไฟไปเชียงใหม่ออกกี่โมง").hits)[0], "memory/00.md");
    let other = "ใครเป็นผู้ก่อตั้งมหาวิทยาลัยแห่งแรกของประเทศ";
    assert_eq!(paths(&thai.answer(other).hits), Vec::<&str>::new());
}

#[test]
fn a_question_about_an_id_that_nobody_wrote_is_empty() {
    let world = demo();
    for question in ["What did commit 5d0c9b2 fix?", "Who reviewed PR-99999?", "What is issue #98765 about?"]
    {
        assert_eq!(paths(&world.answer(question).hits), Vec::<&str>::new(), "{question}");
        assert!(!world.ask(&all(question)).answer.hits.is_empty(), "{question}");
    }
    assert!(!world.answer("What did commit 5d0c9b1 fix?").hits.is_empty());
}

/// Among many notes of its language, a name that none has; among few, a word that none has says little.
#[test]
fn unheard_names_and_words_count_where_they_tell() {
    let russian = world(&RUSSIAN);
    let value = |query: &str| russian.ask(&all(query)).answer.strength.unwrap().value;
    assert!(value("дорогие билеты и гостиницу купил Олег") > value("дорогие билеты и гостиницу купил олег"));
    assert!(value("билеты купил Прохор") < value("билеты купил прохор"));
    let mut lines = vec!["The ferry leaves at nine."; 60];
    lines.push("Посылка задержалась на таможне.");
    let few = world(&lines);
    assert_eq!(paths(&few.answer("Почему посылка пришла позже?").hits), ["memory/60.md"]);
}

/// What English notes do not say in Swedish is no news.
#[test]
fn a_question_is_asked_of_notes_in_its_language() {
    let lines: Vec<String> =
        (0..60).map(|day| format!("Train {day} leaves at nine, and the ferry at ten.")).collect();
    let mut lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    lines.push("Bagaren tror att vi säljer åttahundra bullar på kanelbullens dag, och ännu mer kaffe.");
    let mixed = world(&lines);
    let question = "Hur många bullar väntar sig chefen att butiken blir av med under högtiden i oktober?";
    assert_eq!(paths(&mixed.answer(question).hits), ["memory/60.md"]);
    let dutch = "Wat is de naam van het schip met de bakker?";
    assert_eq!(paths(&mixed.answer(dutch).hits), Vec::<&str>::new(), "no note is in Dutch");
}

/// A capital letter is no name in German, and a word in another form is no unheard word.
#[test]
fn words_in_other_forms_are_the_same_words() {
    let german = world(&[
        "Den Lehrlingen zeigt Rosa, wie man mit Laugen umgeht.",
        "Die Fenster werden im Herbst ausgetauscht.",
        "Der Schachverein trifft sich freitags.",
        "Das Rad steht im Keller.",
    ]);
    let asked = |query: &str| german.ask(&all(query)).answer.strength.unwrap().evidence;
    assert_eq!(asked("Wer bringt dem Lehrling den Umgang mit der Lauge bei?").names_unknown, None);
    assert_eq!(
        paths(&german.answer("Wer bringt dem Lehrling den Umgang mit der Lauge bei?").hits),
        ["memory/00.md"]
    );
    assert!(asked("der Lehrling").words_lead > asked("der Meister").words_lead);
    let turkish = world(&["Kovanlar kışın bahçede kaldı.", "Tren sabah yedide kalkıyor."]);
    assert_eq!(paths(&turkish.answer("Kovanların yeri neresiydi?").hits), ["memory/00.md"]);
}

/// Where two words meet, a pair of their characters stands in no note.
#[test]
fn a_pair_of_ideographs_between_two_known_ones_is_no_unheard_word() {
    let chinese =
        world(&["工厂在国庆节放假七天。", "海运需要三十天。", "样品的运费由我们付。", "会议改到星期三。"]);
    let lead = |query: &str| chinese.ask(&all(query)).answer.strength.unwrap().evidence.words_lead;
    // 厂放 is where 工厂 and 放假 meet; 天文 and 文台 are of a word that no note has.
    assert!(lead("工厂放假") > 1.5 * lead("工厂天文台"));
    assert!((lead("工厂放假") - lead("工厂 放假")).abs() < 0.1);
}

#[test]
fn who_asks_for_words_gets_what_has_them() {
    let russian = world(&RUSSIAN);
    let weak = "Когда новый музей истории авиации в столице закрыли на долгий ремонт?";
    assert_eq!(paths(&russian.ask(&by(Mode::Hybrid, weak)).answer.hits), Vec::<&str>::new());
    assert!(!russian.ask(&by(Mode::Keyword, weak)).answer.hits.is_empty());
}

#[test]
fn marks_ask_for_nothing() {
    let world = World::new(&[
        ("memory/ask.md", "Where? Who? When?\n\nThe ferry is blue.\n"),
        ("memory/say.md", "The ferry leaves at nine.\n"),
    ]);
    let nearness = |query: &str| -> Vec<f32> {
        let hits = world.ask(&all(query)).answer.hits;
        let raw = hits.iter().flat_map(|hit| &hit.parts.parts).filter_map(|part| match part {
            Part::Term { stage: Stage::Interaction, raw, .. } => Some(*raw),
            Part::Term { .. } | Part::Factor { .. } => None,
        });
        raw.collect()
    };
    assert_eq!(nearness("when does the ferry leave?"), nearness("when does the ferry leave"));
}

#[test]
fn strength_is_the_best_score_and_says_why() {
    let reasons = |world: &World, request: &Request| -> Vec<&'static str> {
        let response = world.ask(request);
        let strength = response.answer.strength.unwrap();
        assert!((strength.value - response.answer.hits[0].score).abs() < 1e-5, "{request:?}");
        strength.reasons(&response.plan).into_iter().map(|(name, _)| name).collect()
    };
    let english = demo();
    let asked = |mode, query| Request { mode: Some(mode), ..all(query) };
    let meant = ["nearness lead", "cosine lead", "unheard", "told"];
    assert_eq!(reasons(&english, &all("Which ski resort did we book?")), meant);
    assert_eq!(reasons(&english, &all("What does Zebulon want?")), [&meant[..], &["names unknown"]].concat());
    assert_eq!(reasons(&english, &asked(Mode::Keyword, "ski resort book")), ["coverage"]);
    assert_eq!(reasons(&english, &asked(Mode::Vector, "ski resort book")), ["cosine lead"]);
    let mixed = [&["understood"], &meant[..], &["words lead"]].concat();
    assert_eq!(reasons(&english, &all("book waschmaschine")), mixed);
    let mixed = [&mixed[..], &["names unknown"]].concat();
    assert_eq!(reasons(&english, &all("book Waschmaschine")), mixed);
    assert_eq!(reasons(&world(&RUSSIAN), &all("поезд в казань")), ["words lead", "letters lead"]);
    let named = ["words lead", "letters lead", "names unknown"];
    assert_eq!(reasons(&world(&RUSSIAN), &all("поезд в Казань")), named);
    assert_eq!(reasons(&world(&THAI), &all("รถไฟไปเชียงใหม่ออกกี่โมง")), ["words lead"]);
    let nothing = World::new(&[]).ask(&all("anything")).answer;
    assert_eq!((nothing.strength, nothing.hits.len()), (None, 0));
}
