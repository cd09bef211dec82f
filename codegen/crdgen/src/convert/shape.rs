//! What derived conversions call for the value of each field. The work is here and not in generated code, which the compiler
//! would have to check for each field.

use super::error::Failure;
use super::{Context, Convert, Within};
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
    /// The value itself.
    fn plain(old: Old) -> Self;
}

impl<T> Plain<T> for T {
    #[inline]
    fn plain(old: T) -> T {
        old
    }
}

/// The older type of no field. If each type had one implementation only, the compiler would take that for what is meant, and
/// report a mismatch between two types instead of the conversion that is missing.
#[derive(Debug)]
pub struct NoField<T>(T);

impl<T> Plain<NoField<T>> for T {
    #[inline]
    fn plain(old: NoField<T>) -> T {
        old.0
    }
}

/// A value that stays as it is.
#[inline]
pub fn plain<Old, New: Plain<Old>>(old: Old) -> New {
    New::plain(old)
}

/// The value of the newer version, without an object around it.
pub fn upgraded<Old, New: Convert<Old, Error = Infallible>>(old: Old) -> New {
    sure(New::upgrade(old, &mut Context::alone()))
}

/// The value of the older version, without an object around it.
pub fn downgraded<Old, New: Convert<Old, Error = Infallible>>(new: New) -> Old {
    sure(new.downgrade(&mut Context::alone()))
}

fn sure<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(it) => it,
        Err(never) => match never {},
    }
}

/// How a value converts, by what is inside of it: a derive knows its type by name. `keys` distinguish the items of a list.
pub trait Shape<Old, New, Whole> {
    /// The value of the newer version.
    fn up(old: Old, keys: &[&str], context: &mut Context) -> Result<New, Whole>;

    /// The value of the older version.
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

/// An `Option` that the newer version leaves out if nothing is in its value.
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

/// What derives call for a part.
#[doc(hidden)]
impl Context {
    /// Names the keys by which the items of the next part are found again.
    pub fn keyed(&mut self, keys: &'static [&'static str]) -> &mut Context {
        self.keys = keys;
        self
    }

    /// A part that always has a value.
    pub fn part<To: Direction<Old, New>, S: Shape<Old, New, Infallible>, Old, New>(
        &mut self,
        name: &str,
        value: To::From,
    ) -> To::To {
        sure(self.try_part::<To, S, Old, New, Infallible>(name, value))
    }

    /// A part, if it has a value.
    pub fn try_part<To: Direction<Old, New>, S: Shape<Old, New, Whole>, Old, New, Whole: Failure>(
        &mut self,
        name: &str,
        value: To::From,
    ) -> Result<To::To, Whole> {
        let keys = std::mem::take(&mut self.keys);
        self.field(name, |context| To::convert::<S, Whole>(value, keys, context))
    }
}

/// Where a part converts to. Both directions are one function of [`Context`], so that the compiler reports what they need once.
pub trait Direction<Old, New> {
    /// What it converts.
    type From;
    /// What comes of it.
    type To;

    /// The value by its shape.
    fn convert<S: Shape<Old, New, Whole>, Whole>(
        value: Self::From,
        keys: &[&str],
        context: &mut Context,
    ) -> Result<Self::To, Whole>;
}

/// To the newer version.
#[derive(Debug)]
pub struct Up;

impl<Old, New> Direction<Old, New> for Up {
    type From = Old;
    type To = New;

    fn convert<S: Shape<Old, New, Whole>, Whole>(
        old: Old,
        keys: &[&str],
        context: &mut Context,
    ) -> Result<New, Whole> {
        S::up(old, keys, context)
    }
}

/// To the older version.
#[derive(Debug)]
pub struct Down;

impl<Old, New> Direction<Old, New> for Down {
    type From = New;
    type To = Old;

    fn convert<S: Shape<Old, New, Whole>, Whole>(
        new: New,
        keys: &[&str],
        context: &mut Context,
    ) -> Result<Old, Whole> {
        S::down(new, keys, context)
    }
}
