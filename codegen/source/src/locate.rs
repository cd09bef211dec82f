//! Finds the place in the source for a place in a CRD.

use super::types::Id;
use super::{At, FoundKind, Program};
use crate::diag::codes::cel::{TOO_EXPENSIVE, TOTAL_TOO_EXPENSIVE};
use crate::diag::{Diag, Diags};
use crate::ir::Keyword;
use crate::path::Step;
use crate::recipe::{Node, Tagging, Types};
use crate::value::Value;
use crdgen_rust::literal;
use crdgen_rust::written::Written;
use proc_macro2::Span;
use std::ops::Range;
use syn::spanned::Spanned;

/// A type, and a node in its recipe.
type Known = (Id, Node);

/// Finds the places in the source from which the parts of a kind's CRD come.
pub struct Located<'p, 's> {
    pub(super) program: &'p Program<'s>,
    pub(super) root: Id,
}

impl<'p, 's> Located<'p, 's> {
    /// Creates the search for one kind.
    pub fn new(program: &'p Program<'s>, kind: &FoundKind) -> Self {
        Located { program, root: kind.root }
    }

    /// Returns the place in the source for the value at the end of the steps: that of its field, or of the nearest
    /// item above it.
    pub fn at(&self, steps: &[Step]) -> Option<At> {
        self.program.locate(self.root, steps)
    }

    /// Whether the last field on the way is one of Kubernetes' own types, which a package cannot change.
    pub fn is_in_kubernetes(&self, steps: &[Step]) -> bool {
        let is_fields = |step: &Step| matches!(step, Step::Key(key) if key == "properties");
        let Some(around) = steps.iter().rposition(is_fields).and_then(|last| steps.get(..last)) else {
            return false;
        };
        // The walk stops at such a type.
        let (_, nodes) = self.program.descend(self.root, around);
        nodes.iter().any(|(id, node)| self.program.is_of_kubernetes(*id, node, 0))
    }

    /// Returns the place in the source for a diagnostic. `document` is the CRD that was made of the kind. Rules, and
    /// errors inside of them, are found by their text.
    pub fn at_in(&self, document: &Value, diag: &Diag) -> Option<At> {
        let steps = diag.steps.as_slice();
        let rule = steps.iter().rposition(|s| matches!(s, Step::Key(k) if k == "x-kubernetes-validations"));
        let written = rule.and_then(|i| {
            let rule = document.at(steps.get(..i + 2)?)?;
            let key = match steps.get(i + 2) {
                Some(Step::Key(key)) if key == "messageExpression" => key,
                _ => "rule",
            };
            rule.get(key)?.as_str().map(|text| (&steps[..i], text, key == "rule"))
        });
        let listed = || {
            let key = |s: &Step| match s {
                Step::Key(key) if key == "selectableFields" => Some("selectable"),
                Step::Key(key) if key == "additionalPrinterColumns" => Some("column"),
                Step::Key(_) | Step::Index(_) => None,
            };
            let (end, key) = steps.iter().enumerate().rev().find_map(|(at, s)| Some((at + 2, key(s)?)))?;
            let path = document.at(steps.get(..end)?)?.get("jsonPath")?.as_str()?;
            let field = steps_to(path, steps);
            let around = self.program.around(self.root, steps);
            around.or_else(|| self.at_key(&field, key)).or_else(|| self.at(&field))
        };
        // The name of a required field belongs to this field.
        let required = || {
            let [around @ .., Step::Key(list), Step::Index(_)] = steps else { return None };
            let name = document.at(steps)?.as_str().filter(|_| list == Keyword::Required.name())?;
            let key = |name: &str| Step::Key(name.to_owned());
            let field: Vec<Step> = around.iter().cloned().chain([key("properties"), key(name)]).collect();
            self.at_key(&field, "required").or_else(|| self.at(&field))
        };
        let keyword = || {
            let (Step::Key(last), field) = steps.split_last()? else { return None };
            let keyword = Keyword::of(last).filter(|it| *it != Keyword::Required)?;
            self.at_key(field, keyword.key()?)
        };
        written
            .and_then(|(node, text, is_rule)| {
                self.program.expression(self.root, node, text, !is_rule, diag.inside.clone())
            })
            .or_else(listed)
            .or_else(required)
            .or_else(keyword)
            .or_else(|| self.at(steps))
    }
}

