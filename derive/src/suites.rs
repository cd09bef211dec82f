//! `suites!`: generates a test for each case of the suites in a folder. Only `crdgen::suites` knows what a case means.
//! This module only counts and names the cases.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use crdgen_text::value::Value;
use crdgen_text::yaml::{self, Documents};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Error, LitStr, Token, bracketed};

/// `"tests/suites", crds = ["crds", "."]`
struct Input {
    path: LitStr,
    crds: Vec<LitStr>,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> Result<Input, Error> {
        let path = input.parse()?;
        let mut crds = Vec::new();
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let name: Ident = input.parse()?;
            if name != "crds" {
                return Err(Error::new(name.span(), "write `crds = [\"crds\"]`"));
            }
            input.parse::<Token![=]>()?;
            let list;
            bracketed!(list in input);
            crds = Punctuated::<LitStr, Token![,]>::parse_terminated(&list)?.into_iter().collect();
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(Input { path, crds })
    }
}

/// A file or folder with cases: its path below the root, and the key and name of each case.
struct Suite {
    path: String,
    file: PathBuf,
    cases: Vec<(String, String)>,
}

pub(crate) fn expand(input: TokenStream) -> Result<TokenStream, Error> {
    let Input { path, crds } = Input::parse.parse2(input)?;
    let package = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&package).join(path.value());
    let unreadable = |e: io::Error| Error::new(path.span(), format!("{}: {e}", root.display()));
    let suites = suites(&root).map_err(unreadable)?;
    let crds = crds.iter().map(|crd| quote!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #crd)));
    let mut names = BTreeSet::new();
    let module = ident(root.file_stem().unwrap_or_default().to_string_lossy().as_ref(), &mut names);
    let mut known = Vec::new();
    let mut names = BTreeSet::from(["every_case_has_a_test".to_owned()]);
    let modules = suites.iter().map(|Suite { path, file, cases }| {
        let name = ident(path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem), &mut names);
        let mut names = BTreeSet::new();
        let tests = cases.iter().map(|(key, name)| {
            known.push(quote!((#path, #key)));
            let name = ident(name, &mut names);
            quote! {
                #[::core::prelude::v1::test]
                fn #name() {
                    super::SUITES.run(#path, #key);
                }
            }
        });
        let tests: Vec<TokenStream> = tests.collect();
        let file = file.display().to_string();
        // The compiler watches a file that the generated code names, and compiles the test again if the file changes.
        let watched = Path::new(&file).is_file().then(|| {
            quote!(
                const _: &[u8] = ::core::include_bytes!(#file);
            )
        });
        quote!(mod #name { #watched #(#tests)* })
    });
    let modules: Vec<TokenStream> = modules.collect();
    Ok(quote! {
        #[cfg(test)]
        mod #module {
            static SUITES: ::crdgen::suites::Tests = ::crdgen::suites::Tests::new(
                ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #path),
                &[#(#crds),*],
                &[#(#known),*],
            );

            #[::core::prelude::v1::test]
            fn every_case_has_a_test() {
                SUITES.complete();
            }

            #(#modules)*
        }
    })
}

/// A unique name, made of the letters and digits of a text.
fn ident(text: &str, names: &mut BTreeSet<String>) -> Ident {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            if c.is_ascii_uppercase() && name.ends_with(|last: char| last.is_ascii_lowercase()) {
                name.push('_');
            }
            name.push(c.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let mut name = name.trim_end_matches('_').chars().take(80).collect::<String>();
    if syn::parse_str::<Ident>(&name).is_err() {
        name = format!("case_{name}");
    }
    let first = name.clone();
    let mut number = 1;
    while !names.insert(name.clone()) {
        number += 1;
        name = format!("{first}_{number}");
    }
    Ident::new(&name, Span::call_site())
}

/// All suites below a path, as `crdgen::suites` finds them.
fn suites(root: &Path) -> io::Result<Vec<Suite>> {
    let mut out = Vec::new();
    let kind = fs::metadata(root)?;
    if !kind.is_dir() {
        // A pipe may never end.
        if !kind.is_file() {
            return Err(io::Error::other("not a file or folder"));
        }
        out.extend(of_file(root, root)?);
        return Ok(out);
    }
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for file in listed(&folder)? {
            out.extend(of_file(root, &file)?);
        }
        out.extend(of_folder(root, &folder)?);
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && !name.to_string_lossy().starts_with('.') && name != "target" {
                folders.push(entry.path());
            }
        }
    }
    out.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(out)
}

/// The YAML files in a folder, sorted.
fn listed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let is_yaml = |path: &Path| path.extension().is_some_and(|e| e == "yaml" || e == "yml");
    let mut out = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if is_yaml(&path) && path.is_file() {
            out.push(path);
        }
    }
    out.sort();
    Ok(out)
}

fn below(root: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(root).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The lists of cases in a file. A file that cannot be read becomes a case that fails with the reason.
fn of_file(root: &Path, file: &Path) -> io::Result<Option<Suite>> {
    let bytes = fs::read(file)?;
    if !String::from_utf8_lossy(&bytes).contains("tests:") {
        return Ok(None);
    }
    let suite = |cases| Some(Suite { path: below(root, file), file: file.to_owned(), cases });
    let Ok(document) = yaml::read_one(&bytes) else {
        return Ok(suite(vec![(String::new(), "the suite can be read".to_owned())]));
    };
    let Some(Value::Map(lists)) = document.value.get("tests") else { return Ok(None) };
    let mut cases = Vec::new();
    for (list, items) in lists.iter() {
        for (index, case) in items.as_list().unwrap_or_default().iter().enumerate() {
            if case.as_map().is_some() {
                let name = case.get("name").and_then(Value::as_str).unwrap_or_default();
                cases.push((format!("{list}[{index}]"), format!("{list} {name}")));
            }
        }
    }
    Ok(suite(cases))
}

/// The objects in the folders `valid` and `invalid`.
fn of_folder(root: &Path, folder: &Path) -> io::Result<Option<Suite>> {
    let mut cases = Vec::new();
    for name in ["valid", "invalid"] {
        let objects = folder.join(name);
        for file in if objects.is_dir() { listed(&objects)? } else { Vec::new() } {
            let label = format!("{name}/{}", file.file_name().unwrap_or_default().to_string_lossy());
            for number in 1..=Documents::new(&Arc::new(fs::read(&file)?)).count() {
                let key = if number == 1 { label.clone() } else { format!("{label} ({number})") };
                cases.push((key.clone(), key));
            }
        }
    }
    let suite = Suite { path: below(root, folder), file: folder.to_owned(), cases };
    Ok(Some(suite).filter(|suite| !suite.cases.is_empty()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::suites;
    use std::process::Command;

    #[test]
    fn does_not_read_from_a_pipe() {
        let pipe = std::env::temp_dir().join(format!("crdgen-suites-{}", std::process::id()));
        let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
        assert!(made.success());
        let found = suites(&pipe).map(|suites| suites.len()).map_err(|e| e.to_string());
        std::fs::remove_file(&pipe).expect("the pipe can be removed");
        assert_eq!(found, Err("not a file or folder".to_owned()));
    }
}
