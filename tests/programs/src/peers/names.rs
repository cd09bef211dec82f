//! Whether code has the names that other code has: those of types, of their fields and variants.

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::{Fields, Item, Visibility};

/// The public types of a file with their fields and variants, and the types of the fields.
pub type Names = BTreeMap<String, BTreeMap<String, String>>;

/// How much of one file's names another has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overlap {
    /// Types.
    pub types: Part,
    /// Fields and variants.
    pub members: Part,
    /// Fields of the same type.
    pub typed: Part,
    /// Whether all types are there.
    pub all: bool,
}

/// Some of all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Part {
    /// Some.
    pub some: usize,
    /// All.
    pub all: usize,
}

impl Part {
    fn count(&mut self, hit: bool) {
        self.all += 1;
        self.some += usize::from(hit);
    }

    /// Adds another.
    pub fn add(&mut self, other: Part) {
        self.some += other.some;
        self.all += other.all;
    }

    /// In percent.
    pub fn percent(self) -> f64 {
        self.some as f64 * 100.0 / self.all.max(1) as f64
    }
}

/// The names in a file.
pub fn of(code: &str) -> Result<Names, syn::Error> {
    let mut out = Names::new();
    for item in syn::parse_file(code)?.items {
        match item {
            Item::Struct(it) if matches!(it.vis, Visibility::Public(_)) => {
                let Fields::Named(fields) = it.fields else { continue };
                let field = |f: syn::Field| (f.ident.map(|i| plain(&i)).unwrap_or_default(), spelled(&f.ty));
                out.insert(it.ident.to_string(), fields.named.into_iter().map(field).collect());
            }
            Item::Enum(it) if matches!(it.vis, Visibility::Public(_)) => {
                let variant = |v: syn::Variant| (plain(&v.ident), String::new());
                out.insert(it.ident.to_string(), it.variants.into_iter().map(variant).collect());
            }
            _ => {}
        }
    }
    Ok(out)
}

/// What of the names of a file is in another.
pub fn overlap(wanted: &Names, found: &Names) -> Overlap {
    let mut out = Overlap::default();
    for (name, members) in wanted {
        let there = found.get(name);
        out.types.count(there.is_some());
        for (member, ty) in members {
            let same = there.and_then(|t| t.get(member));
            out.members.count(same.is_some());
            out.typed.count(same == Some(ty));
        }
    }
    out.all = out.types.some == out.types.all;
    out
}

/// `r#_a` and `_a` are the same.
fn plain(ident: &syn::Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

/// A type without the modules that it is written with.
fn spelled(ty: &syn::Type) -> String {
    let text = ty.to_token_stream().to_string().replace(' ', "").replace(",>", ">");
    ["corev1::", "metav1::", "intstr::", "serde_json::"]
        .iter()
        .fold(text, |text, module| text.replace(module, ""))
}
