//! Types as serde reads and writes them, and the conversions between them, as plain data. They are interpreted without
//! the sources.

pub use super::super::eval::Skip;
use super::super::{Asked, At};
use crate::ir::Schema;
use crate::value::Value;

/// The index of a type in [`Declared::types`].
pub type TypeId = usize;

/// The conversions that the sources declare, and their types.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// All types that the conversions use.
    pub types: Vec<Type>,
    /// The conversions between the types.
    pub conversions: Vec<Conversion>,
    /// The pairs of versions of a kind between which a conversion is declared.
    pub pairs: Vec<Pair>,
}

/// Two versions of a kind between which a conversion is declared.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The API group.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The older version.
    pub old: Version,
    /// The newer version.
    pub new: Version,
}

/// A version of a kind.
#[derive(Clone, Debug)]
pub struct Version {
    /// The name of the version.
    pub name: String,
    /// The type of the spec.
    pub spec: TypeId,
    /// Whether the fields are at the top level of the object, without a spec.
    pub no_spec: bool,
    /// The type of the status, if there is one.
    pub status: Option<TypeId>,
    /// The struct of the version, for programs that convert with it.
    pub asked: Asked,
    /// The schema of the version's objects, if it was requested and is known.
    pub schema: Option<Box<Schema>>,
}

/// Code that must be run, and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// A description of the code.
    pub text: String,
    /// The place of the code.
    pub at: Option<At>,
}

/// A type, as serde reads and writes it.
#[derive(Clone, Debug)]
pub enum Type {
    /// A boolean.
    Bool,
    /// An integer from the first to the second number.
    Int(i64, i64),
    /// A floating-point number.
    Float {
        /// Whether it has 32 bits.
        single: bool,
    },
    /// A string.
    Text,
    /// Any JSON, unchanged.
    Any,
    /// The value `null`.
    Unit,
    /// A value of this type, or `null`.
    Option(TypeId),
    /// A list with items of this type.
    List(TypeId),
    /// A sorted list without duplicates.
    Set(TypeId),
    /// A map with values of this type.
    Map(TypeId),
    /// A list with one item per type.
    Tuple(Vec<TypeId>),
    /// A struct.
    Struct(Struct),
    /// An enum.
    Enum(Enum),
    /// A type that only code can read or write.
    Code(Code),
}

/// The JSON that serde writes for the fields of a struct or a variant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// An object.
    Named,
    /// A list.
    Tuple,
    /// The value of its only field.
    Newtype,
    /// No content.
    Unit,
}

/// A struct, or the fields of a variant.
#[derive(Clone, Debug)]
pub struct Struct {
    /// The JSON that serde writes for the struct.
    pub shape: Shape,
    /// The fields of the struct.
    pub fields: Vec<Field>,
    /// The value from which serde takes missing fields, if there is one.
    pub default: Option<Result<Value, Code>>,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name of the field in Rust.
    pub member: String,
    /// The name of the field in JSON.
    pub name: String,
    /// Other names by which serde reads the field.
    pub aliases: Vec<String>,
    /// The type of the field.
    pub ty: TypeId,
    /// The value of the field if it is missing.
    pub default: Option<Result<Value, Code>>,
    /// The values for which serde does not write the field.
    pub skip: Result<Skip, Code>,
    /// Whether the fields of its type are flattened into the struct.
    pub flatten: bool,
    /// Whether serde reads the field.
    pub is_read: bool,
    /// Whether serde writes the field.
    pub is_written: bool,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct Enum {
    /// How serde distinguishes variants.
    pub tagging: Tagging,
    /// The variants of the enum.
    pub variants: Vec<Variant>,
}

/// How serde distinguishes variants.
#[derive(Clone, Debug, PartialEq)]
pub enum Tagging {
    /// By the only key of an object, or by a string.
    External,
    /// By the field with this name, next to the fields of the variant.
    Internal(String),
    /// By the field with the first name. The field with the second name contains the value.
    Adjacent(String, String),
    /// By the content: the first variant that serde can read.
    Untagged,
}

/// A variant.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name of the variant in Rust.
    pub member: String,
    /// The name of the variant in JSON.
    pub name: String,
    /// Other names by which serde reads the variant.
    pub aliases: Vec<String>,
    /// Whether serde reads this variant for all unknown names.
    pub other: bool,
    /// The fields of the variant.
    pub content: Struct,
}

/// A conversion between the type of a newer version and that of an older one.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The newer type.
    pub new: TypeId,
    /// The older type.
    pub old: TypeId,
    /// How the fields or variants convert.
    pub body: Body,
}

/// How the content of a type converts.
#[derive(Clone, Debug)]
pub enum Body {
    /// The conversion of the fields of a struct.
    Struct(Vec<Move>),
    /// The conversion of the variants of an enum.
    Enum(Vec<Turn>),
}

/// A conversion between some fields of the newer type and some fields of the older type.
#[derive(Clone, Debug)]
pub struct Move {
    /// The fields of the newer type.
    pub new: Vec<String>,
    /// The fields of the older type, each as a path of names.
    pub old: Vec<Vec<String>>,
    /// The name of the fields in annotations and errors.
    pub label: String,
    /// How the fields convert.
    pub how: How,
    /// Whether what the other version cannot express is lost.
    pub lossy: bool,
    /// The place of the declaration.
    pub at: Option<At>,
}

/// How fields convert.
#[derive(Clone, Debug)]
pub enum How {
    /// By the conversion of their own type.
    Own {
        /// The fields by which the items of a list are matched.
        keys: Vec<String>,
        /// Whether an `Option` becomes `None` if its value is empty.
        omit_empty: bool,
    },
    /// By combining several fields into one struct. Contains the names of the struct's fields, and their labels.
    Parts(Vec<(String, String)>),
    /// By functions: the first to the newer version, the second to the older one.
    Functions(Code, Code),
    /// By a default, because the other version does not have the field.
    Default(Result<Value, Code>),
}

/// The conversion of a variant.
#[derive(Clone, Debug)]
pub enum Turn {
    /// Both types have the variant.
    Both {
        /// The name of the variant in the newer type.
        new: String,
        /// The name of the variant in the older type.
        old: String,
        /// The name of the variant in annotations and errors.
        label: String,
        /// How the fields of the variant convert.
        moves: Vec<Move>,
    },
    /// Only the newer type has the variant.
    Added {
        /// The name of the variant.
        new: String,
        /// The variant of the older type that corresponds to it.
        instead: String,
        /// Whether the variant is not restored when a value is converted back.
        lossy: bool,
        /// The place of the declaration.
        at: Option<At>,
    },
    /// Only the older type has the variant.
    Removed {
        /// The name of the variant.
        old: String,
        /// The variant of the newer type that corresponds to it.
        instead: String,
        /// Whether the variant is not restored when a value is converted back.
        lossy: bool,
        /// The place of the declaration.
        at: Option<At>,
    },
}

impl Variant {
    /// Returns whether serde reads the variant by this name.
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }
}
