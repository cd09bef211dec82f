//! `crdgen openapi`: what a cluster would publish of these definitions.

use std::path::PathBuf;

use crdgen_core::emit::openapi::{self, Options, Published};
use crdgen_core::emit::unfold;
use crdgen_core::ir::Crd;
use crdgen_core::json;

use super::{Failure, Outcome, definitions, inputs, print};
use crate::emit::{self, Form};
use crate::output::write_if_changed;

/// Publish OpenAPI documents as a cluster would
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files, directories, glob patterns, or - for standard input
    #[arg(default_value = ".")]
    paths: Vec<String>,
    /// Swagger 2.0 instead of OpenAPI 3.0
    #[arg(long, conflicts_with = "v3")]
    v2: bool,
    /// OpenAPI 3.0 (the default)
    #[arg(long)]
    v3: bool,
    /// Only this version of each kind
    #[arg(long, value_name = "NAME")]
    version: Option<String>,
    /// One document for all, as the aggregated endpoint gives it
    #[arg(long)]
    merge: bool,
    /// Leave out all value validations
    #[arg(long)]
    strip_value_validation: bool,
    /// Leave out nullable
    #[arg(long)]
    strip_nullable: bool,
    /// Publish schemas that break structural rules too
    #[arg(long)]
    allow_non_structural: bool,
    /// Unfold unions, embedded resources and int-or-strings as the structural-schema proposal does
    #[arg(long)]
    unfold: bool,
    /// Write the definitions themselves, their unions in words that a server knows
    #[arg(long, requires = "unfold", conflicts_with_all = ["v2", "v3", "merge", "out_dir", "version"])]
    definitions: bool,
    /// Write GROUP_VERSION_PLURAL.json files here instead of one document a line
    #[arg(long, value_name = "DIR", conflicts_with = "merge")]
    out_dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let options = Options {
        v2: args.v2,
        strip_value_validation: args.strip_value_validation,
        strip_nullable: args.strip_nullable,
        allow_non_structural: args.allow_non_structural,
        unfold: args.unfold,
        ..Options::default()
    };
    let mut documents = Vec::new();
    let mut unfolded = Vec::new();
    for input in inputs::find(&args.paths, &["yaml", "yml", "json"])? {
        for crd in definitions::read_accepted(&input.read()?, args.unfold)? {
            if args.definitions {
                unfolded.push(crd);
            } else {
                documents.extend(published(&crd, args, &options));
            }
        }
    }
    if args.definitions {
        unfolded.iter_mut().for_each(unfold::served_unions);
        let documents = emit::documents(&unfolded, Form::Yaml, None);
        print(&emit::joined(&documents, Form::Yaml))?;
        return Ok(Outcome::Fine);
    }
    if documents.is_empty() {
        return Err(Failure::new(format!(
            "no served version of a CustomResourceDefinition in {}",
            args.paths.join(" ")
        )));
    }
    if let Some(dir) = &args.out_dir {
        for (name, document) in documents {
            let path = dir.join(name);
            write_if_changed(&path, &(document.text() + "\n"))
                .map_err(|e| Failure::new(format!("{}: {e}", path.display())))?;
        }
    } else if args.merge {
        let all = documents.into_iter().map(|(_, document)| document.document());
        let merged = if args.v2 { openapi::merge_v2(all) } else { openapi::merge_v3(all) };
        print(&(json::to_string(&merged) + "\n"))?;
    } else {
        for (_, document) in documents {
            print(&(document.text() + "\n"))?;
        }
    }
    Ok(Outcome::Fine)
}

/// The documents of a definition with their file names: only versions that are served are published.
fn published(crd: &Crd, args: &Args, options: &Options) -> Vec<(String, Published)> {
    let wanted = |name: &str, served: bool| match &args.version {
        Some(version) => version == name,
        None => served,
    };
    let versions = crd.spec.versions.iter().enumerate().filter(|(_, v)| wanted(&v.name, v.served));
    versions
        .filter_map(|(index, version)| {
            let document = openapi::publish(crd, index, options)?;
            let name = format!("{}_{}_{}.json", crd.spec.group, version.name, crd.spec.names.plural);
            Some((name, document))
        })
        .collect()
}
