//! Columns that line up, whatever script stands in them.

use unicode_width::UnicodeWidthStr;

use super::clean;

/// On which side of its column a cell stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// The rows as lines, each column as wide as its widest cell; no spaces at the ends of lines.
pub fn lines<const N: usize>(sides: [Side; N], rows: &[[String; N]]) -> Vec<String> {
    let widths: [usize; N] =
        std::array::from_fn(|at| rows.iter().map(|row| row[at].width()).max().unwrap_or(0));
    rows.iter().map(|row| line(row, sides, widths)).collect()
}

/// The same as one text, cleaned.
pub fn text<const N: usize>(sides: [Side; N], rows: &[[String; N]]) -> String {
    lines(sides, rows).iter().map(|line| format!("{}\n", clean::text(line))).collect()
}

fn line<const N: usize>(row: &[String; N], sides: [Side; N], widths: [usize; N]) -> String {
    let mut line = String::new();
    for (at, cell) in row.iter().enumerate() {
        let pad = " ".repeat(widths[at] - cell.width());
        let gap = if at == 0 { "" } else { "  " };
        match sides[at] {
            Side::Left => line.extend([gap, cell, &pad]),
            Side::Right => line.extend([gap, &pad, cell]),
        }
    }
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_by_what_is_seen() {
        let rows = [["数据".to_owned(), "1".to_owned()], ["a".to_owned(), "100".to_owned()]];
        assert_eq!(lines([Side::Left, Side::Right], &rows), ["数据    1", "a     100"]);
    }
}
