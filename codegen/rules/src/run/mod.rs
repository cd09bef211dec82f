//! Validation rules on objects. All rules of a schema are compiled once, and run on any number of objects within the
//! server's budgets, with new and old values.

mod address;
mod ask;
mod evaluate;
mod fields;
mod place;
mod shape;

use std::sync::Arc;

use crate::cel::escape::escape;
use crate::cel::eval::Program;
use crate::cel::value::{Shape, ShapeKind};
use crate::diag::codes::cel::NOT_CHECKED;
use crate::diag::{Diag, Diags, Kind};
use crate::ir::{Rule, Schema, SchemaOf};
use crate::path::Path;
use crate::server::Server;
use crate::value::{Map, Value};
use crate::{Compiler, DeclId, Decls, Environments, Rejection};

use evaluate::{At, Ratcheting, Write};

pub use crate::cel::eval::{Explanation, Failure, Item, Part};
pub use address::{Addressed, addressed, find};
pub use ask::{Answer, Explain, Prepared, Purpose, Question, Remark, Run, Unanswered, ask, complete, fields};
pub use evaluate::Findings;
pub use fields::FieldUse;
pub use shape::shape;

/// The maximum cost of all rules on one object together.
pub const BUDGET: i64 = 10_000_000;

/// The compiled rules of a schema. They do not borrow the schema, so a struct can own both. Each run is given the
/// schema again.
#[derive(Debug)]
pub struct Rules {
    root: Option<RuledNode>,
    server: Server,
}

/// The rules of a schema node and of all below it.
#[derive(Debug)]
struct RuledNode {
    shape: Arc<Shape>,
    rules: Vec<Compiled>,
    /// Whether one of the rules uses `oldSelf`.
    uses_old_self: bool,
    items: Option<Box<RuledNode>>,
    properties: Map<RuledNode>,
    values: Option<Box<RuledNode>>,
    /// The rules in `allOf`, for the same values as this node.
    all_of: Vec<RuledNode>,
}

#[derive(Debug)]
struct Compiled {
    rule: Rule,
    /// None if the rule is empty.
    program: Option<Result<Program, Box<Rejection>>>,
    message: Option<Program>,
    uses_old_self: bool,
    field_path: Option<String>,
}

impl Rules {
    /// Compiles the rules of a schema.
    pub fn of(schema: &Schema, of: SchemaOf, server: Server) -> Rules {
        // Like the server, this does not find rules that are only inside `allOf`.
        if !schema.has_rules() {
            return Rules { root: None, server };
        }
        let environments = Environments { new: server.stored(), ..Environments::of_server(server) };
        let mut builder = Builder { decls: Decls::default(), environments: &environments };
        let decl = builder.decls.declare(schema, of);
        let shape = Arc::new(shape(schema, of, server));
        Rules { root: builder.node(schema, schema, of, decl, shape), server }
    }

    /// Returns whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Runs the rules on an object. With an old object, rules about changes run too.
    pub fn validate(&self, schema: &Schema, value: &Value, old: Option<&Value>, path: &Path<'_>) -> Findings {
        let mut findings = Findings::default();
        if let Some(node) = &self.root {
            let write = Write { value, old, ratcheting: Ratcheting::On };
            evaluate::run(At { node, schema }, write, self.server, path, &mut findings);
        }
        findings
    }

    /// Runs the rules on a default, first as a value that did not change, and then as a new value.
    pub fn validate_default(&self, schema: &Schema, default: &Value, path: &Path<'_>) -> Diags {
        let mut findings = Findings::default();
        if let Some(node) = &self.root {
            let root = At { node, schema };
            let unchanged = Write { value: default, old: Some(default), ratcheting: Ratcheting::Off };
            evaluate::run(root, unchanged, self.server, path, &mut findings);
            if findings.errors.is_empty() {
                evaluate::run(root, Write { old: None, ..unchanged }, self.server, path, &mut findings);
            }
        }
        findings.errors
    }
}

/// Returns the error that the server adds if it skips the rules because of these other errors in the object. `None` if
/// the server does not skip them.
pub fn not_checked<'d>(mut errors: impl Iterator<Item = &'d Diag>) -> Option<Diag> {
    let blocks = |d: &'d Diag| {
        matches!(
            d.kind,
            Some(Kind::NotSupported | Kind::Required | Kind::TooLong | Kind::TooMany | Kind::TypeInvalid)
        )
    };
    let detail = "some validation rules were not checked because the object was invalid; correct the existing errors to \
                  complete validation";
    errors.any(blocks).then(|| Diag::invalid(&NOT_CHECKED, &Path::ROOT, Value::Null, detail))
}

