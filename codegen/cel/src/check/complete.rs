//! Completes incomplete expressions: what may be written at a place, by the types of what is before it.

use super::{Checker, Env, explore};
use crate::ast::Name;
use crate::build::macros::{self, Receiver};
use crate::hint::words;
use crate::lexer::{Kind as TokenKind, Token, lex};
use crate::library::{Cost, Function, Overload, Style, Type};
use crate::types::{Kind, Ty, Types};
use std::ops::Range;

/// What may be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: CandidateKind,
    /// The type of the field or variable, or the signature of the first overload that can be called.
    pub ty: String,
    /// What it means, if that is known.
    pub documentation: Option<String>,
    /// The text that replaces the name before the place.
    pub insert: String,
    /// The signatures of all overloads of a function that can be called.
    pub signatures: Vec<Signature>,
}

/// How a function is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The arguments and the result: `string.replace(string, string) -> string`.
    pub text: String,
    /// Where the arguments are in the text.
    pub arguments: Vec<Range<usize>>,
}

/// The call around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallAround {
    /// Where the name of the function ends.
    pub name_end: usize,
    /// Which argument the place is in. The first is 0.
    pub argument: usize,
}

/// Returns the innermost call around a byte of an expression, which need not be complete.
pub fn call_around(text: &str, offset: usize) -> Option<CallAround> {
    let tokens = lex(text.get(..offset)?).tokens;
    let (mut depth, mut argument) = (0_usize, 0);
    for (i, token) in tokens.iter().enumerate().rev() {
        match token.kind {
            TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => depth += 1,
            TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace if depth > 0 => depth -= 1,
            TokenKind::LParen => {
                let name = i.checked_sub(1).and_then(|before| tokens.get(before));
                if let Some(name) = name.filter(|name| name.kind == TokenKind::Ident) {
                    return Some(CallAround { name_end: name.end as usize, argument });
                }
                argument = 0;
            }
            TokenKind::LBracket | TokenKind::LBrace => argument = 0,
            TokenKind::Comma if depth == 0 => argument += 1,
            _ => {}
        }
    }
    None
}

/// What a [`Candidate`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateKind {
    /// A variable, also of a macro.
    Variable,
    /// A field.
    Field,
    /// A function.
    Function,
    /// A macro.
    Macro,
    /// The first part of functions' names.
    Namespace,
    /// `true`, `false` or `null`.
    Keyword,
}

/// The name that is put at the place.
pub(super) const CURSOR: &str = "__crdgen_cursor__";

/// What the check saw where the name is.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The variables of macros in scope, innermost last.
    pub(super) scopes: Vec<(Name, Ty)>,
    /// The type of the value before the dot, and its name, if it has one.
    pub(super) receiver: Option<(Ty, Option<String>)>,
}

/// Returns what may be written at a byte offset of an expression, which need not be complete: the fields and functions of the value before
/// a dot, or variables and functions. Of a name that has been begun, only those that continue it.
pub fn complete(env: &Env<'_>, types: &mut Types, text: &str, offset: usize) -> Vec<Candidate> {
    let Some(before) = text.get(..offset) else { return Vec::new() };
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = before.trim_end_matches(is_part).len();
    let prefix = &before[start..];
    let mut whole = format!("{}{CURSOR}", &before[..start]);
    let tokens = lex(&whole).tokens;
    // In strings and comments, there is no token for the name.
    let [tokens @ .., cursor, _] = &*tokens else { return Vec::new() };
    if cursor.kind != TokenKind::Ident
        || cursor.start as usize != start
        || tokens.last().is_some_and(ends_value)
    {
        return Vec::new();
    }
    let is_optional =
        matches!(tokens, [.., Token { kind: TokenKind::Dot, .. }, Token { kind: TokenKind::Question, .. }]);
    // `has` accepts nothing but a field.
    if let [.., function, Token { kind: TokenKind::LParen, .. }] = tokens
        && whole.get(function.start as usize..function.end as usize) == Some("has")
    {
        whole.push_str(".a");
    }
    close(tokens, &mut whole);
    let Some(ast) = crate::lenient(&whole, env.libraries.kube) else { return Vec::new() };
    let mut found = explore(ast, env, types, |checker| {
        let seen = std::mem::take(&mut checker.seen);
        let mut found = Found { checker, all: Vec::new() };
        match seen.receiver {
            Some((ty, name)) => found.members(ty, name.as_deref(), is_optional),
            None => found.names(&seen.scopes),
        }
        found.all
    });
    found.retain(|candidate| candidate.name.starts_with(prefix));
    found
}

