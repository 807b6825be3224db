//! Whether memory must be flushed, and whether the conversation must be compacted. Pure: every way in which a flush has
//! been known to be skipped or late is a case of this function, and a test.

/// All that the decision depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    pub window: u64,
    pub reserve_floor: u64,
    pub soft_threshold: u64,
    pub tokens: Tokens,
    /// Compactions so far.
    pub compactions: u64,
    /// Compactions at the last flush. None: there was none, which is not the same as 0.
    pub flushed: Option<u64>,
    pub enabled: bool,
    /// Whether conversations are compacted at all.
    pub compacts: bool,
    pub run: Run,
    pub writable: bool,
}

/// What kind of turn is about to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    Conversation,
    /// A poll that keeps the agent alive: nothing was said.
    Heartbeat,
    /// The provider is a command line that compacts by itself.
    CliProvider,
}

/// What the next prompt will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    /// Everything that would be sent, counted now: the pending turn and the results of tools with it.
    pub counted: u64,
    /// What the provider said of the last prompt; none if that is unknown or older than the last compaction.
    pub reported: Option<u64>,
    /// What came after that prompt.
    pub since: u64,
}

impl Tokens {
    /// The larger of both: a provider's count knows its own tokenizer and tools, ours knows what came since.
    pub fn total(&self) -> u64 {
        self.counted.max(self.reported.map_or(0, |reported| reported.saturating_add(self.since)))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    pub flush: bool,
    pub reason: Reason,
    pub threshold: u64,
    pub tokens: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Disabled,
    Heartbeat,
    CliProvider,
    NotWritable,
    BelowThreshold,
    AlreadyFlushed,
    ThresholdReached,
}

impl Reason {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Heartbeat => "heartbeat",
            Self::CliProvider => "cli-provider",
            Self::NotWritable => "workspace-not-writable",
            Self::BelowThreshold => "below-threshold",
            Self::AlreadyFlushed => "already-flushed",
            Self::ThresholdReached => "threshold-reached",
        }
    }
}

pub fn should_flush(state: &State) -> Decision {
    let threshold = threshold(state.window, state.reserve_floor, state.soft_threshold);
    let tokens = state.tokens.total();
    let reason = if !state.enabled {
        Reason::Disabled
    } else if state.run == Run::Heartbeat {
        Reason::Heartbeat
    } else if state.run == Run::CliProvider {
        Reason::CliProvider
    } else if !state.writable {
        Reason::NotWritable
    } else if tokens < threshold {
        Reason::BelowThreshold
    } else if state.flushed == Some(state.compactions) {
        Reason::AlreadyFlushed
    } else {
        Reason::ThresholdReached
    };
    Decision { flush: reason == Reason::ThresholdReached, reason, threshold, tokens }
}

/// `window − reserveTokensFloor − softThresholdTokens`. A window too small for that would never be flushed: there a
/// quarter of it is kept free, and the soft threshold is at most half of the rest.
pub fn threshold(window: u64, reserve_floor: u64, soft_threshold: u64) -> u64 {
    let plain = window.saturating_sub(reserve_floor).saturating_sub(soft_threshold);
    if plain > 0 {
        return plain;
    }
    let usable = window - reserve_floor.min(window / 4);
    usable - soft_threshold.min(usable / 2)
}

/// Whether the conversation must be compacted before it is sent, where that is wanted at all: above `window − reserveTokens`, which is never below
/// the flush's threshold.
pub fn should_compact(state: &State, reserve: u64) -> bool {
    state.compacts && state.tokens.total() > compaction_threshold(state, reserve)
}

