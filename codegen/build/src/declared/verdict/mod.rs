//! Determines from declarations and types what conversions lose, keep and leave to functions, and which limits of the
//! schemas only one version has.

mod limits;

use super::walk::UNDECLARED;
use crdgen_core::ir::Schema;
use crdgen_source::At;
use crdgen_source::declared::{Body, Declared, Field, How, Move, Pair, Shape, Tagging, Turn, Type, TypeId};

/// What a pair of versions cannot express in each other.
#[derive(Debug)]
pub struct Verdict<'a> {
    /// The versions.
    pub pair: &'a Pair,
    /// The places, in the order of the types.
    pub places: Vec<Place>,
}

/// A place where a version cannot express all of the other.
#[derive(Debug)]
pub struct Place {
    /// The field, by the names of the newer version.
    pub path: String,
    /// The difference between the versions.
    pub what: String,
    /// What happens to the value.
    pub fate: Fate,
    /// The place of the declaration.
    pub at: Option<At>,
}

/// What happens to a value that the other version cannot express.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate {
    /// The annotation keeps it.
    Kept,
    /// It is lost, and the declaration allows this.
    Lost,
    /// The other version may reject it, because its schema allows less.
    Limited,
    /// It does not convert, because the types do not declare how.
    Undeclared,
}

/// Returns the verdicts on all pairs of versions. Compares limits if the schemas are known.
pub fn verdicts(declared: &Declared) -> Vec<Verdict<'_>> {
    declared.pairs.iter().map(|pair| Verdict { pair, places: places(declared, pair) }).collect()
}

fn places(declared: &Declared, Pair { old, new, .. }: &Pair) -> Vec<Place> {
    let mut judge = Judge { declared, old: &old.name, new: &new.name, open: Vec::new(), places: Vec::new() };
    let root = Schemas { new: new.schema.as_deref(), old: old.schema.as_deref(), are_compared: false };
    judge.limits_of_objects(root);
    let types = Types { new: new.spec, old: old.spec };
    match new.no_spec {
        true => judge.types(Spot::START, types, root.compared()),
        false => judge.types(Spot { path: "spec", ..Spot::START }, types, root.field("spec")),
    }
    match (new.status, old.status) {
        (Some(new), Some(old)) => {
            judge.types(Spot { path: "status", ..Spot::START }, Types { new, old }, root.field("status"));
        }
        (None, None) => {}
        (has, _) => {
            let (here, there) = if has.is_some() { (judge.new, judge.old) } else { (judge.old, judge.new) };
            let what = format!("{here} has a status, and {there} does not");
            judge.add(Spot { path: "status", ..Spot::START }, what, Fate::Kept);
        }
    }
    judge.places
}

/// A place in the newer version, and where it is declared.
#[derive(Clone, Copy)]
struct Spot<'s> {
    path: &'s str,
    at: Option<&'s At>,
}

impl Spot<'_> {
    const START: Spot<'static> = Spot { path: "", at: None };
}

/// The types of a place.
#[derive(Clone, Copy, PartialEq)]
struct Types {
    new: TypeId,
    old: TypeId,
}

/// The schemas of a place, where they are known.
#[derive(Clone, Copy, Default)]
struct Schemas<'a> {
    new: Option<&'a Schema>,
    old: Option<&'a Schema>,
    /// Whether they belong to a value around the place, and were already compared.
    are_compared: bool,
}

impl<'a> Schemas<'a> {
    fn compared(self) -> Schemas<'a> {
        Schemas { are_compared: true, ..self }
    }

    fn map(self, inside: impl Fn(&'a Schema) -> Option<&'a Schema>) -> Schemas<'a> {
        Schemas { new: self.new.and_then(&inside), old: self.old.and_then(&inside), are_compared: false }
    }

    fn field(self, name: &str) -> Schemas<'a> {
        self.map(|schema| schema.properties.get(name))
    }
}

/// The variants of both enums whose fields are being compared.
#[derive(Clone, Copy)]
struct Variants<'s> {
    new: &'s str,
    old: &'s str,
}

/// A field of a type of one version.
#[derive(Clone, Copy)]
struct Member<'a> {
    field: &'a Field,
    /// The schema of the value that contains the field.
    around: Option<&'a Schema>,
    schema: Option<&'a Schema>,
    /// Whether the value around the field has the same schema.
    is_shared: bool,
}

struct Judge<'a> {
    declared: &'a Declared,
    old: &'a str,
    new: &'a str,
    /// The types around this one, because types may contain themselves.
    open: Vec<Types>,
    places: Vec<Place>,
}

