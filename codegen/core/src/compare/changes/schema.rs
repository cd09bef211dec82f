//! Compares two schemas for the same place.

use super::costs::Costs;
use super::implied::Known;
use super::{ANY, Class, Out, Part};
use crate::compare::limit::Limit;
use crate::compare::on_create::OnCreate;
use crate::compare::presence;
use crate::compare::readers::{clauses, junctors_read};
use crate::compare::rules::one_line;
use crate::compare::tighter::{INT32, Way, has_bounds_of_int32, tighter};
use crate::ir::{Additional, Extensions, Items, Limits, Rule, Scale, Schema, Type};
use crate::json;
use crate::object::metadata;
use crate::path::{Path, Step};
use crate::value::Value;
use std::collections::HashSet;

const LIST_TYPE: &str = "x-kubernetes-list-type";

/// The fields that the server knows even if the schema of an object does not list them.
const METADATA: &str = "metadata";
const KNOWN: [&str; 3] = ["apiVersion", "kind", METADATA];

impl Out {
    /// Compares the schemas of whole objects. `scale` is the subresource of the old version.
    pub(super) fn object(&mut self, old: &Schema, scale: Option<&Scale>, new: &Schema, path: &Path<'_>) {
        let (before, after) = (Costs::new(old), Costs::new(new));
        self.object_of(&before, scale, &after, path);
        if old != new {
            self.costs(&before, &after, path);
        }
    }

    /// The same for schemas whose costs may be known.
    pub(super) fn object_of(
        &mut self,
        old: &Costs<'_>,
        scale: Option<&Scale>,
        new: &Costs<'_>,
        path: &Path<'_>,
    ) {
        let known = Known::new(old.root, scale, &self.comparisons);
        let costs = &Sides { old, new, root: path.to_string().len() };
        Node { out: self, known: &known, costs, spot: Spot::Object }.compare(old.root, new.root, path);
    }
}

struct Node<'o, 's> {
    out: &'o mut Out,
    known: &'o Known<'s>,
    costs: &'o Sides<'o, 's>,
    spot: Spot,
}

/// The costs of the rules of both schemas.
struct Sides<'o, 's> {
    old: &'o Costs<'s>,
    new: &'o Costs<'s>,
    /// The length of the path of their root.
    root: usize,
}

/// Where a schema is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spot {
    /// It is the schema of the whole object.
    Object,
    /// It is the schema of a field.
    Field { is_required: bool },
    /// It is the schema of the items of a list.
    Item,
    /// It is the schema of the values of a map.
    Entry,
    /// It is the schema of the metadata of an object or resource.
    Metadata,
}

impl Node<'_, '_> {
    /// Adds a change at its keyword in the new schema, if it has the keyword.
    fn add(&mut self, class: Class, at: &Path<'_>, part: Part, was: Option<String>, now: Option<String>) {
        let keyword = match &part {
            Part::Keyword(keyword) | Part::Junctor(keyword) => now.is_some().then_some(*keyword),
            Part::Values(keyword) => Some(*keyword),
            Part::Required(_) | Part::RequiredNew(_) => (class != Class::Client).then_some("required"),
            _ => None,
        };
        match keyword {
            Some(keyword) => self.out.add(class, &at.child(keyword), part, was, now),
            None => self.out.add(class, at, part, was, now),
        }
    }

    /// Adds a keyword with another value. Does nothing if the value is the same.
    fn differs(
        &mut self,
        class: Class,
        at: &Path<'_>,
        keyword: &'static str,
        was: Option<String>,
        now: Option<String>,
    ) {
        if was != now {
            self.add(class, at, Part::Keyword(keyword), was, now);
        }
    }

    /// The class of a constraint that is stricter than before. Most errors are ignored where an update does not change
    /// the value, but every update changes the object as a whole.
    fn stricter(&self) -> Class {
        if self.spot == Spot::Object { Class::Stuck } else { Class::Breaking }
    }

    fn inner(&mut self, spot: Spot, old: &Schema, new: &Schema, path: &Path<'_>) {
        Node { out: &mut *self.out, known: self.known, costs: self.costs, spot }.compare(old, new, path);
    }

