//! A server, and what it answers.

mod attempt;
mod control;
mod enter;
mod first;
mod run;

pub use control::{NotReached, Snapshot};
pub use run::{Passed, run};

use crate::answer::{Answer, Content};
use crate::discovery::{self, Groups};
use crate::rbac::{self, Authorization};
use crate::registry::Registry;
use crate::request::{
    Form, MEDIA_TYPES, ObjectPath, Objects, OpenApiSyntax, Request, Target, VersionMatch, accepted,
    accepted_openapi, accepts_json,
};
use crate::state::{Locked, Saving, Sent, Shared, State};
use crate::status::Failure;
use crate::store::{Key, Storage};
use crate::testing::{Fault, Recorded, subject};
#[cfg(feature = "http")]
use crate::tokens::Known;
use crate::tokens::Tokens;
use crate::user::{User, bearer};
use crate::watch::Delay;
use crate::webhooks::Hooks;
use crate::{controllers, openapi, verbs};
use attempt::Attempt;
use bytes::Bytes;
use control::Control;
use crdgen_core::value::Value;
use crdgen_core::{GroupVersion, go, yaml};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// A Kubernetes API server in memory. Clones are the same server.
///
/// As a [`tower_service::Service`] it answers requests without a socket; `kube::Client::new` takes it.
#[derive(Clone)]
pub struct Server {
    shared: Shared,
    control: Arc<Control>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}

/// What happens to objects that are added and exist already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Existing {
    Rejected,
    LeftAlone,
}

/// Why documents cannot be added to a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected(String);

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Rejected {}

impl Default for Server {
    fn default() -> Server {
        Server::new()
    }
}

impl Server {
    /// Starts a server with the namespaces and kinds that every cluster has. Its uids and generated names are always the same.
    pub fn new() -> Server {
        Server::with_seed(0)
    }

    /// Starts a server like [`Server::new`], whose uids and generated names depend on a seed.
    pub fn with_seed(seed: u64) -> Server {
        Server::of(first::state(seed))
    }

