//! Whether bytes are CBOR. The server looks at all of them before it reads a value.

use super::Problem;
use super::head::{Head, Input, malformed, not_accepted, type_name};
use super::major;

/// How deep lists, maps and tags may be nested.
const DEPTH: usize = 10_000;
/// How many members a map may have.
const MEMBERS: u64 = 2_097_152;

/// An item whose parts follow.
struct Open {
    depth: usize,
    left: Left,
}

/// What follows of an item.
enum Left {
    Items(u64),
    List,
    /// Whether a value has to follow, and then a name.
    Map {
        is_value: bool,
    },
}

/// Passes over an item.
pub(super) fn item(input: &mut Input<'_>) -> Result<(), Problem> {
    let mut open = vec![Open { depth: 0, left: Left::Items(1) }];
    while let Some(last) = open.last_mut() {
        let is_over = match &mut last.left {
            Left::Items(left) => match left.checked_sub(1) {
                Some(less) => {
                    *left = less;
                    false
                }
                None => true,
            },
            Left::List => input.take_break()?,
            Left::Map { is_value } => {
                let is_over = input.take_break()?;
                if is_over && *is_value {
                    return Err(malformed("cbor: unexpected \"break\" code"));
                }
                *is_value = !*is_value;
                is_over
            }
        };
        if is_over {
            open.pop();
            continue;
        }
        let depth = last.depth;
        let head = input.head()?;
        match head.major {
            major::BYTES | major::TEXT if head.is_open() => parts(input, head)?,
            major::BYTES | major::TEXT => drop(chunk(input, head)?),
            major::LIST | major::MAP => {
                let depth = deeper(depth)?;
                let left = match head.major {
                    major::LIST if head.is_open() => Left::List,
                    _ if head.is_open() => Left::Map { is_value: false },
                    _ => Left::Items(length(head)?),
                };
                open.push(Open { depth, left });
            }
            major::TAG => {
                let next = input.next_major()?;
                if matches!(head.number, 2 | 3) {
                    return Err(malformed(not_accepted("tag", "bignum")));
                }
                let depth = if next == major::TAG { deeper(depth)? } else { depth };
                open.push(Open { depth, left: Left::Items(1) });
            }
            _ => {}
        }
    }
    Ok(())
}

fn deeper(depth: usize) -> Result<usize, Problem> {
    if depth < DEPTH {
        Ok(depth + 1)
    } else {
        Err(malformed(format!("cbor: exceeded max nested level {DEPTH}")))
    }
}

/// How many items a list or a map has.
fn length(head: Head) -> Result<u64, Problem> {
    let Head { major, number, .. } = head;
    if i64::try_from(number).is_err() {
        let name = type_name(major);
        return Err(malformed(format!(
            "cbor: {name} length {number} is too large, it would cause integer overflow"
        )));
    }
    match major {
        major::LIST if i32::try_from(number).is_err() => {
            Err(malformed(format!("cbor: exceeded max number of elements {} for CBOR array", i32::MAX)))
        }
        major::MAP if number > MEMBERS => {
            Err(malformed(format!("cbor: exceeded max number of key-value pairs {MEMBERS} for CBOR map")))
        }
        major::MAP => Ok(number * 2),
        _ => Ok(number),
    }
}

/// The bytes of a text, or of a part of it.
pub(super) fn chunk<'b>(input: &mut Input<'b>, head: Head) -> Result<&'b [u8], Problem> {
    let Head { major, number, .. } = head;
    if i64::try_from(number).is_err() {
        let name = type_name(major);
        return Err(malformed(format!(
            "cbor: {name} length {number} is too large, causing integer overflow"
        )));
    }
    input.take(number)
}

/// A text in several parts.
fn parts(input: &mut Input<'_>, whole: Head) -> Result<(), Problem> {
    while !input.take_break()? {
        let name = type_name(whole.major);
        let next = input.next_major()?;
        if next != whole.major {
            let part = type_name(next);
            return Err(malformed(format!("cbor: wrong element type {part} for indefinite-length {name}")));
        }
        let head = input.head()?;
        if head.is_open() {
            return Err(malformed(format!("cbor: indefinite-length {name} chunk is not definite-length")));
        }
        chunk(input, head)?;
    }
    Ok(())
}

/// Checks that bytes are one item.
pub(super) fn document(bytes: &[u8]) -> Result<(), Problem> {
    if bytes.is_empty() {
        return Err(malformed("EOF"));
    }
    let mut input = Input::of(bytes);
    item(&mut input)?;
    match input.left() {
        0 => Ok(()),
        more => Err(malformed(format!(
            "cbor: {more} bytes of extraneous data starting at index {}",
            bytes.len() - more
        ))),
    }
}
