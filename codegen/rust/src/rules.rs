//! Parses the rules in attributes like the server, and checks them as far as the item itself shows the types. All other
//! types are `dyn`, for which no errors are reported.

use super::cost::{Count, over_budget};
use super::facts::std_node;
use super::report::Report;
use super::written::Written;
use crate::cel::hint::{Hints, other_field};
use crate::cel::types::Types as CelTypes;
use crate::cel::{self, Checked, Env, Issue, IssueKind, Kube, Source, span};
use crate::diag::codes::cel::{BAD_MESSAGE_EXPRESSION, BAD_OLD_SELF, BAD_RULE, TOO_EXPENSIVE};
use crate::diag::codes::lint::UNGUARDED;
use crate::ir::{Rule, Schema, SchemaOf, Type};
use crate::recipe::{Field, Linker, Need, Node, Opened, Root, Struct, TypeId, Types, Unknown};
use crate::value::Value;
use crdgen_rules::demands::Demands;
use crdgen_rules::reads;
use crdgen_rules::{DeclId, Decls, Fields};

/// Checks the expressions of an item, with its recipe and references.
pub(super) fn check(written: &[Written], node: &Node, refs: &[syn::Type], of: SchemaOf, report: &mut Report) {
    if written.is_empty() {
        return;
    }
    let schema = guess(node, refs);
    check_in(written, &schema, of, report);
}

/// The same for the rules of a kind's root, with the recipe and references of the spec.
pub(super) fn check_root(
    written: &[Written],
    root: &Root,
    spec: &Node,
    refs: &[syn::Type],
    report: &mut Report,
) {
    let mut schema = Schema::of(Type::Object);
    if !root.spec_optional {
        schema.limits.required.push("spec".to_owned());
    }
    schema.properties.insert("status", unknown());
    schema.properties.insert("spec", guess(spec, refs));
    schema.rules = root.patch.set.rules.clone();
    check_in(written, &schema, SchemaOf::Resource, report);
}

/// The same if no types are known.
pub(super) fn check_syntax(written: &[Written], report: &mut Report) {
    check_in(written, &Schema::default(), SchemaOf::Value, report);
}

fn check_in(written: &[Written], schema: &Schema, of: SchemaOf, report: &mut Report) {
    let mut decls = Decls::default();
    let mut places = Vec::new();
    collect(schema, of, Count::Bounded(1), &mut decls, &mut places);
    let mut sound = Vec::new();
    for one in written {
        let here = places.iter().find(|place| place.has(one));
        let compiled = match compile(one, here, &decls) {
            Err(issues) => {
                report_issues(one, &issues, report);
                continue;
            }
            Ok(compiled) => compiled,
        };
        // If the whole CRD is known, the rest is checked there.
        let (Some(Compiled { checked, types }), Some(place), true) = (compiled, here, report.one_item) else {
            continue;
        };
        let rule = place.rule(one).filter(|_| !one.message);
        if rule.is_some_and(|rule| rule.optional_old_self.is_some()) && !reads::uses_old_self(&checked) {
            let help = "remove optional_old_self, or compare with oldSelf";
            report.error(
                one.span,
                &BAD_OLD_SELF,
                "optional_old_self has no effect, because the rule does not use oldSelf",
                help,
            );
        }
        let count = (!one.message).then_some(place.count);
        if let Some(expensive) = over_budget(&checked, &types, (&decls, place.decl), place.schema, count) {
            let help = match one.message {
                true => {
                    "simplify it, such as by leaving out calls of string(). Bounds on the fields that it reads help only if \
                     they bound the length of the message"
                }
                false => {
                    "add bounds to the fields that the rule reads: max_length for strings, max_items for lists, max_properties for maps"
                }
            };
            report.error(one.span, &TOO_EXPENSIVE, expensive, help);
        }
        if !one.message {
            sound.push((one, place, Compiled { checked, types }));
        }
    }
    unguarded(&sound, report);
}

