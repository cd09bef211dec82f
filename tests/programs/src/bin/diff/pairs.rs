//! Compares the reports of another checker of updates with ours, and with what the server's own code answers.

use std::collections::BTreeMap;
use std::fs;
use std::io;

use crdgen_core::check::{self, Options};
use crdgen_core::compare::changes::Class;
use crdgen_core::decode;
use crdgen_core::ir::Crd;
use crdgen_core::json::to_string;
use crdgen_core::value::Value;
use crdgen_diff::Report;
use crdgen_tests::json::parse;
use crdgen_tests::oracle::Program;
use crdgen_tests::{oracle, witness};

use crate::search::{self, Effort};

/// What is known about an update, and who knew it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Right {
    /// Both report it, and the server's code confirms it.
    BothReport,
    /// Both report nothing, and no object was found that breaks.
    BothSilent,
    /// Only we report it, and the server's code confirms it.
    OursReports,
    /// Only we report it. It is about a definition, such as the value of a default, and not about rejected objects.
    OursNotes,
    /// Only the other one reports it, and no object was found that breaks.
    OursSilent,
    /// The server's code rejects one of the CRDs, so there is no update.
    NoUpdate,
    /// The server's code rejects the update, and we say so.
    Refused,
    /// We are wrong: a witness that is none, or a change that breaks and that we do not report.
    Theirs,
}

impl Right {
    fn name(self) -> &'static str {
        match self {
            Right::BothReport => "both report it",
            Right::BothSilent => "both report nothing",
            Right::OursReports => "only crdgen reports it, and the server agrees",
            Right::OursNotes => "only crdgen reports it; no object is rejected",
            Right::OursSilent => "only the other one reports it; the server rejects no object",
            Right::NoUpdate => "the server rejects one of the CRDs by itself",
            Right::Refused => "the server rejects the update, as crdgen says",
            Right::Theirs => "**crdgen is wrong**",
        }
    }
}

/// Judges all pairs of a file: a JSON object in each line. Returns whether we are never wrong.
pub(crate) fn run(file: &str, budget: usize, objects: usize) -> io::Result<bool> {
    let oracle = oracle::oracle().map_err(io::Error::other)?;
    let mut rows: BTreeMap<Right, Vec<String>> = BTreeMap::new();
    for line in fs::read_to_string(file)?.lines() {
        let pair = parse(line).map_err(|e| io::Error::other(format!("{file}: {e:?}")))?;
        let text = |key: &str| pair.get(key).and_then(Value::as_str).unwrap_or_default();
        let theirs: Vec<&str> = pair
            .get("reported")
            .and_then(Value::as_list)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let (right, ours) = judge(&oracle, text("old"), text("new"), !theirs.is_empty(), budget, objects)?;
        let theirs = match text("failed") {
            "" if theirs.is_empty() => "nothing".to_owned(),
            "" => cell(&theirs.join("; ")),
            why => format!("fails: {}", cell(why)),
        };
        rows.entry(right).or_default().push(format!(
            "| {} | {theirs} | {} | {} |",
            cell(text("name")),
            cell(&ours),
            right.name()
        ));
    }
    println!("| | updates |\n| --- | --- |");
    for (right, rows) in &rows {
        println!("| {} | {} |", right.name(), rows.len());
    }
    println!("\n| test | it reports | crdgen reports | who is right |\n| --- | --- | --- | --- |");
    for row in rows.iter().rev().flat_map(|(_, rows)| rows) {
        println!("{row}");
    }
    println!();
    Ok(!rows.contains_key(&Right::Theirs))
}

fn cell(text: &str) -> String {
    let one: String = text.chars().take(160).collect();
    one.replace('|', "\\|").replace('\n', " ")
}

