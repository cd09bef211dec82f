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
    /// Whether the conversion can fail.
    pub fallible: bool,
    /// The path at which crdgen is re-exported.
    pub krate: Option<syn::Path>,
    /// How the fields or variants convert.
    pub body: Body,
    /// The kind around the type, if the type is a spec.
    pub kind: Option<Around>,
}

/// How the content of a type converts.
pub enum Body {
    /// The conversion of the fields of a struct.
    Struct(Fields),
    /// The conversion of the variants of an enum.
    Enum(Vec<Variant>),
}

/// How the fields of a struct or a variant convert.
#[derive(Default)]
pub struct Fields {
    /// The conversions of the fields. Every field of both types is in one of them.
    pub moves: Vec<Move>,
    /// The types of older structs whose fields convert one by one, with the paths of these structs.
    pub inside: Vec<(Vec<Member>, syn::Path)>,
}

/// A conversion between some fields of the newer type and some fields of the older type.
pub struct Move {
    /// The fields of the newer type. Empty if the fields were removed.
    pub new: Vec<New>,
    /// The fields of the older type. Empty if the fields were added.
    pub old: Vec<Old>,
    /// The name of the fields in annotations and errors.
    pub label: String,
    /// How the fields convert.
    pub how: How,
    /// Whether what the other version cannot express is lost, which the author has accepted.
    pub lossy: bool,
}

/// A field of the newer type.
pub struct New {
    /// The name of the field.
    pub member: Member,
    /// The type of the field.
    pub ty: syn::Type,
}

/// A field of the older type, or of a struct inside of it.
#[derive(Clone)]
pub struct Old {
    /// The names on the path to the field.
    pub path: Vec<Member>,
    /// The place where an attribute names the field.
    pub span: Span,
}

/// How fields convert.
pub enum How {
    /// One field by the conversion of its own type.
    Own {
        /// The fields by which the items of a list are matched.
        keys: Vec<String>,
        /// Whether an `Option` becomes `None` if its value is empty.
        omit_empty: bool,
    },
    /// By combining several fields into one struct, each by the conversion of its own type. Contains the names of the
    /// struct's fields, and their labels.
    Parts(Vec<(Ident, String)>),
    /// By a function for each direction.
    Functions {
        /// The function that converts to the newer version.
        with: Function,
        /// The function that converts to the older version.
        back: Function,
        /// Whether the functions also get the object.
        object: bool,
    },
    /// By a default, because the other version does not have the field. If no value was kept, this function returns
    /// the value. Without a function, it is `Default::default()`.
    Default(Option<syn::Path>),
}

/// A function that converts.
pub struct Function {
    /// The path of the function.
    pub path: syn::Path,
    /// Whether the function returns a `Result`.
    pub fallible: bool,
}

/// How a variant converts.
pub enum Variant {
    /// Both types have the variant.
    Both {
        /// The name in the newer type.
        new: Ident,
        /// The name in the older type.
        old: Ident,
        /// The name in annotations and errors.
        label: String,
        /// How the fields of the variant convert.
        fields: Fields,
    },
    /// Only the newer type has the variant.
    Added {
        /// The name of the variant.
        new: Ident,
        /// The variant of the older type that corresponds to it.
        instead: Ident,
        /// Whether the variant is not restored when a value is converted back.
        lossy: bool,
    },
    /// Only the older type has the variant.
    Removed {
        /// The name of the variant.
        old: Ident,
        /// The variant of the newer type that corresponds to it.
        instead: Ident,
        /// Whether the variant is not restored when a value is converted back.
        lossy: bool,
    },
}

/// Which of the two kinds have a status.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StatusOf {
    /// Both kinds have one, or neither of them.
    Both,
    /// Only the newer kind has one.
    New,
    /// Only the older kind has one.
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
    /// Whether a test of the conversion is generated.
    pub test: bool,
}
