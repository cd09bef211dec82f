//! What an update changes: each difference between a CRD and the previous one, with what it means for objects that
//! exist, for clients and for users.

mod class;
mod costs;
mod crd;
mod implied;
mod schema;
mod servers;
mod stored;
mod taken_back;
mod words;

pub use class::Class;
pub use servers::of_servers;
pub use stored::stored_versions;

use crate::compare::tighter::Comparisons;
use crate::go::regexp;
use crate::ir::Crd;
use crate::names;
use crate::path::{Path, Step};
use crate::server::Server;
use std::rc::Rc;

/// A difference between two CRDs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it means.
    pub class: Class,
    /// The version of the kind that changes. `None` if the whole CRD changes.
    pub version: Option<String>,
    /// The version in which the server stores the objects that the change concerns, if it is another one: what the server
    /// makes of them in `version`.
    pub stored: Option<String>,
    /// The place in the new CRD, as the server prints it. The place of a removed part is what it was part of.
    pub field: String,
    /// The steps to the place.
    pub steps: Vec<Step>,
    /// The part that changes.
    pub part: Part,
    /// What it was, for messages. `None` if it was not there.
    pub was: Option<String>,
    /// What it is now. `None` if it is not there any more.
    pub now: Option<String>,
    /// Whether the version, if it was one, had been deprecated before.
    pub was_deprecated: bool,
}