fn compaction_threshold(state: &State, reserve: u64) -> u64 {
    let flush = threshold(state.window, state.reserve_floor, state.soft_threshold);
    let free = if reserve < state.window { reserve } else { state.window / 8 };
    (state.window - free).max(flush)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STATE: State = State {
        window: 200_000,
        reserve_floor: 20_000,
        soft_threshold: 4_000,
        tokens: Tokens { counted: 0, reported: None, since: 0 },
        compactions: 0,
        flushed: None,
        enabled: true,
        compacts: true,
        run: Run::Conversation,
        writable: true,
    };

    fn at(tokens: u64) -> State {
        State { tokens: Tokens { counted: tokens, ..Tokens::default() }, ..STATE }
    }

    fn reason(state: State) -> Reason {
        should_flush(&state).reason
    }

    #[test]
    fn the_threshold_is_the_window_without_both_reserves() {
        assert_eq!(should_flush(&at(175_999)).reason, Reason::BelowThreshold);
        let decision = should_flush(&at(176_000));
        let expected =
            Decision { flush: true, reason: Reason::ThresholdReached, threshold: 176_000, tokens: 176_000 };
        assert_eq!(decision, expected);
    }

    #[test]
    fn a_session_that_was_never_flushed_is_not_one_flushed_at_compaction_0() {
        assert_eq!(reason(State { flushed: None, compactions: 0, ..at(180_000) }), Reason::ThresholdReached);
        assert_eq!(reason(State { flushed: Some(0), compactions: 0, ..at(180_000) }), Reason::AlreadyFlushed);
    }

    #[test]
    fn each_cycle_flushes_and_not_every_other_one() {
        for compactions in 1..20 {
            let before = State { flushed: Some(compactions - 1), compactions, ..at(180_000) };
            assert_eq!(reason(before), Reason::ThresholdReached);
            assert_eq!(reason(State { flushed: Some(compactions), ..before }), Reason::AlreadyFlushed);
        }
    }

    #[test]
    fn what_came_since_the_last_prompt_counts() {
        let tokens = Tokens { counted: 0, reported: Some(100_000), since: 80_000 };
        assert_eq!(reason(State { tokens, ..STATE }), Reason::ThresholdReached);
    }

    #[test]
    fn an_unknown_report_does_not_hide_what_was_counted() {
        let tokens = Tokens { counted: 190_000, reported: None, since: 0 };
        assert_eq!(reason(State { tokens, ..STATE }), Reason::ThresholdReached);
        let tokens = Tokens { counted: 190_000, reported: Some(10), since: 0 };
        assert_eq!(reason(State { tokens, ..STATE }), Reason::ThresholdReached);
    }

    #[test]
    fn each_guard_has_its_reason() {
        let full = at(190_000);
        assert_eq!(reason(State { enabled: false, ..full }), Reason::Disabled);
        assert_eq!(reason(State { run: Run::Heartbeat, ..full }), Reason::Heartbeat);
        assert_eq!(reason(State { run: Run::CliProvider, ..full }), Reason::CliProvider);
        assert_eq!(reason(State { writable: false, ..full }), Reason::NotWritable);
    }

    #[test]
    fn a_conversation_that_is_not_to_be_compacted_is_flushed_all_the_same() {
        let full = State { compacts: false, ..at(200_000) };
        assert_eq!((should_flush(&full).flush, should_compact(&full, 16_384)), (true, false));
        assert!(should_compact(&State { compacts: true, ..full }, 16_384));
    }

    #[test]
    fn a_small_window_is_flushed_as_well() {
        for window in [1, 1_000, 4_096, 8_192, 24_000] {
            let state = State { window, ..at(window) };
            assert!(should_flush(&state).flush, "{window}: {:?}", should_flush(&state));
            assert!(should_flush(&state).threshold <= window);
        }
        assert_eq!(threshold(8_192, 20_000, 4_000), 3_072);
    }

    #[test]
    fn the_decision_is_that_of_the_table() {
        let mut rows = 0;
        for tokens in [0, 1, 175_999, 176_000, 176_001, 183_616, 200_000, 10_000_000] {
            for (compactions, flushed) in [
                (0, None),
                (0, Some(0)),
                (0, Some(1)),
                (1, None),
                (1, Some(0)),
                (1, Some(1)),
                (9, Some(8)),
                (9, Some(9)),
            ] {
                for run in [Run::Conversation, Run::Heartbeat, Run::CliProvider] {
                    for (enabled, writable) in [(true, true), (true, false), (false, true), (false, false)] {
                        for (window, limit) in [
                            (200_000, 176_000),
                            (128_000, 104_000),
                            (30_000, 6_000),
                            (24_000, 14_000),
                            (8_192, 3_072),
                            (1_000_000, 976_000),
                            (0, 0),
                        ] {
                            let state =
                                State { window, compactions, flushed, enabled, run, writable, ..at(tokens) };
                            let wanted = enabled
                                && writable
                                && run == Run::Conversation
                                && tokens >= limit
                                && flushed != Some(compactions);
                            assert_eq!(should_flush(&state).flush, wanted, "{state:?}");
                            rows += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(rows, 5_376);
    }

    proptest! {
        /// Turns of any size, in a window of any size: whenever compaction is due, a flush of this cycle took place.
        #[test]
        fn compaction_never_comes_before_the_flush(
            window in 1_u64..300_000,
            turns in prop::collection::vec(0_u64..120_000, 1..60),
            reserve in 0_u64..40_000,
            stale in any::<bool>(),
        ) {
            let mut state = State { window, ..STATE };
            let mut total = 0_u64;
            let mut last = 0_u64;
            for turn in turns {
                total += turn;
                let reported = (!stale).then_some(last);
                state.tokens = Tokens { counted: total, reported, since: total.saturating_sub(last) };
                if should_flush(&state).flush {
                    state.flushed = Some(state.compactions);
                }
                if should_compact(&state, reserve) {
                    prop_assert_eq!(state.flushed, Some(state.compactions));
                    state.compactions += 1;
                    total /= 10;
                }
                last = total;
            }
        }
    }
}
