//! Names of conditions that programs and people know by heart; they stand in messages and in JSON.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// What must be said does not fit the token budget.
    TooBig,
    /// Facts that no entity leads to, or a name without facts.
    NoEntity,
    /// Facts that say the same.
    DuplicateFacts,
    /// Entities that are named by so many facts that they connect everything.
    HubNodes,
    /// Too little to find connections in.
    ColdStart,
    /// Old memories lose too much of their score.
    DecayTooFast,
}

impl Code {
    pub const ALL: [Self; 6] = [
        Self::TooBig,
        Self::NoEntity,
        Self::DuplicateFacts,
        Self::HubNodes,
        Self::ColdStart,
        Self::DecayTooFast,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::TooBig => "E2BIG",
            Self::NoEntity => "ENOENTITY",
            Self::DuplicateFacts => "EDUPFACTS",
            Self::HubNodes => "EHUBNODES",
            Self::ColdStart => "ECOLDSTART",
            Self::DecayTooFast => "EDECAYTOOFAST",
        }
    }
}
