//! Hints for fixing issues, which follow the server's message. Most errors in rules are syntax of other languages,
//! misspelled names, and fields that are compared with null.

mod operands;
pub(crate) mod words;

use super::ast::BEFORE;
use super::escape::unescape;
use super::issue::{Issue, IssueKind, Operand, Role};
use super::lexer::{Kind as TokenKind, Token, lex};
use super::library::{Function, Kube};
use super::source::Source;
use super::types::Kind;
use crdgen_text::nearest::did_you_mean;
use std::cell::OnceCell;
use std::collections::HashSet;

/// At most this many fields are listed.
const MOST_LISTED: usize = 12;

/// At most this many errors of an expression get hints.
const MOST: usize = 3;

/// Returns what to do about the issues of an expression, in the order of their places and without repetitions.
pub fn hints(text: &str, issues: &[Issue]) -> Option<String> {
    let mut sorted: Vec<&Issue> = issues.iter().collect();
    sorted.sort_by_key(|issue| issue.at);
    let hints = Hints::new(text);
    let mut out: Vec<String> = Vec::new();
    for issue in sorted {
        let hint = hints.of(issue).or_else(|| other_field(issue));
        out.extend(hint.filter(|hint| !out.contains(hint)));
        if out.len() == MOST {
            break;
        }
    }
    (!out.is_empty()).then(|| out.join("; "))
}

/// What to do about the issues of an expression.
pub struct Hints<'t> {
    text: &'t str,
    /// Its tokens, from when they are first needed: an expression may have thousands of issues.
    tokens: OnceCell<Vec<Token>>,
    /// The names that `cel.bind` binds.
    bound: OnceCell<HashSet<&'t str>>,
}

impl<'t> Hints<'t> {
    /// For the issues of this expression.
    pub fn new(text: &'t str) -> Hints<'t> {
        Hints { text, tokens: OnceCell::new(), bound: OnceCell::new() }
    }

    /// Returns what to do about an issue, if the message does not already contain it.
    pub fn of(&self, issue: &Issue) -> Option<String> {
        match &issue.kind {
            IssueKind::Characters(skipped) => words::characters(skipped, &self.around(issue)),
            IssueKind::Token => words::token(&self.around(issue)),
            IssueKind::Reserved(name) => words::reserved(name),
            IssueKind::Macro(name) => Some(words::macro_call(name)),
            IssueKind::Undeclared { name, role, known, is_field_of_self } => {
                undeclared(name, *role, known, *is_field_of_self).filter(|_| !self.is_bound(name))
            }
            IssueKind::UndefinedField { name, known, is_untyped } => {
                undefined_field(name, known, *is_untyped, self.text, issue)
            }
            IssueKind::NoFields { field, of } => no_fields(field, of),
            IssueKind::NoOverload { function, is_member, operands, is_dynamic: _ } => {
                operands::no_overload(function, *is_member, operands)
            }
            IssueKind::WrongType { expected: Kind::Bool, found, is_dynamic: _ } => operands::no_bool(found),
            IssueKind::Range(of) => (matches!(of.kind, Kind::Object { .. }))
                .then(|| "an object has no elements: name its fields one by one".to_owned()),
            IssueKind::Argument(function) => words::argument(function),
            IssueKind::Limit
            | IssueKind::Unsupported
            | IssueKind::Literal
            | IssueKind::WrongType { .. }
            | IssueKind::Message
            | IssueKind::Format
            | IssueKind::Output => None,
        }
    }

    fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| lex(self.text).tokens)
    }

    fn around(&self, issue: &Issue) -> Around<'_> {
        let tokens = self.tokens();
        let here = match issue.at {
            None | Some(BEFORE) => 0,
            Some(at) => tokens.partition_point(|token| token.at < at),
        };
        Around { text: self.text, tokens, here }
    }

    /// Whether the text contains `cel.bind(NAME, …)` with this name. Then the hint at `cel` is enough.
    fn is_bound(&self, name: &str) -> bool {
        let spelled =
            |token: &Token| self.text.get(token.start as usize..token.end as usize).unwrap_or_default();
        let bound = |some: &[Token]| {
            let is_bind =
                some.iter().zip(["cel", ".", "bind", "("]).all(|(token, text)| spelled(token) == text);
            some.last().filter(|_| is_bind).map(spelled)
        };
        let bound = self.bound.get_or_init(|| self.tokens().windows(5).filter_map(bound).collect());
        bound.contains(name) || (name == "bind" && !bound.is_empty())
    }
}

/// The tokens around the place of an issue.
struct Around<'t> {
    text: &'t str,
    tokens: &'t [Token],
    /// The index of the token at the place, or of the first one after it.
    here: usize,
}

impl<'t> Around<'t> {
    fn token(&self, index: Option<usize>) -> &'t str {
        let token = index.and_then(|i| self.tokens.get(i));
        token.and_then(|t| self.text.get(t.start as usize..t.end as usize)).unwrap_or_default()
    }

    fn here(&self) -> &'t str {
        self.token(Some(self.here))
    }

    fn before(&self) -> &'t str {
        self.token(self.here.checked_sub(1))
    }

    fn behind(&self) -> &'t str {
        self.token(Some(self.here + 1))
    }

    /// Whether two tokens follow each other without a space, anywhere in the text.
    fn has_pair(&self, first: TokenKind, second: TokenKind) -> bool {
        self.tokens
            .windows(2)
            .any(|pair| pair[0].kind == first && pair[1].kind == second && pair[0].end == pair[1].start)
    }
}

