//! The conditions in CEL for which a webhook is called.

use crdgen_core::cel::eval::{Limits, Program};
use crdgen_core::cel::types::{Ty, Types};
use crdgen_core::cel::value::{Shape, ShapeKind, Val};
use crdgen_core::cel::{Env, Kube, NoDeclarations, Source, check, parse};
use crdgen_core::value::Value;

/// The variables. Their types are those that the values have in JSON.
const VARIABLES: [&str; 3] = ["object", "oldObject", "request"];

/// Whether all expressions are true for values of the variables. One that is false decides, also if another one fails.
pub(super) fn all(expressions: &[String], values: [&Value; 3]) -> Result<bool, String> {
    let mut failures = Vec::new();
    for expression in expressions {
        match evaluate(expression, values) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(why) => failures.push(why),
        }
    }
    match &failures[..] {
        [] => Ok(true),
        [one] => Err(one.clone()),
        many => Err(format!("[{}]", many.join(", "))),
    }
}

fn evaluate(expression: &str, values: [&Value; 3]) -> Result<bool, String> {
    let kube = Kube::CURRENT;
    let compiled = |issues: &[_]| format!("compilation failed: {}", Source::new(expression).display(issues));
    let ast = parse(expression, kube).map_err(|issues| compiled(&issues))?;
    let variables = VARIABLES.map(|name| (name, Ty::DYN));
    let env = Env { kube, variables: &variables, declarations: &NoDeclarations };
    let checked = check(ast, &env, &mut Types::default()).map_err(|issues| compiled(&issues))?;
    let failed = |why: &str| format!("expression '{expression}' resulted in error: {why}");
    let program = Program::new(&checked, &VARIABLES, kube).map_err(|why| failed(why.text()))?;
    let shape = Shape::of(ShapeKind::Any);
    // There is no old object of a new one, and no new object of a deleted one.
    let globals = values.map(|value| Some(if value.is_null() { Ok(Val::Null) } else { shape.adapt(value) }));
    match program.eval(&globals, Limits::CALL).value {
        Ok(Val::Bool(truth) | Val::Preserved(&Value::Bool(truth))) => Ok(truth),
        Ok(_) => Err(failed("the result is not a boolean")),
        Err(why) => Err(failed(why.text())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::json;

    #[test]
    fn conditions_see_the_objects_and_the_request() {
        let read = |text: &str| json::read(text.as_bytes()).expect("JSON");
        let object = read(r#"{"spec":{"size":3}}"#);
        let request = read(r#"{"operation":"CREATE","userInfo":{"username":"admin"}}"#);
        let all = |expressions: &[&str]| {
            let expressions: Vec<String> = expressions.iter().map(|&it| it.to_owned()).collect();
            super::all(&expressions, [&object, &Value::Null, &request])
        };
        assert_eq!(all(&["object.spec.size > 2", "oldObject == null"]), Ok(true));
        assert_eq!(all(&["request.operation == 'UPDATE'"]), Ok(false));
        assert_eq!(all(&["object.nothing", "request.operation == 'UPDATE'"]), Ok(false));
        assert_eq!(
            all(&["object.nothing == 1"]),
            Err("expression 'object.nothing == 1' resulted in error: no such key: nothing".to_owned())
        );
        assert!(all(&["object.spec +"]).is_err_and(|why| why.starts_with("compilation failed: ")));
    }
}
