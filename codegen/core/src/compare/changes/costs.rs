//! What the rules of a schema may cost. A rule that is true of all objects rejects those for which its evaluation takes too long.

use super::{Class, Out, Part};
use crate::cel::eval::CALL_LIMIT;
use crate::ir::{Rule, Schema, SchemaOf};
use crate::path::Path;
use crate::rules::run::BUDGET;
use crate::rules::walk::{Node, each_node};
use crate::rules::{Compiler, Decls, Environments, cardinality};
use crate::server::Server;
use std::cell::OnceCell;
use std::collections::HashMap;

/// What paths begin with here.
const ROOT: &str = "schema";

/// Which part of the budget of an object a rule may take if all rules together may exceed it.
const SHARE: u64 = 100;

/// A schema of whole objects, and the costs of its rules. They are estimated once, when they are needed.
pub(super) struct Costs<'s> {
    pub(super) root: &'s Schema,
    server: Server,
    all: OnceCell<All>,
}

#[derive(Default)]
struct All {
    /// The rules of each node that has some, by its path from the root.
    rules: HashMap<String, Vec<Cost>>,
    total: u64,
}

/// What a rule costs at most.
#[derive(Clone, Copy, Default)]
struct Cost {
    /// For one value.
    once: u64,
    /// For all values of an object together.
    of_all: u64,
}

impl<'s> Costs<'s> {
    pub(super) fn new(root: &'s Schema) -> Costs<'s> {
        Costs::on(Server::NEWEST, root)
    }

    /// What the rules cost on a server.
    pub(super) fn on(server: Server, root: &'s Schema) -> Costs<'s> {
        Costs { root, server, all: OnceCell::new() }
    }

    /// Whether the evaluation of a rule may end at one of the server's limits.
    pub(super) fn may_reach_limit(&self, path: &str, index: usize) -> bool {
        let Cost { once, of_all } = self.of(path, index);
        let budget = BUDGET.unsigned_abs();
        once > CALL_LIMIT || self.all().total > budget && of_all > budget / SHARE
    }

    /// Whether a rule costs no more than one of another schema at the same path.
    pub(super) fn is_at_most(&self, path: &str, index: usize, other: (&Costs<'_>, usize)) -> bool {
        let (own, other) = (self.of(path, index), other.0.of(path, other.1));
        own.once <= other.once && own.of_all <= other.of_all
    }

    fn of(&self, path: &str, index: usize) -> Cost {
        let rules = self.all().rules.get(path);
        rules.and_then(|rules| rules.get(index)).copied().unwrap_or_default()
    }

    /// The rules of a node, and what they cost for an object together.
    fn of_node(&self, path: &str) -> (&[Cost], u64) {
        let rules = self.all().rules.get(path).map_or(&[][..], Vec::as_slice);
        (rules, rules.iter().fold(0, |all, cost| all.saturating_add(cost.of_all)))
    }

    fn all(&self) -> &All {
        self.all.get_or_init(|| {
            let mut out = All::default();
            let root = Path::ROOT.child(ROOT);
            each_node(self.root, &root, &mut |node, path| {
                if !node.schema.rules.is_empty() {
                    let rules = estimated(node, self.server);
                    let of_all = rules.iter().map(|cost| cost.of_all);
                    out.total = of_all.fold(out.total, u64::saturating_add);
                    out.rules.insert(path.to_string().split_off(ROOT.len()), rules);
                }
            });
            out
        })
    }
}

/// Estimates the costs of the rules of a node.
fn estimated(node: &Node<'_>, server: Server) -> Vec<Cost> {
    let environments = Environments::of_server(server);
    let mut decls = Decls::of_server(environments.server);
    let of = SchemaOf::resource_if(node.up.is_none()).or_nested(node.schema);
    let Some(decl) = decls.declare(node.schema, of) else { return Vec::new() };
    let mut compiler = Compiler::new(&decls, decl, &environments);
    let mut cost = |rule: &Rule| {
        let compiled = compiler.rule(rule, node.schema);
        let once = compiled.max_cost();
        let count = cardinality(node).unwrap_or(compiled.size_cardinality);
        Cost { once, of_all: once.saturating_mul(count) }
    };
    node.schema.rules.iter().map(&mut cost).collect()
}

impl Out {
    /// Compares what the rules of each node may cost for an object. `path` is that of the root.
    pub(super) fn costs(&mut self, old: &Costs<'_>, new: &Costs<'_>, path: &Path<'_>) {
        let budget = BUDGET.unsigned_abs();
        let root = path.to_string().len();
        each_node(new.root, path, &mut |node, path| {
            if node.schema.rules.is_empty() {
                return;
            }
            let place = &path.to_string()[root..];
            let percent = |cost: u64| cost.saturating_mul(100) / budget;
            let (rules, now) = new.of_node(place);
            // Most rules are cheap: then what they cost before need not be known.
            if percent(now) == 0 {
                return;
            }
            let (_, was) = old.of_node(place);
            let percent = percent(now.saturating_sub(was));
            let dearest = rules.iter().enumerate().max_by_key(|(_, cost)| cost.of_all);
            if let (1.., Some((index, _))) = (percent, dearest) {
                let at = path.child("x-kubernetes-validations");
                let part = Part::Costs { percent };
                self.add(Class::Dearer, &at.index(index), part, Some(was.to_string()), Some(now.to_string()));
            }
        });
    }
}
