//! Limits how deeply code is nested, by counting its tokens before anything parses them. syn, and every walk over its
//! syntax trees, recurses once per level, and a stack overflow ends the process without a message.
//!
//! A bracket and an open `<` are levels. Operators, calls and keywords that follow each other without an end between
//! them are levels too (`a + b + c`, `x.f().g()`, `else if`, `&&&T`). Each recursion of a parser consumes at least one
//! token, so the number of tokens since the last end limits it. The code in this module does not recurse.

use crate::span::Pos;
#[cfg(feature = "source")]
use crate::syntax::delimiters::no_tokens;
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree, token_stream};
use std::fmt;
use syn::parse::Parse;

/// The stack size in bytes that a thread needs to read whole files.
pub const STACK: usize = 256 << 20;

/// The limit for a file, and for the content of an attribute, in which only brackets count.
const FILE: usize = 4096;
/// The limit for one item or expression. A derive reads it on the compiler's stack. Schemas that crdgen can read have
/// fewer levels, so the code for all CRDs can be read.
const ITEM: usize = 112 * LEVEL;

/// A bracket, a list of generics, or an operator before its operand (`&&&T`) needs as much stack as this many operators
/// between operands.
const LEVEL: usize = 16;
/// Operators between two operands have at most this many characters.
const OPERATOR: usize = 3;

/// Why Rust code cannot be read.
#[derive(Debug)]
pub enum NoRust {
    /// The code is nested too deeply at this place.
    TooDeep(Span),
    /// A bracket has no partner, or a token is not a Rust token. Contains the place and the message.
    NoTokens(Pos, String),
    /// The tokens are not valid Rust code.
    Syntax(syn::Error),
}

/// The help for code that is nested too deeply.
const HELP: &str = "move parts of it into a `type`, `const`, `let` or `fn`";

impl NoRust {
    /// Returns the place of the error.
    #[cfg(feature = "source")]
    pub fn place(&self) -> crate::span::Place {
        let span = match self {
            NoRust::NoTokens(start, _) => {
                let end = Pos { column: start.column + 1, offset: start.offset + 1, ..*start };
                return crate::span::Place { start: *start, end };
            }
            NoRust::TooDeep(span) => *span,
            NoRust::Syntax(error) => error.span(),
        };
        place(span)
    }

    /// Returns the help for the error, if there is any.
    pub fn help(&self) -> Option<&'static str> {
        matches!(self, NoRust::TooDeep(_)).then_some(HELP)
    }
}

impl fmt::Display for NoRust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRust::TooDeep(_) => f.write_str("this is nested too deeply"),
            NoRust::NoTokens(_, why) => f.write_str(why),
            NoRust::Syntax(error) => error.fmt(f),
        }
    }
}

/// Returns the place of a span.
#[cfg(feature = "source")]
pub fn place(span: Span) -> crate::span::Place {
    let pos =
        |p: proc_macro2::LineColumn, offset| Pos { line: p.line as u32, column: p.column as u32 + 1, offset };
    let range = span.byte_range();
    crate::span::Place { start: pos(span.start(), range.start), end: pos(span.end(), range.end) }
}

/// The byte at which the code of a file begins. Places count from there.
pub fn start_of_code(text: &str) -> usize {
    let marked = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Like syn, this skips a first line that names an interpreter. Its line break stays, so that line numbers stay
    // correct.
    let script = marked.strip_prefix("#!").is_some_and(|rest| !rest.trim_start().starts_with('['));
    let code = if script { marked.find('\n').map_or("", |end| &marked[end..]) } else { marked };
    text.len() - code.len()
}

/// Parses a Rust file.
///
/// # Errors
/// Fails if the code is nested too deeply, or if it is not valid Rust.
#[cfg(feature = "source")]
pub fn parse_file(text: &str) -> Result<syn::File, NoRust> {
    let code = &text[start_of_code(text)..];
    if let Some((at, why)) = no_tokens(code) {
        return Err(NoRust::NoTokens(at, why));
    }
    let tokens: TokenStream = code.parse().map_err(|e: proc_macro2::LexError| NoRust::Syntax(e.into()))?;
    check(tokens.clone(), FILE, Content::Code).map_err(NoRust::TooDeep)?;
    syn::parse2(tokens).map_err(NoRust::Syntax)
}

/// Parses an item, attribute or expression. Fails if it is nested too deeply.
pub fn parse2<T: Parse>(tokens: TokenStream) -> syn::Result<T> {
    check_item(tokens.clone())?;
    syn::parse2(tokens)
}

/// Parses the code in a string literal. Fails if it is nested too deeply.
pub fn parse_literal<T: Parse>(literal: &syn::LitStr) -> syn::Result<T> {
    check_text(&literal.value()).map_err(|e| syn::Error::new(literal.span(), e))?;
    literal.parse()
}

