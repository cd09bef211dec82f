//! Lints for updates that the server accepts, but that break existing objects or clients: removed parts, and stricter
//! constraints.

use super::Lints;
use crate::compare::tighter::{Side, Way, tighter};
use crate::diag::codes::lint::CHANGE;
use crate::diag::{Diag, Diags, Level};
use crate::ir::{Additional, Crd, Schema, Type};
use crate::json;
use crate::path::Path;

const OLD: &str = "the old CRD";

pub(super) fn check(crd: &Crd, old: &Crd, lints: &Lints, out: &mut Diags) {
    if !lints.has(&CHANGE) {
        return;
    }
    let spec = Path::ROOT.child("spec");
    let versions = spec.child("versions");
    let mut is_shared_done = false;
    for (j, before) in old.spec.versions.iter().enumerate() {
        let now = crd.spec.versions.iter().position(|version| version.name == before.name);
        if before.served && !now.is_some_and(|i| crd.spec.versions[i].served) {
            let detail =
                format!("version {} is no longer served: clients that use it will fail", before.name);
            let help =
                "keep serving the version and mark it as deprecated, until all clients use another one";
            out.push(Diag::own(&CHANGE, Level::Warning, &versions, detail).help(help));
        }
        let Some(i) = now.filter(|_| before.served || before.storage) else { continue };
        parts(crd, i, old, j, &versions.index(i), out);
        let (Some(schema), Some(before)) = (crd.spec.schema_of(i), old.spec.schema_of(j)) else { continue };
        let version = versions.index(i);
        let root = match crd.spec.versions[i].body.schema {
            Some(_) => version.child("schema"),
            None if std::mem::replace(&mut is_shared_done, true) => continue,
            None => spec.child("validation"),
        };
        let mut changes = Changes { out: &mut *out };
        changes.node(schema, before, &root.child("openAPIV3Schema"), true);
    }
}

/// Compares what clients use in addition to the schema.
fn parts(crd: &Crd, now: usize, old: &Crd, before: usize, at: &Path<'_>, out: &mut Diags) {
    let fields = |crd: &Crd, version: usize| -> Vec<String> {
        crd.spec.selectable_fields_of(version).iter().map(|field| field.json_path.clone()).collect()
    };
    let has = |crd: &Crd, version: usize| {
        let subresources = crd.spec.subresources_of(version);
        (subresources.is_some_and(|s| s.status), subresources.is_some_and(|s| s.scale.is_some()))
    };
    let ((status, scale), (old_status, old_scale)) = (has(crd, now), has(old, before));
    let mut gone = Vec::new();
    if old_status && !status {
        gone.push("the subresource status".to_owned());
    }
    if old_scale && !scale {
        gone.push("the subresource scale".to_owned());
    }
    let left = fields(crd, now);
    let lost = fields(old, before).into_iter().filter(|path| !left.contains(path));
    gone.extend(lost.map(|path| format!("the selectable field {path}")));
    for what in gone {
        let detail = format!("{what} was removed: clients that use it will fail");
        out.push(
            Diag::own(&CHANGE, Level::Warning, at, detail)
                .help("keep it, or remove it in a new version only"),
        );
    }
}

struct Changes<'o> {
    out: &'o mut Diags,
}

impl Changes<'_> {
    fn add(&mut self, path: &Path<'_>, detail: String, help: &str) {
        self.out.push(Diag::own(&CHANGE, Level::Warning, path, detail).help(help));
    }

    fn stricter(&mut self, path: &Path<'_>, what: &str) {
        let help = "objects may exist that are not valid any more. Allow the old values again, or add a version and convert objects";
        self.add(path, format!("may be stricter than before: {what}"), help);
    }

    fn node(&mut self, now: &Schema, old: &Schema, path: &Path<'_>, is_root: bool) {
        if let Some(what) = other_type(now, old) {
            return self.stricter(path, &what);
        }
        if old.nullable && !now.nullable {
            self.stricter(path, &format!("null was allowed in {OLD}"));
        }
        let side = |schema, version| Side { version, schema };
        for what in tighter(side(now, "the new CRD"), side(old, OLD), Way::Unchanged) {
            self.stricter(path, &what);
        }
        if let Some(before) = old.default.as_ref().filter(|before| now.default.as_ref() != Some(before)) {
            let before = json::to_string(before);
            let help = "objects without the field now mean something else. Keep the default, or change it in a new version";
            self.add(path, format!("the default changed: it was {before} in {OLD}"), help);
        }
        self.fields(now, old, path, is_root);
        if let (Some(now), Some(old)) = (now.item(), old.item()) {
            self.node(now, old, &path.child("items"), false);
        }
        if let (Some(now), Some(old)) = (now.value(), old.value()) {
            self.node(now, old, &path.child("additionalProperties"), false);
        }
    }

    /// Compares the fields: reports removed ones, and compares those that both schemas have.
    fn fields(&mut self, now: &Schema, old: &Schema, path: &Path<'_>, is_root: bool) {
        const DROPPED: &str = "the server drops such data from objects when they are written again. Keep the field, and mark it as \
                               deprecated in its description";
        let kept = keeps_unknown(old) || old.value().is_some();
        if kept && !keeps_unknown(now) && now.value().is_none() {
            let help = "the server drops such data from objects when they are written again. List these fields in the schema, \
                        or keep unknown fields";
            self.add(path, format!("{OLD} kept fields that the schema does not list"), help);
        }
        let properties = path.child("properties");
        for (name, before) in old.properties.iter() {
            match (now.properties.get(name), now.value()) {
                (Some(property), _) => self.node(property, before, &properties.key(name), false),
                (None, Some(value)) => {
                    self.node(value, before, &path.child("additionalProperties"), false);
                }
                // The server knows these even if the schema does not list them.
                (None, None) if is_root && matches!(name, "apiVersion" | "kind" | "metadata") => {}
                (None, None) if keeps_unknown(now) => {}
                (None, None) => self.add(path, format!("the field `{name}` was removed"), DROPPED),
            }
        }
    }
}

/// Whether a schema keeps fields that it does not list.
fn keeps_unknown(schema: &Schema) -> bool {
    schema.preserves_unknown_fields() || matches!(schema.additional_properties, Some(Additional::Allow(true)))
}

/// Why values of the old type do not have the new type.
fn other_type(now: &Schema, old: &Schema) -> Option<String> {
    let (new, before) = (now.ty.as_ref(), old.ty.as_ref());
    let widens = match (new, before) {
        (Some(Type::Number), Some(Type::Integer)) => true,
        _ if now.ext.int_or_string => {
            old.ext.int_or_string || matches!(before, Some(Type::Integer | Type::String))
        }
        (None, _) => !now.ext.int_or_string,
        _ => new == before,
    };
    let shown = |schema: &Schema| match (&schema.ty, schema.ext.int_or_string) {
        (_, true) => "an integer or string".to_owned(),
        (Some(ty), false) => ty.as_str().to_owned(),
        (None, false) => "not set".to_owned(),
    };
    (!widens).then(|| format!("the type is {}, but {} in {OLD}", shown(now), shown(old)))
}
