//! `crdgen lsp`: the language server, which editors start.

use crate::arguments::selection::Selection;
use crate::arguments::values;
use crate::input::NOTES;
use crate::outcome::Outcome;
use crate::terminal;
use crdgen_core::check::lints::Lints;
use crdgen_core::inert::InertLine;
use crdgen_files::Error;
use crdgen_lsp::{Settings, Stopped};
use crdgen_tasks::inputs::Notes;

/// Serve an editor over standard input and output (Language Server Protocol)
///
/// The server finds the CRDs of the workspace by itself. It reports what `crdgen check` and `crdgen validate` find while you type, completes
/// and explains the fields of objects and of CRDs, finds where fields are defined, and offers the fixes of `crdgen check --fix`. It runs no
/// program other than git.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen lsp                     what an editor starts
  crdgen lsp --against git:HEAD  also report what changes since the last commit break
  crdgen lsp --lint api          also review the design of APIs

Options may also be in crdgen.toml. EDITORS.md has the settings of editors.")]
pub(crate) struct Args {
    /// Ignored: some editors pass it
    #[arg(long, hide = true)]
    stdio: bool,
    #[command(flatten)]
    selection: Selection,
    /// Turn on a lint, such as LNT002, those about the design of an API with api, or all of them with all. May be repeated
    #[arg(long, value_name = "CODE", value_parser = values::LINTS, hide_possible_values = true)]
    lint: Vec<String>,
    /// Turn off a lint, or all of them with all. May be repeated
    #[arg(long, value_name = "CODE", value_parser = values::LINTS, hide_possible_values = true)]
    no_lint: Vec<String>,
    /// Also report what the changes of each CRD break: compare it with the CRD with the same name in a file, a folder, or, with git:REV,
    /// at a git revision
    #[arg(long, value_name = "FILE|git:REV", value_hint = clap::ValueHint::AnyPath)]
    against: Option<String>,
    /// The oldest Kubernetes to support, or several: 1.35,1.37 or 1.35..1.37
    #[arg(long, value_name = "1.NN", value_parser = values::KUBES, hide_possible_values = true)]
    kube: Option<String>,
}

/// Serves an editor. If settings cannot be used, `unused` is why, which the editor shows.
pub(crate) fn run(args: &Args, unused: Option<&Error>) -> Result<Outcome, Error> {
    // There is no other way to connect.
    let _ = args.stdio;
    let mut lints = Lints::default();
    lints.switch(&args.lint, &args.no_lint).map_err(|why| Error::Argument(why.to_string()))?;
    let servers = values::servers(args.kube.as_deref())?;
    lints.kube = servers.last().map(|oldest| oldest.minor());
    // A file that cannot be read does not matter when the editor ends the server.
    let notes = Notes { unread: Some(terminal::say_error), ..NOTES };
    let rules = args.selection.rules()?.with_notes(notes);
    let warning = unused.map(|why| InertLine(why).to_string());
    let settings = Settings { lints, servers, rules, against: args.against.clone(), warning };
    match crdgen_lsp::stdio(settings).map_err(Error::Thread)? {
        Stopped::Finished => Ok(Outcome::Fine),
        // The protocol wants another exit code if the client is gone without a goodbye.
        Stopped::Lost => Ok(Outcome::Findings),
    }
}
