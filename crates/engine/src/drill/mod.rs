//! The drill: canaries of every origin are put into a copy of the memory, everything that answers is asked, and what came
//! out is compared with what may. For each canary there is also a way on which it must come through: a drill in which
//! nothing crosses because nothing answers proves nothing.

mod plant;
mod probe;
mod scratch;

use crate::error::Error;
use crate::memory::Memory;
use plant::Planted;
use scratch::Scratch;

/// Whose word a canary is, or what was done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Canary {
    Owner,
    Agent,
    Untrusted,
    System,
    Private,
    Masked,
    Forgotten,
}

impl Canary {
    pub const ALL: [Self; 7] = [
        Self::Owner,
        Self::Agent,
        Self::Untrusted,
        Self::System,
        Self::Private,
        Self::Masked,
        Self::Forgotten,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Agent => "agent",
            Self::Untrusted => "untrusted",
            Self::System => "system",
            Self::Private => "private",
            Self::Masked => "masked",
            Self::Forgotten => "forgotten",
        }
    }
}

/// Where a canary is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Search,
    Recall,
    /// As an agent asks.
    AgentSearch,
    AgentRecall,
    /// As the owner's terminal asks on behalf of a model.
    ModelSearch,
    /// With `--include-untrusted`.
    UntrustedSearch,
    UntrustedRecall,
    /// What a model is given unasked.
    Context,
    /// MEMORY.md and the bank after a reflection.
    Reflect,
    /// What a flush wrote into the day's note.
    Flush,
    /// Every byte of the copy.
    Disk,
    /// A search, for what stands in place of a value.
    Mask,
    /// A search before it was forgotten.
    Before,
    /// Keeping it once more.
    Again,
    /// Saying that it is the owner's word, at the terminal.
    RaiseToOwner,
    /// The same through an agent's door.
    RaiseByAgent,
    /// Saying that it is the program's own word.
    RaiseToSystem,
}

impl Way {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Recall => "recall",
            Self::AgentSearch => "search by an agent",
            Self::AgentRecall => "recall by an agent",
            Self::ModelSearch => "search for a model",
            Self::UntrustedSearch => "search --include-untrusted",
            Self::UntrustedRecall => "recall --include-untrusted",
            Self::Context => "context",
            Self::Reflect => "reflect",
            Self::Flush => "flush",
            Self::Disk => "disk, in clear",
            Self::Mask => "search, as a mask",
            Self::Before => "search, before",
            Self::Again => "retain again",
            Self::RaiseToOwner => "trust by the owner",
            Self::RaiseByAgent => "trust by an agent",
            Self::RaiseToSystem => "trust as system",
        }
    }
}

/// What a canary may do on a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum May {
    /// The control: it must come through.
    Pass,
    /// The line: it must not.
    Stay,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A control that came through.
    Passed,
    /// A canary that did not cross.
    Stayed,
    /// A canary that crossed a line that it must not cross.
    Crossed,
    /// A control that did not come through.
    Silent,
}

impl Verdict {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Stayed => "stayed",
            Self::Crossed => "crossed",
            Self::Silent => "silent",
        }
    }

    pub fn is_well(self) -> bool {
        match self {
            Self::Passed | Self::Stayed => true,
            Self::Crossed | Self::Silent => false,
        }
    }
}

/// One canary on one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    pub canary: Canary,
    pub way: Way,
    pub may: May,
    pub came: bool,
}

impl Trial {
    pub fn verdict(self) -> Verdict {
        match (self.may, self.came) {
            (May::Pass, true) => Verdict::Passed,
            (May::Pass, false) => Verdict::Silent,
            (May::Stay, true) => Verdict::Crossed,
            (May::Stay, false) => Verdict::Stayed,
        }
    }
}

/// What a drill found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drill {
    /// Notes of the copy, without the canaries.
    pub notes: usize,
    /// Whether they are the sample's, because there are none of one's own.
    pub sample: bool,
    pub trials: Vec<Trial>,
}

impl Drill {
    /// Nothing crossed, and every control came through.
    pub fn is_well(&self) -> bool {
        self.trials.iter().all(|trial| trial.verdict().is_well())
    }

    pub fn count(&self, verdict: Verdict) -> usize {
        self.trials.iter().filter(|trial| trial.verdict() == verdict).count()
    }
}

