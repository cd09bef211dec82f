//! The state of a conversion apart from the value: what the annotation kept of the object earlier, and what it must
//! keep now.

use super::Within;
use super::error::Failure;
use super::stash::{Item, Kept, fingerprint};
use crate::from_value::{Step, from_value};
use crate::to_value::to_value;
use crdgen_runtime::json;
use crdgen_runtime::value::{Map, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// The state of a conversion: what the annotation kept of the object earlier, and what it must keep now. Generated code calls
/// these methods. If you implement [`Convert`](super::Convert) by hand, you can call them too.
#[derive(Debug, Default)]
pub struct Context {
    /// Whether there is an object whose annotation can keep something.
    keeps: bool,
    /// What the annotation kept for this place, for the version that the value is converted to.
    given: Option<Box<Kept>>,
    /// What the version that the value is converted to cannot express at this place.
    kept: Option<Box<Kept>>,
    /// Whether something may have been lost whose loss the declaration accepts.
    lossy: bool,
    /// The object around the value.
    object: Option<Box<Object>>,
    /// The same state for the values around the one that is being converted.
    around: Vec<Around>,
    /// The keys that identify the items of the next part.
    pub(super) keys: &'static [&'static str],
}

/// The state for a value around the one that is being converted.
#[derive(Debug, Default)]
struct Around {
    given: Option<Box<Kept>>,
    kept: Option<Box<Kept>>,
}

/// The object that contains the converted value, for functions that need its name or namespace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    name: Option<String>,
    namespace: Option<String>,
}

impl Object {
    pub(super) fn of(metadata: &Map<Value>) -> Object {
        let text = |name: &str| metadata.get(name).and_then(Value::as_str).map(str::to_owned);
        Object { name: text("name"), namespace: text("namespace") }
    }

    /// Returns the name, if the object already has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns a context for a function that itself calls conversions. Such a conversion keeps nothing that the other version
    /// cannot express. crdgen keeps the function's argument instead, unless the function back returns it.
    pub fn context(&self) -> Context {
        Context { object: Some(Box::new(self.clone())), ..Context::default() }
    }

    /// Returns the namespace, if the object has one.
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }
}

impl Context {
    /// Returns a context for a value outside of an object. Anything that the other version cannot express is lost.
    pub fn alone() -> Context {
        Context::default()
    }

    pub(super) fn of(given: Kept, object: Object) -> Context {
        let given = (!given.is_empty()).then(|| Box::new(given));
        Context { keeps: true, given, object: Some(Box::new(object)), ..Context::default() }
    }

    /// Returns the object that contains the value. In a context of [`Context::alone`], it has neither name nor namespace.
    pub fn object(&self) -> Object {
        self.object.as_deref().cloned().unwrap_or_default()
    }

    /// Notes that a value may be lost, so that the generated test accepts the loss.
    pub fn accept_loss(&mut self) {
        self.lossy = true;
    }

    pub(super) fn is_lossy(&self) -> bool {
        self.lossy
    }

    pub(super) fn into_kept(self) -> Kept {
        self.kept.map(|kept| *kept).unwrap_or_default()
    }

    /// Returns what was kept for a part.
    fn given_of(&mut self, name: &str) -> Option<Box<Kept>> {
        self.given.as_mut()?.fields.remove(name).map(Box::new)
    }

    /// Keeps something for a part.
    fn keep(&mut self, name: &str, kept: Option<Box<Kept>>) {
        if let Some(kept) = kept {
            self.kept.get_or_insert_default().fields.insert(name.to_owned(), *kept);
        }
    }

    /// Converts a field of the value. The annotation and errors use `name` for it.
    pub fn field<T, E: Failure>(
        &mut self,
        name: &str,
        part: impl FnOnce(&mut Context) -> Result<T, E>,
    ) -> Result<T, E> {
        self.enter(name);
        let result = part(self);
        self.keep_part(name);
        result.map_err(|e| e.below(Step::Field(name)))
    }

    /// Begins the conversion of a part, which [`Context::leave`] ends: what [`Context::field`] does. Derives use both around
    /// functions, since the compiler takes long for a closure.
    #[doc(hidden)]
    pub fn enter(&mut self, name: &str) {
        let given = self.given_of(name);
        self.go_in(given);
    }

