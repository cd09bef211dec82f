//! The control plane whose answers tests record.

use crdgen_core::yaml;
use std::fs;

/// The control plane of a kubeconfig.
pub(crate) struct Real {
    pub(crate) server: String,
    pub(crate) token: String,
}

impl Real {
    /// The one that `CRDGEN_WALK_KUBECONFIG` names, if answers are to be recorded.
    pub(crate) fn of_environment() -> Option<Real> {
        std::env::var_os("UPDATE")?;
        let text = fs::read(std::env::var_os("CRDGEN_WALK_KUBECONFIG")?).expect("a kubeconfig");
        let config = yaml::read(&text).0.first()?.value.clone();
        let find = |list: &str, path: [&str; 2]| {
            let first = config.get(list)?.as_list()?.first()?;
            first.get(path[0])?.get(path[1])?.as_str().map(str::to_owned)
        };
        Some(Real {
            server: find("clusters", ["cluster", "server"])?,
            token: find("users", ["user", "token"])?,
        })
    }
}
