//! Resolves paths to what they name.

use super::foreign::{is_known, without_prelude};
use super::modules::Contents;
use super::named::{Named, Names, Search};
use crate::recipe::known;
use crdgen_rust::syntax::nesting;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// Chains of `use` in real code are shorter.
const MAX_HOPS: usize = 64;

/// The names that a search has looked up. Modules may import each other, so each name is looked up once. It is `None` while its search
/// is not finished, or if it is not there.
type Seen = HashMap<Search, Option<Named>>;

impl Contents<'_> {
    /// Resolves a path in a module.
    pub(super) fn resolve(&mut self, module: usize, path: &[String], leading: bool) -> Option<Named> {
        self.walk(module, path, leading, 0, &mut Seen::new())
    }

    fn walk(
        &mut self,
        module: usize,
        path: &[String],
        leading: bool,
        hops: usize,
        seen: &mut Seen,
    ) -> Option<Named> {
        let (first, rest) = path.split_first()?;
        if hops > MAX_HOPS {
            return None;
        }
        let krate = self.modules[module].krate;
        let mut at = match first.as_str() {
            _ if leading => self.outside(krate, first).unwrap_or_else(|| Named::Foreign(first.clone())),
            "crate" => Named::Module(self.crates[krate].root),
            "self" => Named::Module(self.around(module)),
            "super" => Named::Module(self.modules[self.around(module)].parent?),
            name => match self.inside(module, name, hops, Names::All, seen) {
                Some(found) => found,
                // No crate has one of these names, and searching for crates takes long.
                None => match prelude(name) {
                    Some(full) => Named::Foreign(full),
                    None => match self.outside(krate, name) {
                        Some(found) => found,
                        // A type of a crate that cannot be read may still be known by its path.
                        None if !rest.is_empty() => Named::Foreign(name.to_owned()),
                        None => return None,
                    },
                },
            },
        };
        for (i, name) in rest.iter().enumerate() {
            at = match at {
                Named::Module(m) if name == "super" => Named::Module(self.modules[m].parent?),
                Named::Module(m) => {
                    let names = self.visible_names(module, m);
                    match self.inside(m, name, hops + 1, names, seen) {
                        Some(found) => found,
                        None => {
                            // A macro or a build script may generate the module.
                            return Some(Named::Foreign(format!(
                                "{}::{}",
                                self.module_name(m),
                                rest[i..].join("::")
                            )));
                        }
                    }
                }
                Named::Foreign(path) => Named::Foreign(format!("{path}::{name}")),
                Named::Alias(alias, m) => {
                    // For example, `Alias::new`.
                    Named::Member(Box::new(Named::Alias(alias, m)), name.clone())
                }
                item @ (Named::Item(_) | Named::Member(..)) => Named::Member(Box::new(item), name.clone()),
                Named::Function(..) | Named::Constant(..) => return None,
            };
        }
        Some(at)
    }

    /// The full path of a name. It follows `use` in the crate itself, and does not read other crates.
    pub(super) fn spelled(&self, module: usize, path: &[String]) -> Vec<String> {
        let mut seen = HashSet::new();
        let spelled = self.spell(module, path, &mut seen, 0);
        if let [name] = spelled.as_slice()
            && path.len() == 1
        {
            self.not_spelled.borrow_mut().extend(seen.into_iter().map(|module| (module, name.clone())));
        }
        spelled
    }

    /// `seen` are the modules whose globs have been searched.
    fn spell(&self, module: usize, path: &[String], seen: &mut HashSet<usize>, hops: usize) -> Vec<String> {
        let Some((first, rest)) = path.split_first().filter(|_| hops < MAX_HOPS) else {
            return path.to_vec();
        };
        let m = &self.modules[module];
        let inside = match first.as_str() {
            "crate" => Some(self.crates[m.krate].root),
            "self" => Some(self.around(module)),
            "super" => self.modules[self.around(module)].parent,
            name => m.modules.get(name).copied(),
        };
        if let Some(inside) = inside {
            return self.spell(inside, rest, seen, hops + 1);
        }
        if let Some(found) = m.uses.iter().find(|u| u.name.as_ref() == Some(first)) {
            let path = [&found.path, rest].concat();
            let is_final = found.leading || found.path.first() == Some(first);
            return if is_final { path } else { self.spell(module, &path, seen, hops + 1) };
        }
        let is_known = rest.is_empty() && self.not_spelled.borrow().contains(&(module, first.clone()));
        if is_known || !seen.insert(module) {
            return path.to_vec();
        }
        for glob in m.uses.iter().filter(|u| u.name.is_none()) {
            let path = [&glob.path, path].concat();
            if self.is_own(module, &path) {
                let spelled = self.spell(module, &path, seen, hops + 1);
                if spelled.len() > 1 {
                    return spelled;
                }
            } else if path.first().is_some_and(|name| name == "kube" || name == "crdgen") {
                return path;
            }
        }
        match m.parent.filter(|_| m.is_block) {
            Some(parent) => self.spell(parent, path, seen, hops + 1),
            None => path.to_vec(),
        }
    }

    /// Whether a path starts in the crate itself.
    fn is_own(&self, module: usize, path: &[String]) -> bool {
        path.first().is_some_and(|first| {
            ["crate", "self", "super"].contains(&first.as_str())
                || self.modules[module].modules.contains_key(first)
        })
    }

    /// Resolves a full path of a crate whose types are known by their paths, and whose source is only read now.
    pub(super) fn resolve_in_crate(&mut self, module: usize, full: &str) -> Option<Named> {
        let (name, rest) = full.split_once("::")?;
        let krate = self.extern_crate(self.modules[module].krate, name)?;
        let root = self.crates[krate].root;
        let path: Vec<String> = std::iter::once("crate").chain(rest.split("::")).map(str::to_owned).collect();
        let leading = false;
        match self.resolve(root, &path, leading)? {
            Named::Foreign(_) => None,
            named => Some(named),
        }
    }

    /// The path by which other crates can name what a module declares, if there is one. It goes through public modules
    /// and public `use`. The shortest path is chosen.
    pub(super) fn exported(&mut self, module: usize, name: &str) -> Option<String> {
        let raw = |name: &str| match nesting::is_identifier(name) {
            true => name.to_owned(),
            false => format!("r#{name}"),
        };
        let krate = self.modules[module].krate;
        let mut seen = HashSet::from([self.crates[krate].root]);
        let mut waiting = VecDeque::from([(self.crates[krate].root, String::new())]);
        while let Some((at, path)) = waiting.pop_front() {
            if at == module {
                return Some(path + &raw(name));
            }
            let below = |name: &str| format!("{path}{}::", raw(name));
            let children = self.modules[at].modules.iter().filter(|(_, m)| self.modules[**m].exported);
            let mut next: Vec<(usize, String)> = children.map(|(n, m)| (*m, below(n))).collect();
            next.sort();
            let uses = self.modules[at].uses.iter().filter(|u| u.exported);
            let uses: Vec<_> = uses.map(|u| (u.name.clone(), u.path.clone(), u.leading)).collect();
            for (as_name, target, leading) in uses {
                let Some((last, modules)) = target.split_last() else { continue };
                // The sources contain no items that derives generate, so it is enough that the module is found.
                let is_here = |world: &mut Self, path: &[String]| match path {
                    [] => at == module,
                    _ => matches!(world.resolve(at, path, leading), Some(Named::Module(m)) if m == module),
                };
                match as_name {
                    Some(as_name) if last == name && is_here(self, modules) => {
                        return Some(path + &raw(&as_name));
                    }
                    Some(as_name) => {
                        if let Some(Named::Module(m)) = self.resolve(at, &target, leading) {
                            next.push((m, below(&as_name)));
                        }
                    }
                    None => {
                        if let Some(Named::Module(m)) = self.resolve(at, &target, leading) {
                            next.push((m, path.clone()));
                        }
                    }
                }
            }
            for (m, path) in next {
                if self.modules[m].krate == krate && seen.insert(m) {
                    waiting.push_back((m, path));
                }
            }
        }
        None
    }

    /// Whether a module is another one or below it, so that it can use the private names there.
    fn is_within(&self, module: usize, other: usize) -> bool {
        std::iter::successors(Some(module), |at| self.modules[*at].parent).any(|at| at == other)
    }

    /// Finds a name that a module declares.
    fn declared(&self, module: usize, name: &str) -> Option<Named> {
        let m = &self.modules[module];
        if let Some(item) = m.types.get(name) {
            return Some(Named::Item(*item));
        }
        if let Some(alias) = m.aliases.get(name) {
            return Some(Named::Alias(Rc::clone(alias), module));
        }
        if let Some(child) = m.modules.get(name) {
            return Some(Named::Module(*child));
        }
        if let Some(function) = m.functions.get(name) {
            return Some(Named::Function(Rc::clone(function), module));
        }
        Some(Named::Constant(Rc::clone(m.constants.get(name)?), module))
    }

    /// Whether only the module that declares this, and those below it, can use it.
    /// The names of a module that another one can use.
    fn visible_names(&self, user: usize, module: usize) -> Names {
        if self.is_within(user, module) { Names::All } else { Names::Public }
    }

    fn is_private(&self, named: &Named) -> bool {
        let vis = match named {
            Named::Item(item) => &self.item(*item).input.vis,
            Named::Alias(alias, _) => &alias.vis,
            Named::Function(function, _) => &function.vis,
            Named::Module(module) => return self.modules[*module].private,
            Named::Constant(..) | Named::Foreign(_) | Named::Member(..) => return false,
        };
        matches!(vis, syn::Visibility::Inherited)
    }

    /// Finds a name that a module declares or imports. Modules may import each other by globs, so each module is searched once.
    fn inside(
        &mut self,
        module: usize,
        name: &str,
        hops: usize,
        names: Names,
        seen: &mut Seen,
    ) -> Option<Named> {
        if hops > MAX_HOPS {
            return None;
        }
        let is_first = seen.is_empty();
        let found = self.search(module, name, hops, names, seen);
        // A search for one name that found nothing in all these modules need not be repeated, wherever it began.
        if is_first && seen.keys().all(|(_, own, _)| own == name) {
            if found.is_none() {
                self.absent.extend(seen.keys().cloned());
            } else {
                self.found_names.insert((module, name.to_owned(), names), found.clone());
            }
        }
        found
    }

    fn search(
        &mut self,
        module: usize,
        name: &str,
        hops: usize,
        names: Names,
        seen: &mut Seen,
    ) -> Option<Named> {
        let start = (module, name.to_owned(), names);
        if let Some(known) = self.found_names.get(&start) {
            return known.clone();
        }
        // If a module imports something that cannot be found, another glob may still import the name.
        let mut unread = None;
        let mut open = vec![(Named::Module(module), names)];
        let mut found = None;
        while let Some((next, names)) = open.pop() {
            let Named::Module(at) = next else {
                found = Some(next);
                break;
            };
            if let Some(own) =
                self.declared(at, name).filter(|it| names == Names::All || !self.is_private(it))
            {
                found = Some(own);
                break;
            }
            let key = (at, name.to_owned(), names);
            let known = seen.get(&key).cloned().or_else(|| self.absent.contains(&key).then_some(None));
            let imported = match known {
                Some(None) => continue,
                Some(known) => known,
                None => {
                    seen.insert(key, None);
                    self.imported(at, name, hops, names, seen)
                }
            };
            match imported {
                Some(Named::Foreign(path)) if at != module && !is_known(&path) => {
                    unread.get_or_insert(Named::Foreign(path));
                }
                Some(it) => {
                    found = Some(it);
                    break;
                }
                None => {
                    let globs = self.globs(at, name, hops, names, seen);
                    open.extend(globs.into_iter().rev());
                }
            }
        }
        let found = found.or(unread);
        // What the module itself declares needs no memory.
        if let Some(known) = seen.get_mut(&start) {
            known.clone_from(&found);
        }
        found
    }

    /// Finds a name that a module imports by this name.
    fn imported(
        &mut self,
        module: usize,
        name: &str,
        hops: usize,
        names: Names,
        seen: &mut Seen,
    ) -> Option<Named> {
        let visible = self.modules[module].uses.iter().filter(|u| u.public || names == Names::All);
        let named = visible.filter(|u| u.name.as_deref() == Some(name));
        let named: Vec<(Vec<String>, bool)> = named.map(|u| (u.path.clone(), u.leading)).collect();
        for (path, leading) in named {
            // `use foo::foo` must not find itself.
            let found = match path.len() == 1 && path[0] == name {
                true => self.outside(self.modules[module].krate, name),
                false => self.walk(module, &path, leading, hops + 1, seen),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The modules that a module imports by globs, and the name itself if a glob of a crate that is not read imports it.
    fn globs(
        &mut self,
        module: usize,
        name: &str,
        hops: usize,
        names: Names,
        seen: &mut Seen,
    ) -> Vec<(Named, Names)> {
        let visible = self.modules[module].uses.iter().filter(|u| u.public || names == Names::All);
        let globs = visible.filter(|u| u.name.is_none());
        let globs: Vec<(Vec<String>, bool)> = globs.map(|u| (u.path.clone(), u.leading)).collect();
        let mut out = Vec::new();
        for (path, leading) in globs {
            match self.walk(module, &path, leading, hops + 1, seen) {
                Some(Named::Module(target)) if target != module => {
                    out.push((Named::Module(target), self.visible_names(module, target)));
                }
                Some(Named::Foreign(path)) => {
                    let full = without_prelude(&format!("{path}::{name}"));
                    if is_known(&full) {
                        out.push((Named::Foreign(full), Names::All));
                    }
                }
                _ => {}
            }
        }
        let m = &self.modules[module];
        out.extend(m.parent.filter(|_| m.is_block).map(|parent| (Named::Module(parent), Names::All)));
        out
    }

    /// The root module of another crate.
    fn outside(&mut self, krate: usize, name: &str) -> Option<Named> {
        if matches!(name, "std" | "core" | "alloc") || known::has_crate(name) {
            return Some(Named::Foreign(name.to_owned()));
        }
        let number = self.extern_crate(krate, name)?;
        Some(Named::Module(self.crates[number].root))
    }
}

/// The full path of a name that is in scope without `use`.
fn prelude(name: &str) -> Option<String> {
    const PRIMITIVES: &[&str] = &[
        "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize", "f32", "f64",
        "bool", "char", "str",
    ];
    const PRELUDE: &[(&str, &str)] = &[
        ("Option", "std::option::Option"),
        ("Some", "std::option::Option::Some"),
        ("None", "std::option::Option::None"),
        ("Result", "std::result::Result"),
        ("String", "std::string::String"),
        ("Vec", "std::vec::Vec"),
        ("Box", "std::boxed::Box"),
        ("Default", "std::default::Default"),
        ("ToString", "std::string::ToString"),
        ("From", "std::convert::From"),
        ("Into", "std::convert::Into"),
    ];
    if PRIMITIVES.contains(&name) {
        return Some(name.to_owned());
    }
    PRELUDE.iter().find(|(short, _)| *short == name).map(|(_, full)| (*full).to_owned())
}
