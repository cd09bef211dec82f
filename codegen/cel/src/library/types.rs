//! The types of declarations.

use crate::types::{Kind, Ty, Types};
use std::ops::Deref;
use std::sync::Arc;

/// The type of a variable, a field, an argument or a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// The first type parameter of a function.
    A,
    /// The second type parameter of a function.
    B,
    /// `dyn`
    Dyn,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `uint`
    Uint,
    /// `double`
    Double,
    /// `string`
    String,
    /// `bytes`
    Bytes,
    /// `duration`
    Duration,
    /// `timestamp`
    Timestamp,
    /// `list(T)`
    List(Part),
    /// `map(K, V)`
    Map(Part, Part),
    /// `optional_type(T)`
    Optional(Part),
    /// `type(T)`
    TypeOf(Part),
    /// An abstract type of a library, such as `net.IP`. No other type is assignable to it.
    Opaque(&'static str),
    /// A named type of a library, such as `kubernetes.Quantity`.
    Struct(&'static str),
    /// A type with fields: its number among those that the environment declares, and its name.
    Object(u32, Arc<str>),
}

/// A part of a type.
#[derive(Clone, Debug)]
pub enum Part {
    /// A type of a library.
    Static(&'static Type),
    /// A type that was declared at run time, with the number of its type parameters.
    Own(Arc<Type>, u32),
}

impl Deref for Part {
    type Target = Type;

    fn deref(&self) -> &Type {
        match self {
            Part::Static(ty) => ty,
            Part::Own(ty, _) => ty,
        }
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        **self == **other
    }
}

impl From<Type> for Part {
    fn from(ty: Type) -> Part {
        let params = ty.params();
        Part::Own(Arc::new(ty), params)
    }
}

impl Part {
    const fn params(&self) -> u32 {
        match self {
            Part::Static(ty) => ty.params(),
            Part::Own(_, params) => *params,
        }
    }
}

/// `list(T)` in a table.
pub(super) const fn list(of: &'static Type) -> Type {
    Type::List(Part::Static(of))
}

/// `map(K, V)` in a table.
pub(super) const fn map(keys: &'static Type, values: &'static Type) -> Type {
    Type::Map(Part::Static(keys), Part::Static(values))
}

/// `optional_type(T)` in a table.
pub(super) const fn optional(of: &'static Type) -> Type {
    Type::Optional(Part::Static(of))
}

/// `type(T)` in a table.
pub(super) const fn type_of(of: &'static Type) -> Type {
    Type::TypeOf(Part::Static(of))
}

impl Type {
    /// Creates the type `list(of)`.
    pub fn list(of: Type) -> Type {
        Type::List(of.into())
    }

    /// Creates the type `map(keys, values)`.
    pub fn map(keys: Type, values: Type) -> Type {
        Type::Map(keys.into(), values.into())
    }

    /// Creates the type `optional_type(of)`.
    pub fn optional(of: Type) -> Type {
        Type::Optional(of.into())
    }

    /// The number of type parameters up to the last one that the type has.
    pub(super) const fn params(&self) -> u32 {
        match self {
            Type::A => 1,
            Type::B => 2,
            Type::List(t) | Type::Optional(t) | Type::TypeOf(t) => t.params(),
            Type::Map(k, v) => most(k.params(), v.params()),
            Type::Dyn
            | Type::Bool
            | Type::Int
            | Type::Uint
            | Type::Double
            | Type::String
            | Type::Bytes
            | Type::Duration
            | Type::Timestamp
            | Type::Opaque(_)
            | Type::Struct(_)
            | Type::Object(..) => 0,
        }
    }

    /// The type for these type parameters.
    pub(crate) fn intern(&self, types: &mut Types, params: [Ty; 2]) -> Ty {
        match self {
            Type::A => params[0],
            Type::B => params[1],
            Type::Dyn => Ty::DYN,
            Type::Bool => Ty::BOOL,
            Type::Int => Ty::INT,
            Type::Uint => Ty::UINT,
            Type::Double => Ty::DOUBLE,
            Type::String => Ty::STRING,
            Type::Bytes => Ty::BYTES,
            Type::Duration => Ty::DURATION,
            Type::Timestamp => Ty::TIMESTAMP,
            Type::List(t) => {
                let t = t.intern(types, params);
                types.list(t)
            }
            Type::Map(k, v) => {
                let (k, v) = (k.intern(types, params), v.intern(types, params));
                types.map(k, v)
            }
            Type::Optional(t) => {
                let t = t.intern(types, params);
                types.optional(t)
            }
            Type::TypeOf(t) => {
                let t = t.intern(types, params);
                types.type_of(t)
            }
            Type::Opaque(name) => types.intern(Kind::Opaque(name)),
            Type::Struct(name) => types.intern(Kind::Struct(name)),
            Type::Object(decl, name) => types.object(*decl, name),
        }
    }
}

pub(super) const fn most(a: u32, b: u32) -> u32 {
    if a > b { a } else { b }
}
