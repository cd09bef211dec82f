//! The values in objects that a change of a schema concerns.

use crdgen_core::compare::changes::{Change, Part};
use crdgen_core::diag::Diag;
use crdgen_core::go::regexp::Comparisons;
use crdgen_core::ir::{Scale, Schema, Type};
use crdgen_core::path::Step;
use crdgen_core::sample::Examples;
use std::rc::Rc;
use std::sync::LazyLock;

/// The key for the values of a map.
pub(crate) const ANY_KEY: &str = "key";

/// What the subresource `scale` asks of replicas that no schema lists.
static REPLICAS: LazyLock<Schema> = LazyLock::new(|| Schema::of(Type::Integer));

/// A place in objects, with the schemas for it.
#[derive(Clone, Debug)]
pub(crate) struct Place<'s> {
    /// The steps in an object. A list has its first item, whatever the number of items.
    pub(crate) steps: Vec<Step>,
    /// For each step, whether any other key or index is meant, too.
    any: Vec<bool>,
    /// The old schema. `None` if it does not list this place.
    pub(crate) old: Option<&'s Schema>,
    /// The new schema. `None` if it does not list this place.
    pub(crate) new: Option<&'s Schema>,
    /// The field of this place without which objects are of interest.
    pub(crate) missing: Option<&'s str>,
    /// The rule of this place that objects of interest break.
    pub(crate) rule: Option<&'s str>,
    /// Makes values for this place, and for those in and around it.
    pub(crate) examples: Examples,
    /// What is known about patterns.
    pub(crate) patterns: Rc<Comparisons>,
}

