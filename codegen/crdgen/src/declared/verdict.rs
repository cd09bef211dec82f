//! What conversions lose, keep and leave to functions, as far as their declarations and types say.

use crdgen_core::read::rust::resolve::At;
use crdgen_core::read::rust::resolve::declared::{Body, Declared, How, Move, Pair, Turn, Type, TypeId};

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
    /// What is different.
    pub what: String,
    /// What becomes of it.
    pub fate: Fate,
    /// Where it is declared.
    pub at: Option<At>,
}

/// What becomes of what the other version cannot express.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fate {
    /// The annotation keeps it.
    Kept,
    /// It is lost, as somebody has accepted.
    Lost,
}

/// The verdicts on all pairs of versions.
pub fn verdicts(declared: &Declared) -> Vec<Verdict<'_>> {
    declared.pairs.iter().map(|pair| Verdict { pair, places: places(declared, pair) }).collect()
}

fn places(declared: &Declared, Pair { old, new, .. }: &Pair) -> Vec<Place> {
    let mut judge = Judge { declared, old: &old.name, new: &new.name, open: Vec::new(), places: Vec::new() };
    judge.types(if new.no_spec { "" } else { "spec" }, new.spec, old.spec);
    match (new.status, old.status) {
        (Some(new), Some(old)) => judge.types("status", new, old),
        (None, None) => {}
        (has, _) => {
            let (here, there) = if has.is_some() { (judge.new, judge.old) } else { (judge.old, judge.new) };
            let what = format!("{here} has a status, and {there} does not");
            judge.add("status", what, false, None);
        }
    }
    judge.places
}

struct Judge<'a> {
    declared: &'a Declared,
    old: &'a str,
    new: &'a str,
    /// The types around, which may contain themselves.
    open: Vec<(TypeId, TypeId)>,
    places: Vec<Place>,
}

