//! Objects in another version: what `crdgen convert` decides.
//!
//! A [`ObjectConverter`] converts by what `#[derive(Convert)]` and `#[versioned]` declare in the sources, runs compiled conversions where the
//! caller allows it, and turns CRDs of v1beta1 into CRDs of v1.
//!
//! **Unstable**: any release may change what is in this module.

use std::collections::{BTreeMap, BTreeSet};

use crdgen_core::check::upgrade::{self, Upgraded};
use crdgen_core::diag::{Diag, Level, codes};
use crdgen_core::documents::{Manifest, is_definition};
use crdgen_core::names;
use crdgen_core::path::Path as Field;
use crdgen_core::path::Step;
use crdgen_core::value::{Map, Value};
use crdgen_core::{decode, encode, listed, nearest};
use crdgen_source::{At, Found};

use crdgen_build::declared::{self, Declared, Versions};
use crdgen_files::Error;
use crdgen_files::source::{self, Compiled, Options};

/// The version to convert to.
#[derive(Clone, Debug)]
pub struct TargetVersion {
    group: Option<String>,
    version: String,
}

impl TargetVersion {
    /// Reads `v1` or `example.com/v1`.
    pub fn of(text: &str) -> Result<TargetVersion, Error> {
        let (group, version) = match text.split_once('/') {
            Some((group, version)) => (Some(group.to_owned()), version),
            None => (None, text),
        };
        if version.is_empty() || version.contains('/') || group.as_deref() == Some("") {
            return Err(Error::Argument(format!(
                "--to {text}: write a version such as v1 or example.com/v1"
            )));
        }
        if !names::dns1035_label(version).is_empty() {
            let lower = version.to_lowercase();
            let near = if names::dns1035_label(&lower).is_empty() { &*lower } else { "v1" };
            return Err(Error::Argument(format!(
                "--to {text}: `{version}` is not the name of a version. Names begin with a lowercase letter, such as {near}"
            )));
        }
        Ok(TargetVersion { group, version: version.to_owned() })
    }

    /// Fails if no type has the wanted group.
    pub fn expect_known(&self, crates: &[Declared]) -> Result<(), Error> {
        let pairs = || crates.iter().flat_map(|declared| &declared.pairs);
        let Some(group) = self.group.as_deref().filter(|group| pairs().all(|pair| pair.group != *group))
        else {
            return Ok(());
        };
        let names: BTreeSet<String> = pairs()
            .flat_map(|pair| [&pair.old, &pair.new].map(|version| format!("{}/{}", pair.group, version.name)))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Err(Error::Argument(format!(
            "--to {group}/{}: the types have no kind of the group {group}. They have {}",
            self.version,
            names.join(", ")
        )))
    }

    fn is_of(&self, group: &str) -> bool {
        self.group.as_deref().is_none_or(|own| own == group)
    }
}

/// When to compile the types and run their conversions, instead of reading their sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompileWhen {
    /// For each object.
    Always,
    /// For objects whose conversion calls a function.
    WhereNeeded,
}

/// What a user should know about a conversion, besides the diagnostics of objects.
pub enum ConversionRemark {
    /// The types cannot be compiled.
    Error(Error),
    /// What is wrong with the types.
    Found(Vec<Found>),
    /// A CRD with this name has `preserveUnknownFields: true`, and got a keyword instead.
    KeepsUnknown(String),
}

/// Converts objects, one after the other.
pub struct ObjectConverter<'a> {
    to: TargetVersion,
    /// The conversions that the sources declare, if there are sources.
    crates: Option<&'a [Declared]>,
    /// The same conversions, compiled.
    exact: Option<Compiling>,
    /// How many objects only got another `apiVersion`.
    renamed: usize,
    /// The groups of the objects.
    groups: BTreeSet<String>,
    /// The kinds whose conversion is not declared.
    unknown: BTreeSet<String>,
    /// How many documents have no kind.
    without_kind: usize,
    /// The groups and kinds of which objects only got another `apiVersion`.
    renamed_kinds: BTreeSet<(String, String)>,
    /// The versions of the CRDs among the objects, by group and kind.
    versions: BTreeMap<(String, String), Vec<String>>,
    remarks: Vec<ConversionRemark>,
}

/// The group and name of a kind.
struct KindName<'k> {
    group: &'k str,
    kind: &'k str,
}

/// Types that are compiled when an object first needs them.
struct Compiling {
    when: CompileWhen,
    options: Options,
    compiled: Option<Compiled>,
}

impl Compiling {
    /// An object in another version.
    fn convert(
        &mut self,
        of: &KindName<'_>,
        object: &Value,
        to: &str,
        remarks: &mut Vec<ConversionRemark>,
    ) -> Result<Value, Box<Diag>> {
        let compiled = match &mut self.compiled {
            Some(compiled) => compiled,
            none => none.insert(Compiled::new(&self.options).unwrap_or_else(|error| {
                remarks.push(ConversionRemark::Error(error));
                Compiled::default()
            })),
        };
        match compiled.convert(of.group, of.kind, object, to) {
            Some(converted) => converted.map_err(|why| wrong(&why.0, "")),
            None => {
                remarks.push(ConversionRemark::Found(compiled.why_missing(of.group, of.kind)));
                Err(wrong(
                    "its types could not be compiled, so crdgen cannot run its conversion",
                    "correct the errors above",
                ))
            }
        }
    }
}