impl<'s> Place<'s> {
    /// The whole object.
    pub(crate) fn root(old: &'s Schema, new: &'s Schema, patterns: &Rc<Comparisons>) -> Place<'s> {
        let (steps, any) = (Vec::new(), Vec::new());
        let (examples, patterns) = (Examples::default(), Rc::clone(patterns));
        Place { steps, any, old: Some(old), new: Some(new), missing: None, rule: None, examples, patterns }
    }

    /// The same place, for objects without one of its fields.
    pub(crate) fn without(self, field: &'s str) -> Place<'s> {
        Place { missing: Some(field), ..self }
    }

    /// The same place, for objects that break one of the rules of the new schema.
    pub(crate) fn breaking(self, index: usize) -> Place<'s> {
        let rule = self.new.and_then(|new| new.rules.get(index)).map(|rule| &*rule.rule);
        Place { rule, ..self }
    }

    /// Finds the place of a change in whole objects by its steps in the CRD. `None` if it is not inside of a schema.
    pub(crate) fn of(&self, steps: &[Step]) -> Option<Place<'s>> {
        let is = |step: &Step, name: &str| matches!(step, Step::Key(key) if key == name);
        let start = steps.iter().position(|step| is(step, "openAPIV3Schema"))?;
        let mut rest = steps.get(start + 1..)?;
        let mut at = self.clone();
        loop {
            match rest {
                [step, Step::Key(name), more @ ..] if is(step, "properties") => {
                    at = at.field(name);
                    rest = more;
                }
                [step, more @ ..] if is(step, "items") => {
                    at = at.item();
                    rest = more;
                }
                [step, more @ ..] if is(step, "additionalProperties") => {
                    at = at.value();
                    rest = more;
                }
                _ => return Some(at),
            }
        }
    }

    /// The replicas that the subresource reads from the spec, of which it asks to be integers. Those in the status are the controller's.
    pub(crate) fn of_replicas(&self, scale: &Scale) -> Place<'s> {
        let at = Scale::names(&scale.spec_replicas_path).fold(self.clone(), |at, name| at.field(name));
        Place { new: at.new.or(Some(&REPLICAS)), ..at }
    }

    /// The place around this one with so many steps.
    pub(crate) fn around(&self, len: usize, old: &'s Schema, new: &'s Schema) -> Place<'s> {
        let (steps, any) = (Vec::new(), Vec::new());
        let (old, new) = (Some(old), Some(new));
        let root = Place { steps, any, old, new, missing: None, rule: None, ..self.clone() };
        self.steps[..len].iter().fold(root, |at, step| match step {
            Step::Key(name) => at.field(name),
            Step::Index(_) => at.item(),
        })
    }

    pub(crate) fn field(&self, name: &str) -> Place<'s> {
        let inner = |schema: Option<&'s Schema>| schema.and_then(|it| it.properties.get(name).or(it.value()));
        self.below(Step::Key(name.to_owned()), false, inner)
    }

    pub(crate) fn item(&self) -> Place<'s> {
        self.below(Step::Index(0), true, |schema| schema?.item())
    }

    /// The item of a list, or the value of a map.
    pub(crate) fn element(&self) -> Place<'s> {
        let is_map = self.schemas().any(|schema| schema.value().is_some());
        if is_map { self.value() } else { self.item() }
    }

    /// The value of a map. If the old schema lists fields instead, it is the first of them with another type.
    fn value(&self) -> Place<'s> {
        let lists = |old: &&Schema| old.value().is_none() && !old.preserves_unknown_fields();
        let listed = |old: &'s Schema| {
            let new = self.new.and_then(Schema::value);
            let is_other = |field: &Schema| new.is_some_and(|new| new.ty != field.ty);
            let other = old.properties.iter().find(|(_, field)| is_other(field));
            other.map(|(name, _)| name).or(old.properties.keys().next())
        };
        let key = self.old.filter(lists).and_then(listed).unwrap_or(ANY_KEY);
        let inner = |schema: Option<&'s Schema>| schema.and_then(|it| it.properties.get(key).or(it.value()));
        self.below(Step::Key(key.to_owned()), true, inner)
    }

    fn below(
        &self,
        step: Step,
        is_any: bool,
        inner: impl Fn(Option<&'s Schema>) -> Option<&'s Schema>,
    ) -> Place<'s> {
        let mut steps = self.steps.clone();
        steps.push(step);
        let mut any = self.any.clone();
        any.push(is_any);
        Place {
            steps,
            any,
            old: inner(self.old),
            new: inner(self.new),
            missing: None,
            rule: None,
            examples: self.examples.clone(),
            patterns: Rc::clone(&self.patterns),
        }
    }

    /// The name of the field, or of the field around a list.
    pub(crate) fn name(&self) -> &str {
        let names = self.steps.iter().rev();
        names
            .filter_map(|step| if let Step::Key(name) = step { Some(name.as_str()) } else { None })
            .next()
            .unwrap_or_default()
    }

    /// The schemas of both sides.
    pub(crate) fn schemas(&self) -> impl Iterator<Item = &'s Schema> {
        self.old.into_iter().chain(self.new)
    }

    /// Whether an error is about this place: it is there or inside of it, or directly around it.
    pub(crate) fn has(&self, error: &Diag) -> bool {
        self.overlaps(&error.steps) && error.steps.len() + 1 >= self.steps.len()
    }

    /// Whether an error is about a field of this place, as [`Place::has`] says of the place of the field.
    pub(crate) fn has_in_field(&self, name: &str, error: &Diag) -> bool {
        let is_named = |step: &Step| matches!(step, Step::Key(key) if key == name);
        let may_be = error.steps.len() >= self.steps.len();
        may_be && error.steps.get(self.steps.len()).is_none_or(is_named) && self.overlaps(&error.steps)
    }

    /// Whether one of this place and some steps is inside of the other.
    pub(crate) fn overlaps(&self, steps: &[Step]) -> bool {
        let is_same = |((own, any), other): ((&Step, &bool), &Step)| *any || own == other;
        self.steps.iter().zip(&self.any).zip(steps).all(is_same)
    }

    /// The steps in an object, and whether any other key or index is meant, too.
    pub(crate) fn each_step(&self) -> impl Iterator<Item = (&Step, bool)> + Clone {
        self.steps.iter().zip(self.any.iter().copied())
    }
}

/// Whether a change is about values in objects, and not about requests or the CRD around the schemas.
pub(crate) fn is_of_objects(change: &Change) -> bool {
    match &change.part {
        Part::Crd
        | Part::Version(_)
        | Part::Served(_)
        | Part::Storage
        | Part::Deprecated(_)
        | Part::Conversion
        | Part::PreserveUnknownFields
        | Part::Name(_)
        | Part::Column(_)
        | Part::Subresource(_)
        | Part::SelectableField
        | Part::NotStored(_)
        | Part::RuleMessage
        | Part::Costs { .. }
        | Part::Text(_)
        | Part::More => false,
        Part::Field(_)
        | Part::Unlisted(_)
        | Part::UnknownFields
        | Part::Required(_)
        | Part::RequiredNew(_)
        | Part::Keyword(_)
        | Part::Values(_)
        | Part::Junctor(_)
        | Part::Rule => true,
    }
}
