//! Facts of a busy workspace: sentences from word lists about entities, few of which are in many facts.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use jiff::ToSpan;
use jiff::civil::date;

const A_DAY: usize = 100;
const FIRST: [&str; 20] = [
    "amber", "brisk", "calm", "dusty", "eager", "faint", "grand", "hazel", "icy", "jolly", "keen", "lunar",
    "misty", "noble", "olive", "proud", "quiet", "rapid", "silver", "tidy",
];
const SECOND: [&str; 20] = [
    "anchor", "bridge", "castle", "desert", "engine", "forest", "garden", "harbor", "island", "jungle",
    "kettle", "ladder", "meadow", "needle", "orchard", "palace", "quarry", "river", "saddle", "tunnel",
];
const DOES: [&str; 16] = [
    "slowed down", "was moved to", "depends on", "broke after", "is owned by", "pays for", "replaced",
    "reports to", "was tested with", "lost data in", "is billed through", "waits for", "was designed with",
    "competes with", "was renamed after", "shares a server with",
];
const WHY: [&str; 16] = [
    "because the index was missing",
    "during the spring release",
    "for the annual audit",
    "after the contract ended",
    "since the budget was cut",
    "until the migration is over",
    "as the customer asked",
    "with a new certificate",
    "on the second disk",
    "at the offsite",
    "in the staging cluster",
    "for the mobile app",
    "before the deadline",
    "despite the review",
    "under the old licence",
    "through the payment gateway",
];

/// So many different things are spoken of besides: as in real notes, most words are rare.
const THINGS: usize = 5_000;

/// A made-up word.
fn thing(number: usize) -> String {
    const SOUNDS: [&str; 16] =
        ["ba", "co", "di", "fu", "ga", "he", "ki", "lo", "mu", "na", "pe", "ri", "so", "ta", "ve", "zu"];
    let at = |place: u32| SOUNDS[number / 16_usize.pow(place) % 16];
    format!("{}{}{}{}", at(0), at(1), at(2), at(3))
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).unwrap_or(0)
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    /// Low numbers far more often than high ones.
    fn skewed(&mut self, end: usize) -> usize {
        let share = self.below(1 << 20) as f64 / f64::from(1 << 20);
        (end as f64 * share.powi(3)) as usize
    }
}

fn name(number: usize) -> String {
    let (first, second) = (FIRST[number % FIRST.len()], SECOND[number / FIRST.len() % SECOND.len()]);
    match number / (FIRST.len() * SECOND.len()) {
        0 => format!("{first}-{second}"),
        more => format!("{first}-{second}-{more}"),
    }
}

/// Daily notes of a hundred facts each.
pub(crate) fn write(workspace: &Path, count: usize, entities: usize) -> std::io::Result<()> {
    let folder = workspace.join("memory");
    std::fs::create_dir_all(&folder)?;
    let mut random = Random(0x9E37_79B9);
    for (day, start) in (0..count).step_by(A_DAY).enumerate() {
        let date = date(2020, 1, 1).saturating_add((day as i64).days());
        let mut note = BufWriter::new(File::create(folder.join(format!("{date}.md")))?);
        writeln!(note, "## Retain\n")?;
        for number in start..(start + A_DAY).min(count) {
            let (a, b) = (name(random.skewed(entities)), name(random.skewed(entities)));
            let (does, why) = (random.pick(&DOES), random.pick(&WHY));
            let (salience, thing) = (10 + random.below(90), thing(random.skewed(THINGS)));
            writeln!(note, "- W(s=0.{salience}) @{a} @{b}: {a} {does} {b} {why} ({thing}) ^f{number}")?;
        }
        note.flush()?;
    }
    Ok(())
}

pub(crate) fn queries(count: usize, entities: usize) -> Vec<String> {
    let mut random = Random(0x51_7C_C1_B7);
    let question = |random: &mut Random| {
        let entity = name(random.skewed(entities));
        match random.below(4) {
            0 => format!("Why did {entity} slow down with {}?", thing(random.skewed(THINGS))),
            1 => format!("What could go wrong with {entity} {}?", random.pick(&WHY)),
            2 => format!("{entity} {}", random.pick(&DOES)),
            _ => format!("Who is affected when {entity} fails {}?", random.pick(&WHY)),
        }
    };
    (0..count).map(|_| question(&mut random)).collect()
}
