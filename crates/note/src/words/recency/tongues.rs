//! Words of time and of news, by language. Each is spelled as people write it; case and marks do not matter.

use super::super::tongue::{
    ONLY_DUTCH, ONLY_FRENCH, ONLY_GERMAN, ONLY_ITALIAN, ONLY_NORDIC, ONLY_PORTUGUESE, ONLY_ROMANIAN,
    ONLY_SLAVIC, ONLY_SPANISH, ONLY_TURKISH,
};

pub(super) struct TimeWords {
    pub(super) is_english: bool,
    /// For what is new, or has changed or happened.
    pub(super) news: &'static str,
    pub(super) this: &'static str,
    pub(super) last: &'static str,
    pub(super) since: &'static str,
    /// Words that name days by themselves, with the first and the last of these counted back from today.
    pub(super) named: &'static [(u16, u16, &'static str)],
    /// Day, week, month, year.
    pub(super) units: [&'static str; 4],
    /// How it is asked, beside stop words: there is, anything, tell me, what matters.
    pub(super) rest: &'static str,
    /// The stop words of this language alone.
    pub(super) only: &'static str,
    /// Who, where, when, why, how.
    pub(super) otherwise: &'static str,
}

pub(super) static TONGUES: [TimeWords; 20] = [
    ENGLISH, GERMAN, DUTCH, NORDIC, FRENCH, SPANISH, PORTUGUESE, ITALIAN, ROMANIAN, POLISH, CZECH, TURKISH,
    RUSSIAN, UKRAINIAN, GREEK, ARABIC, HINDI, CHINESE, JAPANESE, KOREAN,
];

const ENGLISH: TimeWords = TimeWords {
    is_english: true,
    news: "new news newest newly recent recently latest lately update updates updated updating change changes changed
        changing happen happens happened happening occur occurs occurred occurring development developments progress",
    this: "this these",
    last: "last past recent previous preceding few couple several",
    since: "since",
    named: &[(0, 0, "today tonight"), (1, 1, "yesterday")],
    units: ["day days", "week weeks weekend weekends", "month months", "year years"],
    rest: "anything something everything nothing thing things stuff item items event events fact facts note notes
        memory memories entry entries going goings gone goes go went done up out over off down around during within
        through throughout until till far so there here look see hear heard come comes came coming made make add
        added learn learned learnt find found need needs want know known remember recall give gimme show list bring
        catch fill keep let lets tell told us please summary summarize summarise recap overview digest brief
        briefing report highlight highlights rundown important importance interesting notable noteworthy major big
        main significant relevant worth else kind sort info information details lot current
        currently date whats time times",
    only: "",
    otherwise: "how why who whom whose where when",
};

const GERMAN: TimeWords = TimeWords {
    is_english: false,
    news: "neu neue neuer neues neuen neuem neueste neuesten neuester neuestes neuste neusten neuigkeit neuigkeiten
        nachrichten kürzlich neulich letztens zuletzt jüngst jüngste jüngsten neuerdings aktuell aktuelle aktuellen
        aktuelles aktualisierung aktualisierungen aktualisiert update updates änderung änderungen ändert geändert
        änderte verändert veränderte veränderung veränderungen passiert passierte passieren geschehen geschah
        geschieht ereignet vorgefallen getan los fortschritt fortschritte entwicklung entwicklungen",
    this: "diese dieser diesem dieses diesen",
    last: "letzte letzten letzter letztes letztem vergangene vergangenen vergangener vergangenes vorige vorigen
        voriger voriges vorherige vorherigen paar",
    since: "seit",
    named: &[(0, 0, "heute"), (1, 1, "gestern"), (2, 2, "vorgestern")],
    units: ["tag tage tagen", "woche wochen wochenende", "monat monate monaten monats", "jahr jahre jahren jahres"],
    rest: "gibt gab gibts irgendwas irgendetwas irgendwelche etwas alles nichts sich mal denn bitte so da dazu
        wichtig wichtige wichtiges wichtigste wichtigsten interessant interessante interessantes besonderes
        erwähnenswertes zeig zeige zeigt zeigen sag sage erzähl erzähle nenn nenne gib fass fasse zusammen
        zusammenfassung überblick übersicht weiß weißt weißt du wissen gekommen hinzugekommen dazugekommen gelernt
        bisher inzwischen seitdem ereignis ereignisse ding dinge sache sachen stand auf den laufenden gemacht notiz
        notizen fakten erinnerungen allem vor gewesen war was los so zeit am",
    only: ONLY_GERMAN,
    otherwise: "wie warum wieso weshalb wer wen wem wessen wo wohin woher wann",
};

