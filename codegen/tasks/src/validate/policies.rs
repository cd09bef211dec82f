//! The admission policies by which objects are judged.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use crdgen_core::diag::{Diag, Diags, Level, codes};
use crdgen_core::documents::{Group, Manifest, objects};
use crdgen_core::object::Served;
use crdgen_core::path::{Path, Step};
use crdgen_core::value::{Map, Value};
use crdgen_kubernetes::policies::{
    Admitted, Asked, Definitions, Offline, Permissions, Said, of_binding, of_policy, param_kind,
};

use rayon::prelude::*;

use super::Subresource;
use crate::inputs::{self, Input, Inventory, Options, Rules, Source, mentions, stream};
use crate::kinds::Kinds;
use crdgen_files::Error;

/// Policies with their bindings and parameters, and namespaces.
#[derive(Default)]
pub struct Policies {
    objects: Vec<Value>,
    /// Where the policies are written, by their names: the file, and the object in it.
    written: HashMap<String, (String, Arc<Manifest>)>,
    /// The policies and bindings that are not among the objects.
    given: Vec<(Source, Arc<Manifest>)>,
    /// The files that the user names as policies.
    files: BTreeSet<PathBuf>,
}

/// The file of a source, by whichever path it was found.
fn real(source: &Source) -> PathBuf {
    source.path().canonicalize().unwrap_or_else(|_| source.path().to_owned())
}

fn is_policy(object: &Value) -> bool {
    of_policy(object).is_some()
}

fn is_binding(object: &Value) -> bool {
    of_binding(object).is_some()
}

/// The user who writes.
const USER: &str = "kubernetes-admin";

/// What all policies and bindings have in their text.
const MARK: &str = "AdmissionPolicy";

impl Policies {
    /// Reads the objects at some places, and those among the inputs that policies need.
    ///
    /// # Errors
    /// Fails if a place cannot be read.
    pub fn find(places: &[String], rules: &Rules, inputs: &Inventory) -> Result<Policies, Error> {
        let mut out = Policies::default();
        if !places.is_empty() {
            let given = inputs::find(places, &Options::objects(rules))?;
            for input in given.iter() {
                if let Some(source) = given.read(input)? {
                    out.add_given(&source)?;
                }
            }
            if !out.objects.iter().any(is_policy) {
                let places = inputs::names(places);
                return Err(Error::Nothing(format!("no admission policy in {places}")));
            }
        }
        out.among(inputs, &[MARK], |object| is_policy(&object.value) || is_binding(&object.value))?;
        if !out.objects.iter().any(is_binding) {
            return Ok(Policies { given: out.given, ..Policies::default() });
        }
        let mut wanted: BTreeSet<(String, String)> = out.objects.iter().filter_map(param_kind).collect();
        wanted.insert(("v1".to_owned(), "Namespace".to_owned()));
        let marks: Vec<&str> = wanted.iter().map(|(_, kind)| kind.as_str()).collect();
        out.among(inputs, &marks, |object| {
            let [api_version, kind] = ["apiVersion", "kind"].map(|name| object.text(name).to_owned());
            wanted.contains(&(api_version, kind))
        })?;
        Ok(out)
    }

    /// Adds some objects of the inputs whose text has one of some marks.
    fn among(
        &mut self,
        inputs: &Inventory,
        marks: &[&str],
        is_wanted: impl Fn(&Manifest) -> bool + Sync,
    ) -> Result<(), Error> {
        let wanted = |input: &Input| {
            let Some(source) = inputs.source(input)? else { return Ok(None) };
            if !marks.iter().any(|mark| mentions(&source, mark)) {
                return Ok(None);
            }
            let mut wanted = Vec::new();
            // What cannot be read is reported with the inputs.
            let read = |group: Group| Ok(objects(group).0);
            stream::groups(&source, read, |found| {
                wanted.extend(found.into_iter().filter(&is_wanted));
                Ok(())
            })?;
            Ok(Some((source, wanted)))
        };
        let found: Vec<_> = inputs.par_iter().map(wanted).collect();
        for found in found {
            let Some((source, objects)) = found? else { continue };
            if let Some(path) = self.files.get(&real(&source)) {
                // The objects are known. Those that are inputs are checked with the others.
                self.given.retain(|(other, _)| objects.is_empty() || real(other) != *path);
                continue;
            }
            objects.into_iter().for_each(|object| self.add(&source, &Arc::new(object)));
        }
        Ok(())
    }