impl<'a> ObjectConverter<'a> {
    /// Converts to a version by what crates declare. Without crates, only `apiVersion` changes.
    pub fn new(to: TargetVersion, crates: Option<&'a [Declared]>) -> ObjectConverter<'a> {
        ObjectConverter {
            to,
            crates,
            exact: None,
            renamed: 0,
            groups: BTreeSet::new(),
            unknown: BTreeSet::new(),
            without_kind: 0,
            renamed_kinds: BTreeSet::new(),
            versions: BTreeMap::new(),
            remarks: Vec::new(),
        }
    }

    /// Also compiles the package and runs its code.
    pub fn exact(self, when: CompileWhen, options: Options) -> ObjectConverter<'a> {
        ObjectConverter { exact: Some(Compiling { when, options, compiled: None }), ..self }
    }

    /// What the user should know since the last call.
    pub fn take_remarks(&mut self) -> Vec<ConversionRemark> {
        std::mem::take(&mut self.remarks)
    }

    /// Converts an object to the other version. An object of another group stays as it is. Returns `None` for something that
    /// is not an object.
    ///
    /// # Errors
    /// Returns the diagnostic for an object that cannot be converted.
    pub fn convert(&mut self, object: &Manifest) -> Result<Option<Value>, Box<Diag>> {
        if object.text("kind").is_empty() {
            self.without_kind += 1;
            return Ok(None);
        }
        self.converted(object).map(Some)
    }

    fn converted(&mut self, object: &Manifest) -> Result<Value, Box<Diag>> {
        let (group, version) = object.group_version();
        let Value::Map(members) = &object.value else { return Err(wrong("this is not an object", "")) };
        self.groups.insert(group.to_owned());
        if is_definition(&object.value) {
            self.know_versions(&object.value);
        }
        if !self.to.is_of(group) || version == self.to.version {
            return Ok(object.value.clone());
        }
        if is_definition(&object.value) {
            return self.definition(&object.value);
        }
        let kind = object.text("kind");
        let Some(crates) = self.crates else {
            let out = self.renamed(members, group);
            if out != object.value {
                self.renamed += 1;
                self.renamed_kinds.insert((group.to_owned(), kind.to_owned()));
            }
            return Ok(out);
        };
        let Some(versions) = crates.iter().find_map(|declared| Versions::of(declared, group, kind)) else {
            // The types know nothing of other groups, whose objects stay as they are.
            if crates.iter().flat_map(|declared| &declared.pairs).all(|pair| pair.group != group) {
                self.unknown.insert(kind.to_owned());
                return Ok(object.value.clone());
            }
            let message = format!("the types do not declare how to convert {kind}");
            return Err(wrong(&message, "derive Convert for it, or leave out its objects"));
        };
        let names = versions.names();
        for name in [version, &self.to.version] {
            if !names.contains(&name) {
                let help = format!("the types have the versions {}", names.join(", "));
                return Err(wrong(&format!("{kind} does not have the version `{name}`"), &help));
            }
        }
        let to = &self.to.version;
        if let Some(exact) = self.exact.as_mut().filter(|exact| exact.when == CompileWhen::Always) {
            return exact.convert(&KindName { group, kind }, &object.value, to, &mut self.remarks);
        }
        let remarks = &mut self.remarks;
        versions.convert(members.clone(), version, to).or_else(|error| match (&error, &mut self.exact) {
            (declared::Error::Code { .. }, Some(exact)) => {
                exact.convert(&KindName { group, kind }, &object.value, to, remarks)
            }
            (declared::Error::Code { code, .. }, None) => {
                Err(wrong_at(&error, &object.value, &called(code.at.clone())))
            }
            (declared::Error::Value(_), _) => Err(wrong_at(&error, &object.value, "")),
        })
    }

    /// Keeps the versions of a CRD.
    fn know_versions(&mut self, crd: &Value) {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let spec = crd.get("spec");
        let of_spec = |name: &str| spec.and_then(|spec| spec.get(name));
        let kind = of_spec("names").and_then(|names| names.get("kind"));
        let listed = of_spec("versions").and_then(Value::as_list).into_iter().flatten();
        let versions = listed.map(|version| text(version.get("name"))).chain([text(of_spec("version"))]);
        let versions = versions.filter(|version| !version.is_empty());
        self.versions.entry((text(of_spec("group")), text(kind))).or_default().extend(versions);
    }

    /// Returns the wanted group if there are objects, but none of this group.
    fn other_group(&self) -> Option<&str> {
        let group = self.to.group.as_deref()?;
        (!self.groups.is_empty() && !self.groups.contains(group)).then_some(group)
    }

