//! The estimate against sentences that were written, with their bands, before its rules were.

use mindfile::fact::salience::{Band, estimate};
use mindfile_note::fact::Kind;
use mindfile_note::fact::Kind::{Experience as B, Opinion as O, World as W};

const DEFINING: [(Kind, &str); 10] = [
    (B, "Sarah is leaving the company next month"),
    (B, "Tomas and Ines got married in Lisbon on Saturday"),
    (B, "The user was diagnosed with type 2 diabetes"),
    (W, "Priya has been promoted to VP of Engineering"),
    (B, "Marcus resigned and his last day is Friday"),
    (B, "The user's mother passed away on Sunday"),
    (W, "User's name is Daniel Okafor, pronouns they/them"),
    (B, "Elena accepted the job offer from the university and is relocating to Oslo"),
    (B, "Jonas and Katrin are expecting their first child in May"),
    (B, "Half of the platform team was laid off this morning"),
];

const IMPORTANT: [(Kind, &str); 10] = [
    (W, "The Q1 launch deadline is March 15"),
    (B, "We decided to migrate from MySQL to PostgreSQL before the summer"),
    (W, "Nadia joins the backend team as tech lead on Monday"),
    (W, "The board approved the budget for the mobile app"),
    (B, "The team agreed to drop support for the v1 API"),
    (W, "The contract with Halden expires at the end of June and must be renewed"),
    (B, "Production was down for three hours because the certificate expired"),
    (W, "The security audit has to be finished by 30 April"),
    (B, "Chose Terraform over Pulumi as the standard for all infrastructure"),
    (W, "Omar takes over the billing project from Lin"),
];

const ROUTINE: [(Kind, &str); 10] = [
    (B, "Updated heartbeat interval from 5m to 30m"),
    (B, "Fixed the off-by-one error in the pagination of the orders list"),
    (W, "Rate limiting is 100 requests per minute"),
    (B, "Increased worker pool size to 4"),
    (B, "Merged the pull request that adds retry logic to the uploader"),
    (W, "The staging server runs Debian 12 with nginx in front"),
    (B, "Refactored the date parser and added twelve unit tests"),
    (W, "Backups are written to the second disk every night at two"),
    (B, "Deployed version 2.3.0 to staging"),
    (W, "The search service listens on port 8081"),
];

const MINOR: [(Kind, &str); 10] = [
    (O, "User likes oat milk in coffee"),
    (B, "The build is currently red, probably a flaky test"),
    (W, "It is raining in Hamburg today"),
    (O, "Prefers tabs a bit wider in the editor"),
    (B, "Had lunch at the Thai place around the corner"),
    (B, "Waiting for the download to finish"),
    (O, "Finds the new icon slightly too dark"),
    (W, "The meeting room on the third floor is booked until 3 pm today"),
    (B, "Restarted the laptop because the fan was loud"),
    (O, "Enjoys listening to jazz while coding"),
];

/// Written after the rules and the anchors; neither was changed for them.
const HELD_OUT: [(Band, Kind, &str); 20] = [
    (Band::Defining, B, "Samir's twins were delivered early this week"),
    (Band::Defining, W, "Ingrid has been in a wheelchair since childhood"),
    (Band::Defining, B, "Leo was sacked after the argument"),
    (Band::Defining, B, "The user's best friend took his own life"),
    (Band::Defining, B, "Chiara was elected president of the foundation"),
    (Band::Important, B, "Management killed the tablet version"),
    (Band::Important, W, "Proposals have to reach the ministry before 3 October"),
    (Band::Important, B, "Yusuf hands the infrastructure group to Beate"),
    (Band::Important, W, "From July on every supplier needs a code of conduct"),
    (Band::Important, B, "Attackers got hold of two thousand customer passwords"),
    (Band::Routine, W, "The thumbnailer keeps its temporary files in /var/tmp"),
    (Band::Routine, B, "Split the user model into two modules"),
    (Band::Routine, B, "Turned on compression for the static assets"),
    (Band::Routine, W, "Feature flags are read once at start"),
    (Band::Routine, B, "Bisected the regression to a change in the tokenizer"),
    (Band::Minor, O, "Hates pineapple on pizza"),
    (Band::Minor, B, "Forgot the umbrella on the train"),
    (Band::Minor, W, "The elevator plays a tune this week"),
    (Band::Minor, O, "Is annoyed by the loud keyboard next door"),
    (Band::Minor, B, "The video call froze twice"),
];

fn misplaced(band: Band, sentences: &[(Kind, &str)]) -> Vec<String> {
    let wrong = sentences.iter().filter(|(kind, text)| Band::of(estimate(*kind, text)) != band);
    wrong.map(|(kind, text)| format!("{band:?} {:.2} {text}", estimate(*kind, text))).collect()
}

#[test]
fn most_sentences_fall_into_their_band() {
    let bands = [
        (Band::Defining, DEFINING),
        (Band::Important, IMPORTANT),
        (Band::Routine, ROUTINE),
        (Band::Minor, MINOR),
    ];
    let wrong: Vec<String> = bands.iter().flat_map(|(band, said)| misplaced(*band, said)).collect();
    assert!(wrong.len() <= 8, "{wrong:#?}");
}

#[test]
fn three_quarters_of_the_sentences_that_the_rules_never_saw_do_too() {
    let wrong: Vec<String> =
        HELD_OUT.iter().flat_map(|(band, kind, text)| misplaced(*band, &[(*kind, text)])).collect();
    assert!(wrong.len() <= 5, "{wrong:#?}");
}

#[test]
fn estimates_spread_over_the_range() {
    let all = [DEFINING, IMPORTANT, ROUTINE, MINOR];
    let mut values: Vec<u32> =
        all.iter().flatten().map(|(kind, text)| (estimate(*kind, text) * 100.0).round() as u32).collect();
    values.sort_unstable();
    assert!(values[0] <= 30 && values[values.len() - 1] >= 90, "{values:?}");
    values.dedup();
    assert!(values.len() >= 10, "{values:?}");
}
