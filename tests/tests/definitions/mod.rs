//! CRDs: reading, writing, checks and lints.

mod api_lints;
mod changes;
mod classes;
mod decode;
mod diff;
mod fixes;
mod keywords;
mod lints;
mod next;
mod round_trip;
mod scale;
mod size;
mod updates;
mod upgrades;

use crdgen_core::ir::Crd;
use crdgen_core::yaml;

/// Decodes the CRD in a text, which must be possible.
#[track_caller]
fn definition(text: &str) -> Crd {
    let document = yaml::read_one(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let (crd, diags) = crdgen_core::decode::crd(document.value);
    crd.unwrap_or_else(|| panic!("{diags:?}"))
}

/// The start of a CRD with one version. Append the members of its schema.
const CRON_TAB: &str = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.example.com}
spec:
  group: example.com
  names: {plural: crontabs, kind: CronTab}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
";

/// Returns [`CRON_TAB`] with a schema, given as lines without indentation.
fn with_schema(schema: &str) -> String {
    let indented: Vec<String> =
        schema.trim_start_matches('\n').lines().map(|l| format!("        {l}\n")).collect();
    format!("{CRON_TAB}{}", indented.concat())
}
