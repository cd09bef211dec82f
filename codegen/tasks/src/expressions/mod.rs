//! The type, cost and value of an expression or of a rule, for the objects of files: what `crdgen cel` evaluates.
//!
//! [`Expressions::read`] finds the CRD and the objects, [`Expressions::ask`] evaluates.
//!
//! **Unstable**: any release may change what is in this module.

mod definition;
mod objects;
mod rules;

use std::collections::BTreeMap;
use std::sync::Arc;

use crdgen_core::cel::Kube;
use crdgen_core::documents::{Finding, of_expression};
use crdgen_core::ir::Crd;
use crdgen_core::object::Seen;
use crdgen_core::rules::run::{
    Addressed, Answer, Explain, Prepared, Purpose, Question, Run, Unanswered, ask,
};
use crdgen_core::value::Value;

use crate::inputs::{self, Options, Rules, Source};
use crdgen_files::Error;
use definition::{schema, version_index};
pub use objects::ExpressionObject;

/// What to evaluate.
#[derive(Clone)]
pub struct ExpressionOptions {
    /// The expression, or `-` to read it from standard input.
    pub expression: Option<String>,
    /// The address of a rule of the CRD, instead of an expression.
    pub rule: Option<String>,
    /// The version in the CRD. By default that of each object, or the first one.
    pub version: Option<String>,
    /// The path of `self` in the objects.
    pub path: String,
    /// Whether each result is explained, and not only those that are false or an error.
    pub explains_all: bool,
    /// The version of Kubernetes whose libraries are used.
    pub kube: Kube,
    /// Where notes for the user go.
    pub rules: Rules,
}

/// Where the CRD and the objects are.
#[derive(Clone, Copy)]
pub struct ExpressionPlaces<'p> {
    /// The CRD: a file or folder. Without it, types are unknown.
    pub crd: Option<&'p str>,
    /// How CRDs are read, and the cluster to ask instead of files.
    pub options: &'p Options,
    /// The kind, if there are several CRDs.
    pub kind: Option<&'p str>,
    /// The objects.
    pub objects: &'p [String],
    /// The objects before the update.
    pub old: &'p [String],
}

/// A CRD and objects, for which expressions are evaluated.
pub struct Expressions {
    crd: Option<Crd>,
    all: Option<Vec<ExpressionObject>>,
    old: Option<Vec<ExpressionObject>>,
}

impl Expressions {
    /// Reads the CRD and the objects.
    ///
    /// # Errors
    /// Fails if there is no CRD at its place, or several of which none is chosen.
    pub fn read(places: &ExpressionPlaces<'_>) -> Result<Expressions, Error> {
        let ExpressionPlaces { crd, options, kind, objects, old } = *places;
        let read = |places: &[String]| match places {
            [] => Ok(None),
            places => objects::of(places, &Options::objects(&options.rules)).map(Some),
        };
        let (all, old) = (read(objects)?, read(old)?);
        let place = if options.cluster.is_some() { Some("<cluster>") } else { crd };
        let crd = place.map(|place| definition::definition(place, options, kind, all.as_deref()));
        Ok(Expressions { crd: crd.transpose()?, all, old })
    }

    /// Whether there is a CRD.
    pub fn has_crd(&self) -> bool {
        self.crd.is_some()
    }

    /// The objects. Before [`Expressions::keep_own`], they may be of any kind.
    pub fn objects(&self) -> &[ExpressionObject] {
        self.all.as_deref().unwrap_or_default()
    }

    /// The rules of a version of the CRD, or of the first one.
    pub fn rules(&self, version: Option<&str>) -> Result<Vec<Addressed>, Error> {
        let Some(crd) = &self.crd else { return Ok(Vec::new()) };
        rules::of(crd, version_index(crd, version)?)
    }

    /// Keeps the objects of the CRD.
    ///
    /// # Errors
    /// Fails if there are none in the files that the places name.
    pub fn keep_own(self, places: &ExpressionPlaces<'_>) -> Result<Expressions, Error> {
        let Expressions { crd, all, old } = self;
        let own = |all, places| objects::own(all, places, crd.as_ref());
        let all = all.map(|all| own(all, places.objects)).transpose()?;
        let old = old.map(|old| own(old, places.old)).transpose()?;
        Ok(Expressions { crd, all, old })
    }