    /// The state, in which the controllers have done what the start of the server has left to do.
    fn state(&self) -> Locked<'_> {
        let mut state = self.shared.lock();
        if !state.work.is_empty() {
            // What needs webhooks is done after the first change.
            let rest = controllers::settle(&mut state, &Hooks::default());
            state.denied.extend(rest);
            self.shared.save(&state);
        }
        state
    }

    fn of(state: State) -> Server {
        Server { shared: Shared::new(state), control: Arc::default() }
    }

    /// Starts a server with everything that a storage has, or like [`Server::with_seed`] if it is empty. The server answers a
    /// write after the storage has saved it.
    ///
    /// # Errors
    /// Fails if the storage cannot be read or written.
    pub fn with_storage(seed: u64, storage: Box<dyn Storage>) -> io::Result<Server> {
        Server::kept_in(seed, storage, Saving::InThread)
    }

    /// Starts a server like [`Server::with_storage`], in which no thread saves the changes, but each request its own, before it is
    /// answered. So what happens in tests whose time is paused does not depend on a thread.
    ///
    /// # Errors
    /// Fails if the storage cannot be read or written.
    pub fn with_storage_in_requests(seed: u64, storage: Box<dyn Storage>) -> io::Result<Server> {
        Server::kept_in(seed, storage, Saving::InRequests)
    }

    fn kept_in(seed: u64, mut storage: Box<dyn Storage>, saving: Saving) -> io::Result<Server> {
        let mut state = State::load(&mut *storage)?.unwrap_or_else(|| first::state(seed));
        // Tokens of before the restart stay valid.
        state.tokens = Tokens::of_seed(seed);
        Ok(Server { shared: Shared::kept_in(state, storage, saving)?, control: Arc::default() })
    }

    /// Lets roles and their bindings decide who may do what, as `--authorization-mode=RBAC` does. Without it, everybody may do
    /// everything. The server gets the roles of a new cluster that are missing, except for those of its components.
    #[must_use]
    pub fn with_rbac(self) -> Server {
        let mut state = self.shared.lock();
        state.authorization = Authorization::Rbac;
        for (resource, mut object) in rbac::bootstrap_objects() {
            if state.store.get(&resource, &Key::new("", crate::meta::text(&object, "name"))).is_none() {
                state.stamp(&mut object);
                state.put(&resource, object);
            }
        }
        drop(state);
        self
    }

    /// Leaves out the controllers of kube-controller-manager, as envtest does: nothing collects garbage, objects that are deleted in
    /// the foreground stay, and so do deleted namespaces.
    #[must_use]
    pub fn without_controller_manager(self) -> Server {
        self.shared.lock().has_manager = false;
        self
    }

    /// Accepts objects in namespaces that do not exist, as a server does that runs without the admission plugin NamespaceLifecycle.
    #[must_use]
    pub fn without_namespace_lifecycle(self) -> Server {
        self.shared.lock().checks_namespaces = false;
        self
    }

    /// The bytes of all bodies that have arrived, of requests without an answer.
    pub(crate) fn held(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.control.held)
    }

    /// Creates the CRDs and objects in a text with YAML or JSON documents, in their order.
    ///
    /// # Errors
    /// Fails with the first answer that is not a success.
    pub fn add(&self, text: &str) -> Result<(), Rejected> {
        self.add_each(text, Existing::Rejected)
    }

    /// Like [`Server::add`], but leaves objects alone that are there already.
    ///
    /// # Errors
    /// Fails with the first answer that is not a success, unless it says that the object exists.
    pub fn add_missing(&self, text: &str) -> Result<(), Rejected> {
        self.add_each(text, Existing::LeftAlone)
    }

    fn add_each(&self, text: &str, existing: Existing) -> Result<(), Rejected> {
        let (documents, problems) = yaml::read(text.as_bytes());
        if let Some(problem) = problems.first() {
            return Err(Rejected(problem.text.clone()));
        }
        for document in documents {
            for (_, object) in document.objects() {
                self.create(object, existing)?;
            }
        }
        Ok(())
    }

    /// Creates an object as a client does.
    fn create(&self, object: &Value, existing: Existing) -> Result<(), Rejected> {
        let (api_version, kind) = (object.text("apiVersion"), object.text("kind"));
        let GroupVersion { group, version } = GroupVersion::of(api_version);
        let found = self
            .state()
            .registry
            .kinds()
            .find(|it| it.serves(group, version) && it.names.kind == kind)
            .cloned();
        let Some(found) = found else {
            return Err(Rejected(format!("no kind {} in {api_version}", go::quote(kind))));
        };
        let namespace = match crate::meta::text(object, "namespace") {
            "" => "default",
            namespace => namespace,
        };
        let prefix =
            if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
        let path = match found.namespaced {
            true => format!("{prefix}/namespaces/{namespace}/{}", found.resource.plural),
            false => format!("{prefix}/{}", found.resource.plural),
        };
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let body = Bytes::from(crdgen_core::json::to_string(object));
        let mut attempt = Attempt::new(&self.control, &self.shared);
        let request = Request::read(User::admin(), Method::POST, &path, headers, body);
        let answer = request.and_then(|request| {
            let mut answer = self.route(&request, &mut attempt);
            let mut rounds = 1;
            while rounds <= attempt.most_rounds() && attempt.compute() {
                rounds += 1;
                answer = self.route(&request, &mut attempt);
            }
            answer
        });
        if let Some(revision) = attempt.revision() {
            self.shared.block_until_saved(revision).map_err(|why| Rejected(why.to_string()))?;
        }
        if attempt.is_waiting() {
            let name = go::quote(crate::meta::text(object, "name"));
            let why = format!("{kind} {name} needs a webhook: create it with a client");
            return Err(Rejected(why));
        }
        let answer = answer.unwrap_or_else(Answer::from);
        match &answer.content {
            Content::Value(status)
                if existing == Existing::LeftAlone && status.text("reason") == "AlreadyExists" =>
            {
                Ok(())
            }
            Content::Value(status) if answer.code >= 300 => Err(Rejected(status.text("message").to_owned())),
            Content::Text(text) if answer.code >= 300 => Err(Rejected(text.trim().to_owned())),
            _ => Ok(()),
        }
    }

    /// Signs the tokens of service accounts with a secret from now on. Other clients have the known tokens.
    #[cfg(feature = "http")]
    pub(crate) fn close(&self, secret: &str, known: Known) {
        self.shared.lock().tokens = Tokens::secret(secret.as_bytes(), known);
    }

    /// Whether clients that say nothing about themselves are users too. If everybody may do everything, they are not.
    #[cfg(feature = "http")]
    pub(crate) fn knows_anonymous(&self) -> bool {
        self.shared.lock().authorization == Authorization::Rbac
    }

    /// Who sends a token.
    pub(crate) fn sender(&self, headers: &HeaderMap) -> Sent {
        let token = bearer(headers).and_then(|token| std::str::from_utf8(token).ok());
        token.map_or(Sent::Other, |token| self.shared.lock().sender(token))
    }

    /// Answers a request.
    pub(crate) async fn answer(
        &self,
        user: User,
        method: Method,
        uri: &str,
        headers: HeaderMap,
        body: Bytes,
    ) -> Answer {
        let (user, denied) = match self.enter(&user, &method, uri, &headers) {
            Ok(user) => (user, None),
            Err(failure) => (user, Some(failure)),
        };
        let request = match Request::read(user, method, uri, headers, body) {
            Ok(request) => request,
            Err(failure) => return denied.unwrap_or(failure).into(),
        };
        let mut recorded = subject(&request);
        let fault = self.control.fault(&recorded);
        let shuffled = self.control.shuffled();
        if let Some(mut random) = shuffled.clone() {
            tokio::time::sleep(random.moment()).await;
        }
        let request = match fault {
            Some(Fault::Stale(changes)) => self.stale(request, changes),
            _ => request,
        };
        let answer = match (fault, denied) {
            (Some(fault), _) if fault.prevents_the_request() => Err(fault.failure(&recorded)),
            (_, Some(denied)) => Err(denied),
            (_, None) => self.attempt(&request, &mut recorded).await,
        };
        let answer = match fault {
            // The write happened; only its answer is lost.
            Some(Fault::LostResponse) => Err(Fault::LostResponse.failure(&recorded)),
            _ => answer,
        };
        let answer = answer.unwrap_or_else(Answer::from).with_watch(|watch| match (fault, shuffled) {
            (Some(Fault::EndWatch(events)), _) => watch.ends_after = Some(events),
            (Some(Fault::DelayWatch(delay)), _) => watch.delay = Delay::Always(delay),
            (None, Some(random)) => watch.delay = Delay::Shuffled(random),
            _ => {}
        });
        recorded.code = answer.code;
        self.control.record(recorded);
        answer
    }

    /// A request for a list as it was before the last changes.
    fn stale(&self, mut request: Request, changes: u64) -> Request {
        // The next part of a list is as old as the first one.
        if !request.query.next.is_empty() {
            return request;
        }
        let revision = self.shared.lock().store.revision();
        request.query.resource_version = revision.saturating_sub(changes).max(1).to_string();
        request.query.version_match = Some(VersionMatch::Exact);
        request
    }

    /// Answers a request, and calls the webhooks that it needs.
    async fn attempt(&self, request: &Request, recorded: &mut Recorded) -> Result<Answer, Failure> {
        self.go_on();
        let mut attempt = Attempt::new(&self.control, &self.shared);
        let mut rounds = 0;
        while rounds <= attempt.most_rounds() {
            rounds += 1;
            let answer = self.route(request, &mut attempt);
            if !attempt.is_waiting() {
                self.settle(&mut attempt).await;
                recorded.changed = attempt.has_changed();
                // What may be lost is not answered.
                if let Some(revision) = attempt.revision() {
                    let saved = self.shared.saved(revision).await;
                    saved.map_err(|why| Failure::internal(why.to_string()))?;
                }
                return answer;
            }
            // A watch that was not started must go before the next round.
            drop(answer);
            // Others have their turn before and after what takes long.
            tokio::task::yield_now().await;
            attempt.compute();
            attempt.call().await;
        }
        Err(Failure::internal("the object changes each time the write is checked"))
    }

    /// Goes on with what the controllers do for earlier requests, which did not wait for it. This request does not wait for it either: the
    /// webhook of another client may never answer.
    fn go_on(&self) {
        let mut state = self.shared.lock();
        if state.abandoned.is_empty() {
            return;
        }
        let mut attempt = Attempt::of_controllers(&self.control, &self.shared, &mut state);
        self.shared.save(&state);
        drop(state);
        let server = self.clone();
        tokio::spawn(async move { server.settle(&mut attempt).await });
    }

    /// Lets the controllers do what waits for the answers of webhooks. The request itself is done.
    async fn settle(&self, attempt: &mut Attempt) {
        let end = Instant::now() + LONGEST_SETTLING;
        for _ in 0..MOST_SETTLING {
            if !attempt.controllers_wait() {
                return;
            }
            // The controllers try again after other requests.
            if timeout_at(end, attempt.call_for_controllers()).await.is_err() {
                return;
            }
            let mut state = self.shared.lock();
            attempt.settle(&mut state);
            self.shared.save(&state);
        }
    }

    /// Compiles a kind that is new, without the lock.
    fn prepare(&self, path: &ObjectPath) {
        let kind = self.shared.lock().registry.find(&path.group, &path.version, &path.plural);
        // What is wrong is the answer to the request.
        _ = kind.is_some_and(|kind| kind.writer().is_ok());
    }

    fn route(&self, request: &Request, attempt: &mut Attempt) -> Result<Answer, Failure> {
        if !takes(&request.target, &request.method) {
            return Err(Failure::method_not_allowed());
        }
        // What does not need the state does not wait for it.
        match &request.target {
            Target::Health(check) => {
                return Ok(health(check, self.shared.failed().map(|why| why.to_string()).as_deref()));
            }
            Target::Version if accepts_json(request.header(ACCEPT)) => return Ok(Answer::value(version())),
            Target::Version => return Err(Failure::no_representation("application/json")),
            Target::Root => return Ok(root()),
            Target::Unknown => return Ok(Answer::no_such_path()),
            Target::Unclear(path) => return Ok(unclear(path)),
            _ => {}
        }
        let failed = self.shared.failed();
        if let Some(why) = failed.as_ref().filter(|_| !request.is_read_only()) {
            return Err(Failure::internal(why.to_string()));
        }
        if let Target::Objects(path) = &request.target {
            self.prepare(path);
            request.prepare_body();
        }
        let mut state = self.state();
        attempt.sees(state.store.revision());
        let Target::Objects(path) = &request.target else {
            let registry = state.registry.clone();
            drop(state);
            attempt.waits_for_storage(failed.is_none());
            return described(&registry, request);
        };
        let answer =
            attempt.run(&mut state, |state, hooks| verbs::answer(&self.shared, state, request, path, hooks));
        attempt.waits_for_storage(failed.is_none());
        self.shared.save(&state);
        answer
    }
}

