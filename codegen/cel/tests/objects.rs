//! Objects that the program which evaluates expressions passes, as Kubernetes' `authorizer`.

use crdgen_cel::eval::{Limits, Program};
use crdgen_cel::types::{Ty, Types};
use crdgen_cel::value::{Error, Object, Opaque, Outcome, Val};
use crdgen_cel::{Env, Kube, NoDeclarations, check, parse};
use std::sync::Arc;

/// An authorizer that remembers what it was asked, and forbids to delete.
#[derive(Clone, Debug)]
struct Authorizer {
    type_name: &'static str,
    asked: String,
}

impl Authorizer {
    fn value<'a>(type_name: &'static str, asked: String) -> Val<'a> {
        Val::Opaque(Opaque::Object(Arc::new(Authorizer { type_name, asked })))
    }
}

impl Object for Authorizer {
    fn type_name(&self) -> &'static str {
        self.type_name
    }

    fn call<'a>(&self, function: &str, args: &[Val<'a>]) -> Outcome<'a> {
        let result = match function {
            "path" => "kubernetes.authorization.PathCheck",
            "group" => "kubernetes.authorization.GroupCheck",
            "resource" | "fieldSelector" => "kubernetes.authorization.ResourceCheck",
            "check" => "kubernetes.authorization.Decision",
            "allowed" => return Ok(Val::Bool(!self.asked.contains("delete"))),
            "reason" => return Ok(Val::text(self.asked.clone())),
            other => return Err(Error::new(format!("it cannot be asked for {other}"))),
        };
        let args: Vec<&str> = args.iter().filter_map(Val::as_str).collect();
        Ok(Authorizer::value(result, format!("{} {function}={}", self.asked, args.join(","))))
    }
}

/// The value of an expression or its error, and its cost.
fn eval(text: &str) -> (String, u64) {
    let variables = [
        ("authorizer", Ty::AUTHORIZER),
        ("authorizer.requestResource", Ty::RESOURCE_CHECK),
        ("anything", Ty::DYN),
    ];
    let env = Env { libraries: Kube::CURRENT.into(), variables: &variables, declarations: &NoDeclarations };
    let checked = check(parse(text, Kube::CURRENT).unwrap(), &env, &mut Types::default()).unwrap();
    let names = variables.map(|(name, _)| name);
    let program = Program::new(&checked, &names, Kube::CURRENT).unwrap();
    let authorizer = Authorizer::value("kubernetes.authorization.Authorizer", String::new());
    let resource = Authorizer::value("kubernetes.authorization.ResourceCheck", "requested".to_owned());
    let globals = [authorizer.clone(), resource, authorizer].map(|value| Some(Ok(value)));
    let evaluation = program.eval(&globals, Limits::CALL);
    let value = evaluation.value.map_or_else(|why| format!("error: {why}"), |value| value.literal().unwrap());
    (value, evaluation.cost)
}

#[test]
fn calls_functions_of_objects() {
    let cases = [
        ("authorizer.path('/x').check('get').allowed()", "true", 350_003),
        ("authorizer.path('/x').check('delete').allowed()", "false", 350_003),
        ("authorizer.requestResource.check('get').reason()", "\"requested check=get\"", 350_002),
        (
            "authorizer.group('').resource('pods').check('get').reason()",
            "\" group= resource=pods check=get\"",
            350_004,
        ),
        ("anything.path('/x').check('get').allowed()", "true", 350_003),
        // 10, a tenth of the text, and 50 for each two characters.
        ("authorizer.requestResource.fieldSelector('a=b').check('get').allowed()", "true", 350_113),
        (
            "authorizer.serviceAccount('a', 'b').path('') == null",
            "error: it cannot be asked for serviceAccount",
            4,
        ),
        ("type(authorizer) == type(authorizer.path(''))", "false", 6),
        ("authorizer == authorizer", "error: no such overload", 3),
        ("authorizer != authorizer", "true", 3),
        ("anything.allowed()", "error: no such overload: allowed(kubernetes.authorization.Authorizer)", 2),
        ("string(anything)", "error: no such overload: string(kubernetes.authorization.Authorizer)", 2),
    ];
    for (text, value, cost) in cases {
        assert_eq!(eval(text), (value.to_owned(), cost), "{text}");
    }
}
