//! `crdgen explain CODE`

use crdgen_core::diag::codes;

use super::{Failure, Outcome, print};

/// Explain a diagnostic code, or list all of them
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A code such as CRD012; all are listed when missing
    code: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    match &args.code {
        None => {
            let lines: String = codes::TABLES
                .iter()
                .flat_map(|table| table.iter())
                .map(|code| format!("{}  {}\n", code.id, code.title))
                .collect();
            print(&lines)?;
        }
        Some(id) => {
            let code = codes::find(id).ok_or_else(|| {
                Failure::new(format!("there is no code {id}; `crdgen explain` lists all of them"))
            })?;
            print(&format!("{}: {}\n\n{}\n", code.id, code.title, code.explain))?;
        }
    }
    Ok(Outcome::Fine)
}