const DUTCH: TimeWords = TimeWords {
    is_english: false,
    news: "nieuw nieuwe nieuws nieuwtje nieuwtjes nieuwste recent recente recentelijk onlangs laatst update updates
        bijgewerkt wijziging wijzigingen gewijzigd veranderd veranderde verandering veranderingen gebeurd gebeurde
        gebeurt gebeuren gebeurtenissen voorgevallen ontwikkeling ontwikkelingen gaande actueel vooruitgang",
    this: "deze dit",
    last: "laatste vorige afgelopen voorbije paar",
    since: "sinds",
    named: &[(0, 0, "vandaag vanavond"), (1, 1, "gisteren"), (2, 2, "eergisteren")],
    units: ["dag dagen", "week weken weekend", "maand maanden", "jaar jaren"],
    rest: "iets alles niets geef toon laat zien vertel noem samenvatting overzicht belangrijk belangrijke
        belangrijkste belangrijks interessant interessants weet gedaan zoal allemaal dingen notities feiten
        bijgekomen is zijn er tijd in of",
    only: ONLY_DUTCH,
    otherwise: "hoe waarom wie waar wanneer",
};

/// Danish, Norwegian and Swedish.
const NORDIC: TimeWords = TimeWords {
    is_english: false,
    news: "ny nye nyt nytt nya nyhed nyheder nyhet nyheter nyheterna nyligt nylig nyligen senest sist opdatering
        opdateringer opdateret oppdatering oppdateringer oppdatert uppdatering uppdateringar uppdaterat ændring
        ændringer ændret endring endringer endret ändring ändringar ändrat ändrats forandret forandringer skete sket
        sker skjedde skjedd skjer hände hänt händer hendt hændt färde fremskridt framsteg",
    this: "denne dette disse denna detta dessa her här",
    last: "sidste siste sista seneste senaste forrige förra tidligere tidigare par",
    since: "siden sedan",
    named: &[(0, 0, "idag"), (1, 1, "igår")],
    units: [
        "dag dage dager dagar dagen dagene dagarna",
        "uge uger ugen ugerne uke uker uken ukene vecka veckor veckan veckorna weekend weekenden helg helgen",
        "måned måneder måneden månederne månad månader månaden månaderna",
        "året årene",
    ],
    rest: "noget noe något nogen noen några nogle alt allt intet ingenting vis visa gi giv ge fortæl fortell berätta
        oversigt oversikt översikt sammendrag sammanfattning vigtig vigtigt viktig viktigt vigtigste viktigste
        viktigaste interessant intressant gjort gjorde ting saker noter fakta findes finns fins finnes tid tiden varit
        vært været at for i",
    only: ONLY_NORDIC,
    otherwise: "hvor hvordan hvorfor hvem hvornår hur varför vem",
};

const FRENCH: TimeWords = TimeWords {
    is_english: false,
    news: "neuf neuve nouveau nouveaux nouvelle nouvelles nouveauté nouveautés récent récents récente récentes
        récemment dernièrement actualité actualités actu mise mises changé change changement changements modifié
        modification modifications passé passe produit arrivé évolué évolution évolutions avancé avancées progrès
        évènement évènements événement événements",
    this: "cette ce ces",
    last: "dernier dernière derniers dernières précédent précédente passé passée",
    since: "depuis",
    named: &[(0, 0, "aujourd"), (1, 1, "hier")],
    units: ["jour jours journée", "semaine semaines weekend week", "mois", "an ans année années"],
    rest: "hui il y qu quelque quelques chose choses tout tous rien cours dis dites montre montrez donne donnez raconte
        racontez résume résumez résumé récapitulatif aperçu important importante importants importantes intéressant
        intéressants fait faits sais savez notes end fin lieu là temps on me",
    only: ONLY_FRENCH,
    otherwise: "comment pourquoi où quand combien",
};

