//! The libraries of functions. A library is a table of overloads: their types, their costs, the version that added them, and the Rust
//! function that evaluates them. An environment is made of libraries. Nothing else in this crate knows a function by its name, except
//! hints, and checks of literals.

macro_rules! library {
    ($(#[$doc:meta])* pub $library:ident = $name:literal since $first:literal;
    $($function:literal = $run:expr => {
        $($id:literal $style:ident ($($arg:expr),*) -> $result:expr, $cost:ident $(($of:expr))? $(since $since:literal)?;)*
    })*) => {
        $(#[$doc])*
        pub static $library: $crate::library::Library = $crate::library::Library {
            name: $name,
            overloads: {
                #[allow(clippy::enum_glob_use, unused_imports)]
                use $crate::library::{Cost, Decl, Type::*, first, params};
                #[cfg(feature = "eval")]
                #[allow(clippy::enum_glob_use, unused_imports)]
                use $crate::{
                    funcs::{Operator, RegexKind, change, convert, format, one, test, test_one, times},
                    library::run::{Run::*, Way},
                    value::{Opaque, Val},
                };
                &[$($(Decl {
                    function: std::borrow::Cow::Borrowed($function),
                    id: std::borrow::Cow::Borrowed($id),
                    style: $crate::library::style!($style),
                    args: std::borrow::Cow::Borrowed(const { &[$($arg),*] }),
                    result: $result,
                    params: params(const { &[$($arg,)* $result] }),
                    cost: Cost::$cost $(($of))?,
                    since: first($first, 0 $(+ $since)?),
                    #[cfg(feature = "eval")]
                    run: $run,
                },)*)*]
            },
        };
    };
}

macro_rules! style {
    (global) => {
        $crate::library::Style::Global
    };
    (member) => {
        $crate::library::Style::Member
    };
}

pub(crate) use style;

mod addresses;
mod authorization;
mod comprehensions;
mod cost;
mod formats;
mod json_patch;
mod kube;
mod lists;
mod optionals;
mod quantity;
mod regex;
#[cfg(feature = "eval")]
pub(crate) mod run;
mod semver;
mod sets;
mod standard;
mod strings;
mod types;
mod urls;

pub use addresses::{CIDR, IP};
pub use authorization::AUTHORIZATION;
pub use comprehensions::TWO_VARIABLES;
pub use cost::{Cost, Style};
pub use formats::FORMAT;
pub use json_patch::JSON_PATCH;
pub use kube::{KUBERNETES, Kube};
pub use lists::{LIST_EXTENSIONS, LISTS};
pub use optionals::OPTIONALS;
pub use quantity::QUANTITY;
pub use regex::REGEX;
pub use semver::SEMVER;
pub use sets::SETS;
pub use standard::STANDARD;
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;
pub use strings::STRINGS;
pub use types::{Part, Type};
use types::{list, map, most, optional, type_of};
pub use urls::URLS;

/// A library of functions.
#[derive(Debug)]
pub struct Library {
    /// Its name.
    pub name: &'static str,
    pub(crate) overloads: &'static [Decl],
}

/// The declaration of an overload.
#[derive(Debug)]
pub struct Decl {
    /// Its function.
    pub function: Cow<'static, str>,
    /// Its id in cel-go and in messages.
    pub id: Cow<'static, str>,
    /// How it is called.
    pub style: Style,
    /// The types of its arguments, the target first.
    pub args: Cow<'static, [Type]>,
    /// The type of its result.
    pub result: Type,
    /// The number of its type parameters.
    pub params: u32,
    /// The cost of a call.
    pub cost: Cost,
    /// The version 1.NN that added it.
    pub since: u16,
    #[cfg(feature = "eval")]
    pub(crate) run: run::Run,
}

impl Decl {
    /// Declares an overload that is called as `function(args)`. It costs 1.
    pub fn global(function: &str, id: &str, args: impl Into<Vec<Type>>, result: Type) -> Decl {
        Decl::new(function, id, args.into(), result, Style::Global)
    }

    /// Declares an overload that is called as `target.function(args)`, where the target is the first argument. It costs 1. Without
    /// a function that evaluates it, the target does: an object of the program.
    pub fn member(function: &str, id: &str, args: impl Into<Vec<Type>>, result: Type) -> Decl {
        Decl::new(function, id, args.into(), result, Style::Member)
    }

    fn new(function: &str, id: &str, args: Vec<Type>, result: Type, style: Style) -> Decl {
        Decl {
            function: function.to_owned().into(),
            id: id.to_owned().into(),
            style,
            params: args.iter().fold(result.params(), |most_so_far, ty| most(most_so_far, ty.params())),
            args: args.into(),
            result,
            cost: Cost::Unit,
            since: 0,
            #[cfg(feature = "eval")]
            run: run::Run::Target,
        }
    }

    /// Sets what a call costs. If the types of the arguments are only known at run time, it costs as much as the first overload.
    #[must_use]
    pub fn costs(self, cost: Cost) -> Decl {
        Decl { cost, ..self }
    }

    /// Sets the function that evaluates a call. It gets values of the declared types.
    #[cfg(feature = "eval")]
    #[must_use]
    pub fn evaluated_by<F>(self, function: F) -> Decl
    where
        F: for<'a> Fn(&[crate::value::Val<'a>]) -> crate::value::Outcome<'a> + Send + Sync + 'static,
    {
        Decl { run: run::Run::Own(Arc::new(function)), ..self }
    }
}

