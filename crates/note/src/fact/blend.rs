//! Two versions of one fact that grew from a third, merged field by field.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use jiff::civil::Date;

use super::attribute::Attributes;
use super::{Line, Name, Sensitivity, base32, tag, write};
use crate::hash::Digest;

/// Attributes that say one thing together: their values are taken from the same version.
const TOGETHER: [&[Name]; 2] = [&[Name::Confirmed, Name::Confidence, Name::Faded], &[Name::Until, Name::By]];
/// Attributes of which the greater value counts where both versions changed it: figures and days of upkeep.
const GRADUAL: [Name; 12] = [
    Name::Salience,
    Name::Confidence,
    Name::Confirmed,
    Name::Faded,
    Name::Seen,
    Name::Version,
    Name::Until,
    Name::By,
    Name::Beside,
    Name::Due,
    Name::Proposed,
    Name::Sensitivity,
];

/// The line that the fact comes to; or two lines with an id each, where both versions gave it other words, another key, or
/// another value that only a person can choose between. It makes no difference which version is named first.
pub fn blend(base: Option<&Line<'_>>, ours: &Line<'_>, theirs: &Line<'_>) -> Vec<String> {
    let (line, is_settled) = one(base, ours, theirs);
    if is_settled {
        return vec![write(&line)];
    }
    let (other, _) = one(base, theirs, ours);
    let (first, mut second) = if rank(&line) >= rank(&other) { (line, other) } else { (other, line) };
    second.set_id(Some(&other_id(&first, &second)));
    vec![write(&first), write(&second)]
}

/// Which of two values a third became; none where both changed it, each in its own way.
pub(crate) fn chosen<T: PartialEq>(base: Option<&T>, ours: T, theirs: T) -> Option<T> {
    if ours == theirs || base == Some(&theirs) {
        Some(ours)
    } else if base == Some(&ours) {
        Some(theirs)
    } else {
        None
    }
}

/// `mine` with what `other` changed of the base, and whether nothing is left to choose.
fn one<'a>(base: Option<&Line<'a>>, mine: &Line<'a>, other: &Line<'a>) -> (Line<'a>, bool) {
    let kind = chosen(base.map(|base| &base.kind), mine.kind, other.kind);
    let text = chosen(base.map(|base| &base.text), mine.text.clone(), other.text.clone());
    let tail = chosen(base.map(|base| &base.tail), mine.tail.clone(), other.tail.clone());
    let lead = chosen(base.map(|base| &base.lead), mine.lead, other.lead);
    let about = chosen(base.map(|base| &base.about), mine.about.clone(), other.about.clone());
    let (attributes, agree) =
        attributes(base.map(|base| &base.attributes), &mine.attributes, &other.attributes);
    let is_settled = agree && kind.is_some() && text.is_some() && tail.is_some();
    let line = Line {
        lead: lead.unwrap_or_else(|| mine.lead.min(other.lead)),
        kind: kind.unwrap_or(mine.kind),
        attributes,
        about: about.unwrap_or_else(|| Cow::Owned(entities(base, mine, other))),
        text: text.unwrap_or_else(|| mine.text.clone()),
        tail: tail.unwrap_or_else(|| mine.tail.clone()),
    };
    (line, is_settled)
}

/// What both name, without what one took out, with what one added.
fn entities(base: Option<&Line<'_>>, mine: &Line<'_>, other: &Line<'_>) -> String {
    let named = |line: &Line<'_>| -> BTreeMap<String, String> {
        line.entities().map(|name| (name.to_lowercase(), name.to_owned())).collect()
    };
    let (mine, other, was) = (named(mine), named(other), base.map(named).unwrap_or_default());
    let order: Vec<String> =
        base.into_iter().flat_map(|base| base.entities().map(str::to_lowercase)).collect();
    let stays = order.iter().filter(|name| mine.contains_key(*name) && other.contains_key(*name));
    let is_new = |name: &&String| !was.contains_key(*name);
    let mut added: Vec<&String> = mine.keys().chain(other.keys()).filter(is_new).collect();
    added.sort();
    added.dedup();
    let spelled = |name: &String| mine.get(name).max(other.get(name)).and_then(|name| tag(name));
    let all: String = stays.chain(added).filter_map(spelled).collect();
    format!("{all}: ")
}

