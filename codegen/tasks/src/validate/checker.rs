//! Checks one object: what the server would answer.

use crdgen_core::check;
use crdgen_core::decode::{self, Written};
use crdgen_core::diag::{Diag, Diags, Kind, Level, codes};
use crdgen_core::documents::{Finding, Manifest, is_definition};
use crdgen_core::ir::Schema;
use crdgen_core::nearest;
use crdgen_core::object::{Action, Refusal, lifecycle, published};
use crdgen_core::path::{Path, Step};
use crdgen_core::server::Server;
use crdgen_core::span::Place;
use crdgen_core::value::Value;
use crdgen_kubernetes::policies::{Offline, Purpose, TypeWarning, of_policy, type_warnings};

use super::builtin::{Builtin, Known};
use super::identity::{Identity, identity};
use super::old::Olds;
use super::policies::Policies;
use super::result::WriteResult;
use super::{FieldValidation, Missings, Severity, Subresource, because};

use crate::inputs::open::Open;
use crate::kinds::{Entry, Kinds};
use crate::servers::merged;
use crdgen_kinds::objects::{CompiledKind, Verdict};

/// Checks objects as one server does.
struct OnServer<'a> {
    kinds: &'a Kinds,
    builtin: Builtin,
    olds: &'a Olds,
    /// The server that judges them.
    server: Server,
    /// What judges objects that are valid.
    policies: Option<(&'a Policies, Offline<'a>)>,
    wanted: CheckOptions,
}

/// Checks objects as each of the servers of some kinds does, one at a time, on any thread.
pub struct ObjectChecker<'a> {
    newest: OnServer<'a>,
    older: Vec<OnServer<'a>>,
}

/// How to check objects, and what to find out about them.
#[derive(Clone, Default)]
pub struct CheckOptions {
    /// The subresource that is written, if it is one.
    pub subresource: Option<Subresource>,
    /// How to treat unknown and duplicate fields.
    pub fields: FieldValidation,
    /// How to report objects whose kind has no CRD.
    pub missing: Missings,
    /// Whether findings name the line of the CRD that causes them.
    pub explains: bool,
    /// Whether to keep what the server would store.
    pub keeps_result: bool,
}

/// What is known about an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Validity {
    /// The server accepts it.
    Valid,
    /// It is one of Kubernetes' own kinds, and the server's code accepts it. What admission in a cluster changes or rejects was not
    /// checked: quotas, limits, policies, service accounts and priorities.
    BeforeAdmission,
    /// It is one of Kubernetes' own kinds. Only its structure was checked, and it is valid.
    StructureOnly,
    /// It is valid in its own version. A webhook converts it to the storage version, which was not checked.
    OwnVersionOnly,
    /// Exceptions allow all its errors.
    Allowed,
    /// The server rejects it.
    Invalid,
    /// Whether it is valid cannot be determined, for this reason.
    NotChecked(&'static str),
}

/// An object that was checked.
pub struct CheckedObject {
    /// `None` if it has no name of its own.
    pub identity: Option<Identity>,
    /// Kind and group: `CronTab.stable.example.com`.
    pub kind: String,
    /// The version that it is written in.
    pub version: String,
    /// Namespace and name.
    pub name: String,
    /// Where it is in its file.
    pub place: Option<Place>,
    /// What is known about it.
    pub result: Validity,
    /// Whether it is invalid only because fields are missing.
    pub lacks_only_fields: bool,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
    /// What the server would store, if the user wants to see it.
    pub written: Option<WriteResult>,
}

/// Whether an object is invalid only because fields are missing: those that its schema requires, or what the server's code looks for in
/// one of Kubernetes' own kinds.
fn lacks_only_fields(object: &Value, diags: &Diags) -> bool {
    let value = |steps: &[Step]| {
        steps.iter().try_fold(object, |at, step| match step {
            Step::Key(name) => at.get(name),
            Step::Index(i) => at.as_list()?.get(*i),
        })
    };
    let is_missing = |diag: &Diag| {
        [&codes::object::REQUIRED, &codes::cel::NOT_CHECKED].contains(&diag.code)
            || (*diag.code == codes::object::OWN_KIND && value(&diag.steps).is_none())
    };
    let errors = || diags.iter().filter(|diag| diag.level == Level::Error);
    errors().any(|diag| diag.kind == Some(Kind::Required)) && errors().all(is_missing)
}

