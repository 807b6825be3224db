use mindfile_evals::Seeds;
use mindfile_evals::associative::{self, WorldsReport};

#[test]
fn recall_beats_plain_search_in_a_made_up_world() {
    let seeds = Seeds { first: 3, last: 3 };
    let report = WorldsReport::new(seeds, &associative::run(seeds).unwrap(), false);
    let f1 = |side: &str| report.sides.iter().find(|one| one.side == side).unwrap().all.f1;
    assert!(f1("recall") > 0.75, "{}", f1("recall"));
    assert!(f1("keyword, first 10") < 0.5, "{}", f1("keyword, first 10"));
}
