//! Operation `eval`: evaluates expressions on a value, and returns the type, the cost and the result of each.

use super::error::Error;
use super::request::{Request, document};
use super::{Answer, fields};
use crate::cel::Kube;
use crate::cel::eval::Limits;
use crate::cel::value::Outcome;
use crate::decode;
use crate::ir::SchemaOf;
use crate::rules::run::shape;
use crate::rules::{Compiler, Decls, Environments, OldSelf};
use crate::server::Server;
use crate::value::{Map, Value};

/// Evaluates `exprs` with the values `self` and `oldSelf`, which have the schema `schema`.
pub(super) fn evaluate(request: &Request) -> Answer {
    let text = if request.schema.is_empty() { "type: object" } else { &request.schema };
    let (schema, diags) = decode::schema(document(text)?.0);
    let Some(schema) = schema else {
        return Err(Error::Schema(diags.into_iter().next().map(Box::new)));
    };
    let mut decls = Decls::default();
    let decl = decls.declare(&schema, SchemaOf::Value).ok_or(Error::NoType)?;
    let environments = Environments::default();
    let mut compiler = Compiler::new(&decls, decl, &environments);
    let minor = request.minor()?;
    let server = minor.map_or(Server::NEWEST, |minor: u16| Server::of(minor.into()).max(Server::NEWEST));
    let shape = shape(&schema, SchemaOf::Value, server);
    let value = |text: &str| match text {
        "" => Ok(None),
        text => document(text).map(|(value, _)| Some(value)),
    };
    let values = [value(&request.this)?, value(&request.old_self)?];
    let kube = minor.map_or(Kube::STORED, Kube::in_newest);
    let globals = values.each_ref().map(|it| it.as_ref().map(|value| shape.adapt(value)));
    let results = request.exprs.iter().map(|e| one(&mut compiler, e, kube, &globals));
    Ok(fields([("results", Value::List(results.collect()))]))
}

fn one(
    compiler: &mut Compiler<'_>,
    expression: &str,
    kube: Kube,
    globals: &[Option<Outcome<'_>>; 2],
) -> Value {
    let mut out = Map::new();
    out.insert("cost", Value::Int(0));
    match compiler.value(expression, kube, OldSelf::Value) {
        Err(rejection) => {
            let stage = if rejection.output.is_some() { "program" } else { "compile" };
            if let Some(ty) = rejection.output {
                out.insert("type", Value::Str(ty));
            }
            out.insert(stage, Value::Str(rejection.detail));
        }
        Ok(expression) => {
            out.insert("type", Value::Str(compiler.types.display(expression.checked.output())));
            let evaluation = expression.program.eval(globals, Limits::CALL);
            out.insert("cost", Value::Int(i64::try_from(evaluation.cost).unwrap_or(i64::MAX)));
            match evaluation.value.and_then(|value| value.literal()) {
                Ok(value) => out.insert("value", Value::Str(value)),
                Err(e) => out.insert("error", Value::Str(e.to_string())),
            };
        }
    }
    Value::Map(out)
}
