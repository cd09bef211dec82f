//! Rules of the whole object that read the status.

use super::{Advice, At, Lint, Topic};
use crate::cel;
use crate::cel::ast::{Ast, Expr, ExprId};
use crate::diag::codes::api::STATUS_RULE;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &STATUS_RULE,
    topic: Some(Topic::Status),
    fires: "x-kubernetes-validations: [{rule: '!has(self.status) || self.status.ready > 0'}]\nproperties: {status: {type: object, properties: {ready: {type: integer}}}}",
    silent: "properties: {status: {type: object, x-kubernetes-validations: [{rule: 'self.ready > 0'}], properties: {ready: {type: integer}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    if node.up.is_some() {
        return;
    }
    for (number, rule) in node.schema.rules.iter().enumerate() {
        let Some(ast) = cel::parse_stored(&rule.rule) else { continue };
        if reads_status(&ast) {
            let help = "write rules about the status into its schema, and those about the spec into that of the spec";
            out.push(Advice::new(At::Rule(number), "a rule of the whole object reads the status", help));
        }
    }
}

fn reads_status(ast: &Ast) -> bool {
    let mut open: Vec<ExprId> = vec![ast.root()];
    let is_object =
        |id: ExprId| matches!(ast.expr(id), Expr::Ident(name) if matches!(&**name, "self" | "oldSelf"));
    while let Some(id) = open.pop() {
        match ast.expr(id) {
            Expr::Select { operand, field, .. } if &**field == "status" && is_object(*operand) => {
                return true;
            }
            _ => ast.children(id, &mut |child| open.push(child)),
        }
    }
    false
}
