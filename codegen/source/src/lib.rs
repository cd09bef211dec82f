//! Reads the sources of a program: finds types as the compiler does, as far as this is possible without running code.
//! Everything else is an error that explains the alternatives.

mod accepted;
mod associated;
mod by_schemars;
mod calls;
mod cfg;
pub mod declared;
mod durations;
mod eval;
mod expand;
mod findings;
mod fixes;
mod foreign;
mod in_schemars;
mod instances;
mod locate;
mod macros;
mod memo;
mod merges;
mod modules;
mod named;
mod paths;
mod types;
mod world;

pub use cfg::Cfgs;
pub use fixes::Change;
pub use locate::{Located, once};
pub use merges::{Merge, Version};
pub use modules::{Access, CrateSource, Sources, Unread};

use crdgen_runtime::{diag, encode, ir, k8s, recipe};
use crdgen_text::{json, nearest, path, span, value};

use crate::diag::codes::rust as codes;
use crate::diag::{Diag, Level};
use crate::ir::{Crd, Schema};
use crate::path::Step;
use by_schemars::GeneratedText;
use crdgen_rust::kind::{self, Kind};
use crdgen_rust::lower::{self, Item};
use crdgen_rust::reach;
use crdgen_rust::report::{Report, place};
use eval::Effort;
use findings::{Findings, Reported};
use in_schemars::InSchemars;
use instances::{Aliases, Id, Instance, Instances, References};
use memo::{Memo, Open, Roots};
use proc_macro2::Span;
use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;
use types::Scope;
use world::World;

/// A place in a source file. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The name of the file, as [`Sources`] got it.
    pub file: String,
    /// The start of the place.
    pub start: crate::span::Pos,
    /// The end of the place.
    pub end: crate::span::Pos,
}

impl At {
    /// Moves the place to some bytes of the literal there.
    fn narrow(&mut self, span: Span, literal: &str, range: &Range<usize>) {
        self.start = place(span, literal, range.start);
        self.end = place(span, literal, range.end);
    }
}

/// A diagnostic with its place in the sources.
#[derive(Clone, Debug)]
pub struct Found {
    /// The diagnostic.
    pub diag: Diag,
    /// The place. `None` if the diagnostic belongs to no file.
    pub at: Option<At>,
}

impl Found {
    /// Whether this is an error because crdgen cannot determine a type, a default or a schema without running code.
    pub fn is_undetermined(&self) -> bool {
        self.diag.code == &codes::UNKNOWN_TYPE || self.diag.code == &codes::DEFAULT_UNKNOWN
    }
}

/// The kinds found in the sources, in the order of the source.
pub struct FoundKinds {
    /// The kinds without mistakes in their types.
    pub known: Vec<FoundKind>,
    /// The kinds with a mistake in a type that they need.
    pub mistaken: Vec<MistakenKind>,
}

/// A kind found in the sources.
pub struct FoundKind {
    /// The CRD of the kind, with this one version.
    pub crd: Crd,
    /// The type of the kind's root.
    pub(crate) root: Id,
    /// The name of the Rust item, with its module.
    pub name: String,
}

/// A kind whose types have mistakes.
pub struct MistakenKind {
    /// The name of its CRD.
    pub name: String,
    /// The kind.
    pub kind: String,
    /// The first error in a type that it needs.
    pub why: Found,
    /// The kind without the attributes that are wrong. `None` if crdgen cannot determine a type, a default or a schema:
    /// such a CRD would contain something else in its place.
    pub rest: Option<FoundKind>,
}

/// A kind, as a program that uses the crate sees it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The kind.
    pub kind: String,
    /// The name of the Rust item, with its module.
    pub name: String,
    /// The path of the root type in the crate. `None` if other crates cannot see the type.
    pub path: Option<String>,
    /// The place of the item.
    pub at: Option<At>,
    /// The place where a private module is declared that hides the public item.
    pub private: Option<At>,
    /// The name of the root type in its module.
    pub own: String,
    /// How the crate itself can use the type. None if a macro declares it.
    pub access: Option<Access>,
}

