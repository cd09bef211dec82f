//! Values at run time. They are cheap to copy: text, lists and maps are borrowed from the object or the program if
//! possible, and shared otherwise. Numbers, times and addresses are stored directly.

mod adapt;
mod brief;
mod equal;
mod formats;
mod list;
mod map;
mod message;
mod numbers;
mod object;
mod shape;
mod show;
mod work;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crdgen_text::go::net::{Ip, Prefix};
use crdgen_text::go::quantity::Quantity;
use crdgen_text::go::semver::Version;
use crdgen_text::go::time::Time;
use crdgen_text::go::url::Url;
use crdgen_text::value::Value;

pub(crate) use formats::FORMATS;
pub use formats::Format;
pub use list::{List, ListKind};
pub use map::{Key, Map};
pub use message::Message;
pub use object::Object;
pub use shape::{Alphabet, ListType, Shape, ShapeKind, TextFormat};
pub(crate) use work::Behavior;
pub use work::{STEPS, Work};

/// A value of an expression. `'a` is the lifetime of the object and the program from which it may borrow.
#[derive(Clone, Debug)]
pub enum Val<'a> {
    /// `null`
    Null,
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `uint`
    Uint(u64),
    /// `double`
    Double(f64),
    /// `string`
    Str(Text<'a>),
    /// `bytes`
    Bytes(Arc<[u8]>),
    /// `duration`, in nanoseconds
    Duration(i64),
    /// `timestamp`
    Timestamp(Time),
    /// `list`
    List(List<'a>),
    /// `map`, also for objects
    Map(Map<'a>),
    /// `optional_type`
    Optional(Option<Arc<Val<'a>>>),
    /// `type`, as the name of the type at run time
    Type(Text<'a>),
    /// A value of a Kubernetes library.
    Opaque(Opaque),
    /// A value that the schema preserves without a type. It can only be compared.
    Preserved(&'a Value),
}

/// A value of the Kubernetes libraries, a message, or an object of the program that evaluates.
#[derive(Clone, Debug)]
pub enum Opaque {
    /// `ip('…')`
    Ip(Arc<Ip>),
    /// `cidr('…')`
    Cidr(Arc<Prefix>),
    /// `url('…')`
    Url(Arc<Url>),
    /// `quantity('…')`. A computed quantity has another Go type, which matters for equality.
    Quantity {
        /// The quantity.
        quantity: Arc<Quantity>,
        /// Whether it is the result of `add` or `sub`.
        computed: bool,
    },
    /// `semver('…')`
    Semver(Arc<Version>),
    /// `format.…()`
    Format(&'static Format),
    /// A protobuf message.
    Message(Arc<Message>),
    /// An object with functions of its own.
    Object(Arc<dyn Object>),
    /// A value in an optional or a list that does not match its schema. Reading it fails with the error.
    Error(Arc<Error>),
}

/// Text, which is borrowed or shared.
#[derive(Clone)]
pub enum Text<'a> {
    /// Text of the object or the program.
    Ref(&'a str),
    /// Text that was created at run time.
    Own(Arc<str>),
}

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Text::Ref(s) => s,
            Text::Own(s) => s,
        }
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(s: &'a str) -> Self {
        Text::Ref(s)
    }
}

impl From<String> for Text<'_> {
    fn from(s: String) -> Self {
        Text::Own(s.into())
    }
}

impl<'a> From<Cow<'a, str>> for Text<'a> {
    fn from(s: Cow<'a, str>) -> Self {
        match s {
            Cow::Borrowed(s) => Text::Ref(s),
            Cow::Owned(s) => s.into(),
        }
    }
}

/// The error of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    text: Cow<'static, str>,
    kind: ErrorKind,
}

/// The kind of an [`Error`], where that makes a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Any other error.
    Plain,
    /// The operator or function does not exist for these values.
    NoOverload,
    /// A field or a key is absent.
    NoKey,
    /// The evaluation costs more than its budget.
    CostLimit,
    /// The evaluation takes more time or memory than crdgen allows. The server has no such limit.
    TooMuch,
    /// The server's library crashes.
    Crash,
    /// The value with this number is needed, which is not known yet.
    Needed(usize),
}