    fn compare(&mut self, old: &Schema, new: &Schema, path: &Path<'_>) {
        let Schema {
            ty: _,
            nullable: _,
            title,
            description,
            default: _,
            example,
            external_docs,
            properties: _,
            items: _,
            additional_properties: _,
            ext: _,
            rules,
            limits: _,
            foreign: _,
            empty: _,
        } = old;
        let kind = self.types(old, new, path);
        let class = match kind {
            Types::Same => None,
            Types::Equal => Some(Class::Compatible),
            Types::Wider => Some(Class::Client),
            Types::Other => Some(self.stricter()),
        };
        class.into_iter().for_each(|class| {
            self.add(class, path, Part::Keyword("type"), type_of(old), type_of(new));
        });
        if kind == Types::Other {
            // Values of the new type keep less than before.
            let keeps_less = new.ty == Some(Type::Object) && matches!(Rest::new(new), Rest::Dropped);
            if keeps_less && old.ty.is_none() && keeps_unknown(old) {
                self.rest(old, new, path);
            }
            return;
        }
        self.nulls(old, new, path);
        let is_list_type = |limit: &Limit| matches!(limit, Limit::Keyword { keyword: LIST_TYPE, .. });
        let mut stricter = tighter(new, old, Way::Unchanged, &self.known.comparisons);
        stricter.retain(|limit| !self.is_met_by_counts(limit, old, new));
        // The type in Rust or Go has both, and the bounds say more.
        let is_integer = new.ty == Some(Type::Integer) && new.limits.format == INT32;
        stricter.retain(|limit| !(is_format(limit) && is_integer && has_bounds_of_int32(&new.limits)));
        let implied = self.take_implied(&mut stricter, new, path);
        stricter.extend(self.required_status(old, new));
        let Sides { old: before, new: after, root } = *self.costs;
        add_expensive(&mut stricter, (new, after), (old, before), (path, root));
        if !stricter.iter().any(is_list_type) {
            self.merging_of_lists(&old.ext, &new.ext, path);
        }
        stricter.retain(|limit| !self.is_new_field(limit, old, path));
        self.limits(old, new, kind, stricter, path);
        for limit in implied {
            self.limit(limit, Direction::Implied, path);
        }
        let shown = |default: Option<&Value>| default.map(json::to_string);
        let (was, now) = (shown(old.default.as_ref()), shown(new.default.as_ref()));
        self.differs(Class::Meaning, path, "default", was, now);
        self.maps(&old.ext, &new.ext, Rest::new(new), path);
        self.fields(old, new, path);
        self.rule_messages(rules, &new.rules, path);
        for (keyword, is_same) in [
            ("title", *title == new.title),
            ("description", *description == new.description),
            ("example", *example == new.example),
            ("externalDocs", *external_docs == new.external_docs),
        ] {
            if !is_same {
                self.add(Class::Cosmetic, path, Part::Text(keyword), None, None);
            }
        }
        if let (Some(Items::One(old)), Some(Items::One(new))) = (&old.items, &new.items) {
            self.inner(Spot::Item, old, new, &path.child("items"));
        }
    }

    /// Takes the limits that all values meet because of the rules and paths around them.
    fn take_implied(&self, stricter: &mut Vec<Limit>, new: &Schema, path: &Path<'_>) -> Vec<Limit> {
        let names = |limit: &Limit| match limit {
            Limit::Keyword { keyword, .. } | Limit::Values { keyword, .. } => Some((*keyword, None)),
            Limit::Enum { .. } => Some(("enum", None)),
            Limit::Required { field } => Some(("required", Some(field.clone()))),
            Limit::Junctor { .. } | Limit::Rule { .. } => None,
        };
        let mut implied = Vec::new();
        if !stricter.iter().any(|limit| names(limit).is_some()) {
            return implied;
        }
        for known in self.known.at(&path.steps()) {
            let left = tighter(new, &known, Way::Unchanged, &self.known.comparisons);
            let is_left = |limit: &Limit| left.iter().any(|other| names(other) == names(limit));
            implied.extend(stricter.extract_if(.., |limit| names(limit).is_some() && !is_left(limit)));
        }
        implied
    }