/// The part of a field that has a place in the source.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// Its default, if the source has one.
    Default,
}

fn is_within(at: &At, span: Span) -> bool {
    let range = span.byte_range();
    (range.start..=range.end).contains(&at.start.offset)
}

/// What a diagnostic is about, to recognize diagnostics about the same thing.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Subject {
    /// The item, field or variant that it belongs to.
    owner: Owner,
    /// The literal of the expression, if the place is in one.
    expression: Option<At>,
}

/// The item, field or variant that an attribute belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Owner {
    /// The type of this item.
    Type(usize),
    /// The field or variant whose name is at this place.
    Field(At),
}

/// Removes the errors about the total cost of rules if there is a rule that is too expensive by itself. Its author has
/// made only one mistake, although the server reports both.
pub fn once(mut diags: Diags) -> Diags {
    if diags.iter().any(|d| d.code == &TOO_EXPENSIVE) {
        diags.retain(|d| d.code != &TOTAL_TOO_EXPENSIVE);
    }
    diags
}

/// The steps to a field in the schema of the version to which the steps lead.
fn steps_to(field: &str, steps: &[Step]) -> Vec<Step> {
    let key = |k: &str| Step::Key(k.to_owned());
    let mut out: Vec<Step> = steps.iter().take(3).cloned().collect();
    out.extend([key("schema"), key("openAPIV3Schema")]);
    for name in field.split('.').filter(|name| !name.is_empty()) {
        out.extend([key("properties"), key(name)]);
    }
    out
}

