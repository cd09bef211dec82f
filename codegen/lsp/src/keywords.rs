//! The keywords of schemas in CRDs: where they are allowed, and for which types.

use crdgen_core::ir::{About, Keyword, Position};
use crdgen_core::path::Step;

use crate::subject::Subject;

/// A schema in a CRD.
pub(crate) struct SchemaAt {
    /// Whether it is inside of `allOf`, `anyOf`, `oneOf` or `not`.
    is_in_junctor: bool,
    ty: String,
    /// How many steps lead to it.
    depth: usize,
}

impl SchemaAt {
    /// The schema that a map of a CRD is. `None` for other maps.
    pub(crate) fn of(subject: &Subject<'_>) -> Option<SchemaAt> {
        SchemaAt::around(subject).filter(|schema| schema.depth == subject.steps.len())
    }

    /// The innermost schema around a place of a CRD.
    pub(crate) fn around(subject: &Subject<'_>) -> Option<SchemaAt> {
        let steps = &subject.steps;
        let mut depth = root_depth(steps).filter(|_| subject.is_definition())?;
        let mut is_in_junctor = false;
        while let Some(Step::Key(keyword)) = steps.get(depth) {
            let (taken, is_junctor) = match Keyword::of(keyword) {
                Some(Keyword::Items | Keyword::AdditionalProperties) => (1, false),
                Some(Keyword::Not) => (1, true),
                Some(Keyword::Properties) => (2, false),
                Some(Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf) => (2, true),
                _ => break,
            };
            if depth + taken > steps.len() {
                break;
            }
            depth += taken;
            is_in_junctor |= is_junctor;
        }
        let schema = steps.get(..depth).and_then(|steps| subject.object.find(steps));
        let ty = schema.and_then(|schema| schema.text_at(&["type"])).unwrap_or_default().to_owned();
        Some(SchemaAt { is_in_junctor, ty, depth })
    }

    /// The steps to the schema of its version, those from there to it, and those from it to the place.
    pub(crate) fn split<'s>(&self, subject: &'s Subject<'_>) -> Option<[&'s [Step]; 3]> {
        let root = root_depth(&subject.steps)?;
        let (above, below) = subject.steps.split_at_checked(self.depth)?;
        let (above, way) = above.split_at_checked(root)?;
        Some([above, way, below])
    }

    /// Whether a keyword may be used here.
    pub(crate) fn allows(&self, name: &str) -> bool {
        let Some(keyword) = Keyword::of(name) else { return false };
        let is_allowed = match keyword.position() {
            Position::Anywhere => true,
            Position::OutsideJunctors => !self.is_in_junctor,
            Position::Nowhere | Position::Author => false,
        };
        let is_about = match keyword.about() {
            _ if self.ty.is_empty() => true,
            About::All => true,
            About::Numbers => matches!(&*self.ty, "integer" | "number"),
            About::Strings => self.ty == "string",
            About::Lists => self.ty == "array",
            About::Objects => self.ty == "object",
        };
        is_allowed && is_about
    }
}

/// How many steps lead to the schema of a version.
fn root_depth(steps: &[Step]) -> Option<usize> {
    steps
        .iter()
        .position(|step| matches!(step, Step::Key(name) if name == "openAPIV3Schema"))
        .map(|at| at + 1)
}

/// The steps of a subject to what Kubernetes publishes about the place. It publishes the keywords of one schema, and not those of the
/// schemas inside.
pub(crate) fn published(subject: &Subject<'_>) -> Vec<Step> {
    let steps = &subject.steps;
    match (root_depth(steps), SchemaAt::around(subject)) {
        (Some(root), Some(schema)) => {
            steps.iter().take(root).chain(steps.iter().skip(schema.depth)).cloned().collect()
        }
        _ => steps.clone(),
    }
}

/// Where a keyword may be used, as a sentence.
pub(crate) fn sentence(name: &str) -> Option<String> {
    let keyword = Keyword::of(name)?;
    let about = match keyword.about() {
        About::All => "values of any type",
        About::Numbers => "integers and numbers",
        About::Strings => "strings",
        About::Lists => "lists",
        About::Objects => "objects and maps",
    };
    Some(match keyword.position() {
        Position::Anywhere => format!("For {about}. Allowed everywhere."),
        Position::OutsideJunctors => {
            format!("For {about}. Not allowed inside `allOf`, `anyOf`, `oneOf` and `not`.")
        }
        Position::Nowhere => "Structural schemas cannot have this keyword.".to_owned(),
        Position::Author => "Only crdgen knows this keyword. Servers drop it.".to_owned(),
    })
}

/// The values of fields of CRDs that Kubernetes publishes without their values.
pub(crate) fn values(subject: &Subject<'_>) -> &'static [&'static str] {
    let Some(Step::Key(name)) = subject.steps.last() else { return &[] };
    match name.as_str() {
        "type" => &["array", "boolean", "integer", "number", "object", "string"],
        "x-kubernetes-list-type" => &["atomic", "map", "set"],
        "x-kubernetes-map-type" => &["atomic", "granular"],
        "scope" => &["Cluster", "Namespaced"],
        _ => &[],
    }
}