fn attributes<'a>(
    base: Option<&Attributes<'a>>,
    mine: &Attributes<'a>,
    other: &Attributes<'a>,
) -> (Attributes<'a>, bool) {
    if let Some(whole) = chosen(base, mine.clone(), other.clone()) {
        return (whole, true);
    }
    let mut blended = if mine.to_string() <= other.to_string() { mine.clone() } else { other.clone() };
    let mut agree = true;
    let mut names: Vec<&str> = mine.iter().chain(other.iter()).map(|attribute| attribute.name()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let group = TOGETHER.iter().find(|group| group.iter().any(|one| one.as_str() == name));
        let group: Vec<&str> =
            group.map_or(vec![name], |group| group.iter().map(|one| one.as_str()).collect());
        let values = |all: &Attributes<'_>| -> Vec<Option<String>> {
            group.iter().map(|name| all.get(name).map(Cow::into_owned)).collect()
        };
        let (ours, theirs) = (values(mine), values(other));
        let value = chosen(base.map(values).as_ref(), ours.clone(), theirs.clone());
        let gradual = GRADUAL.iter().find(|one| one.as_str() == name);
        let value = value.or_else(|| gradual.map(|name| greater(*name, ours, theirs)));
        agree &= value.is_some();
        for (name, value) in group.iter().zip(value.into_iter().flatten()) {
            if blended.get(name).as_deref() != value.as_deref() {
                blended.set(name, value.as_deref());
            }
        }
    }
    (blended, agree)
}

/// The further one of two steps of upkeep.
fn greater(name: Name, ours: Vec<Option<String>>, theirs: Vec<Option<String>>) -> Vec<Option<String>> {
    let orders =
        ours.iter().zip(&theirs).map(|(ours, theirs)| order(name, ours.as_deref(), theirs.as_deref()));
    match orders.fold(Ordering::Equal, Ordering::then) {
        Ordering::Less => theirs,
        Ordering::Equal | Ordering::Greater => ours,
    }
}

fn order(name: Name, ours: Option<&str>, theirs: Option<&str>) -> Ordering {
    if name == Name::Proposed {
        // Who takes the mark off has confirmed the value.
        return theirs.is_some().cmp(&ours.is_some()).then(ours.cmp(&theirs));
    }
    if name == Name::Sensitivity {
        return ours.and_then(Sensitivity::parse).cmp(&theirs.and_then(Sensitivity::parse));
    }
    let number = |value: Option<&str>| value.and_then(|value| value.parse::<f64>().ok());
    match (number(ours), number(theirs)) {
        (Some(ours), Some(theirs)) => ours.total_cmp(&theirs),
        (Some(_) | None, Some(_) | None) => ours.cmp(&theirs),
    }
}

/// The version that keeps the id: the latest.
fn rank(line: &Line<'_>) -> (Option<Date>, Option<u32>, String) {
    (line.confirmed().max(line.seen()), line.version(), write(line))
}

/// Derived from what it says, so that whoever merges the same two versions gives it the same one.
fn other_id(first: &Line<'_>, second: &Line<'_>) -> String {
    let derived = second.derived_id();
    if derived == first.id_or_derived() {
        return id_of_line(&write(second));
    }
    derived
}

