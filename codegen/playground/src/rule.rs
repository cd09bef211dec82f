//! One expression: its type, its cost, and its value for the first object.

use crdgen_core::cel::Kube;
use crdgen_core::documents::{Finding, of_expression};
use crdgen_core::ir::Crd;
use crdgen_core::rules::RULE_LIMIT;
use crdgen_core::rules::run::{Explain, Purpose, Question, ask as ask_core};
use crdgen_core::value::{Map, Value};

use crate::definitions::Definitions;
use crate::objects::Objects;
use crate::request::Request;

#[derive(Default)]
pub(crate) struct Answered {
    pub(crate) answer: Value,
    pub(crate) findings: Vec<Finding>,
}

pub(crate) fn ask(request: &Request, definitions: &Definitions, objects: &Objects) -> Answered {
    if request.rule.trim().is_empty() {
        return Answered::default();
    }
    let object = objects.stored.first();
    let crd = object.and_then(|object| of_object(&object.result, definitions));
    let crd = crd.or_else(|| definitions.kinds.first().map(|kind| kind.crd()));
    let kube = Kube::of(u16::try_from(request.kube).unwrap_or(u16::MAX));
    let question = Question {
        expression: &request.rule,
        schema: crd.and_then(|crd| crd.spec.schema_of(index(crd, object.map(|it| &it.result)))),
        path: &request.path,
        object: object.map(|object| &object.result),
        old: None,
        kube: kube.for_new(),
        purpose: Purpose::Any,
        explain: Explain::Nothing,
    };
    let asked = ask_core(&question);
    let findings = of_expression(request.rule.as_bytes(), &asked, question.schema.is_some());
    let Ok(answer) = asked else { return Answered { answer: Value::Null, findings } };
    let mut out: Map<Value> = Map::from_iter([
        ("type", Value::from(answer.ty.as_str())),
        ("cost", Value::from(cost(answer.total()).as_str())),
        ("limit", Value::from(RULE_LIMIT.to_string().as_str())),
        ("times", Value::from(answer.advice.count.to_string().as_str())),
    ]);
    if let Some(run) = answer.runs.into_iter().next() {
        out.insert("spent", Value::from(run.cost.to_string().as_str()));
        if let Ok(value) = run.value {
            out.insert("value", Value::from(value.as_str()));
        }
    }
    Answered { answer: out.into(), findings }
}

/// Formats a cost. The largest number means that there is no limit.
fn cost(cost: u64) -> String {
    if cost == u64::MAX { "without bound".to_owned() } else { cost.to_string() }
}

fn of_object<'d>(object: &Value, definitions: &'d Definitions) -> Option<&'d Crd> {
    let group = object.text("apiVersion").split_once('/').map_or("", |(group, _)| group);
    definitions.kind(group, object.text("kind")).map(|kind| kind.crd())
}

/// Returns the index of an object's version, or that of the first version.
fn index(crd: &Crd, object: Option<&Value>) -> usize {
    let version =
        object.and_then(|it| it.text("apiVersion").split_once('/')).map_or("", |(_, version)| version);
    crd.spec.versions.iter().position(|v| v.name == version).unwrap_or_default()
}
