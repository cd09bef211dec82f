//! Code that changes a schema: assignments, and calls such as `insert` and `push`, for a variable or for what is in it.

use super::{Code, bound, key, put};
use crate::eval::{MAX_DEPTH, bare};
use crate::value::{Map, Value};
use crdgen_rust::lower::plain;
use quote::ToTokens;
use syn::{Expr, Stmt};

/// A variable of the code.
pub(super) enum Variable {
    Value(Value),
    /// A reference to what is in another variable.
    Reference(Place),
    /// A value that crdgen does not know, such as a generator, and whether it writes the schemas of all types inline.
    Unknown {
        inlines: bool,
    },
}

/// A value in a variable: the number of the variable, and the keys to the value.
#[derive(Clone)]
pub(super) struct Place {
    variable: usize,
    keys: Vec<String>,
}

impl Place {
    fn at(mut self, key: impl Into<String>) -> Place {
        self.keys.push(key.into());
        self
    }
}

/// schemars 0.8 has separate structs for these, but in JSON their fields are part of the schema itself.
const SAME_PLACE: [&str; 6] = ["metadata", "object", "array", "string", "number", "subschemas"];

/// Methods that return a reference to the value itself.
const SAME_VALUE: [&str; 5] = ["ensure_object", "as_mut", "as_object_mut", "as_array_mut", "unwrap"];

fn is_one_of(names: &[&str], name: &syn::Ident) -> bool {
    names.iter().any(|it| name == it)
}

impl Code<'_, '_> {
    /// The variable with a name. If several have it, the last one.
    pub(super) fn variable(&self, name: &str) -> Option<(usize, &Variable)> {
        let found = self.variables.iter().enumerate().rev().find(|(_, (variable, _))| variable == name);
        found.map(|(number, (_, variable))| (number, variable))
    }

    /// The value at a place, if there is one.
    pub(super) fn get(&self, place: &Place) -> Option<&Value> {
        let (_, Variable::Value(value)) = self.variables.get(place.variable)? else { return None };
        place.keys.iter().try_fold(value, |value, key| match value {
            Value::Map(map) => map.get(key),
            _ => None,
        })
    }

    fn get_mut(&mut self, place: &Place) -> Option<&mut Value> {
        let (_, Variable::Value(value)) = self.variables.get_mut(place.variable)? else { return None };
        place.keys.iter().try_fold(value, |value, key| value.as_map_mut()?.get_mut(key))
    }

    /// Executes a statement.
    pub(super) fn statement(&mut self, statement: &Stmt, depth: usize) -> Option<()> {
        match statement {
            Stmt::Item(_) => Some(()),
            Stmt::Local(it) => self.local(it, depth),
            Stmt::Expr(Expr::Assign(it), _) => {
                let value = self.value(&it.right, depth + 1)?;
                self.assign(&it.left, value, depth)
            }
            Stmt::Expr(Expr::MethodCall(it), _) => self.change(it, depth),
            Stmt::Expr(Expr::If(it), _) => self.conditional(it, depth),
            Stmt::Expr(..) | Stmt::Macro(_) => None,
        }
    }

    fn local(&mut self, it: &syn::Local, depth: usize) -> Option<()> {
        let syn::Local { pat, init: Some(init), .. } = it else { return None };
        if init.diverge.is_some() {
            let name = bound(pat, "Some")?;
            let place = self.optional(&init.expr, depth)?;
            // Without a value the program would panic, or return something else.
            self.get(&place)?;
            self.variables.push((plain(name), Variable::Reference(place)));
            return Some(());
        }
        let pat = if let syn::Pat::Type(typed) = pat { &*typed.pat } else { pat };
        let syn::Pat::Ident(name) = pat else { return None };
        // A generator has no value. The code only uses it to get the schemas of types.
        let unknown = || Variable::Unknown { inlines: super::sets_inline(init.expr.to_token_stream()) };
        let variable = if is_reference(&init.expr) {
            match self.place(&init.expr, depth) {
                Some(place) => {
                    self.get(&place)?;
                    Variable::Reference(place)
                }
                None => unknown(),
            }
        } else {
            self.value(&init.expr, depth + 1).map_or_else(unknown, Variable::Value)
        };
        self.variables.push((plain(&name.ident), variable));
        Some(())
    }