/// The sources of a package and of its dependencies.
pub struct Program<'s> {
    /// What was read.
    world: World<'s>,
    /// The diagnostics so far.
    found: Findings,
    /// The types, by number.
    instances: Instances,
    /// The kinds that were read, by number.
    roots: Roots,
    /// The recipes of items.
    lowered: Memo<usize, Rc<Item>>,
    /// The kinds that are types of fields, by item.
    embedded: Memo<usize, Id>,
    aliases: Aliases,
    references: References,
    /// The schemas that schemars generates, by type.
    generated: Memo<Id, GeneratedText>,
    /// Whether kinds of the first crate use crdgen's derive, which means that the project has moved to crdgen.
    has_moved: OnceCell<bool>,
    /// Whether kinds that use kube's derive get the schemas of schemars.
    in_schemars: bool,
    /// How the types are written, if not in crdgen's way.
    as_schemars: OnceCell<Option<InSchemars>>,
    /// The schemas that were read from code, by item.
    by_hand: Memo<usize, Option<String>>,
    /// The schemas that are being read from code, by module and type.
    writing: Open<(usize, String)>,
    /// The last part of code for schemas that could not be evaluated.
    unread: RefCell<Option<String>>,
    /// The remaining budget for evaluating code.
    effort: Effort,
}

impl<'s> Program<'s> {
    /// Reads a crate from its root file.
    pub fn new(sources: &'s mut dyn Sources, root: CrateSource) -> Self {
        let (world, found) = World::read(sources, root);
        let program = Program {
            world,
            found: Findings::default(),
            instances: Instances::default(),
            roots: Roots::default(),
            lowered: Memo::default(),
            embedded: Memo::default(),
            aliases: Memo::default(),
            references: Memo::default(),
            generated: Memo::default(),
            has_moved: OnceCell::new(),
            in_schemars: false,
            as_schemars: OnceCell::new(),
            by_hand: Memo::default(),
            writing: Open::default(),
            unread: RefCell::default(),
            effort: Effort::default(),
        };
        program.found.in_files(found);
        program
    }

    /// Makes kinds that use kube's derive have the CRDs that schemars and kube write, as far as crdgen knows them: with the formats of
    /// numbers, `null` for every `Option`, and Kubernetes' own types without constraints. What it does not know is as crdgen writes it.
    #[must_use]
    pub fn in_schemars(self) -> Self {
        Program { in_schemars: true, ..self }
    }

    /// Whether all kinds use kube's derive, and none crdgen's.
    pub fn is_by_kube(&self) -> bool {
        let kinds = self.world.kinds();
        !kinds.is_empty() && !self.has_moved() && kinds.into_iter().all(|item| self.is_of_kube(item))
    }

    /// How the types are written, if not in crdgen's way.
    fn as_schemars(&self) -> Option<InSchemars> {
        *self.as_schemars.get_or_init(|| {
            if !self.in_schemars || !self.is_by_kube() {
                return None;
            }
            // Only cargo knows the version.
            let version =
                self.world.kinds().first().and_then(|item| self.world.version_of(*item, "schemars"));
            Some(InSchemars { is_older: version.is_some_and(|version| version.starts_with("0.")) })
        })
    }

    /// Returns the wanted kinds in the crate, in the order of the source. Each has a CRD with its one version.
    /// `wanted` gets the name of a kind, and that of its Rust item with the module.
    pub fn kinds(&self, wanted: &dyn Fn(&str, &str) -> bool) -> FoundKinds {
        for (item, span) in self.world.no_kinds() {
            let mut report = Report::default();
            report.error(
                span,
                &codes::PLACE,
                "#[kube(…)] has no effect without #[derive(CustomResource)]",
                "add CustomResource to the derives, or remove the attribute",
            );
            self.take(report, item);
        }
        let kinds = self.all_kinds(wanted);
        let errors: Vec<(Vec<usize>, Found)> =
            self.found.errors().into_iter().map(|it| (self.items_with(&it), it.found)).collect();
        let mut out = FoundKinds { known: Vec::new(), mistaken: Vec::new() };
        for kind in kinds {
            // Each type is read only once, so its errors are attributed to all kinds that use it.
            let mistakes = if errors.is_empty() { Vec::new() } else { self.mistakes_in(kind.root, &errors) };
            match mistakes.first() {
                None => out.known.push(kind),
                Some(why) => out.mistaken.push(MistakenKind {
                    name: kind.crd.metadata.name.clone(),
                    kind: kind.crd.spec.names.kind.clone(),
                    why: (*why).clone(),
                    rest: mistakes.iter().all(|it| !it.is_undetermined()).then_some(kind),
                }),
            }
        }
        out
    }