/// Returns whether a text is a Rust identifier and not a keyword.
pub fn is_identifier(text: &str) -> bool {
    text.chars().all(|c| c == '_' || c == '#' || c.is_alphanumeric())
        && syn::parse_str::<syn::Ident>(text).is_ok()
}

/// Checks that the code in a text is not nested too deeply.
pub fn check_text(text: &str) -> syn::Result<()> {
    // A text this short cannot exceed the limit.
    if LEVEL * text.len() <= ITEM {
        return Ok(());
    }
    check_item(text.parse().unwrap_or_default())
}

/// Fails if the content of an attribute is nested too deeply. It is read bracket by bracket, and the parts that are
/// parsed later are checked again.
pub(crate) fn check_attribute(tokens: TokenStream) -> Result<(), Span> {
    check(tokens, FILE, Content::Brackets)
}

fn check_item(tokens: TokenStream) -> syn::Result<()> {
    check(tokens, ITEM, Content::Code).map_err(|at| syn::Error::new(at, NoRust::TooDeep(at)))
}

/// How tokens are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Code,
    /// Only bracket by bracket, as the content of attributes.
    Brackets,
}

fn check(tokens: TokenStream, most: usize, content: Content) -> Result<(), Span> {
    let mut open = vec![Level::new(tokens, 0, content)];
    while let Some(level) = open.last_mut() {
        let Some(token) = level.rest.next() else {
            open.pop();
            continue;
        };
        let is_code = level.next(&token) && !level.raw;
        let depth = level.depth();
        if depth > most {
            return Err(token.span());
        }
        if let TokenTree::Group(group) = token {
            let content = if is_code { Content::Code } else { Content::Brackets };
            open.push(Level::new(group.stream(), depth + LEVEL, content));
        }
    }
    Ok(())
}

/// What is before a token, as far as it matters for the token.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// The start of something.
    Start,
    /// A name that is not a keyword.
    Name,
    /// A keyword or a lifetime.
    Word,
    /// Something after which `<` does not begin generics: a literal, or a group without braces.
    Value,
    /// A group in braces. A statement or an item may have ended with it.
    Braces,
    /// `#` or `#!`
    Hash,
    /// `'`: a lifetime follows.
    Quote,
    /// `name!` or `name! name`: the arguments of a macro follow, and are not parsed.
    Macro,
    /// An operator with this many characters so far.
    Operator(usize),
}

/// The tokens between two brackets.
struct Level {
    rest: token_stream::IntoIter,
    /// The count of the code around these tokens.
    base: usize,
    /// Whether only brackets count, because these tokens are not parsed as code yet.
    raw: bool,
    /// The count since the last end.
    chain: usize,
    /// The number of open `<`.
    angles: usize,
    before: Before,
    /// The last token, if it was the first half of an operator.
    joint: Option<char>,
    /// Whether that was a `<` that does not begin generics.
    shifts: bool,
}

impl Level {
    fn new(tokens: TokenStream, base: usize, content: Content) -> Level {
        let raw = content == Content::Brackets;
        let rest = tokens.into_iter();
        Level { rest, base, raw, chain: 0, angles: 0, before: Before::Start, joint: None, shifts: false }
    }

    fn depth(&self) -> usize {
        if self.raw { self.base } else { self.base + self.chain + LEVEL * self.angles }
    }

    fn end(&mut self) {
        (self.chain, self.angles) = (0, 0);
        self.before = Before::Start;
    }

    /// Counts a token. For a group, returns whether its content is code.
    fn next(&mut self, token: &TokenTree) -> bool {
        let joint = self.joint.take();
        match token {
            TokenTree::Punct(punct) => {
                self.joint = (punct.spacing() == Spacing::Joint).then(|| punct.as_char());
                self.punct(punct.as_char(), joint);
            }
            TokenTree::Ident(ident) => {
                let ident = ident.to_string();
                // After braces, these words continue the expression.
                if self.before == Before::Braces && !matches!(&*ident, "else" | "as" | "in") {
                    self.end();
                }
                self.chain += 1;
                self.before = match self.before {
                    Before::Macro => Before::Macro,
                    Before::Quote => Before::Word,
                    _ if is_keyword(&ident) => Before::Word,
                    _ => Before::Name,
                };
            }
            TokenTree::Literal(_) => {
                self.chain += 1;
                self.before = Before::Value;
            }
            TokenTree::Group(group) => return self.group(group.delimiter()),
        }
        true
    }

