//! Lists whose items have a key, for merges that look for many of them.

use crate::json;
use crate::value::Value;
use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap};

/// A list whose items can be found by their key, the value of one field.
#[derive(Clone, Debug)]
pub struct Keyed<'k> {
    key: &'k str,
    items: Vec<Option<Value>>,
    /// The places of the items with each key, in JSON. Items may lack the key.
    places: HashMap<Option<String>, BTreeSet<usize>>,
}

impl<'k> Keyed<'k> {
    /// Takes the items of a list.
    pub fn new(items: Vec<Value>, key: &'k str) -> Keyed<'k> {
        let mut keyed = Keyed { key, items: Vec::with_capacity(items.len()), places: HashMap::new() };
        items.into_iter().for_each(|item| keyed.push(item));
        keyed
    }

    fn key_of(&self, item: &Value) -> Option<String> {
        item.get(self.key).map(json::to_string)
    }

    /// Changes the first item with the same key. Returns `with` if there is no such item.
    pub fn change<W: Borrow<Value>, R>(
        &mut self,
        with: W,
        change: impl FnOnce(&mut Value, W) -> R,
    ) -> Result<R, W> {
        let before = self.key_of(with.borrow());
        let place = self.places.get(&before).and_then(|places| places.first().copied());
        let Some((place, item)) = place.and_then(|at| Some((at, self.items[at].as_mut()?))) else {
            return Err(with);
        };
        let result = change(item, with);
        let now = self.items[place].as_ref().and_then(|item| self.key_of(item));
        if before != now {
            self.forget(&before, place);
            self.places.entry(now).or_default().insert(place);
        }
        Ok(result)
    }

    /// Removes the first item with the same key.
    pub fn remove(&mut self, like: &Value) {
        let key = self.key_of(like);
        if let Some(place) = self.places.get(&key).and_then(|places| places.first().copied()) {
            self.items[place] = None;
            self.forget(&key, place);
        }
    }

    fn forget(&mut self, key: &Option<String>, place: usize) {
        if let Some(places) = self.places.get_mut(key) {
            places.remove(&place);
        }
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: Value) {
        self.places.entry(self.key_of(&item)).or_default().insert(self.items.len());
        self.items.push(Some(item));
    }

    /// Returns the items.
    pub fn into_items(self) -> Vec<Value> {
        self.items.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Keyed;
    use crate::json;
    use crate::value::Value;

    #[test]
    fn the_first_item_with_a_key_is_found() {
        let read = |text: &str| -> Value { json::read(text.as_bytes()).expect("JSON") };
        let items = [r#"{"n":"a","v":1}"#, r#"{"n":"b"}"#, r#"{"n":"a","v":2}"#, "{}"].map(read);
        let mut keyed = Keyed::new(items.to_vec(), "n");
        keyed.remove(&read(r#"{"n":"a"}"#));
        keyed.remove(&read(r#"{"n":"c"}"#));
        let [a, c] = [r#"{"n":"a"}"#, r#"{"n":"c"}"#].map(read);
        assert_eq!(keyed.change(&a, |item, _| *item = c.clone()), Ok(()));
        assert_eq!(keyed.change(&a, |_, _| ()), Err(&a));
        assert_eq!(keyed.change(&c, |item, _| *item = read(r#"{"n":"c","v":3}"#)), Ok(()));
        keyed.push(read(r#"{"n":"d"}"#));
        keyed.remove(&read(r#"{"n":"d"}"#));
        let left = Value::List(keyed.into_items());
        assert_eq!(json::to_string(&left), r#"[{"n":"b"},{"n":"c","v":3},{}]"#);
    }
}
