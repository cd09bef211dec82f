//! Runs the steps in two lanes at the same time, because most of them do not use two cores for long. When the first lane has no more
//! steps, it takes over some of the second one. The output of a step of the second lane appears as a whole, after the next step of
//! the first lane.

use crate::machine::Machine;
use crate::output::Output;
use crate::steps::{Lane, Step};
use crate::summary::{End, How};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// The steps that have ended.
#[derive(Default)]
struct Ends {
    ends: Mutex<Vec<End>>,
    changed: Condvar,
}

impl Ends {
    fn lock(&self) -> MutexGuard<'_, Vec<End>> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, end: End) {
        self.lock().push(end);
        self.changed.notify_all();
    }

    /// Waits until all of these have ended.
    fn await_all(&self, names: &[&str]) {
        let is_open =
            |ends: &mut Vec<End>| !names.iter().all(|name| ends.iter().any(|end| end.step == *name));
        drop(self.changed.wait_while(self.lock(), is_open));
    }

    /// Prints the output of the steps in the second lane that have ended since the last call.
    fn print_second(&self) {
        for end in self.lock().iter_mut().filter(|end| end.lane == Lane::Second && !end.is_shown) {
            end.is_shown = true;
            let text = fs::read(&end.log).unwrap_or_default();
            _ = io::stdout().write_all(&text);
        }
    }
}

/// Runs steps, each in its lane, and returns how they ended.
pub(crate) fn run(machine: &Machine, steps: &[&Step]) -> Vec<End> {
    let folder = machine.target.join("ci");
    // Reports of the last run would be taken for those of this one.
    _ = fs::remove_dir_all(&folder);
    if let Err(error) = fs::create_dir_all(&folder) {
        eprintln!("error: cannot create {}: {error}", folder.display());
    }
    let ends = Ends::default();
    let waits: Vec<&str> = steps.iter().map(|step| step.name).collect();
    let run = |step: &Step| {
        // A step that does not run is not awaited. The others come first in the list, so they have begun.
        let after: Vec<&str> = step.after.iter().filter(|name| waits.contains(name)).copied().collect();
        ends.await_all(&after);
        ends.add(run_step(machine, step, &folder));
    };
    let of = |lane: Lane| steps.iter().filter(move |step| step.lane == lane);
    let second = Mutex::new(of(Lane::Second));
    let next = || second.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        scope.spawn(|| std::iter::from_fn(next).for_each(|step| run(step)));
        for step in of(Lane::First).chain(std::iter::from_fn(next)) {
            run(step);
            ends.print_second();
        }
    });
    ends.print_second();
    // It looks at what all others have done.
    if let Some(last) = steps.iter().find(|step| step.lane == Lane::Last) {
        ends.add(run_step(machine, last, &folder));
    }
    ends.ends.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn run_step(machine: &Machine, step: &Step, folder: &Path) -> End {
    let log: PathBuf = folder.join(format!("{}.log", step.name));
    let start = Instant::now();
    let how = match Output::new(log.clone(), step.lane != Lane::Second) {
        Ok(mut output) => {
            output.line("");
            match step.needs.iter().find(|tool| !machine.has(**tool)) {
                Some(tool) => {
                    output.line(&format!("── {} SKIPPED: {}", step.name, tool.missing()));
                    How::Skipped
                }
                None => {
                    output.line(&format!("── {}: {}", step.name, step.about));
                    let outcome = (step.run)(machine, &mut output);
                    let seconds = start.elapsed().as_secs();
                    let disk = free_disk(machine);
                    match outcome {
                        Ok(()) => output.line(&format!("── {}: fine, {seconds} s{disk}", step.name)),
                        Err(_) => output.line(&format!("── {} FAILED after {seconds} s{disk}", step.name)),
                    }
                    if outcome.is_ok() { How::Passed } else { How::Failed }
                }
            }
        }
        Err(error) => {
            eprintln!("error: cannot write {}: {error}", log.display());
            How::Failed
        }
    };
    End { step: step.name, lane: step.lane, how, seconds: start.elapsed().as_secs(), log, is_shown: false }
}

/// What the disk has left, because a full one fails steps in many ways that do not name it.
fn free_disk(machine: &Machine) -> String {
    machine.free_disk().map_or_else(String::new, |free| format!(", {free:.1} GiB free"))
}
