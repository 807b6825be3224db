//! Headings that reflection wrote, and under which nothing is left: the name of a person would outlive all that was known.

use std::collections::BTreeSet;

use mindfile_note::reflected::{BEGIN, END};
use mindfile_note::text;

/// The pages that reflection makes for what facts name.
const PAGES: &str = "bank/entities/";

/// The headings between reflection's marks that lose their last line.
pub(super) fn emptied(note: &str, gone: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut emptied = BTreeSet::new();
    // For each level, from the end: whether something goes below it, and whether something stays.
    let mut below = [(false, false); 7];
    for (number, line) in reflected(note).into_iter().rev() {
        let level = level(line);
        let (goes, stays) = match level {
            None => (gone.contains(&number), !gone.contains(&number) && !line.trim().is_empty()),
            Some(level) => {
                let (goes, stays) = below[level];
                let is_empty = gone.contains(&number) || goes && !stays;
                if is_empty {
                    emptied.insert(number);
                }
                below[level..].fill((false, false));
                (is_empty, !is_empty)
            }
        };
        let above = level.unwrap_or(below.len());
        below[..above].iter_mut().for_each(|all| *all = (all.0 || goes, all.1 || stays));
    }
    emptied.retain(|number| !gone.contains(number));
    emptied
}

/// Whether a page of reflection's own has nothing left but its title and the marks.
pub(super) fn is_left_empty(path: &str, note: &str, gone: &BTreeSet<u32>) -> bool {
    let marks = |line: &str| [BEGIN, END].contains(&line.trim());
    let left =
        |(number, line): &(u32, &str)| !gone.contains(number) && !line.trim().is_empty() && !marks(line);
    let left: Vec<&str> = (1..).zip(text::lines(note)).filter(left).map(|(_, line)| line).collect();
    let is_title = |line: &&str| line.starts_with("# ");
    path.starts_with(PAGES) && note.contains(BEGIN) && left.len() < 2 && left.iter().all(is_title)
}

/// The lines between the marks.
fn reflected(note: &str) -> Vec<(u32, &str)> {
    let lines = (1..).zip(text::lines(note)).skip_while(|(_, line)| !line.contains(BEGIN));
    lines.skip(1).take_while(|(_, line)| !line.contains(END)).collect()
}

fn level(line: &str) -> Option<usize> {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&marks).then_some(marks).filter(|_| line[marks..].starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_goes_with_its_last_line_and_takes_the_one_above_it_if_that_is_empty_then() {
        let note = format!("## Mine\n- x\n{BEGIN}\n## Core\n\n### @A\n\n- a\n\n### @B\n\n- b\n- c\n{END}\n");
        let check = |gone: &[u32], expected: &[u32]| {
            let gone: BTreeSet<u32> = gone.iter().copied().collect();
            assert_eq!(emptied(&note, &gone).into_iter().collect::<Vec<_>>(), expected, "{gone:?}");
        };
        check(&[], &[]);
        check(&[2], &[]);
        check(&[8], &[6]);
        check(&[12], &[]);
        check(&[12, 13], &[10]);
        check(&[8, 12, 13], &[4, 6, 10]);
        check(&[6, 8], &[]);
        let odd = format!("{BEGIN}\n### @A\n\n### @B\n- b\n{END}");
        assert_eq!(emptied(&odd, &BTreeSet::from([5])), BTreeSet::from([4]), "it was empty before");
    }

    #[test]
    fn a_page_of_reflections_own_is_empty_without_its_lines() {
        let page = format!("# Ana\n\n{BEGIN}\n- a (^x)\n{END}\n");
        let own = format!("# Ana\n\nalias: Anna = Ana\n{BEGIN}\n- a (^x)\n{END}\n");
        let gone = BTreeSet::from([4]);
        assert!(is_left_empty("bank/entities/ana.md", &page, &gone));
        assert!(!is_left_empty("bank/entities/ana.md", &page, &BTreeSet::new()));
        assert!(!is_left_empty("bank/world.md", &page, &gone));
        assert!(!is_left_empty("bank/entities/ana.md", &own, &BTreeSet::from([5])));
        assert!(!is_left_empty("bank/entities/ana.md", "# Ana\n\n\n- a\n", &gone));
    }
}
