//! A function of one's own, with two overloads: `distance(a, b)` of two points, and `point.norm()`.

use crdgen_cel::eval::Limits;
use crdgen_cel::library::{Cost, Decl, Type};
use crdgen_cel::value::{Error, Val};
use crdgen_cel::{Env, Environment};
use serde::Serialize;

#[derive(Serialize)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Serialize)]
struct Values {
    home: Point,
    shop: Point,
}

/// A coordinate of an argument.
fn coordinate(point: &Val<'_>, name: &str) -> Result<f64, Error> {
    let Val::Map(point) = point else { return Err(Error::NO_OVERLOAD) };
    match point.find_text(name)? {
        Some(Val::Double(value)) => Ok(value),
        _ => Err(Error::new(format!("the point has no {name}"))),
    }
}

fn environment() -> Result<Environment, Box<dyn std::error::Error>> {
    let mut env = Env::builder();
    let point = env.object("Point");
    env.field(&point, "x", Type::Double).field(&point, "y", Type::Double);
    env.variable("home", point.clone()).variable("shop", point.clone());
    let distance = |a: &Val<'_>, b: &Val<'_>| {
        let (x, y) = (coordinate(a, "x")? - coordinate(b, "x")?, coordinate(a, "y")? - coordinate(b, "y")?);
        Ok::<_, Error>(x.hypot(y))
    };
    env.function(
        Decl::global("distance", "distance_point_point", [point.clone(), point.clone()], Type::Double)
            .costs(Cost::Fixed(3))
            .evaluated_by(move |args| distance(&args[0], &args[1]).map(Val::Double)),
    );
    env.function(
        Decl::member("norm", "point_norm", [point], Type::Double).evaluated_by(|args| {
            Ok(Val::Double(coordinate(&args[0], "x")?.hypot(coordinate(&args[0], "y")?)))
        }),
    );
    Ok(env.build()?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let env = environment()?;
    let values = env.values(&Values { home: Point { x: 0.0, y: 0.0 }, shop: Point { x: 3.0, y: 4.0 } })?;
    for text in ["distance(home, shop)", "shop.norm() < 4.0"] {
        let program = env.compile(text)?.program()?;
        let result = program.eval(&values, Limits::CALL);
        println!("{text} is {}, which costs {}", result.value?, result.cost);
    }
    Ok(())
}

#[test]
fn calls_the_functions() {
    let env = environment().unwrap();
    let values = Values { home: Point { x: 1.0, y: 1.0 }, shop: Point { x: 4.0, y: 5.0 } };
    let values = env.values(&values).unwrap();
    let eval = |text: &str| {
        let program = env.compile(text).unwrap().program().unwrap();
        program.eval(&values, Limits::CALL).value.unwrap().to::<f64>().unwrap()
    };
    assert_eq!((eval("distance(home, shop)"), eval("distance(home, home)")), (5.0, 0.0));
    assert_eq!(eval("shop.norm()"), 41f64.sqrt());
    assert!(env.compile("distance(home, 1)").is_err());
    main().unwrap();
}