    /// Ends the conversion of a part.
    #[doc(hidden)]
    pub fn leave<T, Part: Within<E>, E: Failure>(
        &mut self,
        name: &str,
        result: Result<T, Part>,
    ) -> Result<T, E> {
        self.keep_part(name);
        match result {
            Ok(it) => Ok(it),
            Err(e) => Err(e.within().below(Step::Field(name))),
        }
    }

    fn keep_part(&mut self, name: &str) {
        let kept = self.go_out();
        self.keep(name, kept);
    }

    fn go_in(&mut self, given: Option<Box<Kept>>) {
        let given = std::mem::replace(&mut self.given, given);
        self.around.push(Around { given, kept: self.kept.take() });
    }

    /// Ends a part. Returns what is kept for it.
    fn go_out(&mut self) -> Option<Box<Kept>> {
        let Around { given, kept } = self.around.pop().unwrap_or_default();
        self.given = given;
        std::mem::replace(&mut self.kept, kept).filter(|kept| !kept.is_empty())
    }

    /// Converts the items of a list. `keys` are the fields that identify an item. Without keys, the whole item identifies it.
    pub fn items<A: Serialize, B: Serialize, E: Failure>(
        &mut self,
        items: Vec<A>,
        keys: &[&str],
        each: impl FnMut(&mut Context, A) -> Result<B, E>,
    ) -> Result<Vec<B>, E> {
        self.items_as(items, keys, each, &to_value::<A>, &to_value::<B>)
    }

    /// Like [`Context::items`], for items that become JSON in another way.
    #[doc(hidden)]
    pub fn items_as<A, B, E: Failure>(
        &mut self,
        items: Vec<A>,
        keys: &[&str],
        mut each: impl FnMut(&mut Context, A) -> Result<B, E>,
        source: &dyn Fn(&A) -> Option<Value>,
        target: &dyn Fn(&B) -> Option<Value>,
    ) -> Result<Vec<B>, E> {
        let mut list = self.list(keys);
        let mut all = Vec::with_capacity(items.len());
        for item in items {
            self.enter_item(&mut list, &|| source(&item));
            let result = each(self, item);
            let at = self.leave_item(&mut list);
            match result {
                Ok(it) => all.push(it),
                Err(e) => return Err(e.below(Step::Item(at))),
            }
        }
        if !list.kept.is_empty() {
            self.keep_items(list, &|at| target(all.get(at)?));
        }
        Ok(all)
    }

