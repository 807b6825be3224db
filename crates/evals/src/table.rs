/// Formats rows as lines with aligned columns: the first to the left, the others to the right.
pub(crate) fn text<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |row: &[String; N]| {
        let others = row.iter().zip(widths).skip(1).map(|(cell, width)| format!("  {cell:>width$}"));
        format!("  {:<width$}{}\n", row[0], others.collect::<String>(), width = widths[0])
    };
    rows.iter().map(line).collect()
}

/// Groups digits by threes, with commas.
pub(crate) fn number(count: usize) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn columns_line_up() {
        let rows = [["side".to_owned(), "F1".to_owned()], ["recall".to_owned(), "100.0".to_owned()]];
        assert_eq!(super::text(&rows), "  side       F1\n  recall  100.0\n");
    }
}