const SPANISH: TimeWords = TimeWords {
    is_english: false,
    news: "nuevo nueva nuevos nuevas novedad novedades noticia noticias reciente recientes recientemente últimamente
        actualización actualizaciones actualizado cambio cambios cambiado cambió cambiaron pasado pasó pasa pasando
        sucedido sucedió sucede ocurrido ocurrió ocurre acontecido avances",
    this: "esta este estos estas",
    last: "última último últimos últimas pasado pasada pasados pasadas anterior anteriores",
    since: "desde",
    named: &[(0, 0, "hoy"), (1, 1, "ayer"), (2, 2, "anteayer")],
    units: ["día días", "semana semanas", "mes meses", "año años"],
    rest: "algo alguna algún algunas algunos alguno hubo todo nada cuéntame cuenta dime muestra muéstrame dame resumen
        resume resúmeme importante importantes interesante interesantes relevante hecho hecho hemos has visto sabes
        cosa cosas evento eventos nota notas hechos durante fin tiempo tiempos no me he",
    only: ONLY_SPANISH,
    otherwise: "cómo quién quiénes dónde cuándo cuánto",
};

const PORTUGUESE: TimeWords = TimeWords {
    is_english: false,
    news: "novo nova novos novas novidade novidades notícia notícias recente recentes recentemente ultimamente
        atualização atualizações atualizado mudou mudança mudanças mudaram alteração alterações alterou aconteceu
        acontece aconteceram acontecendo acontecido ocorreu passou avanços",
    this: "esta este estes estas essa esse nesta neste desta deste nessa nesse",
    last: "última último últimos últimas passado passada passados passadas anterior anteriores",
    since: "desde",
    named: &[(0, 0, "hoje"), (1, 1, "ontem"), (2, 2, "anteontem")],
    units: ["dia dias", "semana semanas", "mês meses", "ano anos"],
    rest: "algo alguma algum algumas alguns houve teve tudo nada conta conte diga mostre mostra dê resumo resuma
        importante importantes interessante interessantes relevante fizemos feito sabe coisa coisas evento eventos
        nota notas fatos durante fim tempo tempos as do no me",
    only: ONLY_PORTUGUESE,
    otherwise: "quem onde quando quanto",
};

const ITALIAN: TimeWords = TimeWords {
    is_english: false,
    news: "nuovo nuova nuovi nuove novità notizia notizie recente recenti recentemente ultimamente aggiornamento
        aggiornamenti aggiornato cambiato cambiata cambiati cambia cambiamento cambiamenti modifica modifiche successo
        succede succedendo accaduto accade avvenuto progressi",
    this: "questa questo questi queste",
    last: "ultima ultimo ultimi ultime scorsa scorso scorsi scorse passata passato passati passate precedente",
    since: "dal dalla da",
    named: &[(0, 0, "oggi"), (1, 1, "ieri"), (2, 2, "altroieri")],
    units: ["giorno giorni", "settimana settimane weekend", "mese mesi", "anno anni"],
    rest: "qualcosa qualche tutto niente dimmi raccontami mostrami mostra dammi riassumi riassunto riepilogo
        panoramica importante importanti interessante interessanti rilevante fatto abbiamo hai sai cosa cose evento
        eventi nota note fatti fine durante tempo tempi in no",
    only: ONLY_ITALIAN,
    otherwise: "come chi dove quando quanto",
};

const ROMANIAN: TimeWords = TimeWords {
    is_english: false,
    news: "nou nouă noutate noutăți noutățile știri știre recent recente recentă actualizare actualizări actualizările
        schimbat schimbare schimbări schimbările modificat modificări întâmplat întâmplă petrecut",
    this: "această aceasta acest acestea aceste asta",
    last: "ultima ultimul ultimele ultimii trecut trecută trecuta trecute precedentă",
    since: "",
    named: &[(0, 0, "azi astăzi"), (1, 1, "ieri"), (2, 2, "alaltăieri")],
    units: [
        "zi zile zilele", "săptămână săptămâna săptămâni săptămânile", "lună luna luni lunile", "an anul ani anii",
    ],
    rest: "ceva vreo vreun tot totul nimic spune arată rezumat important importante interesant făcut lucruri fost
        noi timp vreme am on",
    only: ONLY_ROMANIAN,
    otherwise: "cum cine unde când",
};

