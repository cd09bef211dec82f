//! Checks whether code has the same names as other code: of types, and of their fields and variants.

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::{Fields, Item, Visibility};

/// The public types of a file with their fields and variants, and the types of the fields.
pub type Names = BTreeMap<String, BTreeMap<String, String>>;

/// How many of one file's names another file has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overlap {
    /// Types.
    pub types: Part,
    /// Fields and variants.
    pub members: Part,
    /// Fields with the same type.
    pub typed: Part,
    /// Whether the other file has all types.
    pub all: bool,
}

/// A part of a whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Part {
    /// The part.
    pub some: usize,
    /// The whole.
    pub all: usize,
}

impl Part {
    fn count(&mut self, hit: bool) {
        self.all += 1;
        self.some += usize::from(hit);
    }

    /// Adds another part.
    pub fn add(&mut self, other: Part) {
        self.some += other.some;
        self.all += other.all;
    }

    /// Returns the part in percent.
    pub fn percent(self) -> f64 {
        self.some as f64 * 100.0 / self.all.max(1) as f64
    }
}

/// Returns the names in a file.
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

/// Returns how many of the names of one file another one has.
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

/// Returns the plain name: `r#_a` and `_a` are the same.
fn plain(ident: &syn::Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

/// Returns a type without the modules in its path.
fn spelled(ty: &syn::Type) -> String {
    let text = ty.to_token_stream().to_string().replace(' ', "").replace(",>", ">");
    ["corev1::", "metav1::", "intstr::", "serde_json::"]
        .iter()
        .fold(text, |text, module| text.replace(module, ""))
}
