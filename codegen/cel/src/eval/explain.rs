//! Explains why an expression has its value: which of its parts decide, with their values. The parts are run as programs of
//! their own, so their values are those of the evaluation itself. Other evaluations do not cost more.

use crate::ast::{Checked, Comprehension, Connective, Expr, ExprId, Reference, ops};
use crate::library::Libraries;
use crate::span::Spans;
use crate::value::{ErrorKind, Outcome, Val};

use super::Program;
use super::explanation::{Explanation, Failure, Item, Part};
use super::search::{Element, Scope, Search};

/// About how many characters of a value are shown.
const SHOWN: usize = 60;

/// How many elements of a loop are explained.
const ITEMS: usize = 3;

/// Explains the value of an expression for these values of its variables. `text` is the expression. Returns `None` if the
/// evaluation exceeds a limit.
pub fn explain<'c>(
    text: &'c str,
    checked: &'c Checked,
    libraries: impl Into<Libraries<'c>>,
    globals: &[(&str, Option<Outcome<'_>>)],
) -> Option<Explanation> {
    let mut constant = vec![false; checked.ast.len()];
    find_constants(checked, checked.ast.root(), &mut constant);
    let mut explainer = Explainer {
        search: Search::new(checked, libraries.into(), globals.len()),
        spans: Spans::new(text, &checked.ast),
        constant,
    };
    let whole = explainer.part(checked.ast.root(), globals)?;
    Some(Explanation { whole, is_complete: !explainer.search.is_cut })
}

/// Marks the nodes whose value does not depend on a variable. Returns whether the node is one of them.
fn find_constants(checked: &Checked, id: ExprId, constant: &mut [bool]) -> bool {
    let is_constant = match checked.ast.expr(id) {
        Expr::Ident(_) => {
            matches!(checked.references[id.index()], Reference::Type | Reference::Constant(_))
        }
        _ => {
            let (mut all, mut children) = (true, Vec::new());
            checked.ast.children(id, &mut |child| children.push(child));
            for child in children {
                all &= find_constants(checked, child, constant);
            }
            all
        }
    };
    constant[id.index()] = is_constant;
    is_constant
}

struct Explainer<'c> {
    search: Search<'c>,
    spans: Spans<'c>,
    /// Whether a node is the same for all objects, so that its text explains it.
    constant: Vec<bool>,
}

/// What decides the value of a part.
#[derive(Default)]
struct Reasons {
    parts: Vec<Part>,
    items: Vec<Item>,
    more: usize,
}

/// A loop with its predicate, and the elements that it is over.
#[derive(Clone, Copy)]
struct Quantified<'c, 'e> {
    loops: &'c Comprehension,
    predicate: ExprId,
    elements: &'c [Element<'e>],
}

impl From<Vec<Part>> for Reasons {
    fn from(parts: Vec<Part>) -> Reasons {
        Reasons { parts, ..Reasons::default() }
    }
}

