//! Lowers the confidence of preferences that nobody confirms.
//!
//! The rule is a function of the line and today's date. The line keeps its initial confidence (`faded`), so that skipped
//! or repeated passes make no difference and a confirmation restores it.

use jiff::civil::Date;
use mindfile_note::fact::{Kind, Line, Name};

use mindfile::fact::{FactRecord, State};
use mindfile::reflect::consolidate::UNSAID;
use mindfile::retain::request::number;

/// A preference is taken as said for so many days; every further month takes a tenth of its confidence.
pub const GRACE_DAYS: i32 = 90;
pub const STEP_DAYS: i32 = 30;
/// In tenths.
const KEEPS: u32 = 9;
/// Doubt does not become disbelief: what began lower stays where it was.
pub const FLOOR: f32 = 0.2;

/// What a line's confidence becomes, and what it was before it began to fade.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fading {
    pub(super) before: Option<f32>,
    pub(super) now: f32,
    start: Option<f32>,
}

/// Whether a fact is one that fades: a preference that is in force.
pub(super) fn fades(fact: &FactRecord, today: Date) -> bool {
    fact.kind == Kind::Opinion && fact.state(today) == State::Current
}

/// How a line changes today, if it does. `day` is that of its note.
pub(super) fn fading(line: &Line<'_>, day: Option<Date>, today: Date) -> Option<Fading> {
    let base = line.confirmed().or(line.seen()).or(day)?;
    let steps = steps(base, today);
    let said = line.confidence().map(|c| c as f32);
    let start = start(said, line.faded().map(|c| c as f32));
    let now = after(start, steps);
    let start = (now < start).then_some(start);
    let known = line.faded().map(|c| c as f32);
    let changes = start != known || (start.is_some() && said != Some(now));
    changes.then_some(Fading { before: said, now, start })
}

/// Writes the change into the line; every other attribute stays as it is spelled.
pub(super) fn apply(line: &mut Line<'_>, fading: Fading) {
    line.set(Name::Confidence, Some(&number(fading.now)));
    line.set(Name::Faded, fading.start.map(number).as_deref());
}

fn steps(base: Date, today: Date) -> u32 {
    let late = (today - base).get_days() - GRACE_DAYS;
    if late < 0 { 0 } else { 1 + u32::try_from(late / STEP_DAYS).unwrap_or(0) }
}

/// The confidence from which it fades: what the line kept, unless a hand has written another one since.
fn start(said: Option<f32>, kept: Option<f32>) -> f32 {
    match (said, kept) {
        (Some(said), Some(kept)) if is_faded_from(kept, said) => kept,
        (Some(said), _) => said,
        (None, kept) => kept.unwrap_or(UNSAID),
    }
}

fn is_faded_from(start: f32, said: f32) -> bool {
    const ENOUGH: u32 = 24;
    (0..ENOUGH).any(|steps| after(start, steps) == said)
}

/// Step by step, each rounded to the hundredths that are written.
fn after(start: f32, steps: u32) -> f32 {
    if steps == 0 || start <= FLOOR {
        return start;
    }
    let hundredths = |c: f32| (c * 100.0).round() as u32;
    let faded = (0..steps).fold(hundredths(start), |c, _| (c * KEEPS + 5) / 10);
    faded.max(hundredths(FLOOR)) as f32 / 100.0
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;
    use jiff::civil::date;
    use mindfile_note::fact;

    use super::*;

    fn passed(line: &str, today: Date) -> String {
        let mut read = fact::read(line).unwrap();
        if let Some(change) = fading(&read, None, today) {
            apply(&mut read, change);
        }
        fact::write(&read)
    }

    #[test]
    fn confidence_goes_down_by_the_month_and_comes_back_when_confirmed() {
        let line = "- O(c=0.8,mood = calm,conf=2026-01-01,v=3) @u:  dark ^x";
        for (day, expected) in [
            ("2026-03-31", line),
            ("2026-04-01", "- O(c=0.72,mood = calm,conf=2026-01-01,v=3,faded=0.8) @u:  dark ^x"),
            ("2026-05-01", "- O(c=0.65,mood = calm,conf=2026-01-01,v=3,faded=0.8) @u:  dark ^x"),
            ("2036-05-01", "- O(c=0.2,mood = calm,conf=2026-01-01,v=3,faded=0.8) @u:  dark ^x"),
        ] {
            assert_eq!(passed(line, day.parse().unwrap()), expected);
        }
        let confirmed = "- O(c=0.65,conf=2026-05-02,faded=0.8) @u: dark";
        assert_eq!(passed(confirmed, date(2026, 5, 3)), "- O(c=0.8,conf=2026-05-02) @u: dark");
    }

    #[test]
    fn passes_that_were_left_out_or_run_twice_make_no_difference() {
        let line = "- O(c=0.93,seen=2026-01-01) @u: dark";
        let last = date(2027, 8, 1);
        let mut often = line.to_owned();
        let mut day = date(2026, 1, 1);
        while day <= last {
            often = passed(&passed(&often, day), day);
            day = day.checked_add(7.days()).unwrap();
        }
        assert_eq!(passed(&often, last), passed(line, last));
    }

    #[test]
    fn a_value_that_a_hand_wrote_is_where_fading_begins_anew() {
        let line = "- O(c=0.95,seen=2026-01-01,faded=0.8) @u: dark";
        assert_eq!(passed(line, date(2026, 4, 1)), "- O(c=0.86,seen=2026-01-01,faded=0.95) @u: dark");
    }

    #[test]
    fn what_says_no_confidence_begins_with_the_usual_one_and_what_has_no_date_stays() {
        assert_eq!(
            passed("- O(seen=2026-01-01) @u: dark", date(2026, 4, 1)),
            "- O(seen=2026-01-01,c=0.54,faded=0.6) @u: dark"
        );
        assert_eq!(passed("- O(c=0.8) @u: dark", date(2036, 4, 1)), "- O(c=0.8) @u: dark");
        let low = "- O(c=0.15,seen=2026-01-01) @u: dark";
        assert_eq!(passed(low, date(2036, 4, 1)), low);
    }
}
