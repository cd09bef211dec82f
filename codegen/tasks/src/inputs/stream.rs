//! Reading documents: some at a time, on all cores, so that no command has all of them in memory.

use rayon::prelude::*;

use super::{Input, Inventory, Source, batches};
use crdgen_core::documents::Group;
use crdgen_files::Error;

/// How many groups of documents are in memory at most, however many cores there are.
const MAX_GROUPS: usize = 16;

/// Processes the documents of all inputs, and passes on the results in their order. Calls `step` after each input. Many small files
/// are processed before the first result is passed on. If one of them cannot be read, none is passed on.
pub fn each_group<T: Send>(
    inputs: &Inventory,
    step: &(dyn Fn() + Sync),
    work: impl Fn(&Source, Group) -> Result<T, Error> + Sync,
    mut take: impl FnMut(T) -> Result<(), Error>,
) -> Result<(), Error> {
    for batch in batches(inputs) {
        if let [input] = batch {
            if let Some(source) = inputs.read(input)? {
                groups(&source, |group| work(&source, group), &mut take)?;
            }
            step();
            continue;
        }
        let one = |input: &Input| {
            let source = inputs.read(input)?;
            let done = source.map(|source| work(&source, source.group())).transpose();
            step();
            done
        };
        let done: Vec<Result<Option<T>, Error>> = batch.par_iter().map(one).collect();
        let done: Vec<Option<T>> = done.into_iter().collect::<Result<_, Error>>()?;
        done.into_iter().flatten().try_for_each(&mut take)?;
    }
    Ok(())
}

/// Processes the groups of documents of one source, and passes on the results in their order.
pub fn groups<T: Send>(
    source: &Source,
    work: impl Fn(Group) -> Result<T, Error> + Sync,
    mut take: impl FnMut(T) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut groups = source.groups();
    let at_once = (2 * rayon::current_num_threads()).min(MAX_GROUPS);
    loop {
        let some: Vec<Group> = groups.by_ref().take(at_once).collect();
        if some.is_empty() {
            return Ok(());
        }
        // Most files are one group. Handing it to another thread takes as long as many checks.
        if some.len() == 1 && rayon::current_thread_index().is_some() {
            some.into_iter().try_for_each(|group| take(work(group)?))?;
            continue;
        }
        let done: Vec<Result<T, Error>> = some.into_par_iter().map(&work).collect();
        done.into_iter().try_for_each(|done| take(done?))?;
    }
}
