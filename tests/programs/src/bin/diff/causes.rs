//! Judges whether witnesses are rejected because of their own change: the server's own code answers what it says if only this
//! change is taken back.

use std::io;

use crdgen_core::compare::changes::{Change, between};
use crdgen_core::ir::Crd;
use crdgen_core::value::Value;
use crdgen_diff::Finding;
use crdgen_tests::json::parse;
use crdgen_tests::{oracle, witness};

/// The request of a witness to a server with the new CRD without the change of a finding. `None` if there is no such CRD.
pub(crate) fn without(old: &Crd, new: &Crd, finding: &Finding) -> Option<Value> {
    let witness = finding.proof.witness()?;
    let version = finding.version.as_deref()?;
    let is_it = |change: &Change| {
        change.version == finding.version
            && change.stored == finding.stored
            && change.field == finding.path
            && change.text() == finding.message
    };
    let change = between(old, new).into_iter().find(is_it)?;
    let schema = |crd: &Crd, name: &str| {
        let at = crd.spec.versions.iter().position(|it| it.name == name)?;
        crd.spec.schema_of(at).cloned()
    };
    let before = schema(old, finding.stored.as_deref().unwrap_or(version))?;
    let back = change.taken_back(&before, &schema(new, version)?)?;
    let mut crd = new.clone();
    let own = crd.spec.versions.iter_mut().find(|it| it.name == version)?;
    own.body.schema.as_mut()?.open_api_v3_schema = Some(back);
    let [_, request] = witness::requests(old, &crd, version, &witness.request);
    Some(request)
}

/// Asks the server's own code. The first error of each witness must not be among its errors.
pub(crate) fn judge(requests: &[String], causes: &[(String, String)], jobs: usize) -> io::Result<bool> {
    let oracle = oracle::oracle().map_err(io::Error::other)?;
    let answers = oracle.ask(requests, jobs)?;
    let (mut alone, mut wrong) = (0, 0);
    let is_first = |error: &Value, words: &String| error.get("text").and_then(Value::as_str) == Some(words);
    for ((answer, (name, words)), request) in answers.iter().zip(causes).zip(requests) {
        let answer = parse(answer).ok();
        let get = |name: &str| answer.as_ref().and_then(|answer| answer.get(name));
        let is_valid = get("valid").and_then(Value::as_bool) == Some(true);
        alone += usize::from(is_valid);
        let errors = get("errors").and_then(Value::as_list).unwrap_or_default();
        if !is_valid && (errors.is_empty() || errors.iter().any(|error| is_first(error, words))) {
            wrong += 1;
            println!("{name}: without its own change, the server's code answers {answer:?}, to {request}");
        }
    }
    println!(
        "own changes: {} witnesses, {alone} accepted without their change, {} rejected because of others, too, {wrong} not of their change",
        requests.len(),
        requests.len() - alone
    );
    Ok(wrong == 0)
}