fn judge(
    oracle: &Program,
    old: &str,
    new: &str,
    do_they_report: bool,
    budget: usize,
    objects: usize,
) -> io::Result<(Right, String)> {
    let read = |text: &str| parse(text).ok().and_then(|value| decode::crd(value).0);
    let (Some(before), Some(after)) = (read(old), read(new)) else {
        return Ok((Right::NoUpdate, "not a CRD".to_owned()));
    };
    let report = crdgen_diff::diff(
        &before,
        &after,
        &crdgen_diff::Options { budget, ..crdgen_diff::Options::default() },
    );
    let verdict = report.verdict();
    let mut requests = vec![of_crd(old, ""), of_crd(new, ""), of_crd(new, &established(old))];
    requests.extend(of_witnesses(&before, &after, &report));
    let answers = valid(oracle, &requests)?;
    let [old_is_valid, new_is_valid, update_is_valid, witnesses @ ..] = &answers[..] else {
        return Err(io::Error::other("the oracle does not answer"));
    };
    for (crd, is_valid) in [(&before, old_is_valid), (&after, new_is_valid)] {
        let errors = check::create(crd, &Options::default()).errors;
        match errors.first() {
            None if *is_valid => {}
            Some(error) if !is_valid => return Ok((Right::NoUpdate, error.text())),
            _ => {
                return Ok((
                    Right::Theirs,
                    format!("{} errors, and the server says {is_valid}", errors.len()),
                ));
            }
        }
    }
    let worst = report.findings.iter().min_by_key(|finding| finding.class);
    let ours = worst.map_or_else(
        || "nothing".to_owned(),
        |finding| format!("{}: {}", finding.class.name(), finding.message),
    );
    if (verdict == Class::Refused) == *update_is_valid {
        return Ok((Right::Theirs, format!("{ours} (the server disagrees about the update)")));
    }
    if verdict == Class::Refused {
        return Ok((Right::Refused, ours));
    }
    if !witnesses.chunks(2).all(|sides| sides == [true, false]) {
        return Ok((Right::Theirs, format!("{ours} (the witness is none)")));
    }
    let effort = Effort { objects, seed: 1, ..Effort::default() };
    if verdict > Class::OnEdit
        && let Some((_, object)) = search::counterexample(&before, &after, &effort, &mut 0)
        && verdict != Class::MayBreak
    {
        return Ok((Right::Theirs, format!("{ours} (but rejected: {})", to_string(&object))));
    }
    let is_proved = verdict <= Class::OnEdit;
    let do_we_report = verdict <= Class::Usage;
    let right = match (do_they_report, do_we_report) {
        (true, true) => Right::BothReport,
        (false, false) => Right::BothSilent,
        (false, true) if is_proved => Right::OursReports,
        (false, true) => Right::OursNotes,
        (true, false) => Right::OursSilent,
    };
    Ok((right, ours))
}

/// The request to create a CRD, or to update one.
fn of_crd(crd: &str, old: &str) -> String {
    let fields = [("op", "crd"), ("crd", crd), ("old", old)];
    to_string(&Value::Map(fields.into_iter().map(|(name, text)| (name, Value::from(text))).collect()))
}

/// A CRD as a cluster has it. The judge does not write what is judged, so this changes the text.
fn established(crd: &str) -> String {
    let mut crd = parse(crd).unwrap_or_default();
    if let Some(map) = crd.as_map_mut() {
        let mut status = map.get("status").and_then(Value::as_map).cloned().unwrap_or_default();
        let condition = [("type", "Established"), ("status", "True")];
        let condition = condition.into_iter().map(|(name, text)| (name, Value::from(text))).collect();
        status.insert("conditions", Value::List(vec![Value::Map(condition)]));
        map.insert("status", Value::Map(status));
    }
    to_string(&crd)
}

/// Two requests for each witness: with the old CRD, and with the new one.
fn of_witnesses(old: &Crd, new: &Crd, report: &Report) -> Vec<String> {
    let mut out = Vec::new();
    for finding in &report.findings {
        let (Some(witness), Some(version)) = (finding.proof.witness(), &finding.version) else { continue };
        out.extend(witness::requests(old, new, version, &witness.request).iter().map(to_string));
    }
    out
}

fn valid(oracle: &Program, requests: &[String]) -> io::Result<Vec<bool>> {
    let answers = oracle.ask(requests, 1)?;
    let is_valid = |answer: &String| {
        parse(answer).ok().and_then(|answer| answer.get("valid").and_then(Value::as_bool)) == Some(true)
    };
    Ok(answers.iter().map(is_valid).collect())
}
