//! Finds limits that only one version has, because of which the other version may reject what this one accepts.

use super::{Fate, Judge, Member, Schemas, Spot, below};
use crdgen_core::compare::tighter::{Comparisons, Way, tighter};
use crdgen_core::ir::Schema;
use crdgen_core::json;
use crdgen_core::object::validate::Validator;
use crdgen_core::path::Path;
use crdgen_core::server::Server;
use crdgen_core::value::Value;
use crdgen_source::declared::{Field, Skip, Type, TypeId};

impl<'a> Judge<'a> {
    fn limit(&mut self, spot: Spot<'_>, tight: &str, what: &str) {
        self.add(spot, format!("{tight} may reject it: {what}"), Fate::Limited);
    }

    /// Compares the rules of whole objects.
    pub(super) fn limits_of_objects(&mut self, root: Schemas<'a>) {
        self.limits(Spot { path: "the object", at: None }, root);
    }

    /// Compares the limits of a value with fields, items or variants that convert.
    pub(super) fn limits(&mut self, spot: Spot<'_>, schemas: Schemas<'a>) {
        self.compare(spot, schemas, Way::Converted);
    }

    fn compare(&mut self, spot: Spot<'_>, schemas: Schemas<'a>, way: Way) {
        let (Some(new), Some(old), false) = (schemas.new, schemas.old, schemas.are_compared) else { return };
        let (new, old) = ((self.new, new), (self.old, old));
        for ((version, tight), (other, loose)) in [(new, old), (old, new)] {
            for limit in tighter(tight, loose, way, &Comparisons::default()) {
                self.limit(spot, version, &limit.words(other));
            }
        }
    }

    /// Compares the limits of a value that stays as it is, and of everything inside of it.
    pub(super) fn same(&mut self, spot: Spot<'_>, ty: TypeId, schemas: Schemas<'a>) {
        if !schemas.are_compared {
            self.unchanged(spot, schemas);
            return;
        }
        // In the value around it, only these fields belong to the type.
        if let Type::Struct(it) = self.ty(ty) {
            for field in &it.fields {
                let path = below(spot.path, &field.member);
                let spot = Spot { path: &path, ..spot };
                match field.flatten {
                    true => self.same(spot, field.ty, schemas),
                    false => self.unchanged(spot, schemas.field(&field.name)),
                }
            }
        }
    }

    fn unchanged(&mut self, spot: Spot<'_>, schemas: Schemas<'a>) {
        self.compare(spot, schemas, Way::Unchanged);
        let (Some(new), Some(_)) = (schemas.new, schemas.old) else { return };
        for name in new.properties.keys() {
            let path = below(spot.path, name);
            self.unchanged(Spot { path: &path, ..spot }, schemas.field(name));
        }
        for (inside, mark) in [(schemas.map(Schema::item), "[]"), (schemas.map(Schema::value), "[*]")] {
            let path = format!("{}{mark}", spot.path);
            self.unchanged(Spot { path: &path, ..spot }, inside);
        }
    }

    /// Finds a field that only one version requires, and that its type may leave out.
    pub(super) fn limits_of_absence(&mut self, spot: Spot<'_>, new: Member<'a>, old: Member<'a>) {
        let sides = ((self.new, new), (self.old, old));
        for ((version, tight), (other, loose)) in [sides, (sides.1, sides.0)] {
            let has_default = tight.schema.is_none_or(|schema| schema.default.is_some());
            let is_limited = is_required(tight) == Some(true) && is_required(loose) == Some(false);
            if is_limited && !has_default && self.may_be_absent(tight.field) {
                self.limit(spot, version, &format!("it is required, but optional in {other}"));
            }
        }
    }

    /// Whether serde may write nothing, or null, for a field.
    fn may_be_absent(&self, field: &Field) -> bool {
        let is_skipped = !matches!(field.skip, Ok(Skip::Always(false)));
        is_skipped || matches!(self.ty(field.ty), Type::Option(_))
    }

    /// Compares the limits of a field that the other version does not have with its default.
    pub(super) fn limits_of_default(
        &mut self,
        spot: Spot<'_>,
        value: &Value,
        member: Member<'a>,
        has: &str,
        lacks: &str,
    ) {
        let Some(schema) = member.schema.filter(|_| !value.is_null()) else { return };
        let found = Validator::new(schema, Server::NEWEST).validate(value, &Path::ROOT);
        if let Some(why) = found.first() {
            let value = json::to_string(value);
            self.limit(spot, has, &format!("it is {value} in objects of {lacks}. {}", why.detail));
        }
    }
}

/// Whether a field is required, if that is known.
fn is_required(member: Member<'_>) -> Option<bool> {
    Some(member.around?.limits.required.contains(&member.field.name))
}
