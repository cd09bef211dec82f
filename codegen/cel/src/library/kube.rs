//! The environments of Kubernetes, by version.

use super::{
    Functions, Library, addresses, authorization, comprehensions, formats, json_patch, lists, optionals,
    quantity, regex, semver, sets, standard, strings, urls,
};
#[cfg(feature = "eval")]
use crate::value::Behavior;
use std::sync::LazyLock;

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
    /// Whether expressions can call `cel.bind`.
    has_bindings: bool,
}

impl Kube {
    /// The version of the newest servers. It is the default.
    pub const CURRENT: Kube = Kube::of(37);

    /// The last version that this crate knows: the newest one, or the one after it while there is only a beta of it.
    pub const LAST: Kube = Kube::of(38);

    /// The environment for expressions that are already stored in the newest servers. It has all their functions and macros.
    pub const STORED: Kube = Kube::CURRENT;

    /// Returns the environment in which a server of Kubernetes 1.`minor` compiles expressions that are already stored.
    pub const fn of(minor: u16) -> Kube {
        Kube { minor, server: minor, has_patches: false, has_bindings: false }
    }

    /// Returns the environment of version 1.`minor` in the newest server, or in that of a newer version.
    pub const fn in_newest(minor: u16) -> Kube {
        let newest = Kube::CURRENT;
        if minor > newest.minor { Kube::of(minor) } else { Kube { minor, ..newest } }
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

    /// Returns the environment for expressions that select devices, which can call `cel.bind`.
    #[must_use]
    pub const fn with_bindings(self) -> Kube {
        Kube { has_bindings: true, ..self }
    }

    /// Whether `cel.bind` is a macro.
    pub(crate) fn has_bindings(self) -> bool {
        self.has_bindings
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

    /// Whether costs are estimated from more of what is known about the sizes of values: for example, the parts of a URL are as
    /// long as the URL. Before, their length counts as unlimited.
    pub(crate) fn knows_more_sizes(self) -> bool {
        self.server >= 38
    }

    /// Whether messages about names that do not exist suggest others. Before, they name the container instead.
    pub(crate) fn suggests_names(self) -> bool {
        self.server >= 38
    }

    /// Whether a type with variables, such as that of `type([])`, only agrees with types of its form. Before, all types agree.
    pub(crate) fn compares_types(self) -> bool {
        self.server >= 38
    }

    /// How expressions behave when they are evaluated.
    #[cfg(feature = "eval")]
    pub(crate) fn behavior(self) -> Behavior {
        if self.server >= 38 { Behavior::Since38 } else { Behavior::Until37 }
    }

    /// The functions of all versions.
    pub(crate) fn functions(self) -> &'static Functions {
        if self.has_patches { &WITH_PATCHES } else { &FUNCTIONS }
    }
}

/// The libraries of Kubernetes' environments. If several libraries have overloads of a function, the first library's are tried first.
pub static KUBERNETES: [&Library; 15] = [
    &standard::STANDARD,
    &optionals::OPTIONALS,
    &strings::STRINGS,
    &lists::LISTS,
    &lists::LIST_EXTENSIONS,
    &regex::REGEX,
    &urls::URLS,
    &authorization::AUTHORIZATION,
    &quantity::QUANTITY,
    &addresses::IP,
    &addresses::CIDR,
    &formats::FORMAT,
    &semver::SEMVER,
    &sets::SETS,
    &comprehensions::TWO_VARIABLES,
];

static FUNCTIONS: LazyLock<Functions> = LazyLock::new(|| KUBERNETES.into_iter().collect());

static WITH_PATCHES: LazyLock<Functions> =
    LazyLock::new(|| KUBERNETES.into_iter().chain([&json_patch::JSON_PATCH]).collect());
