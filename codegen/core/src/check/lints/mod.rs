//! crdgen's own lints, in addition to the server's checks. Each lint can be switched on and off. By default, these are
//! on: the size, rules that read absent fields, columns that are always empty, and updates that remove something or
//! make it stricter.

mod allowed;
mod columns;
mod conversion;
mod costs;
pub mod fix;
mod kube;
#[cfg(feature = "k8s")]
mod kubernetes;
#[cfg(not(feature = "k8s"))]
mod kubernetes {
    /// Without the table of the types, none is recognized.
    pub(super) fn is_of_kubernetes(_: &crate::walk::Node<'_>) -> bool {
        false
    }
}
mod names;
pub mod nodes;
mod size;
pub mod unguarded;
mod versions;

pub use allowed::InVain;

use crate::check::definition::hoist::Hoisted;
use crate::check::{self, Options, Report};
use crate::diag::codes::{self, change, lint};
use crate::diag::{Code, Diag, Diags};
use crate::finding::Finding;
use crate::inert::InertLine;
use crate::ir::{Allowed, Crd};
use crate::server::Server;
use crate::structural;
use crate::walk;
use std::fmt;

/// The lints that are switched on.
#[derive(Clone, Debug)]
pub struct Lints {
    on: Vec<&'static Code>,
    /// The minor version of the oldest Kubernetes 1.x that the CRD must support.
    pub kube: Option<u32>,
}

/// The id of a lint that does not exist.
#[derive(Clone, Debug)]
pub struct NoLint(String);

impl fmt::Display for NoLint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Lints::known().map(|code| code.id).collect();
        write!(f, "there is no lint {}. The lints are {}, api and all", InertLine(&self.0), known.join(", "))
    }
}

impl Default for Lints {
    fn default() -> Lints {
        use lint::{COLUMN, KIND_NAME, NEVER_RUNS, NO_NUMBER, ONE_TYPE, RELEASE, SIZE, UNGUARDED};
        let mut on =
            vec![&SIZE, &UNGUARDED, &COLUMN, &KIND_NAME, &NO_NUMBER, &ONE_TYPE, &NEVER_RUNS, &RELEASE];
        on.extend(change::ALL);
        Lints { on, kube: None }
    }
}

impl Lints {
    /// Returns the codes of all lints, and of all classes of changes.
    pub fn known() -> impl Iterator<Item = &'static Code> {
        lint::ALL.iter().chain(codes::api::ALL).chain(change::ALL).copied()
    }

    /// Returns a selection without any lint.
    pub fn none() -> Lints {
        Lints { on: Vec::new(), kube: None }
    }

    /// Returns a selection of all lints.
    pub fn all() -> Lints {
        Lints { on: Lints::known().collect(), kube: None }
    }

    /// Switches a lint on or off by its code in upper or lower case, such as `LNT002`, or `all` of them, or `api` for those about
    /// the design of an API. Returns whether the lint exists.
    pub fn set(&mut self, id: &str, on: bool) -> bool {
        if id.eq_ignore_ascii_case("all") {
            self.on = if on { Lints::known().collect() } else { Vec::new() };
            return true;
        }
        if id.eq_ignore_ascii_case("api") {
            self.on.retain(|code| nodes::profile().all(|own| own.id != code.id));
            self.on.extend(nodes::profile().filter(|_| on));
            return true;
        }
        let Some(code) = Lints::known().find(|c| c.id.eq_ignore_ascii_case(id)) else { return false };
        self.on.retain(|c| c.id != code.id);
        if on {
            self.on.push(code);
        }
        true
    }

    /// Switches lints on, and then others off. Fails at the first id that [`Lints::set`] does not know.
    pub fn switch(&mut self, on: &[String], off: &[String]) -> Result<(), NoLint> {
        let switches = on.iter().map(|id| (id, true)).chain(off.iter().map(|id| (id, false)));
        for (id, on) in switches {
            if !self.set(id, on) {
                return Err(NoLint(id.clone()));
            }
        }
        Ok(())
    }

    /// The same lints, with another oldest Kubernetes that the CRD must support.
    #[must_use]
    pub fn on(&self, kube: u32) -> Lints {
        Lints { kube: Some(kube), ..self.clone() }
    }

    /// The checks of the oldest server that must be supported, or of the newest.
    fn options(&self) -> Options {
        self.kube.map_or_else(Options::default, |kube| Options::of_server(kube::compiles_rules(kube)))
    }

    /// Whether a lint is on that needs the schemas.
    fn more_than_size(&self) -> bool {
        self.kube.is_some() || self.on.iter().any(|c| c.id != lint::SIZE.id)
    }

    /// Whether a lint is on. The lint for a Kubernetes version is on whenever a version is given.
    pub fn is_on(&self, code: &Code) -> bool {
        // Each code is a static of its own. This is asked for each lint at each node.
        let is = |other: &Code| std::ptr::eq(other, code);
        self.on.iter().any(|on| is(on)) || self.kube.is_some() && is(&lint::KUBE)
    }
}

