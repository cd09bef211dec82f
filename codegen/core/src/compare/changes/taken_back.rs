//! Takes changes back, to find out what they are the cause of.

use super::{Change, Class, Part};
use crate::ir::{Additional, Items, Keyword, Limits, Schema};
use crate::path::Step;

impl Change {
    /// Returns the new schema of whole objects as it is without this change, but with all others. `None` if the change is not one
    /// of this schema, or if both schemas are too different at its place.
    pub fn taken_back(&self, old: &Schema, new: &Schema) -> Option<Schema> {
        let mut out = new.clone();
        self.take_back(old, &mut out).then_some(out)
    }

    /// Takes the change back in the new schema of whole objects, as [`Change::taken_back`] does. Returns whether it is possible;
    /// otherwise the schema stays as it is.
    pub fn take_back(&self, old: &Schema, new: &mut Schema) -> bool {
        self.try_take_back(old, new).is_some()
    }

    fn try_take_back(&self, old: &Schema, new: &mut Schema) -> Option<()> {
        let is = |step: &Step, name: &str| matches!(step, Step::Key(key) if key == name);
        let start = self.steps.iter().position(|step| is(step, "openAPIV3Schema"))?;
        let mut rest = self.steps.get(start + 1..)?;
        // The steps to a field lead into it, but it is its parent that has another field.
        let is_of_field =
            matches!(self.part, Part::Field(_) | Part::Unlisted(_)) && self.field_below().is_none();
        if is_of_field {
            rest = &rest[..rest.len().checked_sub(2)?];
        }
        // It is what is around the values of other fields that says whether there are some.
        if self.part == Part::UnknownFields
            && rest.last().is_some_and(|step| is(step, "additionalProperties"))
        {
            rest = &rest[..rest.len() - 1];
        }
        let nothing = Schema::default();
        let (mut at, mut was) = (new, old);
        loop {
            (rest, at, was) = match rest {
                [step, Step::Key(name), more @ ..] if is(step, "properties") => {
                    let before = was.properties.get(name).or(was.value()).unwrap_or(&nothing);
                    (more, at.properties.get_mut(name)?, before)
                }
                [step, more @ ..] if is(step, "items") => {
                    let Some(Items::One(items)) = &mut at.items else { return None };
                    (more, &mut **items, was.item()?)
                }
                [step, more @ ..] if is(step, "additionalProperties") => {
                    let Some(Additional::Schema(values)) = &mut at.additional_properties else { return None };
                    (more, &mut **values, was.value()?)
                }
                _ => break,
            };
        }
        self.take_back_at(at, was, rest)
    }

    /// Takes the change back in the schema at its place. `rest` are the steps from there.
    fn take_back_at(&self, at: &mut Schema, was: &Schema, rest: &[Step]) -> Option<()> {
        match &self.part {
            // Nothing inside of another type is compared.
            Part::Keyword("type") if self.class <= Class::OnEdit => at.clone_from(was),
            // The values of the old enum were compared with all constraints at once.
            Part::Values(_) => {
                let required = std::mem::take(&mut at.limits.required);
                at.limits = Limits { required, ..was.limits.clone() };
            }
            Part::Keyword(name) | Part::Junctor(name) => {
                let keyword = Keyword::of(name)?;
                at.copy(keyword, was);
                with(keyword).iter().for_each(|other| at.copy(*other, was));
            }
            Part::Required(name) | Part::RequiredNew(name) => {
                at.limits.required.retain(|own| own != name);
                at.limits.required.extend(was.limits.required.iter().filter(|own| *own == name).cloned());
            }
            Part::Rule => {
                // A rule that the new schema does not have has no index.
                if let [_, Step::Index(index), ..] = rest {
                    // Another one may be the same.
                    let rule = at.rules.get(*index)?.rule.clone();
                    at.rules.retain(|own| own.rule != rule);
                }
                let gone = was.rules.iter().filter(|rule| !at.rules.contains(rule));
                let gone: Vec<_> = gone.cloned().collect();
                at.rules.extend(gone);
            }
            Part::Field(name) | Part::Unlisted(name) => match was.properties.get(name) {
                Some(before) => _ = at.properties.insert(name.as_str(), before.clone()),
                // The server kept whatever it was.
                None if was.ext.preserve_unknown_fields == Some(true) => {
                    let mut any = Schema { nullable: true, ..Schema::default() };
                    any.ext.preserve_unknown_fields = Some(true);
                    at.properties.insert(name.as_str(), any);
                }
                None => _ = at.properties.remove(name),
            },
            Part::UnknownFields => {
                at.copy(Keyword::PreserveUnknownFields, was);
                at.copy(Keyword::AdditionalProperties, was);
            }
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
            | Part::More => return None,
        }
        Some(())
    }
}

/// The keywords that say something together with another one.
fn with(keyword: Keyword) -> &'static [Keyword] {
    match keyword {
        Keyword::Type => &[Keyword::IntOrString],
        Keyword::Minimum => &[Keyword::ExclusiveMinimum],
        Keyword::Maximum => &[Keyword::ExclusiveMaximum],
        Keyword::ListType => &[Keyword::ListMapKeys],
        _ => &[],
    }
}
