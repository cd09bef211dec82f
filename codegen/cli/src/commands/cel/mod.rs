//! `crdgen cel`: the type, cost and value of an expression, and why it has this value.

mod objects;
mod rules;
mod shown;

use std::collections::BTreeMap;
use std::sync::Arc;

use crdgen_core::cel::Kube;
use crdgen_core::documents::{Finding, of_expression};
use crdgen_core::ir::{Crd, Schema};
use crdgen_core::object::Seen;
use crdgen_core::rules::run::{Answer, Explain, Prepared, Purpose, Question, Run, Unanswered, ask};
use crdgen_core::value::Value;

use crate::arguments::selection;
use crate::arguments::values;
use crate::input::definitions::{self, Group};
use crate::input::{self, Options, Rules, Source, stream};
use crate::outcome::Outcome;
use crate::outcome::no_definition;
use crate::outcome::no_such_kind;
use crate::output::report::Format;
use crdgen::__cli::files;
use crdgen::Error;
use objects::Object;

/// Evaluate a CEL expression or a rule of a CRD: show its type and cost, its value for objects, and why it is false
///
/// The exit code is 1 if the expression is false for an object, and 2 if it cannot be compiled or evaluated.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen cel 'self.replicas <= 10' --crd crd.yaml --path .spec
  crdgen cel 'self.spec.size() > 2' --object object.yaml
  crdgen cel 'self.replicas <= 10' --crd crds --kind CronTab --path .spec --object objects/
  crdgen cel --crd crd.yaml --list                                      list the rules of a CRD
  crdgen cel --crd crd.yaml --rule spec.replicas --object object.yaml   run one of them, and explain the result")]
pub(crate) struct Args {
    /// The expression, or - to read it from standard input
    #[arg(required_unless_present_any = ["rule", "list"])]
    expression: Option<String>,
    /// Run a rule of the CRD, on all values that it is for. The address is the field, as in spec.items[].name, with #N if the
    /// field has several rules; or the place in the CRD, as `crdgen check` prints it. --list prints the addresses
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["expression", "path"])]
    rule: Option<String>,
    /// List the rules of the CRD with their addresses, and evaluate nothing
    #[arg(long, conflicts_with_all = ["expression", "path", "rule", "object", "old", "explain"])]
    list: bool,
    /// The CRD whose objects the expression is for: a file or folder. Without it, `self` is the --object, and types are
    /// unknown
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    crd: Option<String>,
    #[command(flatten)]
    from: selection::Crds,
    /// The kind, if there are several CRDs [default: that of the --object]. Accepts plural, singular and short names
    #[arg(long, value_name = "NAME")]
    kind: Option<String>,
    /// The version in the CRD [default: that of the --object, or the first one]
    #[arg(long, visible_alias = "api-version", value_name = "NAME")]
    version: Option<String>,
    /// The path of `self` in the object, such as .spec or .spec.items[0]. [] means each item of a list, and .* each value of
    /// a map
    #[arg(long, default_value = "", value_name = "PATH")]
    path: String,
    /// Evaluate the expression for the objects of a file, a folder or standard input (-), after defaulting and pruning as the
    /// server does. With a CRD, only for objects of its kind. May be repeated
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    object: Vec<String>,
    /// The objects before the update, for `oldSelf`. They belong to the objects with the same names
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath, requires = "object")]
    old: Vec<String>,
    /// Explain each result, not only those that are false or an error
    #[arg(long, requires = "object")]
    explain: bool,
    /// The Kubernetes version whose CEL libraries to use
    #[arg(long, value_name = "1.NN", value_parser = values::KUBE, hide_possible_values = true)]
    kube: Option<String>,
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
}

