//! The table of Kubernetes' own kinds.

use super::rules::{Rules, rules};
use crate::value::{Map, Value};
use crdgen_apply::schema::{Schema, Undeclared, from_openapi};
use crdgen_apply::typed::Type;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A kind in a version.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) plural: String,
    pub(super) namespaced: bool,
    /// The name of its schema.
    pub(super) model: String,
    pub(super) subresources: Vec<String>,
}

/// All kinds and their types.
#[derive(Debug)]
pub(super) struct Table {
    rows: HashMap<(String, String), Row>,
    pub(super) types: Map<Value>,
    schema: Schema,
    pub(super) rules: Rules,
}

/// The name of the schema of scales.
pub(super) const SCALE: &str = "io.k8s.api.autoscaling.v1.Scale";

/// The type whose lists exclude each other, also if they are empty.
const SLICE: &str = "io.k8s.api.resource.v1.ResourceSliceSpec";

/// The mark of a list that stays if it is empty.
pub(super) const KEEPS_EMPTY: &str = "x-empty";

/// The table, which is read when it is needed first.
pub(super) fn get() -> &'static Table {
    static TABLE: LazyLock<Table> =
        LazyLock::new(|| read(include_str!("kinds.json")).unwrap_or_else(Table::empty));
    &TABLE
}

impl Table {
    /// A test reads the table, so that no program has this.
    fn empty() -> Table {
        Table { rows: HashMap::new(), types: Map::new(), schema: Schema::default(), rules: Rules::default() }
    }

    pub(super) fn row(&self, api_version: &str, kind: &str) -> Option<&Row> {
        self.rows.get(&(api_version.to_owned(), kind.to_owned()))
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        let mut rows: Vec<&Row> = self.rows.values().collect();
        rows.sort_by_key(|row| (&row.api_version, &row.kind));
        rows.into_iter()
    }

    /// The name of the schema of the objects of a kind, or of scales.
    pub(super) fn model(&self, api_version: &str, kind: &str) -> Option<&str> {
        match (api_version, kind) {
            ("autoscaling/v1", "Scale") => Some(SCALE),
            _ => self.row(api_version, kind).map(|row| row.model.as_str()),
        }
    }

    /// The type of the objects of a kind, or of scales.
    pub(super) fn type_of(&self, api_version: &str, kind: &str) -> Option<Type<'_>> {
        let id = self.schema.named(self.model(api_version, kind)?)?;
        Some(Type::new(&self.schema, id))
    }
}

fn read(text: &str) -> Option<Table> {
    let Value::Map(mut all) = crate::json::read(text.as_bytes()).ok()? else { return None };
    let Value::Map(mut types) = all.remove("types")? else { return None };
    let rows: Option<Vec<Row>> = all.get("kinds")?.as_list()?.iter().map(row).collect();
    let rows = rows?.into_iter().map(|row| ((row.api_version.clone(), row.kind.clone()), row)).collect();
    let schema = from_openapi(types.iter(), Undeclared::Declared).ok()?;
    let rules = rules(include_str!("defaults.txt"))?;
    for (model, path) in rules.lists() {
        keep_empty(&mut types, model, path);
    }
    for name in ["devices", "sharedCounters"] {
        keep_empty(&mut types, SLICE, &[name.to_owned()]);
    }
    Some(Table { rows, types, schema, rules })
}

/// Marks a list that has a default. Go keeps an empty one apart from a missing one, which gets the default.
fn keep_empty(types: &mut Map<Value>, model: &str, path: &[String]) {
    let Some((first, rest)) = path.split_first() else { return };
    let properties = types.get_mut(model).and_then(|it| it.as_map_mut()?.get_mut("properties")?.as_map_mut());
    let Some(Value::Map(property)) = properties.and_then(|properties| properties.get_mut(first)) else {
        return;
    };
    if rest.is_empty() {
        property.insert(KEEPS_EMPTY, Value::Bool(true));
    } else if let Some(model) = property.get("$ref").and_then(Value::as_str).map(str::to_owned) {
        keep_empty(types, &model, rest);
    }
}

fn row(row: &Value) -> Option<Row> {
    let [api_version, kind, plural, namespaced, model, subresources @ ..] = row.as_list()? else {
        return None;
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    Some(Row {
        api_version: text(api_version)?,
        kind: text(kind)?,
        plural: text(plural)?,
        namespaced: namespaced.as_bool()?,
        model: text(model)?,
        subresources: subresources.iter().map(text).collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_readable() {
        let table = read(include_str!("kinds.json")).expect("a table");
        assert!(table.rows.len() > 80);
        for row in table.rows() {
            assert!(table.type_of(&row.api_version, &row.kind).is_some(), "{row:?}");
        }
        assert!(table.type_of("autoscaling/v1", "Scale").is_some());
        for name in table.rules.types() {
            assert!(table.types.contains_key(name), "{name}");
        }
    }
}
