//! Checks objects as the API server does: whether it accepts an object, what it stores, and the errors otherwise.
//!
//! Compile a kind once, and use the [`CompiledKind`] as often as you like, from any number of threads. An object is anything
//! that serde can write: a typed object, a `serde_json::Value`, or crdgen's own [`Value`]. Its `apiVersion` selects the version.
//!
//! ```ignore
//! static CRON_TABS: LazyLock<CompiledKind> = LazyLock::new(|| CompiledKind::of::<CronTab>().expect("the CRD is valid"));
//!
//! let verdict = CRON_TABS.create(&object);
//! if !verdict.is_accepted() {
//!     return Err(verdict.message());
//! }
//! ```

#[doc(hidden)]
pub mod asserts;
#[cfg_attr(not(feature = "own"), path = "no_own.rs")]
mod own;
#[doc(hidden)]
pub mod random;
mod verdict;

use crdgen_core::object::BadScale;
pub use crdgen_core::object::Refusal;
pub use verdict::{Invalid, Verdict};

use crate::to_value::to_value;
use crate::{CustomResource, Problems};
use crdgen_core::check;
use crdgen_core::object::scale::Scaled;
use crdgen_core::object::{Action, Served, ServedVersion};
use crdgen_core::server::Server;
use crdgen_runtime::GroupVersion;
use crdgen_runtime::decode;
use crdgen_runtime::diag::{Diag, Diags, Level, codes};
use crdgen_runtime::ir::Crd;
use crdgen_runtime::path::Path;
use crdgen_runtime::value::{Map, Value};
use own::Own;
use serde::Serialize;

/// What to do for Kubernetes' own kinds.
#[doc(hidden)]
pub const FOR_OWN: &str = if cfg!(feature = "own") {
    ""
} else {
    ", or turn on crdgen's feature `testing` for Kubernetes' own kinds"
};

/// A compiled CRD, or one of Kubernetes' own kinds. It checks objects as the API server does.
#[derive(Debug)]
pub struct CompiledKind {
    form: Form,
}

#[derive(Debug)]
enum Form {
    Custom(Box<Served>),
    Own(Own),
}

/// A version of a kind.
enum Version<'k> {
    Custom(&'k Served, &'k ServedVersion),
    Own(&'k Own),
}

/// What `kubectl get` prints of an object.
#[doc(hidden)]
#[derive(Debug)]
pub struct Listed {
    /// The names of all columns, wide ones too.
    pub columns: Vec<String>,
    /// The text in each.
    pub texts: Vec<String>,
}

impl CompiledKind {
    /// The CRD as the server serves it. `None` for Kubernetes' own kinds.
    #[doc(hidden)]
    pub fn served(&self) -> Option<&Served> {
        match &self.form {
            Form::Custom(served) => Some(served),
            Form::Own(_) => None,
        }
    }

    /// Returns one of Kubernetes' own kinds, such as `apps/v1` and `Deployment`, as the newest server that crdgen knows has it. `None` if
    /// there is no such kind, and without crdgen's feature `testing`. The answers are those of the server's code. Admission in a
    /// cluster may change or reject more.
    pub fn own(api_version: &str, kind: &str) -> Option<CompiledKind> {
        CompiledKind::own_on(api_version, kind, Server::NEWEST)
    }

    /// The same on a server. Only expressions, names and formats are checked as there, everything else as the newest server does.
    pub fn own_on(api_version: &str, kind: &str, server: Server) -> Option<CompiledKind> {
        Own::find(api_version, kind, server).map(|own| CompiledKind { form: Form::Own(own) })
    }

    /// Compiles a CRD for the newest server that crdgen knows. Returns an error if the server rejects the CRD.
    pub fn new(crd: Crd) -> Result<CompiledKind, Problems> {
        CompiledKind::on(crd, Server::NEWEST.minor())
    }

    /// Compiles a CRD for a server of Kubernetes 1.`minor`.
    pub fn on(mut crd: Crd, minor: u32) -> Result<CompiledKind, Problems> {
        decode::set_defaults(&mut crd);
        Problems::check((), check::errors_on_create(&crd, &check::Options::of_server(minor)))?;
        CompiledKind::established(crd, minor)
    }

