//! Expressions to text: reading the text again gives the same expression. Macros come out as they
//! stood in the text.

use super::ast::{Ast, Expr, ExprId, Literal, ops};

/// How strongly things bind, from `c ? a : b` to `a.b`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Power {
    Any,
    Or,
    And,
    Relation,
    Sum,
    Product,
    Unary,
    Member,
}

impl Power {
    fn above(self) -> Power {
        match self {
            Power::Any => Power::Or,
            Power::Or => Power::And,
            Power::And => Power::Relation,
            Power::Relation => Power::Sum,
            Power::Sum => Power::Product,
            Power::Product => Power::Unary,
            Power::Unary | Power::Member => Power::Member,
        }
    }
}

/// The text of an expression that was read from text. What no text can say (a loop that is no macro's)
/// has none.
pub fn print(ast: &Ast) -> Option<String> {
    let mut printer = Printer { ast, out: String::new(), sayable: true };
    printer.expr(ast.root(), Power::Any);
    printer.sayable.then_some(printer.out)
}

/// The sign of an operator with two operands, and how strongly it binds.
fn binary(function: &str) -> Option<(&'static str, Power)> {
    Some(match function {
        ops::OR => ("||", Power::Or),
        ops::AND => ("&&", Power::And),
        ops::EQUALS => ("==", Power::Relation),
        ops::NOT_EQUALS => ("!=", Power::Relation),
        ops::LESS => ("<", Power::Relation),
        ops::LESS_EQUALS => ("<=", Power::Relation),
        ops::GREATER => (">", Power::Relation),
        ops::GREATER_EQUALS => (">=", Power::Relation),
        ops::IN => ("in", Power::Relation),
        ops::ADD => ("+", Power::Sum),
        ops::SUBTRACT => ("-", Power::Sum),
        ops::MULTIPLY => ("*", Power::Product),
        ops::DIVIDE => ("/", Power::Product),
        ops::MODULO => ("%", Power::Product),
        _ => return None,
    })
}

struct Printer<'a> {
    ast: &'a Ast,
    out: String,
    sayable: bool,
}