    /// Adds all objects of a source, which must be readable.
    fn add_given(&mut self, source: &Source) -> Result<(), Error> {
        self.files.insert(real(source));
        let read = |group: Group| {
            let (objects, mut unreadable) = objects(group);
            match unreadable.pop() {
                Some(finding) => Err(Error::document(&source.name, finding.place, finding.diag)),
                None => Ok(objects),
            }
        };
        stream::groups(source, read, |found| {
            for object in found.into_iter().map(Arc::new) {
                self.add(source, &object);
                if is_policy(&object.value) || is_binding(&object.value) {
                    self.given.push((source.clone(), object));
                }
            }
            Ok(())
        })
    }

    fn add(&mut self, source: &Source, object: &Arc<Manifest>) {
        self.objects.push(object.value.clone());
        if is_policy(&object.value) {
            self.written.insert(object.name(), (source.name.clone(), Arc::clone(object)));
        }
    }

    /// The policies and bindings that are not among the objects.
    pub fn given(&self) -> &[(Source, Arc<Manifest>)] {
        &self.given
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Prepares them for objects of these kinds.
    pub(super) fn prepared<'k>(&self, kinds: &'k Kinds) -> Offline<'k> {
        // The user who writes may do everything, and service accounts nothing.
        let allow = vec![Map::from_iter([("user", Value::from(USER))])];
        let permissions = Permissions { allow, ..Permissions::default() };
        Offline::new(kinds, &self.objects).with_permissions(permissions)
    }

    /// What the policies make of a write.
    pub(super) fn admit(
        &self,
        offline: &Offline<'_>,
        [object, old]: [Option<&Value>; 2],
        subresource: Option<Subresource>,
    ) -> Admitted {
        let user = Value::Map(Map::from_iter([
            ("username", Value::from(USER)),
            ("groups", vec!["system:masters", "system:authenticated"].into()),
        ]));
        let subresource = match subresource {
            None => "",
            Some(Subresource::Status) => "status",
            // The object is not the Scale that policies see.
            Some(Subresource::Scale) => return Admitted::default(),
        };
        let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
        let (resource, namespace, name, dry_run) = (None, "", "", false);
        let asked =
            Asked { operation, object, old, resource, subresource, namespace, name, user: &user, dry_run };
        offline.admit(&asked)
    }

    /// What a client gets to read.
    pub(super) fn said(&self, Admitted { decided, .. }: &Admitted) -> Diags {
        let denied = decided.denied.iter().map(|denied| self.diag(&denied.said, Level::Error));
        let warned = decided.warnings.iter().map(|said| self.diag(said, Level::Warning));
        denied.chain(warned).collect()
    }

    /// What to say about a mistake that mutating policies cause.
    pub(super) fn cause(&self, admitted: &Admitted) -> String {
        let names: BTreeSet<&str> = admitted.evaluated.iter().map(|it| it.policy.as_str()).collect();
        let place = |name: &str| match self.written.get(name) {
            Some((file, _)) => format!("{name} in {file}"),
            None => name.to_owned(),
        };
        let names: Vec<String> = names.into_iter().map(place).collect();
        format!("the object is as mutating policies have changed it: {}", names.join(", "))
    }

    fn diag(&self, said: &Said, level: Level) -> Diag {
        let Said { policy, validation, text } = said;
        let diag = Diag::own(&codes::object::POLICY, level, &Path::ROOT, text.clone());
        let Some((file, written)) = self.written.get(policy) else { return diag };
        let steps = validation.iter().flat_map(|index| {
            let key = |name: &str| Step::Key(name.to_owned());
            [key("spec"), key("validations"), Step::Index(*index), key("expression")]
        });
        let at = Diag { steps: steps.collect(), ..diag.clone() };
        match written.finding(at).place {
            Some(place) => {
                let (line, column) = (place.start.line, place.start.column);
                diag.help(format!("the rule is at {file}:{line}:{column}"))
            }
            None => diag.help(format!("the policy is in {file}")),
        }
    }
}

impl Definitions for Kinds {
    fn served(&self, group: &str, kind: &str) -> Option<&Served> {
        self.compiled(self.get(group, kind)?)?.served()
    }

    fn of_resource(&self, plural: &str) -> Vec<&Served> {
        let named = self.iter().filter(|it| it.heading.names.plural == plural);
        named.filter_map(|entry| self.compiled(entry)?.served()).collect()
    }
}
