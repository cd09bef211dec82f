//! The apply calls of five public operators, with typed configurations instead of `json!`. Only the shapes of their types are
//! here. Each operator writes `apiVersion`, `kind` and field names as texts, where a typing mistake is found by the server.

use crdgen::apply::to_json;
use crdgen::{Apply, CustomResource, Schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A condition, as Kubernetes' own.
#[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
struct Condition {
    #[apply(key)]
    r#type: String,
    status: String,
    reason: Option<String>,
    message: Option<String>,
    last_transition_time: Option<String>,
}

/// What an operator sends, with the values in braces replaced.
#[track_caller]
fn assert_sends(config: &impl Serialize, theirs: serde_json::Value) {
    let ours: serde_json::Value = serde_json::from_str(&to_json(config)).expect("JSON");
    assert_eq!(ours, theirs);
}

/// restate-operator: the condition Ready of a cluster.
mod restate {
    use super::*;

    #[derive(Clone, Debug, Apply, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "restate.dev", version = "v1", kind = "RestateCluster", status = "RestateClusterStatus")]
    struct RestateClusterSpec {
        image: String,
    }

    #[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
    struct RestateClusterStatus {
        #[schema(list_type = "map", list_map_keys = ["type"])]
        conditions: Option<Vec<Condition>>,
    }

    #[test]
    fn condition() {
        let ready = ConditionApply::new("Ready").with_status("True").with_reason("Reconciled");
        let config = RestateClusterApply::new("one")
            .with_status(RestateClusterStatusApply::new().with_conditions([ready]));
        assert_sends(
            &config,
            serde_json::json!({
                "apiVersion": "restate.dev/v1",
                "kind": "RestateCluster",
                "metadata": {"name": "one"},
                "status": {"conditions": [{"type": "Ready", "status": "True", "reason": "Reconciled"}]},
            }),
        );
    }
}

/// garage-operator: the state and capacity of a store, where the state is an enum.
mod garage {
    use super::*;

    #[derive(Clone, Debug, Apply, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(
        group = "deuxfleurs.fr",
        version = "v0alpha",
        kind = "Garage",
        namespaced,
        status = "GarageStatus"
    )]
    struct GarageSpec {
        replicas: u32,
    }

    #[derive(Clone, Copy, Debug, Apply, Deserialize, PartialEq, Schema, Serialize)]
    enum State {
        Creating,
        Ready,
        Errored,
    }

    #[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
    struct GarageStatus {
        state: State,
        capacity: i64,
    }

    #[test]
    fn state() {
        let status = GarageStatus { state: State::Ready, capacity: 1024 };
        let config = GarageApply::new("store").with_status(status);
        assert_sends(
            &config,
            serde_json::json!({
                "apiVersion": "deuxfleurs.fr/v0alpha",
                "kind": "Garage",
                "metadata": {"name": "store"},
                "status": {"state": "Ready", "capacity": 1024},
            }),
        );
        let next = [State::Creating, State::Errored].map(|state| GarageStatusApply::new().with_state(state));
        assert_sends(&next, serde_json::json!([{"state": "Creating"}, {"state": "Errored"}]));
    }
}

/// vynil: the components of a distribution, by category and name.
mod vynil {
    use super::*;

    #[derive(Clone, Debug, Apply, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "vynil.solidite.fr", version = "v1", kind = "Distrib", status = "DistribStatus")]
    struct DistribSpec {
        url: String,
    }

    #[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
    struct DistribStatus {
        errors: Option<Vec<String>>,
        last_updated: String,
        components: BTreeMap<String, BTreeMap<String, Component>>,
    }

    #[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
    struct Component {
        commit_id: String,
        description: Option<String>,
    }

