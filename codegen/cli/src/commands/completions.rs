//! `crdgen completions`: scripts with which shells complete arguments.

use std::fmt::Write;

use clap::{Arg, Command};
use clap_complete::Shell;

use crate::outcome::Outcome;
use crate::terminal::{Ready, print};
use crdgen_files::Error;

/// Write a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen completions bash > ~/.local/share/bash-completion/completions/crdgen
  crdgen completions zsh > ~/.zfunc/_crdgen
  crdgen completions fish > ~/.config/fish/completions/crdgen.fish
  crdgen completions powershell >> $PROFILE")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args, mut command: clap::Command) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "crdgen", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    match args.shell {
        Shell::Bash => script = for_bash(&script),
        Shell::Fish => script.push_str(&for_fish(&command)),
        Shell::PowerShell => script = for_powershell(&script, &command),
        _ => {}
    }
    print(&Ready::inert(script))?;
    Ok(Outcome::Fine)
}

/// The arguments of each command for which shells offer values, with these values.
fn offered(command: &Command) -> impl Iterator<Item = (&Command, &Arg, Vec<String>)> {
    command.get_subcommands().flat_map(|sub| {
        sub.get_arguments().filter_map(move |arg| {
            let values = arg.get_possible_values();
            let values: Vec<String> = values.iter().map(|value| value.get_name().to_owned()).collect();
            let is_flag = !arg.get_action().takes_values();
            (!is_flag && !values.is_empty()).then_some((sub, arg, values))
        })
    })
}

/// Lists the rules of the CRD that the line names, for `crdgen cel --rule`.
const RULES_FOR_BASH: &str = r#"_crdgen_rules() {
    local args=() i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "${COMP_WORDS[i]}" in
            --crd|--kind|--version|--api-version)
                [[ "${COMP_WORDS[i+1]}" == "=" ]] && args+=("${COMP_WORDS[i]}" "${COMP_WORDS[i+2]}") || args+=("${COMP_WORDS[i]}" "${COMP_WORDS[i+1]}")
                ;;
        esac
    done
    crdgen cel --list "${args[@]}" 2>/dev/null </dev/null | awk '{ print $1 }'
}

"#;

/// clap offers files for all options with values that it does not know.
fn for_bash(script: &str) -> String {
    const CEL: &str = "        crdgen__subcmd__cel)\n";
    const RULE: &str = "--rule)\n                    COMPREPLY=($(compgen -f \"${cur}\"))";
    const RULES: &str =
        "--rule)\n                    COMPREPLY=($(compgen -W \"$(_crdgen_rules)\" -- \"${cur}\"))";
    let Some((before, cel)) = script.split_once(CEL) else { return script.to_owned() };
    format!("{RULES_FOR_BASH}{before}{CEL}{}", cel.replacen(RULE, RULES, 1))
}

/// clap writes the values of options for fish, but not those of other arguments.
fn for_fish(command: &Command) -> String {
    let mut out = String::new();
    for (sub, _, values) in offered(command).filter(|(_, arg, _)| arg.is_positional()) {
        let (name, values) = (sub.get_name(), values.join(" "));
        _ = writeln!(
            out,
            "complete -c crdgen -n \"__fish_crdgen_using_subcommand {name}\" -f -a \"{values}\""
        );
    }
    out
}

/// clap writes no values for PowerShell. They are offered after their option, or after the command.
fn for_powershell(script: &str, command: &Command) -> String {
    const COMPLETIONS: &str = "    $completions = @(switch ($command) {";
    let mut values = String::from(
        "    $before = @($commandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition })[-1].Extent.Text
    $values = switch -CaseSensitive (\"$command $before\") {
",
    );
    for (sub, arg, offered) in offered(command) {
        let long = arg.get_long().map(|long| format!("--{long}"));
        let short = arg.get_short().map(|short| format!("-{short}"));
        let after = if arg.is_positional() { Some(sub.get_name().to_owned()) } else { None };
        for before in [long, short, after].into_iter().flatten() {
            let list = offered.join("', '");
            _ = writeln!(values, "        'crdgen;{} {before}' {{ '{list}' }}", sub.get_name());
        }
    }
    values.push_str(
        "    }
    if ($values) {
        return $values | Where-Object { $_ -like \"$wordToComplete*\" } | ForEach-Object { [CompletionResult]::new($_) }
    }

",
    );
    script.replacen(COMPLETIONS, &(values + COMPLETIONS), 1)
}
