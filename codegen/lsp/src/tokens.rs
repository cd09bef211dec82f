//! Semantic tokens: names, operators and constants in expressions.

use std::ops::Range;

use crdgen_core::cel::{Highlight, Kube, highlight};
use crdgen_core::path::Step;
use crdgen_core::yaml::{Draft, Form, Part};
use gen_lsp_types as lsp;

use crate::document::Document;
use crate::expression::is_expression;
use crate::state::State;
use crate::subject::Subject;
use crate::walk::walk;

/// The types of tokens, as the protocol names them.
const TYPES: [(Highlight, &str); 9] = [
    (Highlight::Variable, "variable"),
    (Highlight::Field, "property"),
    (Highlight::Function, "function"),
    (Highlight::Macro, "macro"),
    (Highlight::Namespace, "namespace"),
    (Highlight::Keyword, "keyword"),
    (Highlight::String, "string"),
    (Highlight::Number, "number"),
    (Highlight::Operator, "operator"),
];

/// How many tokens a document has. Editors keep them all.
const MOST: usize = 20_000;

/// How long an expression may be. The place of each token is looked up.
const LONGEST: usize = 5_000;

/// What the server says about its tokens at the start.
pub(crate) fn options() -> lsp::SemanticTokensOptions {
    let token_types = TYPES.iter().map(|(_, name)| (*name).to_owned()).collect();
    lsp::SemanticTokensOptions {
        legend: lsp::SemanticTokensLegend { token_types, token_modifiers: Vec::new() },
        full: Some(lsp::Full::Bool(true)),
        ..lsp::SemanticTokensOptions::default()
    }
}

/// The tokens of all expressions of a document.
pub(crate) fn of(state: &State, document: &Document) -> lsp::SemanticTokens {
    let text = document.text.as_str();
    let mut found: Vec<(Range<usize>, Highlight)> = Vec::new();
    for draft in &Draft::read_all(text) {
        let Some(root) = draft.root() else { continue };
        walk(root, &mut Vec::new(), &mut |steps, _, value| {
            if found.len() < MOST && may_be_expression(steps) && is_expression(&Subject::new(root, steps)) {
                add(text, value, &mut found);
            }
            found.len() < MOST
        });
    }
    let (mut line, mut character) = (0, 0);
    let relative = |(range, what): (Range<usize>, Highlight)| {
        let lsp::Range { start, end } = state.range(document, &range);
        let delta_line = start.line - line;
        let delta_start = if delta_line == 0 { start.character - character } else { start.character };
        (line, character) = (start.line, start.character);
        let token_type = TYPES.iter().position(|(known, _)| *known == what).unwrap_or_default();
        lsp::SemanticToken {
            delta_line,
            delta_start,
            length: end.character.saturating_sub(start.character),
            token_type: u32::try_from(token_type).unwrap_or_default(),
            token_modifiers_bitset: 0,
        }
    };
    found.sort_by_key(|(range, _)| range.start);
    lsp::SemanticTokens { result_id: None, data: found.into_iter().map(relative).collect() }
}

/// The keys of expressions. Most values of a document have others.
fn may_be_expression(steps: &[Step]) -> bool {
    let Some(Step::Key(name)) = steps.last() else { return false };
    matches!(name.as_str(), "rule" | "messageExpression" | "expression" | "valueExpression")
}

fn add(text: &str, value: Part<'_>, found: &mut Vec<(Range<usize>, Highlight)>) {
    let Form::Scalar(expression) = value.form() else { return };
    if value.is_alias() || expression.len() > LONGEST {
        return;
    }
    // The functions are the same in all versions that count here: which ones exist is for the diagnostics.
    for (inside, what) in highlight(expression, Kube::LAST) {
        let Some(range) = value.source_of(text, inside) else { continue };
        let mut start = range.start;
        // A token ends with its line.
        for line in text.get(range).unwrap_or_default().split_inclusive('\n') {
            let own = line.trim_start();
            let from = start + line.len() - own.len();
            start += line.len();
            let own = own.trim_end();
            if !own.is_empty() {
                found.push((from..from + own.len(), what));
            }
        }
    }
}
