//! Mistakes in `#[convert(…)]` and `#[versioned(…)]`. Each case in `mistakes/*.txt` has one mistake, which is reported
//! once, at its tokens and with help. `UPDATE=1` writes the messages again.

use crdgen_rust::convert::plan;
use crdgen_rust::versioned::expand;
use crdgen_rust::{Finding, Report};
use proc_macro2::{TokenStream, TokenTree};
use std::fmt::Write;
use std::path::Path;
use syn::Meta;
use syn::parse::Parser;

/// Compares the findings about the cases in a file with the expected ones next to it.
#[track_caller]
fn compare(file: &str, read: impl Fn(&str, &mut Report) -> syn::Result<()>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let cases = std::fs::read_to_string(folder.join(file).with_extension("txt")).expect("the cases");
    let mut out = String::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases.split("## ").skip(1) {
        let (name, code) = case.split_once('\n').unwrap_or((case, ""));
        let mut report = Report::default();
        read(code, &mut report).unwrap_or_else(|e| panic!("{name}: {e}"));
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
    let expected = folder.join(file).with_extension("out");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&expected, &out).expect("the messages can be written");
    }
    assert_eq!(out, std::fs::read_to_string(&expected).unwrap_or_default());
}

#[test]
fn reports_every_mistake_in_convert_once() {
    compare("convert", |code, report| {
        _ = plan(&syn::parse_str(code)?, &|_| true, report);
        Ok(())
    });
}

#[test]
fn reports_every_mistake_in_versioned_once() {
    compare("versioned", |code, report| {
        let (arguments, item) = attribute_and_item(code)?;
        _ = expand(arguments, item, report);
        Ok(())
    });
}

/// Returns the arguments of the first attribute, and the item without it.
fn attribute_and_item(code: &str) -> syn::Result<(TokenStream, TokenStream)> {
    let mut tokens: Vec<TokenTree> = code.parse::<TokenStream>()?.into_iter().collect();
    let item = tokens.split_off(2);
    let attribute = syn::Attribute::parse_outer.parse2(tokens.into_iter().collect())?.remove(0);
    let arguments = match attribute.meta {
        Meta::List(list) => list.tokens,
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    };
    Ok((arguments, item.into_iter().collect()))
}