/// A value or an error. Variables can be errors too, because `&&` and `||` may still hide them.
pub type Outcome<'a> = Result<Val<'a>, Error>;

impl Error {
    /// The error for an operator or a function that does not exist for these values.
    pub const NO_OVERLOAD: Error = Error::no_overload("no such overload");

    /// The error for an evaluation that costs more than its budget. No operator hides it.
    pub const COST_LIMIT: Error =
        Error::of(ErrorKind::CostLimit, "operation cancelled: actual cost limit exceeded");

    /// Creates an error with a fixed text.
    pub const fn fixed(text: &'static str) -> Error {
        Error::of(ErrorKind::Plain, text)
    }

    const fn of(kind: ErrorKind, text: &'static str) -> Error {
        Error { text: Cow::Borrowed(text), kind }
    }

    /// The error that an operator or function does not exist for the values.
    pub(super) const fn no_overload(text: &'static str) -> Error {
        Error::of(ErrorKind::NoOverload, text)
    }

    /// The same with the name of the function.
    pub(super) fn no_overload_of(signature: impl fmt::Display) -> Error {
        Error { text: Cow::Owned(format!("no such overload: {signature}")), kind: ErrorKind::NoOverload }
    }

    /// The error that a field or a key is absent.
    pub(super) fn no_key(key: impl fmt::Display) -> Error {
        Error { text: Cow::Owned(format!("no such key: {key}")), kind: ErrorKind::NoKey }
    }

    /// The error for an evaluation that takes more time or memory than crdgen allows. No operator hides it.
    pub(super) const fn too_much(text: &'static str) -> Error {
        Error::of(ErrorKind::TooMuch, text)
    }

    /// Creates an error.
    pub fn new(text: impl Into<String>) -> Error {
        Error { text: Cow::Owned(text.into()), kind: ErrorKind::Plain }
    }

    /// A fatal error, as if the server's library crashes.
    pub(super) const fn crash(text: &'static str) -> Error {
        Error::of(ErrorKind::Crash, text)
    }

    /// The error that the value with a number is needed, which is not known yet. It ends the evaluation, which can begin again with
    /// the value.
    pub const fn needed(number: usize) -> Error {
        Error::of(ErrorKind::Needed(number), "a value is not known yet")
    }

