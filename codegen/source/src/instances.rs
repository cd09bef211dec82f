//! The types that are found in the sources, each once. Types with arguments can be without number and end, so both are
//! limited, and nothing is looked up twice.

use super::Program;
use super::memo::Memo;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The number of a type with its arguments. Equal types have equal numbers.
pub(super) type Id = usize;

/// A type with its arguments.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Instance {
    /// A struct or enum of the sources.
    Item(usize, Vec<Argument>),
    /// A type known by name.
    Known(&'static str, Vec<Id>),
    /// A tuple.
    Tuple(Vec<Id>),
    /// An array.
    Array(Id, usize),
    /// A slice.
    Slice(Id),
    /// A kind. Its reference 0 is its type, and 1 is its status.
    Root(usize),
    /// A struct or enum whose schema is written by hand, for schemars.
    Written(usize),
    /// A type with the schema that schemars generates for it.
    BySchemars(Id),
    /// One of Kubernetes' own types.
    Kubernetes(&'static str),
    /// A type that cannot be found. The error has been reported.
    Unknown,
}

/// A generic argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Argument {
    Type(Id),
    Const(i64),
}

/// Who generates the schema of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SchemaBy {
    /// Our own generator.
    Crdgen,
    /// Then a type that only has a schema for schemars is not an error.
    Schemars,
    /// The schema is not needed, only the type itself.
    Nobody,
}

/// How many types may be inside of each other, as arguments. The compiler's own limit is 128, but the walks through types
/// need more memory for each level.
const MAX_DEPTH: usize = 32;
/// The same after a type has exceeded it. Such a type can have several others of its kind at each level.
const MAX_DEPTH_AFTERWARDS: usize = 12;
/// The maximum number of different types.
const MAX_INSTANCES: usize = 30_000;
/// After so many errors, types with errors are not looked up again, which would report their errors at each place.
const MAX_REPEATED: usize = 1_000;

/// The types that are known.
#[derive(Default)]
pub(super) struct Instances(RefCell<Numbered>);

impl Instances {
    /// The number of a type.
    fn intern(&self, instance: Instance) -> Id {
        self.0.borrow_mut().intern(instance)
    }

    fn get(&self, id: Id) -> Instance {
        self.0.borrow().all.get(id).cloned().unwrap_or(Instance::Unknown)
    }

    /// Whether a type is more than may be.
    pub(super) fn excess(&self, id: Id) -> Option<Excess> {
        self.0.borrow_mut().excess(id)
    }
}

/// The same by their numbers.
#[derive(Default)]
struct Numbered {
    all: Vec<Instance>,
    /// How many types are inside of each other in each of them.
    depths: Vec<usize>,
    /// Whether a type was nested too deeply.
    has_no_end: bool,
    numbers: HashMap<Instance, Id>,
}

/// Which limit a type exceeds.
pub(super) enum Excess {
    /// How many types may be inside of each other.
    Depth(usize),
    /// How many types there may be.
    Number(usize),
}

/// What aliases name, with these arguments.
pub(super) type Aliases = Memo<(Looked, Vec<Argument>), Id>;
/// What types refer to, by the number of the reference, and by who generates its schema.
pub(super) type References = Memo<(Id, usize, SchemaBy), Option<Id>>;

/// An alias that is looked up. A type may contain it many times, also by other aliases.
#[derive(Clone)]
pub(super) struct Looked {
    alias: Rc<syn::ItemType>,
    schema_by: SchemaBy,
}

impl Looked {
    fn key(&self) -> (*const syn::ItemType, SchemaBy) {
        (Rc::as_ptr(&self.alias), self.schema_by)
    }
}

impl PartialEq for Looked {
    fn eq(&self, other: &Looked) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Looked {}

impl Hash for Looked {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Numbered {
    fn intern(&mut self, instance: Instance) -> Id {
        if let Some(id) = self.numbers.get(&instance) {
            return *id;
        }
        let below = match &instance {
            Instance::Item(_, arguments) => {
                let types = arguments
                    .iter()
                    .filter_map(|a| if let Argument::Type(id) = a { Some(*id) } else { None });
                types.map(|id| self.depth(id)).max()
            }
            Instance::Known(_, parts) | Instance::Tuple(parts) => {
                parts.iter().map(|id| self.depth(*id)).max()
            }
            Instance::Array(inner, _) | Instance::Slice(inner) | Instance::BySchemars(inner) => {
                Some(self.depth(*inner))
            }
            Instance::Kubernetes(_) => None,
            Instance::Root(_) | Instance::Written(_) | Instance::Unknown => None,
        };
        let id = self.all.len();
        self.depths.push(below.map_or(0, |below| below + 1));
        self.numbers.insert(instance.clone(), id);
        self.all.push(instance);
        id
    }

    fn depth(&self, id: Id) -> usize {
        self.depths.get(id).copied().unwrap_or(0)
    }

    /// Whether a type is more than may be.
    fn excess(&mut self, id: Id) -> Option<Excess> {
        if self.depth(id) > if self.has_no_end { MAX_DEPTH_AFTERWARDS } else { MAX_DEPTH } {
            self.has_no_end = true;
            Some(Excess::Depth(MAX_DEPTH))
        } else if self.all.len() > MAX_INSTANCES {
            Some(Excess::Number(MAX_INSTANCES))
        } else {
            None
        }
    }
}

impl Program<'_> {
    pub(super) fn intern(&self, instance: Instance) -> Id {
        self.instances.intern(instance)
    }

    pub(super) fn instance(&self, id: Id) -> Instance {
        self.instances.get(id)
    }

    /// Looks up what an alias names, once for the same arguments.
    pub(super) fn aliased(
        &self,
        alias: &Rc<syn::ItemType>,
        params: &[(String, Argument)],
        schema_by: SchemaBy,
        look_up: impl FnOnce() -> Id,
    ) -> Id {
        let looked = Looked { alias: Rc::clone(alias), schema_by };
        let arguments = params.iter().map(|(_, argument)| argument.clone()).collect();
        self.aliases.get_or((looked, arguments), || self.remember(look_up))
    }

    /// Returns a result, and whether to use it again. A result with errors is not used again, because they belong to the place
    /// too, until there are many.
    pub(super) fn remember<T>(&self, look_up: impl FnOnce() -> T) -> (T, bool) {
        let before = self.found.len();
        let out = look_up();
        (out, before == self.found.len() || before >= MAX_REPEATED)
    }
}
