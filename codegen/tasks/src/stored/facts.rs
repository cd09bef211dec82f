//! What is known of a CRD and its objects, and what must happen before a version can be removed.

use std::collections::BTreeMap;

use crdgen_core::decode::{self, Written};
use crdgen_core::ir::{Crd, Version};
use crdgen_core::names::compare_versions;
use crdgen_core::value::Value;

use super::api::Api;
use super::pages::ObjectsPlace;
use crdgen_files::Error;

/// A CRD, and what its cluster reports about it.
pub struct Facts {
    /// The CRD.
    pub crd: Crd,
    /// The versions in which objects may be stored. `None` if only a cluster knows them.
    pub stored: Option<Vec<String>>,
    /// What its cluster reports, after [`Facts::ask`].
    pub live: Option<Live>,
}

/// What only a cluster knows.
#[derive(Default)]
pub struct Live {
    /// How many objects there are.
    pub objects: u64,
    /// Who wrote in which version, by version and manager.
    pub writers: BTreeMap<(String, String), Writer>,
    /// How many requests an API server has answered since it started, by version. `None` if it does not report this.
    pub requests: Option<BTreeMap<String, u64>>,
}

/// A manager of fields.
#[derive(Default)]
pub struct Writer {
    /// How many objects it has written.
    pub objects: u64,
    /// When it last wrote one of them.
    pub last: String,
}

/// A thing to do before a version can be removed, in the order in which to do them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Store another version, such as this one.
    StoreAnother(Option<String>),
    /// Find out which versions are stored.
    AskCluster,
    /// Write the objects again that may be stored in it.
    Migrate,
    /// No longer serve it.
    StopServing,
    /// Add it: no such version is there.
    Unknown,
}

impl Facts {
    /// Reads a CRD. If it has no status, or an empty one, only a cluster knows what is stored.
    pub fn of(crd: Value) -> Result<Facts, Error> {
        let name = crd.get("metadata").and_then(|metadata| metadata.get("name")).and_then(Value::as_str);
        let name = name.unwrap_or_default().to_owned();
        // This comes before decoding, which fills in the field.
        let stored =
            crd.get("status").and_then(|status| status.get("storedVersions")).and_then(Value::as_list);
        let is_known = stored.is_some_and(|stored| !stored.is_empty());
        let (crd, diags) = decode::crd_as_written(crd, Written::default());
        let crd = crd.ok_or_else(|| match diags.into_iter().next() {
            Some(diag) => Error::Document { name, diag: Box::new(diag) },
            None => Error::Nothing(format!("{name} is not a CustomResourceDefinition")),
        })?;
        let stored = crd.status.stored_versions.clone().filter(|_| is_known);
        Ok(Facts { crd, stored, live: None })
    }

    /// Queries the cluster about the objects, and reads all of them.
    pub fn ask(&mut self, api: &Api, limit: u64) -> Result<(), Error> {
        let mut live = Live::default();
        if let Some(place) = ObjectsPlace::of(&self.crd) {
            place.get_each_page(api, limit, |objects| live.add(&objects, &self.crd.spec.group))?;
        }
        let metrics = api.get("/metrics")?;
        if metrics.status == 200 {
            live.requests = Some(requests(&String::from_utf8_lossy(&metrics.body), &self.crd));
        }
        self.live = Some(live);
        Ok(())
    }

    /// The version that is stored from now on.
    pub fn storage(&self) -> &str {
        self.crd.spec.storage_version().map_or("", |version| version.name.as_str())
    }

    /// The versions in which objects may be stored besides the one that is stored from now on.
    pub fn left_over(&self) -> Vec<&str> {
        let stored = self.stored.iter().flatten().map(String::as_str);
        stored.filter(|version| *version != self.storage()).collect()
    }

    /// Returns what must happen before a version can be removed.
    pub fn steps(&self, name: &str) -> Vec<Step> {
        let versions = &self.crd.spec.versions;
        let Some(version) = versions.iter().find(|version| version.name == name) else {
            return vec![Step::Unknown];
        };
        let mut steps = Vec::new();
        if version.storage {
            let others = versions.iter().filter(|other| other.served && other.name != name);
            let newest = others.max_by(|a, b| compare_versions(&a.name, &b.name));
            steps.push(Step::StoreAnother(newest.map(|version| version.name.clone())));
        }
        match &self.stored {
            None => steps.push(Step::AskCluster),
            Some(stored) if version.storage || stored.iter().any(|it| it == name) => {
                steps.push(Step::Migrate)
            }
            Some(_) => {}
        }
        if version.served {
            steps.push(Step::StopServing);
        }
        steps
    }

    /// The versions that could be removed: all but the one that is stored.
    pub fn removable(&self) -> impl Iterator<Item = &Version> {
        self.crd.spec.versions.iter().filter(|version| !version.storage)
    }
}