    /// `schema.format = …;`, `schema["format"] = …;` or `*reference = …;`
    fn assign(&mut self, left: &Expr, value: Value, depth: usize) -> Option<()> {
        match left {
            Expr::Field(syn::ExprField { base, member: syn::Member::Named(name), .. }) => {
                let base = self.place(base, depth)?;
                put(self.get_mut(&base)?.as_map_mut()?, &plain(name), value)
            }
            Expr::Index(it) => {
                let key = self.value(&it.index, depth + 1)?.as_str()?.to_owned();
                let base = self.place(&it.expr, depth)?;
                self.get_mut(&base)?.as_map_mut()?.insert(key, value);
                Some(())
            }
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => {
                let place = self.place(expr, depth)?;
                *self.get_mut(&place)? = value;
                Some(())
            }
            _ => None,
        }
    }

    /// `map.insert(key, value);`, `map.remove(key);`, `set.insert(value);` or `list.push(value);`
    fn change(&mut self, it: &syn::ExprMethodCall, depth: usize) -> Option<()> {
        let arguments: Option<Vec<Value>> =
            it.args.iter().map(|argument| self.value(argument, depth + 1)).collect();
        let arguments = arguments?;
        let place = self.place(&it.receiver, depth)?;
        let target = self.get_mut(&place)?;
        match (it.method.to_string().as_str(), target, <[Value; 2]>::try_from(arguments)) {
            ("insert", Value::Map(map), Ok([Value::Str(key), value])) => _ = map.insert(key, value),
            ("remove", Value::Map(map), Err(one)) => _ = map.remove(one.first()?.as_str()?),
            ("insert", Value::List(set), Err(one)) if !one.is_empty() && set.contains(&one[0]) => {}
            ("insert" | "push", Value::List(list), Err(one)) => list.push(one.into_iter().next()?),
            _ => return None,
        }
        Some(())
    }

    /// `if let Some(values) = &mut schema.enum_values { values.push(…) }`. Without a value it does nothing.
    fn conditional(&mut self, it: &syn::ExprIf, depth: usize) -> Option<()> {
        let syn::ExprIf { cond, then_branch, else_branch, .. } = it;
        let Expr::Let(condition) = &**cond else {
            return match (self.plain(cond, depth)?.as_bool()?, else_branch) {
                (true, _) => self.statements_of(then_branch, depth),
                (false, None) => Some(()),
                (false, Some((_, otherwise))) => match &**otherwise {
                    Expr::Block(it) => self.statements_of(&it.block, depth),
                    Expr::If(it) => self.conditional(it, depth + 1),
                    _ => None,
                },
            };
        };
        if else_branch.is_some() {
            return None;
        }
        // `Some(values)`, `Some(Value::Array(values))` or `Schema::Object(object)`
        let pat = inside_some(&condition.pat).unwrap_or(&condition.pat);
        let (name, is_right): (_, fn(&Value) -> bool) =
            match (bound(&condition.pat, "Some"), bound(pat, "Array"), bound(pat, "Object")) {
                (Some(name), ..) => (name, |_| true),
                (None, Some(name), _) => (name, |value| matches!(value, Value::List(_))),
                (None, None, Some(name)) => (name, |value| matches!(value, Value::Map(_))),
                (None, None, None) => return None,
            };
        let place = self.optional(&condition.expr, depth)?;
        if !self.get(&place).is_some_and(is_right) {
            return Some(());
        }
        let known = self.variables.len();
        self.variables.push((plain(name), Variable::Reference(place)));
        let done = self.statements_of(then_branch, depth);
        self.variables.truncate(known);
        done
    }

    /// Executes all statements of a block.
    fn statements_of(&mut self, block: &syn::Block, depth: usize) -> Option<()> {
        let known = self.variables.len();
        let depth = (depth < MAX_DEPTH).then_some(depth + 1)?;
        let done = block.stmts.iter().try_for_each(|statement| self.statement(statement, depth));
        self.variables.truncate(known);
        done
    }

    /// The place of something that may not be there.
    fn optional(&mut self, expr: &Expr, depth: usize) -> Option<Place> {
        let inner = bare(expr);
        // In JSON nothing shows whether one of these structs is there.
        if let Expr::Field(syn::ExprField { member: syn::Member::Named(name), .. }) = inner
            && is_one_of(&SAME_PLACE, name)
        {
            return None;
        }
        self.place(inner, depth)
    }