/// Whether a path takes a method. Those of objects say so themselves.
fn takes(target: &Target, method: &Method) -> bool {
    let is_head = *method == Method::HEAD;
    match target {
        Target::Objects(_)
        | Target::Missing { .. }
        | Target::Unclear(_)
        | Target::Unknown
        | Target::Groups => true,
        Target::Health(_)
        | Target::Root
        | Target::OpenApiV2
        | Target::OpenApiV3
        | Target::OpenApiV3Of { .. } => is_head || *method == Method::GET,
        Target::Version | Target::Core | Target::Group(_) | Target::Resources { .. } => {
            *method == Method::GET
        }
    }
}

/// What is served: groups, resources and schemas.
fn described(registry: &Registry, request: &Request) -> Result<Answer, Failure> {
    let document = |text: Bytes| Answer::new(200, Content::Document(text));
    match &request.target {
        Target::Core | Target::Groups => {
            check_accepted(request, registry).map(|()| all_groups(registry, request))
        }
        Target::Missing { group } if registry.is_own(group) => Err(Failure::no_such_resource()),
        Target::Group(group) => groups(registry, request, group, discovery::one_group(registry, group)),
        Target::Resources { group, version } => {
            groups(registry, request, group, discovery::resources(registry, group, version))
        }
        Target::OpenApiV2 => match accepted_openapi(request.header(ACCEPT)) {
            Some(OpenApiSyntax::Json) => openapi::v2(registry).map(document),
            Some(OpenApiSyntax::Protobuf) => {
                openapi::v2_protobuf(registry).map(|bytes| Answer::new(200, Content::OpenApi(bytes)))
            }
            None => Ok(Answer::not_acceptable()),
        },
        Target::OpenApiV3 => Ok(document(openapi::index_text(registry).into())),
        Target::OpenApiV3Of { group, version } => {
            let text = openapi::v3(registry, group, version)?;
            Ok(text.map_or_else(Answer::no_such_path, |text| document(text.into())))
        }
        Target::Objects(_)
        | Target::Health(_)
        | Target::Version
        | Target::Root
        | Target::Missing { .. }
        | Target::Unclear(_)
        | Target::Unknown => Ok(Answer::no_such_path()),
    }
}

