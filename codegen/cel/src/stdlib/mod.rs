//! The standard library: one table of overloads, with what the type checker, the cost estimate and the evaluation need
//! to know about each. Code that handles each [`Overload`] matches without a wildcard, so a new row of the table fails
//! to compile until all such code handles it.

mod table;

pub(crate) use table::{DECLS, FUNCTIONS, Overload};

/// The version of the environment in which expressions are compiled. It has the functions and macros that servers with
/// this compatibility version have. The syntax and the costs are those of the server that compiles them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kube {
    /// The minor version: 37 for Kubernetes 1.37.
    pub minor: u16,
    /// The minor version of the server itself.
    server: u16,
    /// Whether expressions make patches.
    has_patches: bool,
}

impl Kube {
    /// The environment for expressions that are already stored. It has all functions and macros.
    pub const STORED: Kube = Kube::of(u16::MAX);

    /// The version of the servers whose behavior this crate implements.
    pub const CURRENT: Kube = Kube::of(37);

    /// Returns the environment in which a server of Kubernetes 1.`minor` compiles expressions that are already stored.
    pub const fn of(minor: u16) -> Kube {
        Kube { minor, server: minor, has_patches: false }
    }

    /// Returns the environment of version 1.`minor` in the newest server.
    pub const fn in_newest(minor: u16) -> Kube {
        Kube { minor, ..Kube::CURRENT }
    }

    /// Returns the environment in which a server of this version compiles new expressions. It is that of the previous
    /// version, so that users can roll back to that version.
    pub fn for_new(self) -> Kube {
        Kube { minor: self.minor.saturating_sub(1), ..self }
    }

    /// Returns the environment for expressions that make patches, as those of mutating admission policies do.
    #[must_use]
    pub const fn with_patches(self) -> Kube {
        Kube { has_patches: true, ..self }
    }

    /// Whether identifiers may be written in backticks.
    pub(crate) fn has_backticks(self) -> bool {
        self.server >= 37
    }

    /// Whether the server counts the costs of `matches(text, pattern)`, and, at run time, those of a prefix or suffix by
    /// its own size. Older servers only count `text.matches(pattern)`, and the size of the whole text.
    pub(crate) fn counts_exactly(self) -> bool {
        self.server >= 37
    }
}

/// The type of an argument or a result, in the notation of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spec {
    /// The first type parameter.
    A,
    /// The second type parameter.
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
    List(&'static Spec),
    /// `map(K, V)`
    Map(&'static Spec, &'static Spec),
    /// `optional_type(T)`
    Optional(&'static Spec),
    /// `type(T)`
    Type(&'static Spec),
    /// `kubernetes.URL`
    Url,
    /// `kubernetes.Quantity`
    Quantity,
    /// `kubernetes.Semver`
    Semver,
    /// `kubernetes.NamedFormat`
    Format,
    /// `net.IP`
    Ip,
    /// `net.CIDR`
    Cidr,
    /// `kubernetes.authorization.Authorizer`
    Authorizer,
    /// `kubernetes.authorization.PathCheck`
    PathCheck,
    /// `kubernetes.authorization.GroupCheck`
    GroupCheck,
    /// `kubernetes.authorization.ResourceCheck`
    ResourceCheck,
    /// `kubernetes.authorization.Decision`
    Decision,
}

impl Spec {
    /// The number of type parameters up to this one.
    pub const fn params(&self) -> u32 {
        match self {
            Spec::A => 1,
            Spec::B => 2,
            Spec::List(t) | Spec::Optional(t) | Spec::Type(t) => t.params(),
            Spec::Map(k, v) => max(k.params(), v.params()),
            Spec::Dyn
            | Spec::Bool
            | Spec::Int
            | Spec::Uint
            | Spec::Double
            | Spec::String
            | Spec::Bytes
            | Spec::Duration
            | Spec::Timestamp
            | Spec::Url
            | Spec::Quantity
            | Spec::Semver
            | Spec::Format
            | Spec::Ip
            | Spec::Cidr
            | Spec::Authorizer
            | Spec::PathCheck
            | Spec::GroupCheck
            | Spec::ResourceCheck
            | Spec::Decision => 0,
        }
    }
}

const fn max(a: u32, b: u32) -> u32 {
    if a > b { a } else { b }
}

/// How an overload is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `f(a, b)`
    Global,
    /// `a.f(b)`
    Member,
}

/// The cost of a call, as a function of the sizes of its target and arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// One, for all arguments.
    Unit,
    /// An authorization check.
    Check,
    /// Parsing a field or label selector.
    Selector,
    /// One per element, plus scanning it if it is text. If the target itself is text, a scan of it.
    TraverseTarget,
    /// A scan of the argument, which is as long as the result.
    ScanArg,
    /// A scan of the target, which is as long as the result.
    ScanTarget,
    /// `replace`
    Replace,
    /// `split`
    Split,
    /// `join`
    Join,
    /// `find`: size of the text times size of the pattern. The result is at most the whole text.
    Find,
    /// A scan of the first argument.
    ParseArg,
    /// Two scans of the first argument.
    ParseArgTwice,
    /// Comparing addresses.
    ContainsIp,
    /// Parsing an address and comparing.
    ContainsIpString,
    /// Masking and comparing addresses.
    ContainsCidr,
    /// Parsing a range, masking and comparing.
    ContainsCidrString,
    /// Matching a format's pattern.
    Validate,
    /// A scan of the format text; the result is unbounded.
    Format,
    /// UTF-8 is up to four times longer.
    StringToBytes,
    /// UTF-8 is up to four times longer.
    BytesToString,
    /// Escapes make text up to twice as long.
    Quote,
    /// A scan of the prefix or suffix.
    ScanAffix,
    /// One per element.
    InList,
    /// Size of the text times size of the pattern.
    Matches,
    /// Size of the text times size of the searched text.
    Contains,
    /// The left operand, and at most the right one too.
    Logic,
    /// The condition and one of the branches.
    Conditional,
    /// A scan of both operands, which form the result.
    Concat,
    /// One; the result has the elements of both.
    ConcatList,
    /// Like `Compare`, but one for some types of the libraries.
    Equals,
    /// A scan of the shorter one.
    Compare,
    /// One; the result is an element.
    Index,
    /// Building the list of the remaining elements.
    Slice,
    /// Building the list, once per level.
    Flatten,
    /// Building the list of numbers.
    Range,
    /// Building the list.
    Reverse,
    /// Comparing all elements with each other.
    Distinct,
    /// Comparing all elements with each other.
    Sort,
    /// Comparing all elements with each other, which scans them.
    SortText,
    /// Comparing all keys with each other.
    SortBy,
    /// Comparing all keys with each other, which scans them.
    SortByText,
    /// Comparing all elements of one list with all of the other.
    Sets,
    /// Comparing all elements of both lists, in both directions.
    SetsTwice,
}

