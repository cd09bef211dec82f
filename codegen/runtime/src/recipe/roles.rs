//! The roles of fields in the CRD around the schema: columns, selectable fields and paths of the scale subresource.

use super::link::{Linker, Marked, VALUES};
use super::node::Mark;
use super::types::{Kinds, kinds};
use super::{Root, faults};
use crate::ir::{Column, Scale, Schema};
use crate::path::Step;
use std::collections::{HashMap, HashSet};

/// What the fields of a kind and its attributes add to the CRD.
pub(super) struct Roles {
    /// The columns of fields.
    pub(super) columns: Vec<Column>,
    /// The paths of selectable fields.
    pub(super) selectable: Vec<String>,
    /// The paths of the scale subresource.
    pub(super) scale: Option<Scale>,
}

impl Roles {
    /// Reads the roles of fields. Reports those that have no effect.
    pub(super) fn of(marks: Vec<Marked>, root: &Root, linker: &mut Linker<'_>) -> Roles {
        let (mut columns, mut selectable) = (Vec::new(), root.selectable.clone());
        let mut scale = root.scale.clone();
        let (named, lost): (Vec<Marked>, Vec<Marked>) =
            marks.into_iter().partition(|(way, ..)| json_path(way).is_some());
        if !root.as_is {
            report_lost(&named, &lost, linker);
        }
        let mut selectable_paths: HashSet<String> = HashSet::new();
        let mut shown: HashMap<String, (Mark, String)> = HashMap::new();
        for (way, mark, at) in named {
            let Some(path) = json_path(&way) else { continue };
            let before = match &mark {
                Mark::Selectable => selectable_paths.get(&path).cloned(),
                Mark::Column(_) => {
                    let other = shown.get(&words(&mark));
                    other.filter(|(other, _)| *other == mark).map(|(_, path)| path.clone())
                }
                Mark::SpecReplicas => scale.as_ref().map(|scale| scale.spec_replicas_path.clone()),
                Mark::StatusReplicas => scale.as_ref().map(|scale| scale.status_replicas_path.clone()),
                Mark::LabelSelector => scale.as_ref().and_then(|scale| scale.label_selector_path.clone()),
            };
            match before.filter(|before| !before.is_empty()) {
                // Variants of an enum may share a field.
                Some(before) if before == path => continue,
                Some(before) if !root.as_is => {
                    at_field(linker, &way, |l| {
                        l.mistake(faults::marked_twice(&words(&mark), &before, &path))
                    });
                }
                Some(_) | None => {}
            }
            match mark {
                Mark::Column(column) => {
                    let mark = Mark::Column(column.clone());
                    shown.insert(words(&mark), (mark, path.clone()));
                    columns.push(column_of(column, path, &at));
                }
                Mark::Selectable => {
                    selectable_paths.insert(path.clone());
                    selectable.push(path);
                }
                Mark::SpecReplicas => scale.get_or_insert_default().spec_replicas_path = path,
                Mark::StatusReplicas => scale.get_or_insert_default().status_replicas_path = path,
                Mark::LabelSelector => scale.get_or_insert_default().label_selector_path = Some(path),
            }
        }
        Roles { columns, selectable, scale }
    }
}

/// Reports roles of fields inside lists and maps. A struct may be used in a list and elsewhere. Then the role is that of the field
/// elsewhere.
fn report_lost(named: &[Marked], lost: &[Marked], linker: &mut Linker<'_>) {
    let mut known: HashSet<_> = named.iter().map(|(way, mark, _)| (way.last(), words(mark))).collect();
    for (way, mark, _) in lost {
        if known.insert((way.last(), words(mark))) {
            at_field(linker, way, |l| l.mistake(faults::mark_in_list(&words(mark))));
        }
    }
}

/// Calls `report` at the place of a field.
fn at_field(linker: &mut Linker<'_>, way: &[Step], report: impl FnOnce(&mut Linker<'_>)) {
    let steps: Vec<&str> = way
        .iter()
        .flat_map(|step| match step {
            Step::Key(name) => vec!["properties", name.as_str()],
            step if *step == VALUES => vec!["additionalProperties"],
            Step::Index(_) => vec!["items"],
        })
        .collect();
    linker.within(&steps, report);
}

/// A role as its attribute is written.
fn words(mark: &Mark) -> String {
    match mark {
        Mark::Column(column) => format!("`column(name = \"{}\")`", column.name),
        Mark::Selectable => "`selectable`".to_owned(),
        Mark::SpecReplicas => "`scale(spec)`".to_owned(),
        Mark::StatusReplicas => "`scale(status)`".to_owned(),
        Mark::LabelSelector => "`scale(selector)`".to_owned(),
    }
}

fn column_of(mut column: Column, path: String, at: &Schema) -> Column {
    column.json_path = path;
    if column.ty.is_empty() {
        let date = matches!(at.limits.format.as_str(), "date-time" | "date");
        column.ty = match kinds(at) {
            Kinds::INTEGER => "integer",
            Kinds::BOOLEAN => "boolean",
            Kinds::STRING if date => "date",
            set if set == Kinds::INTEGER | Kinds::NUMBER => "number",
            _ => "string",
        }
        .to_owned();
    }
    if column.description.is_empty() {
        column.description.clone_from(&at.description);
    }
    column
}

fn json_path(way: &[Step]) -> Option<String> {
    let mut out = String::new();
    for step in way {
        match step {
            Step::Key(key) if key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                out.push('.');
                out.push_str(key);
            }
            Step::Key(key) => out.push_str(&format!("['{}']", key.replace('\'', "\\'"))),
            Step::Index(_) => return None,
        }
    }
    Some(out)
}
