//! JSON paths of kubectl and the server's tables: `.spec.items[0].name`, `[?(@.ready==true)]`.

mod field;
mod find;
mod parse;

pub use field::Absent;
pub use find::Found;

/// A parsed JSON path.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonPath(Vec<PathNode>);

/// A step of a path.
#[derive(Clone, Debug, PartialEq)]
enum PathNode {
    /// Steps in braces.
    List(Vec<PathNode>),
    Text(String),
    Field(String),
    Slice(Slice),
    Filter(Filter),
    Int(i64),
    Float(f64),
    Bool(bool),
    Wildcard,
    Recursive,
    Union(Vec<Vec<PathNode>>),
    Identifier(String),
}

/// `[first:end:step]`
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Slice {
    first: Option<i64>,
    end: Option<i64>,
    /// No end was written, so the slice has one item.
    single: bool,
    step: Option<i64>,
}

/// `[?(left operator right)]`. Without an operator, the left side must exist.
#[derive(Clone, Debug, PartialEq)]
struct Filter {
    left: Vec<PathNode>,
    operator: String,
    right: Vec<PathNode>,
}
