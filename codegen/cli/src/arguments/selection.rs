//! The arguments of all commands about what to read.

use crate::input::{Cluster, NOTES, Options, Rules};
use crdgen_files::Error;

/// Which files of a folder to read.
#[derive(clap::Args, Clone, Default)]
#[group(skip)]
pub(crate) struct Selection {
    /// Leave out files and folders, with patterns as in .gitignore. May be repeated. A file that you name is always read
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Also read what .gitignore names, and the folders vendor, node_modules and target
    #[arg(long)]
    no_ignore: bool,
}

impl Selection {
    pub(crate) fn rules(&self) -> Result<Rules, Error> {
        Ok(Rules::new(&self.exclude, self.no_ignore)?.with_notes(NOTES))
    }
}

/// The context of the cluster.
#[derive(clap::Args, Clone, Default)]
#[group(skip)]
pub(crate) struct Context {
    /// The kubeconfig context to use
    #[arg(long, value_name = "NAME", requires = "cluster")]
    context: Option<String>,
}

impl Context {
    /// Its name. `None` for the current one.
    pub(crate) fn name(&self) -> Option<&str> {
        self.context.as_deref()
    }
}

/// Whether changes of alpha and beta versions fail a run.
#[derive(clap::Args, Clone, Copy, Default)]
#[group(skip)]
pub(crate) struct Unstable {
    /// Treat changes of alpha and beta versions like those of stable versions. Without it, they are notes that do not fail the run
    #[arg(long)]
    unstable: bool,
}

impl Unstable {
    pub(crate) fn fails(self) -> bool {
        self.unstable
    }
}

/// Where a command that only reads CRDs finds them, other than its paths.
#[derive(clap::Args, Clone, Default)]
#[group(skip)]
pub(crate) struct Crds {
    #[command(flatten)]
    selection: Selection,
    /// Read the CRDs of the cluster that kubectl uses
    #[arg(long)]
    pub(crate) cluster: bool,
    #[command(flatten)]
    context: Context,
}

impl Crds {
    pub(crate) fn options(&self) -> Result<Options, Error> {
        let cluster = self.cluster.then(|| Cluster { context: self.context.name().map(str::to_owned) });
        Ok(Options { cluster, ..Options::crds(&self.selection.rules()?) })
    }

    /// How the command finds objects.
    pub(crate) fn objects(&self) -> Result<Options, Error> {
        Ok(Options::objects(&self.selection.rules()?).without_builds())
    }
}
