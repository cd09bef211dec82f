//! What is found wrong in a source, each with its span. Readers report and go on.

use crate::diag::{Code, Diag, Level};
use crate::path::Path;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use std::fmt::Display;

/// A diagnostic and the tokens it is about.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub diag: Diag,
    /// Where.
    pub span: Span,
}

/// All findings of a reading.
#[derive(Debug, Default)]
pub struct Report {
    /// In the order they were found.
    pub findings: Vec<Finding>,
}

impl Report {
    /// An error with what to do about it.
    pub fn error(&mut self, span: Span, code: &'static Code, message: impl Display, help: impl Display) {
        self.add(span, code, Level::Error, message, help);
    }

    /// A warning with what to do about it.
    pub fn warning(&mut self, span: Span, code: &'static Code, message: impl Display, help: impl Display) {
        self.add(span, code, Level::Warning, message, help);
    }

    fn add(
        &mut self,
        span: Span,
        code: &'static Code,
        level: Level,
        message: impl Display,
        help: impl Display,
    ) {
        let mut diag = Diag::own(code, level, &Path::ROOT, message.to_string());
        let help = help.to_string();
        diag.help = (!help.is_empty()).then_some(help);
        self.findings.push(Finding { diag, span });
    }

    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.diag.level == Level::Error)
    }

    /// The errors for the compiler: one `compile_error!` each, at its tokens.
    pub fn compile_errors(&self) -> TokenStream {
        let errors = self.findings.iter().filter(|f| f.diag.level == Level::Error).map(|finding| {
            let Diag { code, detail, help, .. } = &finding.diag;
            let mut text = format!("{detail} [{}]", code.id);
            if let Some(help) = help {
                text.push_str("\n  help: ");
                text.push_str(help);
            }
            let span = finding.span;
            quote_spanned! {span=> ::core::compile_error! { #text } }
        });
        errors.collect()
    }
}

/// The known word nearest to what was written, if it is near enough to be meant.
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |s: &str| s.to_lowercase().replace(['_', '-'], "");
    let word = plain(written);
    known
        .into_iter()
        .map(|candidate| (distance(&word, &plain(candidate)), candidate))
        .filter(|(d, candidate)| *d <= 1 + candidate.len() / 4)
        .min_by_key(|(d, _)| *d)
        .map(|(_, candidate)| candidate)
}

/// Edits between two words, swapped neighbours counted once.
fn distance(a: &str, b: &str) -> usize {
    // Words longer than any key are not worth the walk.
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut rows: Vec<Vec<usize>> = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let same = usize::from(a[i - 1] != b[j - 1]);
                let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + same);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}
