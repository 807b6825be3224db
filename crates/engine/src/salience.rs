//! How much a fact matters, estimated from what it says when nobody tells.
//!
//! Two witnesses are heard. *Cues* (`cues.rs`) are words and phrases that speak for one of the scale's four bands.
//! *Anchors* (`anchors.rs`) are sentences with a known place on the scale: a fact gets the mean place of the seven
//! anchors nearest to it in meaning, the nearer the more, drawn a little away from the middle. The rules, in order:
//!
//! 1. A cue of the *defining* band (identity, relationships, careers, health, death) decides alone: 0.93, and 0.02 more
//!    for each further one, up to 0.99.
//! 2. A cue of the *important* band (decisions, deadlines, teams, contracts, outages, law) says 0.74, and 0.04 more for
//!    each further one, up to 0.88; a date beside it counts as one, and each cue of the minor band takes 0.12 away. The
//!    cues count two thirds, the anchors one third.
//! 3. Cues of the *minor* band (tastes, moods, weather, what holds just now) say 0.34, and 0.06 less for each further
//!    one, down to 0.10; again they count two thirds. An opinion counts as one more of them.
//! 4. Without such cues the anchors decide, 0.08 less for an opinion; where the table knows no word of the text, it is
//!    routine, 0.5.
//!
//! Cues and anchors are English. In another language a fact lands near the middle until someone says otherwise with
//! `--salience` or in the file.

mod anchors;
mod cues;
mod reply;

use mindfile_note::fact::Kind;

pub use reply::{Asking, Reply, parse};

use cues::Found;

/// The anchors of the scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Band {
    /// 0.1 to 0.4: minor preferences, passing states, easily found again.
    Minor,
    /// 0.4 to 0.7: routine work, settings, fixes.
    Routine,
    /// 0.7 to 0.9: decisions, changes of a team, deadlines.
    Important,
    /// 0.9 to 1: defines who someone is, changes a relationship or a career.
    Defining,
}

impl Band {
    pub fn of(salience: f32) -> Self {
        match salience {
            s if s >= 0.9 => Self::Defining,
            s if s >= 0.7 => Self::Important,
            s if s >= 0.4 => Self::Routine,
            _ => Self::Minor,
        }
    }
}

/// The salience of a fact by its kind and text, 0.1 to 0.99, in hundredths.
pub fn estimate(kind: Kind, text: &str) -> f32 {
    (weigh(kind, cues::find(text), anchors::nearest(text).unwrap_or(0.5)) * 100.0).round() / 100.0
}

fn weigh(kind: Kind, found: Found, anchored: f32) -> f32 {
    let taste = u32::from(kind == Kind::Opinion);
    let minor = (found.minor + taste) as f32;
    let mixed = |cued: f32| (2.0 * cued + anchored) / 3.0;
    if found.defining > 0 {
        (0.91 + 0.02 * found.defining as f32).min(0.99)
    } else if found.important > 0 {
        let raised = 0.70 + 0.04 * (found.important + found.dates) as f32;
        mixed((raised.min(0.88) - 0.12 * minor).max(0.3))
    } else if found.minor > 0 {
        mixed((0.40 - 0.06 * minor).max(0.10))
    } else {
        (anchored - 0.08 * taste as f32).max(0.10)
    }
}
