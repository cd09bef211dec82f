//! The plan of a conversion: which fields of the older type become which fields of the newer one, and how. The derive
//! writes both directions from it.

use proc_macro2::{Ident, Span};
use syn::Member;

/// The conversion between a type and the type of an older version.
pub struct Plan {
    /// The newer type, which has the attributes.
    pub name: Ident,
    /// The older type.
    pub old: syn::Path,
    /// Whether a value may have no counterpart.
    pub fallible: bool,
    /// Where this crate is re-exported.
    pub krate: Option<syn::Path>,
    /// What becomes of what is inside.
    pub body: Body,
    /// The kind around the type, if it is a spec.
    pub kind: Option<Around>,
}

/// What becomes of what is inside of a type.
pub enum Body {
    /// Of a struct.
    Struct(Fields),
    /// Of an enum.
    Enum(Vec<Variant>),
}

/// What becomes of the fields of a struct or a variant.
#[derive(Default)]
pub struct Fields {
    /// Every field of both sides is in one of them.
    pub moves: Vec<Move>,
    /// The types of older structs whose fields are taken one by one, by their paths.
    pub inside: Vec<(Vec<Member>, syn::Path)>,
}

/// What becomes of some fields.
pub struct Move {
    /// The fields of the newer type; none if they were removed.
    pub new: Vec<New>,
    /// The fields of the older type; none if they were added.
    pub old: Vec<Old>,
    /// The name of the place, in the annotation and in errors.
    pub label: String,
    /// How the fields convert.
    pub how: How,
    /// Whether nothing is kept of what the other version cannot express, which somebody has accepted.
    pub lossy: bool,
}

/// A field of the newer type.
pub struct New {
    /// Its name.
    pub member: Member,
    /// Its type.
    pub ty: syn::Type,
}

/// A field of the older type, or of a struct in there.
#[derive(Clone)]
pub struct Old {
    /// The names that lead to it.
    pub path: Vec<Member>,
    /// Where it is named.
    pub span: Span,
}

/// How fields convert.
pub enum How {
    /// One field by the conversion of its own type.
    Own {
        /// The keys of the items of a list.
        keys: Vec<String>,
        /// Whether an `Option` becomes `None` if nothing is in its value.
        omit_empty: bool,
    },
    /// One struct from several fields, each by the conversion of its own type: the names of its fields, and their
    /// labels.
    Parts(Vec<(Ident, String)>),
    /// By a function for each direction.
    Functions {
        /// To the newer version.
        with: Function,
        /// To the older version.
        back: Function,
        /// Whether they get the object, too.
        object: bool,
    },
    /// The other version does not have the field. If nothing was kept of it, this function gives its value, or
    /// `Default`.
    Default(Option<syn::Path>),
}

/// A function that converts.
pub struct Function {
    /// Its path.
    pub path: syn::Path,
    /// Whether it gives a `Result`.
    pub fallible: bool,
}

/// What becomes of a variant.
pub enum Variant {
    /// Both types have it.
    Both {
        /// The name in the newer type.
        new: Ident,
        /// The name in the older type.
        old: Ident,
        /// The name in annotations and errors.
        label: String,
        /// Its fields.
        fields: Fields,
    },
    /// Only the newer type has it.
    Added {
        /// Its name.
        new: Ident,
        /// The variant of the older type that corresponds to it.
        instead: Ident,
        /// Whether it does not come back.
        lossy: bool,
    },
    /// Only the older type has it.
    Removed {
        /// Its name.
        old: Ident,
        /// The variant of the newer type that corresponds to it.
        instead: Ident,
        /// Whether it does not come back.
        lossy: bool,
    },
}

/// Which of two kinds have a status.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StatusOf {
    /// Both of them, or none.
    Both,
    /// The newer one.
    New,
    /// The older one.
    Old,
}

/// The kind around a spec.
pub struct Around {
    /// The newer kind.
    pub name: Ident,
    /// The older kind.
    pub old: syn::Path,
    /// The type of the status, if the newer kind has one.
    pub status: Option<syn::Type>,
    /// Which of the kinds have a status.
    pub status_of: StatusOf,
    /// Whether the spec is an `Option`.
    pub spec_optional: bool,
    /// Whether the fields are at the top level of the object, without a spec.
    pub no_spec: bool,
    /// Whether a test is wanted.
    pub test: bool,
}