/// An overload of a function.
#[derive(Clone, Debug)]
pub enum Overload {
    /// One of a library.
    Static(&'static Decl),
    /// One that was declared at run time.
    Own(Arc<Decl>),
}

impl Deref for Overload {
    type Target = Decl;

    fn deref(&self) -> &Decl {
        match self {
            Overload::Static(decl) => decl,
            Overload::Own(decl) => decl,
        }
    }
}

impl PartialEq for Overload {
    fn eq(&self, other: &Overload) -> bool {
        std::ptr::eq::<Decl>(&**self, &**other)
    }
}

/// A function: overloads in the order in which they are tried.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Its full name.
    pub(crate) name: Cow<'static, str>,
    /// Its overloads.
    pub(crate) overloads: Vec<Overload>,
}

impl Function {
    /// The overloads that an environment of this version has.
    pub(crate) fn in_version(&self, kube: Kube) -> impl Iterator<Item = &Overload> {
        self.overloads.iter().filter(move |overload| overload.since <= kube.minor)
    }
}

/// The functions of some libraries.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    /// Sorted by name.
    sorted: Vec<Function>,
    /// What full names with dots begin with.
    namespaces: Vec<String>,
}

impl Functions {
    /// Adds an overload, after those that its function already has.
    pub(crate) fn add(&mut self, overload: Overload) {
        match self.sorted.binary_search_by(|function| function.name.cmp(&overload.function)) {
            Ok(known) => self.sorted[known].overloads.push(overload),
            Err(place) => {
                let name = overload.function.clone();
                // What macros call, such as `cel.@mapInsert`, makes no namespace.
                if let Some((first, rest)) = name.split_once('.')
                    && rest.starts_with(|c: char| c.is_ascii_alphabetic())
                    && first.starts_with(|c: char| c.is_ascii_alphabetic())
                    && !self.namespaces.iter().any(|known| known == first)
                {
                    self.namespaces.push(first.to_owned());
                }
                self.sorted.insert(place, Function { name, overloads: vec![overload] });
            }
        }
    }

    /// All functions, sorted by name.
    pub(crate) fn all(&self) -> &[Function] {
        &self.sorted
    }

    /// A function by its full name, of any version.
    pub(crate) fn find(&self, name: &str) -> Option<&Function> {
        self.sorted.binary_search_by(|function| (*function.name).cmp(name)).ok().map(|i| &self.sorted[i])
    }

    /// Whether functions' full names can begin with this name and a dot.
    pub(crate) fn is_namespace(&self, first: &str) -> bool {
        let first = first.strip_prefix('.').unwrap_or(first);
        self.namespaces.iter().any(|known| known == first)
    }
}

impl<'l> FromIterator<&'l Library> for Functions {
    fn from_iter<T: IntoIterator<Item = &'l Library>>(libraries: T) -> Functions {
        let mut functions = Functions::default();
        let overloads = libraries.into_iter().flat_map(|library| library.overloads);
        overloads.for_each(|decl| functions.add(Overload::Static(decl)));
        functions
    }
}

/// The functions that expressions can call, and the version that determines which of them, the macros and the costs.
#[derive(Clone, Copy, Debug)]
pub struct Libraries<'f> {
    pub(crate) kube: Kube,
    pub(crate) functions: &'f Functions,
}

impl From<Kube> for Libraries<'_> {
    fn from(kube: Kube) -> Self {
        Libraries { kube, functions: kube.functions() }
    }
}

/// The maximum number of arguments of any function.
pub(crate) const MOST_ARGS: usize = 8;

/// The number of type parameters of an overload.
pub(crate) const fn params(types: &[Type]) -> u32 {
    let mut params = 0;
    let mut i = 0;
    while i < types.len() {
        params = most(params, types[i].params());
        i += 1;
    }
    params
}

/// The version that added an overload, of those that its library and it have.
const fn first(library: u16, overload: u16) -> u16 {
    if overload > library { overload } else { library }
}

#[cfg(test)]
mod tests {
    use super::Kube;

    #[test]
    fn functions_are_found_by_their_names() {
        let functions = Kube::STORED.with_patches().functions();
        assert!(functions.all().is_sorted_by(|a, b| a.name < b.name));
        let namespaces = ["format", "ip", "jsonpatch", "lists", "optional", "sets", "strings"];
        assert!(namespaces.iter().all(|name| functions.is_namespace(name)) && !functions.is_namespace("cel"));
        let mut ids: Vec<&str> = Vec::new();
        for function in functions.all() {
            assert!(functions.find(&function.name).is_some());
            ids.extend(function.overloads.iter().map(|overload| &*overload.id));
        }
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "two overloads have the same id");
    }
}
