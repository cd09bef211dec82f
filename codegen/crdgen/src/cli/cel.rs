//! `crdgen cel`: the type, cost and value of an expression.

use std::sync::Arc;

use crdgen_core::cel::Kube;
use crdgen_core::documents::{Finding, Manifest, groups, objects as manifests, of_expression};
use crdgen_core::ir::{Crd, Schema};
use crdgen_core::json;
use crdgen_core::object::defaults::{set_defaults, with_pruned_defaults};
use crdgen_core::object::prune::prune;
use crdgen_core::rules::RULE_LIMIT;
use crdgen_core::rules::run::{Answer, Question, Unanswered, ask};
use crdgen_core::value::Value;

use super::definitions::{self, Group};
use super::inputs::{self, Source};
use super::kinds::EXTENSIONS;
use super::report::{self, Counts, Findings, Format};
use super::terminal::{Ready, print};
use super::{Outcome, stream};
use crate::{Error, input};

/// Compile a CEL expression: show its type and cost, and with --object its value
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen cel 'self.replicas <= 10' --crd crd.yaml --path .spec
  crdgen cel 'self.spec.size() > 2' --object object.yaml
  crdgen cel 'self.replicas <= 10' --crd crds --kind CronTab --path .spec --object object.yaml")]
pub(crate) struct Args {
    /// The expression, or - to read it from standard input
    expression: String,
    /// The CRD whose objects the expression is for: a file or folder. Without it, `self` is the --object, and types are
    /// unknown
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    crd: Option<String>,
    /// The kind, if there are several CRDs [default: that of the --object]. Accepts plural, singular and short names
    #[arg(long, value_name = "NAME", requires = "crd")]
    kind: Option<String>,
    /// The version in the CRD [default: that of the --object, or the first one]
    #[arg(long, visible_alias = "api-version", value_name = "NAME", requires = "crd")]
    version: Option<String>,
    /// The path of `self` in the object, such as .spec or .spec.items[0]
    #[arg(long, default_value = "", value_name = "PATH")]
    path: String,
    /// Evaluate the expression for this object, after defaulting and pruning as the server does. If the file has several
    /// objects, crdgen uses the one of the kind
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    object: Option<String>,
    /// The object before the update, for `oldSelf`
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, requires = "object")]
    old: Option<String>,
    /// The Kubernetes version whose CEL libraries to use
    #[arg(long, value_name = "1.NN", value_parser = super::values::KUBE, hide_possible_values = true)]
    kube: Option<String>,
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let source = expression(&args.expression)?;
    let text =
        String::from_utf8(source.bytes.to_vec()).map_err(|_| Error::file(&source.name)(input::not_utf8()))?;
    let kube = match &args.kube {
        Some(kube) => Kube::of(u16::try_from(super::kube(kube)?).unwrap_or(u16::MAX)),
        None => Kube::CURRENT,
    };
    let objects = |name: &Option<String>| name.as_deref().map(objects).transpose();
    let (this, old) = (objects(&args.object)?, objects(&args.old)?);
    let crd = match &args.crd {
        Some(place) => Some(definition(place, args.kind.as_deref(), this.as_deref())?),
        None => None,
    };
    let this = this.map(|all| choose(all, crd.as_ref(), None)).transpose()?;
    let old = old.map(|all| choose(all, crd.as_ref(), this.as_ref())).transpose()?;
    let version = args.version.as_deref().or(this.as_ref().map(|this| this.manifest.group_version().1));
    let schema = crd.as_ref().map(|crd| schema(crd, version)).transpose()?;
    let served = |of: Option<Object>| of.map(|of| of.served(schema)).transpose();
    let (this, old) = (served(this)?, served(old)?);
    let question = Question {
        expression: &text,
        schema,
        path: &args.path,
        object: this.as_ref(),
        old: old.as_ref(),
        kube: kube.for_new(),
    };
    let asked = ask(&question);
    if let Err(Unanswered::Question(why)) = asked {
        return Err(Error::Argument(why));
    }
    let findings = of_expression(text.as_bytes(), &asked, schema.is_some());
    let outcome = if findings.is_empty() { Outcome::Fine } else { Outcome::Findings };
    show(args.output, asked.as_ref().ok(), Findings { source, findings })?;
    Ok(outcome)
}

fn expression(text: &str) -> Result<Source, Error> {
    if text != "-" {
        return Ok(Source { name: "<expression>".to_owned(), bytes: Arc::new(text.as_bytes().to_vec()) });
    }
    let mut source = one(text)?;
    source.bytes = Arc::new(source.bytes.trim_ascii_end().to_vec());
    Ok(source)
}

