//! Numbers, sizes, times and ages as people read them.

use std::time::Duration;

use jiff::civil::Date;

/// `19,823`
pub fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 note`, `2 notes`
pub fn count(n: usize, what: &str) -> String {
    format!("{} {what}{}", number(n), if n == 1 { "" } else { "s" })
}

/// `20.6 MB`
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if n < 1000 {
        return format!("{n} bytes");
    }
    let mut size = n as f64 / 1000.0;
    let mut unit = 0;
    while size >= 999.95 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}

/// `8 ms`, `3.1 s`, `2 min 5 s`
pub fn time(time: Duration) -> String {
    let ms = time.as_millis();
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..60_000 => format!("{:.1} s", time.as_secs_f64()),
        _ => seconds(time.as_secs()),
    }
}

/// `5 s`, `2 min 5 s`, `3 h 12 min`
pub fn seconds(n: u64) -> String {
    match n {
        0..60 => format!("{n} s"),
        60..3600 => format!("{} min {} s", n / 60, n % 60),
        _ => format!("{} h {} min", n / 3600, n / 60 % 60),
    }
}

/// `2 months ago`
pub fn age(day: Date, today: Date) -> String {
    let days = (today - day).get_days();
    match days {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        -1 => "tomorrow".to_owned(),
        ..-1 => format!("in {}", span(days.unsigned_abs())),
        2.. => format!("{} ago", span(days.unsigned_abs())),
    }
}

fn span(days: u32) -> String {
    let (n, unit) = match days {
        0..14 => (days, "day"),
        14..61 => (days / 7, "week"),
        61..730 => (days * 12 / 365, "month"),
        _ => (days / 365, "year"),
    };
    count(n as usize, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_read_well_at_their_edges() {
        assert_eq!(
            [0, 999, 1000, 19_823, 1_000_000].map(number),
            ["0", "999", "1,000", "19,823", "1,000,000"]
        );
        assert_eq!(
            [0, 999, 1000, 20_600_000, 999_960].map(bytes),
            ["0 bytes", "999 bytes", "1.0 kB", "20.6 MB", "1.0 MB"]
        );
        assert_eq!(
            [8, 3100, 125_000].map(|ms| time(Duration::from_millis(ms))),
            ["8 ms", "3.1 s", "2 min 5 s"]
        );
    }

    #[test]
    fn ages_are_told_in_the_unit_that_fits() {
        let today = jiff::civil::date(2026, 9, 7);
        let ages = [
            "2026-09-07", "2026-09-06", "2026-09-08", "2026-08-28", "2026-08-12", "2026-07-08", "2024-09-07",
            "2026-12-24",
        ];
        let told: Vec<String> = ages.iter().map(|day| age(day.parse().unwrap(), today)).collect();
        assert_eq!(
            told,
            [
                "today", "yesterday", "tomorrow", "10 days ago", "3 weeks ago", "2 months ago",
                "2 years ago", "in 3 months"
            ]
        );
    }
}