impl Live {
    fn add(&mut self, objects: &[Value], group: &str) {
        self.objects += objects.len() as u64;
        for object in objects {
            let managed = object.get("metadata").and_then(|metadata| metadata.get("managedFields"));
            let mut seen: Vec<(String, String)> = Vec::new();
            for entry in managed.and_then(Value::as_list).unwrap_or_default() {
                let version =
                    entry.text("apiVersion").strip_prefix(group).and_then(|rest| rest.strip_prefix('/'));
                let key = (version.unwrap_or_default().to_owned(), entry.text("manager").to_owned());
                let writer = self.writers.entry(key.clone()).or_default();
                // The server writes times in a form that sorts as text.
                if *writer.last < *entry.text("time") {
                    entry.text("time").clone_into(&mut writer.last);
                }
                if !seen.contains(&key) {
                    writer.objects += 1;
                    seen.push(key);
                }
            }
        }
    }
}

/// Returns how many requests there were for the objects of a CRD, by version: the sums of `apiserver_request_total`.
fn requests(metrics: &str, crd: &Crd) -> BTreeMap<String, u64> {
    let mut out = BTreeMap::new();
    for line in metrics.lines() {
        let sample = line.strip_prefix("apiserver_request_total{").and_then(|rest| rest.rsplit_once("} "));
        let Some((labels, count)) = sample else { continue };
        let label = |name: &str| {
            labels
                .split(',')
                .find_map(|label| label.strip_prefix(name)?.strip_prefix("=\"")?.strip_suffix('"'))
        };
        let of_crd =
            label("group") == Some(&*crd.spec.group) && label("resource") == Some(&*crd.spec.names.plural);
        let count: Option<f64> = count.trim().parse().ok();
        if let (true, Some(version), Some(count)) = (of_crd, label("version"), count) {
            *out.entry(version.to_owned()).or_default() += count.max(0.0) as u64;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Facts, Live, Step, requests};
    use crdgen_core::json;

    fn facts(status: &str) -> Facts {
        let version = |name: &str, served, storage| {
            format!("{{\"name\":\"{name}\",\"served\":{served},\"storage\":{storage}}}")
        };
        let versions =
            [version("v1alpha1", false, false), version("v1beta1", true, false), version("v1", true, true)];
        let text = format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"sites.example.com"}},
            "spec":{{"group":"example.com","names":{{"plural":"sites","kind":"Site"}},"versions":[{}]}}{status}}}"#,
            versions.join(",")
        );
        Facts::of(json::read(text.as_bytes()).unwrap_or_default()).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn says_what_must_happen_first() {
        let some = facts(r#","status":{"storedVersions":["v1alpha1","v1"]}"#);
        assert_eq!(some.left_over(), ["v1alpha1"]);
        assert_eq!(some.steps("v1alpha1"), [Step::Migrate]);
        assert_eq!(some.steps("v1beta1"), [Step::StopServing]);
        let another = Step::StoreAnother(Some("v1beta1".to_owned()));
        assert_eq!(some.steps("v1"), [another, Step::Migrate, Step::StopServing]);
        assert_eq!(some.steps("v2"), [Step::Unknown]);

        let none = facts(r#","status":{"storedVersions":["v1"]}"#);
        assert!(none.left_over().is_empty() && none.steps("v1alpha1").is_empty());

        // A manifest has no status, or an empty one.
        for status in ["", r#","status":{}"#, r#","status":{"storedVersions":[]}"#] {
            assert_eq!(facts(status).steps("v1beta1"), [Step::AskCluster, Step::StopServing]);
        }
    }

    #[test]
    fn counts_writers_and_requests_by_version() {
        let object = |managed: &str| {
            json::read(format!("{{\"metadata\":{{\"managedFields\":[{managed}]}}}}").as_bytes())
                .unwrap_or_default()
        };
        let entry = |version: &str, time: &str| {
            format!("{{\"manager\":\"m\",\"apiVersion\":\"example.com/{version}\",\"time\":\"{time}\"}}")
        };
        let mut live = Live::default();
        live.add(&[object(&entry("v1", "2026-01-02T00:00:00Z")), object("")], "example.com");
        let twice = [entry("v1", "2026-01-01T00:00:00Z"), entry("v1", "2026-01-03T00:00:00Z")].join(",");
        live.add(&[object(&twice), object(&entry("v1beta1", ""))], "example.com");
        assert_eq!(live.objects, 4);
        let found: Vec<_> =
            live.writers.iter().map(|((v, m), w)| (&**v, &**m, w.objects, &*w.last)).collect();
        assert_eq!(found, [("v1", "m", 2, "2026-01-03T00:00:00Z"), ("v1beta1", "m", 1, "")]);

        let metrics = r#"# TYPE apiserver_request_total counter
apiserver_request_total{code="200",group="example.com",resource="sites",verb="GET",version="v1"} 3
apiserver_request_total{code="404",group="example.com",resource="sites",verb="PUT",version="v1"} 2
apiserver_request_total{code="200",group="example.com",resource="sites",verb="GET",version="v1beta1"} 1e+06
apiserver_request_total{code="200",group="example.com",resource="others",verb="GET",version="v1"} 9
apiserver_request_total{group="example.com"
apiserver_request_total{group="example.com",resource="sites",version="v1"} many
"#;
        let found: Vec<_> = requests(metrics, &facts("").crd).into_iter().collect();
        assert_eq!(found, [("v1".to_owned(), 5), ("v1beta1".to_owned(), 1_000_000)]);
    }
}
