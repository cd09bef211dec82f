//! Methods that return another form of their receiver, such as `to_string` and `collect`.

use super::{Eval, Known, unknown};
use crate::named::Named;
use crate::recipe::Unknown;
use crate::types::{Id, Instance, Scope};
use crate::value::{Map, Value};
use syn::Expr;

/// The result of a method of numbers. Whether a number is too large for its type is checked where it is used.
fn computed(method: &str, a: i64, b: i64) -> Option<i64> {
    match method {
        "pow" => a.checked_pow(u32::try_from(b).ok()?),
        "add" => a.checked_add(b),
        "sub" => a.checked_sub(b),
        "mul" => a.checked_mul(b),
        "div" => a.checked_div(b),
        _ => None,
    }
}

impl Eval<'_, '_> {
    pub(super) fn method_call(
        &self,
        it: &syn::ExprMethodCall,
        scope: &Scope,
        wanted: Option<Id>,
        depth: usize,
    ) -> Known {
        let receiver = |wanted| self.expr(&it.receiver, scope, wanted, depth + 1);
        match (it.method.to_string().as_str(), it.args.len()) {
            ("unwrap", 0) | ("expect", 1) => match receiver(wanted)? {
                // The program would panic here.
                Value::Null => unknown(it),
                value => Ok(value),
            },
            ("clone" | "to_owned" | "as_str" | "as_ref", 0) => receiver(wanted),
            // The program's own types have their own methods of these names.
            ("is_none" | "is_some" | "is_empty", 0)
                if self.type_of_value(&it.receiver, scope, depth).is_some_and(|ty| self.is_own(ty)) =>
            {
                unknown(it)
            }
            ("is_none", 0) => receiver(None).map(|value| Value::Bool(value.is_null())),
            ("is_some", 0) => receiver(None).map(|value| Value::Bool(!value.is_null())),
            ("is_empty", 0) => match receiver(None)? {
                Value::Str(text) => Ok(Value::Bool(text.is_empty())),
                Value::List(all) => Ok(Value::Bool(all.is_empty())),
                Value::Map(all) => Ok(Value::Bool(all.is_empty())),
                Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => unknown(it),
            },
            ("len", 0) => {
                let length = match receiver(None)? {
                    Value::Str(text) => text.len(),
                    Value::List(all) => all.len(),
                    _ => return unknown(it),
                };
                i64::try_from(length).map_or_else(|_| unknown(it), |n| Ok(Value::Int(n)))
            }
            ("to_string", 0) => self.shown(&it.receiver, scope, depth + 1).unwrap_or_else(|| unknown(it)),
            // The program's own types have their own code for `into`.
            ("into", 0) if wanted.is_some_and(|w| self.is_own(w)) => unknown(it),
            ("pow" | "checked_pow" | "checked_add" | "checked_sub" | "checked_mul" | "checked_div", 1) => {
                self.arithmetic(it, scope, wanted, depth)
            }
            ("unwrap_or", 1) => match (receiver(wanted)?, it.args.first()) {
                (Value::Null, Some(other)) => self.expr(other, scope, wanted, depth + 1),
                (value, _) => Ok(value),
            },
            ("parse", 0) => {
                let ty = match it.turbofish.as_ref().and_then(|all| all.args.first()) {
                    Some(syn::GenericArgument::Type(ty)) => Some(self.program.type_of(ty, scope)),
                    _ => wanted,
                };
                let parsed = receiver(None)?.as_str().zip(ty).and_then(|(text, ty)| self.parsed(text, ty));
                parsed.map_or_else(|| unknown(it), Ok)
            }
            ("as_secs", 0) => self.seconds(it, scope, depth),
            ("join" | "concat", count) if count <= 1 => {
                let between = match it.args.first() {
                    Some(arg) => self.expr(arg, scope, None, depth + 1)?,
                    None => Value::from(""),
                };
                let (Value::List(parts), Value::Str(between)) = (receiver(None)?, between) else {
                    return unknown(it);
                };
                let parts: Option<Vec<&str>> = parts.iter().map(Value::as_str).collect();
                let Some(parts) = parts else { return unknown(it) };
                self.effort().spend(parts.iter().map(|part| part.len() + between.len()).sum())?;
                Ok(Value::Str(parts.join(&between)))
            }
            ("into" | "to_vec" | "collect", 0) => self.gathered(receiver(wanted)?, wanted, it),
            ("iter" | "into_iter" | "copied" | "cloned", 0) => receiver(wanted),
            ("map", 1) if it.args.first().is_some_and(makes_strings) => match receiver(None)? {
                Value::List(items) if items.iter().all(|item| item.as_str().is_some()) => {
                    Ok(Value::List(items))
                }
                _ => unknown(it),
            },
            _ => self.own_method(it, scope, depth).unwrap_or_else(|| self.patterns(it, scope, depth)),
        }
    }

