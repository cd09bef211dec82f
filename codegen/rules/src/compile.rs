//! Compiles the rules of one schema node.

use crate::structural::Brackets;
use std::ops::Range;

use super::declare::{DeclId, DeclSizes, Decls, Fields};
use super::reads::uses_old_self;
use crate::cel::eval::Program;
use crate::cel::types::{Ty, Types};
use crate::cel::{self, Candidate, Checked, Env, ExprId, Issue, Kube, Source, cost, span};
use crate::ir::{Crd, Rule, Schema};
use crate::server::Server;
use crate::structural;
use crate::walk::any_schema;

/// The name of the type of `self` in messages. The server's name ends with a number.
const SELF_TYPE: &str = "selfType";

/// The environments in which expressions are compiled.
#[derive(Clone, Debug)]
pub struct Environments {
    /// The environment for new expressions.
    pub new: Kube,
    /// The environment for expressions that are already in the stored CRD.
    pub stored: Kube,
    /// The server that compiles the expressions.
    pub server: Server,
    /// The expressions of the CRD that is updated.
    pub preexisting: Preexisting,
}

impl Environments {
    /// Returns the environments in which a server compiles the expressions of a new CRD.
    pub fn of_server(server: Server) -> Environments {
        Environments {
            new: server.new_expressions(),
            stored: server.stored(),
            server,
            preexisting: Preexisting::default(),
        }
    }
}

impl Default for Environments {
    fn default() -> Self {
        Environments::of_server(Server::NEWEST)
    }
}

/// The rules and message expressions of a CRD that is updated.
#[derive(Clone, Debug, Default)]
pub struct Preexisting {
    rules: std::collections::HashSet<String>,
    messages: std::collections::HashSet<String>,
}

impl Preexisting {
    /// Collects the expressions of the old CRD. They are compiled in the environment for stored expressions.
    pub fn of(old: &Crd) -> Preexisting {
        let mut found = Preexisting::default();
        let shared = old.spec.shared.schema.iter();
        let own = old.spec.versions.iter().filter_map(|v| v.body.schema.as_ref());
        for schema in shared.chain(own).filter_map(|v| v.open_api_v3_schema.as_ref()) {
            found.add(schema);
        }
        found
    }

    /// Adds the expressions of a schema and of all schemas below it.
    pub fn add(&mut self, schema: &Schema) {
        any_schema(schema, &mut |node| {
            for rule in &node.rules {
                self.rules.insert(rule.rule.clone());
                if !rule.message_expression.is_empty() {
                    self.messages.insert(rule.message_expression.clone());
                }
            }
            false
        });
    }
}

impl Environments {
    fn of_rule(&self, expression: &str) -> Kube {
        if self.preexisting.rules.contains(expression) { self.stored } else { self.new }
    }

    fn of_message(&self, expression: &str) -> Kube {
        if self.preexisting.messages.contains(expression) { self.stored } else { self.new }
    }
}

/// Why the server rejects an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejection {
    /// The server's message.
    pub detail: String,
    /// The place of the error in the expression, in bytes. `None` if the error has no place.
    pub at: Option<usize>,
    /// The errors of which the message consists, if the expression cannot be compiled.
    pub issues: Vec<Issue>,
    /// The help about the error, if there is any.
    pub help: Option<String>,
    /// The message in one line: the first error, with its line and column.
    pub summary: String,
    /// The type of the expression, if only a constant in it cannot be computed.
    pub output: Option<String>,
}

impl Rejection {
    fn of(detail: String) -> Rejection {
        Rejection { detail, ..Rejection::default() }
    }
}

/// A compiled expression and its estimated cost.
#[derive(Debug)]
pub struct Expression {
    /// The expression with its types.
    pub checked: Checked,
    /// The environment in which the expression was compiled.
    pub kube: Kube,
    /// The estimated cost.
    pub estimate: cost::Estimate,
    /// The program that evaluates the expression with `self` and `oldSelf`.
    pub program: Program,
}

