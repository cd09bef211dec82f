//! Objects as kubectl prints them: tables, YAML, JSON and names. `crdgen get` prints these.

use crdgen_core::inert::InertLine;
use crdgen_core::object::table::Table;
use crdgen_core::value::{Map, Value};

use crdgen_files::Error;
use crdgen_tasks::listing::{ListedKind, ListedObject};

/// Which columns tables have.
pub struct Layout<'a> {
    /// All columns, and not only the important ones.
    pub wide: bool,
    /// The line with the names of the columns.
    pub headers: bool,
    /// The kind before each name.
    pub with_kind: bool,
    /// The namespace in the first column.
    pub with_namespace: bool,
    /// These labels, each in a column.
    pub label_columns: &'a [String],
    /// All labels in the last column.
    pub show_labels: bool,
}

impl Layout<'_> {
    /// The table of a kind.
    pub fn table(&self, group: &ListedKind<'_>, now: i64) -> Result<String, Error> {
        let name = &group.served.crd.metadata.name;
        let objects = group.objects.iter().map(|object| object.0.clone()).collect();
        let Table { columns, rows, .. } = group
            .served
            .table(objects, group.version, now)
            .map_err(|why| Error::Refused { name: name.clone(), why })?;
        let is_shown =
            |column: &&Value| self.wide || column.get("priority").and_then(Value::as_int) == Some(0);
        let shown: Vec<usize> =
            columns.iter().enumerate().filter(|(_, c)| is_shown(c)).map(|(i, _)| i).collect();
        let namespace = |text: &str| Some(text.to_owned()).filter(|_| self.with_namespace);
        let mut lines = Vec::new();
        if self.headers {
            let own = shown.iter().map(|i| header(columns[*i].text("name")));
            lines.push(self.line(namespace("NAMESPACE"), own.collect(), self.label_headers()));
        }
        let prefix = match self.with_kind {
            true => format!(
                "{}.{}/",
                group.served.crd.spec.names.kind.to_lowercase(),
                group.served.crd.spec.group
            ),
            false => String::new(),
        };
        for (object, row) in group.objects.iter().zip(rows) {
            let cells = group.served.printed(group.version, &object.0, &row);
            let mut own: Vec<String> =
                shown.iter().map(|i| cells.get(*i).cloned().unwrap_or_default()).collect();
            if let Some(name) = own.first_mut() {
                name.insert_str(0, &prefix);
            }
            lines.push(self.line(namespace(object.namespace()), own, self.labels(object)));
        }
        Ok(crate::aligned(&lines))
    }

    fn line(&self, namespace: Option<String>, own: Vec<String>, labels: Vec<String>) -> Vec<String> {
        let cells: Vec<String> = namespace.into_iter().chain(own).chain(labels).collect();
        // As in kubectl's writer, a tab inside of a cell separates cells.
        cells.iter().flat_map(|cell| cell.split('\t')).map(|cell| InertLine(cell).to_string()).collect()
    }

    fn label_headers(&self) -> Vec<String> {
        let last = |label: &String| header(label.rsplit('/').next().unwrap_or(label));
        let all = Some("LABELS".to_owned()).filter(|_| self.show_labels);
        self.label_columns.iter().map(last).chain(all).collect()
    }

    fn labels(&self, object: &ListedObject) -> Vec<String> {
        let own = self.label_columns.iter().map(|label| object.label(label).unwrap_or_default().to_owned());
        let all = Some(object).filter(|_| self.show_labels).map(|object| {
            let labels = object.0.get("metadata").and_then(|m| m.get("labels")).and_then(Value::as_map);
            let labels = labels.into_iter().flat_map(|labels| labels.iter());
            let labels: Vec<String> = labels
                .map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or_default()))
                .collect();
            if labels.is_empty() { "<none>".to_owned() } else { labels.join(",") }
        });
        own.chain(all).collect()
    }
}

fn header(name: &str) -> String {
    name.to_uppercase()
}

/// Returns a list of all objects, or the object itself if the user wants only this one by name.
fn document(groups: &[ListedKind<'_>], by_name: bool) -> Value {
    let mut objects: Vec<Value> =
        groups.iter().flat_map(|group| &group.objects).map(|object| shown(&object.0)).collect();
    if by_name && objects.len() == 1 {
        return objects.remove(0);
    }
    let metadata: Map<Value> = Map::from_iter([("resourceVersion", Value::from(""))]);
    Value::Map(Map::from_iter([
        ("apiVersion", Value::from("v1")),
        ("items", Value::List(objects)),
        ("kind", "List".into()),
        ("metadata", metadata.into()),
    ]))
}

/// Returns the object without the parts that kubectl does not show.
fn shown(object: &Value) -> Value {
    let mut out = object.clone();
    if let Some(metadata) = out.as_map_mut().and_then(|object| object.get_mut("metadata")?.as_map_mut()) {
        metadata.remove("managedFields");
    }
    out
}

/// YAML: a list, or the object itself if the user wants only this one by name.
pub fn yaml(groups: &[ListedKind<'_>], by_name: bool) -> String {
    crdgen_core::yaml::write(&document(groups, by_name))
}

/// JSON of the same.
pub fn json(groups: &[ListedKind<'_>], by_name: bool) -> String {
    let mut out = String::new();
    indented(&document(groups, by_name), 0, &mut out);
    out.push('\n');
    out
}

/// JSON with four spaces a level.
fn indented(value: &Value, level: usize, out: &mut String) {
    let line = |level: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n("    ", level));
    };
    match value {
        Value::List(items) if !items.is_empty() => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                line(level + 1, out);
                indented(item, level + 1, out);
            }
            line(level, out);
            out.push(']');
        }
        Value::Map(map) if !map.is_empty() => {
            out.push('{');
            for (i, (name, member)) in map.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                line(level + 1, out);
                out.push_str(&crdgen_core::json::to_html_safe(&name.into()));
                out.push_str(": ");
                indented(member, level + 1, out);
            }
            line(level, out);
            out.push('}');
        }
        scalar => out.push_str(&crdgen_core::json::to_html_safe(scalar)),
    }
}

/// Kinds and names.
pub fn names(groups: &[ListedKind<'_>]) -> String {
    let name = |group: &ListedKind<'_>, object: &ListedObject| {
        let spec = &group.served.crd.spec;
        let kind = spec.names.kind.to_lowercase();
        format!("{}\n", InertLine(format_args!("{kind}.{}/{}", spec.group, object.name())))
    };
    groups.iter().flat_map(|group| group.objects.iter().map(move |object| name(group, object))).collect()
}
