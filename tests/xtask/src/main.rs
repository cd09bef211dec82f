//! `cargo xtask ci [STEP…]` checks everything that must be true before a change is merged.
//!
//! `steps` is the list of the steps: start there to change or add one. `lanes` runs them, in two lanes at the same time.

mod lanes;
mod machine;
mod output;
mod steps;
mod summary;

use machine::Machine;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask ci [STEP…]
       cargo xtask steps

`ci` runs all steps, or only those that you name. `steps` lists them.
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
        _ => {
            eprint!("{USAGE}");
            ExitCode::FAILURE
        }
    }
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
    let wanted: Vec<&steps::Step> = steps::ALL
        .iter()
        .filter(|step| names.is_empty() || names.iter().any(|name| name == step.name))
        .collect();
    let ends = lanes::run(&machine, &wanted);
    if summary::print(&ends) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