impl Expression {
    /// Returns the deepest part that makes up at least half of the cost: its place in `text`, and its cost each time
    /// it runs.
    pub fn dominant(&self, text: &str) -> (Range<usize>, u64) {
        let nodes = &self.estimate.nodes;
        let mut at = self.checked.ast.root();
        loop {
            let whole = nodes[at.index()].max;
            let mut below: Option<ExprId> = None;
            self.checked.ast.children(at, &mut |child| {
                if nodes[child.index()].max > whole / 2 {
                    below = Some(child);
                }
            });
            match below {
                Some(child) => at = child,
                None => return (span::of_node(text, &self.checked.ast, at), whole),
            }
        }
    }
}

/// A rule after compiling.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The compiled rule. `None` if the rule is empty.
    pub rule: Option<Result<Expression, Rejection>>,
    /// The compiled message expression. `None` if there is none, or if the rule was rejected.
    pub message: Option<Result<Expression, Rejection>>,
    /// Whether the rule uses `oldSelf`.
    pub uses_old_self: bool,
    /// How often the rule can run if no bound limits the number of values.
    pub size_cardinality: u64,
    /// The field at which the server reports the error, as the server prints it.
    pub field_path: Option<String>,
}

impl Compiled {
    /// Returns the maximum cost of running the rule once. It is 0 for a rule that was rejected.
    pub fn max_cost(&self) -> u64 {
        match &self.rule {
            Some(Ok(expression)) => expression.estimate.total.max,
            Some(Err(_)) | None => 0,
        }
    }
}

/// The type of `oldSelf` in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldSelf {
    /// That of `self`. Without an old value, the expression is not evaluated.
    Value,
    /// An optional, as with `optionalOldSelf`.
    Optional,
}

impl OldSelf {
    /// Returns `Optional` if a condition is true.
    pub fn optional_if(is_optional: bool) -> OldSelf {
        if is_optional { OldSelf::Optional } else { OldSelf::Value }
    }
}

/// Compiles expressions about the values of one schema node.
pub struct Compiler<'d> {
    decls: &'d Decls,
    root: DeclId,
    environments: &'d Environments,
    /// The types of the expressions compiled so far.
    pub types: Types,
    self_type: Ty,
    /// Whether expressions may use `self`.
    has_self: bool,
}

impl<'d> Compiler<'d> {
    /// Creates a compiler for a declared schema node.
    pub fn new(decls: &'d Decls, root: DeclId, environments: &'d Environments) -> Self {
        let mut types = Types::default();
        let self_type = decls.ty(&mut types, root, SELF_TYPE);
        Compiler { decls, root, environments, types, self_type, has_self: true }
    }

    /// Returns a compiler for expressions that may not use `self` and `oldSelf`.
    #[must_use]
    pub fn without_self(self) -> Self {
        Compiler { has_self: false, ..self }
    }

    /// Compiles a rule of the node. The schema is needed for the field path.
    pub fn rule(&mut self, rule: &Rule, schema: &Schema) -> Compiled {
        let mut compiled = Compiled::default();
        if rule.rule.trim().is_empty() {
            return compiled;
        }
        let old_self = OldSelf::optional_if(rule.optional_old_self == Some(true));
        let kube = self.environments.of_rule(&rule.rule);
        let expression = self.expression(&rule.rule, kube, old_self, Some(Ty::BOOL));
        let expression = match expression {
            Ok(expression) => expression,
            Err(rejection) => {
                let detail = match rejection.0 {
                    Stage::Compile => format!("compilation failed: {}", rejection.1.detail),
                    Stage::Output => "cel expression must evaluate to a bool".to_owned(),
                    Stage::Program(_, old_self) => {
                        compiled.uses_old_self = old_self;
                        format!("program instantiation failed: {}", rejection.1.detail)
                    }
                };
                compiled.rule = Some(Err(Rejection { detail, ..*rejection.1 }));
                return compiled;
            }
        };
        compiled.uses_old_self = uses_old_self(&expression.checked);
        compiled.size_cardinality = self.decls.cardinality(self.root);
        compiled.rule = Some(Ok(expression));
        if !rule.message_expression.is_empty() {
            let kube = self.environments.of_message(&rule.message_expression);
            let message = self.expression(&rule.message_expression, kube, old_self, Some(Ty::STRING));
            let failed = message.is_err();
            compiled.message = Some(message.map_err(|(stage, rejection)| {
                let detail = match stage {
                    Stage::Compile => format!("messageExpression compilation failed: {}", rejection.detail),
                    Stage::Output => "messageExpression must evaluate to a string".to_owned(),
                    Stage::Program(..) => {
                        format!("messageExpression instantiation failed: {}", rejection.detail)
                    }
                };
                Rejection { detail, ..*rejection }
            }));
            if failed {
                return compiled;
            }
        }
        if !rule.field_path.is_empty() {
            let found = structural::field_path(&rule.field_path, schema, Brackets::Allowed);
            compiled.field_path = found.ok().map(|(path, _)| path.to_string());
        }
        compiled
    }

