//! The object that a place of a document is about, and what is published about its kind.

use crdgen_core::path::Step;
use crdgen_core::yaml::{Form, Part};
use crdgen_kubernetes::kinds;
use crdgen_publish::explain::Explainer;
use crdgen_tasks::kinds::{Entry, Kinds};

/// An object in a document, and a path in it.
pub(crate) struct Subject<'d> {
    pub(crate) object: Part<'d>,
    /// Whether it is the whole document. Otherwise, it is an item of a list of objects.
    pub(crate) is_document: bool,
    pub(crate) api_version: &'d str,
    pub(crate) kind: &'d str,
    /// The steps from the object.
    pub(crate) steps: Vec<Step>,
}

impl<'d> Subject<'d> {
    /// The object at the end of some steps: an item of a list of objects, or the document.
    pub(crate) fn new(root: Part<'d>, steps: &[Step]) -> Subject<'d> {
        let is_list = root.text_at(&["kind"]).is_some_and(|kind| kind.ends_with("List"));
        let (object, rest) = match steps {
            [Step::Key(items), Step::Index(_), rest @ ..] if is_list && items == "items" => {
                let item = root.find(&steps[..2]).filter(|item| item.form() == Form::Map);
                (item.unwrap_or(root), rest)
            }
            all => (root, all),
        };
        let text = |name| object.text_at(&[name]).unwrap_or_default();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        Subject { object, is_document: rest.len() == steps.len(), api_version, kind, steps: rest.to_vec() }
    }

    pub(crate) fn group_version(&self) -> (&'d str, &'d str) {
        self.api_version.split_once('/').unwrap_or(("", self.api_version))
    }

    pub(crate) fn is_definition(&self) -> bool {
        self.kind == "CustomResourceDefinition"
    }

    /// The CRD of its kind.
    pub(crate) fn entry<'k>(&self, kinds: &'k Kinds, file: &str) -> Option<&'k Entry> {
        kinds.for_object(file, self.group_version(), self.kind)
    }

    /// What is published about its kind, by its CRD or by Kubernetes.
    pub(crate) fn explainer<'k>(&self, kinds: &'k Kinds, file: &str) -> Option<Explainer<'k>>
    where
        'd: 'k,
    {
        let (group, version) = self.group_version();
        match self.entry(kinds, file) {
            Some(entry) => {
                let crd = kinds.compiled(entry)?.crd();
                let index = crd.spec.versions.iter().position(|it| it.name == version)?;
                Explainer::new(crd, index)
            }
            None => {
                let published = kinds::published(self.api_version, self.kind, false)?;
                Explainer::of_models([group, version, self.kind], published.model, published.schemas)
            }
        }
    }
}
