//! The functions that derived conversions call for the value of each field. They are here and not in generated code,
//! because the compiler would have to check generated code for each field.

use super::error::Failure;
use super::{Context, Convert, Error, Within};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::hash::Hash;
use std::marker::PhantomData;

/// A type of the language or its library, which both versions must have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not convert from `{Old}`",
    label = "no conversion from `{Old}`",
    note = "name a function for each direction: #[convert(with = \"…\", back = \"…\")]"
)]
pub trait Plain<Old>: Sized {
    /// Returns the value itself.
    fn plain(old: Old) -> Self;
}

impl<T> Plain<T> for T {
    #[inline]
    fn plain(old: T) -> T {
        old
    }
}

/// An older type that no field has, for [`Plain`] and [`Convert`]. With only one impl per type, the compiler would
/// assume that this impl is meant. It would then report a mismatch between two types instead of the missing conversion.
#[derive(Debug)]
pub struct NoField<T>(T);

impl<T> Plain<NoField<T>> for T {
    #[inline]
    fn plain(old: NoField<T>) -> T {
        old.0
    }
}

impl<T> Convert<NoField<T>> for T {
    type Error = Infallible;

    #[inline]
    fn upgrade(old: NoField<T>, _: &mut Context) -> Result<T, Infallible> {
        Ok(old.0)
    }

    #[inline]
    fn downgrade(self, _: &mut Context) -> Result<NoField<T>, Infallible> {
        Ok(NoField(self))
    }
}

/// Returns a value that does not change in a conversion.
#[inline]
pub fn plain<Old, New: Plain<Old>>(old: Old) -> New {
    New::plain(old)
}

/// Returns the value of the newer version, without an object around it.
pub fn upgraded<Old, New: Convert<Old, Error = Infallible>>(old: Old) -> New {
    sure(New::upgrade(old, &mut Context::alone()))
}

/// Returns the value of the older version, without an object around it.
pub fn downgraded<Old, New: Convert<Old, Error = Infallible>>(new: New) -> Old {
    sure(new.downgrade(&mut Context::alone()))
}

fn sure<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(it) => it,
        Err(never) => match never {},
    }
}

/// Converts a value by the shape of its type, which a derive identifies by name. `keys` identify the items of a list.
pub trait Shape<Old, New, Whole> {
    /// Returns the value of the newer version.
    fn up(old: Old, keys: &[&str], context: &mut Context) -> Result<New, Whole>;

    /// Returns the value of the older version.
    fn down(new: New, keys: &[&str], context: &mut Context) -> Result<Old, Whole>;
}

/// A value that has a conversion of its own.
#[derive(Debug)]
pub struct Own;

impl<Old, New, Whole> Shape<Old, New, Whole> for Own
where
    New: Convert<Old>,
    New::Error: Within<Whole>,
{
    fn up(old: Old, _: &[&str], context: &mut Context) -> Result<New, Whole> {
        New::upgrade(old, context).map_err(Within::within)
    }

    fn down(new: New, _: &[&str], context: &mut Context) -> Result<Old, Whole> {
        new.downgrade(context).map_err(Within::within)
    }
}

/// An `Option`.
#[derive(Debug)]
pub struct Optional<S>(PhantomData<S>);

impl<Old, New, Whole, S: Shape<Old, New, Whole>> Shape<Option<Old>, Option<New>, Whole> for Optional<S> {
    fn up(old: Option<Old>, keys: &[&str], context: &mut Context) -> Result<Option<New>, Whole> {
        old.map(|old| S::up(old, keys, context)).transpose()
    }

    fn down(new: Option<New>, keys: &[&str], context: &mut Context) -> Result<Option<Old>, Whole> {
        new.map(|new| S::down(new, keys, context)).transpose()
    }
}

/// An `Option` that is `None` in the newer version if its value is empty.
#[derive(Debug)]
pub struct UnlessEmpty<S>(PhantomData<S>);

impl<Old, New, Whole, S: Shape<Old, New, Whole>> Shape<Option<Old>, Option<New>, Whole> for UnlessEmpty<S>
where
    Old: DeserializeOwned + Serialize,
    New: DeserializeOwned + Serialize,
{
    fn up(old: Option<Old>, keys: &[&str], context: &mut Context) -> Result<Option<New>, Whole> {
        context.unless_empty(old, |context, old| S::up(old, keys, context))
    }

    fn down(new: Option<New>, keys: &[&str], context: &mut Context) -> Result<Option<Old>, Whole> {
        context.even_if_empty(new, |context, new| S::down(new, keys, context))
    }
}

/// A value in a box.
#[derive(Debug)]
pub struct Boxed<S>(PhantomData<S>);

impl<Old, New, Whole, S: Shape<Old, New, Whole>> Shape<Box<Old>, Box<New>, Whole> for Boxed<S> {
    fn up(old: Box<Old>, keys: &[&str], context: &mut Context) -> Result<Box<New>, Whole> {
        S::up(*old, keys, context).map(Box::new)
    }