    /// Checks that there are objects of the wanted group, and that their CRDs have the wanted version, as far as the
    /// CRDs are known.
    pub fn check_target(&self) -> Result<(), Error> {
        let version = &self.to.version;
        if let Some(group) = self.other_group() {
            let help =
                nearest::did_you_mean(group, self.groups.iter().map(String::as_str)).unwrap_or_else(|| {
                    let groups = self.groups.iter();
                    let groups = groups.map(|it| if it.is_empty() { "core (apiVersion: v1)" } else { it });
                    format!("the groups are {}", groups.collect::<Vec<_>>().join(", "))
                });
            let why = format!("--to {group}/{version}: no object is of the group {group}; {help}");
            return Err(Error::Nothing(why));
        }
        for of_kind @ (_, kind) in &self.renamed_kinds {
            let known = self.versions.get(of_kind);
            if let Some(known) = known.filter(|known| !known.contains(version)) {
                let known = known.join(", ");
                let why =
                    format!("--to {version}: the CRD of {kind} does not have this version; it has {known}");
                return Err(Error::Argument(why));
            }
        }
        Ok(())
    }

    /// Changes only the `apiVersion` of an object. Kubernetes' own objects stay as they are.
    fn renamed(&self, members: &Map<Value>, group: &str) -> Value {
        let mut out = members.clone();
        if group.contains('.') && !group.ends_with(".k8s.io") {
            out.insert("apiVersion", Value::from(format!("{group}/{}", self.to.version)));
        }
        Value::Map(out)
    }

    /// Converts a CRD of v1beta1 to v1, as the server stores it.
    fn definition(&mut self, value: &Value) -> Result<Value, Box<Diag>> {
        if self.to.version != "v1" {
            let message = format!("CRDs do not have the version `{}`", self.to.version);
            return Err(wrong(&message, "write --to v1"));
        }
        let (crd, diags) = decode::crd(value.clone());
        let error = diags.into_iter().find(|diag| diag.level == Level::Error);
        match (crd, error) {
            (_, Some(error)) => Err(Box::new(error)),
            (Some(crd), None) => match upgrade::to_v1(crd) {
                Ok(Upgraded { crd, keeps_unknown }) => {
                    if keeps_unknown {
                        self.remarks.push(ConversionRemark::KeepsUnknown(crd.metadata.name.clone()));
                    }
                    Ok(encode::crd(&crd))
                }
                Err(error) => {
                    let message =
                        format!("the server rejects the CRD of v1 that this becomes: {}", error.text());
                    let help = error.help.as_deref().unwrap_or("correct the schema in this file");
                    Err(wrong(&message, help))
                }
            },
            (None, None) => Err(wrong("the server cannot read this CRD", "")),
        }
    }

    /// What was not converted, or not checked, as sentences.
    pub fn notes(&self) -> Vec<String> {
        let mut out = Vec::new();
        if self.renamed > 0 {
            let (objects, their) = if self.renamed == 1 { ("object", "its") } else { ("objects", "their") };
            out.push(format!(
                "note: {} {objects} got another apiVersion, and nothing else changed. With --types, crdgen also converts {their} \
                 fields",
                self.renamed
            ));
        }
        let unchecked: BTreeSet<&str> = self
            .renamed_kinds
            .iter()
            .filter(|kind| !self.versions.contains_key(kind))
            .map(|(_, kind)| kind.as_str())
            .collect();
        if !unchecked.is_empty() {
            out.push(format!(
                "note: crdgen cannot check that the version {} exists, because the input has no CRD of {}",
                self.to.version,
                listed::first(unchecked.iter(), listed::NAMED)
            ));
        }
        if self.without_kind > 0 {
            let documents = if self.without_kind == 1 { "document" } else { "documents" };
            out.push(format!("not converted: {} {documents} without `kind`", self.without_kind));
        }
        if !self.unknown.is_empty() {
            let kinds: Vec<&str> = self.unknown.iter().map(String::as_str).collect();
            out.push(format!("not converted: {}; the types do not declare how", kinds.join(", ")));
        }
        out
    }
}

/// Returns the help for a conversion that calls a function.
fn called(at: Option<At>) -> String {
    let place = at.map(|mut at| {
        source::shorten(&mut at);
        format!("it is called at {}:{}:{}. ", at.file, at.start.line, at.start.column)
    });
    format!("{}With --exact, crdgen compiles your package and calls it", place.unwrap_or_default())
}

fn wrong(message: &str, help: &str) -> Box<Diag> {
    let mut diag = Diag::own(&codes::rust::NOT_CONVERTED, Level::Error, &Field::ROOT, message.to_owned());
    diag.help = (!help.is_empty()).then(|| help.to_owned());
    Box::new(diag)
}

/// Like [`wrong`], for a value inside an object. If a step of the path is not in the object, because the types use
/// another name, the diagnostic is at the value around it.
fn wrong_at(error: &declared::Error, object: &Value, help: &str) -> Box<Diag> {
    let mut diag = wrong(&error.to_string(), help);
    let (declared::Error::Value(at) | declared::Error::Code { path: at, .. }) = error;
    let mut here = object;
    for step in at.steps() {
        let next = match step {
            Step::Index(index) => here.as_list().and_then(|items| items.get(*index)),
            Step::Key(name) => here.get(name),
        };
        let Some(next) = next else { break };
        here = next;
        diag.steps.push(step.clone());
    }
    diag
}
