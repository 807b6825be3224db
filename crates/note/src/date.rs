//! The day that a note's name states, and the ways in which people write a day.

use jiff::civil::Date;

/// The date of a daily note: a file `YYYY-MM-DD.md` or `YYYY-MM-DD-slug.md` in any directory.
pub fn of_path(path: &str) -> Option<Date> {
    let name = path.rsplit(['/', '\\']).next()?;
    let stem = name.strip_suffix(".md")?;
    let (day, rest) = stem.split_at_checked(10)?;
    let slugged = rest.strip_prefix('-').is_some_and(|slug| !slug.is_empty());
    (rest.is_empty() || slugged).then(|| parse(day)).flatten()
}

/// A date spelled for people and for search: `2023-05-08 8 May 2023 Monday`.
pub fn spoken(date: Date) -> String {
    format!("{date} {}", date.strftime("%-d %B %-Y %A"))
}

/// Parses exactly `YYYY-MM-DD`, for a day that exists.
pub fn parse(text: &str) -> Option<Date> {
    let b: &[u8; 10] = text.as_bytes().try_into().ok()?;
    let separated = b[4] == b'-' && b[7] == b'-';
    let digits = |from: usize, to: usize| {
        b[from..to].iter().try_fold(0_i16, |n, d| d.is_ascii_digit().then(|| n * 10 + i16::from(d - b'0')))
    };
    let year = digits(0, 4)?;
    let month = digits(5, 7)?;
    let day = digits(8, 10)?;
    separated.then(|| Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()).flatten()
}

/// Days since 1970-01-01, the form in which the index keeps dates.
pub fn day_number(date: Date) -> i32 {
    (date - jiff::civil::date(1970, 1, 1)).get_days()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_daily_note_is_dated_at_any_depth() {
        let day = Some(date(2023, 5, 8));
        for path in ["2023-05-08.md", "memory/2023-05-08.md", "a/b/2023-05-08-standup.md", "a\\2023-05-08.md"]
        {
            assert_eq!(of_path(path), day, "{path}");
        }
    }

    #[test]
    fn other_names_have_no_date() {
        let odd = [
            "", "MEMORY.md", "2023-02-29.md", "2023-5-8.md", "2023-05-08.txt", "2023-05-08", "2023-13-01.md",
        ];
        let near = [
            "2023-05-08x.md", "2023-05-08-.md", "x2023-05-08.md", "2023-05-08.md/a.md", "2023/05/08.md",
            "2023x05-08.md", "2023-05x08.md", "2023x05x08.md", "+023-05-08.md",
        ];
        for path in odd.into_iter().chain(near).chain(["2023-05-é.md", "ééééé.md"]) {
            assert_eq!(of_path(path), None, "{path}");
        }
    }

    #[test]
    fn a_date_is_spoken_in_every_usual_form() {
        assert_eq!(spoken(date(2023, 5, 8)), "2023-05-08 8 May 2023 Monday");
        assert_eq!(spoken(date(2024, 12, 31)), "2024-12-31 31 December 2024 Tuesday");
        assert!(spoken(date(999, 1, 2)).starts_with("0999-01-02 2 January 999 "));
        let months = (1..=12)
            .map(|month| spoken(date(2026, month, 1)).split(' ').nth(2).unwrap_or_default().to_owned());
        assert_eq!(
            months.collect::<Vec<_>>().join(" "),
            "January February March April May June July August September October November December"
        );
        let week =
            (5..12).map(|day| spoken(date(2026, 1, day)).rsplit(' ').next().unwrap_or_default().to_owned());
        assert_eq!(
            week.collect::<Vec<_>>().join(" "),
            "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
        );
    }
}