    #[test]
    fn components() {
        let component = ComponentApply::new().with_commit_id("abc");
        let category = BTreeMap::from([("traefik".to_owned(), component)]);
        let status = DistribStatusApply::new()
            .with_errors(Vec::new())
            .with_last_updated("now")
            .with_components([("core".to_owned(), category)]);
        assert_sends(
            &DistribApply::new("base").with_status(status),
            serde_json::json!({
                "apiVersion": "vynil.solidite.fr/v1",
                "kind": "Distrib",
                "metadata": {"name": "base"},
                "status": {
                    "errors": [],
                    "last_updated": "now",
                    "components": {"core": {"traefik": {"commit_id": "abc"}}},
                },
            }),
        );
    }
}

/// An operator of pools of fetchers: its reconciler and its autoscaler own different fields of the status.
mod fetchers {
    use super::*;
    use crdgen::apply::Merge;

    #[derive(Clone, Debug, Apply, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1",
        kind = "FetcherPool",
        namespaced,
        status = "FetcherPoolStatus"
    )]
    struct FetcherPoolSpec {
        replicas: Option<i32>,
    }

    #[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
    #[serde(rename_all = "camelCase")]
    struct FetcherPoolStatus {
        ready_replicas: Option<i32>,
        desired_replicas: Option<i32>,
        last_scale_time: Option<String>,
        #[schema(list_type = "map", list_map_keys = ["type"])]
        conditions: Option<Vec<Condition>>,
    }

    #[test]
    fn two_managers() {
        let reconciler = FetcherPoolStatusApply::new().with_ready_replicas(1).with_desired_replicas(3);
        let autoscaler = FetcherPoolStatusApply::new()
            .with_last_scale_time("now")
            .with_conditions([ConditionApply::new("Scaling").with_status("True")]);
        let config = FetcherPoolApply::new("pool").with_status(reconciler.clone());
        assert_sends(
            &config,
            serde_json::json!({
                "apiVersion": "example.com/v1",
                "kind": "FetcherPool",
                "metadata": {"name": "pool"},
                "status": {"readyReplicas": 1, "desiredReplicas": 3},
            }),
        );
        let mut stored = reconciler;
        stored.merge(autoscaler);
        assert_sends(
            &stored,
            serde_json::json!({
                "readyReplicas": 1,
                "desiredReplicas": 3,
                "lastScaleTime": "now",
                "conditions": [{"type": "Scaling", "status": "True"}],
            }),
        );
    }
}

/// An operator of OAuth connections: the phase and the secret, and its own fields of the spec.
mod oauth {
    use super::*;

    #[derive(Clone, Debug, Apply, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1",
        kind = "OAuthConnection",
        namespaced,
        status = "OAuthConnectionStatus"
    )]
    #[serde(rename_all = "camelCase")]
    struct OAuthConnectionSpec {
        client: String,
        #[serde(default)]
        #[schema(list_type = "set")]
        scopes: Vec<String>,
    }

    #[derive(Clone, Copy, Debug, Apply, Deserialize, PartialEq, Schema, Serialize)]
    enum Phase {
        Waiting,
        Connected,
    }

    #[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
    #[serde(rename_all = "camelCase")]
    struct OAuthConnectionStatus {
        phase: Option<Phase>,
        secret_name: Option<String>,
        expires_at: Option<String>,
    }

    #[test]
    fn phase() {
        let status = OAuthConnectionStatusApply::new().with_phase(Phase::Connected).with_secret_name("token");
        let config = OAuthConnectionApply::new("mail")
            .with_metadata(|metadata| drop(metadata.labels.insert("team".into(), "mail".into())))
            .with_spec(OAuthConnectionSpecApply::new().with_scopes(["read".to_owned()]))
            .with_status(status);
        assert_sends(
            &config,
            serde_json::json!({
                "apiVersion": "example.com/v1",
                "kind": "OAuthConnection",
                "metadata": {"name": "mail", "labels": {"team": "mail"}},
                "spec": {"scopes": ["read"]},
                "status": {"phase": "Connected", "secretName": "token"},
            }),
        );
        assert_ne!(Phase::Waiting, Phase::Connected);
    }
}
