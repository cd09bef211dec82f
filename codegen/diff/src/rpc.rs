//! The operation `diff` of `crdgen rpc`.

use std::sync::Arc;

use crdgen_core::documents::Group;
use crdgen_core::ir::Crd;
use crdgen_core::rpc::{self, Above, BadRequest, Other};
use crdgen_core::value::{Map, Value};

use crate::{Finding, Options, Report, Unstable, diff_all, reported};

/// Answers a request: `diff`, or one of the operations of `crdgen_core::rpc`.
pub fn handle(line: &str) -> String {
    handle_with(line, &[])
}

/// Answers a request like [`handle`], with the operations of other crates.
pub fn handle_with(line: &str, others: &[Other]) -> String {
    let changes = |old: &Crd, new: &Crd| reported(old, new, &Options::default(), Unstable::default());
    let diff = Other { name: "diff", needs: &["old", "new"], answer };
    rpc::handle_with(line, Above { operations: &[&[diff], others].concat(), changes: &changes })
}

fn answer(request: &Value) -> Result<Map<Value>, BadRequest> {
    let text = |key: &str| match request.get(key) {
        Some(Value::Str(text)) => Ok(text.as_str()),
        None | Some(Value::Null) => Ok(""),
        Some(_) => Err(BadRequest(format!("{key} must be a string"))),
    };
    let mut options = Options::default();
    match request.get("budget") {
        None | Some(Value::Null) => {}
        Some(Value::Int(budget)) if *budget >= 0 => {
            options.budget = usize::try_from(*budget).unwrap_or(usize::MAX).min(MOST);
        }
        Some(_) => return Err(BadRequest("budget must be a number of objects".to_owned())),
    }
    let (old, new) = (read("old", text("old")?)?, read("new", text("new")?)?);
    Ok(fields(&diff_all(&old, &new, &options)))
}

/// The largest budget.
const MOST: usize = 1_000_000;

fn read(name: &str, text: &str) -> Result<Vec<Crd>, BadRequest> {
    let read = Group::of(&Arc::new(text.as_bytes().to_vec())).read();
    match read.rejected() {
        Some(finding) => Err(BadRequest(format!("{name}: {}", finding.diag.text()))),
        None => Ok(read.take().map(|(crd, ..)| crd).collect()),
    }
}

fn fields(report: &Report) -> Map<Value> {
    let findings = report.findings.iter().map(|finding| finding.to_value());
    [("verdict", Value::from(report.verdict().name())), ("findings", Value::List(findings.collect()))]
        .into_iter()
        .collect()
}

impl Finding {
    /// Returns the finding as JSON.
    pub fn to_value(&self) -> Value {
        let Finding {
            class,
            code,
            crd,
            version,
            stored,
            part: _,
            path,
            steps: _,
            field,
            message,
            help,
            was,
            now,
            proof,
            fingerprint,
            in_versions: _,
            is_of_unstable: _,
        } = self;
        let optional = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::from);
        let mut out: Map<Value> = [
            ("class", Value::from(class.name())),
            ("code", code.map_or(Value::Null, |code| code.id.into())),
            ("crd", crd.as_str().into()),
            ("version", optional(version)),
            ("stored", optional(stored)),
            ("path", path.as_str().into()),
            ("field", optional(field)),
            ("message", message.as_str().into()),
            ("help", help.as_str().into()),
            ("old", optional(was)),
            ("new", optional(now)),
            ("fingerprint", fingerprint.as_str().into()),
        ]
        .into_iter()
        .collect();
        proof.write(&mut out);
        Value::Map(out)
    }
}
