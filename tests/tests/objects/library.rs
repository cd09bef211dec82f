//! `crdgen::objects`: a kind is compiled once and used many times.

use crdgen::diag::Diag;
use crdgen::objects::CompiledKind;
use crdgen::{CustomResource, assert_admitted, assert_refused};
use crdgen_core::value::Value;
use crdgen_tests::corpus;
use crdgen_tests::json::json;
use crontab::{Concurrency, CronTab, CronTabSpec, CronTabStatus};

fn kind() -> CompiledKind {
    CompiledKind::of::<CronTab>().unwrap_or_else(|e| panic!("{e}"))
}

fn object() -> CronTab {
    let spec = CronTabSpec {
        cron_spec: "* * * * */5".to_owned(),
        image: "image".to_owned(),
        replicas: 2,
        concurrency: Concurrency::Allow,
    };
    CronTab::new("one", spec)
}

fn fields(errors: &[Diag]) -> Vec<&str> {
    errors.iter().map(|e| e.field.as_str()).collect()
}

/// A value that reports a wrong length.
struct Boundless;

impl serde::Serialize for Boundless {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(Some(usize::MAX))?;
        map.serialize_entry("kind", &[0; 0])?;
        map.end()
    }
}

#[test]
fn a_length_is_only_a_hint() {
    assert!(!kind().create(&Boundless).is_accepted());
}

#[test]
fn kinds_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let kind = kind();
    shared(&kind);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert!(kind.create(&object()).is_accepted());
                }
            });
        }
    });
}

#[test]
fn every_kind_of_value_gets_the_same_answer() {
    let kind = kind();
    let typed = object();
    let json_of_serde = serde_json::to_value(&typed).expect("JSON");
    let own = json(&json_of_serde.to_string());
    for verdict in [kind.create(&typed), kind.create(&json_of_serde), kind.create(&own)] {
        let result = verdict.result.expect("the server takes it");
        assert_eq!(result.get("spec"), own.get("spec"));
        assert_eq!(serde_json::to_value(&result).expect("JSON")["metadata"]["namespace"], "default");
    }
}