/// What each canary may do. A canary without a control, or without a line, would prove nothing.
pub const LINES: &[(Canary, &[Way], &[Way])] = &[
    (
        Canary::Owner,
        &[
            Way::Search,
            Way::Recall,
            Way::AgentSearch,
            Way::AgentRecall,
            Way::ModelSearch,
            Way::Context,
            Way::Reflect,
            Way::Flush,
            Way::Disk,
        ],
        &[],
    ),
    (
        Canary::Agent,
        &[Way::Search, Way::Recall, Way::AgentSearch, Way::Context, Way::Reflect, Way::Flush],
        &[],
    ),
    (
        Canary::Untrusted,
        &[Way::UntrustedSearch, Way::UntrustedRecall],
        &[
            Way::Search,
            Way::Recall,
            Way::AgentSearch,
            Way::AgentRecall,
            Way::ModelSearch,
            Way::Context,
            Way::Reflect,
            Way::Flush,
        ],
    ),
    (Canary::System, &[Way::RaiseToOwner], &[Way::RaiseToSystem, Way::RaiseByAgent]),
    (
        Canary::Private,
        &[Way::Search, Way::Recall],
        &[
            Way::AgentSearch,
            Way::AgentRecall,
            Way::ModelSearch,
            Way::UntrustedSearch,
            Way::Context,
            Way::Reflect,
            Way::Flush,
            Way::Disk,
        ],
    ),
    (
        Canary::Masked,
        &[Way::Mask],
        &[
            Way::Search,
            Way::Recall,
            Way::AgentSearch,
            Way::ModelSearch,
            Way::Context,
            Way::Reflect,
            Way::Flush,
        ],
    ),
    (
        Canary::Forgotten,
        &[Way::Before],
        &[
            Way::Search,
            Way::Recall,
            Way::AgentSearch,
            Way::UntrustedSearch,
            Way::UntrustedRecall,
            Way::Context,
            Way::Reflect,
            Way::Flush,
            Way::Again,
            Way::Disk,
        ],
    ),
];

impl Memory {
    /// Runs the drill on a copy of the notes, or on the sample where there are none. Nothing of this memory is changed.
    pub fn drill(&self, sample: &[(&str, &str)]) -> Result<Drill, Error> {
        let mut scratch = Scratch::of(self, sample)?;
        let planted = Planted::plant(&mut scratch)?;
        let heard = probe::listen(&scratch, &planted)?;
        Ok(Drill {
            notes: scratch.notes,
            sample: scratch.sample,
            trials: judged(|c, way| heard.came(c, way)),
        })
    }
}

/// Every line with what came of it.
fn judged(came: impl Fn(Canary, Way) -> bool) -> Vec<Trial> {
    let trial = |canary, way: &Way, may| Trial { canary, way: *way, may, came: came(canary, *way) };
    let of = |(canary, pass, stay): &(Canary, &[Way], &[Way])| -> Vec<Trial> {
        let passes = pass.iter().map(|way| trial(*canary, way, May::Pass));
        passes.chain(stay.iter().map(|way| trial(*canary, way, May::Stay))).collect()
    };
    LINES.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drilled(came: impl Fn(Canary, Way) -> bool) -> Drill {
        Drill { notes: 0, sample: false, trials: judged(came) }
    }

    fn may(canary: Canary, way: Way) -> bool {
        LINES.iter().any(|(of, pass, _)| *of == canary && pass.contains(&way))
    }

    #[test]
    fn every_canary_has_a_control() {
        for canary in Canary::ALL {
            let found = LINES.iter().find(|(of, ..)| *of == canary);
            assert!(found.is_some_and(|(_, pass, _)| !pass.is_empty()), "{canary:?}");
        }
        assert!(drilled(may).is_well());
    }

    #[test]
    fn a_single_crossing_and_a_single_silence_are_seen() {
        for trial in judged(may) {
            let one = |canary, way| canary == trial.canary && way == trial.way;
            let broken = drilled(|canary, way| may(canary, way) != one(canary, way));
            let expected = match trial.may {
                May::Pass => Verdict::Silent,
                May::Stay => Verdict::Crossed,
            };
            assert!(!broken.is_well(), "{trial:?}");
            assert_eq!(broken.count(expected), 1, "{trial:?}");
        }
        assert!(!drilled(|_, _| false).is_well(), "where nothing answers nothing is proved");
    }
}