    /// `a.pow(b)` or `a.checked_mul(b)`
    fn arithmetic(&self, it: &syn::ExprMethodCall, scope: &Scope, wanted: Option<Id>, depth: usize) -> Known {
        let argument =
            it.args.first().map_or_else(|| unknown(it), |arg| self.expr(arg, scope, None, depth + 1));
        let receiver = self.expr(&it.receiver, scope, wanted, depth + 1)?;
        let (Value::Int(a), Value::Int(b)) = (receiver, argument?) else { return unknown(it) };
        let method = it.method.to_string();
        let Some(checked) = method.strip_prefix("checked_") else {
            return computed(&method, a, b).map_or_else(|| unknown(it), |number| Ok(Value::Int(number)));
        };
        // It returns `None` for a number that is too large for its type.
        let number = computed(checked, a, b).map(Value::Int);
        match (number, self.integer_type(&it.receiver, scope, depth)) {
            (Some(number), Some(ty)) => Ok(self.cast(number, ty).unwrap_or_default()),
            _ => unknown(it),
        }
    }

    /// The seconds of a `Duration` of the standard library, as serde writes it.
    fn seconds(&self, it: &syn::ExprMethodCall, scope: &Scope, depth: usize) -> Known {
        if self.type_of_value(&it.receiver, scope, depth).is_some_and(|ty| self.is_own(ty)) {
            return unknown(it);
        }
        match self.expr(&it.receiver, scope, None, depth + 1)? {
            Value::Map(mut parts) if parts.len() == 2 && parts.contains_key("nanos") => {
                parts.remove("secs").map_or_else(|| unknown(it), Ok)
            }
            _ => unknown(it),
        }
    }

    /// What `parse` returns for a text, if it is a number, a boolean or a text.
    pub(super) fn parsed(&self, text: &str, ty: Id) -> Option<Value> {
        let Instance::Known(path, _) = self.program.value_instance(ty) else { return None };
        match path {
            "std::string::String" => Some(Value::from(text)),
            "bool" => text.parse().ok().map(Value::Bool),
            "f64" => text.parse().ok().filter(|it: &f64| it.is_finite()).map(Value::Float),
            "f32" => None,
            _ => self.cast(Value::Int(text.parse().ok()?), ty),
        }
    }

    /// The patterns of regex's `RegexSet`, of which only the empty one is known.
    fn patterns(&self, it: &syn::ExprMethodCall, scope: &Scope, depth: usize) -> Known {
        if it.method == "patterns"
            && it.args.is_empty()
            && let Value::List(all) = self.expr(&it.receiver, scope, None, depth + 1)?
            && all.is_empty()
        {
            return Ok(Value::List(all));
        }
        unknown(it)
    }

    /// The result of `to_string`.
    fn shown(&self, expr: &Expr, scope: &Scope, depth: usize) -> Option<Known> {
        if let Expr::Path(path) = expr
            && let Some(Named::Member(of, name)) = self.named(&path.path, scope)
            && let Named::Item(item) = *of
            && self.variant(item, &name, None).is_some()
        {
            return None;
        }
        Some(match self.expr(expr, scope, None, depth) {
            Ok(Value::Str(text)) => Ok(Value::Str(text)),
            Ok(Value::Int(int)) => Ok(Value::Str(int.to_string())),
            Ok(Value::Bool(bool)) => Ok(Value::Str(bool.to_string())),
            Ok(Value::Null | Value::Float(_) | Value::List(_) | Value::Map(_)) => return None,
            Err(why) => Err(why),
        })
    }

    /// Converts a list to the wanted collection.
    pub(super) fn gathered(&self, value: Value, wanted: Option<Id>, what: &impl quote::ToTokens) -> Known {
        let Some(Instance::Known(path, _)) = wanted.map(|w| self.program.value_instance(w)) else {
            return Ok(value);
        };
        match value {
            Value::List(mut items) if path.ends_with("BTreeSet") => {
                if items.iter().all(|item| item.as_str().is_some()) {
                    items.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
                } else if items.iter().all(|item| matches!(item, Value::Int(_))) {
                    items.sort_by_key(Value::as_int);
                } else if items.len() > 1 {
                    return unknown(what);
                }
                items.dedup();
                Ok(Value::List(items))
            }
            Value::List(_) if path == "std::string::String" => unknown(what),
            value => Ok(value),
        }
    }

