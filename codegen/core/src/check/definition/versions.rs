//! Checks the list of versions, and the parts that each version has of its own.

use super::demands::Demands;
use super::hoist::{Hoisted, Part, Parts};
use super::{check_schema, columns, selectable, subresources};
use crate::check::schema::{SchemaOptions, shown};
use crate::diag::codes::crd::{
    ALL_ALIKE, DEPRECATION, SHARED_AND_OWN, STORAGE_VERSION, VERSION_FIRST, VERSION_NAME, VERSIONS_UNIQUE,
};
use crate::diag::{BadValue, Diag, Diags};
use crate::go;
use crate::ir::{ApiVersion, Column, Scale, SelectableField, Subresources, Version};
use crate::names;
use crate::path::Path;
use crate::server::bad_warning;
use crate::value::Value;

pub(super) fn check(
    view: &Hoisted<'_>,
    demands: &Demands,
    options: &SchemaOptions,
    at: &Path<'_>,
    out: &mut Diags,
) {
    let versions = at.child("versions");
    for (i, (version, parts)) in view.versions().enumerate() {
        let path = versions.index(i);
        let errors = names::dns1035_label(&version.name);
        if !errors.is_empty() {
            out.push(
                Diag::invalid(&VERSION_NAME, &path.child("name"), version.name.as_str(), errors.join(","))
                    .help("write a name like v1, v1beta1 or v2alpha3"),
            );
        }
        deprecation(version, &path, out);
        let any_cost = demands.same_schemas.contains(&version.name);
        let options = SchemaOptions { status: has_status(view, &version.name), any_cost, ..options.clone() };
        Own { view, version, parts, demands, options }.check(&path, out);
    }
    shared_and_own(view, at, out);
    all_alike(view, options, &versions, out);

    let mut seen: Vec<&str> = view.versions().map(|(v, _)| v.name.as_str()).collect();
    seen.sort_unstable();
    if let Some(twice) = seen.windows(2).find(|pair| pair[0] == pair[1]) {
        let detail = "must contain unique version names";
        out.push(
            Diag::invalid(&VERSIONS_UNIQUE, &versions, as_value(view, options), detail)
                .help(format!("remove or rename one of the versions {}", go::quote(twice[0]))),
        );
    }
    let stored = view.versions().filter(|(v, _)| v.storage).count();
    if stored != 1 {
        let detail = "must have exactly one version marked as storage version";
        let help = if view.versions().next().is_none() {
            "add a version with `storage: true`"
        } else if stored == 0 {
            "write `storage: true` at one of the versions"
        } else {
            "write `storage: false` at all versions but one"
        };
        out.push(Diag::invalid(&STORAGE_VERSION, &versions, as_value(view, options), detail).help(help));
    }
    first(view, at, out);
}

/// `spec.version`, which in v1 is the name of the first version.
fn first(view: &Hoisted<'_>, at: &Path<'_>, out: &mut Diags) {
    let name = view.version();
    if name.is_empty() {
        return;
    }
    let path = at.child("version");
    let errors = names::dns1035_label(name);
    if !errors.is_empty() {
        out.push(
            Diag::invalid(&VERSION_NAME, &path, name, errors.join(","))
                .help("write a name like v1, v1beta1 or v2alpha3"),
        );
    }
    if view.crd.spec.versions.first().is_some_and(|v| v.name != name) {
        out.push(
            Diag::invalid(&VERSION_FIRST, &path, name, "must match the first version in spec.versions")
                .help("remove `version`"),
        );
    }
}

/// Whether the version has the status subresource: its own one, or the shared one if no version has one of its own.
fn has_status(view: &Hoisted<'_>, name: &str) -> bool {
    let subresources = if view.versions.iter().any(|p| p.subresources.is_some()) {
        view.versions().find(|(v, _)| v.name == name).and_then(|(_, p)| p.subresources)
    } else {
        view.shared.subresources
    };
    subresources.is_some_and(|s| s.status)
}

