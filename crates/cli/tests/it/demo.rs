use crate::home::Home;

#[test]
fn the_tour_runs_to_its_end_and_fits_80_columns() {
    let home = Home::bare();
    let came = home.run(&["demo"]);
    assert_eq!((came.code, came.err.as_str()), (0, ""), "{came:?}");
    for title in
        ["1. By meaning", "2. By an exact name", "3. By date", "4. In another language", "5. An honest"]
    {
        assert!(came.out.contains(title), "{title} is not in {}", came.out);
    }
    assert!(!came.out.contains('\u{1b}'));
    let wide = came.out.lines().find(|line| unicode_width::UnicodeWidthStr::width(*line) > 80);
    assert_eq!(wide, None);
}

#[test]
fn a_kept_sample_can_be_asked_further() {
    let home = Home::bare();
    let out = home.out(&["demo", "--keep", "sample"]);
    assert!(out.contains("--state-dir sample"), "{out}");
    let found = home.out(&["search", "a828e60", "--state-dir", "sample"]);
    assert!(found.contains("memory/2026-08-13-post-mortem.md"), "{found}");
    let again = home.run(&["demo", "--keep", "sample"]);
    assert_eq!((again.code, again.err.lines().next().unwrap()), (2, "error: sample is not empty"));
}

/// What each question of the tour must bring up first, in what is shown of it.
#[test]
fn the_tour_shows_what_it_promises() {
    let out = Home::bare().out(&["demo"]);
    let answers: Vec<&str> = out.split("$ mindfile search ").skip(1).collect();
    let promised = [
        ("memory/pixel.md#L", "Afraid of the street sweeper"),
        ("memory/2026-08-13-post-mortem.md#L", "since 16:20"),
        ("memory/2026-08-12-inc-4471.md#L", "INC-4471"),
        ("memory/2026-07-26-osaka.md#L", "十月十日"),
        ("", "Nothing in the notes answers this"),
    ];
    for (answer, (place, words)) in answers.iter().zip(promised) {
        let joined = answer.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(joined.contains(place) && joined.contains(words), "{answer}");
    }
}
