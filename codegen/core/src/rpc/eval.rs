//! Operation `eval`: expressions about a value, each with its type, its cost and what it gives.

use super::request::{Request, document};
use super::{Answer, fields};
use crate::cel::Kube;
use crate::cel::eval::CALL_LIMIT;
use crate::cel::value::{Opaque, Outcome, Shape, Val};
use crate::check::rules::{Compiler, Decls, Environments};
use crate::go::number;
use crate::json;
use crate::object::rules::shape;
use crate::read;
use crate::value::{Map, Value};

/// Evaluates `exprs` over `self` and `oldSelf`, values of `schema`.
pub(super) fn evaluate(request: &Request) -> Answer {
    let text = if request.schema.is_empty() { "type: object" } else { &request.schema };
    let (schema, diags) = read::crd::schema(document(text)?.0);
    let Some(schema) = schema else {
        return Err(diags.first().map_or_else(|| "no schema".to_owned(), |d| d.text()));
    };
    let mut decls = Decls::default();
    let decl = decls.declare(&schema, false).ok_or("the schema has no CEL type")?;
    let environments = Environments::default();
    let mut compiler = Compiler::new(&decls, decl, &environments);
    let shape = shape(&schema, false);
    let value = |text: &str| match text {
        "" => Ok(None),
        text => document(text).map(|(value, _)| Some(value)),
    };
    let (this, old) = (value(&request.this)?, value(&request.old_self)?);
    let results = request.exprs.iter().map(|e| one(&mut compiler, e, &shape, this.as_ref(), old.as_ref()));
    Ok(fields([("results", Value::List(results.collect()))]))
}

fn one(
    compiler: &mut Compiler<'_>,
    expression: &str,
    shape: &Shape,
    this: Option<&Value>,
    old: Option<&Value>,
) -> Value {
    let mut out = Map::new();
    out.insert("cost", Value::Int(0));
    match compiler.value(expression, Kube::STORED) {
        Err(refusal) => {
            let stage = if refusal.program { "program" } else { "compile" };
            if refusal.program {
                out.insert("type", Value::Str(refusal.ty));
            }
            out.insert(stage, Value::Str(refusal.failure.detail));
        }
        Ok(expression) => {
            out.insert("type", Value::Str(compiler.types.display(expression.checked.output())));
            let globals = [this.map(|v| shape.adapt(v)), old.map(|v| shape.adapt(v))];
            let evaluation = expression.program.eval(&globals, CALL_LIMIT);
            out.insert("cost", Value::Int(i64::try_from(evaluation.cost).unwrap_or(i64::MAX)));
            match evaluation.value {
                Ok(value) => out.insert("value", Value::Str(show(&value))),
                Err(e) => out.insert("error", Value::Str(e.to_string())),
            };
        }
    }
    Value::Map(out)
}

/// A value, so that equal texts are equal values of equal types.
fn show(value: &Val<'_>) -> String {
    match value {
        Val::Null => "null".to_owned(),
        Val::Bool(b) => b.to_string(),
        Val::Int(i) => i.to_string(),
        Val::Uint(u) => format!("{u}u"),
        Val::Double(d) if d.is_finite() => number::format_f(*d) + "d",
        Val::Double(d) => format!("double({})", number::format_g(*d)),
        Val::Str(s) => quoted(s),
        Val::Bytes(b) => b.iter().fold("b".to_owned(), |out, byte| out + &format!("{byte:02x}")),
        Val::Duration(d) => format!("duration({d})"),
        Val::Timestamp(t) => format!("timestamp({})", t.rfc3339_nano()),
        Val::Optional(None) => "none".to_owned(),
        Val::Optional(Some(v)) => format!("some({})", show(v)),
        Val::Type(name) => format!("type({})", &**name),
        Val::Opaque(Opaque::Ip(ip)) => format!("ip({ip})"),
        Val::Opaque(Opaque::Cidr(prefix)) => format!("cidr({prefix})"),
        Val::Opaque(Opaque::Url(url)) => format!("url({url})"),
        Val::Opaque(Opaque::Quantity { quantity, computed: _ }) => {
            format!("quantity({})", number::format_g(quantity.as_float()))
        }
        Val::Opaque(Opaque::Semver(version)) => format!("semver({version})"),
        Val::Opaque(Opaque::Format(format)) => format!("format({})", format.name),
        Val::List(list) => {
            let items: Vec<_> = list.iter().map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        Val::Map(map) => {
            let entry = |(k, v): (Val<'_>, Outcome<'_>)| format!("{}: {}", show(&k), shown(v));
            let mut entries: Vec<_> = map.entries().into_iter().map(entry).collect();
            entries.sort();
            format!("{{{}}}", entries.join(", "))
        }
        Val::Preserved(_) => "*common.unknownPreserved".to_owned(),
    }
}

fn shown(value: Outcome<'_>) -> String {
    value.map_or_else(|e| format!("error({e})"), |v| show(&v))
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    json::write_str(text, &mut out);
    out
}
