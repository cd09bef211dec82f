//! Rules that say what a keyword can say.

use super::{Advice, At, Lint, Topic};
use crate::cel;
use crate::cel::ast::{Ast, Expr, ExprId, Literal};
use crate::compare::bounds::{self, Comparison, Range};
use crate::diag::codes::api::REPEATED_KEYWORD;
use crate::ir::{Schema, Type};
use crate::json;
use crate::value::Value;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &REPEATED_KEYWORD,
    topic: Some(Topic::Rules),
    fires: "properties: {spec: {type: object, properties: {title: {type: string, maxLength: 200, x-kubernetes-validations: [{rule: 'self.size() <= 100'}]}}}}",
    silent: "properties: {spec: {type: object, properties: {title: {type: string, maxLength: 100}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    for (number, rule) in node.schema.rules.iter().enumerate() {
        let Some(ast) = cel::parse_stored(&rule.rule) else { continue };
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
    bounds::both_ways(function, left, right)
        .into_iter()
        .find_map(|comparison| of_bound(ast, &comparison, schema))
}

/// The keyword for a bound of the value, or of its size.
fn of_bound(ast: &Ast, comparison: &Comparison<'_>, schema: &Schema) -> Option<(&'static str, Value)> {
    let Comparison { operator, left, right } = *comparison;
    let constant = bounds::integer(ast, right)?;
    // The size of bytes is not that of their text.
    let is_size =
        bounds::size_of(ast, left).is_some_and(|of| is_self(ast, of)) && schema.limits.format != "byte";
    let (range, most, least) = match (is_self(ast, left), is_size, &schema.ty) {
        (true, _, Some(Type::Integer)) => (Range::of(operator, constant)?, "maximum", "minimum"),
        (_, true, Some(Type::String)) => (Range::of_size(operator, constant)?, "maxLength", "minLength"),
        (_, true, Some(Type::Array)) => (Range::of_size(operator, constant)?, "maxItems", "minItems"),
        (_, true, Some(Type::Object)) => {
            (Range::of_size(operator, constant)?, "maxProperties", "minProperties")
        }
        _ => return None,
    };
    match (range.least, range.most) {
        (None, Some(bound)) => Some((most, Value::Int(bound))),
        (Some(bound), None) => Some((least, Value::Int(bound))),
        // These are two keywords.
        (Some(_), Some(_)) | (None, None) => None,
    }
}

fn is_self(ast: &Ast, id: ExprId) -> bool {
    matches!(ast.expr(id), Expr::Ident(name) if &**name == "self")
}