fn one(name: &str) -> Result<Source, Error> {
    match inputs::find(&[name.to_owned()], EXTENSIONS)?.as_slice() {
        [input] => input.read(),
        inputs => Err(Error::Argument(format!("{name}: expected one file, found {}", inputs.len()))),
    }
}

/// Finds a CRD in a file or folder: the only one, the one of the kind, or the one of an object.
fn definition(name: &str, kind: Option<&str>, objects: Option<&[Object]>) -> Result<Crd, Error> {
    let (mut found, mut kinds): (Vec<Crd>, Vec<String>) = (Vec::new(), Vec::new());
    let mut groups: Vec<String> = Vec::new();
    for input in inputs::find(&[name.to_owned()], EXTENSIONS)? {
        let source = input.read()?;
        let read = |group: Group| {
            let mut read = group.read();
            definitions::expect_accepted(&mut read, &source, true)?;
            Ok(read.definitions)
        };
        stream::groups(&source, read, |some| {
            for crd in some.into_iter().map(|definition| definition.crd) {
                kinds.push(crd.spec.names.kind.clone());
                if kind.is_none_or(|kind| definitions::is_named(&crd.spec.names, kind)) {
                    groups.push(crd.spec.group.clone());
                    found.push(crd);
                }
            }
            Ok(())
        })?;
    }
    if found.len() > 1
        && let Some(objects) = objects
    {
        found.retain(|crd| objects.iter().any(|object| object.is_of(crd)));
    }
    match (found.as_mut_slice(), kind) {
        ([crd], _) => {
            crd.drop_unions();
            Ok(found.remove(0))
        }
        _ if kinds.is_empty() => Err(super::no_definition(&[name.to_owned()])),
        ([], Some(kind)) if groups.is_empty() => Err(super::no_such_kind(kind, name, &kinds)),
        (_, None) => {
            let kinds = kinds.join(", ");
            Err(Error::Argument(format!("{name}: there are several kinds. Select one with --kind: {kinds}")))
        }
        (_, Some(kind)) => {
            let groups = groups.join(", ");
            Err(Error::Nothing(format!("{name}: several groups define the kind {kind}: {groups}")))
        }
    }
}

fn schema<'c>(crd: &'c Crd, version: Option<&str>) -> Result<&'c Schema, Error> {
    let versions = &crd.spec.versions;
    let index = match version {
        None => 0,
        Some(name) => versions.iter().position(|v| v.name == name).ok_or_else(|| {
            let known: Vec<&str> = versions.iter().map(|v| v.name.as_str()).collect();
            Error::Nothing(format!("the CRD has no version {name}; it has {}", known.join(", ")))
        })?,
    };
    crd.spec.schema_of(index).ok_or_else(|| Error::Nothing("this version has no schema".to_owned()))
}

/// An object, and its file.
struct Object {
    file: String,
    manifest: Manifest,
}

impl Object {
    fn is_of(&self, crd: &Crd) -> bool {
        self.manifest.group_version().0 == crd.spec.group && self.manifest.text("kind") == crd.spec.names.kind
    }

    /// Returns the object as rules see it.
    fn served(self, schema: Option<&Schema>) -> Result<Value, Error> {
        let mut value = self.manifest.value;
        if let Some(schema) = schema {
            let served = with_pruned_defaults(schema).map_err(|why| Error::Argument(why.to_string()))?;
            prune(&mut value, Some(&served), true);
            set_defaults(&mut value, Some(&served));
        }
        Ok(value)
    }

    /// Returns how messages name the object: `CronTab default/a (example.com/v1)`.
    fn name(&self) -> String {
        let Object { manifest, .. } = self;
        let kind = match manifest.text("kind") {
            "" => "an object without `kind`",
            kind => kind,
        };
        let name = manifest.name();
        let name = if name.is_empty() { name } else { format!(" {name}") };
        let version = match manifest.text("apiVersion") {
            "" => String::new(),
            version => format!(" ({version})"),
        };
        format!("{kind}{name}{version}")
    }
}

/// Returns all objects in a file, including the items of lists.
fn objects(name: &str) -> Result<Vec<Object>, Error> {
    let source = one(name)?;
    let mut out = Vec::new();
    for group in groups(&source.bytes) {
        let (manifests, findings) = manifests(group);
        if let Some(Finding { place, diag, .. }) = findings.into_iter().next() {
            return Err(definitions::broken(&source.name, place, diag));
        }
        out.extend(manifests.into_iter().map(|manifest| Object { file: source.name.clone(), manifest }));
    }
    Ok(out)
}