const POLISH: TimeWords = TimeWords {
    is_english: false,
    news: "nowy nowa nowe nowego nowych nowości nowość wieści ostatnio niedawno niedawne aktualności aktualizacja
        aktualizacje aktualizacji zmiana zmiany zmian zmieniło zmienił zmieniła zmieniły wydarzyło wydarzyły
        wydarzenia wydarzeń stało dzieje działo zaszło świeżego słychać postępy",
    this: "ten ta to tym tego tej bieżącym",
    last: "ostatni ostatnia ostatnie ostatnich ostatnim ostatniego ostatniej ostatnią zeszły zeszłym zeszłego zeszłej
        zeszłą ubiegły ubiegłym ubiegłego poprzedni poprzednim miniony minionym kilku parę",
    since: "od",
    named: &[(0, 0, "dziś dzisiaj"), (1, 1, "wczoraj"), (2, 2, "przedwczoraj")],
    units: [
        "dzień dnia dni dniach", "tydzień tygodnia tygodniu tygodni tygodniach", "miesiąc miesiąca miesiącu miesięcy
        miesiącach", "rok roku lat lata latach",
    ],
    rest: "coś wszystko nic powiedz pokaż podaj opowiedz podsumuj podsumowanie przegląd ważnego ważne ważnych
        najważniejsze ciekawego zrobiliśmy rzeczy jakieś jakiś jakichś mnie u czas czasie czasu",
    only: ONLY_SLAVIC,
    otherwise: "jak kto gdzie kiedy dlaczego",
};

const CZECH: TimeWords = TimeWords {
    is_english: false,
    news: "nový nová nové nového nových novinka novinky novinek zprávy zpráva nedávno nedávné aktualizace aktualizací
        změna změny změn změnilo změnil změnila stalo děje dělo událo událost události událostí",
    this: "tento tato toto tomto této tenhle tohoto",
    last: "poslední posledních posledním posledního minulý minulé minulého minulém minulou předchozí uplynulém",
    since: "od",
    named: &[(0, 0, "dnes dneska"), (1, 1, "včera"), (2, 2, "předevčírem")],
    units: [
        "den dny dní dnů dnech", "týden týdne týdnu týdny týdnů týdnech", "měsíc měsíce měsíci měsíců",
        "rok roku roky let letech",
    ],
    rest: "něco všechno nic řekni ukaž shrň shrnutí přehled důležitého důležité zajímavého nějaké nějaký udělali
        věci nás době čas doba",
    only: ONLY_SLAVIC,
    otherwise: "jak kdo kde kdy proč",
};

const TURKISH: TimeWords = TimeWords {
    is_english: false,
    news: "yeni yenilik yenilikler yeniler haber haberler güncelleme güncellemeler değişiklik değişiklikler değişti
        değişen oldu oluyor yaşandı gelişme gelişmeler",
    this: "bu",
    last: "geçen son önceki geçtiğimiz birkaç",
    since: "beri",
    named: &[(0, 0, "bugün"), (1, 1, "dün")],
    units: ["gün günler günlerde günde", "hafta haftada haftalarda haftaki", "ay ayda aylarda ayki", "yıl yılda sene"],
    rest: "bir şey şeyler zaman zamanlarda herhangi bana anlat söyle göster özet özetle önemli ilginç yaptık dan den",
    only: ONLY_TURKISH,
    otherwise: "nasıl kim nerede neden niçin niye",
};

const RUSSIAN: TimeWords = TimeWords {
    is_english: false,
    news: "новый новая новое новые нового новых новости новость новостей новенького недавно недавние недавнее свежие
        свежего обновление обновления обновлений обновилось изменение изменения изменений изменилось изменился
        изменилась поменялось произошло происходит происходило случилось событие события событий",
    this: "этот эта эту этой это этом этого",
    last: "последний последняя последнее последние последних последнюю последней прошлый прошлая прошлое прошлую
        прошлой прошлом прошлого прошедший прошедшую минувшую предыдущий несколько",
    since: "с со",
    named: &[(0, 0, "сегодня"), (1, 1, "вчера вчерашнего"), (2, 2, "позавчера")],
    units: [
        "день дня дни дней днях", "неделя неделю недели неделе недель", "месяц месяца месяце месяцев",
        "год года году лет годы",
    ],
    rest: "нибудь чего всё ничего расскажи скажи покажи дай сводка обзор итоги важного важное важные интересного
        сделали вещи время",
    only: "",
    otherwise: "как кто где когда почему зачем",
};