/// Whether no name can follow a token, because it ends a value.
fn ends_value(token: &Token) -> bool {
    matches!(
        token.kind,
        TokenKind::Ident
            | TokenKind::EscIdent
            | TokenKind::RParen
            | TokenKind::RBracket
            | TokenKind::RBrace
            | TokenKind::True
            | TokenKind::False
            | TokenKind::Null
            | TokenKind::Int
            | TokenKind::Uint
            | TokenKind::Float
            | TokenKind::String
            | TokenKind::Bytes
    )
}

/// Appends what the text lacks to be complete: brackets, and parts of conditions and entries.
fn close(tokens: &[Token], text: &mut String) {
    let mut open: Vec<&str> = Vec::new();
    let mut before = TokenKind::Eof;
    for token in tokens {
        match token.kind {
            TokenKind::LParen => open.push(")"),
            TokenKind::LBracket => open.push("]"),
            TokenKind::LBrace => open.push(":null}"),
            // Not the optional selections `.?a` and `[?a]`, and entries `{?a: b}`.
            TokenKind::Question
                if !matches!(
                    before,
                    TokenKind::Dot | TokenKind::LBracket | TokenKind::LBrace | TokenKind::Comma
                ) =>
            {
                open.push(":null");
            }
            TokenKind::Colon => match open.pop() {
                Some(":null}") => open.push("}"),
                Some(":null") | None => {}
                Some(other) => open.push(other),
            },
            TokenKind::Comma => {
                if let Some(last) = open.last_mut().filter(|last| **last == "}") {
                    *last = ":null}";
                }
            }
            TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => {
                open.pop();
            }
            _ => {}
        }
        before = token.kind;
    }
    text.extend(open.into_iter().rev());
}

struct Found<'c, 'a, 'd> {
    checker: &'c mut Checker<'a, 'd>,
    all: Vec<Candidate>,
}

