//! Environments of programs that embed CEL.

use crdgen_cel::cost::Range;
use crdgen_cel::eval::{Limits, Program};
use crdgen_cel::library::{Cost, Decl, LISTS, SETS, STANDARD, Type};
use crdgen_cel::value::{Error, Val};
use crdgen_cel::{AnySize, Env, Environment, Kube};
use serde::Deserialize;
use serde_json::{Value, json};

fn environment() -> Environment {
    let mut env = Env::builder();
    let pod = env.object("Pod");
    env.field(&pod, "name", Type::String).field(&pod, "started", Type::Timestamp).field(
        &pod,
        "owner",
        pod.clone(),
    );
    env.field(&pod, "grace", Type::Duration).field(&pod, "weight", Type::Double).field(
        &pod,
        "count",
        Type::Uint,
    );
    env.variable("pod", pod.clone())
        .variable("tags", Type::list(Type::String))
        .variable("anything", Type::Dyn);
    env.variable("limits", Type::map(Type::String, Type::Int)).variable("maybe", Type::optional(Type::Int));
    let text = |value: &Val<'_>| value.as_str().map(str::to_owned).ok_or(Error::NO_OVERLOAD);
    env.function(
        Decl::global("slug", "slug_string", [Type::String], Type::String)
            .costs(Cost::Size { arg: 0, factor: 0.5 })
            .evaluated_by(move |args| Ok(Val::text(text(&args[0])?.to_lowercase().replace(' ', "-")))),
    );
    env.function(
        Decl::global("slug", "slug_int", [Type::Int], Type::String)
            .costs(Cost::Fixed(7))
            .evaluated_by(|args| Ok(Val::text(format!("n{}", args[0])))),
    );
    env.function(
        Decl::member("second", "list_second", [Type::list(Type::A)], Type::optional(Type::A)).evaluated_by(
            |args| match &args[0] {
                Val::List(list) if list.len() > 1 => Ok(Val::some(list.at(1)?)),
                _ => Ok(Val::Optional(None)),
            },
        ),
    );
    env.function(Decl::member("isNamed", "pod_is_named", [pod, Type::String], Type::Bool).evaluated_by(
        |args| match &args[0] {
            Val::Map(pod) => {
                Ok(Val::Bool(pod.find_text("name")?.as_ref().and_then(Val::as_str) == args[1].as_str()))
            }
            _ => Err(Error::NO_OVERLOAD),
        },
    ));
    env.build().unwrap()
}

fn values() -> Value {
    json!({
        "pod": {"name": "a b", "started": "2026-01-02T03:04:05Z", "owner": {"name": "o"}, "grace": "90s", "weight": 1, "count": 3},
        "tags": ["x", "y"], "limits": {"cpu": 2}, "anything": [1, 2.5, {"k": null}], "maybe": null,
    })
}

/// The value of an expression as JSON and its cost, or its error.
fn eval(text: &str) -> Result<(Value, u64), String> {
    let env = environment();
    let program =
        env.compile(text).map_err(|why| why.to_string())?.program().map_err(|why| why.to_string())?;
    let evaluation = program.eval(&env.values(&values()).unwrap(), Limits::CALL);
    let value = evaluation.value.and_then(|value| value.to_json()).map_err(|why| why.to_string())?;
    Ok((value, evaluation.cost))
}

#[test]
fn evaluates_with_own_variables_and_functions() {
    let cases = [
        ("slug(pod.name)", json!("a-b"), 4),
        ("slug(3)", json!("n3"), 7),
        // The overload is only known at run time, so that the cost of the first one counts.
        ("slug(anything[0])", json!("n1"), 3),
        ("tags.second().orValue('none')", json!("y"), 2),
        ("[].second().hasValue()", json!(false), 2),
        ("pod.isNamed('a b') && pod.owner.isNamed('o')", json!(true), 5),
        ("pod.started.getFullYear() + limits.cpu", json!(2028), 6),
        ("pod.grace > duration('1m') && pod.weight < 1.5 && pod.count == 3u", json!(true), 9),
        ("maybe.hasValue() || has(pod.owner.owner)", json!(false), 4),
        ("anything", values()["anything"].clone(), 1),
        (
            "{'a': dyn([optional.of(1), optional.none()]), 'b': dyn(duration('1s')), 'c': dyn(b'ab')}",
            json!({"a": [1, null], "b": "1s", "c": [97, 98]}),
            43,
        ),
    ];
    for (text, value, cost) in cases {
        assert_eq!(eval(text), Ok((value, cost)), "{text}");
    }
}