impl Printer<'_> {
    fn expr(&mut self, id: ExprId, least: Power) {
        if let Some(call) = self.ast.macro_call(id) {
            let (function, target, args) = (call.function.clone(), call.target, call.args.clone());
            return self.call(&function, target, &args);
        }
        match self.ast.expr(id) {
            Expr::Unspecified | Expr::Comprehension(_) => self.sayable = false,
            Expr::Literal(literal) => self.literal(literal),
            Expr::Ident(name) => self.out.push_str(name),
            Expr::Select { operand, field, test_only } => {
                self.out.push_str(if *test_only { "has(" } else { "" });
                self.expr(*operand, Power::Member);
                self.out.push('.');
                self.field(field);
                self.out.push_str(if *test_only { ")" } else { "" });
            }
            Expr::Call { function, target: None, args } => self.operator(id, function, args, least),
            Expr::Call { function, target, args } => self.call(function, *target, args),
            Expr::List { elements, optional } => {
                self.out.push('[');
                for (i, element) in elements.iter().enumerate() {
                    self.comma(i);
                    self.out.push_str(if optional.contains(&(i as u32)) { "?" } else { "" });
                    self.expr(*element, Power::Any);
                }
                self.out.push(']');
            }
            Expr::Map(entries) => {
                self.out.push('{');
                for (i, entry) in entries.iter().enumerate() {
                    self.comma(i);
                    self.out.push_str(if entry.optional { "?" } else { "" });
                    self.expr(entry.key, Power::Any);
                    self.out.push_str(": ");
                    self.expr(entry.value, Power::Any);
                }
                self.out.push('}');
            }
            Expr::Struct { name, fields } => {
                self.out.push_str(name);
                self.out.push('{');
                for (i, field) in fields.iter().enumerate() {
                    self.comma(i);
                    self.out.push_str(if field.optional { "?" } else { "" });
                    self.field(&field.name);
                    self.out.push_str(": ");
                    self.expr(field.value, Power::Any);
                }
                self.out.push('}');
            }
        }
    }

    fn comma(&mut self, i: usize) {
        self.out.push_str(if i > 0 { ", " } else { "" });
    }

    fn call(&mut self, function: &str, target: Option<ExprId>, args: &[ExprId]) {
        if let Some(target) = target {
            self.expr(target, Power::Member);
            self.out.push('.');
        }
        self.out.push_str(function);
        self.out.push('(');
        for (i, arg) in args.iter().enumerate() {
            self.comma(i);
            self.expr(*arg, Power::Any);
        }
        self.out.push(')');
    }

    fn operator(&mut self, id: ExprId, function: &str, args: &[ExprId], least: Power) {
        let power = match (function, args) {
            (ops::CONDITIONAL, [_, _, _]) => Power::Any,
            (ops::NOT | ops::NEGATE, [_]) => Power::Unary,
            (_, [_, _]) => binary(function).map_or(Power::Member, |(_, power)| power),
            _ => Power::Member,
        };
        self.out.push_str(if power < least { "(" } else { "" });
        match (function, args) {
            (ops::CONDITIONAL, [condition, yes, no]) => {
                self.expr(*condition, Power::Or);
                self.out.push_str(" ? ");
                self.expr(*yes, Power::Or);
                self.out.push_str(" : ");
                self.expr(*no, Power::Any);
            }
            (ops::NOT | ops::NEGATE, [operand]) => {
                self.out.push(if function == ops::NOT { '!' } else { '-' });
                let number =
                    matches!(self.ast.expr(*operand), Expr::Literal(Literal::Int(_) | Literal::Double(_)));
                self.out.push_str(if number { "(" } else { "" });
                self.expr(*operand, Power::Member);
                self.out.push_str(if number { ")" } else { "" });
            }
            (ops::INDEX | ops::OPT_INDEX, [operand, index]) => {
                self.expr(*operand, Power::Member);
                self.out.push_str(if function == ops::INDEX { "[" } else { "[?" });
                self.expr(*index, Power::Any);
                self.out.push(']');
            }
            (ops::OPT_SELECT, [operand, field]) => {
                self.expr(*operand, Power::Member);
                self.out.push_str(".?");
                match self.ast.expr(*field) {
                    Expr::Literal(Literal::String(name)) => self.field(name),
                    _ => self.sayable = false,
                }
            }
            (_, [left, right]) => match binary(function) {
                Some((sign, power)) => self.binary(id, (sign, power), function, *left, *right),
                None => self.call(function, None, args),
            },
            _ => self.call(function, None, args),
        }
        self.out.push_str(if power < least { ")" } else { "" });
    }

    fn binary(
        &mut self,
        id: ExprId,
        (sign, power): (&str, Power),
        function: &str,
        left: ExprId,
        right: ExprId,
    ) {
        let mut terms = vec![left, right];
        if matches!(power, Power::Or | Power::And) {
            // A chain is read as a balanced tree; one that is not balanced had parentheses.
            terms.clear();
            self.flatten(id, function, &mut terms);
            if !self.is_balanced(id, function, &terms) {
                terms = vec![left, right];
            }
            for (i, term) in terms.iter().enumerate() {
                self.out.push_str(if i > 0 { " " } else { "" });
                self.out.push_str(if i > 0 { sign } else { "" });
                self.out.push_str(if i > 0 { " " } else { "" });
                self.expr(*term, power.above());
            }
            return;
        }
        self.expr(left, power);
        self.out.push(' ');
        self.out.push_str(sign);
        self.out.push(' ');
        self.expr(right, power.above());
    }

    /// The operands of an operator that is no macro's, if it is this one.
    fn operands(&self, id: ExprId, function: &str) -> Option<(ExprId, ExprId)> {
        match self.ast.expr(id) {
            Expr::Call { function: f, target: None, args }
                if f == function && self.ast.macro_call(id).is_none() =>
            {
                if let [left, right] = args[..] {
                    Some((left, right))
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    fn flatten(&self, id: ExprId, function: &str, out: &mut Vec<ExprId>) {
        match self.operands(id, function) {
            Some((left, right)) => {
                self.flatten(left, function, out);
                self.flatten(right, function, out);
            }
            None => out.push(id),
        }
    }

    fn is_balanced(&self, id: ExprId, function: &str, terms: &[ExprId]) -> bool {
        let [_, _, ..] = terms else { return terms.first() == Some(&id) };
        let middle = (terms.len() - 1) / 2 + 1;
        self.operands(id, function).is_some_and(|(left, right)| {
            self.is_balanced(left, function, &terms[..middle])
                && self.is_balanced(right, function, &terms[middle..])
        })
    }

    fn field(&mut self, name: &str) {
        let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let plain = first && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if plain && !matches!(name, "in" | "true" | "false" | "null") {
            self.out.push_str(name);
        } else {
            self.out.push('`');
            self.out.push_str(name);
            self.out.push('`');
        }
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null => self.out.push_str("null"),
            Literal::Bool(b) => self.out.push_str(if *b { "true" } else { "false" }),
            Literal::Int(i) => self.out.push_str(&i.to_string()),
            Literal::Uint(u) => self.out.push_str(&format!("{u}u")),
            Literal::Double(f) => self.out.push_str(&format!("{f:?}")),
            Literal::String(s) => {
                self.out.push('"');
                for c in s.chars() {
                    match c {
                        '"' => self.out.push_str("\\\""),
                        '\\' => self.out.push_str("\\\\"),
                        '\n' => self.out.push_str("\\n"),
                        '\r' => self.out.push_str("\\r"),
                        '\t' => self.out.push_str("\\t"),
                        c if c.is_control() => self.out.push_str(&format!("\\u{:04x}", c as u32)),
                        c => self.out.push(c),
                    }
                }
                self.out.push('"');
            }
            Literal::Bytes(bytes) => {
                self.out.push_str("b\"");
                for b in bytes {
                    match b {
                        b'"' => self.out.push_str("\\\""),
                        b'\\' => self.out.push_str("\\\\"),
                        b' '..=b'~' => self.out.push(*b as char),
                        b => self.out.push_str(&format!("\\x{b:02x}")),
                    }
                }
                self.out.push('"');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kube, parse};

    #[test]
    fn printed_text_says_the_same() {
        for text in [
            "self.a && (b || c) && !d.e",
            "a && (b && (c && d)) && e && f",
            "(a ? b : c) ? d : e ? f : g",
            "-(-5) - -5 + -x * (1 + 2) % 3u",
            "!(!a) && -(1.5) < -2.0e300",
            "l.all(x, x in [1, ?y]) && has(a.b.`c-d`) && a.?`in`[?0].optMap(v, v.f(1)).orValue('q\\n\"')",
            "{'a': b'\\xff\"', ?k: v}.exists(k, v, k == v) ? .a.b{c: 1} : null",
            "'ä\\u0001' + r'\\d' == '''x''' && (a == b) == c && a == (b == c)",
            "(a - b) - (c - d) == -9223372036854775808",
            "l.map(x, x > 1, x + 1).filter(y, !y)[(0)]",
        ] {
            let once = parse(text, Kube::STORED).ok().and_then(|ast| print(&ast));
            let Some(once) = once else { panic!("{text}") };
            let Ok(again) = parse(&once, Kube::STORED) else { panic!("{once}") };
            assert_eq!(print(&again).as_deref(), Some(once.as_str()));
            let Ok(first) = parse(text, Kube::STORED) else { panic!("{text}") };
            assert!(same(&first, first.root(), &again, again.root()), "{text}\n{once}");
        }
    }

    /// Whether two nodes are the same but for where they stand.
    fn same(a: &Ast, x: ExprId, b: &Ast, y: ExprId) -> bool {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        a.children(x, &mut |c| left.push(c));
        b.children(y, &mut |c| right.push(c));
        let own = |ast: &Ast, id| match ast.expr(id) {
            Expr::Literal(l) => format!("{l:?}"),
            Expr::Ident(name) => format!("ident {name}"),
            Expr::Select { field, test_only, .. } => format!("select {field} {test_only}"),
            Expr::Call { function, target, .. } => format!("call {function} {}", target.is_some()),
            Expr::List { optional, .. } => format!("list {optional:?}"),
            Expr::Map(entries) => format!("map {:?}", entries.iter().map(|e| e.optional).collect::<Vec<_>>()),
            Expr::Struct { name, .. } => format!("struct {name}"),
            Expr::Comprehension(c) => format!("loop {} {:?} {}", c.var, c.var2, c.accu),
            Expr::Unspecified => "nothing".to_owned(),
        };
        own(a, x) == own(b, y)
            && left.len() == right.len()
            && left.iter().zip(&right).all(|(x, y)| same(a, *x, b, *y))
    }
}
