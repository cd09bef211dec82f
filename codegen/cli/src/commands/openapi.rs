//! `crdgen openapi`: what a cluster would publish for CRDs.

use std::path::PathBuf;

use crdgen_publish::unfold;
use rayon::prelude::*;

use crate::arguments::publishing;
use crate::arguments::selection;
use crate::crds::accepted::{self, Also};
use crate::input;
use crate::outcome::{Outcome, no_definition};
use crate::output::folders;
use crate::terminal::{Ready, print};
use crdgen_build::emit::{self, OutputFormat};
use crdgen_files::Error;

/// Write the OpenAPI documents that a server would publish, or JSON Schemas
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen openapi --merge crds                          one OpenAPI 3.0 document
  crdgen openapi --json-schema crds --out-dir schemas  for editors and kubeconform")]
pub(crate) struct Args {
    /// Files, folders, glob patterns, or - for standard input. By default crdgen reads what is piped in, or
    /// otherwise the current folder
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    #[command(flatten)]
    from: selection::Crds,
    /// Write Swagger 2.0
    #[arg(long, conflicts_with = "v3")]
    v2: bool,
    /// Write OpenAPI 3.0 (the default)
    #[arg(long)]
    v3: bool,
    /// Write strict JSON Schemas (draft 2020-12), for editors and kubeconform
    #[arg(long, conflicts_with_all = ["v2", "v3"])]
    json_schema: bool,
    /// Write strict JSON Schemas in draft-07
    #[arg(long = "json-schema-07", conflicts_with_all = ["v2", "v3", "json_schema"])]
    json_schema_07: bool,
    #[command(flatten)]
    publishing: publishing::Args,
    /// With --unfold: write CRDs instead of OpenAPI, with unions unfolded into keywords that servers know
    #[arg(long, requires = "unfold", conflicts_with_all = ["v2", "v3", "json_schema", "json_schema_07", "merge", "out_dir", "version"])]
    definitions: bool,
    /// Write files to this folder, instead of one document per line: GROUP_VERSION_PLURAL.json, with --merge
    /// openapi-v2.json or openapi-v3.json, and GROUP/KIND_VERSION.json for JSON Schemas
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// Also replace files in --out-dir that crdgen did not write
    #[arg(long, requires = "out_dir")]
    force: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let format = if args.v2 {
        OutputFormat::OpenApiV2
    } else if args.json_schema {
        OutputFormat::JsonSchema
    } else if args.json_schema_07 {
        OutputFormat::JsonSchema07
    } else {
        OutputFormat::OpenApiV3
    };
    let publishing = args.publishing.publishing(format)?;
    let publishing::Args { unfold, allow_non_structural, .. } = args.publishing;
    let also = Also { unions: unfold, refused: allow_non_structural, twins: args.definitions };
    let mut outputs = args.out_dir.as_deref().map(|dir| folders::folder(dir, args.force));
    let (mut read, mut found) = (false, false);
    let mut take = |documents: Vec<emit::Document>| {
        found |= !documents.is_empty();
        match &mut outputs {
            Some(folder) => folders::stage(folder, &documents),
            None => print(&Ready::inert(emit::joined(&documents, format))),
        }
    };
    let mut merged = emit::Merged::new(format, &publishing);
    let outcome = accepted::each(&args.paths, &args.from.options()?, also, |mut crds| {
        read = true;
        if args.definitions {
            crds.iter_mut().for_each(unfold::served_unions);
            let documents = emit::documents(&crds, OutputFormat::Yaml, None);
            return print(&Ready::document(&emit::joined(&documents, OutputFormat::Yaml)));
        }
        // The texts are large, because each repeats what all documents share. All cores generate them.
        for some in crds.chunks(accepted::CHUNK) {
            if publishing.merge {
                merged.add(some);
                merged.check().map_err(|e| Error::Argument(e.to_string()))?;
                continue;
            }
            let one = |crd| emit::published(std::slice::from_ref(crd), format, &publishing);
            take(some.par_iter().flat_map_iter(one).collect())?;
        }
        Ok(())
    })?;
    match outcome {
        Outcome::Findings | Outcome::Errors if !read => return Ok(outcome),
        Outcome::Fine if !read => return Err(no_definition(&args.paths)),
        Outcome::Findings | Outcome::Errors | Outcome::Fine => {}
    }
    if args.definitions {
        return Ok(outcome);
    }
    if publishing.merge {
        take(vec![merged.document()])?;
    }
    if !found {
        let what = match publishing.version.as_deref() {
            Some(version) => format!("version {version} with a schema"),
            None => "served version with a schema".to_owned(),
        };
        return Err(Error::Nothing(format!("no {what} in {}", input::names(&args.paths))));
    }
    outputs.iter_mut().try_for_each(folders::finish)?;
    Ok(outcome)
}