    /// Begins the conversion of a list. Its items must be distinguished only if something was kept for them, or is to
    /// be kept. This function is compiled once, and not for each type.
    fn list<'k>(&mut self, keys: &'k [&'k str]) -> Listed<'k> {
        let given = self.given.as_mut().map(|given| std::mem::take(&mut given.items)).unwrap_or_default();
        Listed { keys, given, sources: Occurrences::default(), kept: Vec::new(), count: 0 }
    }

    fn enter_item(&mut self, list: &mut Listed<'_>, source: &dyn Fn() -> Option<Value>) {
        let mut found = None;
        if !list.given.is_empty() {
            let (with, nth) = list.sources.next(source(), list.keys);
            if let Some(at) = list.given.iter().position(|it| it.nth == nth && it.with == with) {
                found = Some(Box::new(list.given.swap_remove(at).kept));
            }
        }
        self.go_in(found);
    }

    /// Ends the conversion of an item. Returns its index.
    fn leave_item(&mut self, list: &mut Listed<'_>) -> usize {
        let at = list.count;
        list.count += 1;
        if let Some(kept) = self.go_out() {
            list.kept.push((at, *kept));
        }
        at
    }

    fn keep_items(&mut self, list: Listed<'_>, target: &dyn Fn(usize) -> Option<Value>) {
        let Listed { keys, kept, count, .. } = list;
        let mut kept = kept.into_iter().peekable();
        let mut targets = Occurrences::default();
        for at in 0..count {
            if kept.peek().is_none() {
                break;
            }
            let (with, nth) = targets.next(target(at), keys);
            if let Some((_, kept)) = kept.next_if(|(of, _)| *of == at) {
                self.kept.get_or_insert_default().items.push(Item { with, nth, kept });
            }
        }
    }

    /// Converts the values of a [`BTreeMap`].
    pub fn entries<K: Ord + Serialize, A, B, E: Failure>(
        &mut self,
        map: BTreeMap<K, A>,
        mut each: impl FnMut(&mut Context, A) -> Result<B, E>,
    ) -> Result<BTreeMap<K, B>, E> {
        map.into_iter().map(|(key, value)| self.entry(key, value, &mut each)).collect()
    }

    /// Converts the values of a [`HashMap`].
    pub fn hashed<K: Eq + Hash + Serialize, A, B, E: Failure>(
        &mut self,
        map: HashMap<K, A>,
        mut each: impl FnMut(&mut Context, A) -> Result<B, E>,
    ) -> Result<HashMap<K, B>, E> {
        map.into_iter().map(|(key, value)| self.entry(key, value, &mut each)).collect()
    }

    fn entry<K: Serialize, A, B, E: Failure>(
        &mut self,
        key: K,
        value: A,
        each: &mut impl FnMut(&mut Context, A) -> Result<B, E>,
    ) -> Result<(K, B), E> {
        let name = name_of(&key);
        self.enter(&name);
        let result = each(self, value);
        self.keep_part(&name);
        result.map(|value| (key, value)).map_err(|e| e.below(Step::Key(&name)))
    }

    /// Converts a value with a function. Keeps the value in the annotation if `back` does not return the same value.
    pub fn map<A, B, E, F>(
        &mut self,
        value: A,
        there: impl FnOnce(A) -> Result<B, E>,
        back: impl FnOnce(B) -> Result<A, F>,
    ) -> Result<B, E>
    where
        A: Serialize,
        B: Clone + DeserializeOwned + Serialize,
    {
        if !self.keeps {
            return there(value);
        }
        let from = to_value(&value);
        if let Some(it) = self.kept_for(from.as_ref()) {
            return Ok(it);
        }
        let it = there(value)?;
        let again = back(it.clone()).ok().and_then(|again| to_value(&again));
        if again != from {
            self.keep_for(from, &it);
        }
        Ok(it)
    }

    /// Converts an `Option` to a version in which `{}`, `[]` and `""` become `None`. The annotation keeps the empty value.
    pub fn unless_empty<A, B, E>(
        &mut self,
        value: Option<A>,
        each: impl FnOnce(&mut Context, A) -> Result<B, E>,
    ) -> Result<Option<B>, E>
    where
        A: Serialize,
        B: DeserializeOwned + Serialize,
    {
        let seen = self.seen(&value);
        if let Some(it) = self.kept_for(seen.as_ref()) {
            return Ok(it);
        }
        let Some(value) = value else { return Ok(None) };
        let it = each(self, value)?;
        if !to_value(&it).is_some_and(|it| is_empty(&it)) {
            return Ok(Some(it));
        }
        self.keep_instead(seen, &Value::Null);
        Ok(None)
    }

    /// Converts an `Option` back from a version in which `{}`, `[]` and `""` become `None`. If the value is empty all the same,
    /// the annotation keeps it.
    pub fn even_if_empty<A, B, E>(
        &mut self,
        value: Option<A>,
        each: impl FnOnce(&mut Context, A) -> Result<B, E>,
    ) -> Result<Option<B>, E>
    where
        A: Serialize,
        B: DeserializeOwned + Serialize,
    {
        let seen = self.seen(&value);
        if let Some(it) = self.kept_for(seen.as_ref()) {
            return Ok(it);
        }
        let Some(value) = value else { return Ok(None) };
        let it = Some(each(self, value)?);
        if seen.as_ref().is_some_and(is_empty) {
            self.keep_instead(seen, &to_value(&it).unwrap_or(Value::Null));
        }
        Ok(it)
    }

    /// Keeps a value for its counterpart, instead of anything that was kept for values inside of it.
    #[doc(hidden)]
    pub fn keep_instead(&mut self, seen: Option<Value>, counterpart: &Value) {
        self.kept = None;
        if seen.is_some() {
            self.keep_as(seen, Some(counterpart));
        }
    }

    /// Returns a value that the other version does not have: the value from the annotation, or the default.
    pub fn added<T: DeserializeOwned>(&mut self, default: impl FnOnce() -> T) -> T {
        self.given().and_then(|value| from_value(&value).ok()).unwrap_or_else(default)
    }

    /// Like [`Context::added`], for a part.
    #[doc(hidden)]
    pub fn added_field<T: DeserializeOwned>(&mut self, name: &str, default: impl FnOnce() -> T) -> T {
        self.enter(name);
        let value = self.added(default);
        self.go_out();
        value
    }

    /// Like [`Context::removed`], for a part.
    #[doc(hidden)]
    pub fn removed_field<T: Serialize>(&mut self, name: &str, value: &T, default: impl FnOnce() -> T) {
        self.enter(name);
        self.removed(value, default);
        self.keep_part(name);
    }

    /// Returns what was kept for a value that the other version does not have.
    #[doc(hidden)]
    pub fn given(&mut self) -> Option<Value> {
        self.given.as_mut()?.value.take()
    }

    /// Keeps in the annotation a value that the other version does not have, unless it is the default.
    pub fn removed<T: Serialize>(&mut self, value: &T, default: impl FnOnce() -> T) {
        if self.keeps {
            self.keep_unless(to_value(value), to_value(&default()).as_ref());
        }
    }

    /// Keeps a value unless it is the default.
    #[doc(hidden)]
    pub fn keep_unless(&mut self, value: Option<Value>, default: Option<&Value>) {
        if value.as_ref() != default {
            self.kept.get_or_insert_default().value = value;
        }
    }

    /// Returns a value as JSON, for [`Context::kept_for`] and [`Context::keep_for`]. `None` if there is no object.
    pub fn seen<T: Serialize>(&self, value: &T) -> Option<Value> {
        if self.keeps { to_value(value) } else { None }
    }

    /// Returns the value of the other version that the annotation keeps for exactly this value.
    pub fn kept_for<T: DeserializeOwned>(&mut self, seen: Option<&Value>) -> Option<T> {
        from_value(&self.given_for(seen)?).ok()
    }

    /// Like [`Context::kept_for`], as JSON.
    #[doc(hidden)]
    pub fn given_for(&mut self, seen: Option<&Value>) -> Option<Value> {
        let given = self.given.as_mut()?;
        let (with, value) = (given.with.take()?, given.value.take()?);
        (fingerprint(seen?) == with).then_some(value)
    }

    /// Keeps the value `seen` in the annotation, for as long as the converted value is `counterpart`.
    pub fn keep_for<T: Serialize>(&mut self, seen: Option<Value>, counterpart: &T) {
        if seen.is_some() {
            self.keep_as(seen, to_value(counterpart).as_ref());
        }
    }

    /// Like [`Context::keep_for`], for a counterpart that is JSON.
    #[doc(hidden)]
    pub fn keep_as(&mut self, seen: Option<Value>, counterpart: Option<&Value>) {
        let kept = self.kept.get_or_insert_default();
        kept.with = counterpart.map(fingerprint);
        kept.value = seen;
    }
}

/// Returns the name of the member for a key of a map.
fn name_of<K: Serialize>(key: &K) -> String {
    match to_value(key) {
        Some(Value::Str(name)) => name,
        other => json::to_string(&other.unwrap_or(Value::Null)),
    }
}

/// Whether a value is empty.
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Map(members) => members.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Str(text) => text.is_empty(),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => false,
    }
}

/// A list that is being converted.
struct Listed<'k> {
    keys: &'k [&'k str],
    /// What was kept for its items.
    given: Vec<Item>,
    /// The items so far.
    sources: Occurrences,
    /// What is to be kept for items, with their indexes.
    kept: Vec<(usize, Kept)>,
    /// How many items have been converted.
    count: usize,
}

/// The fingerprints of the items of a list, so far.
#[derive(Default)]
struct Occurrences(Map<usize>);

impl Occurrences {
    fn next(&mut self, item: Option<Value>, keys: &[&str]) -> (String, usize) {
        let item = item.unwrap_or(Value::Null);
        let named: Option<Vec<Value>> = keys.iter().map(|key| item.get(key).cloned()).collect();
        let with = match named {
            Some(named) if !named.is_empty() => fingerprint(&Value::List(named)),
            _ => fingerprint(&item),
        };
        let count = self.0.entry_or_insert_with(&with, || 0);
        let nth = *count;
        *count += 1;
        (with, nth)
    }
}
