//! What the command does with its inputs. `inputs` finds and reads them: files, folders, kustomizations, charts, clusters and revisions
//! of git. The other modules are tasks: functions from what was read to what is found.

pub mod against;
pub mod checks;
pub mod converter;
pub mod expressions;
pub mod fixes;
pub mod inputs;
pub mod kinds;
pub mod listing;
pub mod project;
pub mod rust_types;
pub mod servers;
pub mod settings;
pub mod stored;
pub mod updates;
pub mod upgrade;
pub mod validate;
