//! Reading documents on all cores, with the progress on the terminal.

pub(crate) use crdgen_tasks::inputs::stream::groups;

use crate::input::{Inventory, Source};
use crate::terminal::progress::Progress;
use crdgen_core::documents::{Definitions, Group};
use crdgen_files::Error;
use crdgen_tasks::inputs::stream;

/// Processes the CRDs of all inputs, and passes on the results in their order.
pub(crate) fn each<T: Send>(
    inputs: &Inventory,
    work: impl Fn(&Source, Definitions) -> Result<T, Error> + Sync,
    take: impl FnMut(T) -> Result<(), Error>,
) -> Result<(), Error> {
    let progress = Progress::new("reading", inputs.len());
    each_group(inputs, &progress, |source, group| work(source, group.read()), take)
}

/// Like [`each`], for documents with any objects.
pub(crate) fn each_group<T: Send>(
    inputs: &Inventory,
    progress: &Progress,
    work: impl Fn(&Source, Group) -> Result<T, Error> + Sync,
    take: impl FnMut(T) -> Result<(), Error>,
) -> Result<(), Error> {
    stream::each_group(inputs, &|| progress.step(), work, take)
}
