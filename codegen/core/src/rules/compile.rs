//! Compiles the rules of one schema node.

use std::ops::Range;

use super::declare::{DeclId, DeclSizes, Decls, Fields};
use crate::cel::ast::Reference;
use crate::cel::eval::Program;
use crate::cel::types::{Ty, Types};
use crate::cel::{self, Checked, Env, Expr, ExprId, Issue, Kube, Source, cost, span};
use crate::ir::{Crd, Rule, Schema};
use crate::server::Server;
use crate::structural;
use crate::walk::any_schema;

/// The name of the type of `self` in messages. The server's name ends with a number.
const SELF_TYPE: &str = "selfType";

/// Which environments expressions are compiled in.
#[derive(Clone, Debug)]
pub struct Environments {
    /// Of expressions that were not there before.
    pub new: Kube,
    /// Of those that were.
    pub stored: Kube,
    /// The server that compiles them.
    pub server: Server,
    /// The rules and the message expressions of the definition that is updated.
    pub preexisting: Preexisting,
}

impl Environments {
    /// The environments of a server for a new definition.
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

/// The expressions of a definition that is updated.
#[derive(Clone, Debug, Default)]
pub struct Preexisting {
    rules: std::collections::HashSet<String>,
    messages: std::collections::HashSet<String>,
}

impl Preexisting {
    /// The expressions of a definition, which stay compilable as they are.
    pub fn of(old: &Crd) -> Preexisting {
        let mut found = Preexisting::default();
        let shared = old.spec.shared.schema.iter();
        let own = old.spec.versions.iter().filter_map(|v| v.body.schema.as_ref());
        for schema in shared.chain(own).filter_map(|v| v.open_api_v3_schema.as_ref()) {
            found.add(schema);
        }
        found
    }

    /// Adds the expressions of a schema and of all below it.
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

/// An expression that the server rejects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejection {
    /// The server's words.
    pub detail: String,
    /// Where in the expression, in bytes, if it is somewhere.
    pub at: Option<usize>,
    /// What the words consist of, if the expression cannot be compiled.
    pub issues: Vec<Issue>,
    /// What to do, if there is more to say than the words do.
    pub help: Option<String>,
    /// The words in one line: the first issue, with its line and column.
    pub summary: String,
    /// The expression's type, if it is good but for a constant that cannot be computed.
    pub output: Option<String>,
}

impl Rejection {
    fn of(detail: String) -> Rejection {
        Rejection { detail, ..Rejection::default() }
    }
}

/// A compiled expression and what it may cost.
#[derive(Debug)]
pub struct Expression {
    /// The expression.
    pub checked: Checked,
    /// In which environment.
    pub kube: Kube,
    /// What it may cost.
    pub estimate: cost::Estimate,
    /// The expression ready to run, over `self` and `oldSelf`.
    pub program: Program,
}

impl Expression {
    /// The deepest part that makes up at least half of the cost: its place in `text`, and its cost each time.
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

/// A rule as compiled.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The rule; nothing where it is empty.
    pub rule: Option<Result<Expression, Rejection>>,
    /// The message's expression, where there is one and the rule is good.
    pub message: Option<Result<Expression, Rejection>>,
    /// Whether the rule looks at `oldSelf`.
    pub uses_old_self: bool,
    /// How often it can run where nothing bounds the number of values.
    pub size_cardinality: u64,
    /// The field that the error is reported at, as the server prints it.
    pub field_path: Option<String>,
}

impl Compiled {
    /// What the rule may cost at most, once.
    pub fn max_cost(&self) -> u64 {
        match &self.rule {
            Some(Ok(expression)) => expression.estimate.total.max,
            Some(Err(_)) | None => 0,
        }
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
    /// A compiler for a declared schema node.
    pub fn new(decls: &'d Decls, root: DeclId, environments: &'d Environments) -> Self {
        let mut types = Types::default();
        let self_type = decls.ty(&mut types, root, SELF_TYPE);
        Compiler { decls, root, environments, types, self_type, has_self: true }
    }

    /// The same for expressions about nothing: without `self` and `oldSelf`.
    #[must_use]
    pub fn without_self(self) -> Self {
        Compiler { has_self: false, ..self }
    }

    /// Compiles a rule of the node, whose schema is needed for the field path.
    pub fn rule(&mut self, rule: &Rule, schema: &Schema) -> Compiled {
        let mut compiled = Compiled::default();
        if rule.rule.trim().is_empty() {
            return compiled;
        }
        let optional = rule.optional_old_self == Some(true);
        let kube = self.environments.of_rule(&rule.rule);
        let expression = self.expression(&rule.rule, kube, optional, Some(Ty::BOOL));
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
            let message = self.expression(&rule.message_expression, kube, optional, Some(Ty::STRING));
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
            let found = structural::field_path(&rule.field_path, schema, true);
            compiled.field_path = found.ok().map(|(path, _)| path.to_string());
        }
        compiled
    }

    /// Compiles any expression about the node's values.
    pub fn value(&mut self, text: &str, kube: Kube) -> Result<Expression, Box<Rejection>> {
        self.expression(text, kube, false, None).map_err(|(stage, rejection)| {
            let output = if let Stage::Program(ty, _) = stage { Some(self.types.display(ty)) } else { None };
            Box::new(Rejection { output, ..*rejection })
        })
    }

    /// Compiles an expression. Its type must be `output`, if that is given. `optional` makes `oldSelf` an optional.
    fn expression(
        &mut self,
        text: &str,
        kube: Kube,
        optional: bool,
        output: Option<Ty>,
    ) -> Result<Expression, (Stage, Box<Rejection>)> {
        let old_self = if optional { self.types.optional(self.self_type) } else { self.self_type };
        let variables = [("self", self.self_type), ("oldSelf", old_self)];
        let fields = Fields { decls: self.decls, kube };
        let env = Env {
            kube,
            variables: match (self.has_self, kube.minor >= 24) {
                (true, true) => &variables,
                (true, false) => &variables[..1],
                (false, _) => &[],
            },
            declarations: &fields,
        };
        let parsed = cel::parse(text, kube);
        let checked = parsed.and_then(|ast| cel::check(ast, &env, &mut self.types)).map_err(|issues| {
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

/// Whether an expression contains the name `oldSelf`, even for another variable.
fn uses_old_self(checked: &Checked) -> bool {
    let mut stack = vec![checked.ast.root()];
    while let Some(id) = stack.pop() {
        if let (Expr::Ident(name), Reference::Variable) =
            (checked.ast.expr(id), &checked.references[id.index()])
            && name == "oldSelf"
        {
            return true;
        }
        checked.ast.children(id, &mut |child| stack.push(child));
    }
    false
}