impl Found<'_, '_, '_> {
    fn add(&mut self, kind: CandidateKind, name: &str, ty: String) {
        let (name, insert) = (name.to_owned(), name.to_owned());
        self.all.push(Candidate { name, kind, ty, documentation: None, insert, signatures: Vec::new() });
    }

    /// What may follow a dot.
    fn members(&mut self, of: Ty, name: Option<&str>, is_optional: bool) {
        let env = self.checker.env;
        if let Some(name) = name {
            for (variable, ty) in env.variables {
                if let Some(rest) = variable.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')) {
                    let ty = self.checker.show(*ty);
                    self.add(CandidateKind::Variable, rest, ty);
                }
            }
            for function in env.libraries.functions.all() {
                if let Some(rest) = function.name.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')) {
                    self.function(function, rest, None);
                }
            }
        }
        let of = self.checker.unifier.substitute_all(of);
        let types = &mut self.checker.unifier.types;
        if of == Ty::ERROR {
            return;
        }
        if let Kind::Object { decl, name } = types.kind(types.unwrap_optional(of).unwrap_or(of)).clone() {
            for field in env.declarations.fields(decl) {
                let ty = env.declarations.field(self.checker.unifier.types, decl, &name, &field);
                let ty = ty.map_or_else(String::new, |ty| self.checker.show(ty));
                self.add(CandidateKind::Field, &field, ty);
                if let Some(last) = self.all.last_mut() {
                    last.documentation = env.declarations.documentation(decl, &field);
                }
            }
        }
        if is_optional {
            return;
        }
        let receiver = match self.checker.unifier.types.kind(of) {
            Kind::List(_) => Some(Receiver::List),
            Kind::Map(..) => Some(Receiver::Map),
            Kind::Optional(_) => Some(Receiver::Optional),
            kind => matches!(kind, Kind::Dyn | Kind::Any).then_some(Receiver::Any),
        };
        if receiver.is_some() {
            self.macros(receiver);
        }
        for function in env.libraries.functions.all() {
            self.function(function, &function.name, Some(of));
        }
    }

    /// What may be at the start of an expression.
    fn names(&mut self, scopes: &[(Name, Ty)]) {
        let env = self.checker.env;
        for (name, ty) in
            scopes.iter().rev().map(|(name, ty)| (&**name, *ty)).chain(env.variables.iter().copied())
        {
            let is_new = !self.all.iter().any(|known| known.name == name);
            if is_new && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains('.') {
                let ty = self.checker.unifier.substitute(ty);
                let ty = self.checker.show(ty);
                self.add(CandidateKind::Variable, name, ty);
            }
        }
        self.macros(None);
        for function in env.libraries.functions.all() {
            match function.name.split_once('.') {
                Some((namespace, _)) => {
                    let is_new = !self.all.iter().any(|known| known.name == namespace);
                    let exists = function.in_version(env.libraries.kube).next().is_some();
                    if is_new && exists && env.libraries.functions.is_namespace(namespace) {
                        self.add(CandidateKind::Namespace, namespace, String::new());
                    }
                }
                None => self.function(function, &function.name, None),
            }
        }
        for keyword in ["true", "false"] {
            self.add(CandidateKind::Keyword, keyword, "bool".to_owned());
        }
        self.add(CandidateKind::Keyword, "null", "null".to_owned());
    }

    /// The macros of some values, or those without a value.
    fn macros(&mut self, receiver: Option<Receiver>) {
        for name in macros::names(receiver, self.checker.env.libraries.kube) {
            self.add(CandidateKind::Macro, name, String::new());
            if let Some(last) = self.all.last_mut() {
                last.documentation = words::usage(name).map(str::to_owned);
                last.insert.push('(');
            }
        }
    }

    /// A function, if it can be called on a value of this type, or without one.
    fn function(&mut self, function: &Function, name: &str, of: Option<Ty>) {
        // Operators have other names.
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return;
        }
        let kube = self.checker.env.libraries.kube;
        let style = if of.is_some() { Style::Member } else { Style::Global };
        let callable: Vec<&Overload> = function
            .in_version(kube)
            .filter(|overload| overload.style == style && of.is_none_or(|of| self.accepts(overload, of)))
            .collect();
        let signatures: Vec<Signature> = callable.iter().map(|it| self.signature(it, name)).collect();
        let Some(first) = signatures.first() else { return };
        let own = usize::from(of.is_some());
        self.add(CandidateKind::Function, name, first.text.clone());
        if let Some(last) = self.all.last_mut() {
            last.signatures = signatures;
            last.insert.push_str(if callable.iter().all(|it| it.args.len() == own) { "()" } else { "(" });
        }
    }

    /// Whether the target of an overload can have a type.
    fn accepts(&mut self, overload: &Overload, of: Ty) -> bool {
        let Some(target) = overload.args.first() else { return false };
        // Nothing but a list has these, although their declarations accept everything.
        let is_list = matches!(self.checker.unifier.types.kind(of), Kind::List(_) | Kind::Dyn | Kind::Any);
        if matches!(overload.cost, Cost::TraverseDyn) && !is_list {
            return false;
        }
        let params = [self.checker.unifier.fresh(), self.checker.unifier.fresh()];
        let target = target.intern(self.checker.unifier.types, params);
        self.checker.unifier.assignable(target, of)
    }

    fn signature(&mut self, overload: &Overload, name: &str) -> Signature {
        let types = &mut self.checker.unifier.types;
        let params = ["A", "B"].map(|name| types.intern(Kind::Param(name)));
        let mut show = |ty: &Type| {
            let ty = ty.intern(types, params);
            types.display(ty)
        };
        let mut shown: Vec<String> = overload.args.iter().map(&mut show).collect();
        let result = show(&overload.result);
        let target = match overload.style {
            Style::Member => shown.remove(0) + ".",
            Style::Global => String::new(),
        };
        let mut text = format!("{target}{name}(");
        let mut arguments = Vec::with_capacity(shown.len());
        for argument in &shown {
            if !arguments.is_empty() {
                text.push_str(", ");
            }
            arguments.push(text.len()..text.len() + argument.len());
            text.push_str(argument);
        }
        text.push_str(") -> ");
        text.push_str(&result);
        Signature { text, arguments }
    }
}