    /// Returns the text of the error.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Whether the error ends the evaluation. No operator hides such an error.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self.kind,
            ErrorKind::CostLimit | ErrorKind::TooMuch | ErrorKind::Crash | ErrorKind::Needed(_)
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

impl<'a> Val<'a> {
    /// Creates a string.
    pub fn text(s: impl Into<Text<'a>>) -> Val<'a> {
        Val::Str(s.into())
    }

    /// Creates a list of values.
    pub fn list(items: Vec<Val<'a>>) -> Val<'a> {
        Val::List(List::from(items))
    }

    /// Creates an optional with a value.
    pub fn some(value: Val<'a>) -> Val<'a> {
        Val::Optional(Some(Arc::new(value)))
    }

    /// Creates an optional with a value, or with an error that is reported once the value is read.
    pub fn some_outcome(value: Outcome<'a>) -> Val<'a> {
        Val::some(value.unwrap_or_else(|error| Val::Opaque(Opaque::Error(Arc::new(error)))))
    }

    /// The value, or the error that it contains.
    pub(super) fn of_its_type(self) -> Outcome<'a> {
        match self {
            Val::Opaque(Opaque::Error(error)) => Err((*error).clone()),
            value => Ok(value),
        }
    }

    /// The value of a type, by its name.
    pub(super) fn text_type(name: &str) -> Val<'a> {
        Val::Type(name.to_owned().into())
    }

    /// A copy of the value that borrows its text from this one.
    pub(super) fn borrowed(&'a self) -> Val<'a> {
        match self {
            Val::Str(s) => Val::Str(Text::Ref(s)),
            other => other.clone(),
        }
    }

    /// The value without borrowed parts, for constants. Only values that consist of constants can be converted.
    pub(super) fn into_static(self) -> Val<'static> {
        let text = |s: Text<'_>| match s {
            Text::Ref(s) => Text::from(s.to_owned()),
            Text::Own(s) => Text::Own(s),
        };
        match self {
            Val::Null => Val::Null,
            Val::Bool(b) => Val::Bool(b),
            Val::Int(i) => Val::Int(i),
            Val::Uint(u) => Val::Uint(u),
            Val::Double(d) => Val::Double(d),
            Val::Str(s) => Val::Str(text(s)),
            Val::Bytes(b) => Val::Bytes(b),
            Val::Duration(d) => Val::Duration(d),
            Val::Timestamp(t) => Val::Timestamp(t),
            Val::List(list) => Val::list(list.iter().flatten().map(Val::into_static).collect()),
            Val::Map(map) => {
                let entry = |(k, v): (Val<'_>, Outcome<'_>)| {
                    Some((Key::of(&k.into_static(), &Work::default()).ok()?, v.ok()?.into_static()))
                };
                Val::Map(Map::own(map.entries().into_iter().filter_map(entry).collect()))
            }
            Val::Optional(o) => Val::Optional(o.map(|v| Arc::new((*v).clone().into_static()))),
            Val::Type(name) => Val::Type(text(name)),
            Val::Opaque(o) => Val::Opaque(o),
            Val::Preserved(_) => Val::Null,
        }
    }

    /// The value without borrowed parts. Maps of an object become objects without a type, so that they are not taken for maps that
    /// the expression makes. The copy counts as work.
    pub(super) fn copied(&self, work: &Work) -> Result<Val<'static>, Error> {
        Ok(match self {
            Val::Str(text) => {
                work.read(text)?;
                Val::text(text.to_string())
            }
            Val::List(list) => {
                work.items(list.len())?;
                Val::list(list.iter().map(|item| item?.copied(work)).collect::<Result<_, _>>()?)
            }
            Val::Map(map) if map.is_json() => {
                let field = |(key, value): (Val<'_>, Outcome<'_>)| {
                    work.entry()?;
                    Ok((Box::from(key.as_str().unwrap_or_default()), value?.copied(work)?))
                };
                let fields = map.entries().into_iter().map(field).collect::<Result<_, Error>>()?;
                Val::Opaque(Opaque::Message(Arc::new(Message::Object { name: Box::default(), fields })))
            }
            Val::Map(map) => {
                let mut entries = BTreeMap::new();
                for (key, value) in map.entries() {
                    work.entry()?;
                    entries.insert(Key::of(&key.into_static(), work)?, value?.copied(work)?);
                }
                Val::Map(Map::own(entries))
            }
            Val::Optional(Some(value)) => Val::some(value.copied(work)?),
            other => other.clone().into_static(),
        })
    }

    /// Returns the name of the type at run time.
    pub fn type_name(&self) -> &'static str {
        match self {
            Val::Null => "null_type",
            Val::Bool(_) => "bool",
            Val::Int(_) => "int",
            Val::Uint(_) => "uint",
            Val::Double(_) => "double",
            Val::Str(_) => "string",
            Val::Bytes(_) => "bytes",
            Val::Duration(_) => "google.protobuf.Duration",
            Val::Timestamp(_) => "google.protobuf.Timestamp",
            Val::List(_) => "list",
            Val::Map(_) => "map",
            Val::Optional(_) => "optional_type",
            Val::Type(_) => "type",
            Val::Opaque(o) => o.type_name(),
            Val::Preserved(_) => "unknown",
        }
    }

