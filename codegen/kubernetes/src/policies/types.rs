//! The types of the expressions of a policy: what the server's controller writes into the status of a policy.

use super::offline::{Definitions, Known, known};
use crate::expressions::{Age, Authorizer, Compiler, Output, Uses, Wrong};
use crate::field::Field;
use crate::kinds::{self, Row};
use crdgen_core::ir::{Schema, Type};
use crdgen_core::server::Server;
use crdgen_core::value::Value;
use crdgen_core::{GroupVersion, decode, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What is wrong with an expression for the objects of a kind.
#[derive(Clone, Debug)]
pub struct TypeWarning {
    /// The expression.
    pub field: Field,
    /// The kind: `apps/v1, Kind=Deployment`.
    pub kind: String,
    /// What is wrong.
    pub wrong: Wrong,
}

/// How many kinds of a rule are looked at.
const MOST: usize = 10;

/// The metadata of all objects.
static METADATA: LazyLock<Schema> = LazyLock::new(|| {
    let read = json::read(include_bytes!("object_meta.json")).ok();
    read.and_then(|value| decode::schema(value).0).unwrap_or_default()
});

/// A kind: the group, the version and the name.
type Kind = [String; 3];

/// Returns what is wrong with the expressions of a policy for the objects that its rules name without wildcards.
pub fn type_warnings(policy: &Value, definitions: &dyn Definitions, server: Server) -> Vec<TypeWarning> {
    let Some(spec) = policy.get("spec") else { return Vec::new() };
    let items = |name: &str| spec.get(name).and_then(Value::as_list).unwrap_or_default();
    let mut kinds = compilers(spec, definitions, server, MOST);
    for (_, compiler) in &mut kinds {
        add_variables(compiler, items("variables"), Authorizer::OfOthers);
    }
    let mut out = Vec::new();
    for (index, validation) in items("validations").iter().enumerate() {
        for name in ["expression", "messageExpression"] {
            let text = validation.text(name);
            if text.is_empty() && name == "messageExpression" {
                continue;
            }
            for (kind, compiler) in &mut kinds {
                let checked = compiler.compile(text, Output::Any, Authorizer::OfOthers, Age::Stored);
                let Err(wrong) = checked else { continue };
                let field = Field::default().child("spec.validations").index(index).child(name);
                out.push(TypeWarning { field, kind: kind.clone(), wrong });
            }
        }
    }
    out
}

/// What compiles the expressions of a policy for the objects of the first kinds that its rules name, and the names of these kinds.
pub(super) fn compilers(
    spec: &Value,
    definitions: &dyn Definitions,
    server: Server,
    most: usize,
) -> Vec<(String, Compiler)> {
    let param = spec.get("paramKind").filter(|kind| !kind.is_null()).map(|kind| {
        let GroupVersion { group, version } = GroupVersion::of(kind.text("apiVersion"));
        let kind = [group, version, kind.text("kind")].map(str::to_owned);
        (schema_of(&kind, definitions), kind)
    });
    let params = param.as_ref().and_then(|(schema, kind)| Some((kind[2].as_str(), schema.as_ref()?)));
    let uses = Uses { params: param.is_some(), variables: true, server };
    let typed = |kind: Kind| {
        let schema = schema_of(&kind, definitions)?;
        let [group, version, kind] = kind;
        let compiler = Compiler::typed(uses, Some((&kind, &schema)), params);
        Some((format!("{group}/{version}, Kind={kind}"), compiler))
    };
    kinds_of(spec, definitions).into_iter().filter_map(typed).take(most).collect()
}

/// Adds the variables of a policy.
pub(super) fn add_variables(compiler: &mut Compiler, variables: &[Value], authorizer: Authorizer) {
    for variable in variables {
        let text = variable.text("expression");
        let checked = compiler.compile(text, Output::Any, authorizer, Age::Stored);
        compiler.add_variable(variable.text("name"), checked.as_ref().ok());
    }
}

/// The kinds that the rules of a policy name, sorted.
fn kinds_of(spec: &Value, definitions: &dyn Definitions) -> BTreeSet<Kind> {
    let rules = spec.get("matchConstraints").and_then(|it| it.get("resourceRules")?.as_list());
    let mut out = BTreeSet::new();
    for rule in rules.unwrap_or_default() {
        let texts = |name: &str| {
            let items = rule.get(name).and_then(Value::as_list).unwrap_or_default();
            items.iter().filter_map(Value::as_str).collect::<BTreeSet<&str>>()
        };
        let (groups, versions) = (texts("apiGroups"), texts("apiVersions"));
        if groups.iter().chain(&versions).any(|text| text.contains('*')) {
            continue;
        }
        let plain = texts("resources").into_iter().filter(|resource| !resource.contains(['*', '/']));
        let resources: BTreeSet<&str> = plain.collect();
        // In the order of the groups, versions and resources that the rule names. An empty group may be any.
        let mut found: BTreeSet<([String; 3], Kind)> = BTreeSet::new();
        for [group, version, resource, kind] in served(definitions, &resources) {
            if !versions.contains(version.as_str()) {
                continue;
            }
            for named in [group.as_str(), ""].into_iter().filter(|named| groups.contains(named)) {
                let rank = [named.to_owned(), version.clone(), resource.clone()];
                found.insert((rank, [group.clone(), version.clone(), kind.clone()]));
            }
        }
        let is_cut = found.len() >= MOST;
        out.extend(found.into_iter().take(MOST).map(|(_, kind)| kind));
        if is_cut {
            return out;
        }
    }
    out
}

/// The groups, versions, resources and kinds that are served, of resources with some names.
fn served(definitions: &dyn Definitions, resources: &BTreeSet<&str>) -> Vec<[String; 4]> {
    let rows = kinds::rows().iter().filter(|row| resources.contains(row.plural));
    let of_row =
        |row: &'static Row| row.versions().map(|(version, _)| [row.group, version, row.plural, row.kind]);
    let mut out: Vec<[String; 4]> = rows.flat_map(of_row).map(|it| it.map(str::to_owned)).collect();
    for custom in resources.iter().flat_map(|resource| definitions.of_resource(resource)) {
        let spec = &custom.crd.spec;
        for version in spec.versions.iter().filter(|version| version.served) {
            let names = [&spec.group, &version.name, &spec.names.plural, &spec.names.kind];
            out.push(names.map(String::clone));
        }
    }
    out
}

fn schema_of([group, version, kind]: &Kind, definitions: &dyn Definitions) -> Option<Schema> {
    let api_version = if group.is_empty() { version.clone() } else { format!("{group}/{version}") };
    let mut schema = match known(definitions, &api_version, kind)? {
        Known::BuiltIn(_) => {
            let mut schema = Schema::clone(&*kinds::find(&api_version, kind)?.schema_of(version)?);
            with_metadata(&mut schema);
            schema
        }
        Known::Custom(served) => {
            let spec = &served.crd.spec;
            let index = spec.versions.iter().position(|it| it.name == *version)?;
            spec.schema_of(index)?.clone()
        }
    };
    for name in ["apiVersion", "kind"] {
        schema.properties.insert(name, Schema::of(Type::String));
    }
    schema.properties.insert("metadata", METADATA.clone());
    Some(schema)
}

/// The schemas of Kubernetes' own kinds leave out what metadata has. The published ones have no type for quantities.
fn with_metadata(schema: &mut Schema) {
    if schema.ext.int_or_string && !schema.limits.pattern.is_empty() {
        (schema.ext.int_or_string, schema.ty) = (false, None);
    }
    if let Some(metadata) = schema.properties.get_mut("metadata")
        && metadata.properties.is_empty()
        && metadata.additional_properties.is_none()
    {
        metadata.clone_from(&METADATA);
    }
    for (edge, child) in schema.children_mut() {
        if edge.is_structural() {
            with_metadata(child);
        }
    }
}
