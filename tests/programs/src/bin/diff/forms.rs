//! Judges `crdgen diff` where a node of a schema becomes each other form of it: all values of a list are tried at the node.

use std::collections::BTreeMap;
use std::io;

use crdgen_core::check::{self, Options};
use crdgen_core::compare::changes::Class;
use crdgen_core::decode;
use crdgen_core::ir::Crd;
use crdgen_core::json::to_string;
use crdgen_core::object::Served;
use crdgen_core::value::Value;
use crdgen_diff::Request;
use crdgen_programs::updates::forms::{self, Change, GROUPS};
use crdgen_tests::witness;

use crate::Args;
use crate::search::{Effect, effect};

/// What is counted for a group.
#[derive(Default)]
struct Counts {
    kinds: usize,
    updates: usize,
    refused: usize,
    breaking: usize,
    may_break: usize,
    harmless: usize,
    alarms: usize,
    missed: usize,
    objects: usize,
}

/// What the server's own code is asked, and whether it must accept that.
#[derive(Default)]
struct Questions {
    requests: Vec<String>,
    expected: Vec<(String, bool)>,
}

impl Questions {
    fn add(&mut self, name: &str, old: &Crd, new: &Crd, request: &Request) {
        let both = witness::requests(old, new, "v1", request);
        for (request, is_valid) in both.iter().zip([true, false]) {
            self.requests.push(to_string(request));
            self.expected.push((name.to_owned(), is_valid));
        }
    }
}

/// Judges all changes of all groups, or those whose name contains a text.
pub(crate) fn run(args: &Args, filter: &str) -> io::Result<bool> {
    let mut all: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut questions = Questions::default();
    let mut number = 0;
    for group in GROUPS {
        let counts = all.entry(group.name).or_default();
        counts.kinds = group.kinds();
        for change in group.changes() {
            number += 1;
            // Each part of all changes is as mixed as they are.
            if !change.name.contains(filter) || args.only.is_some_and(|only| number % only != 0) {
                continue;
            }
            judge(&change, args, counts, &mut questions);
        }
    }
    println!(
        "| forms | kinds | updates | refused | breaking | may break | harmless | alarms | missed | objects |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut missed = 0;
    for (name, it) in &all {
        let Counts { kinds, updates, refused, breaking, may_break, harmless, alarms, objects, .. } = it;
        println!(
            "| {name} | {kinds} | {updates} | {refused} | {breaking} | {may_break} | {harmless} | {alarms} | {} | {objects} |",
            it.missed
        );
        missed += it.missed;
    }
    let is_right = !args.oracle || crate::judge(&questions.requests, &questions.expected, args.jobs)?;
    Ok(missed == 0 && is_right)
}

fn judge(change: &Change, args: &Args, counts: &mut Counts, questions: &mut Questions) {
    let crd = |spec: &Value| decode::crd(forms::crd(spec)).0;
    let (Some(old), Some(new)) = (crd(&change.old), crd(&change.new)) else { return };
    counts.updates += 1;
    let is_accepted = check::create(&old, &Options::default()).is_accepted()
        && check::update(&new, &old, &Options::default()).is_accepted();
    let served = |crd: &Crd| Served::new(crd.clone()).ok();
    let (true, Some(before), Some(after)) = (is_accepted, served(&old), served(&new)) else {
        counts.refused += 1;
        return;
    };
    let report = crdgen_diff::diff(
        &old,
        &new,
        &crdgen_diff::Options { budget: args.budget, ..crdgen_diff::Options::default() },
    );
    let verdict = report.verdict();
    counts.breaking += usize::from(verdict <= Class::OnEdit);
    counts.may_break += usize::from(verdict == Class::MayBreak);
    counts.harmless += usize::from(verdict > Class::MayBreak);
    for finding in &report.findings {
        if let Some(witness) = finding.proof.witness() {
            questions.add(&change.name, &old, &new, &witness.request);
        }
    }
    let mut worst: Option<(Effect, Value)> = None;
    for value in &change.values {
        counts.objects += 1;
        let object = forms::object(&change.place, value.as_ref());
        let Some(effect) = effect(&before, &after, "v1", &object) else { continue };
        if worst.as_ref().is_none_or(|(other, _)| effect < *other) {
            worst = Some((effect, object));
        }
    }
    let found = worst.as_ref().map(|(effect, _)| *effect);
    if let Some((Effect::Rejects, object)) = &worst {
        questions.add(&change.name, &old, &new, &Request::Create { object: object.clone() });
    }
    let is_missed = match found {
        Some(Effect::Rejects) => verdict > Class::MayBreak,
        Some(Effect::Drops) => verdict > Class::DataLoss,
        None => false,
    };
    let is_unproved = found == Some(Effect::Rejects) && verdict == Class::MayBreak;
    counts.missed += usize::from(is_missed);
    counts.alarms += usize::from(found.is_none() && verdict == Class::MayBreak);
    if is_missed || args.list && (is_unproved || found.is_none() && verdict == Class::MayBreak) {
        let words: Vec<&str> = report.findings.iter().map(|finding| finding.message.as_str()).collect();
        let object = worst.map(|(_, object)| to_string(&object));
        println!(
            "{} ({}): {}: {words:?}: {}",
            change.name,
            verdict.name(),
            found.map_or("harmless", Effect::name),
            object.unwrap_or_default()
        );
    }
}
