//! Reports the most expensive rules of a schema, even if none exceeds the limit.

use std::cmp::Reverse;

use super::Lints;
use crate::check::validations::{self, Report};
use crate::diag::codes::lint::COST;
use crate::diag::{Diag, Diags, Level};
use crate::ir::Schema;
use crate::path::Path;
use crate::rules::{Environments, RULE_LIMIT};

/// How many rules are shown.
const SHOWN: usize = 5;

/// A rule that uses less than this fraction of the limit is shown only if it is the most expensive one.
const SHARE: u64 = 1000;

pub(super) fn check(schema: &Schema, path: &Path<'_>, lints: &Lints, out: &mut Diags) {
    if !lints.is_on(&COST) {
        return;
    }
    let (reports, total, _) = validations::check(schema, path, &Environments::default());
    let mut reports: Vec<&Report> = reports.iter().collect();
    reports.sort_by_key(|r| Reverse(r.cost));
    let expensive = reports.iter().take_while(|r| r.cost >= RULE_LIMIT / SHARE).count();
    for report in reports.into_iter().take(expensive.clamp(1, SHOWN)) {
        let Some(Ok(expression)) = &report.compiled.rule else { continue };
        let (part, part_cost) = expression.dominant(&report.rule.rule);
        let share = |cost: u64, of: u64| match cost as f64 * 100.0 / of.max(1) as f64 {
            percent if percent < 0.1 => "less than 0.1 %".to_owned(),
            percent => format!("{percent:.1} %"),
        };
        let count = report.count();
        let runs = if count > 1 {
            format!("; {} each time, for up to {count} values", expression.estimate.total.max)
        } else {
            String::new()
        };
        let detail = format!(
            "may cost {}: {} of the limit of {RULE_LIMIT}, and {} of the cost of all rules{runs}; the marked part may cost {part_cost}",
            report.cost,
            share(report.cost, RULE_LIMIT),
            share(report.cost, total.cost),
        );
        let mut diag = Diag::own(&COST, Level::Note, &Path::ROOT, detail).inside(part);
        diag.field = format!("{}[{}].rule", report.path, report.index);
        diag.steps.clone_from(&report.steps);
        out.push(diag);
    }
}