/// The id of a line whose words have one already: of all that stands in it.
pub(crate) fn id_of_line(line: &str) -> String {
    base32(Digest::of(line.as_bytes()).as_bytes())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::fact::read;

    fn check(base: &str, ours: &str, theirs: &str, expected: Expect) {
        let line = |text| read(text).unwrap();
        let base = read(base);
        let blended = blend(base.as_ref(), &line(ours), &line(theirs));
        assert_eq!(blend(base.as_ref(), &line(theirs), &line(ours)), blended, "the other way round");
        expected.assert_eq(&(blended.join("\n") + "\n"));
    }

    #[test]
    fn each_side_may_change_fields_of_its_own() {
        check(
            "- O(s=0.5) @user: likes tea ^a1",
            "- O(s=0.5,c=0.9) @user @tea: likes tea ^a1",
            "* B(s=0.7) @user: likes green tea ^a1 <!-- trigger: tea -->",
            expect![[r#"
                * B(s=0.7,c=0.9) @user @tea: likes green tea ^a1 <!-- trigger: tea -->
            "#]],
        );
    }

    #[test]
    fn what_was_edited_here_and_superseded_there_is_both() {
        check(
            "- W @device: The device is a Synology NAS ^d1",
            "- W @device: The device in the attic is a Synology NAS ^d1",
            "- W(until=2026-07-01,by=d2) @device: The device is a Synology NAS ^d1",
            expect![[r#"
                - W(until=2026-07-01,by=d2) @device: The device in the attic is a Synology NAS ^d1
            "#]],
        );
    }

    #[test]
    fn two_wordings_are_two_facts_and_the_latest_keeps_the_id() {
        check(
            "- O(key=editor.theme,v=1) @user: dark ^k1",
            "- O(key=editor.theme,v=3) @user: light ^k1",
            "- O(key=editor.theme,v=2) @user: sepia ^k1",
            expect![[r#"
                - O(key=editor.theme,v=3) @user: sepia ^k1
                - O(key=editor.theme,v=3) @user: light ^dp4z3s425x
            "#]],
        );
    }

    #[test]
    fn figures_and_days_take_the_further_step_and_what_belongs_together_stays_together() {
        check(
            "- O(s=0.5,c=0.9,conf=2026-01-01) @user: likes tea ^a1",
            "- O(s=0.6,c=0.7,faded=0.9,conf=2026-01-01) @user: likes tea ^a1",
            "- O(s=0.55,c=0.95,conf=2026-02-01,sens=low) @user: likes tea ^a1",
            expect![[r#"
                - O(s=0.6,c=0.95,conf=2026-02-01,sens=low) @user: likes tea ^a1
            "#]],
        );
        check(
            "- W(proposed=2026-01-01,sens=low) @a: x ^a1",
            "- W(v=2,sens=high) @a: x ^a1",
            "- W(proposed=2026-01-02,sens=medium) @a: x ^a1",
            expect![[r#"
                - W(sens=high,v=2) @a: x ^a1
            "#]],
        );
        check(
            "- W @a: x ^a1",
            "- W(until=2026-03-01,by=zz) @a: x ^a1",
            "- W(until=2026-03-02,by=aa) @a: x ^a1",
            expect![[r#"
                - W(until=2026-03-02,by=aa) @a: x ^a1
            "#]],
        );
    }

    #[test]
    fn values_that_only_a_person_can_choose_between_are_kept_apart() {
        check(
            "- W(mood=calm) @a: x ^a1",
            "- W(mood=glad) @a: x ^a1",
            "- W(mood=sad) @a: x ^a1",
            expect![[r#"
            - W(mood=glad) @a: x ^a1
            - W(mood=glad) @a: x ^vhdgkpm3mk
        "#]],
        );
    }

    #[test]
    fn entities_that_one_side_took_out_stay_out() {
        check(
            "- W @a @b @c: x ^a1",
            "- W @a @c @New: x ^a1",
            "- W @a @b @Äther: x ^a1",
            expect![[r#"
                - W @a @New @Äther: x ^a1
            "#]],
        );
    }

    #[test]
    fn without_a_base_what_both_say_is_one_line() {
        check(
            "",
            "- W(s=0.5) @a: x ^a1",
            "- W(s=0.7) @a: x ^a1",
            expect![[r#"
            - W(s=0.7) @a: x ^a1
        "#]],
        );
    }
}