/// The groups: in one document with their resources if the client wants that.
fn all_groups(registry: &Registry, request: &Request) -> Answer {
    let groups = if request.target == Target::Core { Groups::Core } else { Groups::Named };
    let form = accepted(request.header(ACCEPT), Objects::Own).map(|accepted| accepted.form);
    if form == Some(Form::Discovery) {
        return Answer::new(200, Content::Discovery(discovery::aggregated(registry, groups)));
    }
    Answer::new(
        200,
        Content::Groups(match groups {
            Groups::Core => discovery::core(),
            Groups::Named => discovery::groups(registry),
        }),
    )
}

/// Checks that the client accepts what the server has.
fn check_accepted(request: &Request, registry: &Registry) -> Result<(), Failure> {
    let (is_own, has_all) = match &request.target {
        Target::Core => (true, true),
        Target::Groups => (false, true),
        Target::Group(group) | Target::Resources { group, .. } => (registry.is_own(group), false),
        Target::Objects(_)
        | Target::Health(_)
        | Target::Version
        | Target::Root
        | Target::OpenApiV2
        | Target::OpenApiV3
        | Target::OpenApiV3Of { .. }
        | Target::Missing { .. }
        | Target::Unclear(_)
        | Target::Unknown => (false, false),
    };
    match accepted(request.header(ACCEPT), Objects::Own).map(|accepted| accepted.form) {
        Some(Form::Plain) => Ok(()),
        Some(Form::Discovery) if has_all => Ok(()),
        None if is_own => Err(Failure::no_representation(MEDIA_TYPES)),
        _ => Err(Failure::not_acceptable(MEDIA_TYPES)),
    }
}

