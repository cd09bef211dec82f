//! Rules that say what a keyword can say.

use super::{Advice, At, Lint, Topic};
use crate::cel::ast::{Ast, Expr, ExprId, Literal, ops};
use crate::cel::{self, Kube};
use crate::diag::codes::api::REPEATED_KEYWORD;
use crate::ir::{Schema, Type};
use crate::json;
use crate::value::Value;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &REPEATED_KEYWORD,
    topic: Topic::Rules,
    fires: "properties: {spec: {type: object, properties: {title: {type: string, maxLength: 200, x-kubernetes-validations: [{rule: 'self.size() <= 100'}]}}}}",
    silent: "properties: {spec: {type: object, properties: {title: {type: string, maxLength: 100}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    for (number, rule) in node.schema.rules.iter().enumerate() {
        let Ok(ast) = cel::parse(&rule.rule, Kube::STORED) else { continue };
        if let Some((keyword, value)) = same_keyword(&ast, node.schema) {
            let value = value.as_str().map_or_else(|| json::to_string(&value), str::to_owned);
            let keyword = format!("{keyword}: {value}");
            let detail = format!("the rule says the same as `{keyword}`");
            out.push(Advice::new(At::Rule(number), detail, format!("write `{keyword}` instead of the rule")));
        }
    }
}

/// The keyword that says the same as a rule, and its value.
pub(in crate::check::lints) fn same_keyword(ast: &Ast, schema: &Schema) -> Option<(&'static str, Value)> {
    let Expr::Call { function, target, args } = ast.expr(ast.root()) else { return None };
    if &**function == "matches" {
        let [pattern] = args[..] else { return None };
        let Expr::Literal(Literal::String(pattern)) = ast.expr(pattern) else { return None };
        return target.filter(|it| is_self(ast, *it)).map(|_| ("pattern", Value::from(&**pattern)));
    }
    let [left, right] = args[..] else { return None };
    let Expr::Literal(Literal::Int(bound)) = ast.expr(right) else { return None };
    let (is_most, bound) = match &**function {
        ops::LESS_EQUALS => (true, *bound),
        ops::LESS => (true, bound.checked_sub(1)?),
        ops::GREATER_EQUALS => (false, *bound),
        ops::GREATER => (false, bound.checked_add(1)?),
        _ => return None,
    };
    let (most, least) = match (is_self(ast, left), is_size_of_self(ast, left), &schema.ty) {
        (true, _, Some(Type::Integer)) => ("maximum", "minimum"),
        (_, true, Some(Type::String)) => ("maxLength", "minLength"),
        (_, true, Some(Type::Array)) => ("maxItems", "minItems"),
        (_, true, Some(Type::Object)) => ("maxProperties", "minProperties"),
        _ => return None,
    };
    Some((if is_most { most } else { least }, Value::Int(bound)))
}

fn is_self(ast: &Ast, id: ExprId) -> bool {
    matches!(ast.expr(id), Expr::Ident(name) if &**name == "self")
}

fn is_size_of_self(ast: &Ast, id: ExprId) -> bool {
    match ast.expr(id) {
        Expr::Call { function, target, args } if &**function == "size" => {
            target.iter().chain(args.iter()).any(|of| is_self(ast, *of))
        }
        _ => false,
    }
}
