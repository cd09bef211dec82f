//! Objects of files as a server lists them: in the version that it prefers, with defaults, and by kind. `crdgen get` prints them.
//!
//! **Unstable**: any release may change what is in this module.

use std::collections::BTreeMap;

use crdgen_core::diag::codes::object::OTHER_KIND;
use crdgen_core::diag::{Diag, Level};
use crdgen_core::documents::Manifest;
use crdgen_core::names::compare_versions;
use crdgen_core::object::{Refusal, Served, ServedVersion, metadata};
use crdgen_core::path::Path;
use crdgen_core::value::Value;

use crate::inputs;
use crate::kinds::{Entry, Heading, Kinds};
use crdgen_files::Error;
use crdgen_kinds::objects::CompiledKind;

/// The objects of a kind in one version.
pub struct ListedKind<'k> {
    /// The kind.
    pub served: &'k Served,
    /// The version.
    pub version: &'k ServedVersion,
    /// In the order of a server.
    pub objects: Vec<ListedObject>,
}

/// An object as the server has it.
pub struct ListedObject(pub Value);

impl ListedObject {
    /// Its kind.
    pub fn kind(&self) -> &str {
        self.0.text("kind")
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.metadata("name")
    }

    /// Its namespace, or nothing.
    pub fn namespace(&self) -> &str {
        self.metadata("namespace")
    }

    /// The namespace and the name: `default/my-crontab`.
    pub fn full_name(&self) -> String {
        match self.namespace() {
            "" => self.name().to_owned(),
            namespace => format!("{namespace}/{}", self.name()),
        }
    }

    /// The value of a label.
    pub fn label(&self, name: &str) -> Option<&str> {
        self.0.get("metadata")?.get("labels")?.get(name)?.as_str()
    }

    fn metadata(&self, name: &str) -> &str {
        self.0.get("metadata").and_then(|m| m.get(name)).and_then(Value::as_str).unwrap_or_default()
    }
}

/// The kinds that are printed, and why others are not.
#[derive(Default)]
pub struct Listing<'k> {
    /// The kinds with objects.
    pub groups: Vec<ListedKind<'k>>,
    /// Their CRDs are rejected.
    pub rejected: Vec<Error>,
}

/// Returns the kinds in the order in which the user names them, or otherwise in the order of their names. Objects are
/// in the order of a server: by namespace, then by name.
pub fn choose<'k>(
    kinds: &'k Kinds,
    objects: Vec<Manifest>,
    wanted: &[&String],
) -> Result<Listing<'k>, Error> {
    let mut by_kind: BTreeMap<(String, String), Vec<Manifest>> = BTreeMap::new();
    for object in objects {
        let key = (object.group_version().0.to_owned(), object.text("kind").to_owned());
        by_kind.entry(key).or_default().push(object);
    }
    let mut out = Listing::default();
    for entry in entries(kinds, wanted)? {
        let Heading { group: of, names, .. } = &entry.heading;
        if let Some(objects) = by_kind.remove(&(of.clone(), names.kind.clone())) {
            group(kinds, entry, objects, &mut out)?;
        }
    }
    Ok(out)
}

fn entries<'k>(kinds: &'k Kinds, wanted: &[&String]) -> Result<Vec<&'k Entry>, Error> {
    let mut all: Vec<&Entry> = kinds.iter().collect();
    all.sort_by(|a, b| a.heading.name.cmp(&b.heading.name));
    if wanted.is_empty() {
        return Ok(all);
    }
    let mut out: Vec<&Entry> = Vec::new();
    for name in wanted {
        let before = out.len();
        let found = all.iter().filter(|entry| is_named(&entry.heading, name));
        let known = out.len();
        for entry in found {
            if !out[..known].iter().any(|there| std::ptr::eq(*there, *entry)) {
                out.push(entry);
            }
        }
        if out.len() == before && !out.iter().any(|entry| is_named(&entry.heading, name)) {
            let names = all.iter().flat_map(|entry| {
                let names = &entry.heading.names;
                [names.plural.as_str(), names.kind.as_str()]
            });
            let hint = crdgen_core::nearest::did_you_mean(name, names);
            let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
            return Err(Error::Nothing(format!("no CRD has the kind, short name or category {name}{hint}")));
        }
    }
    Ok(out)
}

