use expect_test::{Expect, expect};

use super::*;

const EVERGREEN: Rules = Rules { append_only: false, marker: 7 };
const DAILY: Rules = Rules { append_only: true, marker: 7 };

fn shown(rules: Rules, base: &str, ours: &str, theirs: &str) -> String {
    let Merged { text, conflicts } = merge(Sides { base, ours, theirs }, rules);
    let end = if text.ends_with('\n') { "" } else { "(no end)\n" };
    format!("{text}{end}{conflicts} conflicts\n")
}

fn check(rules: Rules, base: &str, ours: &str, theirs: &str, expected: Expect) {
    expected.assert_eq(&shown(rules, base, ours, theirs));
}

#[test]
fn what_two_machines_retained_is_there_once() {
    check(
        EVERGREEN,
        "# Day\n\n## Retain\n\n- W @a: one ^a1\n",
        "# Day\n\n## Retain\n\n- W @a: one ^a1\n- W @b: ours ^b1\n- W @c: both ^c1\n",
        "# Day\n\n## Retain\n\n- W @a: one ^a1\n- W @c: both ^c1\n- W @d: theirs ^d1\n",
        expect![[r#"
            # Day

            ## Retain

            - W @a: one ^a1
            - W @b: ours ^b1
            - W @c: both ^c1
            - W @d: theirs ^d1
            0 conflicts
        "#]],
    );
}

#[test]
fn a_note_that_both_made_has_its_headings_once() {
    let theirs = "# 2026-11-14\n\nRain.\n\n## Retain\n\n- W @b: theirs ^b1\n";
    check(
        DAILY,
        "",
        "# 2026-11-14\n\n## Retain\n\n- W @a: ours ^a1\n",
        theirs,
        expect![[r#"
            # 2026-11-14

            Rain.

            ## Retain

            - W @a: ours ^a1
            - W @b: theirs ^b1
            0 conflicts
        "#]],
    );
}

#[test]
fn a_journal_keeps_what_both_sides_added_and_another_note_asks() {
    let (base, ours, theirs) = ("# Day\n", "# Day\n\nSun.\n", "# Day\n\nRain.\n");
    check(
        DAILY,
        base,
        ours,
        theirs,
        expect![[r#"
        # Day

        Sun.
        Rain.
        0 conflicts
    "#]],
    );
    check(
        EVERGREEN,
        base,
        ours,
        theirs,
        expect![[r#"
        # Day

        <<<<<<< ours
        Sun.
        =======
        Rain.
        >>>>>>> theirs
        1 conflicts
    "#]],
    );
}

#[test]
fn a_fact_is_outside_of_the_marks_of_a_conflict() {
    check(
        EVERGREEN,
        "Old.\n- W @a: one ^a1\nEnd.\n",
        "Ours.\n- W @o: ours ^o1\n- W @a: one ^a1\nEnd.\n",
        "Theirs.\n- W @t: theirs ^t1\n- W(s=0.9) @a: one ^a1\nEnd.\n",
        expect![[r#"
            <<<<<<< ours
            Ours.
            =======
            Theirs.
            >>>>>>> theirs
            - W @o: ours ^o1
            - W @t: theirs ^t1
            - W(s=0.9) @a: one ^a1
            End.
            1 conflicts
        "#]],
    );
}

#[test]
fn a_fact_that_was_deleted_is_gone_unless_it_says_something_else_now() {
    let base = "- W(s=0.5) @a: one ^a1\n- W @b: two ^b1\n";
    check(
        EVERGREEN,
        base,
        "",
        "- W(s=0.9) @a: one ^a1\n- W @b: two and a half ^b1\n",
        expect![[r#"
        - W @b: two and a half ^b1
        0 conflicts
    "#]],
    );
}

#[test]
fn two_wordings_stand_below_each_other_and_merging_again_adds_nothing() {
    let base = "# A\n\n- O(key=theme,v=1) @user: dark ^k1\n\nText.\n";
    let ours = "# A\n\n- O(key=theme,v=2) @user: light ^k1\n\nText.\n";
    let theirs = "# A\n\n- O(key=theme,v=2) @user: sepia ^k1\n\nMore text.\n";
    check(
        EVERGREEN,
        base,
        ours,
        theirs,
        expect![[r#"
        # A

        - O(key=theme,v=2) @user: sepia ^k1
        - O(key=theme,v=2) @user: light ^dp4z3s425x

        More text.
        0 conflicts
    "#]],
    );
    let once = merge(Sides { base, ours, theirs }, EVERGREEN);
    let other_way = merge(Sides { base, ours: theirs, theirs: ours }, EVERGREEN);
    assert_eq!(other_way, once);
    assert_eq!(merge(Sides { base: ours, ours: &once.text, theirs }, EVERGREEN), once);
}

#[test]
fn a_value_that_went_to_another_id_is_still_the_one_that_a_side_changes_or_deletes() {
    let before = "- W @a: ours ^k1\n";
    let split = "- W @a: theirs ^k1\n- W @a: ours ^dqxm8ws5w7\n";
    check(
        EVERGREEN,
        before,
        "- W @a: ours, too ^k1\n",
        split,
        expect![[r#"
        - W @a: theirs ^k1
        - W @a: ours, too ^dqxm8ws5w7
        0 conflicts
    "#]],
    );
    check(
        EVERGREEN,
        before,
        split,
        "",
        expect![[r#"
        - W @a: theirs ^k1
        0 conflicts
    "#]],
    );
}

#[test]
fn a_fact_that_one_side_moved_and_the_other_changed_stands_there_once() {
    check(
        EVERGREEN,
        "## A\n- W @a: one ^a1\n- W @b: two ^b1\n\n## B\n- W @c: three ^c1\n",
        "## A\n- W @b: two ^b1\n\n## B\n- W @c: three ^c1\n- W @a: one ^a1\n",
        "## A\n- W(s=1) @a: one ^a1\n- W @b: two ^b1\n\n## B\n- W @c: three ^c1\n",
        expect![[r#"
            ## A
            - W @b: two ^b1

            ## B
            - W @c: three ^c1
            - W(s=1) @a: one ^a1
            0 conflicts
        "#]],
    );
}

#[test]
fn lines_that_one_side_left_alone_are_no_conflict_though_facts_moved_among_them() {
    check(
        EVERGREEN,
        "## A\n\nText.\n- W: one ^a1\n- W: two ^b1\n",
        "## A\n\nText.\n- W: one ^a1\n- W: two ^b1\n- W: new ^n1\nMore.\n",
        "## A\n\n- W: two ^b1\nText.\n- W: one ^a1\n",
        expect![[r#"
            ## A

            - W: two ^b1
            Text.
            - W: one ^a1
            - W: new ^n1
            More.
            0 conflicts
        "#]],
    );
}

#[test]
fn a_fact_that_moved_over_lines_takes_none_of_them_along() {
    check(
        EVERGREEN,
        "## A\n\n- W: nine ^a9\nText.\n- W: five ^a5\n",
        "## A\n\nText.\n- W: five ^a5\n- W: nine ^a9\n",
        "## A\n\n- W: ten ^a9\nMore.\nText.\n- W: five ^a5\n",
        expect![[r#"
            ## A

            More.
            Text.
            - W: five ^a5
            - W: ten ^a9
            0 conflicts
        "#]],
    );
}

#[test]
fn a_journal_has_each_line_once_though_one_side_has_it_elsewhere() {
    check(
        DAILY,
        "# Day\n\nOne.\nTwo.\n- W: a ^a1\n",
        "# Day\n\nOne.\nNew.\nTwo.\n- W: a ^a1\n",
        "# Day\n\n- W: a ^a1\nOne.\nTwo.\n",
        expect![[r#"
            # Day

            - W: a ^a1
            One.
            New.
            Two.
            0 conflicts
        "#]],
    );
}

#[test]
fn the_lines_of_a_list_item_stay_with_their_fact() {
    check(
        EVERGREEN,
        "- W @a: one ^a1\n",
        "- W @a: one ^a1\n  more of it\n",
        "- W @a: one ^a1\n- W @b: two ^b1\n",
        expect![[r#"
            - W @a: one ^a1
              more of it
            - W @b: two ^b1
            0 conflicts
        "#]],
    );
}

#[test]
fn line_ends_marks_and_a_missing_last_end_stay_as_they_are() {
    let check = |base: &str, ours: &str, theirs: &str, expected: &str| {
        let merged = merge(Sides { base, ours, theirs }, EVERGREEN);
        assert_eq!(merged, Merged { text: expected.to_owned(), conflicts: 0 });
    };
    let base = "\u{feff}# A\r\n- W @a: one ^a1\r\n";
    check(
        base,
        "\u{feff}# A\r\n- W @a: one ^a1\r\n- W @o: ours ^o1",
        "\u{feff}# A\r\n- W @a: one ^a1\r\n- W @t: theirs ^t1",
        "\u{feff}# A\r\n- W @a: one ^a1\r\n- W @o: ours ^o1\r\n- W @t: theirs ^t1",
    );
    check("a\nb\n", "a\r\nb\r\n", "a\nb\n- W: x ^x\n", "a\r\nb\r\n- W: x ^x\r\n");
    check("a\nb\rc\n", "a\nb\rc\nd\n", "0\na\nb\rc\n", "0\na\nb\rc\nd\n");
    check("a", "a", "a\n- W: x ^x", "a\n- W: x ^x");
    check("", "", "", "");
}

#[test]
fn what_reflection_wrote_on_both_sides_is_no_conflict() {
    let note = |line: &str| {
        format!("# Memory\n\n{}\n{line}{}\n\nMine.\n", crate::reflected::BEGIN, crate::reflected::END)
    };
    check(
        EVERGREEN,
        &note("- old (^a)\n"),
        &note("- ours (^a, ^b)\n- same (^d)\n"),
        &note("- theirs (^a, ^c)\n- same (^d)\n"),
        expect![[r#"
        # Memory

        <!-- mindfile:reflect:begin -->
        - ours (^a, ^b)
        - theirs (^a, ^c)
        - same (^d)
        <!-- mindfile:reflect:end -->

        Mine.
        0 conflicts
    "#]],
    );
}

#[test]
fn front_matter_that_both_changed_is_a_conflict_and_no_fact_stands_above_it() {
    check(
        DAILY,
        "- W: one ^a1\n",
        "---\ntitle: A\n---\n- W: one ^a1\n",
        "- W: two ^b1\n- W: one ^a1\n",
        expect![[r#"
        ---
        title: A
        ---
        - W: two ^b1
        - W: one ^a1
        0 conflicts
    "#]],
    );
    check(
        DAILY,
        "",
        "---\ntitle: A\n---\n",
        "---\ntitle: B\n---\n",
        expect![[r#"
        ---
        <<<<<<< ours
        title: A
        =======
        title: B
        >>>>>>> theirs
        ---
        1 conflicts
    "#]],
    );
}

#[test]
fn where_one_side_makes_code_of_the_others_facts_the_note_is_a_conflict() {
    let merged = merge(
        Sides {
            base: "# A\n\nText.\n",
            ours: "# A\n\n```\nText.\n```\n",
            theirs: "# A\n- W: one ^a1\n\nText.\n",
        },
        EVERGREEN,
    );
    assert_eq!(merged.conflicts, 0, "{}", merged.text);
    let merged = merge(
        Sides { base: "A\n\nB\n", ours: "```\nA\n\nB\n```\n", theirs: "A\n- W: one ^a1\n\nB\n" },
        EVERGREEN,
    );
    expect![[r#"
        <<<<<<< ours
        ```
        A

        B
        ```
        =======
        A
        - W: one ^a1

        B
        >>>>>>> theirs
        1 conflicts
    "#]]
    .assert_eq(&format!("{}{} conflicts\n", merged.text, merged.conflicts));
}