const UKRAINIAN: TimeWords = TimeWords {
    is_english: false,
    news: "новий нова нове нові нового нових новини новина новин нещодавно недавно свіжі оновлення оновлень зміна
        зміни змін змінилося змінилось сталося сталось відбулося відбувається трапилося подія події подій",
    this: "цей ця цю цього цьому",
    last: "останній остання останнє останні останніх минулий минула минулого минулому минулі кілька",
    since: "з від",
    named: &[(0, 0, "сьогодні"), (1, 1, "вчора учора"), (2, 2, "позавчора")],
    units: [
        "день дня дні днів днях", "тиждень тижня тижні тижнів", "місяць місяця місяці місяців", "рік року роки років",
    ],
    rest: "щось небудь є в у на за нас мені все нічого розкажи скажи покажи важливого важливе цікавого зробили ми
        останнім часом якісь",
    only: "",
    otherwise: "як хто де коли чому",
};

const GREEK: TimeWords = TimeWords {
    is_english: false,
    news: "νέο νέα νέος νέες νέων πρόσφατα πρόσφατες πρόσφατο τελευταία ενημέρωση ενημερώσεις αλλαγή αλλαγές άλλαξε
        άλλαξαν συνέβη συνέβησαν συμβαίνει έγινε έγιναν γεγονότα καινούργιο καινούριο",
    this: "αυτή αυτήν αυτόν αυτό αυτές",
    last: "τελευταία τελευταίο τελευταίες τελευταίων προηγούμενη προηγούμενο περασμένη περασμένο",
    since: "από",
    named: &[(0, 0, "σήμερα"), (1, 1, "χθες χτες"), (2, 2, "προχθές")],
    units: ["μέρα μέρες ημέρα ημέρες", "εβδομάδα εβδομάδες", "μήνα μήνας μήνες", "χρόνο έτος χρονιά χρόνια"],
    rest: "υπάρχει υπάρχουν κάτι τίποτα όλα πες δείξε σημαντικό σημαντικά κάναμε",
    only: "",
    otherwise: "πώς ποιος πού πότε γιατί",
};

const ARABIC: TimeWords = TimeWords {
    is_english: false,
    news: "جديد الجديد جديدة أخبار الأخبار مؤخرا حديثا تحديث تحديثات التحديثات تغير تغيير تغييرات التغييرات حدث يحدث حصل
        أحدث مستجدات المستجدات",
    this: "هذا هذه",
    last: "الماضي الماضية الأخير الأخيرة السابق آخر",
    since: "منذ",
    named: &[(0, 0, "اليوم"), (1, 1, "أمس البارحة")],
    units: ["يوم أيام الأيام", "أسبوع الأسبوع أسابيع", "شهر الشهر أشهر", "سنة السنة عام العام"],
    rest: "هناك شيء كل أخبرني أرني ملخص مهم خلال",
    only: "",
    otherwise: "كيف متى أين لماذا",
};

const HINDI: TimeWords = TimeWords {
    is_english: false,
    news: "नया नई नए ताज़ा ताजा हाल हालिया समाचार खबर ख़बर खबरें अपडेट बदला बदली बदलाव परिवर्तन हुआ हुई हुए",
    this: "इस",
    last: "पिछले पिछला पिछली गत बीते",
    since: "",
    named: &[(0, 0, "आज"), (1, 1, "कल")],
    units: ["दिन दिनों", "सप्ताह हफ्ते हफ़्ते हफ्ता", "महीने महीना माह", "साल वर्ष"],
    rest: "कुछ कोई में सब बताओ बताइए दिखाओ महत्वपूर्ण खास हमने",
    only: "",
    otherwise: "कैसे कौन कब कहाँ कहां",
};

