//! JSON values in the form of the API server's decoder: integers have 64 bits, all other numbers are floats, and object
//! keys are unique and sorted.

use crate::path::Step;
use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::collections::{BTreeMap, btree_map};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicU32};

/// How deeply lists and objects may be nested in what is read. Everything walks values recursively, so readers stop
/// here. The server's own limit of 10,000 is more than any CRD or object needs, and more than the stack of a thread
/// allows.
pub const MAX_DEPTH: usize = 500;

/// A JSON value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number written without fraction and exponent, in the range of 64 bits.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Str(String),
    /// An array.
    List(Vec<Value>),
    /// An object.
    Map(Map<Value>),
}

/// The integer that a float is, if it has no fraction and floats represent each integer up to it. Zero loses its sign.
pub fn whole(f: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (f.fract() == 0.0 && f.abs() < EXACT).then_some(f as i64)
}

impl Value {
    /// Returns the name of the Go type into which a JSON value is decoded.
    pub fn go_type(&self) -> &'static str {
        match self {
            Value::Null => "<nil>",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int64",
            Value::Float(_) => "float64",
            Value::Str(_) => "string",
            Value::List(_) => "[]interface {}",
            Value::Map(_) => "map[string]interface {}",
        }
    }

    /// Returns the name that Go's JSON decoder has for the type of the value, for messages.
    pub fn json_type(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Int(_) | Value::Float(_) => "number",
            Value::Str(_) => "string",
            Value::List(_) => "array",
            Value::Map(_) => "object",
        }
    }

    /// Returns the member `key` of an object.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(key)
    }

    /// Returns the text of the member `key` of an object, or an empty text.
    pub fn text(&self, key: &str) -> &str {
        self.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the value at the end of these steps.
    pub fn at(&self, steps: &[Step]) -> Option<&Value> {
        steps.iter().try_fold(self, |value, step| match step {
            Step::Key(key) => value.get(key),
            Step::Index(i) => value.as_list()?.get(*i),
        })
    }

    /// Returns the value at the end of these steps, mutably.
    pub fn at_mut(&mut self, steps: &[Step]) -> Option<&mut Value> {
        steps.iter().try_fold(self, |value, step| match (step, value) {
            (Step::Key(name), Value::Map(map)) => map.get_mut(name),
            (Step::Index(index), Value::List(list)) => list.get_mut(*index),
            _ => None,
        })
    }

    /// Returns the text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Str(s) = self { Some(s) } else { None }
    }

    /// Returns the boolean, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(b) = self { Some(*b) } else { None }
    }

    /// Returns the integer, if this is one. Floats such as 1.0 are not integers.
    pub fn as_int(&self) -> Option<i64> {
        if let Value::Int(i) = self { Some(*i) } else { None }
    }

    /// Returns any number as a float.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Value::Int(i) => Some(*i as f64),
            Value::Float(f) => Some(*f),
            Value::Null | Value::Bool(_) | Value::Str(_) | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// Returns the items, if this is an array.
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Value::List(l) = self { Some(l) } else { None }
    }

    /// Returns the members, if this is an object.
    pub fn as_map(&self) -> Option<&Map<Value>> {
        if let Value::Map(m) = self { Some(m) } else { None }
    }

    /// Returns the members mutably, if this is an object.
    pub fn as_map_mut(&mut self) -> Option<&mut Map<Value>> {
        if let Value::Map(m) = self { Some(m) } else { None }
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Value::Str(s.to_owned())
    }
}

impl From<String> for Value {
    fn from(s: String) -> Self {
        Value::Str(s)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Value::Bool(b)
    }
}

impl From<i64> for Value {
    fn from(i: i64) -> Self {
        Value::Int(i)
    }
}

impl From<f64> for Value {
    fn from(f: f64) -> Self {
        Value::Float(f)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

impl From<Map<Value>> for Value {
    fn from(m: Map<Value>) -> Self {
        Value::Map(m)
    }
}

/// Serializes as JSON. `serde_json::to_value` turns this value into a `serde_json::Value`.
#[cfg(feature = "serde")]
impl serde::Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => to.serialize_unit(),
            Value::Bool(b) => to.serialize_bool(*b),
            Value::Int(i) => to.serialize_i64(*i),
            Value::Float(f) => to.serialize_f64(*f),
            Value::Str(s) => to.serialize_str(s),
            Value::List(items) => to.collect_seq(items),
            Value::Map(map) => to.collect_map(map.iter()),
        }
    }
}

