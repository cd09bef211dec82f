//! Admission webhooks: which ones a write concerns, what they are asked, and what their answers do.

mod policies;
mod registration;
mod response;
mod review;

use crate::json_patch;
use crate::registry::{Kind, Mismatch, ObjectType, Role, Subresource};
use crate::state::State;
use crate::status::Failure;
use crate::store::{Resource, Store};
use crate::user::User;
use crate::webhooks::{Hooks, waiting};
use crdgen_core::object::Conversion;
use crdgen_core::value::Value;
use crdgen_core::{GroupVersion, go};
use crdgen_kubernetes::policies::matching::Target;
use crdgen_kubernetes::policies::{Conditions, Purpose, Reinvocation, Round, Seen};
pub(crate) use registration::number_of_webhooks;
use registration::{Phase, Registration, registrations};
use response::{Answer, Response};
use std::cell::RefCell;

/// What a request does with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Create,
    Update,
    Delete,
}

impl Operation {
    fn text(self) -> &'static str {
        match self {
            Operation::Create => "CREATE",
            Operation::Update => "UPDATE",
            Operation::Delete => "DELETE",
        }
    }
}

/// A write, as webhooks see it.
#[derive(Debug)]
pub(crate) struct Attributes<'a> {
    pub(crate) operation: Operation,
    pub(crate) user: &'a User,
    pub(crate) kind: &'a Kind,
    pub(crate) version: &'a str,
    pub(crate) subresource: Option<Subresource>,
    pub(crate) namespace: &'a str,
    pub(crate) name: &'a str,
    pub(crate) dry_run: bool,
    /// The options of the request.
    pub(crate) options: Value,
}

impl Attributes<'_> {
    fn target(&self) -> Target<'_> {
        let Resource { group, plural, .. } = &self.kind.resource;
        let is_namespace = self.kind.role == Role::Namespace;
        let served = self.kind.versions.iter().filter(|version| version.served);
        Target {
            operation: self.operation.text(),
            group,
            version: self.version,
            versions: served.map(|version| version.name.as_str()).collect(),
            plural,
            subresource: self.subresource.map_or("", Subresource::name),
            namespace: if is_namespace { self.name } else { self.namespace },
            name: self.name,
        }
    }
}

/// Whether policies or webhooks may have to be asked.
pub(crate) fn is_asked(store: &Store) -> bool {
    registration::has_webhooks(store) || Purpose::ALL.iter().any(|it| policies::has_policies(store, *it))
}

/// Admission of one write. Objects are in the version of the request.
pub(crate) struct Admission<'a> {
    pub(crate) state: &'a State,
    pub(crate) hooks: &'a Hooks,
    pub(crate) attributes: Attributes<'a>,
    /// Why admission has rejected the write, if the function in the middle of a write could not return it.
    pub(crate) failure: RefCell<Option<Failure>>,
    pub(crate) warnings: RefCell<Vec<String>>,
}

impl<'a> Admission<'a> {
    pub(crate) fn new(state: &'a State, hooks: &'a Hooks, attributes: Attributes<'a>) -> Admission<'a> {
        Admission { state, hooks, attributes, failure: RefCell::default(), warnings: RefCell::default() }
    }
}

impl Admission<'_> {
    /// The object after mutating admission. `None` if there is no object, or if the write is rejected.
    pub(crate) fn mutate(&self, object: Option<Value>, old: Option<&Value>) -> Option<Value> {
        match self.mutated(object, old) {
            Ok(object) => object,
            Err(failure) => {
                self.fail(failure);
                None
            }
        }
    }

    /// Rejects the write.
    pub(crate) fn fail(&self, failure: Failure) {
        *self.failure.borrow_mut() = Some(failure);
    }

    /// Why mutating admission has rejected the write.
    pub(crate) fn take_failure(&self) -> Option<Failure> {
        self.failure.borrow_mut().take()
    }

    fn mutated(&self, mut object: Option<Value>, old: Option<&Value>) -> Result<Option<Value>, Failure> {
        let all = self.registrations(Phase::Mutating);
        let (mut called, mut again) = (Vec::new(), Vec::new());
        let mut reinvocation = Reinvocation::default();
        let mut last = None;
        for round in [Round::First, Round::Second] {
            let changed = self.apply_policies(object.as_ref(), old, round, &mut reinvocation)?;
            object = changed.or(object);
            if round == Round::Second && object != last {
                again.append(&mut called);
            }
            for (index, registration) in all.iter().enumerate() {
                if round == Round::Second && !again.contains(&index) {
                    continue;
                }
                let Some(target) = self.matches(registration, object.as_ref(), old)? else { continue };
                let changed = match self.call(registration, &target, object.as_ref(), old)? {
                    Some(Answer { patch, .. }) => {
                        let patched = self.patched(registration, &target, object.as_ref(), &patch)?;
                        let is_changed = patched.is_some() && patched != object;
                        object = patched.or(object);
                        is_changed
                    }
                    None => false,
                };
                if changed && round == Round::First {
                    // The webhooks before this one, which asked for that, see the object once more.
                    again.append(&mut called);
                    reinvocation.is_wanted = true;
                }
                if registration.reinvoked && round == Round::First {
                    called.push(index);
                }
            }
            if !reinvocation.is_wanted {
                break;
            }
            last.clone_from(&object);
        }
        Ok(object)
    }