#[test]
fn mistakes_have_field_message_and_code() {
    let kind = kind();
    let mut wrong = object();
    wrong.spec.replicas = 11;
    wrong.spec.image = String::new();
    let verdict = kind.create(&wrong);
    assert!(!verdict.is_accepted());
    assert_eq!(fields(&verdict.errors), ["spec.image", "spec.replicas"]);
    assert_eq!(verdict.errors[1].detail, "spec.replicas in body should be less than or equal to 10");
    assert_eq!(verdict.errors[1].code.id, "OBJ007");
    assert!(
        verdict.message().starts_with(r#"CronTab.stable.example.com "one" is invalid: ["#),
        "{}",
        verdict.message()
    );
    let invalid = kind.validate(&wrong).expect_err("it is wrong");
    assert_eq!(invalid.errors.len(), 2);
}

#[test]
fn updates_leave_what_was_wrong_before() {
    let kind = kind();
    let mut old = json(&serde_json::to_string(&object()).expect("JSON"));
    let set = |object: &mut Value, name: &str, value: Value| {
        let spec = object.as_map_mut().and_then(|o| o.get_mut("spec")).and_then(Value::as_map_mut);
        spec.expect("a spec").insert(name.to_owned(), value);
    };
    set(&mut old, "replicas", Value::Int(50));
    let mut new = old.clone();
    set(&mut new, "image", "other".into());
    assert!(!kind.create(&new).is_accepted());
    assert!(kind.update(&new, &old).is_accepted());
    set(&mut new, "replicas", Value::Int(51));
    assert_eq!(fields(&kind.update(&new, &old).errors), ["spec.replicas"]);
}

#[test]
fn the_status_is_a_subresource() {
    let kind = kind();
    let mut with_status = object();
    with_status.status = Some(CronTabStatus { replicas: 3, label_selector: None });
    let created = kind.create(&with_status).result.expect("the server takes it");
    assert_eq!(created.get("status"), None);
    let updated = kind.update_status(&with_status, &object()).result.expect("the server takes it");
    assert_eq!(updated.get("status").and_then(|s| s.get("replicas")), Some(&Value::Int(3)));
    let mut wrong = json(&serde_json::to_string(&with_status).expect("JSON"));
    wrong.as_map_mut().expect("an object").insert("status", json(r#"{"replicas":"three"}"#));
    assert!(kind.create(&wrong).is_accepted());
    let invalid = kind.validate(&wrong).expect_err("the status is checked, too");
    assert_eq!(fields(&invalid.errors)[0], "status.replicas");
}

#[test]
fn unknown_fields_are_pruned_or_errors() {
    let kind = kind();
    let mut surplus = serde_json::to_value(object()).expect("JSON");
    surplus["spec"]["unknown"] = 1.into();
    let verdict = kind.create(&surplus);
    assert!(verdict.is_accepted());
    assert_eq!(fields(&verdict.unknown), ["spec.unknown"]);
    assert!(!verdict.strict().is_accepted());
    let (pruned, unknown) = kind.prune(&surplus).expect("it is a CronTab");
    assert_eq!(unknown, ["spec.unknown"]);
    assert_eq!(pruned.get("spec").and_then(|s| s.get("unknown")), None);
    let empty = serde_json::json!({"apiVersion": "stable.example.com/v1", "kind": "CronTab", "spec": {}});
    let spec = kind.default(&empty).expect("it is a CronTab").get("spec").cloned();
    assert_eq!(spec, Some(json(r#"{"concurrency":"Allow","replicas":1}"#)));
}

#[test]
fn rejects_objects_of_other_kinds() {
    let kind = kind();
    for object in [
        serde_json::json!({"apiVersion": "stable.example.com/v2", "kind": "CronTab"}),
        serde_json::json!({"apiVersion": "example.com/v1", "kind": "CronTab"}),
        serde_json::json!({"apiVersion": "stable.example.com/v1", "kind": "Other"}),
        serde_json::json!([]),
        serde_json::json!(null),
    ] {
        let verdict = kind.create(&object);
        assert_eq!(verdict.errors.len(), 1, "{object}");
        assert_eq!(verdict.errors[0].code.id, "OBJ026", "{object}");
        assert_eq!(kind.default(&object), None);
    }
}

/// The library gives the same answers as `crdgen rpc`, which other tests compare with the server's.
#[test]
fn own_objects_have_the_same_results_as_with_rpc() {
    for object in corpus::own_objects() {
        let crd =
            corpus::own_crds().into_iter().find(|crd| crd.name == object.name).expect("a CRD of that name");
        let (definition, _) = crdgen_core::decode::crd(crd.value.clone());
        let kind =
            CompiledKind::new(definition.expect("a CRD")).unwrap_or_else(|e| panic!("{}: {e}", crd.name));
        let fields = [("op", "object"), ("crd", &crd.text), ("object", &object.text)];
        let request = Value::Map(fields.into_iter().map(|(name, text)| (name, Value::from(text))).collect());
        let answer = crdgen_tests::ours::answer(&request);
        let verdict = kind.create(&object.value);
        assert_eq!(verdict.result.as_ref(), answer.get("result"), "{}", object.name);
        assert_eq!(verdict.prepared.as_ref(), answer.get("prepared"), "{}", object.name);
    }
}

#[test]
fn assertions_pass() {
    let stored = assert_admitted!(object());
    assert!(stored.result.is_some());
    let mut wrong = object();
    wrong.spec.replicas = 0;
    assert_refused!(wrong);
    assert_refused!(wrong, "spec.replicas");
}

#[test]
#[should_panic(
    expected = "spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1"
)]
fn a_failed_assertion_says_why() {
    let mut wrong = object();
    wrong.spec.replicas = 0;
    assert_admitted!(wrong);
}

#[test]
#[should_panic(expected = "without an error at spec.image")]
fn a_refusal_at_another_field_is_a_failure() {
    let mut wrong = object();
    wrong.spec.replicas = 0;
    assert_refused!(wrong, "spec.image");
}

/// A Deployment of one container.
fn deployment(labels: &serde_json::Value) -> serde_json::Value {
    serde_json::json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "web", "image": "web"}]},
            },
        },
    })
}

