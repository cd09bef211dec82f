//! What is found in the CRDs of Rust types. Help is about attributes, where the usual help is about keywords of a schema.

use super::lints::{InVain, Lints};
use crdgen_runtime::diag::{Code, Diag, Diags, codes};
use crdgen_runtime::ir::Crd;
use crdgen_runtime::path::Step;

/// The lints about types that are on by default.
pub fn lints() -> Lints {
    let mut lints = Lints::default();
    lints.set(codes::lint::SIZE.id, false);
    for code in [&codes::lint::METADATA, &codes::lint::CONVERSION, &codes::lint::BOOLEAN_VALUE] {
        lints.set(code.id, true);
    }
    lints
}

/// Returns the server's diagnostics for the creation of a CRD, with advice for types. Also returns the warnings that attributes
/// allow, although there are none.
pub fn findings(crd: &Crd, lints: &Lints) -> (Diags, Vec<InVain>) {
    let mut sent = crd.clone();
    crdgen_runtime::decode::set_defaults(&mut sent);
    let (mut diags, in_vain) = super::lints::on_create_with_allowed(&sent, lints);
    diags.iter_mut().for_each(in_attributes);
    (diags, in_vain)
}

/// Changes the help of a diagnostic about a type: it is about attributes, where the usual help is about keywords of a schema.
fn in_attributes(diag: &mut Diag) {
    if let Some(help) = help_in_attributes(diag) {
        diag.help = Some(help.to_owned());
    } else if *diag.code == codes::cel::TOO_EXPENSIVE
        && matches!(diag.steps.last(), Some(Step::Key(key)) if key == "rule")
        && let Some(help) = &mut diag.help
    {
        help.push_str(". In types, bounds are the attributes `max_length`, `max_items` and `max_properties`");
    }
}

/// Returns the help for a mistake in the attributes of types, where the usual help is about keywords of a schema.
fn help_in_attributes(diag: &Diag) -> Option<&'static str> {
    use codes::{api, cel, crd, lint, schema};
    let is_at = |name: &str| matches!(diag.steps.last(), Some(Step::Key(key)) if key == name);
    Some(match diag.code {
        code if *code == schema::LIST_KEY_OPTIONAL && is_at("nullable") => {
            "remove the Option from the key, a default may stay. Or keep it with a default of the schema, and add \
             #[serde(skip_serializing_if = \"Option::is_none\")]"
        }
        code if *code == schema::LIST_KEY_OPTIONAL => {
            "remove the Option from the key. If users may leave it out, give it a default, such as #[serde(default)]"
        }
        code if *code == schema::SET_ITEMS && is_at("x-kubernetes-map-type") => {
            "write list_type = \"map\" with list_map_keys, or #[schema(map_type = \"atomic\")] on the struct"
        }
        code if *code == schema::SET_OF_COMPOUNDS => {
            "write list_type = \"map\" with list_map_keys, or list_type = \"atomic\""
        }
        code if *code == cel::BAD_OLD_SELF && is_at("rule") => {
            "the server finds the old value of a list item by the keys of the list. Write list_type = \"map\" with \
             list_map_keys on the list, or move the rule out of the list or atomic map"
        }
        code if *code == schema::MISSING_TYPE => {
            "write a type: `ty = \"…\"` in #[schema(…)], or `type` in a raw schema. If any value is fine, write \
             `preserve_unknown_fields`"
        }
        code if *code == schema::PROPERTIES_AND_MAP => {
            "remove `additional_properties`: the server drops unknown fields anyway. To keep them, write \
             `preserve_unknown_fields`"
        }
        code if *code == crd::STORAGE_VERSION => "remove storage = false from one version",
        code if *code == crd::APPROVAL => crate::server::APPROVAL_HELP,
        code if *code == lint::LIST_TYPE => {
            "write #[schema(list_type = \"map\", list_map_keys = [\"name\"])] with the field that identifies an item, \"set\" if \
             no value is there twice, or \"atomic\""
        }
        code if *code == lint::UNSIGNED => {
            "use a signed integer with `minimum = 0`, or write #[schema(format = \"int64\", minimum = 0)]"
        }
        code if *code == lint::UNBOUNDED => "add `max_length`, `max_items` or `max_properties`",
        code if *code == lint::BOOLEAN_NAME => "rename the field",
        code if *code == lint::STATUS => "add `status = \"Type\"` to #[kube(…)]",
        code if *code == api::CONDITIONS => {
            "make it a list of conditions with #[schema(list_type = \"map\", list_map_keys = [\"type\"])]"
        }
        code if *code == api::REQUIRED_DEFAULT => {
            "remove `required` from the attributes, or remove the default"
        }
        code if *code == api::INTEGER_SIZE => "write #[schema(format = \"int32\")], or \"int64\"",
        code if *code == api::MAX_SIZE => {
            "add `max_length`, `max_items` or `max_properties`; you can raise it later, but not add it"
        }
        code if *code == api::MIN_LENGTH => {
            "add `min_length = 1`, `min_items = 1` or `min_properties = 1` (in `items(…)` for the items of a list), or 0 if an empty value means something"
        }
        code if *code == api::FIELD_NAME => {
            "add #[serde(rename_all = \"camelCase\")] to the type, or rename the field"
        }
        code if *code == api::MAP => {
            "use a Vec with #[schema(list_type = \"map\", list_map_keys = [\"name\"])] and the name of an item as a field"
        }
        code if *code == api::NULLABLE => {
            "add #[serde(skip_serializing_if = \"Option::is_none\")], so that the field is absent or set"
        }
        code if *code == api::STATUS_REQUIRED => {
            "make the field an `Option`, or give it a default, so that a controller can write the status step by step"
        }
        code if *code == api::REPEATED_KEYWORD => {
            "write this keyword as an attribute, such as `max_length = 100`, instead of the rule"
        }
        _ => return None,
    })
}