    /// Asks the policies and the webhooks of validating admission.
    pub(crate) fn validate(&self, object: Option<&Value>, old: Option<&Value>) -> Result<(), Failure> {
        self.ask_policies(object, old)?;
        let mut first = None;
        // The server calls them all at once.
        for registration in self.registrations(Phase::Validating) {
            let Some(target) = self.matches(&registration, object, old)? else { continue };
            if let Err(why) = self.call(&registration, &target, object, old)
                && !self.hooks.is_waiting()
            {
                first.get_or_insert(why);
            }
        }
        match first {
            _ if self.hooks.is_waiting() => Err(waiting()),
            Some(why) => Err(why),
            None => Ok(()),
        }
    }

    /// The webhooks of a phase, by the name of their configuration. None are asked about their own configurations and reviews.
    fn registrations(&self, phase: Phase) -> Vec<Registration> {
        let Kind { resource, role, .. } = self.attributes.kind;
        if Phase::ALL.iter().any(|phase| phase.configurations() == *resource) || *role == Role::Review {
            return Vec::new();
        }
        registrations(&self.state.store, phase)
    }

    /// The review in the version that a webhook wants. `None` if the write does not concern it.
    fn matches(
        &self,
        registration: &Registration,
        object: Option<&Value>,
        old: Option<&Value>,
    ) -> Result<Option<String>, Failure> {
        let attributes = &self.attributes;
        let target = attributes.target();
        let find = |name: &str| {
            let found =
                self.state.store.get(&crate::registry::namespaces(), &crate::store::Key::new("", name));
            found.map(|namespace| &***namespace)
        };
        let selectors = &registration.selectors;
        let namespace = selectors.select_namespace(&target, object, find);
        if namespace == Ok(false) || !selectors.select_objects(object, old) {
            return Ok(None);
        }
        let Some(version) = registration.rules.version(&target).map(str::to_owned) else { return Ok(None) };
        namespace.map_err(|name| Failure::not_found("namespaces", "", name))?;
        if registration.conditions.is_empty() {
            return Ok(Some(version));
        }
        let conditions = Conditions::of_webhook(&registration.conditions);
        match conditions.are_met(&self.seen(object, old, &version)?, self) {
            Ok(is_wanted) => Ok(is_wanted.then_some(version)),
            Err(_) if registration.ignores_failures => Ok(None),
            Err(why) => {
                let (plural, group) = (&attributes.kind.resource.plural, &attributes.kind.resource.group);
                Err(Failure::forbidden(plural, group, attributes.name, &why))
            }
        }
    }

    /// What expressions read, in a version.
    fn seen(&self, object: Option<&Value>, old: Option<&Value>, version: &str) -> Result<Seen, Failure> {
        let (object, old) = (self.converted(object, version)?, self.converted(old, version)?);
        let request = review::request(&self.attributes, version, None);
        let is_custom = !self.attributes.kind.has_code();
        Ok(Seen { object, old, request, namespace: Value::Null, is_custom })
    }

    /// An object in another version than that of the request.
    fn converted(&self, object: Option<&Value>, version: &str) -> Result<Value, Failure> {
        let Some(object) = object else { return Ok(Value::Null) };
        self.convert(object.clone(), self.attributes.version, version)
    }

    fn convert(&self, object: Value, from: &str, to: &str) -> Result<Value, Failure> {
        let kind = self.attributes.kind;
        let is_other =
            self.attributes.subresource.is_some_and(|it| it.kind(&kind.names.kind).group_version.is_some());
        if from == to || is_other {
            return Ok(object);
        }
        let converter = self.hooks.converter(kind);
        let webhook = converter.as_ref().map(|it| it as &dyn Conversion);
        let converted = kind.served()?.convert(object, to, webhook);
        if self.hooks.is_waiting() {
            return Err(waiting());
        }
        converted.map_err(|why| Failure::internal(why.to_string()))
    }