/// An expression with its results.
struct Asked {
    /// The text of the expression.
    source: Source,
    /// The address of the rule, if it is a rule of the CRD.
    address: Option<String>,
    /// The version of the objects, if there are several.
    version: Option<String>,
    asked: Result<Answer, Unanswered>,
    /// Whether the types of values are known.
    typed: bool,
    /// The objects of the runs, by their numbers.
    of_runs: Vec<usize>,
    /// The objects that have no value for the expression.
    without_value: Vec<usize>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let options = args.from.options()?;
    let rules = &options.rules;
    let places = |places: &[String]| match places {
        [] => Ok(None),
        places => objects::of(places, &Options::objects(rules)).map(Some),
    };
    let (all, old) = (places(&args.object)?, places(&args.old)?);
    let place = if args.from.cluster { Some("<cluster>") } else { args.crd.as_deref() };
    let crd = place.map(|place| definition(place, &options, args.kind.as_deref(), all.as_deref()));
    let crd = crd.transpose()?;
    if let Some(option) = args.needs_crd().filter(|_| crd.is_none()) {
        return Err(Error::Argument(format!("{option} needs a CRD: pass it with --crd")));
    }
    if let Some(crd) = crd.as_ref().filter(|_| args.list) {
        let index = version_index(crd, args.version.as_deref())?;
        rules::list(&rules::of(crd, index)?, args.output)?;
        return Ok(Outcome::Fine);
    }
    let all = all.map(|all| objects::own(all, &args.object, crd.as_ref())).transpose()?;
    let old = old.map(|old| objects::own(old, &args.old, crd.as_ref())).transpose()?;
    let all = all.unwrap_or_default();
    let wanted = args.rule.as_deref().and_then(|rule| rules::version(rule, crd.as_ref()?));
    let wanted = args.version.clone().or(wanted);
    let mut by_version: BTreeMap<Option<String>, Vec<usize>> = BTreeMap::new();
    for (number, object) in all.iter().enumerate() {
        let version = match (&crd, &wanted) {
            (None, _) => None,
            (Some(_), Some(wanted)) => Some(wanted.clone()),
            (Some(_), None) => Some(object.manifest.group_version().1.to_owned()),
        };
        by_version.entry(version).or_default().push(number);
    }
    if by_version.is_empty() {
        by_version.insert(wanted, Vec::new());
    }
    let asker = Asker { args, crd: crd.as_ref(), all: &all, old: old.as_deref() };
    let is_mixed = by_version.len() > 1;
    let mut asked = Vec::new();
    for (version, numbers) in by_version {
        let one = asker.ask(version.as_deref(), &numbers)?;
        asked.push(Asked { version: version.filter(|_| is_mixed), ..one });
    }
    shown::show(args.output, &asked, &all)?;
    Ok(outcome(&asked))
}

/// An error is worse than an expression that is false, because the expression may have a mistake.
fn outcome(asked: &[Asked]) -> Outcome {
    if asked.iter().any(|asked| !asked.errors().is_empty()) {
        return Outcome::Errors;
    }
    let mut runs = asked.iter().flat_map(Asked::runs);
    if runs.any(|(_, run)| run.is_false()) { Outcome::Findings } else { Outcome::Fine }
}

impl Args {
    /// An option that has no meaning without a CRD.
    fn needs_crd(&self) -> Option<&'static str> {
        let options = [
            ("--rule", self.rule.is_some()),
            ("--list", self.list),
            ("--kind", self.kind.is_some()),
            ("--version", self.version.is_some()),
        ];
        options.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }
}

impl Asked {
    /// The results with the numbers of their objects.
    fn runs(&self) -> impl Iterator<Item = (Option<usize>, &Run)> {
        let runs = self.asked.iter().flat_map(|answer| &answer.runs);
        runs.enumerate().map(|(i, run)| (self.of_runs.get(i).copied(), run))
    }

    /// The errors about the expression.
    fn errors(&self) -> Vec<Finding> {
        of_expression(&self.source.bytes, &self.asked, self.typed)
    }
}

/// Everything that an expression is evaluated with.
struct Asker<'a> {
    args: &'a Args,
    crd: Option<&'a Crd>,
    all: &'a [Object],
    old: Option<&'a [Object]>,
}

