//! Compares two CRDs, or two sets of CRDs. `proofs` searches for the proofs of what it finds.

mod alike;
mod certain;
mod proofs;
mod servers;

use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;

use crdgen_core::check;
use crdgen_core::compare::changes::{self, Change, Class, Part};
use crdgen_core::compare::proof::Proof;
use crdgen_core::diag::Diag;
use crdgen_core::finding;
use crdgen_core::go::regexp::Comparisons;
use crdgen_core::ir::{Condition, Crd, Schema, Type, Validation};
use crdgen_core::server::Server;

use crate::Options;
use crate::finding::{Finding, Report, Unstable};
use crate::side::Side;

use alike::{Outcome, Question};
use proofs::{Run, Witnesses, found, unsearched};
pub use servers::between_servers;

/// Compares all CRDs, which belong together if they have the same name.
pub fn diff_all(old: &[Crd], new: &[Crd], options: &Options) -> Report {
    let name = |crd: &Crd| crd.metadata.name.clone();
    let mut out = Report::default();
    for after in new {
        match old.iter().find(|before| before.metadata.name == after.metadata.name) {
            Some(before) => out.findings.extend(diff(before, after, options).findings),
            None => out.findings.push(whole(&name(after), false)),
        }
    }
    let gone =
        old.iter().filter(|before| !new.iter().any(|after| after.metadata.name == before.metadata.name));
    out.findings.extend(gone.map(|before| whole(&name(before), true)));
    out
}

/// The finding about a CRD that was added or removed.
fn whole(name: &str, is_gone: bool) -> Finding {
    let mut change = Change::removed_crd(name);
    if !is_gone {
        change.class = Class::Compatible;
        change.now = change.was.take();
    }
    Finding::of_change(name, change, None, Proof::Document)
}

/// Compares a CRD with the previous one of the same name.
pub fn diff(old: &Crd, new: &Crd, options: &Options) -> Report {
    diff_with(old, new, options, &mut |_| true)
}

/// The same, with those errors of the server that count.
pub fn diff_with(old: &Crd, new: &Crd, options: &Options, counts: &mut dyn FnMut(&Diag) -> bool) -> Report {
    // The status is not what users write. kubectl sends no request if nothing else changes.
    if old.spec == new.spec && old.metadata == new.metadata {
        return Report::default();
    }
    let name = &new.metadata.name;
    let refused =
        check::update(new, &established(old.clone()), &check::Options::of_server(options.server.minor()))
            .errors;
    let refused = refused.iter().filter(|error| counts(error));
    let mut findings: Vec<Finding> = refused.map(|error| Finding::refused(name, error)).collect();
    // The server finds some mistakes of metadata several times.
    let mut known = HashSet::new();
    findings.retain(|finding| known.insert(finding.fingerprint.clone()));
    findings.extend(changes(old, new, options));
    Report { findings }
}

/// Returns the findings of [`diff`] without those about an update that the server rejects.
pub fn changes(old: &Crd, new: &Crd, options: &Options) -> Vec<Finding> {
    let old = &*with_schemas(old);
    let patterns = Rc::default();
    let changes = match old.spec.preserve_unknown_fields {
        // That the new CRD drops unknown fields is a change of the whole CRD, and not one of each schema.
        Some(true) => changes::between_with(old, &opened(new.clone()), &patterns, options.server),
        Some(false) | None => changes::between_with(old, new, &patterns, options.server),
    };
    searched(changes, [old, new].map(|crd| (crd, options.server)), patterns, options)
}