/// The diagnostics for an object, before their places are known.
struct Draft {
    diags: Diags,
    /// The reason if it was not checked.
    not_checked: Option<&'static str>,
    /// What is known about the object if it has no errors.
    valid: Validity,
    written: Option<WriteResult>,
}

impl Draft {
    fn of(diags: Diags) -> Draft {
        Draft { diags, not_checked: None, valid: Validity::Valid, written: None }
    }

    fn not_checked(why: &'static str, diags: Diags) -> Draft {
        Draft { not_checked: Some(why), ..Draft::of(diags) }
    }
}

/// Returns an object as it is before its status is written for the first time.
fn without_status(object: &Value) -> Value {
    let mut out = object.clone();
    if let Value::Map(map) = &mut out {
        map.remove("status");
    }
    out
}

/// How to add the CRD of a kind.
const ADD_CRD: &str = "run `crdgen crds add PATH --out-dir crds` with the chart, folder or file that has its CRD, and pass `--crd-dir crds`";

impl<'a> ObjectChecker<'a> {
    /// Prepares the checks against these kinds. Objects that existed before are checked as updates, and valid ones are judged by
    /// policies.
    pub fn new(
        kinds: &'a Kinds,
        olds: &'a Olds,
        wanted: &CheckOptions,
        policies: &'a Policies,
    ) -> ObjectChecker<'a> {
        let on = |server: &Server| OnServer {
            kinds,
            builtin: Builtin::default(),
            olds,
            server: *server,
            policies: (!policies.is_empty()).then(|| (policies, policies.prepared(kinds))),
            wanted: wanted.clone(),
        };
        let older = kinds.servers().iter().skip(1).map(on).collect();
        ObjectChecker { newest: on(&kinds.server()), older }
    }

    /// Checks an object of a file. Each finding is there once, with the servers that have it. `root` is what the object is applied with.
    pub fn check(&self, object: &Manifest, file: &str, root: &str) -> CheckedObject {
        let mut newest = self.newest.check(object, file, root);
        if self.older.is_empty() {
            return newest;
        }
        let mut found = vec![(self.newest.server, std::mem::take(&mut newest.findings))];
        for checker in &self.older {
            let checked = checker.check(object, file, root);
            let rank = |result: &Validity| (*result == Validity::Invalid, result.clone());
            if rank(&checked.result) > rank(&newest.result) {
                newest.result = checked.result;
            }
            newest.lacks_only_fields &= checked.lacks_only_fields;
            found.push((checker.server, checked.findings));
        }
        CheckedObject { findings: merged(found), ..newest }
    }
}

impl<'a> OnServer<'a> {
    /// Checks an object of a file. `root` is what the object is applied with: a kustomization, a folder or the file.
    fn check(&self, object: &Manifest, file: &str, root: &str) -> CheckedObject {
        let (group, kind) = (object.group_version().0, object.text("kind"));
        let entry = self.kinds.for_object(file, object.group_version(), kind);
        let identity = identity(object, self.kinds);
        let Draft { mut diags, not_checked, valid, mut written } =
            self.draft(object, entry, identity.as_ref(), root);
        diags.extend(self.repeated(object));
        let before = diags.len();
        let mut open = Open::new(&object.value);
        diags.retain(|diag| !open.decides(diag));
        let is_open = diags.len() < before;
        if is_open {
            // Whether the server checks these rules depends on the same values.
            diags.retain(|diag| *diag.code != codes::cel::NOT_CHECKED);
        }
        let is_wrong = diags.iter().any(|diag| diag.level == Level::Error);
        if let (Some((policies, offline)), None, false, false) =
            (&self.policies, not_checked, is_wrong, is_open)
        {
            let old = identity.as_ref().and_then(|identity| self.olds.get(identity, root));
            let objects = [Some(&object.value), old.as_ref()];
            let admitted = policies.admit(offline, objects, self.wanted.subresource);
            let mut mistakes = Diags::new();
            if let Some(mutated) = admitted.mutated() {
                let mutated = object.with_value(mutated.clone());
                let draft = self.draft(&mutated, entry, identity.as_ref(), root);
                // What a policy adds and no schema knows is pruned without a word.
                let is_reported =
                    |diag: &Diag| diag.level == Level::Error && *diag.code != codes::object::UNKNOWN_FIELD;
                mistakes.extend(draft.diags.into_iter().filter(is_reported));
                mistakes.iter_mut().for_each(|diag| diag.help = Some(policies.cause(&admitted)));
                written = match (written, draft.written) {
                    (Some(before), Some(after)) => Some(before.mutated(after)),
                    (before, _) => before,
                };
            }
            // The server asks policies about objects that are valid.
            diags.extend(if mistakes.is_empty() { policies.said(&admitted) } else { mistakes });
        }
        if let (true, Some(entry)) = (self.wanted.explains, entry) {
            diags
                .iter_mut()
                .for_each(|diag| because::explain(diag, self.kinds, entry, object.group_version().1));
        }
        let is_wrong = diags.iter().any(|diag| diag.level == Level::Error);
        let result = match not_checked {
            Some(why) => Validity::NotChecked(why),
            None if is_wrong => Validity::Invalid,
            None if is_open => Validity::NotChecked("it has variables, templates or encrypted values"),
            None => valid,
        };
        CheckedObject {
            identity,
            kind: if group.is_empty() || kind.is_empty() {
                kind.to_owned()
            } else {
                format!("{kind}.{group}")
            },
            version: object.group_version().1.to_owned(),
            name: object.name(),
            place: object.place(),
            result,
            lacks_only_fields: lacks_only_fields(&object.value, &diags),
            findings: diags.into_iter().map(|diag| object.finding(diag)).collect(),
            written,
        }
    }

