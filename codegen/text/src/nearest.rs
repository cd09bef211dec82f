//! "did you mean": the known words that are most similar to an unknown one. All messages that suggest a word use this
//! module.

/// More suggestions than this do not help.
const MOST: usize = 3;

/// A longer word is not a typo, and comparing it would take long.
const LONGEST: usize = 64;

/// Returns a question with the known names that were probably meant: "did you mean `a` or `b`?"
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    question(&nearest(written, known), '`')
}

/// Returns the same question with texts of values, in quotes: "did you mean \"a\"?"
pub fn did_you_mean_text<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    question(&nearest(written, known), '"')
}

fn question(names: &[&str], quote: char) -> Option<String> {
    let quoted: Vec<String> = names.iter().map(|name| format!("{quote}{name}{quote}")).collect();
    let (last, others) = quoted.split_last()?;
    Some(match others {
        [] => format!("did you mean {last}?"),
        others => format!("did you mean {} or {last}?", others.join(", ")),
    })
}

/// Returns the known words nearest to the written one, at most three, in the order of `known`. Case, `_` and `-` do not
/// count. A word that begins like a known one is near it: `min` is near `minimum`.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let word = plain(written);
    let mut best = usize::MAX;
    let mut names: Vec<&str> = Vec::new();
    for candidate in known {
        let Some(rank) = rank(&word, &plain(candidate)) else { continue };
        if rank < best {
            best = rank;
            names.clear();
        }
        if rank == best && names.len() < MOST && !names.contains(&candidate) {
            names.push(candidate);
        }
    }
    names
}

fn plain(word: &str) -> Vec<char> {
    let letters = word.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase);
    letters.take(LONGEST + 1).collect()
}

/// The distance between two words, if they are similar. Smaller is nearer.
fn rank(word: &[char], candidate: &[char]) -> Option<usize> {
    let (short, long) = if word.len() < candidate.len() { (word, candidate) } else { (candidate, word) };
    if long.len() > LONGEST {
        return None;
    }
    let difference = long.len() - short.len();
    let limit = 1 + candidate.len() / 4;
    let edits = (difference <= limit).then(|| edits(word, candidate)).filter(|edits| *edits <= limit);
    // In a typo, most letters are correct.
    let edits = edits.filter(|edits| 2 * edits < long.len());
    let begins = (short.len() >= 3 && long.starts_with(short)).then_some(difference);
    edits.or(begins)
}

/// The number of edits between two words. Two swapped neighbors count as one edit.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = usize::from(a[i - 1] != b[j - 1]);
                let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, did_you_mean_text, nearest};

    #[test]
    fn suggests_the_nearest_words() {
        for (written, known, expected) in [
            ("keepLas", &["keepFirst", "keepLast"][..], &["keepLast"][..]),
            ("Properties", &["properties", "property"], &["properties"]),
            ("tpye", &["title", "type"], &["type"]),
            ("min", &["min_length", "minimum", "max_length"], &["minimum"]),
            ("short", &["singular", "shortname"], &["shortname"]),
            ("dat", &["boolean", "date"], &["date"]),
            ("listKind", &["list_kind"], &["list_kind"]),
            ("aab", &["aac", "aad", "aae", "aaf"], &["aac", "aad", "aae"]),
            ("nope", &["f", "name"], &[]),
            ("b", &["a"], &[]),
            ("", &["a", "abc"], &[]),
        ] {
            assert_eq!(nearest(written, known.iter().copied()), expected, "{written}");
        }
        let long = "a".repeat(1 << 20);
        assert!(nearest(&long, [long.as_str()]).is_empty());
    }

    #[test]
    fn writes_suggestions_as_questions() {
        let known = ["aac", "aad", "aae", "aaf"];
        assert_eq!(did_you_mean("aab", known).as_deref(), Some("did you mean `aac`, `aad` or `aae`?"));
        assert_eq!(did_you_mean_text("aa", ["aac"]).as_deref(), Some("did you mean \"aac\"?"));
        assert_eq!(did_you_mean("nope", known), None);
    }
}