impl Explainer<'_> {
    /// Runs a part, and explains its value. `None` if a limit is exceeded.
    fn part(&mut self, id: ExprId, scope: &Scope<'_, '_>) -> Option<Part> {
        let program = self.search.program(id, scope)?;
        let value = self.search.run(&program, scope);
        self.explained(id, &value, scope)
    }

    fn explained(&mut self, id: ExprId, value: &Outcome<'_>, scope: &Scope<'_, '_>) -> Option<Part> {
        let is_over = |kind| matches!(kind, ErrorKind::TooMuch | ErrorKind::CostLimit);
        if value.as_ref().is_err_and(|error| is_over(error.kind())) {
            return None;
        }
        let Reasons { parts, items, more } = self.reasons(id, value, scope);
        let value = match value {
            Ok(value) => Ok(value.brief(SHOWN)),
            Err(error) => Err(Failure(error.to_string())),
        };
        Some(Part { at: self.spans.of(id), value, parts, items, more })
    }

    /// The parts among some nodes that have a value of their own to show.
    fn parts(&mut self, ids: impl IntoIterator<Item = ExprId>, scope: &Scope<'_, '_>) -> Vec<Part> {
        let ids = ids.into_iter();
        ids.filter_map(|id| if self.constant[id.index()] { None } else { self.part(id, scope) }).collect()
    }

    fn reasons(&mut self, id: ExprId, value: &Outcome<'_>, scope: &Scope<'_, '_>) -> Reasons {
        let ast = &self.search.checked.ast;
        if let Some(call) = ast.macro_call(id) {
            return match (ast.expr(id), call.function.as_ref(), call.args.last()) {
                (
                    Expr::Comprehension(loops),
                    "all" | "exists" | "exists_one" | "existsOne",
                    Some(predicate),
                ) => self.quantifier(loops, *predicate, &call.function, value, scope),
                (Expr::Comprehension(loops), ..) => self.parts([loops.range], scope).into(),
                // The parts of other macros are copies of their target.
                _ => self.parts(call.target, scope).into(),
            };
        }
        match ast.expr(id) {
            Expr::Call { function, args, .. } if matches!(function.as_ref(), ops::AND | ops::OR) => {
                let connective = if function.as_ref() == ops::OR { Connective::Or } else { Connective::And };
                let mut terms = Vec::new();
                self.terms(args, function, &mut terms);
                self.terms_that_decide(&terms, connective, value, scope).into()
            }
            Expr::Call { function, args, .. } if function.as_ref() == ops::CONDITIONAL => {
                let [condition, yes, no] = **args else { return Reasons::default() };
                let Some(first) = self.part(condition, scope) else { return Reasons::default() };
                let side = match &first.value {
                    Ok(text) if text == "true" => Some(yes),
                    Ok(text) if text == "false" => Some(no),
                    Ok(_) | Err(_) => None,
                };
                let mut parts = vec![first];
                parts.extend(self.parts(side, scope));
                parts.into()
            }
            // The path to a field needs no explanation, apart from computed keys.
            Expr::Select { operand, .. } if self.is_path(*operand) => {
                let keys = self.keys(*operand);
                self.parts(keys, scope).into()
            }
            Expr::Call { function, args, .. }
                if function.as_ref() == ops::INDEX && args.first().is_some_and(|at| self.is_path(*at)) =>
            {
                let keys = self.keys(id);
                self.parts(keys, scope).into()
            }
            _ => {
                let mut children = Vec::new();
                ast.children(id, &mut |child| children.push(child));
                let mut parts = self.parts(children, scope);
                // An error comes from a part that fails, if there is one.
                if value.is_err() && parts.iter().any(|part| part.value.is_err()) {
                    parts.retain(|part| part.value.is_err());
                }
                parts.into()
            }
        }
    }

    /// The operands of a chain of the same operator.
    fn terms(&self, args: &[ExprId], function: &str, out: &mut Vec<ExprId>) {
        let ast = &self.search.checked.ast;
        for arg in args {
            match ast.expr(*arg) {
                Expr::Call { function: own, args, .. } if own == function => self.terms(args, function, out),
                _ => out.push(*arg),
            }
        }
    }

    /// The terms of `&&` or `||` that decide its value.
    fn terms_that_decide(
        &mut self,
        terms: &[ExprId],
        connective: Connective,
        value: &Outcome<'_>,
        scope: &Scope<'_, '_>,
    ) -> Vec<Part> {
        let wins = connective.deciding();
        let mut parts = Vec::new();
        for term in terms.iter().filter(|term| !self.constant[term.index()]).copied().collect::<Vec<_>>() {
            let Some(program) = self.search.program(term, scope) else { continue };
            let own = self.search.run(&program, scope);
            let decides = match (value, &own) {
                (Ok(Val::Bool(whole)), Ok(Val::Bool(own))) => *whole != wins || *own == wins,
                (Err(_), Err(_)) => true,
                _ => false,
            };
            if decides {
                parts.extend(self.explained(term, &own, scope));
            }
        }
        parts
    }

    /// Whether a node is a variable with fields, keys and indices.
    fn is_path(&self, id: ExprId) -> bool {
        let mut at = id;
        loop {
            match self.search.checked.ast.expr(at) {
                Expr::Ident(_) => return true,
                Expr::Select { operand, test_only: false, .. } => at = *operand,
                Expr::Call { function, args, .. } if function.as_ref() == ops::INDEX => match args.first() {
                    Some(first) => at = *first,
                    None => return false,
                },
                _ => return false,
            }
        }
    }

    /// The keys and indices in a path.
    fn keys(&self, id: ExprId) -> Vec<ExprId> {
        let (mut at, mut out) = (id, Vec::new());
        loop {
            match self.search.checked.ast.expr(at) {
                Expr::Select { operand, .. } => at = *operand,
                Expr::Call { args, .. } => match **args {
                    [first, key] => {
                        out.push(key);
                        at = first;
                    }
                    _ => break,
                },
                _ => break,
            }
        }
        out.reverse();
        out
    }

    /// The elements that decide the value of `all`, `exists` or `exists_one`.
    fn quantifier(
        &mut self,
        loops: &Comprehension,
        predicate: ExprId,
        function: &str,
        value: &Outcome<'_>,
        scope: &Scope<'_, '_>,
    ) -> Reasons {
        let Some(program) = self.search.program(loops.range, scope) else { return Reasons::default() };
        let range = self.search.run(&program, scope);
        let elements = range.as_ref().ok().and_then(|range| self.search.elements(range, loops));
        let found = match elements {
            Some(elements) => {
                self.items(Quantified { loops, predicate, elements: &elements }, function, value, scope)
            }
            None => Reasons::default(),
        };
        // The path to a list does not help, unless nothing in it decides.
        if found.items.is_empty() || !self.is_path(loops.range) {
            let is_constant = self.constant[loops.range.index()];
            let range = if is_constant { None } else { self.explained(loops.range, &range, scope) };
            return Reasons { parts: range.into_iter().collect(), ..found };
        }
        found
    }

    fn items(
        &mut self,
        over: Quantified<'_, '_>,
        function: &str,
        value: &Outcome<'_>,
        scope: &Scope<'_, '_>,
    ) -> Reasons {
        let Quantified { loops, predicate, elements } = over;
        let Some(first) = elements.first() else { return Reasons::default() };
        let inner = Search::inside(scope, loops, Ok(Val::Null), first);
        let Some(program) = self.search.program(predicate, &inner) else { return Reasons::default() };
        // Which elements decide: those with this value, or with an error.
        let wanted = match (function, value) {
            (_, Err(_)) => None,
            ("all", Ok(Val::Bool(true))) => return Reasons::default(),
            ("all", _) => Some(false),
            ("exists", Ok(Val::Bool(whole))) => Some(*whole),
            (_, Ok(_)) => Some(true),
        };
        let decides = |own: &Outcome<'_>, wanted: Option<bool>| match (own, wanted) {
            (Ok(Val::Bool(own)), Some(wanted)) => *own == wanted,
            (Err(_), None) => true,
            _ => false,
        };
        let mut found = self.matching(&program, over, scope, &|own| decides(own, wanted));
        if found.items.is_empty() && function.starts_with("exists") && wanted == Some(true) {
            // None is true, so all of them decide.
            found = self.matching(&program, over, scope, &|own| decides(own, Some(false)));
        }
        found
    }

    fn matching(
        &mut self,
        program: &Program,
        over: Quantified<'_, '_>,
        scope: &Scope<'_, '_>,
        decides: &dyn Fn(&Outcome<'_>) -> bool,
    ) -> Reasons {
        let Quantified { loops, predicate, elements } = over;
        let mut found = Reasons::default();
        for element in elements {
            if self.search.is_spent() {
                break;
            }
            let inner = Search::inside(scope, loops, Ok(Val::Null), element);
            let own = self.search.run(program, &inner);
            if !decides(&own) {
                continue;
            }
            if found.items.len() == ITEMS {
                found.more += 1;
                continue;
            }
            let Some(body) = self.explained(predicate, &own, &inner) else { continue };
            let brief = |value: &Outcome<'_>| match value {
                Ok(value) => value.brief(SHOWN),
                Err(error) => format!("error({error})"),
            };
            let mut variables = vec![(loops.var.to_string(), brief(&element.first))];
            if let (Some(name), Some(second)) = (&loops.var2, &element.second) {
                variables.push((name.to_string(), brief(second)));
            }
            found.items.push(Item { key: element.key.brief(SHOWN), variables, body });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Ty, Types};
    use crate::value::{Shape, ShapeKind};
    use crate::{Env, NoDeclarations, check, parse};
    use std::sync::LazyLock;

    fn why(text: &str, this: &str) -> String {
        static ANY: LazyLock<Shape> = LazyLock::new(|| Shape::of(ShapeKind::Any));
        let kube = crate::Kube::CURRENT;
        let variables = [("self", Ty::DYN)];
        let env = Env { libraries: kube.into(), variables: &variables, declarations: &NoDeclarations };
        let checked = check(parse(text, kube).unwrap(), &env, &mut Types::default()).unwrap();
        let value = crdgen_text::json::read(this.as_bytes()).unwrap();
        let scope = [("self", Some(ANY.adapt(&value)))];
        explain(text, &checked, kube, &scope).unwrap().lines(text).join("\n")
    }

    #[test]
    fn shows_the_parts_that_decide() {
        assert_eq!(
            why("self.a < 3 && (self.b == 'x' || self.c.size() > 1) && true", r#"{"a":1,"b":"y","c":[]}"#),
            "self.a < 3 && (self.b == 'x' || self.c.size() > 1) && true is false
  self.b == 'x' || self.c.size() > 1 is false
    self.b == 'x' is false
      self.b is \"y\"
    self.c.size() > 1 is false
      self.c.size() is 0
        self.c is []"
        );
        assert_eq!(
            why("!has(self.a) ? self.b > 1 : self.list[self.a].x == 1", r#"{"a":1,"list":[{},{"x":2}]}"#),
            "!has(self.a) ? self.b > 1 : self.list[self.a].x == 1 is false
  !has(self.a) is false
    has(self.a) is true
  self.list[self.a].x == 1 is false
    self.list[self.a].x is 2
      self.a is 1"
        );
    }

    #[test]
    fn shows_the_elements_that_decide() {
        let list = r#"{"list":[{"n":1},{"n":0},{"n":0},{"n":0},{"n":0}]}"#;
        assert_eq!(
            why("self.list.all(x, x.n > 0)", list),
            "self.list.all(x, x.n > 0) is false
  [1]: x is {\"n\": 0}
    x.n > 0 is false
      x.n is 0
  [2]: x is {\"n\": 0}
    x.n > 0 is false
      x.n is 0
  [3]: x is {\"n\": 0}
    x.n > 0 is false
      x.n is 0
  and 1 more"
        );
        assert_eq!(
            why("self.list.exists(i, x, x.n == i)", r#"{"list":[{"n":1}]}"#),
            "self.list.exists(i, x, x.n == i) is false
  [0]: x is {\"n\": 1}
    x.n == i is false
      x.n is 1
      i is 0"
        );
        assert_eq!(
            why("self.all(k, self[k] > 1)", r#"{"a":1,"b":2}"#),
            "self.all(k, self[k] > 1) is false
  [\"a\"]
    self[k] > 1 is false
      self[k] is 1
        k is \"a\""
        );
        assert_eq!(
            why("self.list.filter(x, x > 1).exists(x, x == 2)", r#"{"list":[1]}"#),
            "self.list.filter(x, x > 1).exists(x, x == 2) is false
  self.list.filter(x, x > 1) is []
    self.list is [1]"
        );
        assert_eq!(
            why("[1, 2].all(x, x < self.a)", r#"{"a":2}"#),
            "[1, 2].all(x, x < self.a) is false
  [1]: x is 2
    x < self.a is false
      x is 2
      self.a is 2"
        );
    }

    #[test]
    fn shows_what_fails() {
        assert_eq!(
            why("self.a == 1 && self.list.all(x, 10 / x > 1)", r#"{"a":1,"list":[5,0]}"#),
            "self.a == 1 && self.list.all(x, 10 / x > 1) fails: division by zero
  self.list.all(x, 10 / x > 1) fails: division by zero
    [1]: x is 0
      10 / x > 1 fails: division by zero
        10 / x fails: division by zero
          x is 0"
        );
        assert_eq!(
            why("self.a.b + self.c > 1", r#"{"a":{},"c":1}"#),
            "self.a.b + self.c > 1 fails: no such key: b
  self.a.b + self.c fails: no such key: b
    self.a.b fails: no such key: b"
        );
    }

    /// Many nested loops over large values end at the limit.
    #[test]
    fn ends() {
        let list = format!("{{\"l\":[{}]}}", vec!["1"; 300].join(","));
        let text = "self.l.all(a, self.l.all(b, self.l.exists(c, a + b + c == 0)))";
        assert!(why(text, &list).contains("is false"));
    }
}