/// The answer with a document about a group.
fn groups(
    registry: &Registry,
    request: &Request,
    group: &str,
    document: Option<Value>,
) -> Result<Answer, Failure> {
    let is_version = matches!(request.target, Target::Resources { .. });
    match document {
        Some(document) => {
            check_accepted(request, registry).map(|()| Answer::new(200, Content::Groups(document)))
        }
        None if is_version && registry.is_own(group) => Err(Failure::no_such_resource()),
        None => Ok(Answer::no_such_path()),
    }
}

/// How often the controllers ask webhooks before the answer to a request. Objects that own others can be many levels deep.
const MOST_SETTLING: usize = 1000;
/// How long they do so. In a cluster, no request waits for them.
const LONGEST_SETTLING: Duration = Duration::from_secs(5);

/// The answer to a path that does not say which objects it is about.
fn unclear(path: &str) -> Answer {
    let why = format!("unable to determine kind and namespace from url, {path}");
    let text = format!("Internal Server Error: {}: failed to create RequestInfo: {why}\n", go::quote(path));
    Answer::new(500, Content::Text(text.into()))
}

/// Whether the server is well. One that cannot save its objects is not.
fn health(check: &'static str, failed: Option<&str>) -> Answer {
    if failed.is_none() {
        return Answer::new(200, Content::Text("ok".into()));
    }
    let text = format!("[+]ping ok\n[-]etcd failed: reason withheld\n{check} check failed\n");
    Answer::new(500, Content::Text(text.into()))
}

fn root() -> Answer {
    let paths = ["/api", "/apis", "/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version"];
    Answer::value(crate::meta::map([("paths", paths.to_vec().into())]))
}

/// The version of the server: that of the Kubernetes that it imitates.
fn version() -> Value {
    let minor = crdgen_core::server::Server::NEWEST.minor();
    crate::meta::map([
        ("major", "1".into()),
        ("minor", minor.to_string().into()),
        ("gitVersion", format!("v1.{minor}.0+crdgen").into()),
        ("gitCommit", "".into()),
        ("gitTreeState", "clean".into()),
        ("buildDate", "1970-01-01T00:00:00Z".into()),
        ("goVersion", "".into()),
        ("compiler", "rustc".into()),
        ("platform", format!("{}/{}", std::env::consts::OS, std::env::consts::ARCH).into()),
    ])
}