    /// The answer of a webhook. `None` if it has failed, and its failures are ignored.
    fn call(
        &self,
        registration: &Registration,
        version: &str,
        object: Option<&Value>,
        old: Option<&Value>,
    ) -> Result<Option<Answer>, Failure> {
        let name = go::quote(&registration.name);
        if self.attributes.dry_run && !registration.allows_dry_run {
            let message = format!("admission webhook {name} does not support dry run");
            return Err(Failure::bad_request(message));
        }
        let failed = |why: String| {
            let message = format!("failed calling webhook {name}: {why}");
            if registration.ignores_failures { Ok(None) } else { Err(Failure::internal(message)) }
        };
        let Some(review) = registration.review else {
            let why = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
            return failed(format!("could not create admission objects: {why}"));
        };
        let (object, old) = (self.converted(object, version)?, self.converted(old, version)?);
        let request = review::request(&self.attributes, version, Some([&object, &old]));
        let (uid, outcome) = self.hooks.review(&registration.endpoint, &review::review(review, request));
        let answer = match outcome {
            None => return Err(waiting()),
            Some(Err(why)) => return failed(format!("failed to call webhook: {why}")),
            Some(Ok(answer)) => answer,
        };
        let response = match Response::read(&answer, review, &uid, registration.phase) {
            Ok(response) => response,
            Err(why) => return failed(format!("received invalid webhook response: {why}")),
        };
        self.warnings.borrow_mut().extend(response.warnings);
        match response.answer {
            Ok(answer) => Ok(Some(answer)),
            Err(denied) => Err(denied.failure(&registration.name)),
        }
    }

    /// The object after the patch of a webhook. `None` without a patch.
    fn patched(
        &self,
        registration: &Registration,
        version: &str,
        object: Option<&Value>,
        patch: &[u8],
    ) -> Result<Option<Value>, Failure> {
        let name = go::quote(&registration.name);
        if patch.is_empty() {
            return Ok(None);
        }
        let failed = |why: String| {
            let why = format!(
                "failed calling webhook {name}: received undecodable patch in webhook response: {why}"
            );
            if registration.ignores_failures { Ok(None) } else { Err(Failure::internal(why)) }
        };
        let steps = match crdgen_core::json::read(patch) {
            Ok(Value::List(steps)) => steps,
            Ok(other) => {
                let ty = other.json_type();
                return failed(format!("json: cannot unmarshal {ty} into Go value of type jsonpatch.Patch"));
            }
            Err(why) => return failed(why.to_string()),
        };
        if steps.is_empty() {
            return Ok(None);
        }
        let Some(object) = object else {
            return Err(Failure::internal(format!(
                "admission webhook {name} attempted to modify the object, which is not supported for this operation"
            )));
        };
        let mut patched = self.converted(Some(object), version)?;
        if let Some(step) = steps.iter().find(|step| !matches!(step, Value::Map(_) | Value::Null)) {
            let ty = step.json_type();
            return failed(format!("json: cannot unmarshal {ty} into Go value of type jsonpatch.Operation"));
        }
        // The object may be a Scale.
        let ty = ObjectType::of(&patched);
        json_patch::apply(&mut patched, &steps).map_err(|why| Failure::internal(why.to_string()))?;
        self.check_type(&mut patched, &ty)?;
        let mut patched = self.convert(patched, version, self.attributes.version)?;
        self.set_defaults(&mut patched)?;
        Ok(Some(patched))
    }

    /// Sets the defaults of a custom resource.
    fn set_defaults(&self, object: &mut Value) -> Result<(), Failure> {
        let kind = self.attributes.kind;
        let served = kind.served()?;
        if !kind.has_code()
            && let Ok(version) = served.version(GroupVersion::of(object.text("apiVersion")).version)
        {
            // The storage rejects what is too large.
            _ = served.default(object, version);
        }
        Ok(())
    }

    /// Rejects a patch that makes an object of another kind or version of it, in the words of the server's decoders.
    fn check_type(&self, patched: &mut Value, wanted: &ObjectType) -> Result<(), Failure> {
        if !matches!(patched, Value::Map(_)) {
            let ty = patched.json_type();
            return Err(Failure::internal(format!(
                "couldn't get version/kind; json parse error: json: cannot unmarshal {ty} into Go value of type struct {{ \
                 APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }}"
            )));
        }
        if self.attributes.kind.has_code() {
            return self.check_own_type(patched, wanted);
        }
        let (api_version, kind) = (patched.text("apiVersion"), patched.text("kind"));
        if kind.is_empty() {
            let text = crdgen_core::json::to_string(patched);
            return Err(Failure::internal(format!("Object 'Kind' is missing in '{text}'")));
        }
        if api_version != wanted.api_version {
            let (slash, wanted) = (if api_version.contains('/') { "" } else { "/" }, &wanted.api_version);
            let message = format!(
                "{slash}{api_version}, Kind={kind} is unstructured and is not suitable for converting to \"{wanted}\""
            );
            return Err(Failure::new(500, "", message));
        }
        // The checks of the object find another kind.
        Ok(())
    }

    /// The same for Kubernetes' own kinds, which the server decodes as what they say they are.
    fn check_own_type(&self, patched: &mut Value, wanted: &ObjectType) -> Result<(), Failure> {
        wanted.complete(patched);
        let found = ObjectType::of(patched);
        if found == *wanted {
            return Ok(());
        }
        Err(match self.attributes.kind.mismatch(&found, wanted) {
            Mismatch::Unknown(why) => Failure::internal(why),
            Mismatch::Kind(why) | Mismatch::Version(why) => Failure::new(500, "", why),
        })
    }
}