    fn punct(&mut self, c: char, joint: Option<char>) {
        match (c, self.before) {
            (';', _) => return self.end(),
            // A comma in a list of generics does not close the lists around it.
            (',', _) => {
                self.chain = 0;
                self.before = Before::Start;
                return;
            }
            ('>', _) if joint == Some('=') => return self.end(),
            // The return type of a function.
            ('>', _) if joint == Some('-') => self.chain += LEVEL,
            // In `1 << 2` and `f() < g()`, this is a shift or a comparison.
            ('<', Before::Value) => {}
            ('<', _) if joint == Some('<') && self.shifts => {}
            ('<', _) => self.angles += 1,
            ('=', _) if joint == Some('<') && !self.shifts => self.angles = self.angles.saturating_sub(1),
            ('>', _) => self.angles = self.angles.saturating_sub(1),
            ('#', Before::Braces) => {
                self.end();
                self.before = Before::Hash;
                return;
            }
            ('#', _) => {
                self.before = Before::Hash;
                return;
            }
            ('!', Before::Hash) => return,
            ('!', Before::Name) => {
                self.before = Before::Macro;
                return;
            }
            ('\'', _) => {
                self.before = Before::Quote;
                return;
            }
            _ => {}
        }
        self.shifts = c == '<' && (self.before == Before::Value || self.shifts);
        let run = match self.before {
            Before::Start | Before::Word | Before::Hash | Before::Quote => OPERATOR,
            Before::Operator(run) => run,
            Before::Name | Before::Value | Before::Braces | Before::Macro => 0,
        };
        self.chain += if run < OPERATOR { 1 } else { LEVEL };
        self.before = Before::Operator(run + 1);
    }

    fn group(&mut self, delimiter: Delimiter) -> bool {
        let before = self.before;
        if before == Before::Hash && delimiter == Delimiter::Bracket {
            // An attribute is not part of the expression after it.
            self.before = Before::Start;
            return false;
        }
        self.chain += 1;
        self.before = if delimiter == Delimiter::Brace { Before::Braces } else { Before::Value };
        before != Before::Macro
    }
}

/// Words that cannot be the name of a macro, so a `!` after them is a negation.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "as" | "async"
            | "await"
            | "become"
            | "box"
            | "break"
            | "const"
            | "continue"
            | "do"
            | "dyn"
            | "else"
            | "extern"
            | "fn"
            | "for"
            | "gen"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "match"
            | "move"
            | "mut"
            | "raw"
            | "ref"
            | "return"
            | "static"
            | "try"
            | "unsafe"
            | "use"
            | "where"
            | "while"
            | "yeet"
            | "yield"
    )
}

#[cfg(all(test, feature = "source"))]
mod tests {
    use super::{FILE, ITEM, check_text};

    /// Code that people write stays far below the limits.
    #[test]
    fn accepts_what_people_write() {
        let many = |one: &str, times: usize| one.repeat(times);
        for source in [
            format!("fn f() {{ {} }}", many("if a < b { g(); } ", 5000)),
            format!("fn f() {{ match a {{ {} }} }}", many("x if x < 1 => y,", 5000)),
            format!("enum A {{ {} }}", many("A = 1 << 3, B = 1 <= 2, ", 1000)),
            format!("const A: &[u8] = &[{}];", many("1, ", 10_000)),
            many("/// Text.\n#[a(b)]\n", 5000) + "struct A;",
            many("fn f() {} struct A { a: Vec<String> } ", 5000),
            format!("fn f() {{ {}; }}", many("x.f(1)", 1) + &many(".f(1)", 300)),
            format!("fn f() -> bool {{ a == 0 {} }}", many(" || a == 1", 200)),
            format!("fn f() {{ if a {{}} {} }}", many("else if b == c {} ", 150)),
            format!("fn f() {{ html! {{ {} }} }}", many("<p>text</p> ", 5000)),
            format!("macro_rules! m {{ {} }}", many("($a:expr) => { a b c d }; ", 500)),
        ] {
            assert!(
                super::check(source.parse().unwrap(), FILE, super::Content::Code).is_ok(),
                "{}",
                &source[..80]
            );
        }
    }

    #[test]
    fn rejects_everything_that_nests() {
        for (before, level, after) in [
            ("(", "(", ""),
            ("a: ", "Vec<", ""),
            ("a: ", "&", "T"),
            ("", "!", "a"),
            ("a", "+a", ""),
            ("a", ".f()", ""),
            ("a", "?", ""),
            ("a", "[0]", ""),
            ("if a {} ", "else if a {} ", ""),
            ("", "|a| ", "a"),
            ("", "return ", "a"),
            ("", "if ", "a {} {}"),
            ("", "fn() -> ", "u8"),
            ("use ", "a::", "a;"),
            ("a", " = a", ""),
            ("a", " as u8", ""),
            ("for ", "A {} in for ", ""),
            ("", "return !", "a"),
            ("", "*const ", "T"),
            ("", "Box<dyn Fn() -> ", "T"),
            ("", "A<B, C<D, ", ""),
        ] {
            let open = format!("{before}{}{after}", level.repeat(6000));
            let closed = open.chars().filter(|c| *c == '(').count() - open.matches(')').count();
            let source = open + &")".repeat(closed);
            assert!(super::check(source.parse().unwrap(), FILE, super::Content::Code).is_err(), "{level}");
            assert!(check_text(&source).is_err());
        }
        assert!(check_text(&"(".repeat(ITEM / 16 - 1)).is_ok());
    }
}