/// Returns items with those that `new` returns for some of them. `None` if it returns none.
pub fn changed_items<T: Clone>(items: &[T], mut new: impl FnMut(usize, &T) -> Option<T>) -> Option<Vec<T>> {
    let mut out = Cow::Borrowed(items);
    for (i, item) in items.iter().enumerate() {
        if let Some(item) = new(i, item) {
            out.to_mut()[i] = item;
        }
    }
    match out {
        Cow::Borrowed(_) => None,
        Cow::Owned(items) => Some(items),
    }
}

/// A map from names to values. It is a vector sorted by name, which is compact, is built quickly from many entries, and
/// has the same bytes for the same content. A large one becomes a tree when it is changed in its middle. Copies share their
/// entries until one of them changes, so that copying costs nothing.
pub struct Map<V>(Option<Arc<Entries<V>>>);

#[derive(Clone)]
enum Entries<V> {
    Sorted(Vec<(String, V)>),
    Tree(BTreeMap<String, V>),
}

/// The maximum number of entries that are moved to insert or to remove one.
const MOVED: usize = 1024;

impl<V> Clone for Map<V> {
    fn clone(&self) -> Self {
        Map(self.0.clone())
    }
}

impl<V> Default for Map<V> {
    fn default() -> Self {
        Map::new()
    }
}

impl<V: PartialEq> PartialEq for Map<V> {
    fn eq(&self, other: &Map<V>) -> bool {
        self.is_same(other) || (self.len() == other.len() && self.iter().eq(other.iter()))
    }
}

impl<V: Eq> Eq for Map<V> {}

impl<V: fmt::Debug> fmt::Debug for Map<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Map").field(&self.iter().collect::<Vec<_>>()).finish()
    }
}

impl<V> Map<V> {
    /// Creates an empty map.
    pub const fn new() -> Self {
        Map(None)
    }

    /// A map of sorted entries, which takes no more memory than they do: most maps are small, and never change.
    fn of(mut all: Vec<(String, V)>) -> Self {
        if all.capacity() > all.len() {
            let mut exact = Vec::with_capacity(all.len());
            exact.append(&mut all);
            all = exact;
        }
        Map((!all.is_empty()).then(|| Arc::new(Entries::Sorted(all))))
    }

    fn entries(&self) -> Either<&[(String, V)], &BTreeMap<String, V>> {
        match self.0.as_deref() {
            None => Either::Sorted(&[]),
            Some(Entries::Sorted(all)) => Either::Sorted(all),
            Some(Entries::Tree(tree)) => Either::Tree(tree),
        }
    }

    /// Whether the maps share their entries.
    pub fn is_same(&self, other: &Map<V>) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        match self.entries() {
            Either::Sorted(all) => all.len(),
            Either::Tree(tree) => tree.len(),
        }
    }

    /// Whether the map has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of a name.
    pub fn get(&self, key: &str) -> Option<&V> {
        match self.entries() {
            Either::Sorted(all) => find(all, key).ok().map(|i| &all[i].1),
            Either::Tree(tree) => tree.get(key),
        }
    }

    /// The entry at an index, if that costs nothing.
    fn at(&self, place: usize) -> Option<(&str, &V)> {
        match self.entries() {
            Either::Sorted(all) => all.get(place).map(|(name, value)| (name.as_str(), value)),
            Either::Tree(_) => None,
        }
    }

    /// Like [`Map::get`], but looks at the index `place` first.
    pub fn get_at(&self, key: &str, place: usize) -> Option<&V> {
        match self.at(place) {
            Some((name, value)) if name == key => Some(value),
            Some(_) | None => self.get(key),
        }
    }

    /// Like [`Map::get`], but looks first where the last call with this hint found a name.
    pub fn get_near(&self, key: &str, hint: &AtomicU32) -> Option<&V> {
        if let Some((name, value)) = self.at(hint.load(atomic::Ordering::Relaxed) as usize)
            && name == key
        {
            return Some(value);
        }
        let Either::Sorted(all) = self.entries() else { return self.get(key) };
        let at = find(all, key).ok()?;
        hint.store(at as u32, atomic::Ordering::Relaxed);
        Some(&all[at].1)
    }

    /// Whether the map contains a name.
    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Returns the entries, sorted by name.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &V)> + ExactSizeIterator {
        match self.entries() {
            Either::Sorted(all) => Either::Sorted(all.iter().map(|(k, v)| (k.as_str(), v))),
            Either::Tree(tree) => Either::Tree(tree.iter().map(|(k, v)| (k.as_str(), v))),
        }
    }

    /// Returns the names, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(k, _)| k)
    }

    /// Returns the values in the order of their names.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, v)| v)
    }
}

