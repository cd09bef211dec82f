//! Measures how fast expressions are, compared with the interpreter of the crate `cel` and with cel-go: the same rules
//! for the same object, in one run.

use std::io;
use std::time::{Duration, Instant};

use crdgen_core::cel::Kube;
use crdgen_core::cel::eval::{Limits, Program};
use crdgen_core::decode;
use crdgen_core::ir::SchemaOf;
use crdgen_core::json::to_string;
use crdgen_core::rules::run::shape;
use crdgen_core::rules::{Compiler, Decls, Environments, OldSelf};
use crdgen_core::value::{Map, Value};

use crdgen_tests::json::{json, parse};
use crdgen_tests::oracle;
use crdgen_tests::shapes::{OBJECT, SCHEMA, SHAPES};

/// The time for one evaluation of one rule in each interpreter.
pub struct Row {
    /// The expression.
    pub expression: &'static str,
    /// The time in crdgen.
    pub ours: Duration,
    /// The time in the crate `cel`, if it gives the same value.
    pub cel: Option<Duration>,
    /// The time in cel-go, if there is an oracle.
    pub cel_go: Option<Duration>,
}

/// Measures all rules, each for about this time.
pub fn run(each: Duration) -> io::Result<Vec<Row>> {
    let ours = ours(each)?;
    let theirs = their_crate(each);
    let go = cel_go(&ours, each);
    let go = go.unwrap_or_else(|why| {
        println!("no oracle to compare with: {why}");
        vec![None; SHAPES.len()]
    });
    let rows = SHAPES.iter().zip(ours).zip(theirs).zip(go);
    Ok(rows.map(|(((expression, ours), cel), cel_go)| Row { expression, ours, cel, cel_go }).collect())
}

/// Returns the time of one call: the best of many short batches, because other processes do not disturb all of them.
fn measure(each: Duration, mut call: impl FnMut()) -> Duration {
    let mut best = f64::MAX;
    let mut times = 4_u32;
    let start = Instant::now();
    while start.elapsed() < each {
        let from = Instant::now();
        for _ in 0..times {
            call();
        }
        let took = from.elapsed();
        best = best.min(took.as_secs_f64() / f64::from(times));
        if took < Duration::from_micros(20) {
            times = times.saturating_mul(2);
        }
    }
    Duration::from_secs_f64(best)
}

fn ours(each: Duration) -> io::Result<Vec<Duration>> {
    let text = SCHEMA.trim();
    let document = crdgen_core::yaml::read_one(text.as_bytes()).map_err(|d| io::Error::other(d.text))?;
    let schema = decode::schema(document.value).0.ok_or_else(|| io::Error::other("no schema"))?;
    let mut decls = Decls::default();
    let decl = decls.declare(&schema, SchemaOf::Value).ok_or_else(|| io::Error::other("no type"))?;
    let environments = Environments::default();
    let mut compiler = Compiler::new(&decls, decl, &environments);
    let shape = shape(&schema, SchemaOf::Value, environments.server);
    let object = json(OBJECT);
    SHAPES
        .iter()
        .map(|expression| {
            let compiled = compiler.value(expression, Kube::STORED, OldSelf::Value);
            let compiled = compiled.map_err(|e| io::Error::other(e.detail))?;
            let program: &Program = &compiled.program;
            let once = || {
                let globals = [Some(shape.adapt(&object)), Some(shape.adapt(&object))];
                std::hint::black_box(program.eval(&globals, Limits::CALL)).value.is_ok()
            };
            if !once() {
                return Err(io::Error::other(format!("{expression} has no value")));
            }
            Ok(measure(each, || {
                once();
            }))
        })
        .collect()
}

fn their_crate(each: Duration) -> Vec<Option<Duration>> {
    let object: serde_json::Value = serde_json::from_str(OBJECT).unwrap_or_default();
    let mut context = cel::Context::default();
    let known = ["self", "oldSelf"].iter().all(|name| context.add_variable(*name, object.clone()).is_ok());
    let one = |expression: &&str| {
        let program = cel::Program::compile(expression).ok()?;
        let value = program.execute(&context).ok()?;
        let is_bool = matches!(value, cel::Value::Bool(_));
        (known && is_bool).then(|| {
            measure(each, || {
                let _ = std::hint::black_box(program.execute(&context));
            })
        })
    };
    SHAPES.iter().map(one).collect()
}

fn cel_go(ours: &[Duration], each: Duration) -> Result<Vec<Option<Duration>>, String> {
    let oracle = oracle::oracle()?;
    // Runs each rule as often as crdgen can in a part of the time.
    let slowest = ours.iter().max().copied().unwrap_or(each).max(Duration::from_nanos(100));
    let repeat = (each.as_nanos() / slowest.as_nanos()).clamp(200, 4_000) as i64;
    let request: Map<Value> = [
        ("op", Value::from("eval")),
        ("schema", SCHEMA.into()),
        ("self", OBJECT.into()),
        ("oldSelf", OBJECT.into()),
        ("exprs", Value::List(SHAPES.iter().map(|s| Value::from(*s)).collect())),
        ("repeat", Value::Int(repeat)),
    ]
    .into_iter()
    .collect();
    let answers = oracle.ask(&[to_string(&Value::Map(request))], 1).map_err(|e| e.to_string())?;
    let answer = parse(answers.first().map_or("", String::as_str)).map_err(|e| e.to_string())?;
    let results = answer.get("results").and_then(Value::as_list).ok_or("no results")?.to_vec();
    let nanos = |result: &Value| match result.get("nanos") {
        Some(Value::Int(n)) => Some(Duration::from_nanos((n / repeat).unsigned_abs())),
        _ => None,
    };
    Ok(results.iter().map(nanos).collect())
}
