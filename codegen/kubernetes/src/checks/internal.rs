//! Values as the server's own types have them: messages show these, and not what clients send.

use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::LazyLock;

/// A line for each type: its name and its fields. A field has its name, the path that clients see if it is more than another first
/// letter, `?` if messages leave it out when it is empty, and its type: `*` may be null, `[` is a list, `{` a map, and a letter a plain value.
const TEXT: &str = include_str!("internal.txt");

struct Member {
    name: &'static str,
    sent: String,
    is_optional: bool,
    ty: &'static str,
}

static TYPES: LazyLock<BTreeMap<&'static str, Vec<Member>>> = LazyLock::new(|| {
    let member = |text: &'static str| {
        let (names, ty) = text.split_once(':')?;
        let (name, sent) = names.split_once('=').unzip();
        let name = name.unwrap_or(names);
        let lower =
            || name.chars().take(1).map(|c| c.to_ascii_lowercase()).chain(name.chars().skip(1)).collect();
        let sent = sent.map_or_else(lower, str::to_owned);
        Some(Member { name, sent, is_optional: ty.starts_with('?'), ty: ty.trim_start_matches('?') })
    };
    let lines = TEXT.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(name, members)| (name, members.split(' ').filter_map(member).collect())).collect()
});

/// Writes values, on one line, or on a line for each member as Go's `MarshalIndent` does with one space.
struct Writer {
    out: String,
    depth: Option<usize>,
}

impl Writer {
    fn line(&mut self) {
        if let Some(depth) = self.depth {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(' ', depth));
        }
    }

    fn all<T>(&mut self, brackets: [char; 2], items: Vec<T>, each: impl Fn(&mut Writer, T)) {
        let is_empty = items.is_empty();
        self.out.push(brackets[0]);
        self.depth = self.depth.map(|depth| depth + 1);
        for (i, item) in items.into_iter().enumerate() {
            self.out.push_str(if i > 0 { "," } else { "" });
            self.line();
            each(self, item);
        }
        self.depth = self.depth.map(|depth| depth - 1);
        if !is_empty {
            self.line();
        }
        self.out.push(brackets[1]);
    }

    fn name(&mut self, name: &str) {
        let space = if self.depth.is_some() { " " } else { "" };
        // Writing to a string cannot fail.
        _ = write!(self.out, "{}:{space}", json::to_string(&name.into()));
    }

    fn value(&mut self, value: Option<&Value>, ty: &str) {
        let value = value.filter(|value| !value.is_null());
        match (ty.split_at_checked(1), value) {
            (Some(("*" | "[" | "{", _)) | None, None) => self.out.push_str("null"),
            (Some(("*", ty)), value) => self.value(value, ty),
            (Some(("[", ty)), Some(value)) => {
                let items = value.as_list().unwrap_or_default().iter().collect();
                self.all(['[', ']'], items, |out, item| out.value(Some(item), ty));
            }
            (Some(("{", ty)), Some(value)) => {
                let mut members: Vec<_> = value.as_map().into_iter().flat_map(Map::iter).collect();
                members.sort_unstable_by_key(|(key, _)| *key);
                self.all(['{', '}'], members, |out, (key, value)| {
                    out.name(key);
                    out.value(Some(value), ty);
                });
            }
            (_, value) if TYPES.contains_key(ty) => self.members(value.unwrap_or(&Value::Null), ty),
            (_, Some(value)) => self.out.push_str(&json::to_html_safe(value)),
            (_, None) => self.out.push_str(match ty {
                "s" => "\"\"",
                "q" => "\"0\"",
                "b" => "false",
                "t" => "null",
                _ => "0",
            }),
        }
    }

    fn members(&mut self, value: &Value, ty: &str) {
        let members = TYPES.get(ty).into_iter().flatten();
        let sent = |member: &Member| member.sent.split('.').try_fold(value, |at, name| at.get(name));
        let members = members.map(|member| (member, sent(member)));
        let is_there = |value: &Value| match value {
            Value::Null => false,
            Value::Str(text) => !text.is_empty(),
            Value::List(items) => !items.is_empty(),
            Value::Map(map) => !map.is_empty(),
            Value::Int(number) => *number != 0,
            _ => true,
        };
        let shown = members.filter(|(member, value)| !member.is_optional || value.is_some_and(is_there));
        self.all(['{', '}'], shown.collect(), |out, (member, value)| {
            out.name(member.name);
            out.value(value, member.ty);
        });
    }
}

/// A value of a type in a message.
pub(super) fn shown(value: Option<&Value>, ty: &str) -> String {
    let mut writer = Writer { out: String::new(), depth: None };
    writer.value(value, ty);
    writer.out
}

/// The difference between two values of a type, as the server shows it.
pub(super) fn difference(old: &Value, new: &Value, ty: &str) -> String {
    let lines = |value| {
        let mut writer = Writer { out: String::new(), depth: Some(0) };
        writer.value(Some(value), ty);
        writer.out
    };
    let (old, new) = (lines(old), lines(new));
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut out = String::new();
    for group in groups(&blocks(&old, &new), [old.len(), new.len()]) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let range = |start: usize, end: usize| match end - start {
            1 => (start + 1).to_string(),
            0 => format!("{start},0"),
            length => format!("{},{length}", start + 1),
        };
        // Writing to a string cannot fail.
        _ = writeln!(out, "@@ -{} +{} @@", range(first.old.0, last.old.1), range(first.new.0, last.new.1));
        for part in group {
            let mut write = |sign, lines: &[&str]| {
                for line in lines {
                    _ = writeln!(out, "{sign}{line}");
                }
            };
            if part.is_same {
                write(' ', &old[part.old.0..part.old.1]);
            } else {
                write('-', &old[part.old.0..part.old.1]);
                write('+', &new[part.new.0..part.new.1]);
            }
        }
    }
    out
}

