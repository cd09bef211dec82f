//! Lists in sentences: the first few items, and the number of the others. All messages that shorten a list use this
//! module.

use std::fmt::Display;

/// How many names a message lists, unless it has a reason for another number.
pub const NAMED: usize = 5;

/// Lists at most `most` of the items: `a, b and 3 more`.
pub fn first<T: Display>(items: impl ExactSizeIterator<Item = T>, most: usize) -> String {
    let more = items.len().saturating_sub(most);
    let named: Vec<String> = items.take(most).map(|item| item.to_string()).collect();
    let named = named.join(", ");
    if more == 0 { named } else { format!("{named} and {more} more") }
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn long_lists_are_counted() {
        let all = ["a", "b", "c"];
        for (most, expected) in [(1, "a and 2 more"), (2, "a, b and 1 more"), (3, "a, b, c"), (4, "a, b, c")]
        {
            assert_eq!(first(all.iter(), most), expected);
        }
        assert_eq!(first(all[..0].iter(), 2), "");
    }
}
