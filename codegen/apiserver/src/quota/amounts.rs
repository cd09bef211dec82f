//! Amounts of several resources by their names.

use crdgen_core::go::quantity::Quantity;
use crdgen_core::value::{Map, Value};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// An amount, and whether the server writes it in units of 1024.
#[derive(Clone, Debug)]
pub(crate) struct Amount {
    quantity: Quantity,
    is_binary: bool,
}

/// Amounts by the names of what they are of.
pub(crate) type Amounts = BTreeMap<String, Amount>;

impl Amount {
    pub(crate) fn number(number: i64) -> Amount {
        Amount { quantity: Quantity::from_int(number), is_binary: false }
    }

    pub(crate) fn read(text: &str) -> Option<Amount> {
        Some(Amount { quantity: Quantity::parse(text).ok()?, is_binary: text.ends_with('i') })
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.quantity.sign() == 0
    }

    /// The units are those of the first amount, unless that is zero.
    pub(crate) fn add(&self, other: &Amount) -> Amount {
        let is_binary = if self.is_zero() { other.is_binary } else { self.is_binary };
        Amount { quantity: self.quantity.add(&other.quantity), is_binary }
    }

    /// What is left without another amount. It is never negative.
    fn without(&self, other: &Amount) -> Amount {
        let rest = self.quantity.sub(&other.quantity);
        let quantity = if rest.sign() < 0 { Quantity::from_int(0) } else { rest };
        Amount { quantity, is_binary: self.is_binary }
    }

    pub(crate) fn compare(&self, other: &Amount) -> Ordering {
        self.quantity.compare(&other.quantity)
    }

    /// The next whole number.
    pub(crate) fn rounded_up(self) -> Amount {
        match (self.quantity.as_int(), self.quantity.as_milli()) {
            (None, Some(milli)) => {
                Amount::number(milli.div_euclid(1000) + i64::from(milli.rem_euclid(1000) > 0))
            }
            _ => self,
        }
    }
}

/// As the server writes it.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.quantity.written(self.is_binary))
    }
}

/// The amounts in a map of texts.
pub(crate) fn of_value(value: &Value) -> Amounts {
    let members = value.as_map().into_iter().flat_map(Map::iter);
    members.filter_map(|(name, amount)| Some((name.to_owned(), Amount::read(amount.as_str()?)?))).collect()
}

/// A map of texts.
pub(crate) fn to_value(amounts: &Amounts) -> Value {
    let members = amounts.iter().map(|(name, amount)| (name.clone(), Value::from(amount.to_string())));
    Value::Map(members.collect())
}

/// Amounts as messages have them.
pub(crate) fn shown(amounts: &Amounts) -> String {
    let each: Vec<String> = amounts.iter().map(|(name, amount)| format!("{name}={amount}")).collect();
    each.join(",")
}

/// The sums of amounts.
pub(crate) fn added(mut all: Amounts, others: &Amounts) -> Amounts {
    for (name, other) in others {
        match all.get_mut(name) {
            Some(sum) => *sum = sum.add(other),
            None => _ = all.insert(name.clone(), other.clone()),
        }
    }
    all
}

/// What is left without other amounts.
pub(crate) fn less(mut all: Amounts, others: &Amounts) -> Amounts {
    for (name, amount) in &mut all {
        if let Some(other) = others.get(name) {
            *amount = amount.without(other);
        }
    }
    all
}
