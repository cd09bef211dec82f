//! `crdgen expand`: prints the code that the derives generate, formatted.

use crate::outcome::Outcome;
use crate::terminal::print_code;
use crdgen::__cli::files::{self, Shown};
use crdgen::Error;
use crdgen::source::on_its_stack;
use std::path::PathBuf;

use crdgen_core::span::Pos;
use crdgen_rust::derive::{convert, item, kube};
use crdgen_rust::syntax::nesting;
use crdgen_rust::versioned;
use proc_macro2::TokenStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Item, Path, Token};

/// Show the code that the derives generate for the types in a file, without compiling it
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen expand src/lib.rs CronTabSpec")]
pub(crate) struct Args {
    /// The Rust file
    path: PathBuf,
    /// Show only the types with these names
    types: Vec<String>,
    /// Expand kinds as `crdgen::kube::CustomResource` does
    #[arg(long)]
    kube: bool,
}

type Derive = fn(TokenStream) -> TokenStream;

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    on_its_stack(|| expand(args))
}

fn expand(args: &Args) -> Result<Outcome, Error> {
    let no_rust = |at: Pos, why: String| Error::NoRust {
        path: args.path.clone(),
        line: at.line,
        column: at.column,
        why,
    };
    if files::is_document(&args.path) {
        return Err(Error::Argument(format!("{}: not Rust; pass a .rs file", args.path.shown())));
    }
    let text = files::read_to_string(&args.path).map_err(Error::file(&args.path))?;
    let file = nesting::parse_file(&text).map_err(|fault| {
        let help = fault.help().map_or_else(String::new, |help| format!("; {help}"));
        no_rust(fault.place().start, format!("{fault}{help}"))
    })?;
    let mut out = String::new();
    let (mut items, mut versions) = (Vec::new(), Vec::new());
    with_versions(file.items, &mut items, &mut versions)
        .map_err(|e| no_rust(nesting::place(e.span()).start, e.to_string()))?;
    if args.types.is_empty() {
        versions.iter().for_each(|file| out.push_str(&prettyplease::unparse(file)));
    }
    for (name, derive, tokens) in derived(&items, args.kube) {
        if !args.types.is_empty() && !args.types.iter().any(|t| name == t) {
            continue;
        }
        let failed = |e| no_rust(nesting::place(name.span()).start, format!("the code for {name}: {e}"));
        let code = syn::parse2(derive(tokens)).map_err(failed)?;
        out.push_str(&prettyplease::unparse(&code));
    }
    if out.is_empty() {
        let wanted =
            if args.types.is_empty() { String::new() } else { format!(" {}", args.types.join(", ")) };
        let path = args.path.shown();
        return Err(Error::Nothing(format!(
            "{path}: no type{wanted} that derives Schema, CustomResource or Convert"
        )));
    }
    print_code(&out)?;
    Ok(Outcome::Fine)
}

/// Collects the items of a file, including those in its modules. An item with `#[versioned]` is replaced by the types
/// of all versions, which are generated code too.
fn with_versions(items: Vec<Item>, out: &mut Vec<Item>, generated: &mut Vec<syn::File>) -> syn::Result<()> {
    for mut item in items {
        if let Some((_, arguments)) = versioned::take(&mut item, &|_| true) {
            let item = quote::ToTokens::to_token_stream(&item);
            let file: syn::File =
                nesting::parse2(crdgen_rust::derive::versioned::versioned(arguments, item))?;
            out.extend(file.items.iter().cloned());
            generated.push(file);
        } else if let Item::Mod(syn::ItemMod { content: Some((_, inner)), .. }) = item {
            with_versions(inner, out, generated)?;
        } else {
            out.push(item);
        }
    }
    Ok(())
}

/// Returns the types of a file, including those in its modules. Each comes with a derive that it names, and its tokens.
fn derived(items: &[Item], kube: bool) -> Vec<(&Ident, Derive, TokenStream)> {
    let mut out = Vec::new();
    for item in items {
        let (name, attributes) = match item {
            Item::Struct(item) => (&item.ident, &item.attrs),
            Item::Enum(item) => (&item.ident, &item.attrs),
            Item::Mod(module) => {
                let inner = module.content.iter().flat_map(|(_, items)| derived(items, kube));
                out.extend(inner);
                continue;
            }
            _ => continue,
        };
        let derives = attributes.iter().flat_map(derives).filter_map(|path| ours(&path, kube));
        out.extend(derives.map(|derive| (name, derive, quote::ToTokens::to_token_stream(item))));
    }
    out
}

/// Returns what an attribute derives. Empty for any other attribute.
fn derives(attribute: &Attribute) -> Punctuated<Path, Token![,]> {
    let derive = attribute.path().is_ident("derive");
    let paths = derive.then(|| attribute.parse_args_with(Punctuated::parse_terminated));
    paths.and_then(Result::ok).unwrap_or_default()
}

fn ours(path: &Path, kube: bool) -> Option<Derive> {
    let name = path.segments.last()?.ident.to_string();
    match name.as_str() {
        "Schema" => Some(item::schema),
        "JsonSchema" | "KubeSchema" => Some(item::json_schema),
        "Convert" => Some(convert::convert),
        "CustomResource" if kube => Some(kube::custom_resource),
        "CustomResource" => Some(item::custom_resource),
        _ => None,
    }
}