/// A row of the table.
#[derive(Debug)]
pub struct Decl {
    /// The overload.
    pub overload: Overload,
    /// Its function.
    pub function: &'static str,
    /// Its id in cel-go and in messages.
    pub id: &'static str,
    /// How it is called.
    pub style: Style,
    /// The types of its arguments, the target first.
    pub args: &'static [Spec],
    /// The type of its result.
    pub result: Spec,
    /// The number of its type parameters.
    pub params: u32,
    /// The estimated cost of a call.
    pub cost: Cost,
    /// The version 1.NN that added it.
    pub since: u16,
    /// Whether only expressions that make patches have it.
    pub is_of_patches: bool,
}

/// A function: overloads in the order in which they are tried.
#[derive(Debug)]
pub(crate) struct Function {
    /// Its full name.
    pub name: &'static str,
    /// Its overloads.
    pub overloads: &'static [Overload],
}

impl Overload {
    /// Its row.
    pub fn decl(self) -> &'static Decl {
        &DECLS[self as usize]
    }

    /// Whether an environment of this version has it.
    pub fn exists_in(self, kube: Kube) -> bool {
        let Decl { since, is_of_patches, .. } = self.decl();
        *since <= kube.minor && (!is_of_patches || kube.has_patches)
    }
}

/// A function by its full name, of any version.
pub(crate) fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.binary_search_by(|f| f.name.cmp(name)).ok().map(|i| &FUNCTIONS[i])
}

/// Whether functions' full names can begin with this name and a dot.
pub(crate) fn is_namespace(first: &str) -> bool {
    let first = first.strip_prefix('.').unwrap_or(first);
    matches!(first, "format" | "ip" | "jsonpatch" | "lists" | "optional" | "sets" | "strings")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_searched() {
        assert!(FUNCTIONS.is_sorted_by(|a, b| a.name < b.name));
        for (i, decl) in DECLS.iter().enumerate() {
            assert_eq!(decl.overload as usize, i, "{}", decl.id);
            let namespace = decl.function.split_once('.').map(|(first, _)| first);
            let spelled = |n: &str| n.starts_with(|c: char| c.is_ascii_alphabetic()) && n != "cel";
            assert!(namespace.is_none_or(|n| is_namespace(n) == spelled(n)), "{}", decl.id);
            assert!(function(decl.function).is_some_and(|f| f.overloads.contains(&decl.overload)));
        }
    }
}
