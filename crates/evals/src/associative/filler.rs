//! The filler of a long-running agent's days: settings, heartbeats, endpoints, updates and small talk, mostly about the
//! same five entities.

use super::thread::{ThreadFact, ThreadQuestion};
use crate::random::Random;
use mindfile_note::fact::Kind;

/// The entities that everything hangs on, with the number of facts that name them.
pub(super) const HUBS: [(&str, usize); 5] =
    [("Peter", 200), ("config", 112), ("api", 89), ("system", 78), ("heartbeat", 57)];

const COMPONENTS: [&str; 12] = [
    "mailer", "indexer", "crawler", "importer", "scheduler", "gateway", "renderer", "notifier", "exporter",
    "resizer", "archiver", "proxy",
];

/// A setting, its values, and how one asks for it without its name.
const KNOBS: [(&str, &str, &str); 10] = [
    ("batch size", "items", "How many items does the {c} handle at once?"),
    ("timeout", "seconds", "After how many seconds does the {c} give up?"),
    ("retry limit", "attempts", "How often does the {c} try again?"),
    ("thread count", "threads", "How parallel is the {c}?"),
    ("cache size", "MB", "How much memory may the {c} use for caching?"),
    ("polling interval", "minutes", "How frequently does the {c} look for news?"),
    ("retention", "days", "How long does the {c} keep old data?"),
    ("port", "", "Where does the {c} listen?"),
    ("queue length", "jobs", "How many jobs can wait in line for the {c}?"),
    ("memory limit", "GB", "How much RAM is the {c} allowed to take?"),
];

const TOPICS: [&str; 20] = [
    "the budget", "the deadline", "performance", "a contract", "backups", "the migration", "hiring",
    "the dashboard", "licences", "pricing", "the offsite", "certificates", "taxes", "the roadmap",
    "accessibility", "data protection", "an outage", "the new office", "translations", "passwords",
];
const COLLEAGUES: [&str; 10] =
    ["Alma", "Boris", "Clara", "Dennis", "Edith", "Frank", "Gloria", "Heinz", "Irma", "Karl"];
const THINGS: [&str; 12] = [
    "users", "orders", "tags", "photos", "labels", "teams", "comments", "drafts", "events", "groups",
    "badges", "themes",
];
const PACKAGES: [&str; 10] =
    ["curl", "openssl", "git", "python", "nginx", "redis", "docker", "systemd", "node", "sqlite"];
const DRAMAS: [&str; 6] = [
    "Peter's father is in hospital",
    "Peter turned forty",
    "Peter sold his house",
    "Peter got engaged",
    "Peter wants to move abroad in two years",
    "Peter was elected to the town council",
];
/// ThreadQuestion of every world, answered by none.
const UNKNOWN: [&str; 14] = [
    "Which dentist does Peter go to?",
    "What did the insurance pay after the burglary?",
    "When does the parking permit expire?",
    "Who waters the roof garden?",
    "Which bank holds the escrow account?",
    "What is the password of the guest network?",
    "How was the chess tournament?",
    "Where did we buy the espresso beans?",
    "Who translated the manual into Korean?",
    "What is the emergency number of the elevator company?",
    "Which museum did the interns visit?",
    "How tall is the antenna on the roof?",
    "What was the result of the blood test?",
    "Who won the pumpkin carving contest?",
];

/// A setting of a component: a fact that only one question asks for, among many that look like it.
pub(super) struct Needle {
    pub(super) said: ThreadFact,
    pub(super) asked: ThreadQuestion,
}

/// Every pair of setting and component, in random order.
pub(super) fn needles(random: &mut Random) -> Vec<Needle> {
    let pairs: Vec<(usize, usize)> =
        (0..COMPONENTS.len()).flat_map(|c| (0..KNOBS.len()).map(move |k| (c, k))).collect();
    random.shuffled(&pairs).into_iter().map(|(c, k)| needle(COMPONENTS[c], KNOBS[k], random)).collect()
}