    fn down(new: Box<New>, keys: &[&str], context: &mut Context) -> Result<Box<Old>, Whole> {
        S::down(*new, keys, context).map(Box::new)
    }
}

/// A list.
#[derive(Debug)]
pub struct Items<S>(PhantomData<S>);

impl<Old, New, Whole, S: Shape<Old, New, Whole>> Shape<Vec<Old>, Vec<New>, Whole> for Items<S>
where
    Old: Serialize,
    New: Serialize,
    Whole: Failure,
{
    fn up(old: Vec<Old>, keys: &[&str], context: &mut Context) -> Result<Vec<New>, Whole> {
        context.items(old, keys, |context, old| S::up(old, &[], context))
    }

    fn down(new: Vec<New>, keys: &[&str], context: &mut Context) -> Result<Vec<Old>, Whole> {
        context.items(new, keys, |context, new| S::down(new, &[], context))
    }
}

/// A `BTreeMap`.
#[derive(Debug)]
pub struct Entries<S>(PhantomData<S>);

impl<Key, Old, New, Whole, S> Shape<BTreeMap<Key, Old>, BTreeMap<Key, New>, Whole> for Entries<S>
where
    Key: Ord + Serialize,
    Whole: Failure,
    S: Shape<Old, New, Whole>,
{
    fn up(old: BTreeMap<Key, Old>, _: &[&str], context: &mut Context) -> Result<BTreeMap<Key, New>, Whole> {
        context.entries(old, |context, old| S::up(old, &[], context))
    }

    fn down(new: BTreeMap<Key, New>, _: &[&str], context: &mut Context) -> Result<BTreeMap<Key, Old>, Whole> {
        context.entries(new, |context, new| S::down(new, &[], context))
    }
}

/// A `HashMap`.
#[derive(Debug)]
pub struct Hashed<S>(PhantomData<S>);

impl<Key, Old, New, Whole, S> Shape<HashMap<Key, Old>, HashMap<Key, New>, Whole> for Hashed<S>
where
    Key: Eq + Hash + Serialize,
    Whole: Failure,
    S: Shape<Old, New, Whole>,
{
    fn up(old: HashMap<Key, Old>, _: &[&str], context: &mut Context) -> Result<HashMap<Key, New>, Whole> {
        context.hashed(old, |context, old| S::up(old, &[], context))
    }

    fn down(new: HashMap<Key, New>, _: &[&str], context: &mut Context) -> Result<HashMap<Key, Old>, Whole> {
        context.hashed(new, |context, new| S::down(new, &[], context))
    }
}

/// The methods that derives call for a part.
#[doc(hidden)]
impl Context {
    /// Sets the keys that identify the items of the next part.
    pub fn keyed(&mut self, keys: &'static [&'static str]) -> &mut Context {
        self.keys = keys;
        self
    }

    fn part<T, E: Failure>(
        &mut self,
        name: &str,
        convert: impl FnOnce(&[&str], &mut Context) -> Result<T, E>,
    ) -> Result<T, E> {
        let keys = std::mem::take(&mut self.keys);
        self.field(name, |context| convert(keys, context))
    }
}

/// Converts a part that always has a value, by its shape. One trait has both directions, so that the compiler reports a
/// missing conversion only once. It would report two functions with bounds twice, and one function with the direction
/// as a parameter takes it longer to compile.
pub trait Part<Old, New> {
    /// Returns the part of the newer version.
    fn up(context: &mut Context, name: &str, old: Old) -> New;

    /// Returns the part of the older version.
    fn down(context: &mut Context, name: &str, new: New) -> Old;
}

impl<Old, New, S: Shape<Old, New, Infallible>> Part<Old, New> for S {
    fn up(context: &mut Context, name: &str, old: Old) -> New {
        sure(context.part(name, |keys, context| S::up(old, keys, context)))
    }

    fn down(context: &mut Context, name: &str, new: New) -> Old {
        sure(context.part(name, |keys, context| S::down(new, keys, context)))
    }
}

/// Like [`Part`], for a part whose conversion can fail.
pub trait TryPart<Old, New> {
    /// Returns the part of the newer version.
    fn try_up(context: &mut Context, name: &str, old: Old) -> Result<New, Error>;

    /// Returns the part of the older version.
    fn try_down(context: &mut Context, name: &str, new: New) -> Result<Old, Error>;
}

impl<Old, New, S: Shape<Old, New, Error>> TryPart<Old, New> for S {
    fn try_up(context: &mut Context, name: &str, old: Old) -> Result<New, Error> {
        context.part(name, |keys, context| S::up(old, keys, context))
    }

    fn try_down(context: &mut Context, name: &str, new: New) -> Result<Old, Error> {
        context.part(name, |keys, context| S::down(new, keys, context))
    }
}