impl Map<Value> {
    /// Returns the text of a name, or an empty text.
    pub fn text(&self, key: &str) -> &str {
        self.get(key).and_then(Value::as_str).unwrap_or_default()
    }
}

impl<V: Clone> Map<V> {
    /// The entries of this map alone.
    fn own(&mut self) -> &mut Entries<V> {
        Arc::make_mut(self.0.get_or_insert_with(|| Arc::new(Entries::Sorted(Vec::new()))))
    }

    /// Returns the map with the values that `new` returns for some of its values. `None` if it returns none, so that what stays as it
    /// is stays shared.
    pub fn changed(&self, mut new: impl FnMut(&str, &V) -> Option<V>) -> Option<Map<V>> {
        let mut out = self.clone();
        for (name, value) in self.iter() {
            if let Some(value) = new(name, value) {
                out.insert(name, value);
            }
        }
        (!out.is_same(self)).then_some(out)
    }

    /// Returns the value of a name, mutably.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        // What is shared is not copied for a name that is missing.
        if !self.contains_key(key) {
            return None;
        }
        match self.own() {
            Entries::Sorted(all) => find(all, key).ok().map(|i| &mut all[i].1),
            Entries::Tree(tree) => tree.get_mut(key),
        }
    }

    /// Sets the value of a name, and returns the old one. For many entries, collecting is faster.
    pub fn insert(&mut self, key: impl Into<String> + Borrow<str>, value: V) -> Option<V> {
        match self.moving_few(|all| find(all, key.borrow()).err()) {
            Entries::Sorted(all) => match find(all, key.borrow()) {
                Ok(i) => Some(std::mem::replace(&mut all[i].1, value)),
                Err(i) => {
                    all.insert(i, (key.into(), value));
                    None
                }
            },
            Entries::Tree(tree) => tree.insert(key.into(), value),
        }
    }

    /// Returns the value of a name. Inserts it first if it is missing.
    pub fn entry_or_insert_with(&mut self, key: &str, value: impl FnOnce() -> V) -> &mut V {
        match self.moving_few(|all| find(all, key).err()) {
            Entries::Sorted(all) => {
                let i = find(all, key).unwrap_or_else(|i| {
                    all.insert(i, (key.to_owned(), value()));
                    i
                });
                &mut all[i].1
            }
            Entries::Tree(tree) => tree.entry(key.to_owned()).or_insert_with(value),
        }
    }

    /// Removes an entry, and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<V> {
        if !self.contains_key(key) {
            return None;
        }
        match self.moving_few(|all| find(all, key).ok()) {
            Entries::Sorted(all) => find(all, key).ok().map(|i| all.remove(i).1),
            Entries::Tree(tree) => tree.remove(key),
        }
    }

    /// The entries of this map alone: a tree if a change at a place of a list would move many of them.
    fn moving_few(&mut self, place: impl Fn(&[(String, V)]) -> Option<usize>) -> &mut Entries<V> {
        let entries = self.own();
        if let Entries::Sorted(all) = entries
            && all.len() > MOVED
            && place(all).is_some_and(|place| all.len() - place > MOVED)
        {
            *entries = Entries::Tree(std::mem::take(all).into_iter().collect());
        }
        entries
    }

    /// Keeps the entries for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &mut V) -> bool) {
        match self.own() {
            Entries::Sorted(all) => all.retain_mut(|(k, v)| keep(k, v)),
            Entries::Tree(tree) => tree.retain(|k, v| keep(k, v)),
        }
    }

    /// Returns the entries with mutable values, sorted by name.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut V)> {
        match self.own() {
            Entries::Sorted(all) => Either::Sorted(all.iter_mut().map(|(k, v)| (k.as_str(), v))),
            Entries::Tree(tree) => Either::Tree(tree.iter_mut().map(|(k, v)| (k.as_str(), v))),
        }
    }

    /// Returns mutable values in the order of their names.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.iter_mut().map(|(_, v)| v)
    }
}