impl Asker<'_> {
    /// Evaluates the expression, or the rule of a version, for some objects.
    fn ask(&self, version: Option<&str>, numbers: &[usize]) -> Result<Asked, Error> {
        let Asker { args, crd, all, old } = *self;
        let index = crd.map(|crd| version_index(crd, version)).transpose()?;
        let schema = match (crd, index) {
            (Some(crd), Some(index)) => Some(schema(crd, index)?),
            _ => None,
        };
        let rule = match (&args.rule, crd, index) {
            (Some(wanted), Some(crd), Some(index)) => Some(rules::one(&rules::of(crd, index)?, wanted)?),
            _ => None,
        };
        let source = match (&rule, &args.expression) {
            (Some(rule), _) => {
                Source::new("<rule>".to_owned(), Arc::new(rule.rule.rule.clone().into_bytes()))
            }
            (None, text) => expression(text.as_deref().unwrap_or_default())?,
        };
        let text = String::from_utf8(source.bytes.to_vec())
            .map_err(|_| Error::file(&source.name)(files::not_utf8()))?;
        let kube = match &args.kube {
            Some(kube) => Kube::of(u16::try_from(values::kube(kube)?).unwrap_or(u16::MAX)),
            None => Kube::CURRENT,
        };
        let seen = schema.map(Seen::new).transpose();
        let seen = seen.map_err(|why| Error::Argument(why.to_string()))?;
        let values: Vec<Value> = numbers.iter().map(|n| all[*n].seen(seen.as_ref())).collect();
        let olds: Vec<Option<Value>> =
            numbers.iter().map(|n| Some(objects::old_of(old?, &all[*n])?.seen(seen.as_ref()))).collect();
        let question = Question {
            expression: &text,
            schema,
            path: rule.as_ref().map_or(&args.path, |rule| &rule.path),
            object: values.first(),
            old: None,
            kube: kube.for_new(),
            purpose: match &rule {
                Some(rule) => Purpose::Rule { optional_old_self: rule.rule.optional_old_self == Some(true) },
                None => Purpose::Any,
            },
            explain: if args.explain { Explain::Everything } else { Explain::Failures },
        };
        let address = rule.as_ref().map(ToString::to_string);
        let typed = schema.is_some();
        let mut out = Asked {
            source,
            address,
            version: None,
            typed,
            asked: Err(Unanswered::Expression(Vec::new())),
            of_runs: Vec::new(),
            without_value: Vec::new(),
        };
        // With one object at most, a path without a value is a mistake.
        if let ([] | [_], None) = (numbers, &rule) {
            let question = Question { old: olds.first().and_then(Option::as_ref), ..question };
            out.asked = ask(&question);
            let count = out.asked.as_ref().map_or(0, |answer| answer.runs.len());
            out.of_runs = numbers.repeat(count);
            if let Err(Unanswered::Question(why)) = out.asked {
                return Err(Error::Argument(why));
            }
            if count == 0 {
                out.without_value = numbers.to_vec();
            }
            return Ok(out);
        }
        let prepared = match Prepared::new(&question) {
            Err(Unanswered::Question(why)) => return Err(Error::Argument(why)),
            Err(why) => return Ok(Asked { asked: Err(why), ..out }),
            Ok(prepared) => prepared,
        };
        let mut answer = prepared.answer().clone();
        for ((number, value), old) in numbers.iter().zip(&values).zip(&olds) {
            let runs = prepared.run(value, old.as_ref());
            if runs.is_empty() {
                out.without_value.push(*number);
            }
            out.of_runs.extend(runs.iter().map(|_| *number));
            answer.runs.extend(runs);
        }
        Ok(Asked { asked: Ok(answer), ..out })
    }
}

fn expression(text: &str) -> Result<Source, Error> {
    if text != "-" {
        return Ok(Source::new("<expression>".to_owned(), Arc::new(text.as_bytes().to_vec())));
    }
    let mut source = one(text)?;
    source.bytes = Arc::new(source.bytes.trim_ascii_end().to_vec());
    Ok(source)
}

fn one(name: &str) -> Result<Source, Error> {
    match &*input::find(&[name.to_owned()], &Options::anything(&Rules::default().with_notes(input::NOTES)))? {
        [input] => input.read(),
        inputs => Err(Error::Argument(format!("{name}: expected one file, found {}", inputs.len()))),
    }
}

/// Finds a CRD in a file or folder: the only one, the one of the kind, or the one of an object.
fn definition(
    name: &str,
    options: &Options,
    kind: Option<&str>,
    objects: Option<&[Object]>,
) -> Result<Crd, Error> {
    let (mut found, mut kinds): (Vec<Crd>, Vec<String>) = (Vec::new(), Vec::new());
    let mut groups: Vec<String> = Vec::new();
    // The only place besides a cluster.
    let place = options.cluster.is_none().then(|| name.to_owned());
    let inputs = input::find(place.as_slice(), options)?;
    for input in inputs.iter() {
        let Some(source) = inputs.read(input)? else { continue };
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
        _ if kinds.is_empty() => Err(no_definition(&[name.to_owned()])),
        ([], Some(kind)) if groups.is_empty() => Err(no_such_kind(kind, name, &kinds)),
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

/// The index of a version: that with a name, or the first one.
fn version_index(crd: &Crd, version: Option<&str>) -> Result<usize, Error> {
    let versions = &crd.spec.versions;
    let Some(name) = version else { return Ok(0) };
    versions.iter().position(|v| v.name == name).ok_or_else(|| {
        let known: Vec<&str> = versions.iter().map(|v| v.name.as_str()).collect();
        Error::Nothing(format!("the CRD has no version {name}; it has {}", known.join(", ")))
    })
}

fn schema(crd: &Crd, index: usize) -> Result<&Schema, Error> {
    crd.spec.schema_of(index).ok_or_else(|| Error::Nothing("this version has no schema".to_owned()))
}