    /// Compiles the CRD of a Rust kind. It has only the version of the type, which is stored here, even if the complete CRD stores
    /// another one.
    pub fn of<K: CustomResource>() -> Result<CompiledKind, Problems> {
        let mut crd = K::definition()?;
        crd.spec.versions.iter_mut().for_each(|version| version.storage = true);
        CompiledKind::new(crd)
    }

    /// Compiles a CRD that a server already serves, and may have accepted when it was less strict.
    pub fn established(crd: Crd, minor: u32) -> Result<CompiledKind, Problems> {
        match Served::on(Server::of(minor), crd) {
            Ok(served) => Ok(CompiledKind { form: Form::Custom(Box::new(served)) }),
            Err(why) => {
                let diag =
                    Diag::own(&codes::schema::NOT_STRUCTURAL, Level::Error, &Path::ROOT, why.to_string());
                Err(Problems { diags: vec![diag] })
            }
        }
    }

    /// Returns the CRD. That of one of Kubernetes' own kinds has no schemas.
    pub fn crd(&self) -> &Crd {
        match &self.form {
            Form::Custom(served) => &served.crd,
            Form::Own(own) => own.crd(),
        }
    }

    /// Checks the creation of an object.
    pub fn create(&self, object: &impl Serialize) -> Verdict {
        match to_value(object) {
            Some(object) => self.write(object, Action::Create, ""),
            None => Verdict::no_json(),
        }
    }

    /// Checks the update of an old object. If the status is a subresource, the server keeps the old status.
    pub fn update(&self, object: &impl Serialize, old: &impl Serialize) -> Verdict {
        self.replace(object, old, Action::Update)
    }

    /// Checks the update of the status of an old object.
    pub fn update_status(&self, object: &impl Serialize, old: &impl Serialize) -> Verdict {
        self.replace(object, old, Action::UpdateStatus)
    }

    /// Checks an object as it is: unknown fields are errors, and the status is checked too.
    pub fn validate(&self, object: &impl Serialize) -> Result<(), Invalid> {
        match to_value(object) {
            Some(object) => self.validate_value(&object),
            None => Err(Invalid { errors: Verdict::no_json().errors }),
        }
    }

    /// Like [`CompiledKind::validate`], for an object that is JSON already.
    pub(crate) fn validate_value(&self, object: &Value) -> Result<(), Invalid> {
        let version = match self.version_of(object) {
            Ok(version) => version,
            Err(diag) => return Err(Invalid { errors: vec![*diag] }),
        };
        let has_status = match version {
            Version::Custom(served, version) => served.has_status(version),
            // Where the status has no request of its own, its update says nothing.
            Version::Own(_) => true,
        };
        let errors = match version {
            _ if has_status && object.get("status").is_some() => self.errors_of_both(object),
            Version::Custom(served, version) => match served.check(version, object) {
                Ok(errors) => errors,
                Err(why) => Verdict::undecodable(&self.crd().spec.names.kind, &version.name, why).errors,
            },
            Version::Own(_) => self.write(object.clone(), Action::Create, "").strict().errors,
        };
        if errors.is_empty() { Ok(()) } else { Err(Invalid { errors }) }
    }

    /// Whether an object of this kind with valid metadata is valid, like [`CompiledKind::validate`] without the errors.
    pub(crate) fn is_valid(&self, object: &Value) -> bool {
        let answer = match self.version_of(object) {
            Ok(Version::Custom(served, version)) => served.accepts(version, object),
            Ok(Version::Own(_)) | Err(_) => None,
        };
        answer.unwrap_or_else(|| self.validate_value(object).is_ok())
    }

    /// Returns the errors of an object whose status the server only accepts in an update.
    fn errors_of_both(&self, object: &Value) -> Diags {
        let created = self.write(object.clone(), Action::Create, "").strict();
        let mut errors = created.errors;
        if let Some(result) = created.result {
            errors.extend(self.write(object.clone(), Action::UpdateStatus(result), "").errors);
        }
        errors
    }