    /// Evaluates the expression for all objects, version by version.
    pub fn ask(&self, wanted: &ExpressionOptions) -> Result<Vec<Asked>, Error> {
        let Expressions { crd, old, .. } = self;
        let (crd, all) = (crd.as_ref(), self.objects());
        let of_rule = wanted.rule.as_deref().and_then(|rule| rules::version(rule, crd?));
        let version = wanted.version.clone().or(of_rule);
        let mut by_version: BTreeMap<Option<String>, Vec<usize>> = BTreeMap::new();
        for (number, object) in all.iter().enumerate() {
            let version = match (crd, &version) {
                (None, _) => None,
                (Some(_), Some(version)) => Some(version.clone()),
                (Some(_), None) => Some(object.manifest.group_version().1.to_owned()),
            };
            by_version.entry(version).or_default().push(number);
        }
        if by_version.is_empty() {
            by_version.insert(version, Vec::new());
        }
        let asker = Asker { wanted, crd, all, old: old.as_deref() };
        let is_mixed = by_version.len() > 1;
        let one = |(version, numbers): (Option<String>, Vec<usize>)| {
            let one = asker.ask(version.as_deref(), &numbers)?;
            Ok(Asked { version: version.filter(|_| is_mixed), ..one })
        };
        by_version.into_iter().map(one).collect()
    }
}

/// An expression with its results.
pub struct Asked {
    /// The text of the expression.
    pub source: Source,
    /// The address of the rule, if it is a rule of the CRD.
    pub address: Option<String>,
    /// The version of the objects, if there are several.
    pub version: Option<String>,
    /// The answer.
    pub asked: Result<Answer, Unanswered>,
    /// Whether the types of values are known.
    typed: bool,
    /// The objects of the runs, by their numbers.
    of_runs: Vec<usize>,
    /// The objects that have no value for the expression.
    pub without_value: Vec<usize>,
}

impl Asked {
    /// The results with the numbers of their objects.
    pub fn runs(&self) -> impl Iterator<Item = (Option<usize>, &Run)> {
        let runs = self.asked.iter().flat_map(|answer| &answer.runs);
        runs.enumerate().map(|(i, run)| (self.of_runs.get(i).copied(), run))
    }

    /// The errors about the expression.
    pub fn errors(&self) -> Vec<Finding> {
        of_expression(&self.source.bytes, &self.asked, self.typed)
    }
}

/// Everything that an expression is evaluated with.
struct Asker<'a> {
    wanted: &'a ExpressionOptions,
    crd: Option<&'a Crd>,
    all: &'a [ExpressionObject],
    old: Option<&'a [ExpressionObject]>,
}

impl Asker<'_> {
    /// Evaluates the expression, or the rule of a version, for some objects.
    fn ask(&self, version: Option<&str>, numbers: &[usize]) -> Result<Asked, Error> {
        let Asker { wanted, crd, all, old } = *self;
        let index = crd.map(|crd| version_index(crd, version)).transpose()?;
        let schema = match (crd, index) {
            (Some(crd), Some(index)) => Some(schema(crd, index)?),
            _ => None,
        };
        let rule = match (&wanted.rule, crd, index) {
            (Some(rule), Some(crd), Some(index)) => Some(rules::one(&rules::of(crd, index)?, rule)?),
            _ => None,
        };
        let source = match (&rule, &wanted.expression) {
            (Some(rule), _) => {
                Source::new("<rule>".to_owned(), Arc::new(rule.rule.rule.clone().into_bytes()))
            }
            (None, text) => expression(text.as_deref().unwrap_or_default(), &wanted.rules)?,
        };
        let text = String::from_utf8(source.bytes.to_vec())
            .map_err(|_| Error::file(&source.name)(crdgen_files::input::not_utf8()))?;
        let seen = schema.map(Seen::new).transpose();
        let seen = seen.map_err(|why| Error::Argument(why.to_string()))?;
        let values: Vec<Value> = numbers.iter().map(|n| all[*n].seen(seen.as_ref())).collect();
        let olds: Vec<Option<Value>> =
            numbers.iter().map(|n| Some(objects::old_of(old?, &all[*n])?.seen(seen.as_ref()))).collect();
        let question = Question {
            expression: &text,
            schema,
            path: rule.as_ref().map_or(&wanted.path, |rule| &rule.path),
            object: values.first(),
            old: None,
            kube: wanted.kube.for_new(),
            purpose: match &rule {
                Some(rule) => Purpose::Rule { optional_old_self: rule.rule.optional_old_self == Some(true) },
                None => Purpose::Any,
            },
            explain: if wanted.explains_all { Explain::Everything } else { Explain::Failures },
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

fn expression(text: &str, rules: &Rules) -> Result<Source, Error> {
    if text != "-" {
        return Ok(Source::new("<expression>".to_owned(), Arc::new(text.as_bytes().to_vec())));
    }
    let mut source = one(text, rules)?;
    source.bytes = Arc::new(source.bytes.trim_ascii_end().to_vec());
    Ok(source)
}

fn one(name: &str, rules: &Rules) -> Result<Source, Error> {
    match &*inputs::find(&[name.to_owned()], &Options::anything(rules))? {
        [input] => input.read(),
        inputs => Err(Error::Argument(format!("{name}: expected one file, found {}", inputs.len()))),
    }
}