    /// What the server says about an object before policies are asked.
    fn draft(
        &self,
        object: &Manifest,
        entry: Option<&Entry>,
        identity: Option<&Identity>,
        root: &str,
    ) -> Draft {
        if is_definition(&object.value) {
            let (mut diags, _) = self.lifecycle(object);
            diags.extend(self.definition(object, identity, root));
            return Draft::of(diags);
        }
        match entry {
            Some(entry) => self.custom(object, entry, identity, root),
            None => self.other(object, identity, root),
        }
    }

    /// Checks a CRD, which is an object too.
    fn definition(&self, object: &Manifest, identity: Option<&Identity>, root: &str) -> Diags {
        let read = |value: &Value| decode::crd_as_written(value.clone(), Written::default());
        let (crd, mut diags) = read(&object.value);
        let strict = |diag: &Diag| *diag.code == codes::crd::UNKNOWN_FIELD;
        self.as_wanted(&mut diags, strict);
        let Some(crd) = crd else { return diags };
        let options = check::Options::of_server(self.server.minor());
        let old = identity.and_then(|identity| self.olds.get(identity, root)).and_then(|old| read(&old).0);
        let report = match old {
            Some(old) => check::update(&crd, &crdgen_diff::established(old), &options),
            None => check::create(&crd, &options),
        };
        diags.extend(report.errors.into_iter().chain(report.warnings));
        diags
    }

    /// Checks an object whose kind has a CRD.
    fn custom(&self, object: &Manifest, entry: &Entry, identity: Option<&Identity>, root: &str) -> Draft {
        let Some(kind) = self.kinds.compiled_on(entry, self.server) else {
            return Draft::not_checked("the server rejects the CRD", Diags::new());
        };
        self.written(object, kind, identity, root)
    }

    /// Checks an object of a kind.
    fn written(
        &self,
        object: &Manifest,
        kind: &CompiledKind,
        identity: Option<&Identity>,
        root: &str,
    ) -> Draft {
        let old = identity.and_then(|identity| self.olds.get(identity, root));
        let action = match (self.wanted.subresource, old) {
            (None, None) => Some(Action::Create),
            (None, Some(old)) => Some(Action::Update(old)),
            (Some(Subresource::Status), old) => {
                Some(Action::UpdateStatus(old.unwrap_or_else(|| without_status(&object.value))))
            }
            (Some(Subresource::Scale), _) => None,
        };
        let verdict = match &action {
            Some(action) => kind.write(object.value.clone(), action.clone(), ""),
            None => kind.check_scale(&object.value),
        };
        let mut next = match action {
            Some(action) if verdict.is_bad_request() => kind.once_decoded(&object.value, action),
            _ => kind.next(&verdict),
        };
        next.retain(|diag| {
            self.wanted.fields == FieldValidation::Strict || *diag.code != codes::object::UNKNOWN_FIELD
        });
        let mut answer = self.answer(object, kind, verdict);
        answer.diags.extend(next);
        answer
    }