impl<'a> Judge<'a> {
    fn add(&mut self, Spot { path, at }: Spot<'_>, what: String, fate: Fate) {
        self.places.push(Place { path: path.to_owned(), what, fate, at: at.cloned() });
    }

    fn ty(&self, ty: TypeId) -> &'a Type {
        self.declared.types.get(ty).unwrap_or(&Type::Any)
    }

    fn types(&mut self, spot: Spot<'_>, types: Types, schemas: Schemas<'a>) {
        if types.new == types.old {
            self.same(spot, types.new, schemas);
            return;
        }
        if self.open.contains(&types) {
            return;
        }
        self.open.push(types);
        let mut conversions = self.declared.conversions.iter();
        let found = conversions.find(|it| it.new == types.new && it.old == types.old);
        match (found.map(|it| &it.body), self.ty(types.new), self.ty(types.old)) {
            (Some(Body::Struct(moves)), ..) => {
                self.limits(spot, schemas);
                self.moves(spot, moves, types, schemas, None);
            }
            (Some(Body::Enum(turns)), ..) => {
                self.limits(spot, schemas);
                self.turns(spot, turns, types, schemas);
            }
            (None, Type::Option(new), Type::Option(old)) => {
                self.types(spot, Types { new: *new, old: *old }, schemas);
            }
            (None, Type::List(new), Type::List(old)) => {
                self.limits(spot, schemas);
                let path = format!("{}[]", spot.path);
                let items = schemas.map(Schema::item);
                self.types(Spot { path: &path, ..spot }, Types { new: *new, old: *old }, items);
            }
            (None, Type::Map(new), Type::Map(old)) => {
                self.limits(spot, schemas);
                let path = format!("{}[*]", spot.path);
                let values = schemas.map(Schema::value);
                self.types(Spot { path: &path, ..spot }, Types { new: *new, old: *old }, values);
            }
            (None, ..) => self.add(spot, UNDECLARED.to_owned(), Fate::Undeclared),
        }
        self.open.pop();
    }

    /// Returns a field, or a field of a struct inside. `schema` is that of the value.
    fn member(
        &self,
        ty: TypeId,
        variant: Option<&str>,
        path: &[String],
        schema: Option<&'a Schema>,
    ) -> Option<Member<'a>> {
        let (first, rest) = path.split_first()?;
        let (content, around, is_inside) = match (self.ty(ty), variant) {
            (Type::Struct(it), None) => (it, schema, false),
            (Type::Enum(it), Some(name)) => {
                let variant = it.variants.iter().find(|it| it.member == name)?;
                let around = match &it.tagging {
                    Tagging::External => schema.and_then(|schema| schema.properties.get(&variant.name)),
                    Tagging::Internal(_) | Tagging::Untagged => schema,
                    Tagging::Adjacent(_, content) => schema.and_then(|it| it.properties.get(content)),
                };
                (&variant.content, around, it.tagging == Tagging::External)
            }
            _ => return None,
        };
        let field = content.fields.iter().find(|field| field.member == *first)?;
        let member = match content.shape {
            Shape::Newtype => Member { field, around: None, schema: around, is_shared: !is_inside },
            Shape::Named if field.flatten => Member { field, around: None, schema: around, is_shared: true },
            Shape::Named => {
                let schema = around.and_then(|around| around.properties.get(&field.name));
                Member { field, around, schema, is_shared: false }
            }
            Shape::Tuple | Shape::Unit => Member { field, around: None, schema: None, is_shared: false },
        };
        if rest.is_empty() { Some(member) } else { self.member(field.ty, None, rest, member.schema) }
    }

    fn moves(
        &mut self,
        spot: Spot<'_>,
        moves: &'a [Move],
        types: Types,
        schemas: Schemas<'a>,
        variants: Option<Variants<'_>>,
    ) {
        for it in moves {
            let path = below(spot.path, &it.label);
            let spot = Spot { path: &path, at: it.at.as_ref() };
            let fate = if it.lossy { Fate::Lost } else { Fate::Kept };
            let of_new = |name: &String| {
                let variant = variants.map(|it| it.new);
                self.member(types.new, variant, std::slice::from_ref(name), schemas.new)
            };
            let of_old =
                |path: &Vec<String>| self.member(types.old, variants.map(|it| it.old), path, schemas.old);
            let new: Vec<Member<'a>> = it.new.iter().filter_map(of_new).collect();
            let old: Vec<Member<'a>> = it.old.iter().filter_map(of_old).collect();
            match (&it.how, new.as_slice(), old.as_slice()) {
                (How::Own { omit_empty, .. }, [new], [old]) => {
                    if *omit_empty {
                        let what = format!("an empty value in {} is none in {}", self.old, self.new);
                        self.add(spot, what, fate);
                    }
                    self.members(spot, *new, *old);
                }
                (How::Own { .. }, ..) => {}
                (How::Parts(parts), [whole], olds) => {
                    for ((name, label), old) in parts.iter().zip(olds) {
                        let name = std::slice::from_ref(name);
                        if let Some(new) = self.member(whole.field.ty, None, name, whole.schema) {
                            let path = below(&path, label);
                            self.members(Spot { path: &path, ..spot }, new, *old);
                        }
                    }
                }
                (How::Parts(_), ..) => {}
                (How::Functions(with, back), new, old) => {
                    let forms = self.forms(new, old);
                    let what = format!("{forms}`{}` and `{}` convert it", with.text, back.text);
                    self.add(spot, what, fate);
                }
                (How::Default(default), new, old) => {
                    let (has, lacks) =
                        if it.new.is_empty() { (self.old, self.new) } else { (self.new, self.old) };
                    self.add(spot, format!("only {has} has it"), fate);
                    if let (Ok(value), [member]) = (default, if new.is_empty() { old } else { new }) {
                        self.limits_of_default(spot, value, *member, has, lacks);
                    }
                }
            }
        }
    }

    /// Compares a field that both versions have.
    fn members(&mut self, spot: Spot<'_>, new: Member<'a>, old: Member<'a>) {
        self.limits_of_absence(spot, new, old);
        let are_compared = new.is_shared && old.is_shared;
        let types = Types { new: new.field.ty, old: old.field.ty };
        self.types(spot, types, Schemas { new: new.schema, old: old.schema, are_compared });
    }

    /// Describes how the values of both versions differ in form, if their types show it.
    fn forms(&self, new: &[Member<'_>], old: &[Member<'_>]) -> String {
        let form = |members: &[Member<'_>]| match members {
            [member] => self.form(member.field.ty),
            members => format!("{} fields", members.len()),
        };
        let (new, old) = (form(new), form(old));
        if new == old { String::new() } else { format!("{old} in {}, {new} in {}; ", self.old, self.new) }
    }

    fn form(&self, ty: TypeId) -> String {
        match self.ty(ty) {
            Type::Bool => "a boolean".to_owned(),
            Type::Int(i64::MIN, i64::MAX) => "an integer".to_owned(),
            Type::Int(least, most) => format!("an integer from {least} to {most}"),
            Type::Float { .. } => "a number".to_owned(),
            Type::Text => "a string".to_owned(),
            Type::Option(inner) => format!("{}, or none", self.form(*inner)),
            Type::List(_) | Type::Set(_) => "a list".to_owned(),
            Type::Map(_) => "a map".to_owned(),
            Type::Tuple(parts) => format!("a list of {}", parts.len()),
            Type::Struct(_) => "an object".to_owned(),
            Type::Enum(it) => format!("one of {} variants", it.variants.len()),
            Type::Any | Type::Unit | Type::Code(_) => "a value".to_owned(),
        }
    }

    fn turns(&mut self, spot: Spot<'_>, turns: &'a [Turn], types: Types, schemas: Schemas<'a>) {
        let fate = |lossy: bool| if lossy { Fate::Lost } else { Fate::Kept };
        for turn in turns {
            match turn {
                Turn::Both { new, old, label, moves } => {
                    let path = below(spot.path, label);
                    let variants = Some(Variants { new, old });
                    self.moves(Spot { path: &path, at: None }, moves, types, schemas, variants);
                }
                Turn::Added { new, instead, lossy, at } => {
                    let what = format!(
                        "only {} has the variant `{new}`, which is `{instead}` in {}",
                        self.new, self.old
                    );
                    self.add(Spot { at: at.as_ref(), ..spot }, what, fate(*lossy));
                }
                Turn::Removed { old, instead, lossy, at } => {
                    let what = format!(
                        "only {} has the variant `{old}`, which is `{instead}` in {}",
                        self.old, self.new
                    );
                    self.add(Spot { at: at.as_ref(), ..spot }, what, fate(*lossy));
                }
            }
        }
    }
}

/// Returns the path of a field in the value at a path. The path is empty for an object.
fn below(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}
