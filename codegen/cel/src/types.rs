//! Types. They are interned in a [`Types`], so equal types are the same [`Ty`]. Comparing and copying them is cheap.

use std::collections::HashMap;

/// A type, as an index into a [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ty(u32);

/// The kind of a type, with its type arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A type that is only known at run time.
    Dyn,
    /// `google.protobuf.Any`, which the check treats like `Dyn`.
    Any,
    /// The type of an expression with an error.
    Error,
    /// `null_type`
    Null,
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
    /// `google.protobuf.Duration`
    Duration,
    /// `google.protobuf.Timestamp`
    Timestamp,
    /// A primitive type or null, as in protobuf's wrapper messages.
    Wrapper(Ty),
    /// The type of all types, or of one type.
    Type(Option<Ty>),
    /// `list(T)`
    List(Ty),
    /// `map(K, V)`
    Map(Ty, Ty),
    /// `optional_type(T)`
    Optional(Ty),
    /// An abstract type of a library, such as `net.IP`.
    Opaque(&'static str),
    /// A named type of a library.
    Struct(&'static str),
    /// A type with fields that the environment declares.
    Object {
        /// The number of the declaration, which only [`super::check::Declarations`] interpret.
        decl: u32,
        /// The name of the type.
        name: Box<str>,
    },
    /// A type parameter of a library's type, with its name.
    Param(&'static str),
    /// A type variable of the check, with its number.
    Var(u32),
}

macro_rules! base {
    ($($(#[$doc:meta])* $name:ident = $kind:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u32)]
        enum Base { $($name,)* }
        impl Ty { $($(#[$doc])* pub const $name: Ty = Ty(Base::$name as u32);)* }
        fn base_kinds() -> Vec<Kind> { vec![$($kind,)*] }
    };
}

base! {
    /// `dyn`
    DYN = Kind::Dyn;
    /// `google.protobuf.Any`
    ANY = Kind::Any;
    /// The type of what is wrong.
    ERROR = Kind::Error;
    /// `null_type`
    NULL = Kind::Null;
    /// `bool`
    BOOL = Kind::Bool;
    /// `int`
    INT = Kind::Int;
    /// `uint`
    UINT = Kind::Uint;
    /// `double`
    DOUBLE = Kind::Double;
    /// `string`
    STRING = Kind::String;
    /// `bytes`
    BYTES = Kind::Bytes;
    /// `google.protobuf.Duration`
    DURATION = Kind::Duration;
    /// `google.protobuf.Timestamp`
    TIMESTAMP = Kind::Timestamp;
    /// `type`
    TYPE = Kind::Type(None);
    /// `net.IP`
    IP = Kind::Opaque("net.IP");
    /// `net.CIDR`
    CIDR = Kind::Opaque("net.CIDR");
    /// `kubernetes.URL`
    URL = Kind::Struct("kubernetes.URL");
    /// `kubernetes.Quantity`
    QUANTITY = Kind::Struct("kubernetes.Quantity");
    /// `kubernetes.Semver`
    SEMVER = Kind::Struct("kubernetes.Semver");
    /// `kubernetes.NamedFormat`
    FORMAT = Kind::Struct("kubernetes.NamedFormat");
    /// `kubernetes.authorization.Authorizer`
    AUTHORIZER = Kind::Struct("kubernetes.authorization.Authorizer");
    /// `kubernetes.authorization.PathCheck`
    PATH_CHECK = Kind::Struct("kubernetes.authorization.PathCheck");
    /// `kubernetes.authorization.GroupCheck`
    GROUP_CHECK = Kind::Struct("kubernetes.authorization.GroupCheck");
    /// `kubernetes.authorization.ResourceCheck`
    RESOURCE_CHECK = Kind::Struct("kubernetes.authorization.ResourceCheck");
    /// `kubernetes.authorization.Decision`
    DECISION = Kind::Struct("kubernetes.authorization.Decision");
}

/// The maximum length of a text that types are appended to.
const LONGEST: usize = 1 << 16;

/// A set of interned types. All sets have the constants of [`Ty`].
#[derive(Clone, Debug)]
pub struct Types {
    kinds: Vec<Kind>,
    /// For each type, whether it contains type variables.
    open: Vec<bool>,
    /// For each type, whether it is `dyn`, or contains it.
    dynamic: Vec<bool>,
    /// For each type, the type without wrappers.
    bare: Vec<Ty>,
    ids: HashMap<Kind, Ty>,
}

impl Default for Types {
    fn default() -> Self {
        let kinds = base_kinds();
        let ids = kinds.iter().enumerate().map(|(i, k)| (k.clone(), Ty(i as u32))).collect();
        let open = vec![false; kinds.len()];
        let dynamic = kinds.iter().map(|kind| matches!(kind, Kind::Dyn | Kind::Any)).collect();
        let bare = (0..kinds.len() as u32).map(Ty).collect();
        Types { kinds, open, dynamic, bare, ids }
    }
}

impl Types {
    /// Returns the kind of a type.
    pub fn kind(&self, ty: Ty) -> &Kind {
        &self.kinds[ty.0 as usize]
    }

    /// Returns the type with a kind. Adds it if it is new.
    pub fn intern(&mut self, kind: Kind) -> Ty {
        if let Some(ty) = self.ids.get(&kind) {
            return *ty;
        }
        let ty = Ty(u32::try_from(self.kinds.len()).unwrap_or(u32::MAX));
        let (is_open, is_dynamic) = match &kind {
            Kind::Var(_) | Kind::Param(_) => (true, false),
            Kind::List(t) | Kind::Optional(t) | Kind::Wrapper(t) | Kind::Type(Some(t)) => {
                (self.is_open(*t), self.has_dyn(*t))
            }
            Kind::Map(k, v) => (self.is_open(*k) || self.is_open(*v), self.has_dyn(*k) || self.has_dyn(*v)),
            Kind::Dyn | Kind::Any => (false, true),
            Kind::Error
            | Kind::Null
            | Kind::Bool
            | Kind::Int
            | Kind::Uint
            | Kind::Double
            | Kind::String
            | Kind::Bytes
            | Kind::Duration
            | Kind::Timestamp
            | Kind::Type(None)
            | Kind::Opaque(_)
            | Kind::Struct(_)
            | Kind::Object { .. } => (false, false),
        };
        self.open.push(is_open);
        self.dynamic.push(is_dynamic);
        self.kinds.push(kind.clone());
        self.bare.push(ty);
        self.ids.insert(kind.clone(), ty);
        let bare = match kind {
            Kind::Wrapper(t) => self.bare(t),
            Kind::List(t) => self.list(self.bare(t)),
            Kind::Optional(t) => self.optional(self.bare(t)),
            Kind::Map(k, v) => self.map(self.bare(k), self.bare(v)),
            _ => ty,
        };
        self.bare[ty.0 as usize] = bare;
        ty
    }

    /// Returns the type `list(element)`.
    pub fn list(&mut self, element: Ty) -> Ty {
        self.intern(Kind::List(element))
    }

    /// Returns the type `map(key, value)`.
    pub fn map(&mut self, key: Ty, value: Ty) -> Ty {
        self.intern(Kind::Map(key, value))
    }

    /// Returns the type `optional_type(value)`.
    pub fn optional(&mut self, value: Ty) -> Ty {
        self.intern(Kind::Optional(value))
    }

    /// Returns the type `type(of)`.
    pub fn type_of(&mut self, of: Ty) -> Ty {
        self.intern(Kind::Type(Some(of)))
    }

    /// Returns a type with fields that the environment declares.
    pub fn object(&mut self, decl: u32, name: &str) -> Ty {
        self.intern(Kind::Object { decl, name: name.into() })
    }

    /// Returns the type variable with a number.
    pub fn var(&mut self, number: u32) -> Ty {
        self.intern(Kind::Var(number))
    }

    /// Whether a type contains type variables.
    pub fn is_open(&self, ty: Ty) -> bool {
        self.open[ty.0 as usize]
    }

    /// Whether a type is `dyn`, so that any value has it.
    pub fn is_dyn(&self, ty: Ty) -> bool {
        ty == Ty::DYN || ty == Ty::ANY
    }

    /// Whether a type or one of its type arguments is `dyn`.
    pub fn has_dyn(&self, ty: Ty) -> bool {
        self.dynamic[ty.0 as usize]
    }

    /// Returns the type inside an optional type.
    pub fn unwrap_optional(&self, ty: Ty) -> Option<Ty> {
        if let Kind::Optional(t) = self.kind(ty) { Some(*t) } else { None }
    }

    /// Returns the type as messages print it.
    pub fn display(&self, ty: Ty) -> String {
        let mut out = String::new();
        self.write(ty, &mut out);
        out
    }

    /// Appends the type as messages print it. A short expression can have a type whose text is longer than any memory, so that texts
    /// have an end.
    pub fn write(&self, ty: Ty, out: &mut String) {
        if out.len() > LONGEST {
            out.push('…');
            return;
        }
        match self.kind(ty) {
            Kind::Dyn => out.push_str("dyn"),
            Kind::Any => out.push_str("any"),
            Kind::Error => out.push_str("!error!"),
            Kind::Null => out.push_str("null"),
            Kind::Bool => out.push_str("bool"),
            Kind::Int => out.push_str("int"),
            Kind::Uint => out.push_str("uint"),
            Kind::Double => out.push_str("double"),
            Kind::String => out.push_str("string"),
            Kind::Bytes => out.push_str("bytes"),
            Kind::Duration => out.push_str("duration"),
            Kind::Timestamp => out.push_str("timestamp"),
            Kind::Type(None) => out.push_str("type"),
            Kind::Type(Some(t)) => self.write_params("type", &[*t], out),
            Kind::Wrapper(t) => self.write_params("wrapper", &[*t], out),
            Kind::List(t) => self.write_params("list", &[*t], out),
            Kind::Map(k, v) => self.write_params("map", &[*k, *v], out),
            Kind::Optional(t) => self.write_params("optional_type", &[*t], out),
            Kind::Opaque(name) | Kind::Struct(name) | Kind::Param(name) => out.push_str(name),
            Kind::Object { decl: _, name } => out.push_str(name),
            Kind::Var(n) => {
                out.push_str("_var");
                out.push_str(&n.to_string());
            }
        }
    }

    /// Returns the name that the type has at run time, without type arguments.
    pub fn runtime_name(&self, ty: Ty) -> &str {
        match self.kind(ty) {
            Kind::Dyn => "dyn",
            Kind::Any => "google.protobuf.Any",
            Kind::Error => "error",
            Kind::Null => "null_type",
            Kind::Bool => "bool",
            Kind::Int => "int",
            Kind::Uint => "uint",
            Kind::Double => "double",
            Kind::String => "string",
            Kind::Bytes => "bytes",
            Kind::Duration => "google.protobuf.Duration",
            Kind::Timestamp => "google.protobuf.Timestamp",
            Kind::Type(_) => "type",
            Kind::Wrapper(t) => self.runtime_name(*t),
            Kind::List(_) => "list",
            Kind::Map(..) => "map",
            Kind::Optional(_) => "optional_type",
            Kind::Opaque(name) | Kind::Struct(name) | Kind::Param(name) => name,
            Kind::Object { decl: _, name } => name,
            Kind::Var(_) => "",
        }
    }

    fn bare(&self, ty: Ty) -> Ty {
        self.bare[ty.0 as usize]
    }

    /// Whether two types are the same. A wrapper is the same as the type inside it.
    pub(super) fn same(&self, a: Ty, b: Ty) -> bool {
        self.bare(a) == self.bare(b)
    }

    fn write_params(&self, name: &str, params: &[Ty], out: &mut String) {
        out.push_str(name);
        out.push('(');
        for (i, p) in params.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.write(*p, out);
        }
        out.push(')');
    }
}