const CHINESE: TimeWords = TimeWords {
    is_english: false,
    news: "新消息 新闻 新聞 新鲜事 新鮮事 新的 新变化 新變化 新情况 新情況 最新 最近 近来 近來 近期 近况 近況 更新 变化 變化 变动 變動
        改变 改變 发生 發生 进展 進展 动态 動態 消息",
    this: "这 這 本",
    last: "过去 過去 最近 上 前",
    since: "以来 以來",
    named: &[
        (0, 0, "今天 今日"),
        (1, 1, "昨天 昨日"),
        (2, 2, "前天"),
        (
            7,
            0,
            "这周 這周 這週 本周 本週 这星期 這星期 这个星期 這個星期 这一周 這一週 最近一周 最近一週 过去一周 過去一週 这个礼拜 這個禮拜",
        ),
        (14, 0, "上周 上週 上星期 上个星期 上個星期 上礼拜 上個禮拜"),
        (31, 0, "这个月 這個月 本月 最近一个月 最近一個月 过去一个月 過去一個月"),
        (62, 0, "上个月 上個月"),
        (366, 0, "今年"),
        (732, 0, "去年"),
    ],
    units: ["天", "星期 个星期 個星期", "个月 個月", "年"],
    rest: "有 有没有 有沒有 什么 什麼 哪些 任何 一些 吗 嗎 呢 的 了 是 过 過 都 里 裡 内 內 几 幾 我 我们 我們 请 請 告诉 告訴 看看 给 給
        说说 說說 总结 總結 概括 重要 重大 事 事情 事件 情况 情況 怎么样 怎麼樣 做 和 啊 吧 哪",
    only: "",
    otherwise: "谁 誰 怎么 怎麼 为什么 為什麼 哪里 哪裡 哪儿 哪兒 何时 何時 什么时候 什麼時候 多少",
};

const JAPANESE: TimeWords = TimeWords {
    is_english: false,
    news: "新しい 新しく 新着 最新 最近 近頃 このごろ ニュース 更新 アップデート 変化 変更 変わった 変わりました 起きた 起きました 起こった
        起こりました あった ありました 出来事 お知らせ 進展 動き",
    this: "この",
    last: "過去 ここ 直近 この",
    since: "以来 以降 から",
    named: &[
        (0, 0, "今日 本日 きょう"),
        (1, 1, "昨日 きのう"),
        (2, 2, "一昨日 おととい"),
        (7, 0, "今週 この一週間 ここ一週間"),
        (14, 0, "先週"),
        (31, 0, "今月 この一か月 ここ一か月"),
        (62, 0, "先月"),
        (366, 0, "今年"),
        (732, 0, "昨年 去年"),
    ],
    units: ["日間", "週間", "か月 ヶ月 カ月 か月間 ヶ月間 カ月間", "年間"],
    rest: "何 何か なに なにか は が を に の で と も や か ね よ ある あります いる います した しました です でした 教えて 見せて ください
        まとめて 要約 概要 重要な 重要 大きな 面白い こと もの 事 全部 すべて について 特に 情報 みんな 私たち 中 内 どう どんな",
    only: "",
    otherwise: "誰 だれ どこ いつ なぜ どうして どうやって",
};

const KOREAN: TimeWords = TimeWords {
    is_english: false,
    news: "새로운 새 새로 소식 뉴스 최근 최근에 요즘 최신 업데이트 변화 변경 바뀐 바뀌었 달라진 일어난 일어났 생긴 있었 근황 진행",
    this: "이번",
    last: "지난 저번 과거",
    since: "이후 부터",
    named: &[(0, 0, "오늘"), (1, 1, "어제"), (2, 2, "그저께 그제")],
    units: ["일 날", "주 주간 주일 주말", "달 개월", "년"],
    rest: "무슨 어떤 뭐 뭔가 뭐가 무엇 것 거 일 일이 은 는 이 가 을 를 에 의 도 나 요 있어 있어요 있나요 있습니까 있는 있는지 어 어요
        습니까 나요 했어 했나요 우리 우리가 알려 알려줘 주세요 줘 말해 보여 요약 중요한 중요 동안 사이 모두 전부 까 한",
    only: "",
    otherwise: "누가 누구 어디 언제 왜 어떻게",
};
