//! Writes a plan as text: modules, their imports, and their items.

use proc_macro2::{LexError, TokenStream};

use super::attributes::Attribute;
use super::code::Code;
use super::model::*;
use super::options::{Layout, Options};
use super::render::{Context, Needs, PRESENT, feature, ident, map_name};

/// Authors of CRDs wrote the doc comments and chose the structure of the types, so lints are of no use here.
/// The derive reports its warnings as uses of something deprecated. Authors of a CRD can change it, and those who import it cannot.
const LINTS: &str = "clippy::all, deprecated, rustdoc::all";

/// Writes all code as one file, with nested modules for the paths.
pub fn file(plan: &Plan, options: &Options) -> String {
    let writer = Writer { context: Context::new(plan, options) };
    match (options.layout, &plan.modules[..]) {
        (Layout::Flat, [module]) => format!("#![allow({LINTS})]\n{}", writer.items(module, 0).into_text()),
        _ => writer.modules(),
    }
}

/// Writes all code as tokens, for a compiler.
///
/// # Errors
/// Fails if the code is not valid Rust, which would be a bug in crdgen.
pub fn tokens(plan: &Plan, options: &Options) -> Result<TokenStream, LexError> {
    Writer { context: Context::new(plan, options) }.modules().parse()
}

/// Writes one file per module, and returns the files with the paths of their modules. Files of modules that contain
/// modules come first.
pub fn files(plan: &Plan, options: &Options) -> Vec<(Vec<String>, String)> {
    let writer = Writer { context: Context::new(plan, options) };
    let mut root = String::new();
    let mut groups: Vec<(&Module, String)> = Vec::new();
    let mut inner = Vec::new();
    for module in &plan.modules {
        let mut declaration = Code::default();
        writer.about(module, &mut declaration);
        declaration.lines(&format!("pub mod {};", module_name(module)));
        let place = match &module.path[..] {
            [group, _] => match groups.iter().position(|(m, _)| m.path[0] == *group) {
                Some(at) => &mut groups[at].1,
                None => {
                    groups.push((module, String::new()));
                    let last = groups.len() - 1;
                    &mut groups[last].1
                }
            },
            _ => &mut root,
        };
        add(place, &declaration.into_text());
        inner.push((module.path.clone(), writer.items(module, 0).into_text()));
    }
    for (module, _) in &groups {
        let mut declaration = Code::default();
        writer.about_group(module, &mut declaration);
        declaration.lines(&format!("pub mod {};", ident(&module.path[0])));
        add(&mut root, &declaration.into_text());
    }
    let mut out = vec![(Vec::new(), root)];
    out.extend(groups.into_iter().map(|(m, text)| (vec![m.path[0].clone()], text)));
    out.extend(inner);
    out
}

/// Adds an item with an empty line before it.
fn add(text: &mut String, item: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(item);
}

fn module_name(module: &Module) -> std::borrow::Cow<'_, str> {
    ident(module.path.last().map_or("", String::as_str))
}

struct Writer<'a> {
    context: Context<'a>,
}

impl Writer<'_> {
    /// All modules, in modules of their groups.
    fn modules(&self) -> String {
        let plan = self.context.plan;
        let mut code = Code::default();
        for (i, module) in plan.modules.iter().enumerate() {
            let [group, _] = &module.path[..] else {
                self.module(module, &mut code, 0);
                continue;
            };
            let of_group = |m: &&Module| m.path.len() == 2 && m.path[0] == *group;
            // The first module of a group writes all of them.
            if plan.modules.iter().position(|m| of_group(&m)) == Some(i) {
                let mut inner = code.members();
                for module in plan.modules.iter().filter(of_group) {
                    self.module(module, &mut inner, 1);
                }
                code.blank_between();
                self.about_group(module, &mut code);
                code.braces(&format!("pub mod {}", ident(group)), inner);
            }
        }
        code.into_text()
    }

    fn module(&self, module: &Module, code: &mut Code, depth: usize) {
        code.blank_between();
        self.about(module, code);
        code.braces(&format!("pub mod {}", module_name(module)), self.items(module, depth + 1));
    }

    /// Writes the comment above a module.
    fn about(&self, module: &Module, code: &mut Code) {
        code.attribute(&Attribute::docs(&module.docs));
        // A module inside the module of its group does not repeat the comment above that.
        if module.path.len() < 2 {
            code.lines(&format!("#[allow({LINTS})]"));
        }
    }

    /// Writes the comment above the module of a group.
    fn about_group(&self, module: &Module, code: &mut Code) {
        code.attribute(&Attribute::docs(&format!("`{}`", module.group)));
        code.lines(&format!("#[allow({LINTS})]"));
        if self.context.options.features {
            code.lines(&format!("#[cfg(feature = \"{}\")]", feature(&module.group)));
        }
    }

    /// The content of a module. Its imports are only known at the end, but are written first.
    fn items(&self, module: &Module, depth: usize) -> Code {
        let mut body = Code::inside(depth);
        let mut needs = Needs::default();
        for &id in &module.types {
            body.blank();
            self.context.type_def(id, &mut body, &mut needs);
        }
        if needs.present {
            body.blank();
            body.lines(PRESENT);
        }
        let mut code = Code::inside(depth);
        self.uses(module, &needs, &mut code);
        code.append(body);
        code
    }

    fn uses(&self, module: &Module, needs: &Needs, code: &mut Code) {
        let Context { plan, options, .. } = &self.context;
        for (up, ids) in &module.imports {
            let names: Vec<_> = ids.iter().map(|id| ident(&plan.types[*id].name)).collect();
            let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
            let path = "super::".repeat(*up) + "shared";
            // The imports are for users of the module, so the module itself may not use all of them.
            if module.kinds.is_empty() {
                code.uses(&format!("use {path}"), &names);
            } else {
                code.lines("#[allow(unused_imports)]");
                code.uses(&format!("pub use {path}"), &names);
            }
        }
        let krate = &options.crate_path;
        let derives = [
            (options.apply, "Apply"),
            (options.schema && needs.root && !options.kube, "CustomResource"),
            (options.schema, "Schema"),
        ];
        let derives: Vec<&str> = derives.into_iter().filter(|(is_used, _)| *is_used).map(|it| it.1).collect();
        if !derives.is_empty() {
            code.uses(&format!("use {krate}"), &derives);
        }
        if options.schema && needs.root && options.kube {
            code.lines(&format!("use {krate}::kube::CustomResource;"));
        }
        for (path, alias) in &needs.kubernetes {
            let renamed = !path.ends_with(&format!("::{alias}"));
            let renamed = if renamed { format!(" as {}", ident(alias)) } else { String::new() };
            code.lines(&format!("use k8s_openapi::{path}{renamed};"));
        }
        if !options.schema && options.kube && needs.root {
            code.lines("use kube::CustomResource;");
        }
        code.lines("use serde::{Deserialize, Serialize};");
        if needs.map {
            code.lines(&format!("use std::collections::{};", map_name(options.map)));
        }
    }
}
