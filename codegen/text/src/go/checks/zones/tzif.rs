//! The compiled form of a time zone (RFC 9636): the times at which its offset changed, and a rule for all later times.
//!
//! The crates that read this form do much more, and take three seconds to compile.

use super::rule::Rule;

/// Returns the offset at a time, in seconds east of UTC. `None` if the data is malformed.
pub(super) fn offset(data: &[u8], seconds: i64) -> Option<i64> {
    // The first block has times of 32 bits. Everything in it is also in the second block.
    let (counts, rest) = Counts::read(data)?;
    let (counts, rest) = Counts::read(rest.get(counts.block(4)..)?)?;
    let (times, after) = rest.split_at_checked(counts.times * 8)?;
    let (indices, types) = after.split_at_checked(counts.times)?;
    let times = times.as_chunks().0;
    let past = times.partition_point(|time| i64::from_be_bytes(*time) <= seconds);
    if past == times.len() {
        let footer = std::str::from_utf8(rest.get(counts.block(8)..)?).ok()?;
        let rule = footer.strip_prefix('\n')?.strip_suffix('\n')?;
        return Some(Rule::parse(rule)?.offset(seconds));
    }
    // Before the first change, the first type applies.
    let index = match past.checked_sub(1) {
        None => 0,
        Some(last) => usize::from(*indices.get(last)?),
    };
    let offset = types.get(index * 6..)?.first_chunk()?;
    Some(i64::from(i32::from_be_bytes(*offset)))
}

/// How many values of each kind a block has.
struct Counts {
    universal: usize,
    standard: usize,
    leaps: usize,
    times: usize,
    types: usize,
    names: usize,
}

impl Counts {
    /// Reads the header of a block, and returns what comes after it.
    fn read(data: &[u8]) -> Option<(Counts, &[u8])> {
        // After the name of the form come its version and 15 bytes without a meaning.
        let (header, rest) = data.strip_prefix(b"TZif")?.get(16..)?.split_at_checked(24)?;
        let [universal, standard, leaps, times, types, names] = *header.as_chunks().0 else { return None };
        let count = |bytes: [u8; 4]| usize::try_from(u32::from_be_bytes(bytes)).ok();
        let counts = Counts {
            universal: count(universal)?,
            standard: count(standard)?,
            leaps: count(leaps)?,
            times: count(times)?,
            types: count(types)?,
            names: count(names)?,
        };
        Some((counts, rest))
    }

    /// The length of a block without its header, if a time has this many bytes.
    fn block(&self, time: usize) -> usize {
        let Counts { universal, standard, leaps, times, types, names } = self;
        times * (time + 1) + types * 6 + names + leaps * (time + 4) + standard + universal
    }
}
