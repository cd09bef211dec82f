//! What requests do with objects.

mod actions;
mod admit;
mod admit_own;
mod bind;
mod create;
mod decode;
mod delete;
mod evict;
mod identity;
mod limit_ranges;
mod list;
mod literals;
mod nodes;
mod options;
mod patch;
mod patched;
mod present;
mod quotas;
mod reviews;
pub(crate) mod roles;
mod strategic;
mod tokens;
mod update;
mod watch;
mod write;

use crate::answer::Answer;
use crate::meta;
use crate::registry::{Access, Kind, Role, Subresource, Verb};
use crate::request::{
    Accepted, DryRun, Form, MEDIA_TYPES, ObjectPath, Objects, Request, Syntax, WATCH_TYPES, accepted,
};
use crate::select::Selector;
use crate::show::{metadata_only, table_of_scale};
use crate::state::{Shared, State};
use crate::status::{Failure, Source, Unreadable};
use crate::store::{Key, Object, Resource};
use crate::webhooks::{Hooks, waiting};
use crdgen_core::apply::Writer;
use crdgen_core::object::selector::Absent;
use crdgen_core::object::{Served, ServedVersion};
use crdgen_core::value::Value;
use http::Method;
use std::sync::Arc;

/// A request about the objects of a resource.
pub(crate) struct Call<'c> {
    pub(crate) shared: &'c Shared,
    pub(crate) state: &'c mut State,
    pub(crate) request: &'c Request,
    /// Its method. For custom resources, `HEAD` is `GET`.
    method: &'c Method,
    pub(crate) path: &'c ObjectPath,
    pub(crate) kind: Arc<Kind>,
    pub(crate) subresource: Option<Subresource>,
    pub(crate) writer: Arc<Writer<Served>>,
    pub(crate) form: Form,
    pub(crate) syntax: Syntax,
    pub(crate) warnings: Vec<String>,
    pub(crate) hooks: &'c Hooks,
}

/// Answers a request about objects.
pub(crate) fn answer(
    shared: &Shared,
    state: &mut State,
    request: &Request,
    path: &ObjectPath,
    hooks: &Hooks,
) -> Result<Answer, Failure> {
    // The server has one answer for the paths of its own groups, and another one for those of CRDs.
    let is_own = state.registry.is_own(&path.group);
    let missing = || if is_own { Err(Failure::no_such_resource()) } else { Ok(Answer::no_such_path()) };
    let Some(kind) = state.registry.find(&path.group, &path.version, &path.plural) else { return missing() };
    if !kind.namespaced && !path.namespace.is_empty() {
        return missing();
    }
    // What is only created is in one place, and has no path of its own.
    let is_sent = kind.verbs() == [Verb::Create] && path.subresource.is_empty();
    if is_sent && (!path.name.is_empty() || kind.namespaced && path.namespace.is_empty()) {
        return missing();
    }
    let is_of_crd = kind.role == Role::Custom;
    let method = if is_of_crd && request.method == Method::HEAD { &Method::GET } else { &request.method };
    // Only lists and watches are about all namespaces.
    let is_across = *method == Method::GET && path.name.is_empty();
    if kind.namespaced && path.namespace.is_empty() && !is_across {
        let is_method = is_own && path.name.is_empty();
        return if is_method { Err(Failure::method_not_allowed()) } else { missing() };
    }
    let subresource = kind.subresource(&path.version, &path.subresource);
    if subresource.is_none() && !path.subresource.is_empty() {
        return if is_own { missing() } else { Err(kind.not_found(&path.name)) };
    }
    let accept = request.header(http::header::ACCEPT);
    let is_watch = is_across && (path.is_watch || request.query.watch);
    let not_acceptable = || match (kind.role, is_across) {
        (Role::Custom, _) => Failure::not_acceptable(MEDIA_TYPES),
        (_, false) => Failure::no_representation(MEDIA_TYPES),
        (_, true) => Failure::no_representation(&format!("{MEDIA_TYPES}, {WATCH_TYPES}")),
    };
    // The name of a new custom resource is that in the body.
    let unnamed = ObjectPath { name: String::new(), ..path.clone() };
    let is_new = is_of_crd && *method == Method::POST && subresource.is_none();
    let path = if is_new { &unnamed } else { path };
    let objects =
        if is_of_crd && subresource != Some(Subresource::Scale) { Objects::Custom } else { Objects::Own };
    // Routes are chosen by what a client sends before what it accepts.
    let unsent = if !is_of_crd && *method == Method::PATCH { patch::without_route(request) } else { None };
    let unacceptable = || unsent.unwrap_or_else(not_acceptable);
    let Accepted { form, syntax } = accepted(accept, objects).ok_or_else(unacceptable)?;
    if is_watch && syntax == Syntax::Yaml {
        return Err(Failure::not_acceptable(WATCH_TYPES));
    }
    let writer = Arc::clone(kind.writer()?);
    let warnings = Vec::new();
    let mut call = Call {
        shared,
        state,
        request,
        method,
        path,
        kind,
        subresource,
        writer,
        form,
        syntax,
        warnings,
        hooks,
    };
    let answer = call.answer();
    let warnings = std::mem::take(&mut call.warnings);
    let mut answer = answer.unwrap_or_else(Answer::from);
    answer.warnings.extend(warnings);
    Ok(answer)
}

