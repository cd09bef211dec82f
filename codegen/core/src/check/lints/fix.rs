//! How to fix what lints report, where only one answer is right.

use super::nodes;
use crate::cel;
use crate::decode;
use crate::diag::codes::api::{CONDITIONS, REPEATED_KEYWORD, REQUIRED_DEFAULT, STATUS_REQUIRED};
use crate::diag::codes::lint::{BOOLEAN_NAME, UNSIGNED};
use crate::diag::{Code, Diag};
use crate::path::Step;
use crate::value::Value;

/// A change of a document. The steps lead from the root of a CRD.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Gives a member of a map a value. Replaces the value that it has.
    Set {
        /// The steps to the map.
        at: Vec<Step>,
        /// The name of the member.
        key: &'static str,
        /// Its value.
        value: Value,
    },
    /// Removes a member of a map.
    Remove {
        /// The steps to the member.
        at: Vec<Step>,
    },
    /// Removes some items of a list, but not all of them.
    RemoveItems {
        /// The steps to the list.
        at: Vec<Step>,
        /// The indices of the items.
        items: Vec<usize>,
    },
    /// Writes a key in quotes that YAML reads as a boolean: `on`.
    QuoteKey {
        /// The steps to the member, with the key as YAML reads it.
        at: Vec<Step>,
    },
}

impl Edit {
    /// Makes the change of a value. Returns whether it can be made. Quotes are not part of a value.
    pub fn make(&self, value: &mut Value) -> bool {
        match self {
            Edit::Set { at, key, value: new } => {
                let Some(map) = value.at_mut(at).and_then(Value::as_map_mut) else { return false };
                map.insert(*key, new.clone());
                true
            }
            Edit::Remove { at } => {
                let Some((Step::Key(key), around)) = at.split_last() else { return false };
                let map = value.at_mut(around).and_then(Value::as_map_mut);
                map.and_then(|map| map.remove(key)).is_some()
            }
            Edit::RemoveItems { at, items } => {
                let Some(Value::List(list)) = value.at_mut(at) else { return false };
                let mut number = 0;
                list.retain(|_| {
                    number += 1;
                    !items.contains(&(number - 1))
                });
                true
            }
            Edit::QuoteKey { .. } => false,
        }
    }
}

/// How often it is tried which fixes are possible, if not all are possible at once. Each try reads the documents again.
const MOST_TRIES: usize = 200;

/// Returns fixes that are possible together: all, or what is possible of each half.
pub fn possible<'f, F>(fixes: &'f [F], is_possible: &dyn Fn(&[&F]) -> bool) -> Vec<&'f F> {
    let (mut good, mut tries) = (Vec::new(), MOST_TRIES);
    add_possible(fixes, &mut good, &mut tries, is_possible);
    good
}

fn add_possible<'f, F>(
    fixes: &'f [F],
    good: &mut Vec<&'f F>,
    tries: &mut usize,
    is_possible: &dyn Fn(&[&F]) -> bool,
) {
    let Some(left) = tries.checked_sub(1).filter(|_| !fixes.is_empty()) else { return };
    *tries = left;
    let known = good.len();
    good.extend(fixes);
    if is_possible(good) {
        return;
    }
    good.truncate(known);
    if fixes.len() > 1 {
        let (first, second) = fixes.split_at(fixes.len() / 2);
        add_possible(first, good, tries, is_possible);
        add_possible(second, good, tries, is_possible);
    }
}

/// Finds the changes that fix a diagnostic. The steps lead to its place, and the value is the CRD.
type Find = fn(&Value, &[Step]) -> Option<Vec<Edit>>;

/// The lints that can be fixed. Fixes do not rename fields, and reject nothing but what the lint is about.
const ALL: [(&Code, Find); 6] = [
    (&UNSIGNED, unsigned),
    (&BOOLEAN_NAME, boolean_name),
    (&CONDITIONS, conditions),
    (&REQUIRED_DEFAULT, required_default),
    (&STATUS_REQUIRED, status_required),
    (&REPEATED_KEYWORD, repeated_keyword),
];

/// Whether some diagnostics with this code can be fixed.
pub fn is_fixable(code: &Code) -> bool {
    ALL.iter().any(|(own, _)| own.id == code.id)
}

/// Returns the changes of a CRD after which a lint does not report a diagnostic any more. `None` if several answers are
/// right, or none is known.
pub fn fix(crd: &Value, diag: &Diag) -> Option<Vec<Edit>> {
    let (_, find) = ALL.iter().find(|(own, _)| own.id == diag.code.id)?;
    find(crd, &diag.steps)
}

