//! Arguments of several commands, and the settings that become arguments.

pub(crate) mod forms;
pub(crate) mod package;
pub(crate) mod publishing;
pub(crate) mod search;
pub(crate) mod selection;
pub(crate) mod settings;
pub(crate) mod size;
pub(crate) mod values;