    fn types(&self, old: &Schema, new: &Schema, path: &Path<'_>) -> Types {
        let found = types(old, new);
        let is_integer = new.ty == Some(Type::Integer);
        let is_known = |known: &Schema| known.ty == new.ty;
        match found {
            Types::Other
                if is_integer && self.known.replicas_at(&path.steps()).is_some_and(|it| is_known(&it)) =>
            {
                Types::Equal
            }
            _ => found,
        }
    }

    /// Reports that a field is required that the old schema does not have.
    fn is_new_field(&mut self, limit: &Limit, old: &Schema, path: &Path<'_>) -> bool {
        match limit {
            Limit::Required { field }
                if !old.properties.contains_key(field) && !keeps_unknown(old) && old.value().is_none() =>
            {
                let (was, now) = ("not in the schema".to_owned(), "required".to_owned());
                self.add(self.stricter(), path, Part::RequiredNew(field.clone()), Some(was), Some(now));
                true
            }
            _ => false,
        }
    }

    fn nulls(&mut self, old: &Schema, new: &Schema, path: &Path<'_>) {
        // The server drops a null, or replaces it by the default, if a field cannot be null.
        let is_dropped = |schema: &Schema| match self.spot {
            Spot::Field { is_required } => !is_required || schema.default.is_some(),
            Spot::Entry | Spot::Metadata => true,
            Spot::Item | Spot::Object => schema.default.is_some(),
        };
        // It never accepts null for an enum.
        let accepts = |schema: &Schema| schema.limits.enumeration.is_empty();
        let class = match (old.nullable, new.nullable) {
            (true, false) => match (accepts(old), is_dropped(new)) {
                (true, true) => Class::Meaning,
                (true, false) => self.stricter(),
                (false, true) => Class::Looser,
                (false, false) => Class::Compatible,
            },
            (false, true) => match (accepts(new), is_dropped(old)) {
                (true, true) if old.default.is_some() => Class::Meaning,
                (true, _) => Class::Client,
                (false, true) => self.stricter(),
                (false, false) => Class::Compatible,
            },
            (true, true) | (false, false) => return,
        };
        let shown = |schema: &Schema| Some(schema.nullable.to_string());
        self.add(class, path, Part::Keyword("nullable"), shown(old), shown(new));
    }

    fn limits(&mut self, old: &Schema, new: &Schema, types: Types, stricter: Vec<Limit>, path: &Path<'_>) {
        let looser = match types {
            // The type explains it.
            Types::Wider => Vec::new(),
            Types::Same | Types::Equal | Types::Other => {
                let mut looser = tighter(old, new, Way::Unchanged, &self.known.comparisons);
                let Sides { old: before, new: after, root } = *self.costs;
                add_expensive(&mut looser, (old, before), (new, after), (path, root));
                looser
            }
        };
        let has_format = stricter.iter().chain(&looser).any(is_format);
        if old.limits.format != new.limits.format && !has_format && types == Types::Same {
            let shown = |format: &String| (!format.is_empty()).then(|| format!("`{format}`"));
            let (was, now) = (shown(&old.limits.format), shown(&new.limits.format));
            let is_same = rules_see(&old.limits.format) == rules_see(&new.limits.format);
            let class = if is_same { Class::Cosmetic } else { self.stricter() };
            self.add(class, path, Part::Keyword("format"), was, now);
        }
        for limit in &looser {
            // The removal of a field is reported.
            let is_removed = matches!(limit, Limit::Required { field } if self.is_removed(field, old, new));
            if !is_removed && !stricter.iter().any(|other| is_about_same(other, limit)) {
                self.limit(limit.clone(), Direction::Looser, path);
            }
        }
        for limit in stricter {
            self.limit(limit, Direction::Stricter, path);
        }
    }

    /// Whether the server keeps a field no more, or rejects it.
    fn is_removed(&self, name: &str, old: &Schema, new: &Schema) -> bool {
        let is_dropped = matches!(Rest::new(new), Rest::Dropped | Rest::Rejected);
        let is_listed = |schema: &Schema| schema.properties.contains_key(name);
        is_listed(old) && !is_listed(new) && !self.has_known(new, name) && is_dropped
    }

