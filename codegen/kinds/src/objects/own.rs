//! Kubernetes' own kinds, whose objects the server's code checks.

use super::{Listed, Verdict};
use crdgen_core::apply::Rejected;
use crdgen_core::object::table::printed;
use crdgen_core::object::write::presentable;
use crdgen_core::object::{Action, Refusal, published};
use crdgen_core::server::Server;
use crdgen_kubernetes::kinds::{Row, Subresource, api_version, find_with_code};
use crdgen_kubernetes::{Answer, Write, columns, decode, meta, without_given};
use crdgen_runtime::diag::{Diag, Diags, Level, codes};
use crdgen_runtime::ir::Crd;
use crdgen_runtime::path::Path;
use crdgen_runtime::value::Value;

/// One of Kubernetes' own kinds.
#[derive(Debug)]
pub(super) struct Own {
    row: &'static Row,
    server: Server,
    /// The kind as a CRD, without schemas.
    crd: Box<Crd>,
}

impl Own {
    pub(super) fn find(api_version: &str, kind: &str, server: Server) -> Option<Own> {
        let (row, _) = find_with_code(api_version, kind)?;
        Some(Own { row, server, crd: Box::new(Crd { spec: row.outline(), ..Crd::default() }) })
    }

    pub(super) fn crd(&self) -> &Crd {
        &self.crd
    }

    /// The version of an object.
    fn version(&self, object: &Value) -> &'static str {
        self.row.version_of(object.text("apiVersion")).unwrap_or(self.row.version)
    }

    /// An object without unknown fields, and the paths of these.
    pub(super) fn prune(&self, object: Value) -> Option<(Value, Vec<String>)> {
        Some(self.row.built_in(self.version(&object))?.decode(object))
    }

    /// Sets the defaults of an object.
    pub(super) fn default(&self, object: &mut Value) -> Option<()> {
        self.row.built_in(self.version(object))?.set_defaults(object);
        Some(())
    }

    /// Converts an object to another version.
    pub(super) fn convert(&self, object: Value, version: &str) -> Result<Value, Refusal> {
        let none = || Refusal::NoVersion(version.to_owned());
        let of = self.row.built_in(version).ok_or_else(none)?;
        if object.text("apiVersion") == of.api_version() {
            return Ok(object);
        }
        of.convert(&object).ok_or_else(none)
    }

    /// The columns and the cells of an object.
    pub(super) fn listed(&self, object: &Value, now: i64) -> Option<Listed> {
        let cells = columns::cells(self.row, object, now)?;
        let texts = cells.iter().map(|cell| printed(&cell.value)).collect();
        Some(Listed { columns: cells.iter().map(|cell| cell.name.to_owned()).collect(), texts })
    }

    /// The server's answer to a write of an object.
    pub(super) fn write(&self, object: Value, action: Action, namespace: &str) -> Verdict {
        let (subresource, old) = match action {
            Action::Create => (None, None),
            Action::Update(old) => (None, Some(old)),
            Action::UpdateStatus(old) => (Some(Subresource::Status), Some(old)),
        };
        let (row, version, server) = (self.row, self.version(&object), self.server);
        self.answer(Write { row, version, subresource, object, old, namespace, applied: None, server })
    }

    /// The server's answer to a write of the number of replicas: a new one, or that of the object.
    pub(super) fn scale(&self, object: Value, replicas: Option<i64>) -> Verdict {
        let replicas = match replicas {
            Some(replicas) => Value::Int(replicas),
            None => object.get("spec").and_then(|spec| spec.get("replicas")).cloned().unwrap_or_default(),
        };
        let metadata = ["name", "namespace"].map(|name| (name, meta::text(&object, name).into()));
        let scale = meta::map([
            ("apiVersion", "autoscaling/v1".into()),
            ("kind", "Scale".into()),
            ("metadata", meta::map(metadata)),
            ("spec", meta::map([("replicas", replicas)])),
        ]);
        let (row, version, subresource) = (self.row, self.version(&object), Some(Subresource::Scale));
        let (old, server) = (Some(object), self.server);
        self.answer(Write {
            row,
            version,
            subresource,
            object: scale,
            old,
            namespace: "",
            applied: None,
            server,
        })
    }

    fn answer(&self, write: Write<'_>) -> Verdict {
        let Write { row, version, subresource, server, .. } = write;
        if let Some(missing) = subresource.filter(|wanted| !row.subresources.contains(wanted)) {
            let (version, subresource) = (version.to_owned(), missing.name());
            return Verdict::undecided(Refusal::NoSubresource { version, subresource });
        }
        let (sent, old) = (write.object.clone(), write.old.clone());
        let Answer { unknown, warnings, stored, rejected } = write.answer();
        let is_undecodable = matches!(rejected, Some(Rejected::Undecodable(_)));
        let is_needed = subresource != Some(Subresource::Scale) && (!unknown.is_empty() || is_undecodable);
        let schema = row.schema_of(version).filter(|_| is_needed);
        let (structure, mut known) =
            schema.map_or_else(Default::default, |schema| published::check(&sent, &schema, server));
        let own = |code, level, text: String| Diag::own(code, level, &Path::ROOT, text);
        let mut unknown: Diags = unknown
            .into_iter()
            .map(|field| match known.iter().position(|diag| diag.field == field) {
                Some(i) => known.swap_remove(i),
                None => {
                    let text = "unknown field".to_owned();
                    Diag { field, ..own(&codes::object::UNKNOWN_FIELD, Level::Warning, text) }
                }
            })
            .collect();
        if is_undecodable {
            // The decoder stops at the first mistake, before it looks for unknown fields.
            unknown.append(&mut known);
        }
        let answer = rejected.as_ref().map(|why| match why {
            Rejected::Undecodable(why) => {
                let of = (api_version(row.group, version), row.kind);
                (400, decode::undecodable((&of.0, of.1), row.kind, &why.to_string()))
            }
            why => (why.code(), why.message()),
        });
        let errors = match rejected {
            None => Diags::new(),
            Some(Rejected::Invalid { errors, .. }) => errors,
            Some(Rejected::Undecodable(why)) => vec![with_place(why.diag(), structure)],
            Some(why) => vec![own(&codes::object::OWN_KIND, Level::Error, why.message())],
        };
        let warned = warnings.into_iter().map(|warning| Diag {
            steps: warning.field.steps(),
            ..own(warning.code, Level::Warning, warning.warning_text())
        });
        let warned: Diags = warned.collect();
        Verdict {
            errors,
            unknown: unknown.into_iter().map(|diag| Diag { level: Level::Warning, ..diag }).collect(),
            warnings: warned.iter().map(|warning| warning.detail.clone()).collect(),
            result: stored.map(|stored| presentable(without_given(&sent, old.as_ref(), stored))),
            answer,
            warned,
            ..Verdict::default()
        }
    }
}

/// What the decoder says, with the place and the help that the schema knows better.
fn with_place(mut diag: Diag, structure: Diags) -> Diag {
    let is_there = |wrong: &Diag| diag.steps.is_empty() || wrong.steps == diag.steps;
    if let Some(wrong) = structure.into_iter().find(is_there) {
        diag.steps = wrong.steps;
        diag.help = diag.help.or(wrong.help);
    }
    diag
}
