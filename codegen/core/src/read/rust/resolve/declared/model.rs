//! Types as serde reads and writes them, and the conversions between them, as plain data. They are interpreted without
//! the sources.

pub use super::super::eval::Skip;
use super::super::{Asked, At};
use crate::ir::Schema;
use crate::value::Value;

/// The number of a type.
pub type TypeId = usize;

/// What sources declare.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// All types that take part.
    pub types: Vec<Type>,
    /// The conversions between them.
    pub conversions: Vec<Conversion>,
    /// The kinds with a conversion from an older version.
    pub pairs: Vec<Pair>,
}

/// Two versions of a kind.
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
    /// Its name.
    pub name: String,
    /// The type of the spec.
    pub spec: TypeId,
    /// Whether the fields are at the top level of the object, without a spec.
    pub no_spec: bool,
    /// The type of the status, if there is one.
    pub status: Option<TypeId>,
    /// Its struct, for programs that convert with it.
    pub asked: Asked,
    /// The schema of its objects, if it is known and was asked for.
    pub schema: Option<Box<Schema>>,
}

/// Code that must be run, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// What it does.
    pub text: String,
    /// Where.
    pub at: Option<At>,
}

/// A type.
#[derive(Clone, Debug)]
pub enum Type {
    /// A boolean.
    Bool,
    /// A whole number between these.
    Int(i64, i64),
    /// A number.
    Float {
        /// Whether it has 32 bits.
        single: bool,
    },
    /// A text.
    Text,
    /// Any JSON, as it is.
    Any,
    /// `null`
    Unit,
    /// A value or `null`.
    Option(TypeId),
    /// A list.
    List(TypeId),
    /// A list in which each value is once, in their order.
    Set(TypeId),
    /// A map.
    Map(TypeId),
    /// A list of as many values.
    Tuple(Vec<TypeId>),
    /// A struct.
    Struct(Struct),
    /// An enum.
    Enum(Enum),
    /// One that only code can read or write.
    Code(Code),
}

/// What serde makes of the fields of a struct or a variant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// An object.
    Named,
    /// A list.
    Tuple,
    /// The value of its only field.
    Newtype,
    /// Nothing.
    Unit,
}

/// A struct, or the fields of a variant.
#[derive(Clone, Debug)]
pub struct Struct {
    /// What serde makes of it.
    pub shape: Shape,
    /// Its fields.
    pub fields: Vec<Field>,
    /// What missing fields are taken from.
    pub default: Option<Result<Value, Code>>,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in Rust.
    pub member: String,
    /// Its name for serde.
    pub name: String,
    /// Other names that serde reads.
    pub aliases: Vec<String>,
    /// Its type.
    pub ty: TypeId,
    /// What it is if it is missing.
    pub default: Option<Result<Value, Code>>,
    /// When serde does not write it.
    pub skip: Result<Skip, Code>,
    /// Whether its fields are those of the struct.
    pub flatten: bool,
    /// Whether serde reads it.
    pub is_read: bool,
    /// Whether serde writes it.
    pub is_written: bool,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct Enum {
    /// How serde distinguishes variants.
    pub tagging: Tagging,
    /// Its variants.
    pub variants: Vec<Variant>,
}

/// How serde distinguishes variants.
#[derive(Clone, Debug, PartialEq)]
pub enum Tagging {
    /// By the only member of an object, or the text.
    External,
    /// By a member next to the others.
    Internal(String),
    /// By a member next to the one that has the value.
    Adjacent(String, String),
    /// By what can be read.
    Untagged,
}

/// A variant.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its name in Rust.
    pub member: String,
    /// Its name for serde.
    pub name: String,
    /// Other names that serde reads.
    pub aliases: Vec<String>,
    /// Whether it is read where no other one is.
    pub other: bool,
    /// Its content.
    pub content: Struct,
}

/// A conversion between the type of a newer version and that of an older one.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The newer type.
    pub new: TypeId,
    /// The older type.
    pub old: TypeId,
    /// What becomes of what is inside.
    pub body: Body,
}

/// What becomes of what is inside of a type.
#[derive(Clone, Debug)]
pub enum Body {
    /// Of a struct.
    Struct(Vec<Move>),
    /// Of an enum.
    Enum(Vec<Turn>),
}

/// What becomes of some fields.
#[derive(Clone, Debug)]
pub struct Move {
    /// The fields of the newer type.
    pub new: Vec<String>,
    /// The fields of the older type, by the names that lead to them.
    pub old: Vec<Vec<String>>,
    /// The name of the place.
    pub label: String,
    /// How they convert.
    pub how: How,
    /// Whether nothing is kept of what the other version cannot express.
    pub lossy: bool,
    /// Where it is declared.
    pub at: Option<At>,
}

/// How fields convert.
#[derive(Clone, Debug)]
pub enum How {
    /// By the conversion of their type.
    Own {
        /// The keys of the items of a list.
        keys: Vec<String>,
        /// Whether an `Option` becomes `None` if nothing is in its value.
        omit_empty: bool,
    },
    /// A struct from several fields: its fields, and their labels.
    Parts(Vec<(String, String)>),
    /// By functions, to the newer version and back.
    Functions(Code, Code),
    /// The other version does not have it: this is its value there.
    Default(Result<Value, Code>),
}

/// What becomes of a variant.
#[derive(Clone, Debug)]
pub enum Turn {
    /// Both types have it.
    Both {
        /// Its name in the newer type.
        new: String,
        /// Its name in the older type.
        old: String,
        /// The name of the place.
        label: String,
        /// What becomes of its fields.
        moves: Vec<Move>,
    },
    /// Only the newer type has it.
    Added {
        /// Its name.
        new: String,
        /// What it is in the older type.
        instead: String,
        /// Whether it does not come back.
        lossy: bool,
        /// Where that is declared.
        at: Option<At>,
    },
    /// Only the older type has it.
    Removed {
        /// Its name.
        old: String,
        /// What it is in the newer type.
        instead: String,
        /// Whether it does not come back.
        lossy: bool,
        /// Where that is declared.
        at: Option<At>,
    },
}

impl Variant {
    /// Whether serde reads it by this name.
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }
}