    /// Compiles an expression of any type about the node's values.
    pub fn value(&mut self, text: &str, kube: Kube, old_self: OldSelf) -> Result<Expression, Box<Rejection>> {
        self.expression(text, kube, old_self, None).map_err(|(stage, rejection)| {
            let output = if let Stage::Program(ty, _) = stage { Some(self.types.display(ty)) } else { None };
            Box::new(Rejection { output, ..*rejection })
        })
    }

    /// Returns what may be written at a byte of an expression about the node's values. The expression need not be complete.
    pub fn complete(&mut self, text: &str, offset: usize, kube: Kube, old_self: OldSelf) -> Vec<Candidate> {
        self.with_env(kube, old_self, |env, types| cel::complete(env, types, text, offset))
    }

    /// Runs something with what expressions can use.
    fn with_env<T>(
        &mut self,
        kube: Kube,
        old_self: OldSelf,
        run: impl FnOnce(&Env<'_>, &mut Types) -> T,
    ) -> T {
        let old_self = match old_self {
            OldSelf::Optional => self.types.optional(self.self_type),
            OldSelf::Value => self.self_type,
        };
        let variables = [("self", self.self_type), ("oldSelf", old_self)];
        let fields = Fields { decls: self.decls, kube };
        let env = Env {
            libraries: kube.into(),
            variables: match (self.has_self, kube.minor >= 24) {
                (true, true) => &variables,
                (true, false) => &variables[..1],
                (false, _) => &[],
            },
            declarations: &fields,
        };
        run(&env, &mut self.types)
    }

    /// Compiles an expression. Its type must be `output`, if that is given.
    fn expression(
        &mut self,
        text: &str,
        kube: Kube,
        old_self: OldSelf,
        output: Option<Ty>,
    ) -> Result<Expression, (Stage, Box<Rejection>)> {
        let parsed = cel::parse(text, kube);
        let checked =
            parsed.and_then(|ast| self.with_env(kube, old_self, |env, types| cel::check(ast, env, types)));
        let checked = checked.map_err(|issues| {
            let source = Source::new(text);
            let at = issues.iter().filter_map(|i| i.at).min().map(|at| source.byte(at));
            let help = cel::hint::hints(text, &issues);
            let summary = source.summary(&issues);
            let detail = source.display(&issues);
            (Stage::Compile, Box::new(Rejection { detail, at, issues, help, summary, output: None }))
        })?;
        if output.is_some_and(|output| checked.output() != output) {
            return Err((Stage::Output, Box::default()));
        }
        let sizes = DeclSizes { decls: self.decls, root: self.root };
        let estimate = cost::estimate(&checked, &self.types, &sizes);
        let program = Program::new(&checked, &["self", "oldSelf"], kube).map_err(|error| {
            let stage = Stage::Program(checked.output(), uses_old_self(&checked));
            (stage, Box::new(Rejection::of(error.to_string())))
        })?;
        Ok(Expression { checked, kube, estimate, program })
    }
}

/// The stage at which compiling failed.
enum Stage {
    Compile,
    Output,
    /// The type of the expression, and whether it uses `oldSelf`. Both are still needed.
    Program(Ty, bool),
}
