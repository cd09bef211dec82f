//! Lints for features that older Kubernetes versions lack.

use super::Lints;
use crate::cel::Kube;
use crate::check::validations;
use crate::diag::codes::cel::{BAD_MESSAGE_EXPRESSION, BAD_RULE};
use crate::diag::codes::lint::KUBE;
use crate::diag::{Diag, Diags, Level};
use crate::ir::{Crd, Rule, Schema};
use crate::path::Path;
use crate::rules::Environments;
use std::collections::HashSet;

/// The minor version of Kubernetes 1.x in which rules were first on by default.
const VALIDATIONS: u32 = 25;
const MESSAGE_EXPRESSION: u32 = 27;
const REASON_AND_FIELD_PATH: u32 = 28;
const OPTIONAL_OLD_SELF: u32 = 30;
const SELECTABLE_FIELDS: u32 = 31;

struct Since<'a> {
    kube: u32,
    out: &'a mut Diags,
}

impl Since<'_> {
    fn note(&mut self, used: bool, minor: u32, path: &Path<'_>, what: &str) {
        if used && self.kube < minor {
            let detail = format!("{what} needs Kubernetes 1.{minor}, and has no effect on 1.{}", self.kube);
            self.out.push(
                Diag::own(&KUBE, Level::Warning, path, detail)
                    .help(format!("remove it as long as you support versions before 1.{minor}")),
            );
        }
    }
}

pub(super) fn check_definition(crd: &Crd, lints: &Lints, out: &mut Diags) {
    let Some(kube) = lints.kube else { return };
    let mut since = Since { kube, out };
    let spec = Path::ROOT.child("spec");
    let versions = spec.child("versions");
    for i in 0..crd.spec.versions.len() {
        let used = !crd.spec.selectable_fields_of(i).is_empty();
        since.note(used, SELECTABLE_FIELDS, &versions.index(i).child("selectableFields"), "selectableFields");
    }
}

/// Returns the oldest version from this one on that compiles rules. Older versions drop them.
pub(super) fn compiles_rules(kube: u32) -> u32 {
    kube.max(VALIDATIONS)
}

/// Reports expressions that are valid today, but that an older server cannot compile.
pub(super) fn check_expressions(schema: &Schema, path: &Path<'_>, lints: &Lints, out: &mut Diags) {
    let Some(kube) = lints.kube else { return };
    let kube = compiles_rules(kube);
    let wrong = |kube: Kube| {
        let environments = Environments { new: kube.for_new(), ..Environments::default() };
        let (reports, _, mut diags) = validations::check(schema, path, &environments);
        diags.retain(|d| d.code == &BAD_RULE || d.code == &BAD_MESSAGE_EXPRESSION);
        (reports, diags)
    };
    let minor = u16::try_from(kube).unwrap_or(u16::MAX);
    let (_, anyway) = wrong(Kube::CURRENT);
    let anyway: HashSet<String> = anyway.into_iter().map(|d| d.field).collect();
    let (reports, diags) = wrong(Kube::of(minor));
    for diag in diags {
        if anyway.contains(&diag.field) {
            continue;
        }
        let why =
            reports.iter().find_map(|report| report.rejection_at(&diag.field)).map_or("", |rejection| {
                if rejection.summary.is_empty() {
                    rejection.detail.as_str()
                } else {
                    rejection.summary.as_str()
                }
            });
        let detail = format!("Kubernetes 1.{kube} cannot compile this: {why}");
        let help = format!(
            "newer versions of Kubernetes can compile it. Use only functions that 1.{kube} has, or stop supporting 1.{kube}"
        );
        out.push(Diag {
            code: &KUBE,
            level: Level::Warning,
            kind: None,
            bad: None,
            detail,
            help: Some(help),
            ..diag
        });
    }
}

pub(super) fn check_node(schema: &Schema, path: &Path<'_>, lints: &Lints, out: &mut Diags) {
    let Some(kube) = lints.kube else { return };
    let mut since = Since { kube, out };
    let at = path.child("x-kubernetes-validations");
    since.note(!schema.rules.is_empty(), VALIDATIONS, &at, "x-kubernetes-validations");
    for (i, rule) in schema.rules.iter().enumerate() {
        let at = at.index(i);
        let Rule { rule: _, message: _, message_expression, reason, field_path, optional_old_self } = rule;
        let fields = [
            (!message_expression.is_empty(), MESSAGE_EXPRESSION, "messageExpression"),
            (reason.is_some(), REASON_AND_FIELD_PATH, "reason"),
            (!field_path.is_empty(), REASON_AND_FIELD_PATH, "fieldPath"),
            (optional_old_self.is_some(), OPTIONAL_OLD_SELF, "optionalOldSelf"),
        ];
        for (used, minor, name) in fields {
            since.note(used, minor, &at.child(name), name);
        }
    }
}