/// Picks an object: the only one, or the only one of the CRD. If the CRD has several, picks the one with the name of
/// another object.
fn choose(all: Vec<Object>, crd: Option<&Crd>, named_as: Option<&Object>) -> Result<Object, Error> {
    let names: Vec<String> = all.iter().map(Object::name).collect();
    let file = all.first().map(|object| object.file.clone()).unwrap_or_default();
    let mut own: Vec<Object> =
        all.into_iter().filter(|object| crd.is_none_or(|crd| object.is_of(crd))).collect();
    if own.len() > 1
        && let Some(other) = named_as
    {
        own.retain(|object| object.manifest.name() == other.manifest.name());
    }
    let there = names.join(", ");
    match (own.len(), crd) {
        (1, _) => Ok(own.remove(0)),
        (0, _) if names.is_empty() => {
            Err(Error::Nothing("no object to evaluate the expression for".to_owned()))
        }
        (0, Some(crd)) => {
            let (kind, group) = (&crd.spec.names.kind, &crd.spec.group);
            Err(Error::Nothing(format!("{file}: no {kind} of the group {group}; there are: {there}")))
        }
        (_, Some(_)) => Err(Error::Argument(format!("{file}: several objects of the kind: {there}"))),
        (_, None) => Err(Error::Argument(format!(
            "{file}: several objects. Pass a CRD with --crd, or a file with one of them: {there}"
        ))),
    }
}

fn show(format: Format, answer: Option<&Answer>, findings: Findings) -> Result<(), Error> {
    let mut counts = Counts::default();
    counts.add(&findings.findings);
    match format {
        Format::Human => {
            let lines = answer.map_or_else(String::new, |answer| lines(answer, &findings.source));
            print(&Ready::text(&lines))?;
            print(&report::human(&[findings]))
        }
        Format::Json => print(&Ready::json(&(document(answer, &[findings]) + "\n"))),
        Format::Sarif | Format::Github | Format::Gitlab | Format::Junit => {
            report::show(format, "crdgen cel", &[findings], &counts, "expression")
        }
    }
}

fn lines(answer: &Answer, source: &Source) -> String {
    let Answer { ty, estimate, advice, run } = answer;
    let mut out = format!("type:  {ty}\ncost:  ");
    match answer.total() {
        u64::MAX => out.push_str("without bound"),
        total => out.push_str(&format!("at most {total} of {RULE_LIMIT}")),
    }
    if advice.count > 1 {
        out.push_str(&format!(": {estimate} each time, for up to {} values", advice.count));
    }
    if advice.part != (0..source.bytes.len()) && advice.part_cost < u64::MAX {
        let part = String::from_utf8_lossy(source.bytes.get(advice.part.clone()).unwrap_or_default());
        out.push_str(&format!("\n       most expensive part: `{part}`, with {}", advice.part_cost));
    }
    if let Some(run) = run {
        out.push_str("\nvalue: ");
        out.push_str(run.value.as_deref().unwrap_or("none"));
        out.push_str(&format!("\nspent: {}", run.cost));
    }
    out + "\n"
}

/// The answer as JSON text, because costs go up to 2⁶⁴ and a [`Value`] has no such integers.
fn document(answer: Option<&Answer>, findings: &[Findings]) -> String {
    let text = |value: Value| json::to_string(&value);
    let mut out = vec![("findings", text(report::json(findings)))];
    if let Some(answer) = answer {
        let Answer { ty, estimate, advice, run } = answer;
        out.push(("type", text(ty.as_str().into())));
        let bounds = advice.bounds.iter().map(|bound| {
            json::object([
                ("field", text(bound.field.as_str().into())),
                ("keyword", text(bound.keyword.into())),
                ("value", bound.value.to_string()),
            ])
        });
        let part = json::object([
            ("start", advice.part.start.to_string()),
            ("end", advice.part.end.to_string()),
            ("cost", advice.part_cost.to_string()),
        ]);
        let cost = json::object([
            ("total", answer.total().to_string()),
            ("once", estimate.to_string()),
            ("values", advice.count.to_string()),
            ("limit", RULE_LIMIT.to_string()),
            ("most", part),
            ("bounds", json::list(bounds)),
        ]);
        out.push(("cost", cost));
        if let Some(run) = run {
            out.push(("spent", run.cost.to_string()));
            out.push(match &run.value {
                Ok(value) => ("value", text(value.as_str().into())),
                Err(remark) => ("error", text(remark.text.as_str().into())),
            });
        }
    }
    json::object(out)
}