/// Warns about rules that read optional fields without a guard, like the lint with the same code.
fn unguarded(rules: &[(&Written, &RuledNode<'_>, Compiled)], report: &mut Report) {
    let mut of_places: Vec<(&RuledNode<'_>, Demands<'_>)> = Vec::new();
    for (_, place, _) in rules {
        if !of_places.iter().any(|(known, _)| std::ptr::eq(*known, *place)) {
            let here = rules.iter().filter(|(_, other, _)| std::ptr::eq(*other, *place));
            of_places.push((place, Demands::new(here.map(|(_, _, rule)| (&rule.checked, &rule.types)))));
        }
    }
    for (one, place, compiled) in rules {
        let Some((_, demands)) = of_places.iter_mut().find(|(known, _)| std::ptr::eq(*known, *place)) else {
            continue;
        };
        for read in reads::of(&compiled.checked, &compiled.types).iter().take(reads::MOST) {
            if !reads::is_optional(place.schema, place.of, &read.place) {
                continue;
            }
            // Another rule may require the field, with a message of its own.
            let fails = || reads::without(&compiled.checked, &compiled.types, &read.place).fails();
            if demands.require(&read.place) || !fails() {
                continue;
            }
            let ast = &compiled.checked.ast;
            let text = span::of_node(&one.text, ast, read.id);
            let (message, help) = reads::words(
                &read.field(),
                one.text.get(text.clone()).unwrap_or_default(),
                &read.test(&one.text, ast),
            );
            let before = report.findings.len();
            report.warning(one.spot(text), &UNGUARDED, message, help);
            report.hide(before, &one.allow);
        }
    }
}

/// A node with rules, and what they can read.
struct RuledNode<'s> {
    schema: &'s Schema,
    of: SchemaOf,
    decl: DeclId,
    count: Count,
}

impl RuledNode<'_> {
    fn rule(&self, one: &Written) -> Option<&Rule> {
        self.schema
            .rules
            .iter()
            .find(|rule| one.text == *if one.message { &rule.message_expression } else { &rule.rule })
    }

    fn has(&self, one: &Written) -> bool {
        self.rule(one).is_some()
    }
}

fn collect<'s>(
    schema: &'s Schema,
    of: SchemaOf,
    count: Count,
    decls: &mut Decls,
    out: &mut Vec<RuledNode<'s>>,
) {
    let of = of.or_nested(schema);
    if !schema.rules.is_empty()
        && let Some(decl) = decls.declare(schema, of)
    {
        out.push(RuledNode { schema, of, decl, count });
    }
    let below = count.below(schema);
    schema.parts().for_each(|part| collect(part, SchemaOf::Value, below, decls, out));
}

/// An expression without errors.
struct Compiled {
    checked: Checked,
    types: CelTypes,
}

/// Parses an expression, and checks it if its place is known. None if too little is known about types.
fn compile(
    one: &Written,
    place: Option<&RuledNode<'_>>,
    decls: &Decls,
) -> Result<Option<Compiled>, Vec<Issue>> {
    let kube = Kube::CURRENT.for_new();
    let ast = cel::parse(&one.text, kube)?;
    let Some(place) = place else { return Ok(None) };
    let mut types = CelTypes::default();
    let this = decls.ty(&mut types, place.decl, "self");
    let optional = place.rule(one).is_some_and(|rule| rule.optional_old_self == Some(true));
    let old = if optional { types.optional(this) } else { this };
    let variables = [("self", this), ("oldSelf", old)];
    let env = Env { libraries: kube.into(), variables: &variables, declarations: &Fields { decls, kube } };
    match cel::check(ast, &env, &mut types) {
        // An error about an unknown type may be wrong for the real type.
        Err(mut issues) => {
            issues.retain(|issue| !issue.is_dynamic());
            if issues.is_empty() { Ok(None) } else { Err(issues) }
        }
        Ok(checked) => {
            let output = checked.output();
            let (wanted, words) = if one.message {
                (cel::types::Ty::STRING, "messageExpression must evaluate to a string")
            } else {
                (cel::types::Ty::BOOL, "cel expression must evaluate to a bool")
            };
            if output == wanted {
                return Ok(Some(Compiled { checked, types }));
            }
            if types.has_dyn(output) {
                return Ok(None);
            }
            Err(vec![Issue::nowhere(
                IssueKind::Output,
                format!("{words}, but this is {}", types.display(output)),
            )])
        }
    }
}

