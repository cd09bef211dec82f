//! `crdgen completions`: what a shell needs to complete arguments.

use super::Outcome;
use super::terminal::{Ready, print};
use crate::Error;

/// Write a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen completions bash > ~/.local/share/bash-completion/completions/crdgen
  crdgen completions zsh > ~/.zfunc/_crdgen
  crdgen completions fish > ~/.config/fish/completions/crdgen.fish
  crdgen completions powershell >> $PROFILE")]
pub(crate) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(), "crdgen", &mut script);
    print(&Ready::inert(String::from_utf8_lossy(&script).into_owned()))?;
    Ok(Outcome::Fine)
}
