//! Checks an expression that a user wants to check on its own.

use super::Finding;
use crate::diag::codes::cel::{BAD_RULE, TOO_EXPENSIVE};
use crate::diag::{Code, Diag, Level};
use crate::path::Path;
use crate::rules::RULE_LIMIT;
use crate::rules::run::{Answer, Remark, Unanswered};
use crate::yaml;

/// Returns the findings about an expression, at their places in its text. If `typed` is `false`, there is no schema
/// and sizes are unknown, so a high cost is not an error.
pub fn of_expression(text: &[u8], asked: &Result<Answer, Unanswered>, typed: bool) -> Vec<Finding> {
    let finding = |code: &'static Code, remark: &Remark| {
        let place = remark.at.clone().map(|range| yaml::place(text, range));
        let mut diag = Diag::own(code, Level::Error, &Path::ROOT, remark.text.clone());
        diag.help.clone_from(&remark.help);
        Finding::new(String::new(), place, diag)
    };
    let answer = match asked {
        Err(Unanswered::Question(why)) => {
            return vec![finding(&BAD_RULE, &Remark { text: why.clone(), at: None, help: None })];
        }
        Err(Unanswered::Expression(remarks)) => {
            return remarks.iter().map(|remark| finding(&BAD_RULE, remark)).collect();
        }
        Ok(answer) => answer,
    };
    let mut out = Vec::new();
    if answer.total() > RULE_LIMIT && typed {
        let text = format!("may cost {}, but the limit is {RULE_LIMIT}", answer.total());
        let (at, help) = (Some(answer.advice.part.clone()), Some(answer.advice.to_string()));
        out.push(finding(&TOO_EXPENSIVE, &Remark { text, at, help }));
    }
    for run in &answer.runs {
        if let Err(remark) = &run.value {
            out.push(finding(run.code, remark));
        }
    }
    out
}