    /// A status that only the new schema requires. Its default does not help: the server fills it in, and then drops the status of
    /// a new object, which has a request of its own.
    fn required_status(&self, old: &Schema, new: &Schema) -> Option<Limit> {
        const STATUS: &str = "status";
        let requires = |schema: &Schema| schema.limits.required.iter().any(|name| name == STATUS);
        let has_default =
            |schema: &Schema| schema.properties.get(STATUS).is_some_and(|it| it.default.is_some());
        let is_new = self.spot == Spot::Object && requires(new) && !requires(old) && has_default(new);
        is_new.then(|| Limit::Required { field: STATUS.to_owned() })
    }

    /// Whether all objects meet a limit of the new schema because of the number of their fields: the server drops those that it does
    /// not list, now or before, and all objects have an API version, a kind and metadata.
    fn is_met_by_counts(&self, limit: &Limit, old: &Schema, new: &Schema) -> bool {
        let is_object = self.spot == Spot::Object;
        let Limits { min_properties, max_properties, .. } = new.limits;
        let is_closed =
            |schema: &Schema| !schema.preserves_unknown_fields() && schema.additional_properties.is_none();
        // How many fields there may be. Counting them takes long, and only one limit needs it.
        let most = || {
            let own = if is_object || new.ext.embedded_resource { KNOWN.as_slice() } else { &[] };
            let others = own.iter().filter(|name| !new.properties.contains_key(name));
            let can_be_there = |name: &str, field: &Schema| {
                !is_closed(old)
                    || old.properties.contains_key(name)
                    || field.default.is_some()
                    || own.contains(&name)
            };
            let listed = new.properties.iter().filter(|(name, field)| can_be_there(name, field));
            i64::try_from(listed.count() + others.count()).unwrap_or(i64::MAX)
        };
        match limit {
            Limit::Keyword { keyword: "maxProperties", .. } => {
                is_closed(new) && max_properties.is_none_or(|bound| bound >= most())
            }
            Limit::Keyword { keyword: "minProperties", .. } => is_object && min_properties <= Some(3),
            Limit::Junctor { .. } => {
                !is_object && !presence::may_break_inside(new, old, &OnCreate::new(&old.rules))
            }
            _ => false,
        }
    }

    fn limit(&mut self, limit: Limit, way: Direction, path: &Path<'_>) {
        // A looser constraint is one that the old schema has, and the new one does not.
        let sides = |own: Option<String>, other: Option<String>| match way {
            Direction::Stricter | Direction::Implied => (other, own),
            Direction::Looser => (own, other),
        };
        let class = |looser: Class| match way {
            Direction::Stricter => self.stricter(),
            Direction::Implied => Class::Compatible,
            Direction::Looser => looser,
        };
        match limit {
            Limit::Keyword { keyword: LIST_TYPE, .. } if way == Direction::Looser => {}
            Limit::Keyword { keyword, own, other } => {
                let class = class(if keyword == "format" { Class::Client } else { Class::Looser });
                let (was, now) = sides(Some(own), other);
                self.add(class, path, Part::Keyword(keyword), was, now);
            }
            Limit::Enum { own } => {
                let (was, now) = sides(Some(own), None);
                self.add(class(Class::Client), path, Part::Keyword("enum"), was, now);
            }
            Limit::Values { keyword, values } => {
                // The values are those of the other side.
                let (was, now) = sides(None, Some(values));
                self.add(class(Class::Client), path, Part::Values(keyword), was, now);
            }
            Limit::Required { field } => {
                let (was, now) = sides(Some("required".to_owned()), Some("optional".to_owned()));
                self.add(class(Class::Client), path, Part::Required(field), was, now);
            }
            Limit::Junctor { keyword, own, other } => {
                let (was, now) = sides(own, other);
                self.add(class(Class::Looser), path, Part::Junctor(keyword), was, now);
            }
            Limit::Rule { index, own, other, is_transition } => {
                let class = match way {
                    Direction::Stricter if is_transition => Class::OnEdit,
                    Direction::Stricter | Direction::Implied | Direction::Looser => class(Class::Looser),
                };
                let (was, now) = sides(Some(own), other);
                let rules = path.child("x-kubernetes-validations");
                let rule = rules.index(index);
                let at = if way == Direction::Stricter { &rule } else { path };
                self.add(class, at, Part::Rule, was, now);
            }
        }
    }

