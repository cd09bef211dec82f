//! The lines that a project must change for types whose schema only schemars knows.

use crate::types::{Instance, Scope};
use crate::{At, Program};
use crdgen_rust::lower::plain;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Program<'_> {
    /// The fields and statuses of the first crate with types of dependencies that only derive schemars' `JsonSchema`,
    /// with the attribute that each needs. The kinds must have been read before.
    pub(crate) fn wrapped(&self) -> Vec<(At, String, String)> {
        if self.has_moved() {
            return Vec::new();
        }
        // A type that is not found is reported where it is read, so the error is not needed here.
        let (mut out, _) = self.found.apart(|| self.all_wrapped());
        out.sort_by(|(a, ..), (b, ..)| (&a.file, a.start.line).cmp(&(&b.file, b.start.line)));
        out
    }

    fn all_wrapped(&self) -> Vec<(At, String, String)> {
        let mut items = Vec::new();
        self.lowered.each(|item, _| items.push(*item));
        items.sort_unstable();
        let mut out = Vec::new();
        for item in items {
            self.wrapped_in(item, &mut out);
        }
        for (item, kind) in self.roots.all() {
            let Some(status) = kind.status.as_ref().filter(|_| kind.status_as.is_none()) else { continue };
            let scope = Scope { item: Some(item), ..Scope::new(self.world.item(item).module, Vec::new()) };
            if let (Some(new), Some(at)) = (self.wrap(status, &scope), self.world.at(item, status.span())) {
                out.push((
                    at,
                    format!("status = \"{}\"", text(status)),
                    format!("add #[schema(status_as = \"{new}\")]"),
                ));
            }
        }
        out
    }

    fn wrapped_in(&self, item: usize, out: &mut Vec<(At, String, String)>) {
        let (input, module) = {
            let world = &self.world;
            let it = world.item(item);
            if !world.is_of_first_crate(it.module) {
                return;
            }
            (Rc::clone(&it.input), it.module)
        };
        let scope = Scope { item: Some(item), ..Scope::new(module, Vec::new()) };
        let fields: Vec<&syn::Field> = match &input.data {
            syn::Data::Struct(data) => data.fields.iter().collect(),
            syn::Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
            syn::Data::Union(_) => Vec::new(),
        };
        for field in fields {
            if field.attrs.iter().any(|it| gives_schema(it.meta.to_token_stream())) {
                continue;
            }
            if let (Some(new), Some(at)) =
                (self.wrap(&field.ty, &scope), self.world.at(item, field.ty.span()))
            {
                let name = field.ident.as_ref().map(|name| format!("{}: ", plain(name))).unwrap_or_default();
                out.push((
                    at,
                    format!("{name}{}", text(&field.ty)),
                    format!("add #[schema(as = \"{new}\")]"),
                ));
            }
        }
    }

    /// The type with `crdgen::Schemars` around the parts whose schema only schemars knows. None if there are none.
    fn wrap(&self, ty: &syn::Type, scope: &Scope) -> Option<String> {
        let syn::Type::Path(it) = ty else { return None };
        if matches!(self.instance(self.type_of(ty, scope)), Instance::BySchemars(_)) {
            return Some(format!("crdgen::Schemars<{}>", text(ty)));
        }
        let syn::PathArguments::AngleBracketed(list) = &it.path.segments.last()?.arguments else {
            return None;
        };
        let mut is_wrapped = false;
        let arguments: Vec<String> = list
            .args
            .iter()
            .map(|argument| match argument {
                syn::GenericArgument::Type(inner) => match self.wrap(inner, scope) {
                    Some(new) => {
                        is_wrapped = true;
                        new
                    }
                    None => text(inner),
                },
                other => text(other),
            })
            .collect();
        let names: Vec<String> = it.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        is_wrapped.then(|| format!("{}<{}>", names.join("::"), arguments.join(", ")))
    }
}

/// Whether an attribute replaces or removes the schema of a field's type.
fn gives_schema(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => ["skip", "with", "schema_with"].iter().any(|key| name == key),
        TokenTree::Group(group) => gives_schema(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn text(it: &(impl Spanned + ToTokens)) -> String {
    let written =
        it.span().source_text().unwrap_or_else(|| it.to_token_stream().to_string().replace(' ', ""));
    // The type of a status is in a literal.
    written.trim_matches('"').to_owned()
}
