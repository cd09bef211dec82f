//! `cargo xtask ci [STEP…]` checks everything that must be true before a change is merged.
//!
//! `steps` is the list of the steps: start there to change or add one. `lanes` runs them, in two lanes at the same time.
//!
//! `cargo xtask site FOLDER` makes the book of all pages for users.

mod lanes;
mod machine;
mod output;
mod scope;
mod site;
mod steps;
mod summary;

use machine::Machine;
use scope::Scope;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask ci [STEP…]
       cargo xtask steps
       cargo xtask site [FOLDER]

`ci` runs the steps that your change concerns, or those that you name. CI_PARTS=all runs all steps, and CI_PARTS=\"codegen/cel derive\"
those that changes there concern. `steps` lists all steps. `site` checks the links of all pages, and makes the book of them.
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let names: Vec<String> = arguments.collect();
    match command.as_deref() {
        Some("ci") => ci(&names),
        Some("steps") => {
            steps::ALL.iter().for_each(|step| println!("{:20} {}", step.name, step.about));
            ExitCode::SUCCESS
        }
        Some("site") => match Machine::new().and_then(|machine| site(&machine, names.first())) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprint!("{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn site(machine: &Machine, out: Option<&String>) -> Result<(), String> {
    let mut output = output::Output::new(machine.target.join("site.log"), true).map_err(|e| e.to_string())?;
    site::make(machine, out.map(Path::new), &mut output)
        .map_err(|output::Failed| "the site is not made".to_owned())
}

fn ci(names: &[String]) -> ExitCode {
    if let Some(unknown) = names.iter().find(|name| steps::ALL.iter().all(|step| step.name != **name)) {
        eprintln!("error: there is no step `{unknown}`: `cargo xtask steps` lists them");
        return ExitCode::FAILURE;
    }
    let machine = match Machine::new() {
        Ok(machine) => machine,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    let is_wanted = |step: &&steps::Step| match names {
        [] => match &machine.scope {
            Scope::Everything => true,
            Scope::Change { files, .. } => step.is_about(files) && step.has_turn(machine.turn),
        },
        names => names.iter().any(|name| name == step.name),
    };
    let (wanted, others): (Vec<&steps::Step>, Vec<_>) = steps::ALL.iter().partition(is_wanted);
    println!("random inputs have the seed {} (`CI_SEED={0}` tries them again)", machine.seed);
    if let (Scope::Change { about, .. }, true) = (&machine.scope, names.is_empty()) {
        let names: Vec<&str> = others.iter().map(|step| step.name).collect();
        println!(
            "{about}; not run, because they do not concern it or another commit has the turn: {} (`CI_PARTS=all` runs all steps)",
            names.join(" ")
        );
    }
    let ends = lanes::run(&machine, &wanted);
    if summary::print(&ends) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
