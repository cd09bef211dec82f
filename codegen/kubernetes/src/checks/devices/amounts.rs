//! Checks of how much of an amount requests can have, if a device is allocated several times.

use crate::checks::at::{At, Mistakes};
use crate::checks::rows::{Check, Check::*};
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::go::quantity::Quantity;
use std::collections::BTreeSet;

/// The policy of an amount.
pub(super) const POLICY: Check = Code(policy);

fn amount(at: &At<'_>) -> Quantity {
    at.quantity().unwrap_or_else(|| Quantity::from_int(0))
}

fn is_more(one: &At<'_>, other: &At<'_>) -> bool {
    amount(one).compare(&amount(other)).is_gt()
}

fn policy(at: &At<'_>, out: &mut Mistakes) {
    let (all, policy) = (at.get("value"), at.get("requestPolicy"));
    let (values, range, default) =
        (policy.get("validValues"), policy.get("validRange"), policy.get("default"));
    match (!values.is_empty(), range.is_set(), default.is_set()) {
        (true, true, _) => {
            let why = "exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\" at the same time";
            out.push(policy.forbidden(why));
        }
        (true, false, true) => of_values(&values, &default, &all, out),
        (false, true, true) => of_range(&range, &default, &all, out),
        (true, false, false) => out.push(default.required("required when validValues is defined")),
        (false, true, false) => out.push(default.required("required when validRange is defined")),
        (false, false, _) => {}
    }
}

fn of_values(values: &At<'_>, default: &At<'_>, all: &At<'_>, out: &mut Mistakes) {
    const MOST: usize = 10;
    let items: Vec<At<'_>> = values.each().collect();
    for (item, next) in items.iter().zip(items.iter().skip(1)) {
        out.extend(is_more(item, next).then(|| next.invalid("values must be sorted in ascending order")));
    }
    let is_short = items.len() <= MOST;
    if is_short {
        let large = items.iter().filter(|item| is_more(item, all));
        let why = format!("option is larger than capacity value: {}", all.text());
        out.extend(large.map(|item| item.invalid(&why)));
        let mut seen = BTreeSet::new();
        for item in &items {
            let whole = amount(item).scaled(0);
            let shown = || go::quote(&whole.to_string());
            out.extend((!seen.insert(whole)).then(|| item.mistake(Kind::Duplicate, shown())));
        }
    } else {
        out.push(values.too_many(MOST));
    }
    if !is_short || !items.iter().any(|item| amount(item).compare(&amount(default)).is_eq()) {
        let why = "default value is not valid according to the requestPolicy";
        out.push(values.invalid_text(default.text(), why));
    }
}

fn of_range(range: &At<'_>, default: &At<'_>, all: &At<'_>, out: &mut Mistakes) {
    let (min, max, step) = (range.get("min"), range.get("max"), range.get("step"));
    let default = default.shown_as(range.field.child("default"));
    if !min.is_set() {
        return out.push(min.required("required when validRange is defined"));
    }
    let mut limit = |at: &At<'_>, is_wrong: bool, value: &At<'_>, why: &str, of: &At<'_>| {
        out.extend(is_wrong.then(|| at.invalid_text(value.text(), &format!("{why}: {}", of.text()))));
    };
    limit(&min, is_more(&min, all), &min, "min is larger than capacity value", all);
    limit(&default, is_more(&min, &default), &default, "default is less than min", &min);
    if max.is_set() {
        limit(&max, is_more(&min, &max), &min, "min is larger than max", &max);
        limit(&max, is_more(&max, all), &max, "max is larger than capacity value", all);
        limit(&default, is_more(&default, &max), &default, "default is more than max", &max);
    }
    if step.is_set() {
        of_step([&default, &min, &max, &step], all, out);
    }
}

fn of_step([default, min, max, step]: [&At<'_>; 4], all: &At<'_>, out: &mut Mistakes) {
    if amount(step).sign() <= 0 {
        return out.push(step.invalid("must be greater than zero"));
    }
    let first = amount(min).add(&amount(step));
    if first.compare(&amount(all)).is_gt() {
        let units = if amount(min).sign() == 0 { step } else { min };
        let first = first.written(units.text().ends_with('i'));
        out.push(step.invalid(&format!("one step {first} is larger than capacity value: {}", all.text())));
    }
    let before = out.len();
    let most = Quantity::from_int(i64::MAX);
    for it in [default, min, max, step].into_iter().filter(|it| it.is_set()) {
        if it.is_negative() {
            out.push(it.invalid("must be greater than or equal to 0"));
        } else if amount(it).compare(&most).is_gt() {
            out.push(it.invalid(&format!("must not be larger than {}", i64::MAX)));
        }
    }
    let whole = |at: &At<'_>| amount(at).scaled(0);
    if out.len() > before {
        return;
    }
    for value in [default, max].into_iter().filter(|it| it.is_set()) {
        let rest = (whole(value) - whole(min)).checked_rem(whole(step));
        if rest != Some(0) {
            let (step_text, min) = (step.text(), min.text());
            let why = format!("value is not a multiple of a given step ({step_text}) from ({min})");
            out.push(step.invalid_text(value.text(), &why));
        }
    }
}
