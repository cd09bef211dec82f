//! Mistakes in `#[versioned(…)]`: each case in `versioned/mistakes.txt` has one, which is reported once, at its tokens and
//! with help. `UPDATE=1` writes the answers anew.

use crdgen_core::read::rust::versioned::expand;
use crdgen_core::read::rust::{Finding, Report};
use std::fmt::Write;
use std::path::Path;
use syn::Meta;
use syn::parse::Parser;

/// The arguments of the attribute, which is the first one, and the item without it.
fn parts(code: &str) -> syn::Result<(proc_macro2::TokenStream, proc_macro2::TokenStream)> {
    let mut tokens: Vec<proc_macro2::TokenTree> =
        code.parse::<proc_macro2::TokenStream>()?.into_iter().collect();
    let item = tokens.split_off(2);
    let attribute = syn::Attribute::parse_outer.parse2(tokens.into_iter().collect())?.remove(0);
    let arguments = match attribute.meta {
        Meta::List(list) => list.tokens,
        Meta::Path(_) | Meta::NameValue(_) => proc_macro2::TokenStream::new(),
    };
    Ok((arguments, item.into_iter().collect()))
}

#[test]
fn reports_every_mistake_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/versioned");
    let cases = std::fs::read_to_string(folder.join("mistakes.txt")).unwrap_or_else(|e| panic!("{e}"));
    let mut out = String::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases.split("## ").skip(1) {
        let (name, code) = case.split_once('\n').unwrap_or((case, ""));
        let (arguments, item) = parts(code).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut report = Report::default();
        _ = expand(arguments, item, &mut report);
        let [Finding { diag, span, .. }] = report.findings.as_slice() else {
            let texts: Vec<&str> = report.findings.iter().map(|finding| &*finding.diag.detail).collect();
            wrong.push(format!("{name}: {texts:?}"));
            continue;
        };
        let token = &code[span.byte_range()];
        let help = diag.help.as_deref().unwrap_or_else(|| panic!("{name}: there is no help"));
        _ = write!(
            out,
            "## {name}\n{}: {}: `{token}`\n{}\n  help: {help}\n\n",
            diag.code.id,
            span.start().line,
            diag.detail
        );
        count += 1;
    }
    assert!(wrong.is_empty(), "not one mistake: {wrong:#?}");
    assert!(count >= 40, "there are {count} cases");
    let expected = folder.join("mistakes.out");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&expected, &out).unwrap_or_else(|e| panic!("{e}"));
    }
    let expected = std::fs::read_to_string(&expected).unwrap_or_default();
    assert_eq!(out, expected);
}