/// What a version has of its own.
struct Own<'v> {
    view: &'v Hoisted<'v>,
    version: &'v Version,
    parts: &'v Parts<'v>,
    demands: &'v Demands,
    options: SchemaOptions,
}

impl Own<'_> {
    fn check(&self, at: &Path<'_>, out: &mut Diags) {
        let Own { view, version, parts, demands, options } = self;
        let schema_path = at.child(Part::Schema.own_name());
        if let Some(validation) = parts.schema {
            check_schema(validation, &schema_path, options, out);
        }
        if let Some(own) = parts.subresources {
            subresources::check(own, &at.child(Part::Subresources.own_name()), out);
        }
        columns::check(view, parts.columns(), &at.child(Part::Columns.own_name()), out);
        if !parts.selectable_fields().is_empty() {
            selectable::Check {
                schema: parts.schema.and_then(|s| s.open_api_v3_schema.as_ref()),
                schema_path: schema_path.child("openAPIV3Schema"),
                empty_box: false,
                without_schema: if options.server().is_before(34) {
                    "selectableFields may only be set when version.schema.openAPIV3Schema is not included"
                } else {
                    "may only be set when `version.schema.openAPIV3Schema` is not included"
                },
                has_own_schemas: false,
                may_be_many: demands.many_selectable_fields.contains(&version.name),
            }
            .run(parts.selectable_fields(), &at.child(Part::SelectableFields.own_name()), out);
        }
    }
}

fn deprecation(version: &Version, at: &Path<'_>, out: &mut Diags) {
    let Some(warning) = &version.deprecation_warning else { return };
    let mut error = |detail: String, help: &str| {
        let path = at.child("deprecationWarning");
        let bad = BadValue::Json(warning.as_str().into());
        out.push(Diag::invalid(&DEPRECATION, &path, bad, detail).help(help));
    };
    if !version.deprecated {
        let detail = "can only be set for deprecated versions".to_owned();
        return error(detail, "write `deprecated: true`, or remove the warning");
    }
    for (detail, help) in bad_warning(warning) {
        error(detail, help);
    }
}

fn shared_and_own(view: &Hoisted<'_>, at: &Path<'_>, out: &mut Diags) {
    let (shared, own) = (&view.shared, &view.versions);
    let clashes = [
        (shared.schema.is_some() && own.iter().any(|v| v.schema.is_some()), "validation", "schemas"),
        (
            shared.subresources.is_some() && own.iter().any(|v| v.subresources.is_some()),
            "subresources",
            "subresources",
        ),
        (
            !shared.columns().is_empty() && own.iter().any(|v| !v.columns().is_empty()),
            "additionalPrinterColumns",
            "additionalPrinterColumns",
        ),
    ];
    for (_, field, words) in clashes.into_iter().filter(|(clash, ..)| *clash) {
        let detail = format!("top-level and per-version {words} are mutually exclusive");
        out.push(
            Diag::forbidden(&SHARED_AND_OWN, &at.child(field), detail)
                .help(format!("remove `spec.{field}` and write it out in each version")),
        );
    }
}

