//! `crdgen cel`: what an expression is, costs and gives.

use std::sync::Arc;

use crdgen_core::cel::Kube;
use crdgen_core::documents::of_expression;
use crdgen_core::ir::{Crd, Schema};
use crdgen_core::json;
use crdgen_core::object::defaults::{set_defaults, with_pruned_defaults};
use crdgen_core::object::prune::prune;
use crdgen_core::read::Unreadable;
use crdgen_core::rules::RULE_LIMIT;
use crdgen_core::rules::run::{Answer, Question, Unanswered, ask};
use crdgen_core::value::Value;
use crdgen_core::yaml;

use super::definitions::{self, Group};
use super::inputs::{self, Source};
use super::report::{self, Counts, Findings, Format};
use super::terminal::{Ready, print};
use super::{Outcome, stream};
use crate::{Error, input};

/// Compile a CEL expression: show its type and cost, and with --object its value
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen cel 'self.replicas <= 10' --crd crd.yaml --path .spec
  crdgen cel 'self.size() > 2' --object object.yaml")]
pub(crate) struct Args {
    /// The expression, or - to read it from standard input
    expression: String,
    /// The CRD whose objects the expression is for. Without it, types are unknown
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    crd: Option<String>,
    /// The kind, if the file has several CRDs
    #[arg(long, value_name = "NAME", requires = "crd")]
    kind: Option<String>,
    /// The version in the CRD [default: the first one]
    #[arg(long, visible_alias = "api-version", value_name = "NAME", requires = "crd")]
    version: Option<String>,
    /// The path of `self` in the object, such as .spec or .spec.items[0]
    #[arg(long, default_value = "", value_name = "PATH")]
    path: String,
    /// Evaluate the expression for this object, after defaulting and pruning as the server does
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
        Some(kube) => Kube { minor: u16::try_from(super::kube(kube)?).unwrap_or(u16::MAX) },
        None => Kube::CURRENT,
    };
    let crd = args.crd.as_deref().map(|file| definition(file, args.kind.as_deref())).transpose()?;
    let schema = crd.as_ref().map(|crd| schema(crd, args.version.as_deref())).transpose()?;
    let object = |name: &Option<String>| name.as_deref().map(|name| object(name, schema)).transpose();
    let (this, old) = (object(&args.object)?, object(&args.old)?);
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
    match inputs::find(&[name.to_owned()], &["yaml", "yml", "json"])?.as_slice() {
        [input] => input.read(),
        inputs => Err(Error::Argument(format!("{name}: expected one file, found {}", inputs.len()))),
    }
}

/// The definition in a file: the only one, or that of the kind.
fn definition(name: &str, kind: Option<&str>) -> Result<Crd, Error> {
    let source = one(name)?;
    let (mut found, mut kinds): (Vec<Crd>, Vec<String>) = (Vec::new(), Vec::new());
    let mut groups: Vec<String> = Vec::new();
    let read = |group: Group| {
        let mut read = group.read();
        definitions::expect_accepted(&mut read, &source, true)?;
        Ok(read.definitions)
    };
    stream::groups(&source, read, |some| {
        for crd in some.into_iter().map(|definition| definition.crd) {
            kinds.push(crd.spec.names.kind.clone());
            if kind.is_none_or(|kind| crd.spec.names.kind == kind) {
                groups.push(crd.spec.group.clone());
                // Of several none is taken.
                if found.len() < 2 {
                    found.push(crd);
                }
            }
        }
        Ok(())
    })?;
    let kinds = kinds.join(", ");
    match (found.as_mut_slice(), kind) {
        ([crd], _) => {
            crd.drop_unions();
            Ok(found.remove(0))
        }
        ([], _) if kinds.is_empty() => {
            Err(Error::Nothing(format!("{name}: there is no CustomResourceDefinition in it")))
        }
        ([], Some(kind)) => {
            Err(Error::Nothing(format!("{name}: no CRD for a kind {kind}; there are {kinds}")))
        }
        (_, None) => {
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
            Error::Nothing(format!("there is no version {name}; there are {}", known.join(", ")))
        })?,
    };
    crd.spec.schema_of(index).ok_or_else(|| Error::Nothing("this version has no schema".to_owned()))
}

/// An object as its rules see it.
fn object(name: &str, schema: Option<&Schema>) -> Result<Value, Error> {
    let source = one(name)?;
    let document = yaml::read_one(&source.bytes);
    let unreadable = |problem: Box<yaml::Problem>| Error::NoDefinitions {
        name: source.name.clone(),
        why: Unreadable::Document(Box::new(problem.in_text(&source.bytes))),
    };
    let mut value = document.map_err(unreadable)?.value;
    if let Some(schema) = schema {
        let served = with_pruned_defaults(schema).map_err(|why| Error::Argument(why.to_string()))?;
        prune(&mut value, Some(&served), true);
        set_defaults(&mut value, Some(&served));
    }
    Ok(value)
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
        Format::Sarif | Format::Github => report::show(format, &[findings], &counts, "expression"),
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
        out.push_str(&format!("\n       most of it, {}, for `{part}`", advice.part_cost));
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