    /// The place to which an expression refers.
    fn place(&mut self, expr: &Expr, depth: usize) -> Option<Place> {
        match bare(expr) {
            Expr::Path(it) => match self.variable(&plain(it.path.get_ident()?))? {
                (variable, Variable::Value(_)) => Some(Place { variable, keys: Vec::new() }),
                (_, Variable::Reference(place)) => Some(place.clone()),
                (_, Variable::Unknown { .. }) => None,
            },
            Expr::Field(syn::ExprField { base, member: syn::Member::Named(name), .. }) => {
                let base = self.place(base, depth)?;
                // A root schema, whose definitions are inline.
                if name == "extensions" || name == "schema" || is_one_of(&SAME_PLACE, name) {
                    return Some(base);
                }
                let key = key(&plain(name)).into_owned();
                let empty = match key.as_str() {
                    "properties" | "patternProperties" => Value::Map(Map::new()),
                    "required" => Value::List(Vec::new()),
                    _ => return Some(base.at(key)),
                };
                let around = self.get_mut(&base)?.as_map_mut()?;
                around.entry_or_insert_with(&key, || empty);
                Some(base.at(key))
            }
            Expr::Index(it) => {
                let key = self.value(&it.index, depth + 1)?.as_str()?.to_owned();
                Some(self.place(&it.expr, depth)?.at(key))
            }
            Expr::MethodCall(it) => self.accessed(it, depth),
            _ => None,
        }
    }

    /// Whether the value at a place, if there is one, has the type that a method wants. The program does something else if
    /// it has not.
    fn has_type(&self, place: &Place, method: &syn::Ident) -> bool {
        match self.get(place) {
            Some(Value::Map(_)) => method != "as_array_mut",
            Some(Value::List(_)) => method != "as_object_mut",
            Some(_) => method != "as_array_mut" && method != "as_object_mut",
            None => true,
        }
    }

    /// The place to which a method returns a reference.
    fn accessed(&mut self, it: &syn::ExprMethodCall, depth: usize) -> Option<Place> {
        let arguments: Vec<&Expr> = it.args.iter().collect();
        match (it.method.to_string().as_str(), arguments.as_slice()) {
            (_, []) if is_one_of(&SAME_PLACE, &it.method) || is_one_of(&SAME_VALUE, &it.method) => {
                let place = self.place(&it.receiver, depth)?;
                self.has_type(&place, &it.method).then_some(place)
            }
            ("expect", [_]) => self.place(&it.receiver, depth),
            ("get_mut", [name]) => {
                let key = self.value(name, depth + 1)?.as_str()?.to_owned();
                Some(self.place(&it.receiver, depth)?.at(key))
            }
            // `.and_then(Value::as_object_mut)` and `.and_then(|it| it.as_object_mut())`
            ("and_then", [function]) => {
                let function = function.to_token_stream();
                let last = function.into_iter().filter_map(|token| match token {
                    proc_macro2::TokenTree::Ident(name) => Some(name),
                    _ => None,
                });
                let last = last.last()?;
                if last != "as_object_mut" && last != "as_array_mut" {
                    return None;
                }
                let place = self.place(&it.receiver, depth)?;
                self.has_type(&place, &last).then_some(place)
            }
            ("or_insert", [value]) => {
                let Expr::MethodCall(entry) = &*it.receiver else { return None };
                let (true, Some(name), 1) = (entry.method == "entry", entry.args.first(), entry.args.len())
                else {
                    return None;
                };
                let key = self.value(name, depth + 1)?.as_str()?.to_owned();
                let value = self.value(value, depth + 1)?;
                let map = self.place(&entry.receiver, depth)?;
                self.get_mut(&map)?.as_map_mut()?.entry_or_insert_with(&key, || value);
                Some(map.at(key))
            }
            _ => None,
        }
    }
}

/// Whether an expression returns a reference that can be changed.
fn is_reference(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(it) => it.mutability.is_some(),
        Expr::MethodCall(it) => {
            let (name, arguments) = (it.method.to_string(), it.args.len());
            match name.as_str() {
                "get_mut" | "or_insert" => true,
                "unwrap" | "expect" | "and_then" => is_reference(&it.receiver),
                _ => {
                    arguments == 0
                        && name != "unwrap"
                        && (is_one_of(&SAME_PLACE, &it.method) || is_one_of(&SAME_VALUE, &it.method))
                }
            }
        }
        _ => false,
    }
}

/// The pattern in `Some(…)`.
fn inside_some(pat: &syn::Pat) -> Option<&syn::Pat> {
    let syn::Pat::TupleStruct(syn::PatTupleStruct { path, elems, .. }) = pat else { return None };
    let is_some = path.segments.last()?.ident == "Some" && elems.len() == 1;
    elems.first().filter(|_| is_some)
}
