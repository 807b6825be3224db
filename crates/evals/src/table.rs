/// The rows as lines, each column as wide as its widest cell: the first column at its left edge, the others at their
/// right.
pub(crate) fn text<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |row: &[String; N]| {
        let others = row.iter().zip(widths).skip(1).map(|(cell, width)| format!("  {cell:>width$}"));
        format!("  {:<width$}{}\n", row[0], others.collect::<String>(), width = widths[0])
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_line_up() {
        let rows = [["side".to_owned(), "F1".to_owned()], ["recall".to_owned(), "100.0".to_owned()]];
        assert_eq!(super::text(&rows), "  side       F1\n  recall  100.0\n");
    }
}