    /// Removes unknown fields. Returns the object and the paths of the removed fields, or `None` if the object is not of
    /// this kind.
    pub fn prune(&self, object: &impl Serialize) -> Option<(Value, Vec<String>)> {
        self.prune_value(to_value(object)?)
    }

    /// Like [`CompiledKind::prune`], for an object that is JSON already.
    pub(crate) fn prune_value(&self, mut object: Value) -> Option<(Value, Vec<String>)> {
        match self.version_of(&object).ok()? {
            Version::Custom(served, version) => {
                let unknown = served.prune(&mut object, version);
                Some((object, unknown.into_iter().map(|unknown| unknown.field).collect()))
            }
            Version::Own(own) => own.prune(object),
        }
    }

    /// Adds the defaults of the schema to an object. Returns `None` if the object is not of this kind, or if it would be larger than
    /// any that a server stores.
    pub fn default(&self, object: &impl Serialize) -> Option<Value> {
        self.default_value(to_value(object)?)
    }

    /// Like [`CompiledKind::default`], for an object that is JSON already.
    pub(crate) fn default_value(&self, mut object: Value) -> Option<Value> {
        match self.version_of(&object).ok()? {
            Version::Custom(served, version) => served.default(&mut object, version).ok()?,
            Version::Own(own) => own.default(&mut object)?,
        }
        Some(object)
    }

