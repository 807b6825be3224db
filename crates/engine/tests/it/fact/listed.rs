//! Facts as a list, a page at a time.

use jiff::ToSpan;
use jiff::civil::{Date, date};
use mindfile::fact::{Page, Wanted, list};

use crate::world::World;

/// The day on the world's clock.
const TODAY: Date = date(2050, 7, 14);

/// Ten facts on each of so many days, of which some say that they were seen earlier, and a page without a day.
fn world(days: i64) -> World {
    let world = World::new(&[("MEMORY.md", "- W @me: without a day\n")]);
    for back in 0..days {
        let day = TODAY - back.days();
        let seen = |n: i64| if n == 3 { format!("(seen={})", day - 2.days()) } else { String::new() };
        let lines: String = (0..10).map(|n| format!("- W{} @e{n}: fact {n} of {day}\n", seen(n))).collect();
        world.save(&format!("memory/{day}.md"), lines.as_bytes());
    }
    world
}

fn page(world: &World, wanted: Wanted) -> Page {
    let memory = world.memory();
    list(&memory, memory.viewer(), &wanted).unwrap()
}

#[test]
fn the_newest_facts_are_the_head_of_all_of_them_however_few_are_read() {
    let world = world(30);
    let all = page(&world, Wanted { limit: 1000, ..Wanted::default() });
    assert_eq!((all.facts.len(), all.total), (301, 301));
    for (offset, limit) in [(0, 6), (0, 50), (45, 10), (200, 50), (290, 50)] {
        let some = page(&world, Wanted { offset, limit, ..Wanted::default() });
        assert_eq!(some.total, all.total);
        assert_eq!(some.facts, all.facts[offset..(offset + limit).min(all.facts.len())]);
    }
}