/// A part of a CRD that can change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The CRD.
    Crd,
    /// A version, by its name.
    Version(String),
    /// Whether a version is served.
    Served(String),
    /// Which version is stored.
    Storage,
    /// Whether a version is deprecated.
    Deprecated(String),
    /// The strategy of the conversion.
    Conversion,
    /// Whether fields are kept that no schema lists, in CRDs that come from v1beta1.
    PreserveUnknownFields,
    /// One of the names, such as a short name: its key.
    Name(&'static str),
    /// A column, by its name.
    Column(String),
    /// A subresource.
    Subresource(&'static str),
    /// A selectable field.
    SelectableField,
    /// A field, by its name.
    Field(String),
    /// A field of the old storage version that the new one does not have, by its name.
    NotStored(String),
    /// The value of a field that is kept although one of the schemas does not list it.
    Unlisted(String),
    /// Whether fields are kept that the schema does not list.
    UnknownFields,
    /// Whether a field is required.
    Required(String),
    /// A required field that the old schema does not list, by its name.
    RequiredNew(String),
    /// A keyword with a value.
    Keyword(&'static str),
    /// The values that a keyword allows.
    Values(&'static str),
    /// The schemas inside of `allOf` and the like.
    Junctor(&'static str),
    /// A rule.
    Rule,
    /// The message, reason or field of a rule.
    RuleMessage,
    /// What the rules of a value may cost: by how many percent of the server's limit more.
    Costs {
        /// Percent of the limit.
        percent: u64,
    },
    /// A text that only people read.
    Text(&'static str),
    /// All parts that were not compared, because so many others have changed.
    More,
}

impl Part {
    /// Returns a text that identifies the part among those at its place. It is part of fingerprints, so it does not change.
    pub fn key(&self) -> String {
        let (kind, name): (&str, &str) = match self {
            Part::Crd => ("crd", ""),
            Part::Version(name) => ("version", name),
            Part::Served(name) => ("served", name),
            Part::Storage => ("storage", ""),
            Part::Deprecated(name) => ("deprecated", name),
            Part::Conversion => ("conversion", ""),
            Part::PreserveUnknownFields => ("preserve-unknown-fields", ""),
            Part::Name(key) => ("name", key),
            Part::Column(name) => ("column", name),
            Part::Subresource(name) => ("subresource", name),
            Part::SelectableField => ("selectable-field", ""),
            Part::Field(name) => ("field", name),
            Part::NotStored(name) => ("not-stored", name),
            Part::Unlisted(name) => ("unlisted", name),
            Part::UnknownFields => ("unknown-fields", ""),
            Part::Required(name) | Part::RequiredNew(name) => ("required", name),
            Part::Keyword(keyword) => ("keyword", keyword),
            Part::Values(keyword) => ("values", keyword),
            Part::Junctor(keyword) => ("junctor", keyword),
            Part::Rule => ("rule", ""),
            Part::RuleMessage => ("rule-message", ""),
            Part::Costs { .. } => ("costs", ""),
            Part::Text(keyword) => ("text", keyword),
            Part::More => ("more", ""),
        };
        format!("{kind} {name}")
    }
}

/// Returns all differences between a CRD and the previous one, in the order of the new CRD.
pub fn between(old: &Crd, new: &Crd) -> Vec<Change> {
    between_with(old, new, &Rc::default(), Server::NEWEST)
}

/// The same on any server. Keeps what it finds out about patterns.
pub fn between_with(old: &Crd, new: &Crd, patterns: &Rc<regexp::Comparisons>, server: Server) -> Vec<Change> {
    let comparisons = Rc::new(Comparisons::new(Rc::clone(patterns), server));
    let mut out = Out { comparisons, ..Out::default() };
    crd::compare(old, new, &mut out);
    if out.is_full {
        out.all.push(Change {
            class: Class::MayBreak,
            part: Part::More,
            now: Some(MOST.to_string()),
            ..Change::whole()
        });
    }
    out.all
}

impl Change {
    /// Returns the place in objects, such as `spec.ports[].name`. `None` if it is not about a value in objects.
    pub fn in_objects(&self) -> Option<String> {
        let is = |step: &Step, name: &str| matches!(step, Step::Key(key) if key == name);
        let start = self.steps.iter().position(|step| is(step, "openAPIV3Schema"))?;
        let mut rest = self.steps.get(start + 1..)?;
        let mut out = String::new();
        loop {
            rest = match rest {
                [step, Step::Key(name), more @ ..] if is(step, "properties") => {
                    add_field(&mut out, name);
                    more
                }
                [step, more @ ..] if is(step, "items") => {
                    out.push_str("[]");
                    more
                }
                [step, more @ ..] if is(step, "additionalProperties") => {
                    out.push_str("[*]");
                    more
                }
                _ => break,
            };
        }
        self.field_below().into_iter().for_each(|name| add_field(&mut out, name));
        Some(out)
    }

    /// The same change below another root. `from` is the length of the text and of the steps of the root now.
    fn moved(&self, from: (usize, usize), root: &Path<'_>) -> Change {
        let field = format!("{root}{}", self.field.get(from.0..).unwrap_or_default());
        let below = self.steps.get(from.1..).unwrap_or_default();
        let steps = root.steps().into_iter().chain(below.iter().cloned()).collect();
        Change { field, steps, ..self.clone() }
    }

    /// Returns the name of the field that changes, if the steps lead to what it is part of, because the new schema does not
    /// list it.
    pub fn field_below(&self) -> Option<&str> {
        match &self.part {
            Part::Field(name) | Part::NotStored(name) => self.now.is_none().then_some(name),
            Part::Unlisted(name) => (self.now.as_deref() == Some(ANY)).then_some(name),
            _ => None,
        }
    }

    /// Returns the change of a CRD that was removed.
    pub fn removed_crd(name: &str) -> Change {
        Change { class: Class::DataLoss, was: Some(name.to_owned()), ..Change::whole() }
    }

    /// A change of a whole CRD.
    fn whole() -> Change {
        Change {
            class: Class::Compatible,
            version: None,
            stored: None,
            field: Path::NOTHING.to_owned(),
            steps: Vec::new(),
            part: Part::Crd,
            was: None,
            now: None,
            was_deprecated: false,
        }
    }

    /// Whether Kubernetes' deprecation policy allows it in this version: alpha and beta versions may change, an alpha version may be removed
    /// at any time, and a beta version after it was deprecated. Whoever does not serve a version any more removes it for clients.
    pub fn is_of_unstable(&self) -> bool {
        let (name, is_removed) = match &self.part {
            Part::Version(name) | Part::Served(name) => (Some(name), self.now.as_deref() != Some("true")),
            _ => (self.version.as_ref(), false),
        };
        match name.map(|name| Stability::of(name)) {
            Some(Stability::Alpha) => true,
            Some(Stability::Beta) => !is_removed || self.was_deprecated,
            Some(Stability::Stable) | None => false,
        }
    }
}

/// Whether a version is an alpha or beta version, by its name.
pub fn is_unstable(version: &str) -> bool {
    Stability::of(version) != Stability::Stable
}

/// What the name of a version promises.
#[derive(PartialEq, Eq)]
enum Stability {
    Alpha,
    Beta,
    Stable,
}

impl Stability {
    fn of(version: &str) -> Stability {
        match names::is_kube_version(version) {
            true if version.contains("alpha") => Stability::Alpha,
            true if version.contains("beta") => Stability::Beta,
            true | false => Stability::Stable,
        }
    }
}

/// What a field can have that no schema lists.
const ANY: &str = "any value";

/// Adds a field to a place in objects.
pub(super) fn add_field(place: &mut String, name: &str) {
    let dot = if place.is_empty() { "" } else { "." };
    place.push_str(dot);
    place.push_str(name);
}

/// How many changes of a CRD are reported at most: people read fewer, and each takes time and memory.
const MOST: usize = 10_000;

/// Collects changes.
#[derive(Default)]
struct Out {
    all: Vec<Change>,
    /// How many of them are reported.
    reported: usize,
    /// Whether there are more changes than those.
    is_full: bool,
    /// The version that is compared.
    version: Option<String>,
    /// Whether it was deprecated.
    was_deprecated: bool,
    /// What all comparisons share.
    comparisons: Rc<Comparisons>,
}

impl Out {
    /// Whether there is room for another change of this class.
    fn has_room(&mut self, class: Class) -> bool {
        if class.reported().is_some() {
            self.is_full |= self.reported == MOST;
            self.reported += usize::from(!self.is_full);
            return !self.is_full;
        }
        true
    }

    fn add(&mut self, class: Class, at: &Path<'_>, part: Part, was: Option<String>, now: Option<String>) {
        if !self.has_room(class) {
            return;
        }
        let (field, steps) = (at.to_string(), at.steps());
        let version = self.version.clone();
        let (stored, was_deprecated) = (None, self.was_deprecated);
        self.all.push(Change { class, version, stored, field, steps, part, was, now, was_deprecated });
    }

    /// Adds a part that is different now. Does nothing if it is the same.
    fn differs<T: PartialEq + ToString>(
        &mut self,
        class: Class,
        at: &Path<'_>,
        part: Part,
        was: Option<T>,
        now: Option<T>,
    ) {
        if was != now {
            let shown = |value: Option<T>| value.map(|value| value.to_string());
            self.add(class, at, part, shown(was), shown(now));
        }
    }
}
