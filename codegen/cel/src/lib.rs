//! CEL as the API server implements it: parser, type checker, cost estimate, and evaluation. It does not know schemas.
//!
//! `lexer` and `parser` turn text into a tree of tokens. `build` turns that into the [`ast`], and expands the macros.
//! `check` turns the ast into a [`Checked`] expression: the same nodes, each with its type and the chosen overloads.
//! `cost` estimates its cost, and `eval` runs it. `library` has the tables of all functions.
//!
//! Programs that embed CEL start with [`Env::builder`]: an [`Environment`] has variables, types with fields, and functions
//! of their own above the libraries, and [`Environment::compile`] does all of the above. [`complete`] lists what may be
//! written at a place.
//!
//! Parsing, checking and estimating costs need nothing else, so the derive can use them. Evaluation, and `implies` and
//! `condition`, which compare conditions, need the feature `eval`.

pub mod ast;
mod build;
mod check;
#[cfg(feature = "eval")]
pub mod condition;
pub mod cost;
mod environment;
pub mod escape;
#[cfg(feature = "eval")]
pub mod eval;
#[cfg(feature = "eval")]
mod funcs;
mod highlight;
pub mod hint;
#[cfg(feature = "eval")]
mod implies;
mod issue;
mod lexer;
pub mod library;
mod parser;
mod recover;
mod source;
pub mod span;
mod stored;
mod tree;
pub mod types;
mod unescape;
#[cfg(feature = "eval")]
pub mod value;

pub use ast::{Ast, Checked, Expr, ExprId, Literal};
pub use check::{
    CallAround, Candidate, CandidateKind, Declarations, Env, NoDeclarations, Signature, call_around, check,
    complete,
};
pub use environment::{AnySize, Builder, Conflict, Environment, Expression, Invalid};
pub use highlight::{Highlight, highlight};
#[cfg(feature = "eval")]
pub use implies::Shape;
pub use issue::{Issue, IssueKind};
pub use library::Kube;
pub use source::Source;
pub use stored::parse_stored;

/// The maximum length of an expression, in code points.
const MAX_LENGTH: usize = 100_000;

/// The number of errors after which parsing ends.
const MAX_ISSUES: usize = 100;

/// Parses an expression with the macros and the syntax of an environment.
pub fn parse(text: &str, kube: Kube) -> Result<Ast, Vec<Issue>> {
    if text.len() > MAX_LENGTH {
        let size = text.chars().count();
        if size > MAX_LENGTH {
            let message =
                format!("expression code point size exceeds limit: size: {size}, limit {MAX_LENGTH}");
            return Err(vec![Issue::nowhere(IssueKind::Limit, message)]);
        }
    }
    let mut lexed = lexer::lex(text);
    let mut issues = std::mem::take(&mut lexed.issues);
    if issues.len() > MAX_ISSUES {
        let at = issues[MAX_ISSUES].at;
        issues.truncate(MAX_ISSUES);
        let message = format!("Syntax error: More than {MAX_ISSUES} syntax errors");
        issues.push(Issue { at, kind: IssueKind::Limit, message });
        return Err(issues);
    }
    let ast = match parser::parse(&lexed.tokens) {
        Ok((tree, root)) => build::build(text, &tree, root, kube, &mut issues),
        Err(parser::Stop::TooDeep) => {
            let message = format!("expression recursion limit exceeded: {}", parser::DEPTH);
            issues.push(Issue::nowhere(IssueKind::Limit, message));
            return Err(issues);
        }
        Err(parser::Stop::Mistake) => {
            if let Some((tree, root)) = recover::read(text, &lexed, &mut issues) {
                build::build(text, &tree, root, kube, &mut issues);
            }
            return Err(issues);
        }
    };
    if issues.is_empty() { Ok(ast) } else { Err(issues) }
}

/// Parses as much of an expression with errors as possible.
fn lenient(text: &str, kube: Kube) -> Option<Ast> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let (lexed, mut issues) = (lexer::lex(text), Vec::new());
    let (tree, root) = match parser::parse(&lexed.tokens) {
        Ok(read) => read,
        Err(parser::Stop::TooDeep) => return None,
        Err(parser::Stop::Mistake) => recover::read(text, &lexed, &mut issues)?,
    };
    Some(build::build(text, &tree, root, kube, &mut issues))
}

/// Tests the program in the README.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;