impl Program<'_> {
    pub(super) fn locate(&self, root: Id, steps: &[Step]) -> Option<At> {
        self.around(root, steps).or_else(|| self.descend(root, steps).0)
    }

    /// Follows the steps from a kind's root. Returns the place of the last field on the path, and the nodes at its end.
    pub(super) fn descend(&self, root: Id, steps: &[Step]) -> (Option<At>, Vec<Known>) {
        self.descend_by(root, steps, &mut |_| {})
    }

    /// The items on the path from a kind's root, beginning with the kind itself.
    pub(super) fn items_towards(&self, root: Id, steps: &[Step]) -> Vec<usize> {
        let mut out: Vec<usize> = self.root_item(root).into_iter().collect();
        self.descend_by(root, steps, &mut |nodes| out.extend(self.items_of(nodes)));
        out
    }

    /// The item on the path from a kind's root that contains a place. If there are several, the last one.
    pub(super) fn item_towards(&self, root: Id, steps: &[Step], at: &At) -> Option<usize> {
        let there = self.items_at(at);
        self.items_towards(root, steps).into_iter().rev().find(|item| there.contains(item))
    }

    /// Follows the steps, and calls `visit` with the nodes after each step.
    fn descend_by(
        &self,
        root: Id,
        steps: &[Step],
        visit: &mut dyn FnMut(&[Known]),
    ) -> (Option<At>, Vec<Known>) {
        let mut best = self.root_place(root);
        let is_schema = |s: &Step| matches!(s, Step::Key(k) if k == "openAPIV3Schema");
        let Some(start) = steps.iter().position(is_schema) else { return (best, Vec::new()) };
        let mut rest = steps[start + 1..].iter();
        let mut at: Vec<Known> = Vec::new();
        let mut depth = 0;
        while let Some(Step::Key(key)) = rest.next() {
            match key.as_str() {
                "properties" => {
                    let Some(Step::Key(name)) = rest.next() else { break };
                    let is_default = matches!(rest.clone().next(), Some(Step::Key(k)) if k == "default");
                    let part = if is_default { Part::Default } else { Part::Whole };
                    let next =
                        if depth == 0 { self.at_root(root, name) } else { self.field(&at, name, part) };
                    let Some((found, place)) = next else {
                        // The type lacks the field.
                        best = self.type_place(&at).or(best);
                        break;
                    };
                    best = place.or(best);
                    at = found;
                }
                "items" | "additionalProperties" => at = self.inner(&at),
                "allOf" | "anyOf" | "oneOf" => _ = rest.next(),
                "not" => {}
                _ => break,
            }
            depth += 1;
            visit(&at);
        }
        (best, at)
    }

    /// Where an expression of a schema node is written, or some bytes of it. Several types may have the same
    /// expression, so those of the node's own type and field are searched first.
    fn expression(
        &self,
        root: Id,
        steps: &[Step],
        text: &str,
        message: bool,
        inside: Option<Range<usize>>,
    ) -> Option<At> {
        let is = |one: &&Written| one.text == text && one.message == message;
        let (field, nodes) = self.descend(root, steps);
        let types = self.items_of(&nodes);
        let at_root = matches!(steps.last(), Some(Step::Key(k)) if k == "openAPIV3Schema");
        let mut candidates: Vec<(bool, usize, Written)> = Vec::new();
        self.lowered.each(|item, lowered| {
            for written in lowered.rules.iter().filter(is) {
                let elsewhere = match self.owner_at(*item, written.span.byte_range().start) {
                    Owner::Type(item) => !types.contains(&item),
                    Owner::Field(at) => field.as_ref() != Some(&at),
                };
                candidates.push((elsewhere, *item, written.clone()));
            }
        });
        for (item, kind) in self.roots.all() {
            let elsewhere = !at_root || self.root_item(root) != Some(item);
            candidates.extend(kind.rules.iter().filter(is).map(|one| (elsewhere, item, one.clone())));
        }
        let first = |(elsewhere, item, one): &(bool, usize, Written)| {
            (*elsewhere, *item, one.span.byte_range().start)
        };
        let (_, item, written) = candidates.into_iter().min_by_key(first)?;
        let mut at = self.world.at(item, written.span)?;
        if let (Some(inside), Some(literal)) = (inside, &written.literal)
            && let Some(range) = literal::written(literal, inside)
        {
            at.narrow(written.span, literal, &range);
        }
        Some(at)
    }

    /// The items that are the types of nodes, inside references and wrappers.
    fn items_of(&self, nodes: &[Known]) -> Vec<usize> {
        let mut out = Vec::new();
        let mut open: Vec<Known> = nodes.to_vec();
        // Limited, because types may refer to themselves.
        for _ in 0..100 {
            let Some((id, node)) = open.pop() else { break };
            match node {
                Node::Ref(number) => {
                    let Some(id) = self.reference(id, number) else { continue };
                    if let super::types::Instance::Item(item, _) = self.instance(id) {
                        out.push(item);
                    }
                    open.extend(self.open(id).node.map(|node| (id, node.into_owned())));
                }
                Node::Option(inner) | Node::Newtype(inner) | Node::Patched(inner, _) => {
                    open.push((id, *inner));
                }
                _ => {}
            }
        }
        out
    }

    /// The name of the type that nodes refer to, if the project can change it.
    fn type_place(&self, nodes: &[Known]) -> Option<At> {
        let item = self.items_of(nodes).into_iter().find(|item| !self.world.is_of_dependency(*item))?;
        self.world.at(item, self.world.item(item).input.ident.span())
    }

    /// Whether two places are about the same thing: the same expression in the same literal, the same field or variant,
    /// or the same type as a whole.
    pub(super) fn is_same(&self, a: &At, b: &At) -> bool {
        if a == b {
            return true;
        }
        let (Some(one), Some(other)) = (self.subject(a), self.subject(b)) else { return false };
        if one.owner != other.owner || (one.expression.is_some() && other.expression.is_some()) {
            return one == other;
        }
        match &one.owner {
            // If an expression is not found in the source, the name of its field is its place.
            Owner::Field(_) => true,
            // A type has many attributes, so only its name counts as the place of the whole type.
            Owner::Type(item) => {
                let world = &self.world;
                let name = world.at(*item, world.item(*item).input.ident.span());
                name.as_ref() == Some(a) || name.as_ref() == Some(b)
            }
        }
    }

    /// The items that contain a place. There are several if a file is included as several modules, or if a macro
    /// declares several items.
    pub(super) fn items_at(&self, at: &At) -> Vec<usize> {
        let mut read: Vec<usize> = self.roots.all().into_iter().map(|(item, _)| item).collect();
        self.lowered.each(|item, _| read.push(*item));
        read.retain(|item| self.world.is_in(at, *item));
        read
    }

    /// The first of the items that contain a place.
    pub(super) fn item_at(&self, at: &At) -> Option<usize> {
        self.items_at(at).into_iter().min()
    }

    fn subject(&self, at: &At) -> Option<Subject> {
        let item = self.item_at(at)?;
        let (lowered, roots) = (self.lowered.known(&item), self.roots.all());
        let rules = lowered.iter().flat_map(|it| &it.rules);
        let of_root = roots.iter().filter(|(of, _)| *of == item).flat_map(|(_, kind)| &kind.rules);
        let written = rules.chain(of_root).map(|one| one.span).find(|span| is_within(at, *span));
        let expression = written.and_then(|span| self.world.at(item, span));
        Some(Subject { owner: self.owner_at(item, at.start.offset), expression })
    }

    /// The type, field or variant that something in an item belongs to, such as an attribute.
    fn owner_at(&self, item: usize, offset: usize) -> Owner {
        let world = &self.world;
        let contains = |span: Span| span.byte_range().contains(&offset);
        let in_fields = |fields: &syn::Fields| {
            let field = fields.iter().find(|field| contains(field.span()))?;
            Some(field.ident.as_ref().map_or_else(|| field.span(), syn::Ident::span))
        };
        let found = match &world.item(item).input.data {
            syn::Data::Struct(it) => in_fields(&it.fields),
            syn::Data::Enum(it) => it
                .variants
                .iter()
                .find(|variant| contains(variant.span()))
                .map(|variant| in_fields(&variant.fields).unwrap_or_else(|| variant.ident.span())),
            syn::Data::Union(_) => None,
        };
        found.and_then(|span| world.at(item, span)).map_or(Owner::Type(item), Owner::Field)
    }

    /// The place of what `#[kube(…)]` sets around the schema.
    fn around(&self, root: Id, steps: &[Step]) -> Option<At> {
        const KEYS: &[(&str, &str)] = &[
            ("additionalPrinterColumns", "printcolumn"),
            ("selectableFields", "selectable"),
            ("scale", "scale"),
            ("shortNames", "shortname"),
            ("categories", "category"),
            ("group", "group"),
            ("plural", "plural"),
            ("singular", "singular"),
            ("listKind", "list_kind"),
            ("api-approved.kubernetes.io", "group"),
        ];
        let before_schema = steps.iter().take_while(|s| !matches!(s, Step::Key(k) if k == "openAPIV3Schema"));
        let (at, key) = before_schema.enumerate().find_map(|(at, step)| {
            let Step::Key(key) = step else { return None };
            KEYS.iter().find(|(name, _)| name == key).map(|(_, attribute)| (at, *attribute))
        })?;
        let number = if let Some(Step::Index(n)) = steps.get(at + 1) { *n } else { 0 };
        let super::types::Instance::Root(root) = self.instance(root) else { return None };
        let (item, kind) = self.roots.get(root)?;
        let (_, span) = kind.kube.spans.iter().filter(|(name, _)| *name == key).nth(number)?;
        self.world.at(item, *span)
    }

    fn root_place(&self, root: Id) -> Option<At> {
        let item = self.root_item(root)?;
        let world = &self.world;
        world.at(item, world.item(item).input.ident.span())
    }

    fn root_item(&self, root: Id) -> Option<usize> {
        match self.instance(root) {
            super::types::Instance::Root(number) => self.roots.get(number).map(|(item, _)| item),
            _ => None,
        }
    }

    fn at_root(&self, root: Id, name: &str) -> Option<(Vec<Known>, Option<At>)> {
        let whole = match self.instance(root) {
            super::types::Instance::Root(number) => self.roots.get(number)?.1.kube.root.whole,
            _ => false,
        };
        if whole {
            return self.field(&[(root, Node::Ref(0))], name, Part::Whole);
        }
        let number = match name {
            "spec" => 0,
            "status" => 1,
            _ => return None,
        };
        Some((vec![(root, Node::Ref(number))], None))
    }

    /// Whether a node is of a type of Kubernetes, inside references and wrappers.
    fn is_of_kubernetes(&self, id: Id, node: &Node, depth: usize) -> bool {
        let Node::Ref(number) = unwrapped(node) else { return false };
        depth < 100
            && self.reference(id, *number).is_some_and(|id| {
                matches!(self.instance(id), super::types::Instance::Kubernetes(_))
                    || self.open(id).node.is_some_and(|node| self.is_of_kubernetes(id, &node, depth + 1))
            })
    }

    /// The node inside references and wrappers.
    fn bare(&self, id: Id, node: &Node, depth: usize) -> Option<Known> {
        if depth > 100 {
            return None;
        }
        let node = unwrapped(node);
        let Node::Ref(number) = node else { return Some((id, node.clone())) };
        let id = self.reference(id, *number)?;
        let node = self.open(id).node?.into_owned();
        self.bare(id, &node, depth + 1)
    }

    fn field(&self, at: &[Known], name: &str, part: Part) -> Option<(Vec<Known>, Option<At>)> {
        let mut found = Vec::new();
        let mut place = None;
        let mut open: Vec<(Id, Node, usize)> = at.iter().map(|(id, node)| (*id, node.clone(), 0)).collect();
        while let Some((id, node, depth)) = open.pop() {
            let Some((id, node)) = self.bare(id, &node, depth) else { continue };
            if depth > 100 {
                continue;
            }
            match node {
                Node::Struct(it) => {
                    for field in it.fields {
                        if field.flatten {
                            open.push((id, field.node, depth + 1));
                        } else if field.name == name || field.aliases.iter().any(|a| a == name) {
                            place = place.or(self.place(id, &field.name, part));
                            found.push((id, field.node));
                        }
                    }
                }
                Node::Enum(it) => {
                    let is_content = matches!(&it.tagging, Tagging::Adjacent(_, content) if content == name);
                    for variant in it.variants {
                        if is_content {
                            found.extend(variant.payload.map(|p| (id, p)));
                        } else if variant.name == name {
                            place = place.or(self.place(id, name, part));
                            found.extend(variant.payload.map(|p| (id, p)));
                        } else if let Some(payload) = variant.payload {
                            open.push((id, payload, depth + 1));
                        }
                    }
                }
                Node::Map(_, value) => found.push((id, *value)),
                _ => {}
            }
        }
        (!found.is_empty() || place.is_some()).then_some((found, place))
    }

    /// The place of a field or variant, or of its default in the source.
    fn place(&self, id: Id, name: &str, part: Part) -> Option<At> {
        let super::types::Instance::Item(item, _) = self.instance(id) else { return None };
        let lowered = self.lower(item);
        let of = |places: &[(String, Span)]| places.iter().find(|(n, _)| n == name).map(|(_, span)| *span);
        let span = of(&lowered.defaults).filter(|_| part == Part::Default).or_else(|| of(&lowered.places))?;
        self.world.at(item, span)
    }

    fn inner(&self, at: &[Known]) -> Vec<Known> {
        let inner = |(id, node): &Known| {
            let (id, node) = self.bare(*id, node, 0)?;
            match node {
                Node::List(n) | Node::Set(n) | Node::Array(n, _) | Node::Map(_, n) => Some((id, *n)),
                Node::Tuple(parts) => parts.into_iter().next().map(|n| (id, n)),
                _ => None,
            }
        };
        at.iter().filter_map(inner).collect()
    }
}

/// The node inside options, newtypes and patches.
fn unwrapped(mut node: &Node) -> &Node {
    loop {
        node = match node {
            Node::Option(inner) | Node::Newtype(inner) | Node::Patched(inner, _) | Node::Odd(inner, ..) => {
                inner
            }
            Node::Ref(_)
            | Node::Plain(_)
            | Node::List(_)
            | Node::Set(_)
            | Node::Array(..)
            | Node::Map(..)
            | Node::Struct(_)
            | Node::Enum(_)
            | Node::Tuple(_)
            | Node::Wrong(..) => return node,
        }
    }
}