fn all_alike(view: &Hoisted<'_>, options: &SchemaOptions, at: &Path<'_>, out: &mut Diags) {
    let Some(first) = view.versions.first() else { return };
    // In v1, the shared parts are already at the top.
    if view.crd.api_version == ApiVersion::V1 {
        return;
    }
    let all = |same: &dyn Fn(&Parts<'_>) -> bool| view.versions.iter().all(same);
    let alike = [
        (all(&|v| v.schema.is_some() && v.schema == first.schema), "schemas", "validation"),
        (
            all(&|v| v.subresources.is_some() && v.subresources == first.subresources),
            "subresources",
            "subresources",
        ),
        (
            all(&|v| !v.columns().is_empty() && v.columns() == first.columns()),
            "additionalPrinterColumns",
            "additionalPrinterColumns",
        ),
    ];
    for (_, words, field) in alike.into_iter().filter(|(alike, ..)| *alike) {
        let detail = format!(
            "per-version {words} may not all be set to identical values (top-level {field} should be used instead)"
        );
        out.push(Diag::invalid(&ALL_ALIKE, at, as_value(view, options), detail).help(format!(
            "move it to `spec.{field}`, or better, convert the CRD to v1 with `crdgen convert --to v1`"
        )));
    }
}

/// The versions as messages show them: Go's internal structs.
fn as_value(view: &Hoisted<'_>, options: &SchemaOptions) -> BadValue {
    let versions = view.versions().map(|(version, parts)| {
        let Version { name, served, storage, deprecated, deprecation_warning, body: _, allowed: _ } = version;
        let Parts { schema, subresources, columns, selectable_fields } = parts;
        let root = |s: &crate::ir::Validation| {
            let schema = s.open_api_v3_schema.as_ref();
            let shown = schema.map_or(NULL, |schema| shown(schema, options, &Path::ROOT));
            object([("OpenAPIV3Schema", shown)])
        };
        object([
            ("Name", name.as_str().into()),
            ("Served", (*served).into()),
            ("Storage", (*storage).into()),
            ("Deprecated", (*deprecated).into()),
            ("DeprecationWarning", text(deprecation_warning.as_deref())),
            ("Schema", schema.map_or(NULL, root)),
            ("Subresources", subresources.map_or(NULL, subresources_as_value)),
            ("AdditionalPrinterColumns", list(*columns, column_as_value)),
            ("SelectableFields", list(*selectable_fields, field_as_value)),
        ])
    });
    let versions: Vec<BadValue> = versions.collect();
    let is_nil = view.crd.spec.no_versions;
    if versions.is_empty() && options.server().is_before(34) {
        let (value, rest) = if is_nil { (Value::Null, "(nil)") } else { (Value::List(Vec::new()), "{}") };
        return BadValue::Printed(value, format!("[]apiextensions.CustomResourceDefinitionVersion{rest}"));
    }
    if is_nil && versions.is_empty() { NULL } else { BadValue::List(versions) }
}

fn subresources_as_value(subresources: &Subresources) -> BadValue {
    let Subresources { status, scale } = subresources;
    let scale_as_value = |scale: &Scale| {
        let Scale { spec_replicas_path, status_replicas_path, label_selector_path } = scale;
        object([
            ("SpecReplicasPath", spec_replicas_path.as_str().into()),
            ("StatusReplicasPath", status_replicas_path.as_str().into()),
            ("LabelSelectorPath", text(label_selector_path.as_deref())),
        ])
    };
    object([
        ("Status", if *status { object([]) } else { NULL }),
        ("Scale", scale.as_ref().map_or(NULL, scale_as_value)),
    ])
}

fn column_as_value(column: &Column) -> BadValue {
    let Column { name, ty, format, description, priority, json_path } = column;
    object([
        ("Name", name.as_str().into()),
        ("Type", ty.as_str().into()),
        ("Format", format.as_str().into()),
        ("Description", description.as_str().into()),
        ("Priority", i64::from(*priority).into()),
        ("JSONPath", json_path.as_str().into()),
    ])
}

fn field_as_value(field: &SelectableField) -> BadValue {
    let SelectableField { json_path } = field;
    object([("JSONPath", json_path.as_str().into())])
}

const NULL: BadValue = BadValue::Plain(Value::Null);

fn object<const N: usize>(fields: [(&'static str, BadValue); N]) -> BadValue {
    BadValue::Struct(fields.into())
}

fn text(text: Option<&str>) -> BadValue {
    text.map_or(NULL, |text| BadValue::Json(text.into()))
}

fn list<T>(items: Option<&[T]>, write: impl Fn(&T) -> BadValue) -> BadValue {
    items.map_or(NULL, |items| BadValue::List(items.iter().map(write).collect()))
}