fn report_issues(one: &Written, issues: &[Issue], report: &mut Report) {
    let code = if one.message { &BAD_MESSAGE_EXPRESSION } else { &BAD_RULE };
    let (source, hints) = (Source::new(&one.text), Hints::new(&one.text));
    for issue in issues {
        let text = match issue.at {
            Some(at) => span::of_word(&one.text, source.byte(at)),
            None => 0..one.text.len(),
        };
        let help = hints.of(issue).or_else(|| other_field(issue)).unwrap_or_default();
        report.error(one.spot(text), code, &issue.message, help);
    }
}

/// The schema of a recipe, as far as the names of types show it.
pub(super) fn guess(node: &Node, refs: &[syn::Type]) -> Schema {
    let node = without_references(node, refs);
    Linker::new(&Nothing, Vec::new()).node(&node, 0).schema
}

/// Contains no types, because all references are removed before.
struct Nothing;

impl Types for Nothing {
    fn open(&self, _: TypeId) -> Opened<'_> {
        Opened { name: "".into(), node: None }
    }

    fn reference(&self, _: TypeId, _: usize) -> Option<TypeId> {
        None
    }

    fn default(&self, _: TypeId, _: usize) -> Result<Option<Value>, Unknown> {
        Err(Unknown::Default(None))
    }
}

/// A schema for an unknown type. Rules see it as `dyn`, and any path exists in it.
fn unknown() -> Schema {
    let mut schema = Schema::default();
    schema.ext.int_or_string = true;
    schema.ext.preserve_unknown_fields = Some(true);
    schema
}

/// The recipe with all references replaced.
fn without_references(node: &Node, refs: &[syn::Type]) -> Node {
    let boxed = |inner: &Node| Box::new(without_references(inner, refs));
    match node {
        Node::Plain(_) => node.clone(),
        Node::Wrong(..) => Node::plain(unknown()),
        Node::Ref(number) => {
            refs.get(*number).and_then(|ty| std_node(ty, &unknown)).unwrap_or_else(|| Node::plain(unknown()))
        }
        Node::Odd(inner, ..) => without_references(inner, refs),
        Node::Option(inner) => Node::Option(boxed(inner)),
        Node::Newtype(inner) => Node::Newtype(boxed(inner)),
        Node::List(inner) => Node::List(boxed(inner)),
        Node::Set(inner) => Node::Set(boxed(inner)),
        Node::Array(inner, len) => Node::Array(boxed(inner), *len),
        Node::Map(key, value) => Node::Map(boxed(key), boxed(value)),
        // Flattened fields can come from any type.
        Node::Struct(it) if it.fields.iter().any(|f| f.flatten) => Node::plain(unknown()),
        Node::Struct(it) => {
            let mut it: Struct = (**it).clone();
            let has_default = it.default.take().is_some();
            for field in &mut it.fields {
                field.node = without_references(&field.node, refs);
                if is_code(&field.patch.computed) {
                    field.node = Node::plain(unknown());
                }
                // A default that needs code still means that rules find the field.
                if has_default || may_have_default(field) {
                    field.need = Need::Required;
                }
            }
            Node::Struct(Box::new(it))
        }
        Node::Enum(it) if it.variants.iter().any(|v| v.payload.is_some()) => Node::plain(unknown()),
        Node::Enum(_) => node.clone(),
        Node::Tuple(parts) => match parts.as_slice() {
            [] => node.clone(),
            _ => Node::plain(unknown()),
        },
        Node::Patched(_, patch) if is_code(&patch.computed) => {
            Node::plain(unknown()).patched((**patch).clone())
        }
        Node::Patched(inner, patch) => Node::Patched(boxed(inner), patch.clone()),
    }
}

/// Whether the server may have a default for a field.
fn may_have_default(field: &Field) -> bool {
    field.default.is_some() || field.patch.computed.iter().any(|(keyword, _)| keyword == "default")
}

/// Whether code computes the schema.
fn is_code(computed: &[(String, usize)]) -> bool {
    computed.iter().any(|(keyword, _)| keyword == "schema")
}