    /// Returns the text of a string, or of a string that a schema preserves. Go's functions treat both as strings.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Val::Str(s) => Some(s),
            Val::Preserved(Value::Str(s)) => Some(s),
            _ => None,
        }
    }

    /// How deeply lists, maps and optionals are nested in the value. Values of the object count as one.
    fn depth(&self) -> u16 {
        match self {
            Val::List(list) => list.facts().depth,
            Val::Map(map) => map.facts().depth,
            Val::Optional(Some(inner)) => inner.depth().saturating_add(1),
            Val::Opaque(Opaque::Message(message)) => message.depth(),
            Val::Null
            | Val::Bool(_)
            | Val::Int(_)
            | Val::Uint(_)
            | Val::Double(_)
            | Val::Str(_)
            | Val::Bytes(_)
            | Val::Duration(_)
            | Val::Timestamp(_)
            | Val::Optional(None)
            | Val::Type(_)
            | Val::Opaque(_)
            | Val::Preserved(_) => 0,
        }
    }

    /// Whether the value is certain to equal itself.
    fn is_reflexive(&self) -> bool {
        match self {
            Val::Null
            | Val::Bool(_)
            | Val::Int(_)
            | Val::Uint(_)
            | Val::Str(_)
            | Val::Bytes(_)
            | Val::Duration(_)
            | Val::Timestamp(_)
            | Val::Optional(None)
            | Val::Type(_) => true,
            Val::Double(d) => !d.is_nan(),
            Val::List(list) => list.kind() == ListKind::Plain && list.facts().reflexive,
            Val::Map(map) => map.facts().reflexive,
            Val::Optional(Some(inner)) => inner.is_reflexive(),
            Val::Opaque(_) | Val::Preserved(_) => false,
        }
    }

    /// Returns the size of the value for costs. Values without a size count as 1.
    pub fn size(&self) -> u64 {
        self.len().unwrap_or(1)
    }

    /// Returns the size of the value, if its type has one.
    #[expect(clippy::len_without_is_empty, reason = "most values have no size, so emptiness says nothing")]
    pub fn len(&self) -> Option<u64> {
        Some(match self {
            Val::Str(s) => count_chars(s),
            Val::Bytes(b) => b.len() as u64,
            Val::List(l) => l.len() as u64,
            Val::Map(m) => m.len() as u64,
            Val::Opaque(Opaque::Ip(ip)) => ip.bits().div_ceil(8).into(),
            Val::Opaque(Opaque::Cidr(prefix)) => u64::from(prefix.bits()).div_ceil(8),
            Val::Null
            | Val::Bool(_)
            | Val::Int(_)
            | Val::Uint(_)
            | Val::Double(_)
            | Val::Duration(_)
            | Val::Timestamp(_)
            | Val::Optional(_)
            | Val::Type(_)
            | Val::Opaque(
                Opaque::Url(_)
                | Opaque::Quantity { .. }
                | Opaque::Semver(_)
                | Opaque::Format(_)
                | Opaque::Message(_)
                | Opaque::Object(_)
                | Opaque::Error(_),
            )
            | Val::Preserved(_) => return None,
        })
    }

    /// Whether `optional.ofNonZeroValue` treats the value as zero.
    pub fn is_zero(&self) -> bool {
        match self {
            Val::Null => true,
            Val::Bool(b) => !b,
            Val::Int(i) => *i == 0,
            Val::Uint(u) => *u == 0,
            Val::Double(d) => *d == 0.0,
            Val::Str(s) => s.is_empty(),
            Val::Bytes(b) => b.is_empty(),
            Val::Duration(d) => *d == 0,
            Val::Timestamp(t) => t.is_zero(),
            // Lists and maps of the object do not support this check.
            Val::List(l) => !l.is_json() && l.is_empty(),
            Val::Map(m) => !m.is_json() && m.is_empty(),
            Val::Opaque(Opaque::Message(message)) => message.set().is_empty(),
            Val::Optional(_) | Val::Type(_) | Val::Opaque(_) | Val::Preserved(_) => false,
        }
    }
}

impl Opaque {
    fn type_name(&self) -> &'static str {
        match self {
            Opaque::Ip(_) => "net.IP",
            Opaque::Cidr(_) => "net.CIDR",
            Opaque::Url(_) => "kubernetes.URL",
            Opaque::Quantity { .. } => "kubernetes.Quantity",
            Opaque::Semver(_) => "kubernetes.Semver",
            Opaque::Format(_) => "kubernetes.NamedFormat",
            Opaque::Message(message) => message.type_name(),
            Opaque::Object(object) => object.type_name(),
            Opaque::Error(_) => "error",
        }
    }
}

/// The number of characters. ASCII text is counted by bytes, which is the usual case.
pub(crate) fn count_chars(s: &str) -> u64 {
    (if s.is_ascii() { s.len() } else { s.chars().count() }) as u64
}
