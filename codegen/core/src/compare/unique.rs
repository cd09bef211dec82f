//! Rules that say what `x-kubernetes-list-type: set` says: `self.all(x, self.exists_one(y, x == y))`.

use super::bounds::{self, Range};
use crate::cel::ast::{Ast, Comprehension, Expr, ExprId, Literal, ops};
use crate::ir::{Schema, Type};

/// How deep expressions are read.
const DEEPEST: usize = 100;

/// Whether the items of a list are single values, which rules compare as the server does.
pub(super) fn has_single_items(list: &Schema) -> bool {
    let is_single = |item: &Schema| {
        let is_plain = !item.nullable && item.limits.format.is_empty();
        is_plain && matches!(item.ty, Some(Type::String | Type::Integer | Type::Boolean))
    };
    list.item().is_some_and(is_single)
}

/// The list for which a condition is true if, and only if, no two of its items are equal.
pub(super) fn list_of(ast: &Ast, id: ExprId) -> Option<ExprId> {
    // `self.filter(x, self.filter(y, x == y).size() > 1).size() == 0`
    if let Some((counted, Range { most: Some(0), .. })) = counted(ast, id) {
        let Expr::Comprehension(filter) = ast.expr(counted) else { return None };
        let of_item = filtered(ast, filter)?;
        return equals_of(ast, filter, of_item, |count| count.least == Some(2) && count.most.is_none());
    }
    let Expr::Comprehension(all) = ast.expr(id) else { return None };
    let is_true = matches!(ast.expr(all.init), Expr::Literal(Literal::Bool(true)));
    let (ops::AND, [accu, of_item]) = call(ast, all.step)? else { return None };
    let is_all = is_true && all.var2.is_none() && is_variable(ast, *accu, &all.accu);
    if !is_all {
        return None;
    }
    let is_one = |count: Range| count.most == Some(1);
    equals_of(ast, all, *of_item, is_one)
}

/// The list over which a macro goes, if its condition counts the items that are equal to one of them.
fn equals_of(
    ast: &Ast,
    around: &Comprehension,
    of_item: ExprId,
    is_count: impl Fn(Range) -> bool,
) -> Option<ExprId> {
    let (inner, condition) = match ast.expr(of_item) {
        // `self.exists_one(y, x == y)`
        Expr::Comprehension(one) => {
            let count = Range { least: Some(1), most: Some(1) };
            (one, counted_one(ast, one).filter(|_| is_count(count))?)
        }
        // `self.filter(y, x == y).size() == 1`
        _ => {
            let (list, count) = counted(ast, of_item)?;
            let Expr::Comprehension(filter) = ast.expr(list) else { return None };
            (filter, filtered(ast, filter).filter(|_| is_count(count))?)
        }
    };
    let is_same_list = path(ast, inner.range, 0).is_some_and(|it| Some(it) == path(ast, around.range, 0));
    let (ops::EQUALS, [left, right]) = call(ast, condition)? else { return None };
    let are = |a: ExprId, b: ExprId| is_variable(ast, a, &around.var) && is_variable(ast, b, &inner.var);
    let is_equal = (are(*left, *right) || are(*right, *left)) && inner.var != around.var;
    // The list must not be one of the variables.
    (is_same_list && is_equal).then_some(around.range)
}

/// The condition of `exists_one`.
fn counted_one(ast: &Ast, one: &Comprehension) -> Option<ExprId> {
    let is_zero = matches!(ast.expr(one.init), Expr::Literal(Literal::Int(0)));
    let (ops::CONDITIONAL, [condition, more, same]) = call(ast, one.step)? else { return None };
    let (ops::ADD, [accu, step]) = call(ast, *more)? else { return None };
    let is_counted = is_variable(ast, *accu, &one.accu)
        && is_variable(ast, *same, &one.accu)
        && matches!(ast.expr(*step), Expr::Literal(Literal::Int(1)));
    let (ops::EQUALS, [accu, count]) = call(ast, one.result)? else { return None };
    let is_one =
        is_variable(ast, *accu, &one.accu) && matches!(ast.expr(*count), Expr::Literal(Literal::Int(1)));
    (is_zero && is_counted && is_one && one.var2.is_none()).then_some(*condition)
}

