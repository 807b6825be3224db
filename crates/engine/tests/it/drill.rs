//! The drill on real memories: nothing crosses, every control is heard, and nothing of the memory itself is touched.

use mindfile::drill::{Canary, Drill, Verdict};
use mindfile::policy::{By, Class, Pattern, Rule};
use mindfile::retain::Request;

use crate::forget::owner;
use crate::world::{NOTES, World};

fn wrong(drill: &Drill) -> Vec<(&'static str, &'static str, Verdict)> {
    let bad = drill.trials.iter().filter(|trial| !trial.verdict().is_well());
    bad.map(|trial| (trial.canary.as_str(), trial.way.as_str(), trial.verdict())).collect()
}

#[test]
fn nothing_crosses_and_every_control_is_heard() {
    let world = World::new(NOTES);
    let memory = owner(&world);
    memory.retain(&Request::new("Sarah leads the release")).unwrap();
    let before = world.tree();
    let drill = memory.drill(&[("memory/sample.md", "# Sample\n")]).unwrap();
    assert_eq!(wrong(&drill), []);
    assert_eq!((drill.notes, drill.sample), (4, false));
    assert!(Canary::ALL.into_iter().all(|canary| drill.trials.iter().any(|trial| trial.canary == canary)));
    assert_eq!(world.tree(), before, "nothing of the memory itself is changed");
}

#[test]
fn where_there_are_no_notes_the_sample_is_drilled() {
    let world = World::new(&[]);
    let drill = owner(&world).drill(&[("memory/sample.md", "# Sample\n\nA note.\n")]).unwrap();
    assert_eq!(wrong(&drill), []);
    assert_eq!((drill.notes, drill.sample), (1, true));
}

#[test]
fn a_guard_that_does_not_hold_is_seen() {
    let mut world = World::new(NOTES);
    let pattern = Pattern::new("zq[a-z0-9]+").unwrap();
    let rule = Rule { name: "everything".to_owned(), class: Class::Allowed, by: By::Pattern(pattern) };
    world.settings.policy.own.push(rule);
    let drill = owner(&world).drill(&[]).unwrap();
    assert!(!drill.is_well());
    assert!(wrong(&drill).iter().all(|(canary, ..)| *canary == "masked"), "{:?}", wrong(&drill));
    assert!(wrong(&drill).contains(&("masked", "search", Verdict::Crossed)), "{:?}", wrong(&drill));
    assert!(wrong(&drill).contains(&("masked", "search, as a mask", Verdict::Silent)), "{:?}", wrong(&drill));
}
