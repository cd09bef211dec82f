//! What only the program that runs containers can do. There is none.

use super::Call;
use crate::answer::{Answer, Content};
use crate::registry::Subresource;
use crate::status::Failure;

impl Call<'_> {
    pub(super) fn on_node(&self, subresource: Subresource) -> Result<Answer, Failure> {
        let live = self.live()?;
        let name = &self.path.name;
        let node = live.get("spec").and_then(|spec| spec.get("nodeName")?.as_str()).unwrap_or_default();
        match (subresource, node) {
            // The server has nothing to show of a pod that has not started.
            (Subresource::Log, "") => Ok(Answer::new(204, Content::Text("".into()))),
            (Subresource::Proxy, _) => Err(no_nodes()),
            (_, "") => Err(Failure::bad_request(format!("pod {name} does not have a host assigned"))),
            _ => Err(no_nodes()),
        }
    }
}

fn no_nodes() -> Failure {
    let message = "this server has no nodes, and runs no containers: logs, exec, attach, port-forward and proxy need a cluster";
    Failure::new(501, "NotImplemented", message)
}