#[test]
fn own_kinds_are_judged_without_a_crd() {
    let (good, bad) = (deployment(&serde_json::json!({"app": "web"})), deployment(&serde_json::json!({})));
    let stored = assert_admitted!(good).result.expect("it is stored");
    assert_eq!(stored.get("spec").and_then(|spec| spec.get("replicas")), Some(&Value::Int(1)));
    let verdict = assert_refused!(bad, "spec.template.metadata.labels");
    let message = "Deployment.apps \"web\" is invalid: spec.template.metadata.labels: Invalid value: null: `selector` does not \
                   match template `labels`";
    assert_eq!(verdict.message(), message);
    let kind = CompiledKind::own("apps/v1", "Deployment").expect("it is one of Kubernetes' own kinds");
    assert_eq!(kind.crd().spec.names.plural, "deployments");
    assert!(kind.validate(&good).is_ok() && kind.validate(&bad).is_err());
    assert_eq!(fields(&kind.scale(&good, -1).errors), ["spec.replicas"]);
    let mut other = good.clone();
    other["spec"]["selector"]["matchLabels"]["tier"] = "front".into();
    other["spec"]["template"]["metadata"]["labels"]["tier"] = "front".into();
    assert_eq!(fields(&kind.update(&other, &good).errors), ["spec.selector"]);
    other["spec"]["replicas"] = "many".into();
    other["spek"] = true.into();
    let verdict = kind.create(&other);
    assert!(verdict.is_bad_request() && !verdict.is_accepted());
    assert_eq!(fields(&verdict.unknown), ["spek"]);
    let (pruned, unknown) = kind.prune(&other).expect("a Deployment");
    assert!(pruned.get("spek").is_none() && unknown == ["spek"], "{pruned} {unknown:?}");
    let defaulted = kind.default(&good).expect("a Deployment");
    assert!(defaulted.get("spec").is_some_and(|spec| spec.get("strategy").is_some()), "{defaulted}");
    assert!(CompiledKind::own("apps/v1", "CronTab").is_none());
    assert!(CompiledKind::own("apiextensions.k8s.io/v1", "CustomResourceDefinition").is_none());
}

#[test]
#[should_panic(expected = "crdgen has no \"CronTab\" of \"stable.example.com/v1\": derive CustomResource")]
fn json_of_another_kind_has_no_crd() {
    assert_admitted!(serde_json::json!({"apiVersion": "stable.example.com/v1", "kind": "CronTab"}));
}

/// Bounds are enough to find the CRD of a type.
#[test]
fn generic_kinds_are_judged_by_their_crds() {
    fn admitted<K: CustomResource + serde::Serialize>(object: &K) -> bool {
        assert_admitted!(*object).is_accepted()
    }
    assert!(admitted(&object()));
}

#[test]
fn a_crd_that_the_server_rejects_makes_no_kind() {
    let mut crd = CronTab::crd();
    crd.spec.group = "not a group".to_owned();
    let problems = CompiledKind::new(crd).expect_err("the server rejects it");
    assert!(!problems.diags.is_empty());
}

mod older {
    #[derive(Clone, Debug, crdgen::CustomResource, crdgen::Schema, serde::Deserialize, serde::Serialize)]
    #[kube(group = "test.example.com", version = "v1beta1", kind = "Kept", storage = false)]
    #[schema(test = false)]
    pub(super) struct KeptSpec {
        #[schema(max_length = 3)]
        pub a: String,
    }
}

/// The schema of a version is that of its objects, whichever version is stored.
#[test]
fn versions_that_are_not_stored_are_compiled() {
    let kind = CompiledKind::of::<older::Kept>().expect("the CRD is valid");
    let object = |a: &str| older::Kept::new("a", older::KeptSpec { a: a.to_owned() });
    assert!(kind.create(&object("abc")).is_accepted());
    assert!(!kind.create(&object("abcd")).is_accepted());
}

/// The message of a panic by `expect` is a sentence.
#[test]
fn problems_are_readable_in_panics() {
    let mut crd = CronTab::crd();
    crd.spec.names.plural = "Crontabs".to_owned();
    let problems = CompiledKind::new(crd).expect_err("the name has a capital letter");
    assert_eq!(format!("{problems:?}"), problems.to_string());
    assert!(problems.to_string().starts_with("CRD"), "{problems}");
}
