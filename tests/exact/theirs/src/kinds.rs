//! `include_str!` finds in a copy what it finds here.

use kube_core::CustomResource;

#[derive(CustomResource)]
#[kube(group = "exact.example.com", version = "v1", kind = "Program")]
struct ProgramSpec {
    #[serde(default = "computed")]
    replicas: i64,
}

fn computed() -> i64 {
    include_str!("seven.txt").trim().parse().unwrap_or_default()
}
