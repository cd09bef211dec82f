//! Tables as kubectl prints them.

use crdgen_core::inert::InertLine;
use crdgen_core::object::table::Table;
use crdgen_core::value::Value;

use super::chosen::{Group, Object};
use crdgen::Error;

/// Which columns tables have.
pub(super) struct Layout<'a> {
    pub(super) wide: bool,
    pub(super) headers: bool,
    pub(super) with_kind: bool,
    pub(super) with_namespace: bool,
    pub(super) label_columns: &'a [String],
    pub(super) show_labels: bool,
}

impl Layout<'_> {
    /// The table of a kind.
    pub(super) fn table(&self, group: &Group<'_>, now: i64) -> Result<String, Error> {
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
            let own = shown
                .iter()
                .map(|i| header(columns[*i].get("name").and_then(Value::as_str).unwrap_or_default()));
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
        Ok(crdgen_report::aligned(&lines))
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

    fn labels(&self, object: &Object) -> Vec<String> {
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
