//! A write on its way through the field manager and the checks.

use super::identity::Meant;
use super::literals::number_in;
use super::strategic::printed;
use super::{Call, roles};
use crate::admission::{Admission, Operation};
use crate::meta;
use crate::registry::{Role, Subresource};
use crate::request::{BodySyntax, DryRun, FieldValidation, PatchType, Repeated, undecodable, unrecognized};
use crate::status::{Cause, Details, Failure, Mistake};
use crate::store::{Key, Resource};
use crate::webhooks::{Own, Writing, unreadable, waiting};
use crdgen_core::apply::library::managed::Identity;
use crdgen_core::apply::library::manager::Rejection;
use crdgen_core::apply::{Answer as Written, Rejected, Verb};
use crdgen_core::diag::Kind;
use crdgen_core::object::{Found, NotDecoded, Refusal};
use crdgen_core::value::Value;
use crdgen_core::{GroupVersion, go, json};
use crdgen_kubernetes::ADMIN_LABEL;
use http::Method;
use std::sync::Arc;

/// An object that a write has made.
pub(super) struct Made {
    /// In the version of the request.
    pub(super) object: Value,
    /// In the version that is stored, if that is another one.
    pub(super) stored: Option<Value>,
}

/// What admission has made of a write, besides the object.
struct Admitted {
    denied: Option<Failure>,
    warnings: Vec<String>,
}