    /// All kinds, to find the places of what is in them. If types have mistakes, or cannot be determined without running code, their
    /// parts of the CRDs are missing.
    pub fn all_kinds(&self, wanted: &dyn Fn(&str, &str) -> bool) -> Vec<FoundKind> {
        self.world.kinds().into_iter().filter_map(|item| self.kind(item, wanted)).collect()
    }

    /// The items to which a diagnostic may belong.
    fn items_with(&self, Reported { found, item }: &Reported) -> Vec<usize> {
        match (item, &found.at) {
            (Some(item), _) => vec![*item],
            (None, Some(at)) => self.items_at(at),
            (None, None) => Vec::new(),
        }
    }

    /// The errors that are in the types of a kind. Each error comes with the items to which it may belong.
    fn mistakes_in<'f>(&self, root: Id, errors: &'f [(Vec<usize>, Found)]) -> Vec<&'f Found> {
        // Walking the types reports their errors again.
        let ((items, is_unknown), _) = self.found.apart(|| self.items_below(root));
        let is_of = |(there, _): &&(Vec<usize>, Found)| there.iter().any(|item| items.contains(item));
        // If an alias names a missing type, the error is at the alias and not in an item of the kind.
        let is_type =
            |(_, found): &&(Vec<usize>, Found)| is_unknown && found.diag.code == &codes::UNKNOWN_TYPE;
        let mut found: Vec<&Found> = errors.iter().filter(is_of).map(|(_, found)| found).collect();
        found.extend(errors.iter().filter(|it| is_type(it) && !is_of(it)).map(|(_, found)| found));
        found
    }

    /// The items of all types in a kind, and whether a type is unknown.
    fn items_below(&self, root: Id) -> (HashSet<usize>, bool) {
        let (mut open, mut seen, mut items) = (vec![root], HashSet::new(), HashSet::new());
        let mut is_unknown = false;
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let parts = match self.instance(id) {
                Instance::Item(item, _) => {
                    items.insert(item);
                    self.lower(item).refs.len()
                }
                Instance::Root(number) => {
                    let root = self.roots.get(number);
                    items.extend(root.as_ref().map(|(item, _)| *item));
                    // Without a schema, the types in it do not matter.
                    if root.is_some_and(|(_, kind)| kind.kube.root.schemaless) { 0 } else { 2 }
                }
                Instance::Known(_, parts) | Instance::Tuple(parts) => parts.len(),
                Instance::Array(..) | Instance::Slice(_) => 1,
                Instance::Kubernetes(_) => 0,
                Instance::Written(_) | Instance::BySchemars(_) => 0,
                Instance::Unknown => {
                    is_unknown = true;
                    0
                }
            };
            open.extend((0..parts).filter_map(|number| recipe::Types::reference(self, id, number)));
        }
        (items, is_unknown)
    }

    /// Returns all kinds in the crate, as a program that uses the crate sees them.
    pub fn asked(&self) -> Vec<Asked> {
        let items: Vec<usize> = self.world.kinds();
        items.into_iter().map(|item| self.ask(item)).collect()
    }

    /// Whether the crate includes a file that only a build script writes.
    pub fn is_built(&self) -> bool {
        self.world.is_built()
    }

    /// The path by which a program can use the kind of an item.
    fn ask(&self, item: usize) -> Asked {
        let (input, module, name, cfg) = {
            let world = &self.world;
            let it = world.item(item);
            (it.input.clone(), it.module, world.name(item), world.cfg_of(item))
        };
        let kind = kind::kind(&input, &|tokens| cfg.enabled(tokens), &mut Report::default());
        let own = kind.own_name();
        let public = matches!(input.vis, syn::Visibility::Public(_)) && self.world.is_of_first_crate(module);
        let path = public.then(|| self.world.exported(module, &own)).flatten();
        let at = self.world.at(item, input.ident.span());
        let private = match public && path.is_none() {
            true => self.world.private_around(module),
            false => None,
        };
        let access = self.world.access(item);
        Asked { kind: kind.kube.root.kind, name, path, at, private, own, access }
    }

    /// Returns the diagnostics so far, without duplicates.
    pub fn found(&self) -> Vec<Found> {
        self.found.unique()
    }

    /// Returns the places that a changed `use` line does not move to crdgen, each with its text and what to write
    /// instead: derives and implementations that are named by their paths, and fields and statuses with types of
    /// dependencies. The kinds must have been read before.
    pub fn by_path(&self) -> Vec<(At, String, String)> {
        let mut all = self.world.by_path();
        all.extend(self.wrapped());
        all
    }

    /// Returns whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.found.any(|it| it.found.diag.level == Level::Error)
    }

    fn kind(&self, item: usize, wanted: &dyn Fn(&str, &str) -> bool) -> Option<FoundKind> {
        let mut report = Report::default();
        let (input, name, cfg) = {
            let world = &self.world;
            (world.item(item).input.clone(), world.name(item), world.cfg_of(item))
        };
        let mut kind = kind::kind(&input, &|tokens| cfg.enabled(tokens), &mut report);
        // If the name of a kind is missing, it may be a wanted one.
        if !kind.kube.root.kind.is_empty() && !wanted(&kind.kube.root.kind, &name) {
            return None;
        }
        reach::check(&kind, &input, &|tokens| cfg.enabled(tokens), &mut report);
        let nameless = [&kind.kube.root.group, &kind.kube.root.version, &kind.kube.root.kind];
        let nameless = report.has_errors()
            && (nameless.iter().any(|name| name.is_empty()) || !input.generics.params.is_empty());
        self.take(report, item);
        if nameless {
            // The errors of its item are reported too.
            self.lower(item);
            return None;
        }
        let derived = modules::derives_schema(&input.attrs, &cfg);
        if kind.kube.schema.is_none() {
            let module = self.world.item(item).module;
            let scope = Scope { item: Some(item), ..Scope::new(module, Vec::new()) };
            if derived && self.derives_only_for_schemars(item) {
                self.derived_for_schemars(&name, &scope, input.ident.span());
            } else if !derived && self.written(item).is_none() {
                self.underived(&name, &scope, input.ident.span());
            }
        }
        if kind.kube.root.schemaless {
            kind.kube.root.spec = recipe::Node::plain(Schema::default());
        }
        if self.is_of_kube(item) {
            kind.kube.root.metadata.get_or_insert(recipe::Metadata::Settable);
        }
        self.by_hand(&mut kind, item);
        let root = kind.kube.root.clone();
        let id = self.intern(Instance::Root(self.roots.add(item, kind)));
        let (crd, mut diags) = recipe::define(&root, self, id);
        if self.as_schemars().is_some() {
            // What is wrong with the types is reported when they are read in crdgen's way.
            diags.clear();
        }
        for diag in diags {
            if !self.is_seen_alone(&diag, id) {
                let at = self.locate(id, &diag.steps);
                let there = at.as_ref().and_then(|at| self.item_towards(id, &diag.steps, at));
                let diag = self.as_accepted(diag, there.unwrap_or(item));
                self.found.add(Found { diag, at }, there);
            }
        }
        Some(FoundKind { crd, root: id, name })
    }

    /// Whether the kind belongs to kube-rs: derived by kube's macro, or by crdgen's macro of the same name. Kinds that
    /// use crdgen's own derive are found by their root.
    fn is_of_kube(&self, item: usize) -> bool {
        let (input, module, cfgs) = {
            let world = &self.world;
            let it = world.item(item);
            (Rc::clone(&it.input), it.module, world.cfg_of(item))
        };
        let paths = modules::derive_paths(&input.attrs, &cfgs);
        let is_kind = |path: &modules::DerivePath| path.names.last().is_some_and(|d| d == "CustomResource");
        let Some(path) = paths.into_iter().find(is_kind) else { return false };
        let spelled = self.world.spelled(module, &path.names);
        match spelled.iter().position(|name| name == "crdgen") {
            Some(at) => spelled.get(at + 1).is_some_and(|name| name == "kube"),
            None => spelled.len() > 1,
        }
    }

    /// With `schema = "manual"`, the schema of the whole object is written by hand, as an impl for the struct of the
    /// kind.
    fn by_hand(&self, kind: &mut Kind, item: usize) {
        if kind.kube.schema.as_deref() != Some("manual") || (kind.kube.root.whole && !kind.kube.no_spec) {
            return;
        }
        let (module, cfgs) = (self.world.item(item).module, self.world.cfg_of(item));
        let name = kind.kube.struct_name.clone().unwrap_or_else(|| kind.kube.root.kind.clone());
        let Some(text) = self.written_in(module, &name, None) else {
            let derived = modules::derives(&self.world.item(item).input.attrs, &cfgs);
            if !derived.iter().any(|d| d == "Schema") {
                let mut report = Report::default();
                report.error(
                    kind.kube.span("schema"),
                    &codes::DEFAULT_UNKNOWN,
                    self.not_evaluated(&name),
                    "use `crdgen emit --exact`, which runs it",
                );
                self.take(report, item);
            }
            return;
        };
        let root = &mut kind.kube.root;
        (root.whole, root.spec, root.status) = (true, types::by_hand(&text), None);
        if kind.status.is_some() {
            root.subresource_status.get_or_insert(true);
        }
    }

    /// The recipe of an item. It is made once.
    fn lower(&self, item: usize) -> Rc<Item> {
        self.lowered.get(item, || {
            let (input, cfg) = self.world.input(item);
            let mut report = Report::default();
            let lowered = Rc::new(lower::item(&input, &|tokens| cfg.enabled(tokens), &mut report));
            self.check_durations(item, &lowered, &mut report);
            self.take(report, item);
            lowered
        })
    }

    /// Whether an item on the path to an error already reported the error by itself.
    fn is_seen_alone(&self, diag: &Diag, root: Id) -> bool {
        let items = self.items_towards(root, &diag.steps);
        let is_same = |it: &Reported| it.found.diag.code == diag.code && it.found.diag.detail == diag.detail;
        let is_here = |it: &Reported| {
            let there = self.items_with(it);
            there.is_empty() || there.iter().any(|item| items.contains(item))
        };
        self.found.any(|it| is_same(it) && is_here(it))
    }

    /// Returns whether an error that the server finds in the whole CRD was already reported at an attribute, so that
    /// it is not reported twice.
    pub fn is_reported(&self, diag: &Diag, at: Option<&At>, reported: &[Found]) -> bool {
        // Errors of readers have no `kind`. Two errors of the server are the same if they report the same value.
        let is_same_mistake = |found: &Diag| {
            found.code == diag.code
                || *found.code == crate::diag::codes::rust::DEAD_PATH
                    && *diag.code == crate::diag::codes::lint::COLUMN
        };
        let same = |found: &Diag| {
            is_same_mistake(found)
                && (found.kind.is_none() || (found.kind == diag.kind && found.bad == diag.bad))
        };
        reported.iter().any(|found| {
            same(&found.diag)
                && match (&found.at, at) {
                    (Some(there), Some(at)) => self.is_same(there, at),
                    (None, None) => found.diag == *diag,
                    (Some(_), None) | (None, Some(_)) => false,
                }
        })
    }

    /// Whether an attribute hid a warning with this code in one of the items on the way to a place in a kind's CRD.
    pub fn is_hidden(&self, kind: &FoundKind, steps: &[Step], code: &str) -> bool {
        self.found.is_hidden(&self.items_towards(kind.root, steps), code)
    }

    fn take(&self, report: Report, item: usize) {
        self.found.hide(item, &report.hidden);
        for finding in report.findings {
            let mut at = self.world.at(item, finding.span);
            if let (Some(at), Some((literal, range))) = (&mut at, &finding.inside) {
                at.narrow(finding.span, literal, range);
            }
            let diag = self.as_accepted(finding.diag, item);
            self.found.add(Found { diag, at }, Some(item));
        }
    }
}