    fn answer(&self, object: &Manifest, kind: &CompiledKind, verdict: Verdict) -> Draft {
        // The lifecycle of kinds is reported by itself.
        let mut warned = verdict.warned().to_vec();
        warned.retain(|diag| *diag.code != codes::object::DEPRECATED_KIND);
        let warnings: Vec<String> = warned.iter().map(|diag| diag.detail.clone()).collect();
        let Verdict { errors, mut unknown, result, stored, undecided, prepared, .. } = verdict;
        let pruned: Vec<String> = unknown.iter().map(|diag| diag.field.clone()).collect();
        self.as_wanted(&mut unknown, |_| true);
        let is_taken = unknown.iter().chain(&self.repeated(object)).all(|diag| diag.level != Level::Error);
        let written = result
            .filter(|_| self.wanted.keeps_result && is_taken)
            .map(|result| WriteResult::new(&object.value, &result, stored, &pruned, &warnings));
        let mut diags = errors;
        diags.append(&mut unknown);
        diags.extend(warned);
        let Some(why) = undecided else { return Draft { written, ..Draft::of(diags) } };
        if diags.iter().any(|diag| diag.level == Level::Error) {
            return Draft::of(diags);
        }
        if let (Refusal::Conversion(_), Some(_)) = (&why, &prepared) {
            let (_, version) = object.group_version();
            let text = format!(
                "this object is valid in {version}. crdgen did not check the object that the server stores"
            );
            let help = "the server stores what the conversion webhook returns, and crdgen does not call it";
            let note = Diag::own(&codes::object::NOT_CHECKED, Level::Note, &Path::ROOT, text).help(help);
            diags.push(note);
            return Draft { valid: Validity::OwnVersionOnly, ..Draft::of(diags) };
        }
        let diag = Diag::own(&codes::object::NOT_CHECKED, Level::Warning, &Path::ROOT, why.to_string());
        if let Refusal::NoSubresource { subresource, .. } = &why {
            let help =
                format!("enable it in the CRD with `subresources: {{{subresource}: {{}}}}` in the version");
            let is_custom = kind.served().is_some();
            diags.push(if is_custom { diag.help(help) } else { diag });
            return Draft::not_checked("no such subresource", diags);
        }
        diags.push(diag);
        Draft::not_checked("a webhook converts it", diags)
    }

    /// Checks an object whose kind has no CRD.
    fn other(&self, object: &Manifest, identity: Option<&Identity>, root: &str) -> Draft {
        let (kind, api_version, group) =
            (object.text("kind"), object.text("apiVersion"), object.group_version().0);
        if kind.is_empty() || api_version.is_empty() {
            let missing = if kind.is_empty() { "kind" } else { "apiVersion" };
            let why = format!("not a Kubernetes object: it has no {missing}");
            let diag = Diag::own(&codes::object::UNREADABLE, Level::Error, &Path::ROOT, why);
            let help = format!(
                "add `{missing}`, or leave out files that are not for Kubernetes. For a Helm chart, pass the output of `helm template`"
            );
            return Draft::of(vec![diag.help(help)]);
        }
        let (lifecycle, removed) = self.lifecycle(object);
        if removed {
            return Draft::of(lifecycle);
        }
        let mut answer = match CompiledKind::own_on(api_version, kind, self.server) {
            Some(own) => self.native(object, &own, identity, root),
            None => self.own_kind(object, api_version, kind, group),
        };
        answer.diags.extend(lifecycle);
        answer
    }

    /// Reports that Kubernetes has removed a kind, or deprecated it. Returns whether it was removed.
    fn lifecycle(&self, object: &Manifest) -> (Diags, bool) {
        let ((group, version), kind) = (object.group_version(), object.text("kind"));
        let Some(found) = lifecycle::of(group, version, kind) else { return (Diags::new(), false) };
        let minor = self.server.minor();
        if let Some(removal) = found.missing(minor) {
            return (vec![removal], true);
        }
        match found.warning(minor) {
            Some(text) => {
                let at = Path::ROOT.child("apiVersion");
                let diag = Diag::own(&codes::object::DEPRECATED_KIND, Level::Warning, &at, text);
                (vec![diag.help(found.help_on(minor))], false)
            }
            None => (Diags::new(), false),
        }
    }