/// Lines of the old and the new text: the same ones, or others.
#[derive(Clone, Copy)]
struct Part {
    is_same: bool,
    old: (usize, usize),
    new: (usize, usize),
}

/// Equal lines: where they begin in both texts, and how many there are. It finds them as Python's `difflib` does.
type Block = (usize, usize, usize);

/// How many lines are compared before the rest counts as changed. Each block needs all lines around it again.
const MOST_COMPARED: usize = 20_000_000;

fn blocks(old: &[&str], new: &[&str]) -> Vec<Block> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, line) in new.iter().enumerate() {
        places.entry(line).or_default().push(i);
    }
    if new.len() >= 200 {
        // Frequent lines begin no block.
        places.retain(|_, found| found.len() <= new.len() / 100 + 1);
    }
    let (mut out, mut compared): (Vec<Block>, usize) = (Vec::new(), 0);
    let mut queue = vec![(0, old.len(), 0, new.len())];
    while let Some((old_start, old_end, new_start, new_end)) = queue.pop() {
        if compared > MOST_COMPARED {
            break;
        }
        let (mut i, mut j, mut size) = (old_start, new_start, 0);
        let mut lengths: HashMap<usize, usize> = HashMap::new();
        for (at, line) in old.iter().enumerate().take(old_end).skip(old_start) {
            let mut next = HashMap::new();
            let found = places.get(line).map_or(&[][..], Vec::as_slice);
            compared += 1 + found.len();
            for place in found.iter().copied().filter(|place| (new_start..new_end).contains(place)) {
                let length =
                    place.checked_sub(1).and_then(|it| lengths.get(&it)).copied().unwrap_or_default() + 1;
                next.insert(place, length);
                if length > size {
                    (i, j, size) = (at + 1 - length, place + 1 - length, length);
                }
            }
            lengths = next;
        }
        while i > old_start && j > new_start && old[i - 1] == new[j - 1] {
            (i, j, size) = (i - 1, j - 1, size + 1);
        }
        while i + size < old_end && j + size < new_end && old[i + size] == new[j + size] {
            size += 1;
        }
        if size > 0 {
            out.push((i, j, size));
            queue.push((old_start, i, new_start, j));
            queue.push((i + size, old_end, j + size, new_end));
        }
    }
    out.sort_unstable();
    out
}

/// The changes with three lines around them. Those that are close to each other are one group.
fn groups(blocks: &[Block], ends: [usize; 2]) -> Vec<Vec<Part>> {
    const CONTEXT: usize = 3;
    let mut parts: Vec<Part> = Vec::new();
    let (mut i, mut j) = (0, 0);
    for &(old, new, size) in blocks.iter().chain([&(ends[0], ends[1], 0)]) {
        if i < old || j < new {
            parts.push(Part { is_same: false, old: (i, old), new: (j, new) });
        }
        (i, j) = (old + size, new + size);
        match parts.last_mut().filter(|last| last.is_same && last.old.1 == old && last.new.1 == new) {
            Some(last) => (last.old.1, last.new.1) = (i, j),
            None if size > 0 => parts.push(Part { is_same: true, old: (old, i), new: (new, j) }),
            None => {}
        }
    }
    let (mut out, last) = (vec![Vec::new()], parts.len().saturating_sub(1));
    for (at, mut part) in parts.into_iter().enumerate() {
        if part.is_same && at == 0 {
            part.old.0 = part.old.0.max(part.old.1.saturating_sub(CONTEXT));
            part.new.0 = part.new.0.max(part.new.1.saturating_sub(CONTEXT));
        }
        if part.is_same && at == last {
            part.old.1 = part.old.1.min(part.old.0 + CONTEXT);
            part.new.1 = part.new.1.min(part.new.0 + CONTEXT);
        }
        let is_far = part.is_same && at > 0 && at < last && part.old.1 - part.old.0 > 2 * CONTEXT;
        if is_far {
            let Part { old, new, .. } = part;
            let before = Part { old: (old.0, old.0 + CONTEXT), new: (new.0, new.0 + CONTEXT), ..part };
            out.last_mut().into_iter().for_each(|group| group.push(before));
            out.push(Vec::new());
            part = Part { old: (old.1 - CONTEXT, old.1), new: (new.1 - CONTEXT, new.1), ..part };
        }
        out.last_mut().into_iter().for_each(|group| group.push(part));
    }
    out.retain(|group| group.iter().any(|part| !part.is_same));
    out
}

#[cfg(test)]
mod tests {
    use super::blocks;

    /// Each block makes the search look at all lines around it again, and a client chooses how many there are.
    #[test]
    fn texts_with_many_blocks_are_compared_in_part() {
        for (count, is_whole) in [(1_000, true), (12_000, false)] {
            let lines = |other: &str| -> Vec<String> {
                (0..count).map(|i| if i % 2 == 0 { format!("{i}") } else { format!("{i}{other}") }).collect()
            };
            let (old, new) = (lines("a"), lines("b"));
            let [old, new] = [&old, &new].map(|all| all.iter().map(String::as_str).collect::<Vec<_>>());
            let found = blocks(&old, &new);
            assert!(found.iter().all(|&(i, j, size)| old[i..i + size] == new[j..j + size]));
            assert_eq!(found.len() == count / 2, is_whole, "{count}: {}", found.len());
        }
    }
}