fn needle(component: &str, (knob, unit, question): (&str, &str, &str), random: &mut Random) -> Needle {
    let value = random.between(2, 90);
    let value = if unit.is_empty() { format!("{}", 8000 + value) } else { format!("{value} {unit}") };
    let said = if random.chance(50) {
        format!("Set the {knob} of the {component} to {value}")
    } else {
        format!("The {knob} of the {component} is now {value}")
    };
    Needle {
        said: fact(Kind::World, random.between(20, 40), &["config", component], said),
        asked: ThreadQuestion {
            category: "needle".to_owned(),
            gold: vec![0],
            text: question.replace("{c}", component),
        },
    }
}

pub(super) fn unknown(random: &mut Random, count: usize) -> Vec<ThreadQuestion> {
    let chosen = random.shuffled(&UNKNOWN).into_iter().take(count);
    chosen
        .map(|text| ThreadQuestion {
            category: "unanswerable".to_owned(),
            gold: Vec::new(),
            text: text.to_owned(),
        })
        .collect()
}

pub(super) fn dramas() -> impl Iterator<Item = ThreadFact> {
    DRAMAS.into_iter().map(|text| fact(Kind::Experience, 95, &["Peter"], text.to_owned()))
}

/// A fact about a hub.
pub(super) fn about(hub: &str, random: &mut Random) -> ThreadFact {
    let kind = Kind::Experience;
    let salience = random.between(10, 55);
    let (tags, text) = match hub {
        "heartbeat" => (vec![], heartbeat(random)),
        "api" => (vec![], endpoint(random)),
        "system" => (vec![], system(random)),
        "config" => (
            vec![],
            format!(
                "Turned {} for {} {}",
                random.pick(&["on", "off"]),
                random.pick(&THINGS),
                random.pick(&["autosave", "paging", "sorting", "search", "sharing"])
            ),
        ),
        _ => small_talk(random),
    };
    let mut all = vec![hub];
    all.extend(tags);
    fact(kind, salience, &all, text)
}

fn heartbeat(random: &mut Random) -> String {
    let n = random.between(2, 900);
    match random.below(5) {
        0 => format!("Heartbeat came {n} ms late"),
        1 => format!("Heartbeat found {n} overdue reminders"),
        2 => format!("Heartbeat number {n} was skipped while the laptop slept"),
        3 => format!("Heartbeat took {n} ms"),
        _ => format!("Heartbeat changed nothing for {n} minutes"),
    }
}

fn endpoint(random: &mut Random) -> String {
    let a = *random.pick(&THINGS);
    let b = *random.pick(&THINGS);
    let n = random.between(2, 90);
    match random.below(5) {
        0 => format!("Endpoint /{a} returned 500 {n} times"),
        1 => format!("Added the field {b} to /{a}"),
        2 => format!("The endpoint /{a} is slow with more than {n} {b}"),
        3 => format!("Requests for /{a} are limited to {n} a minute"),
        _ => format!("Deprecated /{a} in favour of /{b}"),
    }
}

fn system(random: &mut Random) -> String {
    let package = *random.pick(&PACKAGES);
    let n = random.between(2, 90);
    match random.below(4) {
        0 => format!("Installed {package} {}.{n}", random.between(1, 9)),
        1 => format!("System used {n} percent of memory at noon"),
        2 => format!("Updated {package} to {}.{n}", random.between(1, 9)),
        _ => format!("Disk was {n} percent full"),
    }
}

fn small_talk(random: &mut Random) -> (Vec<&'static str>, String) {
    let topic = *random.pick(&TOPICS);
    let other = *random.pick(&COLLEAGUES);
    match random.below(6) {
        0 => (vec![other], format!("Peter had a call with {other} about {topic}")),
        1 => (vec![], format!("Peter asked for a summary on {topic}")),
        2 => (vec![], format!("Peter read an article about {topic}")),
        3 => (vec![other], format!("{other} sent Peter a message about {topic}")),
        4 => (vec![], format!("Peter worked from home on day {}", random.between(1, 60))),
        _ => (vec![other], format!("Peter had lunch with {other}")),
    }
}

fn fact(kind: Kind, percent: usize, tags: &[&str], text: String) -> ThreadFact {
    let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    ThreadFact { kind, salience: percent as f32 / 100.0, tags, text }
}