fn undeclared(name: &str, role: Role, known: &[String], is_field_of_self: bool) -> Option<String> {
    let near = || did_you_mean(name, known.iter().map(String::as_str));
    match role {
        Role::Function | Role::Member => {
            let near = || did_you_mean(name, known.iter().map(String::as_str).chain(words::macros()));
            words::function(name).or_else(|| newer(name)).or_else(near)
        }
        Role::Message => near(),
        Role::Variable if is_field_of_self => {
            Some(format!("`self` is the value that has the rule: write `self.{name}`"))
        }
        // Only `crdgen cel` evaluates expressions without a value.
        Role::Variable if matches!(name, "self" | "oldSelf") => {
            Some("`self` has no value: pass a CRD with --crd, or an object with --object".to_owned())
        }
        Role::Variable => {
            words::variable(name).or_else(|| newer_namespace(name)).or_else(near).or_else(|| {
                Some(format!("if it is a field of the value that has the rule, write `self.{name}`"))
            })
        }
    }
}

/// The hint for a function that the server does not have yet. New rules can use it one version after it was added.
fn newer(name: &str) -> Option<String> {
    let since = Kube::STORED.functions().find(name)?.overloads.iter().map(|overload| overload.since).min()?;
    (since > 0).then(|| format!("rules can use `{name}` since Kubernetes 1.{}", since + 1))
}

/// The same for functions that have a name before them, such as `lists` in `lists.range`.
fn newer_namespace(name: &str) -> Option<String> {
    let is_in =
        |function: &&Function| function.name.split_once('.').is_some_and(|(before, _)| before == name);
    let functions = Kube::STORED.functions();
    let overloads = functions.all().iter().filter(is_in).flat_map(|function| &function.overloads);
    let since = overloads.map(|overload| overload.since).min()?;
    (since > 0).then(|| format!("rules can use functions of `{name}` since Kubernetes 1.{}", since + 1))
}

fn undefined_field(
    name: &str,
    known: &[String],
    is_untyped: bool,
    text: &str,
    issue: &Issue,
) -> Option<String> {
    if is_untyped {
        return Some(format!(
            "`{name}` exists, but rules cannot read a field without a type. Remove it from the rule"
        ));
    }
    if known == ["generateName", "name"] {
        return Some("rules can only read `name` and `generateName` of `metadata`".to_owned());
    }
    escaped(known, text, issue).or_else(|| did_you_mean(name, known.iter().map(String::as_str)))
}

/// Returns further help for a field that its object does not have: how to get the size of the object, or the fields
/// that it has.
pub fn other_field(issue: &Issue) -> Option<String> {
    let IssueKind::UndefinedField { name, known, .. } = &issue.kind else { return None };
    if words::is_size(name) {
        return words::function(name);
    }
    if known.is_empty() {
        return Some(
            "the schema lists no fields here: add the field to it, or remove it from the rule".to_owned(),
        );
    }
    // Every object has these, so they are rarely meant. Also, the Rust struct may not be an object.
    let is_of_object = |name: &str| matches!(name, "apiVersion" | "kind" | "metadata");
    let of_object = known.iter().filter(|name| is_of_object(name)).count() == 3;
    let shown: Vec<&str> =
        known.iter().map(String::as_str).filter(|name| !of_object || !is_of_object(name)).collect();
    let verb = if of_object { "include" } else { "are" };
    (1..=MOST_LISTED).contains(&shown.len()).then(|| format!("the fields here {verb} {}", shown.join(", ")))
}

/// The hint for a field that was written with its dashes or dots, which rules must escape.
fn escaped(known: &[String], text: &str, issue: &Issue) -> Option<String> {
    let behind = text.get(Source::new(text).byte(issue.at?)..)?;
    let written = behind.strip_prefix('.').unwrap_or(behind).trim_start();
    let continues = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    known.iter().find_map(|escaped| {
        let name = unescape(escaped)?;
        let rest = written.strip_prefix(&*name).filter(|_| *name != **escaped)?;
        (!continues(rest)).then(|| format!("in rules, write the field `{name}` as `{escaped}`"))
    })
}

fn no_fields(field: &str, of: &Operand) -> Option<String> {
    // Numbers and booleans have no size.
    let is_sized = matches!(of.kind, Kind::List(_) | Kind::Map(..) | Kind::String | Kind::Bytes);
    if let Some(hint) = words::function(field).filter(|_| is_sized || !words::is_size(field)) {
        return Some(hint);
    }
    match (&of.kind, of.text.as_deref()) {
        (Kind::List(_), text) => {
            let list = text.unwrap_or("self");
            Some(format!("it is a list: check its items with `{list}.all(x, …)` or `{list}.exists(x, …)`"))
        }
        (_, Some("self")) => Some(
            "`self` is the value of this field. To read other fields, put the rule on the type".to_owned(),
        ),
        (_, _) => None,
    }
}

#[cfg(test)]
mod tests;