impl Call<'_> {
    /// The object that a write makes of `body`. It is checked, and not yet stored.
    pub(super) fn write(
        &mut self,
        verb: Verb,
        mut body: Value,
        repeated: Repeated,
        live: Option<&Value>,
    ) -> Result<Made, Failure> {
        let name = meta::text(&body, "name").to_owned();
        if self.kind.role == Role::Definition && verb == Verb::Update {
            roles::definitions::complete(&mut body);
        }
        // Objects of a CRD are converted by the writer.
        let (answer, admitted) = self.written(verb, body, &repeated, live)?;
        let own = live.filter(|_| self.kind.has_code());
        let own = own.map(|live| self.kind.read_stored(live, &self.path.version));
        let live = own.as_ref().or(live);
        self.warnings.extend(answer.warnings.into_iter().map(|warning| warning.text));
        if !matches!(verb, Verb::Apply { .. }) {
            let unknown: Vec<String> =
                answer.unknown.iter().map(|field| format!("unknown field {}", go::quote(field))).collect();
            self.strict(repeated, unknown, live)?;
        }
        let Admitted { denied, warnings } = admitted;
        self.warnings.extend(warnings);
        if let Some(failure) = denied {
            return Err(failure);
        }
        if let Some(why) = answer.rejected {
            return Err(self.rejected(why, verb, &name, live));
        }
        let mut object = answer.object.ok_or_else(|| Failure::internal("the write made nothing"))?;
        let mut stored = answer.stored;
        if live.is_none() {
            self.name(&mut object);
            stored.iter_mut().for_each(|it| meta::set(it, "name", Some(meta::text(&object, "name").into())));
        }
        roles::after(self, &mut object, live)?;
        let mut stored = stored.or_else(|| self.kind.to_stored(&object));
        self.check_own(&object, live)?;
        for object in stored.iter_mut().chain([&mut object]) {
            self.kind.forget_empty_lists(object);
            // The storage does not keep it, and a dry run does not reach that.
            if self.request.query.dry_run == DryRun::No {
                meta::set(object, "selfLink", None);
            }
        }
        Ok(Made { object, stored })
    }

    /// Runs the field manager, mutating admission, and the checks.
    fn written(
        &self,
        verb: Verb,
        body: Value,
        repeated: &Repeated,
        live: Option<&Value>,
    ) -> Result<(Written, Admitted), Failure> {
        let name = meta::text(&body, "name").to_owned();
        let (operation, subject) = match live {
            None => (Operation::Create, &name),
            Some(_) => (Operation::Update, &self.path.name),
        };
        let meant = Meant::by(&body);
        let is_strict = !matches!(verb, Verb::Apply { .. })
            && self.request.query.field_validation == FieldValidation::Strict;
        let writing = Writing {
            kind: Arc::clone(&self.kind),
            version: self.path.version.clone(),
            subresource: self.subresource,
            namespace: self.path.namespace.clone(),
            verb,
            manager: self.request.manager(),
            now: self.state.clock.now(),
            is_strict,
            body,
            live: live.cloned(),
            admitted: None,
            begun: None,
        };
        let admission = self.admission(operation, subject);
        let admit = |object: Value, live: Option<&Value>| {
            // A strict write ends before any webhook is asked.
            if is_strict && !repeated.errors.is_empty() {
                return None;
            }
            let admitted = self.admitted(&admission, object, &meant, live);
            admitted.unwrap_or_else(|why| {
                admission.fail(why);
                None
            })
        };
        let answer = self.hooks.write(writing, &admit);
        let admitted = Admitted { denied: admission.take_failure(), warnings: admission.warnings.take() };
        self.ready()?;
        let answer = answer.ok_or_else(waiting)?.map_err(|why| match (&why, live) {
            (Refusal::Old(why), Some(live)) if matches!(**why, Refusal::Webhook(_)) => {
                Failure::undecodable(&unreadable(&self.kind, live, why.to_string()))
            }
            _ => Failure::bad_request(why.to_string()),
        })?;
        Ok((answer, admitted))
    }

    /// The object after the checks that it is the one that is stored, and after mutating admission.
    fn admitted(
        &self,
        admission: &Admission<'_>,
        object: Value,
        meant: &Meant,
        live: Option<&Value>,
    ) -> Result<Option<Value>, Failure> {
        self.check_before_admission(&object, meant, live)?;
        let mut admitted = Some(object);
        if let (Some(object), Some(Subresource::Scale)) = (&admitted, self.subresource) {
            if self.is_asked_about() {
                admitted = self.admit_scale(admission, object.clone(), live)?;
            }
        } else {
            if self.is_admitted_by_itself()
                && let Some(object) = admitted
            {
                admitted = Some(self.admit_itself(object, live)?);
            }
            if self.is_asked_about() {
                admitted = admission.mutate(admitted, live);
            }
        }
        if let Some(object) = &mut admitted {
            self.check_after_admission(object, meant, live)?;
        }
        Ok(admitted)
    }

    /// Checks an object of Kubernetes' own kinds, and warns about it.
    fn check_own(&mut self, object: &Value, live: Option<&Value>) -> Result<(), Failure> {
        let Some(row) = self.kind.row() else { return Ok(()) };
        let subresource = self.subresource;
        let namespace = Key::new("", meta::text(object, "namespace"));
        let namespace = self.state.store.get(&Resource::new("", "namespaces"), &namespace);
        let label =
            |it: &Value| Some(it.get("metadata")?.get("labels")?.get(ADMIN_LABEL)?.as_str()? == "true");
        let own = Own {
            kind: Arc::clone(&self.kind),
            version: self.path.version.clone(),
            subresource,
            object: object.clone(),
            live: live.cloned(),
            allows_admin: namespace.and_then(|it| label(it)).unwrap_or_default(),
        };
        let checked = self.hooks.done(own).ok_or_else(waiting)?;
        let (mistakes, warnings) = &*checked;
        if mistakes.is_empty() {
            self.warnings.extend(warnings.iter().map(Mistake::warning_text));
            self.warnings
                .extend(enforced(object, live).filter(|_| (row.kind, subresource) == ("Namespace", None)));
            return Ok(());
        }
        let (kind, group) = match subresource {
            Some(Subresource::Scale) => ("Scale", "autoscaling"),
            _ => (row.kind, row.checked_group()),
        };
        Err(Failure::invalid_fields(kind, group, meta::text(object, "name"), mistakes))
    }

    /// Warns about fields that are repeated in a body.
    pub(super) fn warn_repeated(&mut self, repeated: &Repeated) {
        if self.request.query.field_validation == FieldValidation::Warn {
            self.warnings.extend(repeated.warnings.iter().cloned());
        }
    }

    /// Warns about unknown fields, or rejects them and repeated ones.
    fn strict(
        &mut self,
        repeated: Repeated,
        unknown: Vec<String>,
        live: Option<&Value>,
    ) -> Result<(), Failure> {
        let found: Vec<String> = repeated.errors.into_iter().chain(unknown.iter().cloned()).collect();
        match self.request.query.field_validation {
            FieldValidation::Ignore => Ok(()),
            FieldValidation::Warn => {
                // Those about repeated fields are there since they were read.
                self.warnings.extend(unknown);
                Ok(())
            }
            FieldValidation::Strict if found.is_empty() => Ok(()),
            FieldValidation::Strict if self.request.method == Method::PATCH => {
                let patched = live.and_then(|live| self.shown_patched(live));
                let patched = patched.map_or_else(|| self.shown_patch(), |patched| go::quote(&patched));
                let why = format!("{patched}: strict decoding error: {}", found.join(", "));
                Err(invalid_patch(why))
            }
            FieldValidation::Strict => {
                let (kind, version) = (&self.kind.names.kind, go::quote(&self.path.version));
                Err(Failure::bad_request(format!(
                    "{kind} in version {version} cannot be handled as a {kind}: strict decoding error: {}",
                    found.join(", ")
                )))
            }
        }
    }

    /// The patch of the request, as the server shows it.
    fn shown_patch(&self) -> String {
        let is_strategic = self.request.patch_type() == Some(PatchType::Strategic);
        match json::read(&self.request.body) {
            Ok(patch) if is_strategic => go::quote(&printed(&patch)),
            _ => go::quote(&String::from_utf8_lossy(&self.request.body)),
        }
    }

    /// Why the server cannot decode what a patch makes. It shows the new object, or a strategic merge patch, which it applies to
    /// decoded objects.
    fn undecoded_patch(&self, why: &Refusal, live: &Value) -> String {
        match (self.request.patch_type(), why) {
            (Some(PatchType::Strategic), Refusal::NotDecoded(why)) => {
                format!("{}: {}", self.shown_patch(), why.of_converter())
            }
            _ => {
                let object = self.shown_patched(live);
                format!("{}: {why}", object.map_or_else(|| self.shown_patch(), |object| go::quote(&object)))
            }
        }
    }

    /// Why the server cannot decode what a patch makes of a custom resource.
    fn undecoded_custom(&self, why: &Refusal, live: &Value) -> Failure {
        match why {
            Refusal::OtherVersion { found, .. } if found.is_empty() => {
                Failure::internal("Object 'apiVersion' is missing in 'object has no apiVersion field'")
            }
            Refusal::OtherVersion { found, wanted } => {
                let patched = self.patched(live).unwrap_or_default();
                let version = meta::text(&patched, "resourceVersion");
                if !version.is_empty() && version != meta::text(live, "resourceVersion") {
                    let Resource { plural, group } = &self.kind.resource;
                    return Failure::modified(plural, group, &self.path.name);
                }
                let must_be = |field: &'static str, found: &str, wanted: &str| {
                    let why = format!("{}: must be {wanted}", go::quote(found));
                    (found != wanted).then(|| Mistake::new(field, Kind::Invalid, why))
                };
                let kind = must_be("kind", patched.text("kind"), &self.kind.names.kind);
                let mistakes: Vec<_> = kind.into_iter().chain(must_be("apiVersion", found, wanted)).collect();
                let group = GroupVersion::of(found).group;
                Failure::invalid_fields(patched.text("kind"), group, &self.path.name, &mistakes)
            }
            Refusal::ApiVersion(_) | Refusal::NoKind(_) | Refusal::Metadata(_) | Refusal::TypeMeta { .. } => {
                invalid_patch(self.undecoded_patch(why, live))
            }
            why => Failure::bad_request(why.to_string()),
        }
    }

    /// Why an object cannot be decoded, with its numbers as the client has written them.
    fn as_sent(&self, mut why: Refusal) -> Refusal {
        // A strategic merge patch is decoded before it is applied, and has no numbers as they were sent any more.
        let is_json = self.request.body_syntax().is_ok_and(|it| it == BodySyntax::Json)
            && self.request.patch_type() != Some(PatchType::Strategic);
        if let (true, Refusal::NotDecoded(NotDecoded::Field { found: Found::NoInteger(number), .. })) =
            (is_json, &mut why)
            && let Ok(value) = number.parse()
        {
            let body = String::from_utf8_lossy(&self.request.body);
            if let Some(sent) = number_in(&body, value) {
                sent.clone_into(number);
            }
        }
        why
    }

    fn rejected(&self, why: Rejected, verb: Verb, name: &str, live: Option<&Value>) -> Failure {
        let name = if self.path.name.is_empty() { name } else { &self.path.name };
        let (plural, group) = (&self.kind.resource.plural, &self.kind.resource.group);
        match why {
            // The failure of admission comes before.
            Rejected::Denied => Failure::internal("admission denied the request"),
            Rejected::Undecodable(why) if verb == Verb::Update => {
                let (kind, body) = (&self.kind.names.kind, &self.request.body);
                let api_version = self.kind.api_version(&self.path.version);
                let why = self.as_sent(*why);
                match why {
                    Refusal::NoKind(_) if self.request.is_text() => {
                        let sent = Refusal::NoKind(String::from_utf8_lossy(body).into_owned());
                        unrecognized(kind, &sent.to_string(), body)
                    }
                    Refusal::NoObject(_)
                    | Refusal::NoKind(_)
                    | Refusal::TypeMeta { .. }
                    | Refusal::ApiVersion(_) => unrecognized(kind, &why.to_string(), body),
                    Refusal::OtherVersion { .. } => Failure::bad_request(why.to_string()),
                    _ => undecodable((&api_version, kind), kind, &why.to_string()),
                }
            }
            Rejected::Undecodable(why) => match (self.as_sent(*why), live) {
                (why @ Refusal::NotDecoded(_), Some(live)) => invalid_patch(self.undecoded_patch(&why, live)),
                (why, Some(live))
                    if self.kind.role == Role::Custom && !matches!(verb, Verb::Apply { .. }) =>
                {
                    self.undecoded_custom(&why, live)
                }
                (why, _) => Failure::bad_request(why.to_string()),
            },
            Rejected::Request(Rejection::BadRequest(message)) => Failure::bad_request(message),
            Rejected::Request(Rejection::Internal(message)) => Failure::new(500, "", message),
            Rejected::Request(rejection @ Rejection::Conflicts(_)) => {
                let message = rejection.to_string();
                let Rejection::Conflicts(conflicts) = rejection else { return Failure::internal(message) };
                let cause = |conflict: &crdgen_core::apply::library::update::Conflict| Cause {
                    reason: "FieldManagerConflict".to_owned(),
                    message: format!("conflict with {}", Identity::read(&conflict.manager).words()),
                    field: conflict.path.to_string(),
                };
                let causes = conflicts.shown().iter().map(cause).collect();
                Failure::new(409, "Conflict", message).with(Details { causes, ..Details::default() })
            }
            Rejected::NotFound(_) => self.kind.not_found(name),
            Rejected::Modified(_) => Failure::modified(plural, group, name),
            Rejected::Invalid { kind, errors, message: _ } => {
                Failure::invalid(&kind, group, name, errors.iter())
            }
        }
    }
}

/// The failure for a patch that makes something that cannot be decoded.
fn invalid_patch(why: String) -> Failure {
    Failure::invalid_field("", "", "", Mistake::new("patch", Kind::Invalid, why))
}

/// The label of namespaces that rejects pods.
const ENFORCED: &str = "pod-security.kubernetes.io/enforce";

/// The warning about a new label of a namespace that this server does not heed.
fn enforced(object: &Value, live: Option<&Value>) -> Option<String> {
    let level = |object: &Value| -> Option<String> {
        Some(object.get("metadata")?.get("labels")?.get(ENFORCED)?.as_str()?.to_owned())
    };
    let new = level(object).filter(|new| new != "privileged" && live.and_then(level).as_ref() != Some(new));
    new.map(|_| {
        format!(
            "metadata.labels[{ENFORCED}]: this server accepts all pods, also those that a cluster rejects"
        )
    })
}
