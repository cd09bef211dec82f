//! Rules that compare floats for equality.

use super::{Advice, At, Lint, Topic};
use crate::cel;
use crate::cel::ast::{Ast, Expr, ExprId, Literal, ops};
use crate::diag::codes::api::FLOAT_EQUALITY;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &FLOAT_EQUALITY,
    topic: Some(Topic::Rules),
    fires: "properties: {spec: {type: object, properties: {ratio: {type: number, x-kubernetes-validations: [{rule: 'self != 0.3'}]}}}}",
    silent: "properties: {spec: {type: object, properties: {ratio: {type: number, x-kubernetes-validations: [{rule: 'self < 0.3'}]}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    for (number, rule) in node.schema.rules.iter().enumerate() {
        let Some(ast) = cel::parse_stored(&rule.rule) else { continue };
        if compares_float(&ast) {
            let help = "compare with `<` or `>`, or use an integer of a smaller unit";
            out.push(Advice::new(At::Rule(number), "the rule compares a float for equality", help));
        }
    }
}

fn compares_float(ast: &Ast) -> bool {
    let mut open: Vec<ExprId> = vec![ast.root()];
    let is_float = |id: &ExprId| matches!(ast.expr(*id), Expr::Literal(Literal::Double(_)));
    while let Some(id) = open.pop() {
        if let Expr::Call { function, args, .. } = ast.expr(id)
            && matches!(&**function, ops::EQUALS | ops::NOT_EQUALS)
            && args.iter().any(is_float)
        {
            return true;
        }
        ast.children(id, &mut |child| open.push(child));
    }
    false
}
