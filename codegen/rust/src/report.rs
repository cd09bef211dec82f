//! The errors and warnings found in a source, each with its span. Readers report them and continue.

#[cfg(not(feature = "source"))]
extern crate proc_macro;

use crate::diag::{Code, Diag, Level};
use crate::path::Path;
use crate::recipe::Allow;
use crate::span::Pos;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::fmt::Display;
use std::ops::Range;

/// A diagnostic and the tokens it is about.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The diagnostic.
    pub diag: Diag,
    /// The span of the tokens.
    pub span: Span,
    /// The string literal at the span, and the bytes of it that are wrong.
    pub inside: Option<(String, Range<usize>)>,
}

/// The place of a finding: tokens, or a part of a string literal.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The span of the tokens.
    pub span: Span,
    /// The literal as it is written, and the bytes of it that are meant.
    pub inside: Option<(String, Range<usize>)>,
}

impl From<Span> for Spot {
    fn from(span: Span) -> Spot {
        Spot { span, inside: None }
    }
}

/// All findings about a source.
#[derive(Debug, Default)]
pub struct Report {
    /// The findings, in the order in which they were found.
    pub findings: Vec<Finding>,
    /// Whether only this one item is read. Then the costs of its rules are reported here. Otherwise the reader of the
    /// whole CRD reports them, with the bounds that would help.
    pub one_item: bool,
    /// The codes of warnings that attributes hid.
    pub hidden: Vec<&'static Code>,
}

impl Report {
    /// Creates the report for a derive, which reads only one item.
    pub fn of_one_item() -> Report {
        Report { one_item: true, ..Report::default() }
    }

    /// Adds an error with its help.
    pub fn error(
        &mut self,
        at: impl Into<Spot>,
        code: &'static Code,
        message: impl Display,
        help: impl Display,
    ) {
        self.add(at.into(), code, Level::Error, message, help);
    }

    /// Adds a warning with its help.
    pub fn warning(
        &mut self,
        at: impl Into<Spot>,
        code: &'static Code,
        message: impl Display,
        help: impl Display,
    ) {
        self.add(at.into(), code, Level::Warning, message, help);
    }

    /// Removes the warnings from this number on that are allowed.
    pub fn hide(&mut self, from: usize, allow: &[Allow]) {
        if allow.is_empty() {
            return;
        }
        let new = self.findings.split_off(from.min(self.findings.len()));
        for finding in new {
            let Diag { code, level, .. } = &finding.diag;
            if *level == Level::Warning && allow.iter().any(|allow| allow.code == code.id) {
                self.hidden.push(code);
            } else {
                self.findings.push(finding);
            }
        }
    }

    fn add(
        &mut self,
        at: Spot,
        code: &'static Code,
        level: Level,
        message: impl Display,
        help: impl Display,
    ) {
        let mut diag = Diag::own(code, level, &Path::ROOT, message.to_string());
        let help = help.to_string();
        diag.help = (!help.is_empty()).then_some(help);
        self.findings.push(Finding { diag, span: at.span, inside: at.inside });
    }

    /// Returns whether the report contains an error.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.diag.level == Level::Error)
    }

    /// Returns the errors as code for the compiler: one `compile_error!` per error, at its tokens.
    pub fn compile_errors(&self) -> TokenStream {
        let errors = self.findings.iter().filter(|f| f.diag.level == Level::Error).map(|finding| {
            let text = finding.text();
            let span = finding.span;
            quote_spanned! {span=> ::core::compile_error! { #text } }
        });
        errors.collect()
    }

    /// Returns the warnings as code for the compiler. A derive cannot warn, but the compiler warns about deprecated
    /// items where they are used. So each warning is a deprecated constant with the code as its name, used at the
    /// tokens that the warning is about. `attributes` are those of the item: its `allow` applies to the warnings.
    pub fn compile_warnings(&self, attributes: &[syn::Attribute]) -> TokenStream {
        let allow: Vec<&syn::Attribute> = attributes.iter().filter(|a| a.path().is_ident("allow")).collect();
        let warnings = self.findings.iter().filter(|f| f.diag.level == Level::Warning).map(|finding| {
            let code = finding.diag.code.id;
            let text = finding.text()
                + &format!("\n  if it does not matter, write #[schema(allow({code}, reason = \"…\"))] on the type or field");
            // The span is the user's own, because the compiler does not warn about code that a derive generates.
            let used = Ident::new(finding.diag.code.id, finding.span);
            let name = Ident::new(finding.diag.code.id, Span::call_site().located_at(finding.span));
            quote! {
                #(#allow)*
                const _: () = {
                    #[deprecated(note = #text)]
                    const #name: () = ();
                    #used
                };
            }
        });
        warnings.collect()
    }
}

impl Finding {
    /// The text that the compiler shows.
    fn text(&self) -> String {
        let Diag { code, detail, help, .. } = &self.diag;
        let mut text = format!("{detail} [{}]", code.id);
        if let Some((literal, range)) = &self.inside {
            text.push_str(&excerpt(self.span, literal, range));
        }
        if let Some(help) = help {
            text.push_str("\n  help: ");
            text.push_str(help);
        }
        text
    }
}

/// The line of a literal with the error underlined, because compilers show only the whole literal.
fn excerpt(span: Span, literal: &str, range: &Range<usize>) -> String {
    let place = place(span, literal, range.start);
    let before = literal.get(..range.start).unwrap_or_default();
    let first = before.rfind('\n').map_or(0, |i| i + 1);
    let line = literal.get(first..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let indent = before.get(first..).unwrap_or_default().chars().count();
    let marked = literal.get(range.clone()).and_then(|m| m.lines().next()).unwrap_or_default();
    let carets = "^".repeat(marked.chars().count().max(1));
    format!("\n  --> {}:{}\n   | {line}\n   | {}{carets}", place.line, place.column, " ".repeat(indent))
}

/// Returns the line and the column of a span.
pub fn line_and_column(span: Span) -> (usize, usize) {
    let Pos { line, column, .. } = start(span);
    (line as usize, column as usize)
}

/// Returns the place in the file of a byte of a literal.
pub fn place(span: Span, literal: &str, byte: usize) -> Pos {
    let start = start(span);
    let before = literal.get(..byte).unwrap_or_default();
    let lines = before.matches('\n').count();
    let column = match before.rfind('\n') {
        None => start.column as usize + before.chars().count(),
        Some(i) => before[i + 1..].chars().count() + 1,
    };
    Pos { line: start.line + lines as u32, column: column as u32, offset: start.offset + byte }
}

/// Returns the file of a span. Empty if the code does not run in a derive.
#[cfg(feature = "source")]
pub fn file(_: Span) -> String {
    String::new()
}

/// Returns the file of a span. Empty if the code does not run in a derive.
#[cfg(not(feature = "source"))]
pub fn file(span: Span) -> String {
    if proc_macro::is_available() { span.unwrap().file() } else { String::new() }
}

#[cfg(feature = "source")]
fn start(span: Span) -> Pos {
    let (at, offset) = (span.start(), span.byte_range().start);
    Pos { line: at.line as u32, column: at.column as u32 + 1, offset }
}

/// proc-macro2 would know the place too, but then all its tokens are larger, which costs every derive time. A derive
/// does not need the offset in the file.
#[cfg(not(feature = "source"))]
fn start(span: Span) -> Pos {
    if !proc_macro::is_available() {
        return Pos { line: 1, column: 1, offset: 0 };
    }
    let span = span.unwrap();
    Pos { line: span.line() as u32, column: span.column() as u32, offset: 0 }
}
