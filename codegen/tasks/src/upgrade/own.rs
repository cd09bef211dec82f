//! What two servers say about the expressions of an object of one of Kubernetes' own kinds.

use std::collections::HashSet;

use crdgen_core::diag::{Diag, Diags, Level};
use crdgen_core::documents::Manifest;
use crdgen_core::object::{Action, Served};
use crdgen_core::path::{Path, Step};
use crdgen_core::server::Server;
use crdgen_diff::Class;
use crdgen_kinds::objects::CompiledKind;
use crdgen_kubernetes::kinds::{self, WITH_EXPRESSIONS};
use crdgen_kubernetes::policies::{TypeWarning, type_warnings};

use super::Way;

impl Way {
    /// The errors that only the new server has, if the object is written again or created.
    pub(super) fn own(self, object: &Manifest) -> Vec<Diag> {
        let Way { from, to } = self;
        let row = kinds::find(object.text("apiVersion"), object.text("kind"));
        if !row.is_some_and(|row| WITH_EXPRESSIONS.contains(&row.id)) {
            return Vec::new();
        }
        let kind =
            |server: Server| CompiledKind::own_on(object.text("apiVersion"), object.text("kind"), server);
        let (Some(old), Some(new)) = (kind(from), kind(to)) else { return Vec::new() };
        let value = &object.value;
        let was = old.create(value).errors;
        if !was.is_empty() {
            return Vec::new();
        }
        let now = new.create(value).errors;
        if now.is_empty() {
            return self.warned(object);
        }
        let again = new.write(value.clone(), Action::Update(value.clone()), "").errors;
        let stays: HashSet<_> = again.iter().map(identity).collect();
        let said = |error: Diag| {
            let anew = if stays.contains(&identity(&error)) { "" } else { " as a new object" };
            let text = format!("Kubernetes {to} rejects it{anew}: {}", error.words());
            Diag { kind: None, bad: None, detail: text, level: Level::Error, ..error }
        };
        now.into_iter().map(said).collect()
    }

    /// The expressions of a policy that only the new server finds wrong for the types of Kubernetes' own kinds.
    fn warned(self, object: &Manifest) -> Vec<Diag> {
        let of = |server: Server| type_warnings(&object.value, &Vec::<Served>::new(), server);
        let known: Vec<String> = of(self.from).into_iter().map(|it| it.field.to_string()).collect();
        let Some((code, level)) = Class::Usage.reported() else { return Vec::new() };
        let is_new = |field: &str| !known.iter().any(|it| it == field);
        let warnings = of(self.to).into_iter().filter(|it| is_new(&it.field.to_string()));
        let diag = |warning: TypeWarning| {
            let text = format!("Kubernetes {} warns about {}: {}", self.to, warning.kind, warning.wrong.why);
            let diag = Diag::own(code, level, &Path::ROOT, text);
            Diag { steps: warning.field.steps(), inside: warning.wrong.inside, ..diag }
        };
        warnings.map(diag).collect::<Diags>()
    }
}

/// What makes an error the same, which may have other words.
fn identity(error: &Diag) -> (&'static str, Vec<Step>) {
    (error.code.id, error.steps.clone())
}
