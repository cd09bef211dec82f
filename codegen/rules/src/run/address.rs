//! Names of the rules in a schema, so that a person, a shell or an editor can name one of them.

use std::fmt;

use crate::ir::{Rule, Schema};
use crate::path::Path;
use crate::walk::{Node, Via, each_node};

/// The keyword for rules.
const KEYWORD: &str = "x-kubernetes-validations";

/// A rule of a schema with its address. [`Display`](fmt::Display) writes the address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addressed {
    /// The path of the values that the rule is for, which [`Question::path`](super::Question) accepts:
    /// `.spec.items[].name`, `.spec.labels.*`, or `.` for the whole object.
    pub path: String,
    /// The index among the rules for these values.
    pub index: usize,
    /// The rule.
    pub rule: Rule,
    /// Where it is in the schema, as the server prints it: `properties[spec].x-kubernetes-validations[0]`.
    pub in_schema: String,
    /// Whether there are no other rules for these values.
    is_only: bool,
}

impl fmt::Display for Addressed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.path.strip_prefix('.').filter(|field| !field.is_empty());
        f.write_str(field.unwrap_or("."))?;
        if self.is_only { Ok(()) } else { write!(f, "#{}", self.index) }
    }
}

/// Returns all rules that the server runs, in the order of the schema.
pub fn addressed(schema: &Schema) -> Vec<Addressed> {
    let mut out = Vec::new();
    each_node(schema, &Path::ROOT, &mut |node, path| {
        let rules = &node.schema.rules;
        let of_values = if rules.is_empty() { String::new() } else { path_of(node) };
        let at = path.child(KEYWORD);
        out.extend(rules.iter().enumerate().map(|(index, rule)| Addressed {
            path: of_values.clone(),
            index,
            rule: rule.clone(),
            in_schema: at.index(index).to_string(),
            is_only: rules.len() == 1,
        }));
    });
    out
}

/// Finds rules by an address. Accepts the address itself, the field of several rules, the end of such a field
/// (`replicas` for `spec.replicas`) if no field has that name, and the place in the schema as the server prints it.
pub fn find<'a>(all: &'a [Addressed], wanted: &str) -> Vec<&'a Addressed> {
    if let Some((_, in_schema)) = wanted.rsplit_once("openAPIV3Schema") {
        let place = in_schema.strip_prefix('.').unwrap_or(in_schema);
        let place = place.strip_suffix(".rule").unwrap_or(place);
        let is_it =
            |one: &&Addressed| one.in_schema == place || one.in_schema == format!("{place}[{}]", one.index);
        return all.iter().filter(is_it).collect();
    }
    let (field, index) = match wanted.rsplit_once('#') {
        Some((field, index)) => match index.parse::<usize>() {
            Ok(index) => (field, Some(index)),
            Err(_) => (wanted, None),
        },
        None => (wanted, None),
    };
    let field = field.strip_prefix('.').unwrap_or(field);
    let of = |one: &Addressed, is_it: &dyn Fn(&str) -> bool| {
        is_it(one.path.strip_prefix('.').unwrap_or(&one.path)) && index.is_none_or(|index| index == one.index)
    };
    let exact: Vec<&Addressed> = all.iter().filter(|one| of(one, &|own| own == field)).collect();
    if !exact.is_empty() || field.is_empty() {
        return exact;
    }
    let ends = |own: &str| own.strip_suffix(field).is_some_and(|start| start.ends_with('.'));
    all.iter().filter(|one| of(one, &ends)).collect()
}

/// The path of the values of a node.
fn path_of(node: &Node<'_>) -> String {
    let mut steps = Vec::new();
    let mut at = node;
    while let Some((parent, via)) = at.up {
        steps.push(match via {
            Via::Property(name) if name.contains(['.', '[', '\'', '#', '*']) => format!("['{name}']"),
            Via::Property(name) => format!(".{name}"),
            Via::Items => "[]".to_owned(),
            Via::Additional => ".*".to_owned(),
        });
        at = parent;
    }
    steps.reverse();
    if steps.is_empty() { ".".to_owned() } else { steps.concat() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Items, Type};

    #[test]
    fn names_rules() {
        let rule = |text: &str| Rule { rule: text.to_owned(), ..Rule::default() };
        let mut item = Schema::of(Type::Object);
        item.rules = vec![rule("a"), rule("b")];
        let mut list = Schema::of(Type::Array);
        list.items = Some(Items::One(Box::new(item)));
        let mut root = Schema::of(Type::Object);
        root.rules = vec![rule("c")];
        root.properties.insert("list", list);
        let all = addressed(&root);
        let names: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(names, [".", "list[]#0", "list[]#1"]);
        let found = |wanted| {
            let found = find(&all, wanted).into_iter().map(|one| one.rule.rule.as_str());
            found.collect::<Vec<_>>().concat()
        };
        for (wanted, rules) in [
            (".", "c"),
            ("list[]", "ab"),
            (".list[]#1", "b"),
            ("list[]#2", ""),
            ("ist[]", ""),
            (
                "spec.versions[0].schema.openAPIV3Schema.properties[list].items.x-kubernetes-validations[1].rule",
                "b",
            ),
            ("spec.validation.openAPIV3Schema.properties[list].items.x-kubernetes-validations", "ab"),
        ] {
            assert_eq!(found(wanted), rules, "{wanted}");
        }
    }
}