/// Changes the help of a diagnostic about a type whose attributes are those of schemars and kube-derive.
pub fn in_schemars(diag: &mut Diag) {
    if let Some(help) = help_of_schemars(diag.code) {
        diag.help = Some(help.to_owned());
    }
}

fn help_of_schemars(code: &Code) -> Option<&'static str> {
    use codes::{api, lint};
    Some(match code {
        code if *code == lint::LIST_TYPE => {
            "write #[schemars(extend(\"x-kubernetes-list-type\" = \"map\", \"x-kubernetes-list-map-keys\" = [\"name\"]))] with the \
             field that identifies an item, \"set\" if no value is there twice, or \"atomic\". schemars 0.8 has no `extend`: write \
             the schema with `schema_with`"
        }
        code if *code == lint::UNSIGNED => "use a signed integer with #[schemars(range(min = 0))]",
        code if *code == lint::UNBOUNDED || *code == api::MAX_SIZE => {
            "add #[schemars(length(max = 100))], inside of `inner(…)` for the items of a list, or \
             #[schemars(extend(\"maxProperties\" = 100))] for a map; you can raise it later, but not add it"
        }
        code if *code == api::CONDITIONS => {
            "make it a list of conditions with #[schemars(extend(\"x-kubernetes-list-type\" = \"map\", \
             \"x-kubernetes-list-map-keys\" = [\"type\"]))]. schemars 0.8 has no `extend`: write the schema with `schema_with`"
        }
        code if *code == api::INTEGER_SIZE => {
            "use an i32 or i64, or write #[schemars(extend(\"format\" = \"int32\"))]"
        }
        code if *code == api::MIN_LENGTH => {
            "add #[schemars(length(min = 1))], inside of `inner(…)` for the items of a list, or \
             #[schemars(extend(\"minProperties\" = 1))] for a map. Write 0 if an empty value means something"
        }
        code if *code == api::MAP => {
            "use a Vec with the name of an item as a field, and #[schemars(extend(\"x-kubernetes-list-type\" = \"map\", \
             \"x-kubernetes-list-map-keys\" = [\"name\"]))]"
        }
        code if *code == api::NULLABLE => {
            "kube-derive makes every `Option` nullable. Turn this lint off with `--no-lint LNT110`, or use crdgen's derive and \
             #[serde(skip_serializing_if = \"Option::is_none\")]"
        }
        code if *code == api::REPEATED_KEYWORD => {
            "write this keyword as an attribute, such as #[schemars(length(max = 100))] or #[schemars(range(min = 0))], instead of \
             the rule"
        }
        _ => return None,
    })
}