    /// Compares how server-side apply merges lists.
    fn merging_of_lists(&mut self, old: &Extensions, new: &Extensions, path: &Path<'_>) {
        let list = |ext: &Extensions| match ext.list_type.as_deref() {
            Some("map") => format!("map by {}", ext.list_map_keys.join(", ")),
            other => other.unwrap_or("atomic").to_owned(),
        };
        self.differs(Class::Meaning, path, LIST_TYPE, Some(list(old)), Some(list(new)));
    }

    /// Compares how server-side apply merges maps, and whether they are resources.
    fn maps(&mut self, old: &Extensions, new: &Extensions, rest: Rest<'_>, path: &Path<'_>) {
        let map = |ext: &Extensions| ext.map_type.clone().or_else(|| Some("granular".to_owned()));
        self.differs(Class::Meaning, path, "x-kubernetes-map-type", map(old), map(new));
        let class = match rest {
            _ if new.embedded_resource => Class::Breaking,
            Rest::Any => Class::Looser,
            Rest::Names | Rest::Dropped => Class::DataLoss,
            Rest::Of(_) | Rest::Rejected => Class::Breaking,
        };
        let shown = |ext: &Extensions| Some(ext.embedded_resource.to_string());
        self.differs(class, path, "x-kubernetes-embedded-resource", shown(old), shown(new));
    }

    fn fields(&mut self, old: &Schema, new: &Schema, path: &Path<'_>) {
        self.rest(old, new, path);
        let properties = path.child("properties");
        let required: HashSet<&str> = new.limits.required.iter().map(String::as_str).collect();
        let has_metadata = self.has_known(old, METADATA) || self.has_known(new, METADATA);
        let spot = |name: &str| match has_metadata && name == METADATA {
            true => Spot::Metadata,
            false => Spot::Field { is_required: required.contains(name) },
        };
        for (name, before) in old.properties.iter() {
            let start = self.out.all.len();
            match (new.properties.get(name), new.value()) {
                (Some(property), _) => {
                    self.inner(spot(name), before, property, &properties.key(name));
                }
                (None, Some(value)) => {
                    self.inner(Spot::Entry, before, value, &path.child("additionalProperties"));
                    self.differs(
                        Class::Meaning,
                        &properties.key(name),
                        "default",
                        added(before, value),
                        None,
                    );
                }
                (None, None) if self.has_known(new, name) => {
                    self.known_field(spot(name), Some(before), None, &properties.key(name));
                }
                (None, None) => {
                    let unlisted = Part::Unlisted(name.to_owned());
                    let field = Part::Field(name.to_owned());
                    let (was, now) = (type_of(before), Some(ANY.to_owned()));
                    match Rest::new(new) {
                        Rest::Any => {
                            let is_filled = before.parts().any(fills_in);
                            let class = if is_filled { Class::Meaning } else { Class::Looser };
                            self.add(class, path, unlisted, was, now);
                            self.differs(
                                Class::Meaning,
                                &properties.key(name),
                                "default",
                                added(before, &any()),
                                None,
                            );
                        }
                        Rest::Names => self.add(names_only(before), path, unlisted, was, now),
                        Rest::Rejected => self.add(self.stricter(), path, field, Some(name.to_owned()), None),
                        Rest::Dropped | Rest::Of(_) => {
                            self.add(Class::DataLoss, path, field, Some(name.to_owned()), None);
                        }
                    }
                }
            }
            if !before.nullable && self.out.all.len() > start {
                let is_counted = new.limits.max_properties.is_some()
                    || junctors_read(new, &[Step::Key(name.to_owned())], true);
                self.counts_nulls(start, is_counted, [path, &properties.key(name)]);
            }
            let is_filled = new.properties.get(name).is_some_and(|property| property.default.is_some());
            if self.out.all.len() > start && !is_filled && presence::is_never_there(old, name) {
                for change in &mut self.out.all[start..] {
                    change.class = change.class.max(Class::Compatible);
                }
            }
        }
        self.new_fields(old, new, &spot, &properties);
    }