fn find<V>(all: &[(String, V)], key: &str) -> Result<usize, usize> {
    all.binary_search_by(|(k, _)| k.as_str().cmp(key))
}

/// An iterator over one of the two.
#[derive(Debug)]
enum Either<A, B> {
    Sorted(A),
    Tree(B),
}

impl<A: Iterator, B: Iterator<Item = A::Item>> Iterator for Either<A, B> {
    type Item = A::Item;

    fn next(&mut self) -> Option<A::Item> {
        match self {
            Either::Sorted(all) => all.next(),
            Either::Tree(all) => all.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Either::Sorted(all) => all.size_hint(),
            Either::Tree(all) => all.size_hint(),
        }
    }
}

impl<A: DoubleEndedIterator, B: DoubleEndedIterator<Item = A::Item>> DoubleEndedIterator for Either<A, B> {
    fn next_back(&mut self) -> Option<A::Item> {
        match self {
            Either::Sorted(all) => all.next_back(),
            Either::Tree(all) => all.next_back(),
        }
    }
}

impl<A: ExactSizeIterator, B: ExactSizeIterator<Item = A::Item>> ExactSizeIterator for Either<A, B> {}

/// Sorts only once. If several entries have the same name, the last one wins, as in Go's JSON decoder.
impl<K: Into<String>, V> FromIterator<(K, V)> for Map<V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries = entries.into_iter();
        let mut all = Vec::with_capacity(entries.size_hint().0);
        for (name, value) in entries {
            all.push((name.into(), value));
        }
        Map::sorted(all)
    }
}

impl<V> Map<V> {
    /// Creates a map from entries in any order. Of entries with the same name, the last one stays.
    // Separate from collecting, and the sort separate from this, so that neither is compiled once more for every iterator and
    // every type of value.
    pub fn sorted(all: Vec<(String, V)>) -> Self {
        if all.is_sorted_by(|a, b| a.0 < b.0) {
            return Map::of(all);
        }
        if all.len() <= FEW {
            return Map::of(sorted_few(all));
        }
        let order = last_of_each(&all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
        Map::of(arrange(all, &order))
    }
}

/// The maximum number of entries that are sorted by insertion. Most maps that people write have no more, and are not
/// sorted.
const FEW: usize = 24;

/// The same for a few entries. It needs no additional memory, and compiles quickly.
fn sorted_few<V>(mut all: Vec<(String, V)>) -> Vec<(String, V)> {
    for i in 1..all.len() {
        let mut at = i;
        while at > 0 && all[at - 1].0 > all[at].0 {
            all.swap(at - 1, at);
            at -= 1;
        }
    }
    all.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            std::mem::swap(next, kept);
        }
        same
    });
    all
}

/// Returns the numbers below `len`, sorted by `compare`. Equal ones keep their order.
// One sort for all types, since each takes the compiler longer than most modules do.
pub fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Returns the items at these positions, in this order. Each position may occur only once.
// Loops, because it is compiled for many types, and collecting takes the compiler ten times as long.
pub fn arrange<T>(all: Vec<T>, order: &[usize]) -> Vec<T> {
    let mut places = Vec::with_capacity(all.len());
    for it in all {
        places.push(Some(it));
    }
    let mut out = Vec::with_capacity(order.len());
    for place in order {
        out.extend(places[*place].take());
    }
    out
}

/// For each name, the index of its last occurrence, in the order of the names.
fn last_of_each(names: &[&str]) -> Vec<usize> {
    let order = order(names.len(), &|a, b| names[a].cmp(names[b]));
    let same = |place: usize, next: Option<&usize>| next.is_some_and(|next| names[place] == names[*next]);
    (0..order.len()).filter(|i| !same(order[*i], order.get(i + 1))).map(|i| order[i]).collect()
}

impl<V: Clone> IntoIterator for Map<V> {
    type Item = (String, V);
    type IntoIter = IntoIter<V>;

    fn into_iter(self) -> IntoIter<V> {
        IntoIter(match self.0.map(Arc::unwrap_or_clone) {
            None => Either::Sorted(Vec::new().into_iter()),
            Some(Entries::Sorted(all)) => Either::Sorted(all.into_iter()),
            Some(Entries::Tree(tree)) => Either::Tree(tree.into_iter()),
        })
    }
}