    pub(super) fn is_own(&self, id: Id) -> bool {
        matches!(self.program.value_instance(id), Instance::Item(..))
    }

    fn is_map(&self, id: Id) -> bool {
        matches!(self.program.value_instance(id), Instance::Known(path, _) if path.ends_with("Map"))
    }

    /// The elements between brackets: those of a list, or the pairs of a map.
    pub(super) fn elements<'e>(
        &self,
        all: impl Iterator<Item = &'e Expr>,
        scope: &Scope,
        wanted: Option<Id>,
        depth: usize,
    ) -> Known {
        if wanted.is_some_and(|wanted| self.is_map(wanted)) {
            return self.pairs(all, scope, wanted, depth);
        }
        let item = wanted.and_then(|wanted| self.program.reference_of(wanted, 0));
        all.map(|expr| self.expr(expr, scope, item, depth + 1)).collect::<Result<_, _>>().map(Value::List)
    }

    /// Makes a map from pairs.
    fn pairs<'e>(
        &self,
        pairs: impl Iterator<Item = &'e Expr>,
        scope: &Scope,
        wanted: Option<Id>,
        depth: usize,
    ) -> Known {
        let mut out = Map::new();
        for pair in pairs {
            let Expr::Tuple(pair) = pair else { return unknown(pair) };
            let parts: Vec<&Expr> = pair.elems.iter().collect();
            let [key, value] = parts[..] else { return unknown(pair) };
            let (key, value) = self.entry(key, value, scope, wanted, depth)?;
            out.insert(key, value);
        }
        Ok(Value::Map(out))
    }

    pub(super) fn entry(
        &self,
        key: &Expr,
        value: &Expr,
        scope: &Scope,
        map: Option<Id>,
        depth: usize,
    ) -> Result<(String, Value), Unknown> {
        let part = |number| map.and_then(|map| self.program.reference_of(map, number));
        let name = match self.expr(key, scope, part(0), depth + 1)? {
            Value::Str(name) => name,
            Value::Int(int) => int.to_string(),
            Value::Null | Value::Bool(_) | Value::Float(_) | Value::List(_) | Value::Map(_) => {
                return unknown(key);
            }
        };
        Ok((name, self.expr(value, scope, part(1), depth + 1)?))
    }

    /// Evaluates `as`, if it does not change the value.
    pub(super) fn cast(&self, value: Value, ty: Id) -> Option<Value> {
        let Instance::Known(path, _) = self.program.value_instance(ty) else { return None };
        match (value, path) {
            (Value::Int(int), "f32" | "f64") => Some(Value::Float(int as f64)),
            (Value::Float(float), "f64") => Some(Value::Float(float)),
            (Value::Int(int), path) => {
                let representable = match path {
                    "i8" => i8::try_from(int).is_ok(),
                    "i16" => i16::try_from(int).is_ok(),
                    "i32" => i32::try_from(int).is_ok(),
                    "i64" | "isize" | "i128" => true,
                    "u8" => u8::try_from(int).is_ok(),
                    "u16" => u16::try_from(int).is_ok(),
                    "u32" => u32::try_from(int).is_ok(),
                    "u64" | "usize" | "u128" => int >= 0,
                    _ => false,
                };
                representable.then_some(Value::Int(int))
            }
            _ => None,
        }
    }
}

/// Whether the argument of `map` only converts strings to `String`.
fn makes_strings(expr: &Expr) -> bool {
    const METHODS: &[&str] = &["to_string", "to_owned", "into"];
    match expr {
        Expr::Path(path) => {
            let names: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            matches!(
                names[..],
                ["String", "from"]
                    | ["ToString" | "str" | "String", "to_string"]
                    | ["ToOwned" | "str", "to_owned"]
            )
        }
        Expr::Closure(closure) => {
            let mut inputs = closure.inputs.iter();
            let (Some(syn::Pat::Ident(name)), None) = (inputs.next(), inputs.next()) else { return false };
            let is_it = |expr: &Expr| matches!(expr, Expr::Path(path) if path.path.is_ident(&name.ident));
            match &*closure.body {
                Expr::MethodCall(call) => {
                    METHODS.iter().any(|m| call.method == m) && call.args.is_empty() && is_it(&call.receiver)
                }
                Expr::Call(call) => {
                    makes_strings(&call.func) && call.args.len() == 1 && call.args.first().is_some_and(is_it)
                }
                _ => false,
            }
        }
        _ => false,
    }
}