#[test]
fn rejects_what_is_not_declared() {
    let cases = [
        ("pod.nme", "ERROR: <input>:1:4: undefined field 'nme'\n | pod.nme\n | ...^"),
        (
            "slug(true)",
            "ERROR: <input>:1:5: found no matching overload for 'slug' applied to '(bool)'\n | slug(true)\n | ....^",
        ),
        (
            "pod.isNamed(1)",
            "ERROR: <input>:1:12: found no matching overload for 'isNamed' applied to 'Pod.(int)'\n | pod.isNamed(1)\n | ...........^",
        ),
        ("self", "ERROR: <input>:1:1: undeclared reference to 'self' (in container '')\n | self\n | ^"),
        ("slug(anything[2])", "no such overload: slug(map)"),
        ("1 / 0", "division by zero"),
    ];
    for (text, error) in cases {
        assert_eq!(eval(text), Err(error.to_owned()), "{text}");
    }
    let mut env = Env::builder();
    env.libraries([&STANDARD, &SETS]).variable("list", Type::list(Type::Int));
    let env = env.build().unwrap();
    assert!(env.compile("sets.contains(list, [1])").is_ok());
    assert!(env.compile("list.sum() > 1").unwrap_err().to_string().contains("undeclared reference to 'sum'"));
    assert!(Env::builder().libraries([&STANDARD, &LISTS]).build().unwrap().compile("[1].sum() > 1").is_ok());
    let old = Env::builder().version(Kube::of(29)).build().unwrap();
    assert!(old.compile("isIP('1.2.3.4')").is_err() && old.compile("isURL('a')").is_ok());
}

#[test]
fn rejects_conflicts() {
    let conflict = |env: &mut crdgen_cel::Builder| env.build().unwrap_err().to_string();
    assert_eq!(
        conflict(Env::builder().variable("a", Type::Int).variable("a", Type::Bool)),
        "two variables have the name 'a'"
    );
    let own = || Decl::global("size", "size_string", [Type::String], Type::Int);
    assert_eq!(conflict(Env::builder().function(own())), "two overloads have the id 'size_string'");
    let many = Decl::global("many", "many", vec![Type::Int; 9], Type::Int);
    assert_eq!(conflict(Env::builder().function(many)), "the overload 'many' has more than 8 arguments");
}

#[test]
fn knows_types_and_costs_before_evaluation() {
    let env = environment();
    let expression = env.compile("tags.map(tag, slug(tag))").unwrap();
    assert_eq!(expression.output(), "list(string)");
    assert_eq!(env.compile("slug(3)").unwrap().cost(&AnySize), Range::fixed(7));
    assert_eq!(env.compile("slug('abc')").unwrap().cost(&AnySize), Range::fixed(2));
    assert!(env.parse("unknown.name + 1").is_ok());
    assert!(env.parse("a +").is_err());
}

#[test]
fn values_have_the_types_of_variables() {
    let env = environment();
    let wrong = |values: Value| env.values(&values).unwrap_err().to_string();
    assert_eq!(wrong(json!({"tags": [1]})), "variable 'tags': the value does not have the declared type: 1");
    assert_eq!(
        wrong(json!({"pod": {"owner": {"count": -1}}})),
        "variable 'pod': field 'owner': field 'count': the value does not have the declared type: -1"
    );
    assert!(env.values(&json!({})).unwrap().iter().all(Option::is_none));
    #[derive(Debug, Deserialize, PartialEq)]
    struct Answer {
        name: String,
        counts: Vec<u8>,
    }
    let program =
        env.compile("{'name': dyn(slug('A B')), 'counts': dyn([1, 2])}").unwrap().program().unwrap();
    let answer: Answer = program.eval(&[], Limits::CALL).value.unwrap().to().unwrap();
    assert_eq!(answer, Answer { name: "a-b".to_owned(), counts: vec![1, 2] });
    assert!(Val::Double(f64::NAN).to_json().is_err() && Val::text("x").to::<u8>().is_err());
}

#[test]
fn programs_and_environments_can_be_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Program>();
    shared::<Environment>();
    shared::<Val<'static>>();
    let env = environment();
    let program = env.compile("slug(pod.name) == 'a-b'").unwrap().program().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let values = env.values(&values()).unwrap();
                assert!(program.eval(&values, Limits::CALL).value.unwrap().to::<bool>().unwrap());
            });
        }
    });
}

#[test]
fn a_budget_ends_an_evaluation() {
    let env = environment();
    let program = env.compile("[1, 2, 3].all(x, slug(x) != '')").unwrap().program().unwrap();
    let limits = Limits { cost: 20, ..Limits::CALL };
    let error = program.eval(&[], limits).value.unwrap_err();
    assert_eq!(error.text(), "operation cancelled: actual cost limit exceeded");
}
