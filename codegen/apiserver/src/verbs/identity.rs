//! Whether a write means the object that is stored: its namespace, uid and version. The server checks the uid of a PUT before
//! admission, and the rest between admission and the checks of the object.

use super::Call;
use super::options::read_version;
use crate::meta;
use crate::registry::{Role, Subresource};
use crate::request::PatchType;
use crate::status::{Failure, Mistake};
use crate::store::Resource;
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::value::Value;
use crdgen_kubernetes::metadata::has_own_server;
use http::Method;

/// The metadata by which a client means an object. The writer adds a version to objects without one.
#[derive(Clone, Debug)]
pub(super) struct Meant {
    uid: String,
    version: String,
}

impl Meant {
    pub(super) fn by(sent: &Value) -> Meant {
        let text = |name| meta::text(sent, name).to_owned();
        Meant { uid: text("uid"), version: text("resourceVersion") }
    }
}

impl Call<'_> {
    /// Checks an object that was decoded, before admission.
    pub(super) fn check_before_admission(
        &self,
        object: &Value,
        meant: &Meant,
        live: Option<&Value>,
    ) -> Result<(), Failure> {
        let uid = meant.uid.as_str();
        if live.is_none() && self.request.patch_type() == Some(PatchType::Apply) {
            return self.check_absent(uid);
        }
        if self.is_in_other_namespace(object) {
            return Ok(());
        }
        let is_put = self.request.method == Method::PUT;
        match live {
            None if is_put && self.creates() && uid.is_empty() => Ok(()),
            None if is_put && self.creates() => Err(self.other_in_storage(uid, &Value::Null)),
            None if is_put => Err(self.kind.not_found(&self.path.name)),
            Some(live) if uid.is_empty() || uid == meta::text(live, "uid") => Ok(()),
            Some(live) if is_put => Err(self.other_in_storage(uid, live)),
            Some(live) if self.subresource == Some(Subresource::Scale) && self.kind.has_code() => {
                let Resource { plural, group } = &self.kind.resource;
                let why = other_uid(uid, live);
                Err(Failure::conflict(&format!("{plural}/scale"), group, &self.path.name, &why))
            }
            _ => Ok(()),
        }
    }

    /// Checks an object after admission. An object that may be updated without a version has that of the stored object afterwards.
    pub(super) fn check_after_admission(
        &self,
        object: &mut Value,
        meant: &Meant,
        live: Option<&Value>,
    ) -> Result<(), Failure> {
        if self.request.method == Method::POST || self.is_in_other_namespace(object) {
            return Ok(());
        }
        self.check_version(object, meant, live)?;
        match live {
            Some(live) if meta::text(object, "resourceVersion") == meta::text(live, "resourceVersion") => {
                self.check_patched_uid(object, live)
            }
            _ => Ok(()),
        }
    }

    /// Whether the object is to be in another namespace than that of the path. The writer says so.
    fn is_in_other_namespace(&self, object: &Value) -> bool {
        let namespace = meta::text(object, "namespace");
        self.kind.namespaced && !namespace.is_empty() && namespace != self.path.namespace
    }

    fn check_version(&self, object: &mut Value, meant: &Meant, live: Option<&Value>) -> Result<(), Failure> {
        let version = match self.request.method {
            Method::PUT => meant.version.as_str(),
            _ => meta::text(object, "resourceVersion"),
        };
        if !version.is_empty()
            && read_version(version).map_err(|why| Failure::new(500, "", why.to_string()))? != 0
        {
            return Ok(());
        }
        let Some(live) = live else { return Ok(()) };
        let Resource { plural, group } = &self.kind.resource;
        let is_stored = matches!(self.subresource, None | Some(Subresource::Status));
        if is_stored && self.kind.row().is_none_or(|row| row.needs_version) {
            let why = "0: must be specified for an update";
            let mistake = Mistake::new("metadata.resourceVersion", Kind::Invalid, why);
            return Err(Failure::invalid_field(plural, group, &self.path.name, mistake));
        }
        meta::set(object, "resourceVersion", Some(meta::text(live, "resourceVersion").into()));
        Ok(())
    }

    /// The place of the object in the server's storage.
    pub(super) fn place(&self) -> String {
        let Resource { plural, group } = &self.kind.resource;
        let (namespace, name) = (&self.path.namespace, &self.path.name);
        let resource = match (&**group, &**plural) {
            ("", "services") => "services/specs".to_owned(),
            ("", "endpoints") => "services/endpoints".to_owned(),
            ("", "nodes") => "minions".to_owned(),
            ("", "replicationcontrollers") => "controllers".to_owned(),
            ("networking.k8s.io", "ingresses") => "ingress".to_owned(),
            _ if self.kind.role == Role::Custom || has_own_server(group) => format!("{group}/{plural}"),
            _ => plural.to_string(),
        };
        if namespace.is_empty() {
            format!("{resource}/{name}")
        } else {
            format!("{resource}/{namespace}/{name}")
        }
    }

    /// The failure for a PUT with the uid of another object.
    fn other_in_storage(&self, uid: &str, live: &Value) -> Failure {
        let (plural, group) = (&self.kind.resource.plural, &self.kind.resource.group);
        // A dry run does not reach the storage, which has a prefix.
        let root = if self.is_dry_run() { "/" } else { "/registry/" };
        let why = format!(
            "StorageError: invalid object, Code: 4, Key: {root}{}, ResourceVersion: 0, AdditionalErrorMsg: {}",
            self.place(),
            other_uid(uid, live)
        );
        Failure::conflict(plural, group, &self.path.name, &why)
    }

    /// A configuration with a uid does not create an object.
    fn check_absent(&self, uid: &str) -> Result<(), Failure> {
        if uid.is_empty() {
            return Ok(());
        }
        let (plural, group) = (&self.kind.resource.plural, &self.kind.resource.group);
        let why = format!(
            "uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        );
        Err(Failure::conflict(plural, group, &self.path.name, &why))
    }

    /// Checks the uid that an object has after a patch, if the checks of the object do not.
    fn check_patched_uid(&self, object: &Value, live: &Value) -> Result<(), Failure> {
        // The library for other servers checks the metadata twice.
        let twice = self.kind.role == Role::Custom || has_own_server(&self.kind.resource.group);
        let is_checked = match self.subresource {
            None => !twice,
            Some(Subresource::Status) => self.kind.role == Role::Custom,
            Some(_) => true,
        };
        let uid = meta::text(object, "uid");
        if is_checked || uid.is_empty() || uid == meta::text(live, "uid") {
            return Ok(());
        }
        let mistake =
            || Mistake::new("metadata.uid", Kind::Invalid, format!("{}: field is immutable", go::quote(uid)));
        let (kind, group) = (&self.kind.names.kind, &self.kind.resource.group);
        let mistakes: Vec<Mistake> = (0..=usize::from(twice)).map(|_| mistake()).collect();
        Err(Failure::invalid_fields(kind, group, &self.path.name, &mistakes))
    }
}

/// Why an object is not the one that a client means.
fn other_uid(wanted: &str, live: &Value) -> String {
    let found = meta::text(live, "uid");
    format!("Precondition failed: UID in precondition: {wanted}, UID in object meta: {found}")
}