    /// Checks an object of a kind that is not known from a CRD.
    fn own_kind(&self, object: &Manifest, api_version: &str, kind: &str, group: &str) -> Draft {
        let own = match self.builtin.get(api_version, kind) {
            Known::Foreign => None,
            Known::Group => return Draft::not_checked("one of Kubernetes' own kinds", Diags::new()),
            Known::Missing(kinds) => Some(kinds),
            Known::Structure(schema) => return self.structure(object, &schema),
        };
        let level = match self.wanted.missing.of(group, kind) {
            Severity::Error => Level::Error,
            Severity::Warn => Level::Warning,
            Severity::Ignore => return Draft::not_checked("no CRD", Diags::new()),
        };
        let (why, help) = match own {
            Some(kinds) => {
                let why =
                    format!("Kubernetes has no kind {kind} in {api_version}, so crdgen did not check it");
                let nearest = nearest::did_you_mean(kind, kinds.iter().copied());
                (
                    why,
                    nearest.unwrap_or_else(|| {
                        "look up its apiVersion: kinds move between groups and versions".to_owned()
                    }),
                )
            }
            None => {
                let why = format!("there is no CRD for {kind} of {api_version}, so crdgen did not check it");
                let help = match self.kinds.nearest(group, kind) {
                    Some(nearest) => format!("{nearest} Otherwise {ADD_CRD}"),
                    None if self.kinds.is_of_cluster() => {
                        format!("the cluster does not have it. To check it all the same, {ADD_CRD}")
                    }
                    None => {
                        format!("{ADD_CRD}. For those of your cluster, run `crdgen crds pull --out-dir crds`")
                    }
                };
                (why, help)
            }
        };
        let diag = Diag::own(&codes::object::NO_CRD, level, &Path::ROOT.child("kind"), why).help(help);
        Draft::not_checked("no CRD", vec![diag])
    }

    /// Checks an object of one of Kubernetes' own kinds.
    fn native(
        &self,
        object: &Manifest,
        own: &CompiledKind,
        identity: Option<&Identity>,
        root: &str,
    ) -> Draft {
        let mut draft = self.written(object, own, identity, root);
        if draft.diags.iter().all(|diag| diag.level != Level::Error) {
            draft.diags.extend(self.types_of(&object.value));
        }
        Draft { valid: Validity::BeforeAdmission, ..draft }
    }

    /// What is wrong with the expressions of a policy for the kinds that it names.
    fn types_of(&self, object: &Value) -> Diags {
        if of_policy(object) != Some(Purpose::Validating) {
            return Diags::new();
        }
        let diag = |warning: TypeWarning| {
            let TypeWarning { field, kind, wrong } = warning;
            let text = format!("{field}: {kind}: {}", wrong.why);
            let diag = Diag::own(&codes::object::POLICY_TYPE, Level::Warning, &Path::ROOT, text);
            Diag { steps: field.steps(), inside: wrong.inside, help: wrong.help, ..diag }
        };
        type_warnings(object, self.kinds, self.server).into_iter().map(diag).collect()
    }

    /// Checks an object of one of Kubernetes' own kinds of which only the structure is known.
    fn structure(&self, object: &Manifest, schema: &Schema) -> Draft {
        let (mut diags, mut unknown) = published::check(&object.value, schema, self.server);
        self.as_wanted(&mut unknown, |_| true);
        diags.append(&mut unknown);
        Draft { valid: Validity::StructureOnly, ..Draft::of(diags) }
    }

    /// Reports duplicate keys.
    fn repeated(&self, object: &Manifest) -> Diags {
        let mut diags = object.repeats.clone();
        self.as_wanted(&mut diags, |_| true);
        diags
    }

    /// Sets the level of what strict field validation finds to what the user wants.
    fn as_wanted(&self, diags: &mut Diags, is_strict: impl Fn(&Diag) -> bool) {
        let level = match self.wanted.fields {
            FieldValidation::Strict => Level::Error,
            FieldValidation::Warn => Level::Warning,
            FieldValidation::Ignore => return diags.retain(|diag| !is_strict(diag)),
        };
        diags.iter_mut().filter(|diag| is_strict(diag)).for_each(|diag| diag.level = level);
    }
}
