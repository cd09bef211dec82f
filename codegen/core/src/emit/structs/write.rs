//! A plan as text: item by item, so that never more than one of them is there as tokens.

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes;
use super::model::*;
use super::options::{Layout, Options};
use super::render::{Context, Needs};

/// What makes text of the tokens of some items.
pub type Format<'f, E> = &'f mut dyn FnMut(TokenStream) -> Result<String, E>;

/// All of it as one file: a module in a module for each path.
///
/// # Errors
/// Those of `format`.
pub fn file<E>(plan: &Plan, options: &Options, format: Format<'_, E>) -> Result<String, E> {
    let mut writer = Writer { context: Context::new(plan, options), format, out: String::new() };
    if let (Layout::Flat, [module]) = (options.layout, &plan.modules[..]) {
        writer.item(Context::lints(), 0)?;
        writer.items(module, 0)?;
        return Ok(writer.out);
    }
    for (i, module) in plan.modules.iter().enumerate() {
        let [group, _] = &module.path[..] else {
            writer.module(module, 0)?;
            continue;
        };
        let of_group = |m: &&Module| m.path.len() == 2 && m.path[0] == *group;
        // All modules of a group stand where the first of them does.
        if plan.modules.iter().position(|m| of_group(&m)) == Some(i) {
            let head = writer.context.group(module);
            writer.open(head, 0)?;
            for module in plan.modules.iter().filter(of_group) {
                writer.module(module, 1)?;
            }
            writer.close(0);
        }
    }
    Ok(writer.out)
}

/// A file per module, by its path; the files of modules with modules in them come first.
///
/// # Errors
/// Those of `format`.
pub fn files<E>(
    plan: &Plan,
    options: &Options,
    format: Format<'_, E>,
) -> Result<Vec<(Vec<String>, String)>, E> {
    let mut writer = Writer { context: Context::new(plan, options), format, out: String::new() };
    let mut root = String::new();
    let mut groups: Vec<(&Module, String)> = Vec::new();
    let mut inner = Vec::new();
    for module in &plan.modules {
        let declaration = writer.context.declaration(module);
        writer.item(declaration, 0)?;
        let declaration = std::mem::take(&mut writer.out);
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
        add(place, &declaration);
        writer.items(module, 0)?;
        inner.push((module.path.clone(), std::mem::take(&mut writer.out)));
    }
    for (module, _) in &groups {
        let head = writer.context.group(module);
        writer.item(quote! { #head; }, 0)?;
        add(&mut root, &std::mem::take(&mut writer.out));
    }
    let mut out = vec![(Vec::new(), root)];
    out.extend(groups.into_iter().map(|(m, text)| (vec![m.path[0].clone()], text)));
    out.extend(inner);
    Ok(out)
}

/// Adds an item with an empty line before it.
fn add(text: &mut String, item: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(item);
}

struct Writer<'a, 'f, E> {
    context: Context<'a>,
    format: Format<'f, E>,
    out: String,
}

impl<E> Writer<'_, '_, E> {
    fn module(&mut self, module: &Module, depth: usize) -> Result<(), E> {
        let head = self.context.head(module);
        self.open(head, depth)?;
        self.items(module, depth + 1)?;
        self.close(depth);
        Ok(())
    }

    /// The beginning of a module.
    fn open(&mut self, head: TokenStream, depth: usize) -> Result<(), E> {
        if self.out.ends_with("}\n") {
            self.out.push('\n');
        }
        self.item(quote! { #head {} }, depth)?;
        self.out.truncate(self.out.trim_end().trim_end_matches('}').len());
        self.out.push('\n');
        Ok(())
    }

    fn close(&mut self, depth: usize) {
        self.out.push_str(&"    ".repeat(depth));
        self.out.push_str("}\n");
    }

    /// What is in a module: what it uses is known last and stands first.
    fn items(&mut self, module: &Module, depth: usize) -> Result<(), E> {
        let before = self.out.len();
        let mut needs = Needs::default();
        for &id in &module.types {
            self.out.push('\n');
            let tokens = self.context.type_def(id, &mut needs);
            self.item(tokens, depth)?;
        }
        if needs.present {
            self.out.push('\n');
            self.item(Context::present(), depth)?;
        }
        let body = self.out.split_off(before);
        let uses = self.context.uses(module, &needs);
        self.item(uses, depth)?;
        self.out.push_str(&body);
        Ok(())
    }

    fn item(&mut self, tokens: TokenStream, depth: usize) -> Result<(), E> {
        let text = (self.format)(tokens)?;
        attributes::insert(&text, &self.context.attributes.take(), depth * 4, &mut self.out);
        Ok(())
    }
}