/// The entries of a map, sorted by name.
#[derive(Debug)]
pub struct IntoIter<V>(Either<std::vec::IntoIter<(String, V)>, btree_map::IntoIter<String, V>>);

impl<V> Iterator for IntoIter<V> {
    type Item = (String, V);

    fn next(&mut self) -> Option<(String, V)> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<V> DoubleEndedIterator for IntoIter<V> {
    fn next_back(&mut self) -> Option<(String, V)> {
        self.0.next_back()
    }
}

impl<V> ExactSizeIterator for IntoIter<V> {}

/// Whether YAML 1.1 reads a text without quotes as a boolean.
#[doc(hidden)]
pub fn is_yaml_bool(text: &str) -> bool {
    yaml_bool(text).is_some()
}

/// Returns the boolean that YAML 1.1 reads for a text without quotes.
pub fn yaml_bool(text: &str) -> Option<bool> {
    const WORDS: [[&str; 4]; 2] = [["y", "yes", "on", "true"], ["n", "no", "off", "false"]];
    let position = WORDS.iter().position(|words| words.iter().any(|word| word.eq_ignore_ascii_case(text)))?;
    Some(position == 0)
}

#[cfg(test)]
mod tests {
    use super::Map;
    use std::collections::BTreeMap;

    /// Names in the order of a permutation of 4096 numbers.
    fn names() -> Vec<String> {
        (0..4096u32).map(|i| format!("{:04}", i * 1229 % 4096)).collect()
    }

    #[test]
    fn copies_share_entries_until_one_of_them_changes() {
        let map: Map<u32> = names().into_iter().zip(0..).collect();
        type Change = fn(&mut Map<u32>);
        let changes: [(bool, Change); 8] = [
            (false, |map| assert_eq!(map.get_mut("missing"), None)),
            (false, |map| assert_eq!(map.remove("missing"), None)),
            (true, |map| assert_eq!(map.insert("missing", 1), None)),
            (true, |map| assert_eq!(map.remove("0000"), Some(0))),
            (true, |map| *map.get_mut("0000").expect("a value") = 1),
            (true, |map| *map.entry_or_insert_with("0000", || 0) = 1),
            (true, |map| map.values_mut().for_each(|value| *value += 1)),
            (true, |map| map.retain(|_, value| *value > 0)),
        ];
        for (i, (changes, change)) in changes.into_iter().enumerate() {
            let mut copy = map.clone();
            change(&mut copy);
            assert_eq!(copy.is_same(&map), !changes, "{i}");
            assert_eq!(copy == map, !changes, "{i}");
            assert!(map.iter().eq(
                names().into_iter().zip(0..).collect::<BTreeMap<_, _>>().iter().map(|(k, v)| (k.as_str(), v))
            ));
        }
        assert_eq!(map.clone().into_iter().count(), map.len());
    }

    #[test]
    fn large_maps_are_the_same_however_they_are_made() {
        let collected: Map<u32> = names().into_iter().zip(0..).collect();
        let (mut inserted, mut wanted) = (Map::new(), BTreeMap::new());
        for (name, value) in names().into_iter().zip(0..) {
            assert_eq!(inserted.insert(name.as_str(), value + 1), None);
            assert_eq!(inserted.insert(name.as_str(), value), Some(value + 1));
            assert_eq!(*inserted.entry_or_insert_with(&name, || 0), value);
            wanted.insert(name, value);
        }
        assert_eq!(inserted, collected);
        assert_eq!(format!("{inserted:?}"), format!("{collected:?}"));
        let entries = |map: &Map<u32>| map.iter().map(|(k, v)| (k.to_owned(), *v)).collect::<Vec<_>>();
        assert_eq!(entries(&inserted), wanted.iter().map(|(k, v)| (k.clone(), *v)).collect::<Vec<_>>());
        let mut both = [inserted, collected];
        for map in &mut both {
            for name in names().iter().filter(|name| name.ends_with('7')) {
                assert_eq!(map.remove(name), wanted.get(name).copied());
                assert_eq!(map.remove(name), None);
                assert!(!map.contains_key(name));
            }
            map.retain(|name, value| !name.ends_with('8') && *value != 5);
        }
        let [one, other] = both;
        assert_eq!(one, other);
        assert_eq!(one.len(), wanted.keys().filter(|name| !name.ends_with(['7', '8'])).count() - 1);
        assert!(one.into_iter().eq(other));
    }
}
