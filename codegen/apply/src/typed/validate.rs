//! Whether a value is of its type.

use super::form::{Form, check_scalar, element, items, members};
use super::{Duplicates, Found, Mismatch, Mismatches, Type, duplicate};
use crate::path::Step;
use crate::schema::{List, Map, Relation};
use crdgen_text::value::{Map as Members, Value};
use std::collections::BTreeSet;

pub(super) fn validate(ty: Type<'_>, value: &Value, duplicates: Duplicates) -> Result<(), Mismatches> {
    let mut walk = Walk { duplicates, found: Found::default() };
    walk.value(ty, value);
    walk.found.result(())
}

struct Walk<'v> {
    duplicates: Duplicates,
    found: Found<'v>,
}

impl<'v> Walk<'v> {
    fn value(&mut self, ty: Type<'v>, value: &'v Value) {
        let result = match ty.form(value) {
            Ok(Form::Scalar(scalar)) => check_scalar(scalar, value, ""),
            Ok(Form::List(list)) => items(value).map(|it| self.items(ty, list, it.unwrap_or_default())),
            Ok(Form::Map(map)) => {
                members(value).map(|it| it.into_iter().for_each(|it| self.members(ty, map, it)))
            }
            Err(why) => Err(why),
        };
        if let Err(why) = result {
            self.found.push(why);
        }
    }

    fn below(&mut self, step: Step<'v>, ty: Type<'v>, value: &'v Value) -> Option<Step<'v>> {
        self.found.path.push(step);
        self.value(ty, value);
        self.found.path.pop()
    }

    fn items(&mut self, ty: Type<'v>, list: &'v List, items: &'v [Value]) {
        let of_item = ty.of(list.items);
        let mut seen = BTreeSet::new();
        for (i, item) in items.iter().enumerate() {
            if list.relation != Relation::Associative {
                self.below(Step::Index(i as i64), of_item, item);
                continue;
            }
            match element(ty, list, item) {
                Ok(element) => {
                    if seen.contains(&element) && self.duplicates == Duplicates::Forbidden {
                        self.found.push(duplicate(&element));
                    }
                    seen.extend(self.below(element, of_item, item));
                }
                // Without an element, nothing inside of the item can be named, and the server stops.
                Err(why) => return self.found.push(Mismatch::here(format!("element {i}: {why}"))),
            }
        }
    }

    fn members(&mut self, ty: Type<'v>, map: &'v Map, members: &'v Members<Value>) {
        for (name, value) in members.iter() {
            if map.others.is_none() && !map.fields.contains_key(name) {
                self.found.path.push(Step::Field(name));
                self.found.push(Mismatch::here("field not declared in schema"));
                self.found.path.pop();
                // The server stops at the first such field. It finds the fields in a random order.
                return;
            }
            self.below(Step::Field(name), ty.of(map.type_of(name)), value);
        }
    }
}
