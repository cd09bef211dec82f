//! `crdgen config`: the settings in crdgen.toml.

use crate::arguments::settings::{self, FILE};
use crate::outcome::Outcome;
use crate::terminal::{Ready, print};
use crdgen_files::Error;

/// Show the settings in crdgen.toml
#[derive(clap::Args)]
#[command(after_help = "A crdgen.toml in the current folder or a folder above sets defaults for options:

  kube = \"1.33\"             # for all commands with --kube
  lint = [\"all\"]            # for all commands with --lint, and likewise no-lint and allow
  paths = [\"deploy/crds\"]   # the CRDs to read by default
  exclude = [\"testdata\"]    # files and folders to leave out
  crd-dir = [\"crds\"]        # folders with CRDs of other projects

  [check]                   # options of one command, with their long names
  deny-warnings = true

  [validate]
  objects = [\"manifests\"]   # what one command reads: objects, path or paths, as its help calls it
  crd = [\"deploy/crds\"]

The shared `paths` are for `crdgen check`, `crdgen fit`, `crdgen docs`, `crdgen openapi`, `crdgen import` and
`crdgen migrate`. Paths are relative to crdgen.toml. Options on the command line take precedence; --FLAG=false
turns off a flag. A setting that cannot be used with the given options is ignored.

The file comes with a checkout, so it cannot set options that run code, replace or remove files, or reach a cluster:
exact, force, prune, update, cluster, context, own, resume, watch and write-baseline work only on the command line. Its paths must stay
inside its folder.")]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, command: &clap::Command) -> Result<Outcome, Error> {
    let Some(settings) = settings::read(command)? else {
        print(&Ready::text(&format!("no {FILE} in this folder or in one above it\n")))?;
        return Ok(Outcome::Fine);
    };
    print(&Ready::text(&settings.shown()))?;
    Ok(Outcome::Fine)
}