/// The findings about changes from a CRD on a server to another one on the same or another server.
fn searched(
    mut changes: Vec<Change>,
    [(old, from), (new, to)]: [(&Crd, Server); 2],
    patterns: Rc<Comparisons>,
    options: &Options,
) -> Vec<Finding> {
    changes
        .retain(|change| !matches!(change.part, Part::Costs { percent } if percent <= options.cost_growth));
    let is_searched =
        changes.iter().any(|change| change.version.is_some() && change.class != Class::Cosmetic);
    let sides = || Some((Side::on(from, old.clone())?, Side::on(to, new.clone())?));
    let sides = is_searched.then(sides).flatten();
    let groups: Vec<&[Change]> =
        changes.chunk_by(|one, other| one.version == other.version && one.stored == other.stored).collect();
    let name = &new.metadata.name;
    let Some((before, after)) = sides else {
        return changes.into_iter().map(|change| unsearched(name, change)).collect();
    };
    let mut run = Run { old, before, after, patterns, known: Witnesses::default() };
    let questions: Vec<Question<'_>> = groups.iter().map(|own| Question::new(own, old, new)).collect();
    let mut firsts: Vec<usize> = Vec::new();
    for (at, question) in questions.iter().enumerate() {
        let is_like = |first: &usize| questions[*first].is_like(question);
        let known = (0..at).filter(|known| firsts[*known] == *known).find(is_like);
        firsts.push(known.unwrap_or(at));
    }
    let count = |is_of_stored| {
        let is_searched = |at: &usize| firsts[*at] == *at && questions[*at].is_of_stored() == is_of_stored;
        (0..questions.len()).filter(is_searched).count()
    };
    let budgets = [false, true].map(|is_of_stored| shared(options, count(is_of_stored)));
    let searched = |at: usize| {
        let budget = budgets[usize::from(questions[at].is_of_stored())];
        (firsts[at] == at).then(|| run.searched(groups[at], budget)).flatten()
    };
    let outcomes: Vec<Option<Outcome>> = (0..groups.len()).map(searched).collect();
    let counts: Vec<usize> = groups.iter().map(|own| own.len()).collect();
    // Many changes take as much memory as both sides, which are not needed any more.
    drop(run);
    let mut changes = changes.into_iter();
    let mut findings = Vec::new();
    for (at, (count, first)) in counts.into_iter().zip(firsts).enumerate() {
        let own: Vec<Change> = changes.by_ref().take(count).collect();
        let outcome = match (&own[0].version, &outcomes[first]) {
            (Some(version), Some(known)) if first != at => Some(known.in_version(version)),
            (_, known) => known.clone(),
        };
        findings.extend(found(name, own, outcome));
    }
    findings
}

/// Returns an old CRD with a schema for each version, which says that the server keeps unknown fields if it does. Before
/// `apiextensions.k8s.io/v1`, there could be none, and the server kept whatever it got.
fn with_schemas(crd: &Crd) -> Cow<'_, Crd> {
    let spec = &crd.spec;
    let without: Vec<usize> = (0..spec.versions.len()).filter(|at| spec.schema_of(*at).is_none()).collect();
    let keeps = spec.preserve_unknown_fields == Some(true);
    if without.is_empty() && !keeps {
        return Cow::Borrowed(crd);
    }
    let mut out = crd.clone();
    for at in without {
        let mut open = Schema::of(Type::Object);
        open.ext.preserve_unknown_fields = Some(true);
        out.spec.versions[at].body.schema = Some(Validation { open_api_v3_schema: Some(open) });
    }
    Cow::Owned(if keeps { opened(out) } else { out })
}

/// Returns a CRD whose schemas say what `preserveUnknownFields` says of all of them.
fn opened(mut crd: Crd) -> Crd {
    let own = crd.spec.versions.iter_mut().map(|version| &mut version.body);
    for body in own.chain([&mut crd.spec.shared]) {
        if let Some(Validation { open_api_v3_schema: Some(schema) }) = &mut body.schema {
            open(schema);
        }
    }
    crd
}

fn open(schema: &mut Schema) {
    if matches!(schema.ty, Some(Type::Object) | None) {
        schema.ext.preserve_unknown_fields = Some(true);
    }
    for (edge, child) in schema.children_mut() {
        if edge.is_structural() {
            open(child);
        }
    }
}

/// How many versions that differ, or pairs of a stored version and another one, may take the whole budget, and what is left to each of
/// many more.
const MOST_PAIRS: usize = 8;
const LEAST: usize = 50;

/// The budget of each of so many versions, or pairs of a stored version and another one, which share one.
fn shared(options: &Options, pairs: usize) -> usize {
    let part = options.budget.saturating_mul(MOST_PAIRS) / pairs.max(MOST_PAIRS);
    part.max(LEAST).min(options.budget)
}

/// Returns [`changes()`] as diagnostics, without those that are not reported.
pub fn reported(old: &Crd, new: &Crd, options: &Options, unstable: Unstable) -> Vec<finding::Finding> {
    changes(old, new, options).iter().filter_map(|finding| finding.reported(unstable)).collect()
}

/// Returns a CRD as a cluster has it: established, so that its scope and kind are immutable. Only a CRD that was read from a
/// cluster has this status by itself.
pub fn established(mut crd: Crd) -> Crd {
    const ESTABLISHED: &str = "Established";
    let conditions = crd.status.conditions.get_or_insert_default();
    if !conditions.iter().any(|condition| condition.ty == ESTABLISHED) {
        let (ty, status) = (ESTABLISHED.to_owned(), "True".to_owned());
        conditions.push(Condition { ty, status, ..Condition::default() });
    }
    crd
}

#[cfg(test)]
mod tests;
