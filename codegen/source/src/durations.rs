//! Finds fields of kube's `Duration` whose schema allows more than the type reads.

use super::Program;
use crate::diag::codes::rust as codes;
use crate::ir::Limits;
use crate::named::Named;
use crate::recipe::Node;
use crdgen_rust::lower::{Item, plain};
use crdgen_rust::report::Report;
use std::collections::HashMap;
use std::rc::Rc;

/// What the type reads.
const PATTERN: &str = r"^(0|-?([0-9]{1,14}(\.[0-9]{1,9})?(ns|us|µs|ms|s|m|h)){1,9})$";

impl Program<'_> {
    /// Warns about fields of kube's `Duration` with the format `duration`, which also allows days and weeks.
    pub(super) fn check_durations(&self, item: usize, lowered: &Item, report: &mut Report) {
        let (input, module) = {
            let item = self.world.item(item);
            (Rc::clone(&item.input), item.module)
        };
        let (syn::Data::Struct(data), Node::Struct(recipe)) = (&input.data, &lowered.node) else { return };
        let is_open = |limits: &Limits| limits.format == "duration" && limits.pattern.is_empty();
        let open = recipe.fields.iter().filter(|field| is_open(&field.patch.set.limits));
        let open: HashMap<_, _> = open.map(|field| (&field.name, field)).collect();
        if open.is_empty() {
            return;
        }
        let names: HashMap<_, _> =
            lowered.places.iter().map(|(name, span)| (span.byte_range(), name)).collect();
        for field in &data.fields {
            let Some(ident) = &field.ident else { continue };
            let own = names.get(&ident.span().byte_range()).and_then(|name| open.get(*name));
            let Some(own) = own else { continue };
            if self.is_duration_of_kube(&field.ty, module) {
                let before = report.findings.len();
                report.warning(
                    ident.span(),
                    &codes::ODD_FORM,
                    "the format `duration` allows texts that kube's `Duration` does not read, such as `7d`",
                    format!("write pattern = r\"{PATTERN}\" instead of the format"),
                );
                report.hide(before, &own.patch.allow);
            }
        }
    }

    fn is_duration_of_kube(&self, ty: &syn::Type, module: usize) -> bool {
        let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = ty else { return false };
        let Some(last) = path.segments.last() else { return false };
        if let ("Option", syn::PathArguments::AngleBracketed(list)) = (&*plain(&last.ident), &last.arguments)
        {
            return list.args.iter().any(|argument| match argument {
                syn::GenericArgument::Type(ty) => self.is_duration_of_kube(ty, module),
                _ => false,
            });
        }
        if last.ident != "Duration" {
            return false;
        }
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let is_kube = |path: &str| path.starts_with("kube::core::") || path.starts_with("kube_core::");
        match self.world.resolve(module, &names, path.leading_colon.is_some()) {
            Some(Named::Item(item)) => self.world.is_of_crate(item, "kube_core"),
            Some(Named::Foreign(full)) => is_kube(&full),
            Some(
                Named::Module(_)
                | Named::Alias(..)
                | Named::Function(..)
                | Named::Constant(..)
                | Named::Member(..),
            ) => false,
            None => is_kube(&names.join("::")),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{CrateSource, Program, Sources};

    struct One(String);

    impl Sources for One {
        fn read(&mut self, path: &str) -> Option<String> {
            (path == "lib.rs").then(|| self.0.clone())
        }

        fn extern_crate(&mut self, _: &CrateSource, _: &str) -> Option<CrateSource> {
            None
        }
    }

    #[test]
    fn durations_of_kube_need_a_pattern() {
        for (field, is_wrong) in [
            ("#[schema(as = \"String\", format = \"duration\")] pub f: Duration", true),
            ("#[schema(as = \"String\", format = \"duration\")] pub f: Option<kube::core::Duration>", true),
            ("#[schema(as = \"String\", format = \"duration\", pattern = \"^1s$\")] pub f: Duration", false),
            ("#[schema(as = \"String\", pattern = \"^1s$\")] pub f: Duration", false),
            ("#[schema(as = \"String\", format = \"duration\")] pub f: own::Duration", false),
            ("#[schema(format = \"duration\")] pub f: String", false),
        ] {
            let text = format!(
                "use kube::core::Duration;\n#[derive(crdgen::CustomResource, crdgen::Schema, Serialize, Deserialize)]\n\
                 #[kube(group = \"e.com\", version = \"v1\", kind = \"A\")]\npub struct ASpec {{ {field} }}\nmod own {{ pub struct Duration(String); }}"
            );
            let root = CrateSource {
                name: "lib".into(),
                id: "lib".into(),
                root: "lib.rs".into(),
                cfgs: Default::default(),
                environment: Vec::new(),
                dependency: None,
            };
            let mut sources = One(text);
            let program = Program::new(&mut sources, root);
            program.kinds(&|_, _| true);
            let codes: Vec<&str> = program.found().iter().map(|found| found.diag.code.id).collect();
            assert_eq!(codes, if is_wrong { vec!["RST044"] } else { Vec::new() }, "{field}");
        }
    }
}
