//! `crdgen expand`: prints the code that the derives generate, formatted.

use crate::outcome::Outcome;
use crate::terminal::print_code;
use crdgen_files::Error;
use crdgen_files::input::{self, Shown};
use crdgen_files::source::on_its_stack;
use std::path::PathBuf;

use crdgen_core::span::Pos;
use crdgen_rust::derive::in_file::{CustomResources, DerivedIn};
use crdgen_rust::syntax::nesting;

/// Show the code that the derives generate for the types in a file, without compiling it
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen expand src/lib.rs CronTabSpec")]
pub(crate) struct Args {
    /// The Rust file
    path: PathBuf,
    /// Show only the types with these names
    types: Vec<String>,
    /// Expand kinds as `crdgen::kube::CustomResource` does
    #[arg(long)]
    kube: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    on_its_stack(|| expand(args))
}

fn expand(args: &Args) -> Result<Outcome, Error> {
    let no_rust = |at: Pos, why: String| Error::NoRust {
        path: args.path.clone(),
        line: at.line,
        column: at.column,
        why,
    };
    if input::is_document(&args.path) {
        return Err(Error::Argument(format!("{}: not Rust; pass a .rs file", args.path.shown())));
    }
    let text = input::read_to_string(&args.path).map_err(Error::file(&args.path))?;
    let file = nesting::parse_file(&text).map_err(|fault| {
        let help = fault.help().map_or_else(String::new, |help| format!("; {help}"));
        no_rust(fault.place().start, format!("{fault}{help}"))
    })?;
    let mut out = String::new();
    let file = DerivedIn::new(file).map_err(|e| no_rust(nesting::place(e.span()).start, e.to_string()))?;
    if args.types.is_empty() {
        file.versioned().iter().for_each(|file| out.push_str(&prettyplease::unparse(file)));
    }
    let resources = if args.kube { CustomResources::Kube } else { CustomResources::Crdgen };
    for derived in file.derived(resources) {
        let name = derived.name;
        if !args.types.is_empty() && !args.types.iter().any(|t| name == t) {
            continue;
        }
        let failed = |e| no_rust(nesting::place(name.span()).start, format!("the code for {name}: {e}"));
        out.push_str(&prettyplease::unparse(&syn::parse2(derived.code()).map_err(failed)?));
    }
    if out.is_empty() {
        let wanted =
            if args.types.is_empty() { String::new() } else { format!(" {}", args.types.join(", ")) };
        let path = args.path.shown();
        return Err(Error::Nothing(format!(
            "{path}: no type{wanted} that derives Schema, CustomResource or Convert"
        )));
    }
    print_code(&out)?;
    Ok(Outcome::Fine)
}
