//! Where the CRDs are that objects are checked against.

pub(crate) use crdgen_tasks::kinds::{Entry, Kinds, ShowBroken};

use crate::arguments::selection::{Context, Selection};
use crate::arguments::values;
use crate::input::{Cluster, Inventory};
use crdgen_files::Error;
use crdgen_tasks::kinds::KindSearch;

/// Where CRDs come from.
#[derive(clap::Args)]
#[group(skip)]
pub(crate) struct Args {
    /// The CRDs: files, folders (Helm charts too), glob patterns, a Rust package or .rs file, or git:REV for the CRDs at
    /// a git revision. crdgen also uses CRDs among the objects
    #[arg(long, value_name = "FILE|DIR|git:REV", value_hint = clap::ValueHint::AnyPath, num_args = 1..)]
    crd: Vec<String>,
    /// Use the CRDs of the cluster that kubectl uses
    #[arg(long)]
    cluster: bool,
    #[command(flatten)]
    context: Context,
    /// Folders with CRDs that are used if no other CRD is for a kind, such as those that `crdgen crds` has written
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    crd_dir: Vec<String>,
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// The version of Kubernetes. Several, such as 1.35,1.37 or 1.35..1.37, are for `crdgen validate`; other commands take the newest
    /// of them [default: the newest one]
    #[arg(long, value_name = "1.NN", value_parser = values::KUBES, hide_possible_values = true)]
    pub(crate) kube: Option<String>,
}

impl Args {
    fn search(&self, broken: ShowBroken) -> Result<KindSearch, Error> {
        Ok(KindSearch {
            crds: self.crd.clone(),
            cluster: self.cluster.then(|| Cluster { context: self.context.name().map(str::to_owned) }),
            folders: self.crd_dir.clone(),
            rules: self.selection.rules()?,
            servers: values::servers(self.kube.as_deref())?,
            broken,
        })
    }

    /// All CRDs that the arguments name, and those among the inputs.
    pub(crate) fn kinds(&self, inputs: &Inventory, broken: ShowBroken) -> Result<Kinds, Error> {
        Kinds::find(&self.search(broken)?, inputs)
    }

    /// Whether the user says where CRDs are.
    pub(crate) fn are_given(&self) -> bool {
        self.cluster || !self.crd.is_empty() || !self.crd_dir.is_empty()
    }
}

/// The error if a command has no CRD for what it reads.
pub(crate) fn none_for_any() -> Error {
    Error::Nothing("no CRD for any of the objects; pass CRDs with --crd or --cluster".to_owned())
}