/// Checks a CRD that is created. Returns what the server reports, the lints, and the errors that the server would
/// report next.
pub fn on_create(crd: &Crd, lints: &Lints) -> Diags {
    on_create_with_allowed(crd, lints).0
}

/// The same. Also returns the warnings that the author of the CRD allows, although there are none.
pub fn on_create_with_allowed(crd: &Crd, lints: &Lints) -> (Diags, Vec<InVain>) {
    let options = lints.options();
    let view = Hoisted::new(crd);
    let report = check::create_hoisted(&view, &options);
    let next = check::next(crd, &report.errors, &options);
    // The newest server accepts rules in structural schemas only.
    let structural = report.is_accepted() && lints.kube.is_none();
    let mut all = with_advice(report, advice(&view, lints, structural));
    all.extend(next);
    let mut in_vain = allowed::remove(crd, lints, &mut all, |diag| diag);
    // Only an update can change something.
    in_vain.retain(|it| !is_of_change(&it.allowed));
    (all, in_vain)
}

/// Removes the changes that the author of the CRD allows. Also returns the changes that are allowed, although there are none.
pub fn without_allowed(crd: &Crd, mut changes: Vec<Finding>) -> (Vec<Finding>, Vec<InVain>) {
    let mut in_vain = allowed::remove(crd, &Lints::default(), &mut changes, |it| &it.diag);
    in_vain.retain(|it| is_of_change(&it.allowed));
    (changes, in_vain)
}

fn is_of_change(allowed: &Allowed) -> bool {
    change::ALL.iter().any(|code| code.id == allowed.code)
}

/// Checks a CRD that is updated. Returns what the server reports, the lints, and the changes whose class is on. `changes`
/// compares the old CRD with the new one. An update may keep mistakes of the old CRD, so the errors that would come next are not
/// reported.
pub fn on_update(crd: &Crd, old: &Crd, lints: &Lints, changes: Changes<'_>) -> Vec<Finding> {
    let own = with_advice(check::update(crd, old, &lints.options()), run(crd, lints));
    let mut all: Vec<Finding> = own.into_iter().map(Finding::from).collect();
    if change::ALL.iter().any(|code| lints.is_on(code)) {
        all.extend(changes(old, crd).into_iter().filter(|it| lints.is_on(it.diag.code)));
    }
    allowed::remove(crd, lints, &mut all, |it| &it.diag);
    all
}

/// Compares an old CRD with a new one.
pub type Changes<'f> = &'f (dyn Fn(&Crd, &Crd) -> Vec<Finding> + 'f);

/// The server's diagnostics, and the lints. If the server already reports an error where the Kubernetes version lacks
/// something, the lint is not reported, but the error gets its help.
fn with_advice(report: Report, mut advice: Diags) -> Diags {
    let mut errors = report.errors;
    advice.retain(|a| {
        let same = |e: &&mut Diag| a.code == &lint::KUBE && e.steps == a.steps;
        match errors.iter_mut().find(same) {
            Some(error) => error.help.clone_from(&a.help),
            None => return true,
        }
        false
    });
    errors.into_iter().chain(report.warnings).chain(advice).collect()
}

/// Runs the lints that are switched on.
pub fn run(crd: &Crd, lints: &Lints) -> Diags {
    advice(&Hoisted::new(crd), lints, false)
}

/// The same. `structural` means that the schemas are known to be structural.
fn advice(view: &Hoisted<'_>, lints: &Lints, structural: bool) -> Diags {
    let crd = view.crd;
    let mut out = Diags::new();
    if lints.is_on(&lint::SIZE) {
        size::check(view, &mut out);
    }
    if !lints.more_than_size() {
        return out;
    }
    names::check(crd, lints, &mut out);
    versions::check(crd, lints, &mut out);
    columns::check(crd, lints, &mut out);
    conversion::check(crd, lints, &mut out);
    kube::check_definition(crd, lints, &mut out);
    let of_nodes = nodes::all().filter(|lint| lints.is_on(lint.code));
    let (about_design, others): (Vec<_>, Vec<_>) = of_nodes.partition(|lint| lint.topic.is_some());
    view.each_schema(&mut |schema, path| {
        // How deep the type of Kubernetes is in which the walk is. Parents come before their children.
        let mut around: Option<usize> = None;
        walk::each_node(schema, path, &mut |node, path| {
            let depth = node.depth();
            around = around.filter(|around| *around < depth);
            nodes::check(node, path, &others, &mut out);
            if around.is_none() && !about_design.is_empty() {
                nodes::check(node, path, &about_design, &mut out);
                around = kubernetes::is_of_kubernetes(node).then_some(depth);
            }
            kube::check_node(node.schema, path, lints, &mut out);
        });
        // The server compiles only the rules of structural schemas.
        if schema.has_rules() && (structural || structural::is_structural(schema, Server::NEWEST)) {
            kube::check_expressions(schema, path, lints, &mut out);
            costs::check(schema, path, lints, &mut out);
            unguarded::check(schema, path, lints, &mut out);
        }
    });
    versions::check_status(view, lints, &mut out);
    out
}