    /// Compares the fields that only the new schema lists.
    fn new_fields(&mut self, old: &Schema, new: &Schema, spot: &dyn Fn(&str) -> Spot, properties: &Path<'_>) {
        for (name, property) in new.properties.iter().filter(|(name, _)| !old.properties.contains_key(name)) {
            let at = properties.key(name);
            if self.has_known(old, name) {
                // Constraints on the fields of all objects, which exist in the old schema, too.
                self.known_field(spot(name), None, Some(property), &at);
                continue;
            }
            match Rest::new(old) {
                Rest::Of(value) => {
                    self.inner(spot(name), value, property, &at);
                    self.differs(Class::Meaning, &at, "default", None, added(property, value));
                }
                Rest::Any | Rest::Names if is_any(property) => {
                    self.inner(spot(name), &any(), property, &at);
                }
                Rest::Any | Rest::Names => {
                    let part = Part::Unlisted(name.to_owned());
                    self.add(Class::Breaking, &at, part, Some(ANY.to_owned()), type_of(property));
                }
                Rest::Dropped | Rest::Rejected => {
                    let part = Part::Field(name.to_owned());
                    self.add(Class::Compatible, &at, part, None, Some(name.to_owned()));
                }
            }
        }
    }

    /// Finds the changes, from one of them on, because of which the server keeps a null that it dropped. `is_counted` if the object may
    /// count its fields, or exclude some of them. The places are those of the object and of the value.
    fn counts_nulls(&mut self, start: usize, is_counted: bool, places: [&Path<'_>; 2]) {
        if !is_counted {
            return;
        }
        let [around, place] = places;
        let (around, place, class) = (around.steps(), place.child("nullable").steps(), self.stricter());
        for change in &mut self.out.all[start..] {
            let keeps_null = match &change.part {
                Part::Unlisted(_) | Part::UnknownFields => change.steps == around,
                Part::Keyword("nullable") => change.steps == place,
                _ => false,
            };
            if keeps_null
                && matches!(change.class, Class::DataLoss | Class::Meaning | Class::Client | Class::Looser)
            {
                change.class = class;
            }
        }
    }

    /// Compares what the server does with fields that the schemas do not list.
    fn rest(&mut self, old: &Schema, new: &Schema, path: &Path<'_>) {
        let (was, now) = (Rest::new(old), Rest::new(new));
        let values = path.child("additionalProperties");
        let class = match (was, now) {
            (Rest::Of(was), Rest::Of(now)) => {
                let start = self.out.all.len();
                self.inner(Spot::Entry, was, now, &values);
                return self.counts_nulls(start, counts_fields(new), [path, &values]);
            }
            (Rest::Any | Rest::Names, Rest::Of(new)) if is_any(new) => {
                return self.inner(Spot::Entry, &any(), new, &values);
            }
            (Rest::Any | Rest::Names, Rest::Of(_)) => {
                return self.add(Class::Breaking, &values, Part::UnknownFields, was.words(), now.words());
            }
            (Rest::Any | Rest::Names | Rest::Of(_), Rest::Rejected) => self.stricter(),
            (Rest::Any | Rest::Names | Rest::Of(_), Rest::Dropped) if requires_dropped(new) => {
                self.stricter()
            }
            (Rest::Any | Rest::Names | Rest::Of(_), Rest::Dropped) | (Rest::Any, Rest::Names) => {
                Class::DataLoss
            }
            (Rest::Of(values), Rest::Names) => names_only(values),
            (Rest::Dropped, Rest::Rejected) => Class::Compatible,
            (Rest::Of(values), Rest::Any) if fills_in(values) => Class::Meaning,
            (Rest::Dropped | Rest::Rejected | Rest::Names | Rest::Of(_), _) => Class::Looser,
            (Rest::Any, Rest::Any) => return,
        };
        if was.words() != now.words() {
            let start = self.out.all.len();
            self.add(class, path, Part::UnknownFields, was.words(), now.words());
            if matches!(was, Rest::Of(values) if !values.nullable) {
                self.counts_nulls(start, counts_fields(new), [path, &values]);
            }
        }
    }

    /// Whether values of a schema have a field although the schema does not list it, because they are whole objects.
    fn has_known(&self, schema: &Schema, name: &str) -> bool {
        match self.spot {
            Spot::Metadata => metadata::schema().properties.contains_key(name),
            Spot::Object => KNOWN.contains(&name),
            Spot::Field { .. } | Spot::Item | Spot::Entry => {
                schema.ext.embedded_resource && KNOWN.contains(&name)
            }
        }
    }

    /// Compares the schema of a field that all objects have with none, because a schema need not list it.
    fn known_field(&mut self, spot: Spot, old: Option<&Schema>, new: Option<&Schema>, path: &Path<'_>) {
        match (old, new) {
            (Some(old), None) => self.inner(spot, old, &bare(old), path),
            (None, Some(new)) => self.inner(spot, &bare(new), new, path),
            (Some(_), Some(_)) | (None, None) => {}
        }
    }

    fn rule_messages(&mut self, old: &[Rule], new: &[Rule], path: &Path<'_>) {
        for (index, now) in new.iter().enumerate() {
            let Some(was) = old.iter().find(|was| was.rule == now.rule) else { continue };
            if was != now && was.optional_old_self == now.optional_old_self {
                let rules = path.child("x-kubernetes-validations");
                self.add(Class::Cosmetic, &rules.index(index), Part::RuleMessage, None, None);
            }
        }
    }
}

/// Adds the rules of the first schema that are true of all values of the second one, but may take too long. The path of the root has `root`
/// bytes.
fn add_expensive(
    limits: &mut Vec<Limit>,
    (tight, own): (&Schema, &Costs<'_>),
    (loose, other): (&Schema, &Costs<'_>),
    (path, root): (&Path<'_>, usize),
) {
    if tight.rules.is_empty() {
        return;
    }
    let place = &path.to_string()[root..];
    let has = |schema: &Schema, rule: &Rule| schema.rules.iter().any(|it| it.rule == rule.rule);
    for (index, rule) in tight.rules.iter().enumerate().filter(|(_, rule)| !has(loose, rule)) {
        let is_known = |limit: &Limit| matches!(limit, Limit::Rule { index: known, .. } if *known == index);
        if limits.iter().any(is_known) || !own.may_reach_limit(place, index) {
            continue;
        }
        let mut gone = loose.rules.iter().enumerate().filter(|(_, rule)| !has(tight, rule));
        if !gone.any(|(at, _)| own.is_at_most(place, index, (other, at))) {
            let (own, other) = (one_line(&rule.rule), None);
            limits.push(Limit::Rule { index, own, other, is_transition: false });
        }
    }
}

/// In which direction a constraint changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Stricter,
    /// All values meet the constraint because of something else.
    Implied,
    Looser,
}

/// Whether two constraints, one of the new schema and one of the old one, are two views of one change.
fn is_about_same(one: &Limit, other: &Limit) -> bool {
    match (one, other) {
        (Limit::Keyword { keyword: a, .. }, Limit::Keyword { keyword: b, .. })
        | (Limit::Junctor { keyword: a, .. }, Limit::Junctor { keyword: b, .. }) => a == b,
        (Limit::Rule { other: Some(a), .. }, Limit::Rule { own: b, .. }) => a == b,
        _ => false,
    }
}

/// The format, if rules see a text of it as something else: bytes, a time or a duration.
fn rules_see(format: &str) -> Option<&str> {
    matches!(format, "byte" | "date" | "date-time" | "duration").then_some(format)
}

fn is_format(limit: &Limit) -> bool {
    matches!(limit, Limit::Keyword { keyword: "format", .. })
}

/// Whether a schema keeps fields that it does not list, whatever their values are.
fn keeps_unknown(schema: &Schema) -> bool {
    matches!(Rest::new(schema), Rest::Any | Rest::Names)
}

/// What the server does with the fields of an object that its schema does not list.
#[derive(Clone, Copy)]
enum Rest<'s> {
    /// It drops them.
    Dropped,
    /// It rejects the object.
    Rejected,
    /// It keeps them.
    Any,
    /// It keeps them, but drops the fields of their values.
    Names,
    /// It keeps those with values of this schema, and rejects objects with others.
    Of(&'s Schema),
}

impl<'s> Rest<'s> {
    fn new(schema: &'s Schema) -> Rest<'s> {
        match &schema.additional_properties {
            Some(Additional::Schema(values)) => Rest::Of(values),
            Some(Additional::Allow(true)) => Rest::Names,
            Some(Additional::Allow(false)) => Rest::Rejected,
            None if schema.preserves_unknown_fields() => Rest::Any,
            None => Rest::Dropped,
        }
    }

    fn words(self) -> Option<String> {
        Some(match self {
            Rest::Dropped => "dropped".to_owned(),
            Rest::Rejected => "rejected".to_owned(),
            Rest::Any => "kept".to_owned(),
            Rest::Names => "kept without the fields in them".to_owned(),
            Rest::Of(values) => format!("kept as {}", type_of(values).as_deref().unwrap_or(ANY)),
        })
    }
}

/// The schema of a field that is kept although no schema lists it. It may be null.
fn any() -> Schema {
    let ext = Extensions { preserve_unknown_fields: Some(true), ..Extensions::default() };
    Schema { nullable: true, ext, ..Schema::default() }
}

/// The types of a schema, and of all parts of its values.
fn bare(listed: &Schema) -> Schema {
    let mut out = Schema { ty: listed.ty.clone(), ..Schema::default() };
    out.items = listed.item().map(|item| Items::One(Box::new(bare(item))));
    out.additional_properties = listed.value().map(|values| Additional::Schema(Box::new(bare(values))));
    for (name, property) in listed.properties.iter() {
        out.properties.insert(name, bare(property));
    }
    out
}

/// Whether the server fills in a default in the place of a value of a schema, or in it.
fn fills_in(schema: &Schema) -> bool {
    schema.default.is_some() || schema.parts().any(fills_in)
}

/// Whether a schema allows values of all types.
fn is_any(schema: &Schema) -> bool {
    schema.ty.is_none() && !schema.ext.int_or_string
}

/// The default of a listed field, if the schema of fields that are not listed does not differ by it: the server adds a field that is not
/// there only if it is listed.
fn added(listed: &Schema, other: &Schema) -> Option<String> {
    let is_alone = listed.default == other.default || is_any(other);
    listed.default.as_ref().filter(|_| is_alone).map(json::to_string)
}

/// Whether a schema requires a field that the server drops, so that it accepts no object.
fn requires_dropped(schema: &Schema) -> bool {
    schema.limits.required.iter().any(|name| !schema.properties.contains_key(name))
}

/// Whether a schema counts the fields of an object, or says which of them exclude each other. A rule of a map may do both.
fn counts_fields(schema: &Schema) -> bool {
    schema.limits.max_properties.is_some()
        || (schema.value().is_some() && !schema.rules.is_empty())
        || clauses(schema).next().is_some()
}

/// What it means that the server drops the fields of values of a schema, and fills in nothing.
fn names_only(values: &Schema) -> Class {
    match (keeps_fields(values), fills_in(values)) {
        (true, _) => Class::DataLoss,
        (false, true) => Class::Meaning,
        (false, false) => Class::Looser,
    }
}

/// Whether values of a schema, or what is in them, have fields.
fn keeps_fields(values: &Schema) -> bool {
    !matches!(Rest::new(values), Rest::Dropped)
        || !values.properties.is_empty()
        || values.item().is_some_and(keeps_fields)
}

/// How a type compares with the type before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Types {
    Same,
    /// All old values have the new type, and all new values have the old one.
    Equal,
    /// All old values have the new type.
    Wider,
    Other,
}

fn types(old: &Schema, new: &Schema) -> Types {
    let (was, now) = (old.ty.as_ref(), new.ty.as_ref());
    let is_wider = match (was, now) {
        (Some(Type::Integer), Some(Type::Number)) => true,
        _ if new.ext.int_or_string => matches!(was, Some(Type::Integer | Type::String)),
        (_, None) => true,
        (_, Some(_)) => false,
    };
    if was == now && old.ext.int_or_string == new.ext.int_or_string {
        Types::Same
    } else if is_wider {
        Types::Wider
    } else {
        Types::Other
    }
}

fn type_of(schema: &Schema) -> Option<String> {
    match (&schema.ty, schema.ext.int_or_string) {
        (_, true) => Some("integer or string".to_owned()),
        (Some(ty), false) => Some(ty.as_str().to_owned()),
        (None, false) => None,
    }
}