impl Call<'_> {
    fn answer(&mut self) -> Result<Answer, Failure> {
        // The writer of custom resources warns about writes.
        if (self.kind.has_code() || matches!(*self.method, Method::GET | Method::DELETE))
            && let Ok(version) = self.version()
        {
            self.warnings.extend(self.served().deprecation(version));
        }
        self.check_manager()?;
        let method = self.method;
        match (self.subresource, self.subresource.map(Subresource::access)) {
            (Some(subresource), Some(Access::Node)) => return self.on_node(subresource),
            (Some(subresource), Some(Access::Action)) if *method == Method::POST => {
                return self.act(subresource);
            }
            (Some(_), Some(Access::Part | Access::Replaced)) if *method == Method::PUT => {
                return self.update();
            }
            (Some(_), Some(Access::Part)) if *method == Method::PATCH => return self.patch(),
            (Some(_), Some(Access::Part)) if *method == Method::GET => return self.get(),
            (Some(_), _) => return Err(self.not_allowed()),
            (None, _) => {}
        }
        let verb = self.verb().filter(|verb| self.kind.verbs().contains(verb));
        match verb.ok_or_else(|| self.not_allowed())? {
            Verb::Watch => self.watch(),
            Verb::List => self.list(),
            Verb::Get => self.get(),
            Verb::Create => self.create(),
            Verb::Update => self.update(),
            Verb::Patch => self.patch(),
            Verb::Delete => self.delete(),
            Verb::DeleteCollection => self.delete_collection(),
        }
    }

    /// What the request does with objects. `None` if the method is not for such a path.
    fn verb(&self) -> Option<Verb> {
        let is_watch = self.path.is_watch || self.request.query.watch;
        match (self.method, !self.path.name.is_empty()) {
            (&Method::GET, _) if is_watch => Some(Verb::Watch),
            _ if self.path.is_watch => None,
            (&Method::GET, false) => Some(Verb::List),
            (&Method::GET, true) => Some(Verb::Get),
            (&Method::POST, false) => Some(Verb::Create),
            (&Method::PUT, true) => Some(Verb::Update),
            (&Method::PATCH, true) => Some(Verb::Patch),
            (&Method::DELETE, true) => Some(Verb::Delete),
            (&Method::DELETE, false) => Some(Verb::DeleteCollection),
            _ => None,
        }
    }

    /// The failure for a method that is not for such a path.
    fn not_allowed(&self) -> Failure {
        let Resource { plural, group } = &self.kind.resource;
        let verb = match *self.method {
            _ if self.kind.role != Role::Custom => return Failure::method_not_allowed(),
            Method::PUT | Method::PATCH if self.path.name.is_empty() => {
                return Failure::bad_request("name must be provided");
            }
            Method::POST => "create",
            Method::PUT => "update",
            Method::PATCH => "patch",
            Method::DELETE => "delete",
            _ => "",
        };
        Failure::not_supported(verb, plural, group)
    }

    /// The resource under which the objects are stored.
    fn resource(&self) -> Resource {
        self.kind.stored_in.clone()
    }

    fn key(&self) -> Key {
        Key::new(&self.path.namespace, &self.path.name)
    }

    fn served(&self) -> &Served {
        self.writer.served()
    }

    fn version(&self) -> Result<&ServedVersion, Failure> {
        self.kind.version(self.served(), &self.path.version)
    }

    /// The selectors of the request.
    fn selector(&self) -> Result<Selector, Failure> {
        let query = &self.request.query;
        let (labels, fields) = (&query.label_selector, &query.field_selector);
        let absent = if self.kind.has_code() { Absent::Zero } else { Absent::Empty };
        let selector = Selector::read(labels, fields, absent, &self.path.version, &self.path.name)?;
        selector.check(&self.kind, self.served(), self.version()?)?;
        Ok(selector)
    }

    fn is_dry_run(&self) -> bool {
        self.request.query.dry_run == DryRun::All
    }

    /// The stored object.
    fn live(&self) -> Result<Arc<Object>, Failure> {
        let found = self.state.store.get(&self.kind.stored_in, &self.key());
        found.cloned().ok_or_else(|| self.kind.not_found(&self.path.name))
    }

    /// The object in the version of the request.
    fn shown(&self, stored: &Arc<Object>) -> Result<Arc<Object>, Unreadable> {
        self.hooks.read(&self.kind, stored, &self.path.version)
    }

    /// Stored objects in the version of the request, of which those that cannot be read are the failure of the list. While
    /// webhooks are asked, only some are there.
    fn all_shown(
        &self,
        shown: Vec<Result<Arc<Object>, Unreadable>>,
        source: Source,
    ) -> Result<Vec<Arc<Object>>, Failure> {
        self.ready()?;
        let (mut all, mut unreadable) = (Vec::new(), Vec::new());
        for one in shown {
            match one {
                Ok(object) => all.push(object),
                Err(why) => unreadable.push(why),
            }
        }
        if unreadable.is_empty() {
            return Ok(all);
        }
        let Resource { plural, group } = &self.kind.resource;
        Err(Failure::unreadable_list(plural, group, &unreadable, source))
    }

    /// Ends a request that cannot go on without the answers of webhooks. It must not have changed anything yet.
    fn ready(&self) -> Result<(), Failure> {
        if self.hooks.is_waiting() { Err(waiting()) } else { Ok(()) }
    }

    fn get(&mut self) -> Result<Answer, Failure> {
        let asked = self.asked_version().map_err(|why| Failure::new(500, "", why.to_string()))?;
        list::check_known(asked, self.state.store.revision())?;
        let live = self.live()?;
        let shown = self.shown(&live)?;
        if self.subresource == Some(Subresource::Scale) {
            return self.scale_answer(&shown);
        }
        self.found(shown)
    }

    /// The answer with the Scale of an object.
    fn scale_answer(&self, shown: &Value) -> Result<Answer, Failure> {
        let scale = self.scale_of(shown)?;
        Ok(Answer::value(match self.form {
            Form::Table(form) => table_of_scale(scale, self.state.clock.seconds(), form),
            Form::Metadata(form) => metadata_only(&scale, form),
            Form::Plain | Form::Discovery => scale,
        }))
    }

    /// The Scale of an object, with the metadata that only the server knows.
    fn scale_of(&self, shown: &Value) -> Result<Value, Failure> {
        let scale = self.served().scale(shown.clone(), self.version()?);
        let scale = scale.and_then(|scale| scale).map_err(|why| Failure::internal(why.to_string()))?;
        let mut scale = scale;
        for name in ["uid", "resourceVersion", "creationTimestamp"] {
            meta::set(&mut scale, name, Some(meta::text(shown, name).into()));
        }
        // CRDs have the path of a text, and Kubernetes' own kinds a selector.
        let selector = shown.get("spec").and_then(|spec| spec.get("selector"));
        if let Some(selector) = selector.filter(|_| self.kind.has_code()) {
            meta::set_at(&mut scale, &["status", "selector"], meta::selector_text(selector).into());
        }
        Ok(scale)
    }
}