struct Builder<'e> {
    decls: Decls,
    environments: &'e Environments,
}

impl Builder<'_> {
    /// The rules in `validation` for the values of `schema`. The two differ only inside allOf, where schemas have rules
    /// but no types.
    fn node(
        &mut self,
        validation: &Schema,
        schema: &Schema,
        of: SchemaOf,
        decl: Option<DeclId>,
        shape: Arc<Shape>,
    ) -> Option<RuledNode> {
        let rules = self.rules(validation, schema, decl);
        let uses_old_self = rules.iter().any(|r| r.uses_old_self);
        let mut node = RuledNode {
            shape: shape.clone(),
            rules,
            uses_old_self,
            items: None,
            properties: Map::new(),
            values: None,
            all_of: Vec::new(),
        };
        let element = decl.and_then(|d| self.decls.element(d));
        let child = |kind: &ShapeKind| match kind {
            ShapeKind::List { items, kind: _ } => Some(items.clone()),
            ShapeKind::Map(values) => Some(values.clone()),
            _ => None,
        };
        if let (Some(items), Some(own)) = (validation.item(), schema.item()) {
            let shape = child(&shape.kind)
                .unwrap_or_else(|| Arc::new(self::shape(own, SchemaOf::Value, self.environments.server)));
            node.items = self.node(items, own, SchemaOf::nested(own), element, shape).map(Box::new);
        }
        if let (Some(values), Some(own)) = (validation.value(), schema.value()) {
            let shape = child(&shape.kind)
                .unwrap_or_else(|| Arc::new(self::shape(own, SchemaOf::Value, self.environments.server)));
            node.values = self.node(values, own, SchemaOf::nested(own), element, shape).map(Box::new);
        }
        let mut properties = Vec::new();
        for (name, property) in validation.properties.iter() {
            let Some(own) = schema.properties.get(name) else { continue };
            let decl = match escape(name) {
                Some(_) => decl.and_then(|d| self.decls.property(d, name)),
                None => self.decls.declare(own, SchemaOf::nested(own)),
            };
            if decl.is_none() {
                continue;
            }
            // Rules do not use the schema that a resource has for its own metadata.
            let is_built_in =
                of.or_nested(schema).is_resource() && matches!(name, "apiVersion" | "kind" | "metadata");
            let known = match &shape.kind {
                ShapeKind::Object(fields) if !is_built_in => fields.get(name).cloned(),
                _ => None,
            };
            let shape = known
                .unwrap_or_else(|| Arc::new(self::shape(own, SchemaOf::Value, self.environments.server)));
            if let Some(child) = self.node(property, own, SchemaOf::nested(own), decl, shape) {
                properties.push((name, child));
            }
        }
        node.properties = properties.into_iter().collect();
        for nested in &validation.limits.all_of {
            node.all_of.extend(self.node(nested, schema, of, decl, shape.clone()));
        }
        // Nodes with rules are kept even if the rules cannot run, because their type is unknown.
        let nothing = validation.rules.is_empty()
            && node.items.is_none()
            && node.values.is_none()
            && node.properties.is_empty()
            && node.all_of.is_empty();
        (!nothing).then_some(node)
    }

    fn rules(&self, validation: &Schema, schema: &Schema, decl: Option<DeclId>) -> Vec<Compiled> {
        let Some(decl) = decl.filter(|_| !validation.rules.is_empty()) else { return Vec::new() };
        let mut compiler = Compiler::new(&self.decls, decl, self.environments);
        validation.rules.iter().map(|rule| compile(&mut compiler, rule, schema)).collect()
    }
}

fn compile(compiler: &mut Compiler<'_>, rule: &Rule, schema: &Schema) -> Compiled {
    let compiled = compiler.rule(rule, schema);
    let program = compiled.rule.map(|rule| match rule {
        Ok(expression) => Ok(expression.program),
        Err(rejection) => Err(Box::new(rejection)),
    });
    let message = compiled.message.and_then(|message| message.ok()).map(|e| e.program);
    Compiled {
        rule: rule.clone(),
        program,
        message,
        uses_old_self: compiled.uses_old_self,
        field_path: compiled.field_path,
    }
}
