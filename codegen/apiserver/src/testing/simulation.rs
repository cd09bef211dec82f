//! What the controllers of workloads would do.

/// What happens to new workloads, at once: there are no nodes on which pods could run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Simulation {
    /// Deployments become available, with all replicas.
    DeploymentsBecomeReady,
    /// StatefulSets become ready, with all replicas.
    StatefulSetsBecomeReady,
    /// DaemonSets become ready, on one node.
    DaemonSetsBecomeReady,
    /// Jobs complete.
    JobsSucceed,
    /// Jobs fail.
    JobsFail,
    /// Pods run and are ready.
    PodsRun,
}

impl Simulation {
    /// The group and the plural name of the workloads.
    pub(crate) fn resource(self) -> (&'static str, &'static str) {
        match self {
            Simulation::DeploymentsBecomeReady => ("apps", "deployments"),
            Simulation::StatefulSetsBecomeReady => ("apps", "statefulsets"),
            Simulation::DaemonSetsBecomeReady => ("apps", "daemonsets"),
            Simulation::JobsSucceed | Simulation::JobsFail => ("batch", "jobs"),
            Simulation::PodsRun => ("", "pods"),
        }
    }
}
