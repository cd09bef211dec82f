//! Quantities, such as `1Gi`.

use super::Type;

const QUANTITY_TYPE: Type = Type::Struct("kubernetes.Quantity");

library! {
    /// Kubernetes' quantities.
    pub QUANTITY = "kubernetes.quantity" since 28;
    "add" = Call(|args, _| run::both(args, |a, b| run::computed(a.add(b)))) => {
        "quantity_add" member (QUANTITY_TYPE, QUANTITY_TYPE) -> QUANTITY_TYPE, Unit;
        "quantity_add_int" member (QUANTITY_TYPE, Int) -> QUANTITY_TYPE, Unit;
    }
    "asApproximateFloat" = Call(|args, _| run::of(args, |q| Ok(Val::Double(q.as_float())))) => {
        "quantity_get_float" member (QUANTITY_TYPE) -> Double, Unit;
    }
    "asInteger" = Call(|args, _| run::of(args, run::as_int)) => {
        "quantity_get_int" member (QUANTITY_TYPE) -> Int, Unit;
    }
    "compareTo" = Call(|args, _| run::both(args, |a, b| Val::Int(a.compare(b) as i64))) => {
        "quantity_compare_to" member (QUANTITY_TYPE, QUANTITY_TYPE) -> Int, Unit;
    }
    "isGreaterThan" = Call(|args, _| run::both(args, |a, b| Val::Bool(a.compare(b).is_gt()))) => {
        "quantity_is_greater_than" member (QUANTITY_TYPE, QUANTITY_TYPE) -> Bool, Unit;
    }
    "isInteger" = Call(|args, _| run::of(args, |q| Ok(Val::Bool(q.as_int().is_some())))) => {
        "quantity_is_integer" member (QUANTITY_TYPE) -> Bool, Unit;
    }
    "isLessThan" = Call(|args, _| run::both(args, |a, b| Val::Bool(a.compare(b).is_lt()))) => {
        "quantity_is_less_than" member (QUANTITY_TYPE, QUANTITY_TYPE) -> Bool, Unit;
    }
    "isQuantity" = Call(|args, work| test_one(args, |text| run::is_valid(text, work))) => { "is_quantity_string" global (String) -> Bool, ParseArg; }
    "quantity" = Call(run::parse) => { "string_to_quantity" global (String) -> QUANTITY_TYPE, ParseArg; }
    "sign" = Call(|args, _| run::of(args, |q| Ok(Val::Int(q.sign())))) => { "quantity_sign" global (QUANTITY_TYPE) -> Int, Unit; }
    "sub" = Call(|args, _| run::both(args, |a, b| run::computed(a.sub(b)))) => {
        "quantity_sub" member (QUANTITY_TYPE, QUANTITY_TYPE) -> QUANTITY_TYPE, Unit;
        "quantity_sub_int" member (QUANTITY_TYPE, Int) -> QUANTITY_TYPE, Unit;
    }
}

#[cfg(feature = "eval")]
mod run {
    use crate::funcs::Called;
    use crate::value::{Error, Opaque, Outcome, Val, Work};
    use crdgen_text::go::quantity::Quantity;
    use std::sync::Arc;

    pub(super) fn parse<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
        let quantity = |q| Val::Opaque(Opaque::Quantity { quantity: Arc::new(q), computed: false });
        let parsed = Quantity::parse_with(args.first()?.as_str()?, work.behavior().digits());
        Some(parsed.map(quantity).map_err(Error::new))
    }

    pub(super) fn computed<'a>(q: Quantity) -> Val<'a> {
        Val::Opaque(Opaque::Quantity { quantity: Arc::new(q), computed: true })
    }

    pub(super) fn of<'a>(args: &[Val<'a>], f: impl Fn(&Quantity) -> Outcome<'a>) -> Called<'a> {
        if let [Val::Opaque(Opaque::Quantity { quantity, .. })] = args { Some(f(quantity)) } else { None }
    }

    pub(super) fn both<'a>(args: &[Val<'a>], f: impl Fn(&Quantity, &Quantity) -> Val<'a>) -> Called<'a> {
        let [Val::Opaque(Opaque::Quantity { quantity: a, .. }), b] = args else { return None };
        match b {
            Val::Opaque(Opaque::Quantity { quantity: b, .. }) => Some(Ok(f(a, b))),
            Val::Int(i) => Some(Ok(f(a, &Quantity::from_int(*i)))),
            _ => None,
        }
    }

    pub(super) fn as_int<'a>(quantity: &Quantity) -> Outcome<'a> {
        quantity.as_int().map(Val::Int).ok_or(Error::fixed("cannot convert value to integer"))
    }

    pub(super) fn is_valid(text: &str, work: &Work) -> bool {
        Quantity::parse_with(text, work.behavior().digits()).is_ok()
    }
}