    /// Returns the version in the `apiVersion` of an object.
    fn version_of(&self, object: &Value) -> Result<Version<'_>, Box<Diag>> {
        let spec = &self.crd().spec;
        let GroupVersion { group, version } = GroupVersion::of(object.text("apiVersion"));
        let wrong = |field: &str, why: String| {
            let at = Path::ROOT;
            Box::new(Diag::own(&codes::object::OTHER_KIND, Level::Error, &at.child(field), why))
        };
        if group != spec.group || object.text("kind") != spec.names.kind {
            let field = if group == spec.group { "kind" } else { "apiVersion" };
            let group = if spec.group.is_empty() { "the core group" } else { &spec.group };
            return Err(wrong(field, format!("this is not a {} of {group}", spec.names.kind)));
        }
        let served = spec.versions.iter().any(|v| v.name == version && v.served);
        let found = match &self.form {
            Form::Custom(of) => of.version(version).ok().map(|version| Version::Custom(of, version)),
            Form::Own(own) => Some(Version::Own(own)),
        };
        found.filter(|_| served).ok_or_else(|| {
            let known: Vec<&str> =
                spec.versions.iter().filter(|v| v.served).map(|v| v.name.as_str()).collect();
            let why = format!("{} has no version {version} that is served", spec.names.kind);
            Box::new(wrong("apiVersion", why).help(format!("the server serves {}", known.join(", "))))
        })
    }

    fn replace(&self, object: &impl Serialize, old: &impl Serialize, action: fn(Value) -> Action) -> Verdict {
        match (to_value(object), to_value(old)) {
            (Some(object), Some(old)) => self.write(object, action(old), ""),
            _ => Verdict::no_json(),
        }
    }

    /// Returns what the server would report next, as notes: validation rules that it does not look at while the object
    /// has other errors. `verdict` is its answer to the object.
    pub fn next(&self, verdict: &Verdict) -> Diags {
        let Some(prepared) = &verdict.prepared else { return Diags::new() };
        match self.version_of(prepared) {
            Ok(Version::Custom(served, version)) => served.next(version, prepared, &verdict.errors),
            Ok(Version::Own(_)) | Err(_) => Diags::new(),
        }
    }

    /// Like [`CompiledKind::next`], for an object that the server cannot decode.
    #[doc(hidden)]
    pub fn once_decoded(&self, object: &Value, action: Action) -> Diags {
        match self.version_of(object) {
            Ok(Version::Custom(served, version)) => served.once_decoded(version, object.clone(), action),
            Ok(Version::Own(_)) | Err(_) => Diags::new(),
        }
    }

    /// Returns the server's answer to a write of an object, in a namespace or in the object's own.
    #[doc(hidden)]
    pub fn write(&self, object: Value, action: Action, namespace: &str) -> Verdict {
        match self.version_of(&object) {
            Ok(Version::Custom(served, version)) => match served.admit(version, object, action, namespace) {
                Ok(admission) => Verdict::of(&self.crd().spec.names.kind, &version.name, admission),
                Err(why) => Verdict::undecided(why),
            },
            Ok(Version::Own(own)) => own.write(object, action, namespace),
            Err(diag) => Verdict::rejected(*diag),
        }
    }

    /// Checks a write of the number of replicas through the scale subresource of a stored object.
    pub fn scale(&self, object: &impl Serialize, replicas: i64) -> Verdict {
        self.write_scale(object, Some(replicas))
    }

    /// Checks the scale subresource with the number of replicas that is already in the object.
    pub fn check_scale(&self, object: &impl Serialize) -> Verdict {
        self.write_scale(object, None)
    }

    fn write_scale(&self, object: &impl Serialize, replicas: Option<i64>) -> Verdict {
        let Some(object) = to_value(object) else { return Verdict::no_json() };
        let (served, version) = match self.version_of(&object) {
            Ok(Version::Custom(served, version)) => (served, version),
            Ok(Version::Own(own)) => return own.scale(object, replicas),
            Err(diag) => return Verdict::rejected(*diag),
        };
        let failed = |why: Refusal| {
            let diag = Diag::own(&codes::object::SCALE, Level::Error, &Path::ROOT, why.to_string());
            Verdict::rejected(Diag { help: scale_help(&why), ..diag })
        };
        let scale = match replicas {
            Some(replicas) => {
                let spec = Map::from_iter([("replicas", Value::Int(replicas))]);
                Value::Map(Map::from_iter([("spec", Value::Map(spec))]))
            }
            None => match served.scale(object.clone(), version) {
                Ok(Ok(scale)) => scale,
                Ok(Err(why)) | Err(why) => return failed(why),
            },
        };
        match served.handler(version).write_scale(object, &scale) {
            Ok(Scaled::Written(written, _)) => Verdict::of_written(*written),
            Ok(Scaled::Failed(why) | Scaled::Undecodable(why)) | Err(why) => failed(why),
        }
    }

    /// What `kubectl get` prints of a stored object. Dates become ages at `now`, in seconds since 1970.
    #[doc(hidden)]
    pub fn listed(&self, stored: &Value, now: i64) -> Result<Listed, Refusal> {
        let api_version = stored.text("apiVersion");
        let version = GroupVersion::of(api_version).version;
        let served = match &self.form {
            Form::Custom(served) => served,
            Form::Own(own) => {
                return own.listed(stored, now).ok_or_else(|| Refusal::NoVersion(version.to_owned()));
            }
        };
        let version = served.version(version)?;
        let table = served.table(vec![stored.clone()], version, now)?;
        let name = |column: &Value| column.get("name").and_then(Value::as_str).map(str::to_owned);
        let row = table.rows.first().map_or(&[][..], Vec::as_slice);
        let texts = served.printed(version, stored, row);
        Ok(Listed { columns: table.columns.iter().filter_map(name).collect(), texts })
    }

    /// Converts a stored object to another version. The error says why this is not possible.
    pub fn convert(&self, object: &impl Serialize, version: &str) -> Result<Value, Refusal> {
        let object = to_value(object).ok_or(Refusal::NoObject("object"))?;
        match &self.form {
            Form::Custom(served) => {
                served.version(version)?;
                served.decode_stored(object, version)
            }
            Form::Own(own) => own.convert(object, version),
        }
    }
}

/// Returns the help for an object without a Scale.
fn scale_help(why: &Refusal) -> Option<String> {
    match why {
        Refusal::Scale(BadScale::NoReplicas(path) | BadScale::EmptyReplicas(path)) => {
            Some(format!("write the number of replicas at {path} of the object"))
        }
        Refusal::NoSubresource { .. } => {
            Some("the CRD enables it with `subresources: {scale: …}` in the version".to_owned())
        }
        _ => None,
    }
}