/// The name of the keyword for required fields.
pub const REQUIRED: &str = "required";
const LIST_TYPE: &str = "x-kubernetes-list-type";

/// The names that a schema requires.
fn required(schema: &Value) -> Vec<&str> {
    let names = schema.get(REQUIRED).and_then(Value::as_list).unwrap_or_default();
    names.iter().map(|name| name.as_str().unwrap_or_default()).collect()
}

/// Formats such as `uint32`, which the server does not know.
fn unsigned(crd: &Value, at: &[Step]) -> Option<Vec<Edit>> {
    let schema = crd.at(at)?;
    if schema.get("type").and_then(Value::as_str) != Some("integer") {
        return None;
    }
    let format = match schema.get("format")?.as_str()? {
        "uint8" | "uint16" => "int32",
        _ => "int64",
    };
    let set = |key, value| Edit::Set { at: at.to_vec(), key, value };
    // With a minimum, these mean something else or are not valid any more.
    let has_other = ["exclusiveMinimum", "default", "enum"].iter().any(|key| schema.get(key).is_some());
    let has_minimum = schema.get("minimum").is_some();
    if has_other && !has_minimum {
        return None;
    }
    let minimum = (!has_minimum).then(|| set("minimum", Value::Int(0)));
    Some([set("format", format.into())].into_iter().chain(minimum).collect())
}

/// A key that YAML reads as a boolean. If it is written as `true`, it may be meant.
fn boolean_name(_: &Value, at: &[Step]) -> Option<Vec<Edit>> {
    Some(vec![Edit::QuoteKey { at: at.to_vec() }])
}

/// Conditions that are not a map by type. The server allows this only if each item has a type.
fn conditions(crd: &Value, at: &[Step]) -> Option<Vec<Edit>> {
    let schema = crd.at(at)?;
    let items = schema.get("items")?;
    let ty = items.get("properties")?.get("type")?;
    let is_text = ty.get("type").and_then(Value::as_str) == Some("string") && ty.get("nullable").is_none();
    let has_type = is_text && required(items).contains(&"type");
    let is_atomic = schema.get(LIST_TYPE).is_none_or(|it| it.as_str() == Some("atomic"));
    let set = |key, value| Edit::Set { at: at.to_vec(), key, value };
    let keys = Value::List(vec!["type".into()]);
    (has_type && is_atomic)
        .then(|| vec![set("x-kubernetes-list-map-keys", keys), set(LIST_TYPE, "map".into())])
}

/// Fields that are required and have a default, which the server fills in before it looks for them. All of a list go at once.
fn required_default(crd: &Value, at: &[Step]) -> Option<Vec<Edit>> {
    let (list, around) = list_and_schema(at)?;
    let schema = crd.at(around)?;
    let has_default =
        |name: &str| schema.get("properties").and_then(|all| all.get(name)?.get("default")).is_some();
    let names = required(schema);
    let items: Vec<usize> = (0..names.len()).filter(|index| has_default(names[*index])).collect();
    Some(vec![match items.len() == names.len() {
        true => Edit::Remove { at: list.to_vec() },
        false => Edit::RemoveItems { at: list.to_vec(), items },
    }])
}

/// All fields of a status are optional.
fn status_required(_: &Value, at: &[Step]) -> Option<Vec<Edit>> {
    let (list, _) = list_and_schema(at)?;
    Some(vec![Edit::Remove { at: list.to_vec() }])
}

/// The steps to the list that contains a name, and to the schema that contains the list.
fn list_and_schema(name: &[Step]) -> Option<(&[Step], &[Step])> {
    let (_, list) = name.split_last()?;
    let (_, schema) = list.split_last()?;
    Some((list, schema))
}

/// A rule that says what a keyword can say. A rule with a message of its own says more.
fn repeated_keyword(crd: &Value, at: &[Step]) -> Option<Vec<Edit>> {
    let [around @ .., Step::Key(_), Step::Index(number), Step::Key(_)] = at else { return None };
    let list = &at[..at.len() - 2];
    let (schema, rules) = (crd.at(around)?, crd.at(list)?.as_list()?);
    let rule = rules.get(*number)?.as_map().filter(|rule| rule.len() == 1)?.get("rule")?.as_str()?;
    let ast = cel::parse_stored(rule)?;
    let (key, value) = nodes::same_keyword(&ast, &decode::schema(schema.clone()).0?)?;
    if schema.get(key).is_some() {
        return None;
    }
    let remove = match rules.len() {
        1 => Edit::Remove { at: list.to_vec() },
        _ => Edit::RemoveItems { at: list.to_vec(), items: vec![*number] },
    };
    Some(vec![Edit::Set { at: around.to_vec(), key, value }, remove])
}
