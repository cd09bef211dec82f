//! Tables for people.

/// The least width of a column.
const WIDTH: usize = 6;
/// The space behind the longest cell of a column.
const SPACE: usize = 3;

/// Lines with their cells in columns. As in Go's tabwriter, consecutive cells of a column have one width, and the
/// last cell of a line is not in a column.
pub fn lines(lines: &[Vec<String>]) -> String {
    let mut widths: Vec<Vec<usize>> =
        lines.iter().map(|line| vec![0; line.len().saturating_sub(1)]).collect();
    let columns = widths.iter().map(Vec::len).max().unwrap_or_default();
    for column in 0..columns {
        let mut start = 0;
        while start < lines.len() {
            let len = widths[start..].iter().take_while(|line| column < line.len()).count();
            let block = start..start + len;
            let longest = lines[block.clone()].iter().map(|line| line[column].chars().count() + SPACE).max();
            let width = longest.unwrap_or_default().max(WIDTH);
            block.for_each(|line| widths[line][column] = width);
            start += len.max(1);
        }
    }
    let mut out = String::new();
    for (line, widths) in lines.iter().zip(&widths) {
        for (i, cell) in line.iter().enumerate() {
            out.push_str(cell);
            let width = widths.get(i).copied().unwrap_or_default();
            out.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.chars().count())));
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::lines as aligned;

    #[test]
    fn columns_are_as_wide_as_their_longest_cell() {
        let line = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let lines =
            [line(&["NAME", "SPEC", "AGE"]), line(&["a-long-name", "", ""]), line(&["b", "x", "<unknown>"])];
        let expected = "NAME          SPEC   AGE\na-long-name          \nb             x      <unknown>\n";
        assert_eq!(aligned(&lines), expected);
        let ragged = [line(&["a", "b"]), line(&["alone"]), line(&["longer-than-a", "b", "c"])];
        assert_eq!(aligned(&ragged), "a     b\nalone\nlonger-than-a   b     c\n");
    }
}
