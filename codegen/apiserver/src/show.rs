//! Objects in the form that clients accept: as they are, as a table, or their metadata.

use crate::meta::{self, map};
use crate::registry::Kind;
use crate::request::MetaVersion;
use crate::status::Failure;
use crate::store::Token;
use crdgen_core::go;
use crdgen_core::object::table::{Table, age_at};
use crdgen_core::object::{Served, ServedVersion};
use crdgen_core::value::Value;
use crdgen_kubernetes::columns::{Cell, cells};

/// Only the metadata of an object.
pub(crate) fn metadata_only(object: &Value, version: MetaVersion) -> Value {
    map([
        ("apiVersion", version.api_version().into()),
        ("kind", "PartialObjectMetadata".into()),
        ("metadata", object.get("metadata").cloned().unwrap_or_default()),
    ])
}

/// Whether a table describes its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Columns {
    Described,
    /// The client has got them already.
    Known,
}

/// How a table shows objects.
pub(crate) struct Rows<'t> {
    pub(crate) kind: &'t Kind,
    pub(crate) served: &'t Served,
    pub(crate) version: &'t ServedVersion,
    /// The time for ages.
    pub(crate) now: i64,
    /// What a row contains of its object: `None`, `Metadata` or `Object`.
    pub(crate) include: &'t str,
    /// The version of the table, and of metadata in it.
    pub(crate) form: MetaVersion,
    /// The name of the class of storage that is the default. Only lists know it.
    pub(crate) default_class: String,
}

impl Rows<'_> {
    fn cells(&self, object: &Value) -> Option<Vec<Cell>> {
        cells(self.kind.own_row()?, object, self.now)
    }

    fn row(&self, object: &Value) -> Vec<Value> {
        let cells = self.cells(object).unwrap_or_default();
        let mut cells: Vec<Value> = cells.into_iter().map(|cell| cell.value).collect();
        let name = meta::text(object, "name");
        if let Some(first) = cells.first_mut().filter(|_| name == self.default_class && !name.is_empty()) {
            *first = format!("{name} (default)").into();
        }
        cells
    }

    /// The metadata of the form in which the server prints objects. The only form of daemon sets with this annotation is another one.
    fn metadata(&self, object: &Value) -> Value {
        let mut out = metadata_only(object, self.form);
        let metadata = out.as_map_mut().and_then(|it| it.get_mut("metadata")?.as_map_mut());
        if self.kind.names.kind == "DaemonSet"
            && self.kind.is_own()
            && let Some(metadata) = metadata
            && let Some(Value::Map(annotations)) = metadata.get_mut("annotations")
        {
            annotations.remove("deprecated.daemonset.template.generation");
            if annotations.is_empty() {
                metadata.remove("annotations");
            }
        }
        out
    }

    /// A table of objects. Watches describe the columns only once.
    pub(crate) fn table(
        &self,
        objects: &[&Value],
        metadata: Value,
        columns: Columns,
    ) -> Result<Value, Failure> {
        let of_row = |object: &&Value| match self.include {
            "None" => Ok(Value::Null),
            "Object" => Ok(Value::clone(object)),
            "" | "Metadata" => Ok(self.metadata(object)),
            other => Err(Failure::bad_request(format!(
                "Unable to convert to Table as requested: includeObject: Invalid value: {}: must be 'Metadata', 'Object', 'None', \
                 or empty",
                go::quote(other)
            ))),
        };
        let of_rows = objects.iter().map(of_row).collect::<Result<Vec<Value>, Failure>>()?;
        let table = match self.cells(&Value::Null) {
            Some(cells) => Table {
                columns: cells.iter().map(Cell::column).collect(),
                rows: objects.iter().map(|object| self.row(object)).collect(),
                ..Table::default()
            },
            None => {
                let table = self.served.table_of_read(objects.iter().copied(), self.version, self.now);
                table.map_err(|why| Failure::too_large(format_args!("{why}")))?
            }
        };
        let rows = table
            .rows
            .into_iter()
            .zip(of_rows)
            .map(|(cells, object)| map([("cells", Value::List(cells)), ("object", object)]));
        let columns = match columns {
            Columns::Described => Value::List(table.columns),
            Columns::Known => Value::Null,
        };
        Ok(map([
            ("apiVersion", self.form.api_version().into()),
            ("kind", "Table".into()),
            ("metadata", metadata),
            ("columnDefinitions", columns),
            ("rows", Value::List(rows.collect())),
        ]))
    }
}

/// The table of a Scale.
pub(crate) fn table_of_scale(scale: Value, now: i64, form: MetaVersion) -> Value {
    let column = |name: &str, ty: &str| {
        map([
            ("name", name.into()),
            ("type", ty.into()),
            ("format", "".into()),
            ("description", "".into()),
            ("priority", Value::Int(0)),
        ])
    };
    let columns = [("Name", "string"), ("Desired", "integer"), ("Available", "integer"), ("Age", "string")];
    let number =
        |part: &str| scale.get(part).and_then(|it| it.get("replicas").cloned()).unwrap_or(Value::Int(0));
    let created = meta::text(&scale, "creationTimestamp");
    let cells = vec![
        meta::text(&scale, "name").into(),
        number("spec"),
        number("status"),
        age_at(created, now).into(),
    ];
    let version = meta::text(&scale, "resourceVersion");
    let metadata = map([("resourceVersion", version.into())]);
    let row = map([("cells", Value::List(cells)), ("object", metadata_only(&scale, form))]);
    map([
        ("apiVersion", form.api_version().into()),
        ("kind", "Table".into()),
        ("metadata", metadata),
        ("columnDefinitions", Value::List(columns.map(|(name, ty)| column(name, ty)).to_vec())),
        ("rows", Value::List(vec![row])),
    ])
}

/// The rest of a list that was not returned.
pub(crate) struct Rest {
    pub(crate) token: Token,
    /// How many objects it has. Unknown with selectors.
    pub(crate) remaining: Option<usize>,
}

/// The metadata of a list.
pub(crate) fn list_metadata(revision: u64, rest: Option<&Rest>) -> Value {
    let mut metadata = meta::map([("resourceVersion", revision.to_string().into())]);
    if let (Some(rest), Value::Map(map)) = (rest, &mut metadata) {
        map.insert("continue", rest.token.write().into());
        if let Some(remaining) = rest.remaining.and_then(|number| i64::try_from(number).ok()) {
            map.insert("remainingItemCount", Value::Int(remaining));
        }
    }
    metadata
}