/// The condition of `filter`.
fn filtered(ast: &Ast, filter: &Comprehension) -> Option<ExprId> {
    let (ops::CONDITIONAL, [condition, more, same]) = call(ast, filter.step)? else { return None };
    let (ops::ADD, [accu, added]) = call(ast, *more)? else { return None };
    let Expr::List { elements, optional } = ast.expr(*added) else { return None };
    let is_item = matches!(&elements[..], [one] if is_variable(ast, *one, &filter.var));
    let is_filter = is_item
        && optional.is_empty()
        && is_variable(ast, *accu, &filter.accu)
        && is_variable(ast, *same, &filter.accu)
        && is_variable(ast, filter.result, &filter.accu)
        && matches!(ast.expr(filter.init), Expr::List { elements, .. } if elements.is_empty());
    (is_filter && filter.var2.is_none()).then_some(*condition)
}

/// What a condition compares the size of with a number, and which sizes it allows.
fn counted(ast: &Ast, id: ExprId) -> Option<(ExprId, Range)> {
    let (name, [left, right]) = call(ast, id)? else { return None };
    bounds::both_ways(name, *left, *right).into_iter().find_map(|it| {
        let of = bounds::size_of(ast, it.left)?;
        Some((of, Range::of_size(it.operator, bounds::integer(ast, it.right)?)?))
    })
}

fn call(ast: &Ast, id: ExprId) -> Option<(&str, &[ExprId])> {
    match ast.expr(id) {
        Expr::Call { function, target: None, args } => Some((&**function, &args[..])),
        _ => None,
    }
}

fn is_variable(ast: &Ast, id: ExprId, name: &str) -> bool {
    matches!(ast.expr(id), Expr::Ident(own) if **own == *name)
}

/// The variable and the fields that an expression reads.
fn path(ast: &Ast, id: ExprId, depth: usize) -> Option<Vec<&str>> {
    match ast.expr(id) {
        Expr::Ident(name) => Some(vec![&**name]),
        Expr::Select { operand, field, test_only: false } if depth < DEEPEST => {
            let mut out = path(ast, *operand, depth + 1)?;
            out.push(&**field);
            Some(out)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::list_of;
    use crate::cel::{Kube, parse};

    #[test]
    fn knows_rules_that_say_that_items_are_unique() {
        for (rule, expected) in [
            ("self.all(x, self.exists_one(y, x == y))", true),
            ("self.all(x, self.exists_one(y, y == x))", true),
            ("self.l.all(x, self.l.filter(y, y == x).size() == 1)", true),
            ("self.l.all(x, size(self.l.filter(y, y == x)) <= 1)", true),
            ("self.l.all(x, 2 > size(self.l.filter(y, y == x)))", true),
            ("size(self.filter(i, size(self.filter(j, j == i)) > 1)) == 0", true),
            ("self.all(x, self.exists_one(y, x != y))", false),
            ("self.all(x, self.exists(y, x == y))", false),
            ("self.exists(x, self.exists_one(y, x == y))", false),
            ("self.a.all(x, self.b.exists_one(y, x == y))", false),
            ("self.all(x, self.exists_one(y, x.n == y.n))", false),
            ("self.all(x, self.filter(y, x == y).size() <= 2)", false),
            ("self.all(x, self.filter(y, x == y).size() > 1)", false),
            ("size(self.filter(i, size(self.filter(j, j == i)) > 2)) == 0", false),
            ("size(self.filter(i, size(self.filter(j, j == i)) > 1)) <= 1", false),
            ("self.all(x, x.exists_one(y, x == y))", false),
        ] {
            let ast = parse(rule, Kube::STORED).expect("an expression");
            assert_eq!(list_of(&ast, ast.root()).is_some(), expected, "{rule}");
        }
    }
}