/// Whether a kind, or a category of kinds, has this name: `ct`, `crontabs`, `crontabs.stable.example.com`, `all`.
pub fn is_named(heading: &Heading, name: &str) -> bool {
    let names = &heading.names;
    let (name, group) = match name.split_once('.') {
        Some((name, rest)) => (name, Some(rest)),
        None => (name, None),
    };
    let is_of_group = group.is_none_or(|group| {
        let of_version = |version: &str| group.strip_prefix(version).and_then(|rest| rest.strip_prefix('.'));
        group == heading.group
            || heading.served.iter().any(|version| of_version(version) == Some(heading.group.as_str()))
    });
    let is_own = inputs::is_named(names, name);
    is_of_group && (is_own || group.is_none() && names.categories.iter().any(|category| category == name))
}

/// Returns the objects of a kind in the version that a server prefers. Objects that only a webhook could convert stay
/// in their own version.
fn group<'k>(
    kinds: &'k Kinds,
    entry: &'k Entry,
    objects: Vec<Manifest>,
    out: &mut Listing<'k>,
) -> Result<(), Error> {
    let name = &entry.heading.name;
    let Some(served) = kinds.compiled(entry).and_then(CompiledKind::served) else {
        let why = format!("{name}: the server rejects this CRD; `crdgen check` shows why");
        out.rejected.push(Error::Argument(why));
        return Ok(());
    };
    let versions = entry.heading.served.iter();
    let preferred = versions.max_by(|a, b| compare_versions(a, b)).map_or("", String::as_str);
    let mut by_version: BTreeMap<String, Vec<ListedObject>> = BTreeMap::new();
    for object in objects {
        let (own, place) = (object.group_version().1.to_owned(), object.name());
        let mut read = served.decode_stored(object.value.clone(), preferred).map(|value| (preferred, value));
        if read.is_err() {
            read = served.decode_stored(object.value, &own).map(|value| (own.as_str(), value));
        }
        let (version, mut value) =
            read.map_err(|why| Error::Refused { name: format!("{name}: {place}"), why })?;
        // Without a namespace, the object is in the default one.
        let _ = served.put_into_namespace(&mut value, "");
        complete_name(&mut value);
        by_version.entry(version.to_owned()).or_default().push(ListedObject(value));
    }
    for (version, mut objects) in by_version {
        let version = served.version(&version).map_err(|why| Error::Refused { name: name.clone(), why })?;
        // Sorts like the keys of the server's storage, in which a slash follows the namespace.
        objects.sort_by_cached_key(|object| format!("{}/{}", object.namespace(), object.name()));
        out.groups.push(ListedKind { served, version, objects });
    }
    Ok(())
}

/// Completes the prefix in `generateName` to a name of the length that a server would generate.
fn complete_name(object: &mut Value) {
    let Some(metadata) = object.as_map_mut().and_then(|object| object.get_mut("metadata")?.as_map_mut())
    else {
        return;
    };
    if metadata.text("name").is_empty() && !metadata.text("generateName").is_empty() {
        let name = format!("{}xxxxx", metadata.text("generateName"));
        metadata.insert("name", name.into());
    }
}

/// Returns why no server stores such an object.
pub fn mistake(object: &Manifest, kinds: &Kinds) -> Option<Diag> {
    let (group, version) = object.group_version();
    let served = kinds.compiled(kinds.get(group, object.text("kind"))?)?.served()?;
    if let Err(why) = served.version(version) {
        let known = served.crd.spec.versions.iter().map(|version| version.name.as_str());
        let diag = Diag::own(&OTHER_KIND, Level::Error, &Path::ROOT.child("apiVersion"), why.to_string());
        return Some(diag.help(format!("the CRD has {}", known.collect::<Vec<_>>().join(", "))));
    }
    let metadata = object.value.get("metadata")?;
    let malformed =
        metadata::decode(metadata, metadata::WrongTypes::Rejected, &Path::ROOT.child("metadata")).err()?;
    Some(Refusal::from(malformed).diag())
}