impl Judge<'_> {
    fn add(&mut self, path: &str, what: String, lossy: bool, at: Option<At>) {
        let fate = if lossy { Fate::Lost } else { Fate::Kept };
        self.places.push(Place { path: path.to_owned(), what, fate, at });
    }

    fn ty(&self, ty: TypeId) -> &Type {
        self.declared.types.get(ty).unwrap_or(&Type::Any)
    }

    fn types(&mut self, path: &str, new: TypeId, old: TypeId) {
        if new == old || self.open.contains(&(new, old)) {
            return;
        }
        self.open.push((new, old));
        let found = self.declared.conversions.iter().find(|it| it.new == new && it.old == old);
        match (found.map(|it| &it.body), self.ty(new), self.ty(old)) {
            (Some(Body::Struct(moves)), ..) => self.moves(path, moves, new, old, None),
            (Some(Body::Enum(turns)), ..) => self.turns(path, turns, new, old),
            (None, Type::Option(new), Type::Option(old)) => self.types(path, *new, *old),
            (None, Type::List(new), Type::List(old)) => self.types(&format!("{path}[]"), *new, *old),
            (None, Type::Map(new), Type::Map(old)) => self.types(&format!("{path}[*]"), *new, *old),
            (None, ..) => {}
        }
        self.open.pop();
    }

    fn member(&self, ty: TypeId, variant: Option<&str>, path: &[String]) -> Option<TypeId> {
        let (first, rest) = path.split_first()?;
        let fields = match (self.ty(ty), variant) {
            (Type::Struct(it), None) => &it.fields,
            (Type::Enum(it), Some(name)) => &it.variants.iter().find(|it| it.member == name)?.content.fields,
            _ => return None,
        };
        let field = fields.iter().find(|field| field.member == *first)?;
        if rest.is_empty() { Some(field.ty) } else { self.member(field.ty, None, rest) }
    }

    fn moves(&mut self, path: &str, moves: &[Move], new: TypeId, old: TypeId, names: Option<(&str, &str)>) {
        for it in moves {
            let path = below(path, &it.label);
            let of_new = |judge: &Self, name: &String| {
                judge.member(new, names.map(|(new, _)| new), std::slice::from_ref(name))
            };
            let new_types: Vec<TypeId> = it.new.iter().filter_map(|name| of_new(self, name)).collect();
            let old_types: Vec<TypeId> =
                it.old.iter().filter_map(|at| self.member(old, names.map(|(_, old)| old), at)).collect();
            match (&it.how, new_types.as_slice(), old_types.as_slice()) {
                (How::Own { omit_empty, .. }, [new], [old]) => {
                    if *omit_empty {
                        let what = format!("an empty value in {} is none in {}", self.old, self.new);
                        self.add(&path, what, it.lossy, it.at.clone());
                    }
                    self.types(&path, *new, *old);
                }
                (How::Own { .. }, ..) => {}
                (How::Parts(parts), [whole], olds) => {
                    for ((name, label), old) in parts.iter().zip(olds) {
                        if let Some(new) = self.member(*whole, None, std::slice::from_ref(name)) {
                            self.types(&below(&path, label), new, *old);
                        }
                    }
                }
                (How::Parts(_), ..) => {}
                (How::Functions(with, back), new, old) => {
                    let forms = self.forms(new, old);
                    let what = format!("{forms}`{}` and `{}` convert it", with.text, back.text);
                    self.add(&path, what, it.lossy, it.at.clone());
                }
                (How::Default(_), ..) => {
                    let has = if it.new.is_empty() { self.old } else { self.new };
                    self.add(&path, format!("only {has} has it"), it.lossy, it.at.clone());
                }
            }
        }
    }

    /// How the values of both versions differ in form, if their types show it.
    fn forms(&self, new: &[TypeId], old: &[TypeId]) -> String {
        let form = |types: &[TypeId]| match types {
            [ty] => self.form(*ty),
            types => format!("{} fields", types.len()),
        };
        let (new, old) = (form(new), form(old));
        if new == old { String::new() } else { format!("{old} in {}, {new} in {}; ", self.old, self.new) }
    }

    fn form(&self, ty: TypeId) -> String {
        match self.ty(ty) {
            Type::Bool => "a boolean".to_owned(),
            Type::Int(i64::MIN, i64::MAX) => "a whole number".to_owned(),
            Type::Int(least, most) => format!("a whole number from {least} to {most}"),
            Type::Float { .. } => "a number".to_owned(),
            Type::Text => "a text".to_owned(),
            Type::Option(inner) => format!("{}, or none", self.form(*inner)),
            Type::List(_) | Type::Set(_) => "a list".to_owned(),
            Type::Map(_) => "a map".to_owned(),
            Type::Tuple(parts) => format!("a list of {}", parts.len()),
            Type::Struct(_) => "an object".to_owned(),
            Type::Enum(it) => format!("one of {} variants", it.variants.len()),
            Type::Any | Type::Unit | Type::Code(_) => "a value".to_owned(),
        }
    }

    fn turns(&mut self, path: &str, turns: &[Turn], new_type: TypeId, old_type: TypeId) {
        for turn in turns {
            match turn {
                Turn::Both { new, old, label, moves } => {
                    self.moves(&below(path, label), moves, new_type, old_type, Some((new, old)));
                }
                Turn::Added { new, instead, lossy, at } => {
                    let what = format!(
                        "only {} has the variant `{new}`, which is `{instead}` in {}",
                        self.new, self.old
                    );
                    self.add(path, what, *lossy, at.clone());
                }
                Turn::Removed { old, instead, lossy, at } => {
                    let what = format!(
                        "only {} has the variant `{old}`, which is `{instead}` in {}",
                        self.old, self.new
                    );
                    self.add(path, what, *lossy, at.clone());
                }
            }
        }
    }
}

/// A field of the value at a path, which is empty for an object.
fn below(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}
