//! Fields of objects, as the messages of the server name them.

use crdgen_core::path::Step;
use std::fmt;
use std::sync::Arc;

/// A field. Copies of it are cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field(Option<Arc<(Field, Part)>>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Name(&'static str),
    Index(usize),
    Key(String),
    /// A field of another module, and the steps to it.
    Other(String, Vec<Step>),
}

impl Field {
    fn with(&self, part: Part) -> Field {
        Field(Some(Arc::new((self.clone(), part))))
    }

    /// Returns a field of the object that is here. The names of several steps have dots between them. Without a name it is the object.
    #[must_use]
    pub fn child(&self, names: &'static str) -> Field {
        let names = names.split('.').filter(|name| !name.is_empty());
        names.fold(self.clone(), |at, name| at.with(Part::Name(name)))
    }

    /// Returns an item of the list that is here.
    #[must_use]
    pub fn index(&self, index: usize) -> Field {
        self.with(Part::Index(index))
    }

    /// Returns a member of the map that is here.
    #[must_use]
    pub fn key(&self, key: &str) -> Field {
        self.with(Part::Key(key.to_owned()))
    }

    /// Returns a member of the map that is here, which messages show like a field.
    #[must_use]
    pub fn name(&self, key: &str) -> Field {
        let mut steps = self.steps();
        steps.push(Step::Key(key.to_owned()));
        Field::other(&format!("{self}.{key}"), &steps)
    }

    /// Returns a field with the text that another module has for it.
    pub fn other(text: &str, steps: &[Step]) -> Field {
        Field::default().with(Part::Other(text.to_owned(), steps.to_vec()))
    }

    /// Returns the field that has this one.
    #[must_use]
    pub fn up(&self) -> Field {
        self.0.as_ref().map(|it| it.0.clone()).unwrap_or_default()
    }

    /// Returns whether this is the whole object.
    pub fn is_root(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the steps from the object to the field.
    pub fn steps(&self) -> Vec<Step> {
        let Some((up, part)) = self.0.as_deref() else { return Vec::new() };
        let mut out = up.steps();
        match part {
            Part::Name(name) => out.push(Step::Key((*name).to_owned())),
            Part::Index(index) => out.push(Step::Index(*index)),
            Part::Key(key) => out.push(Step::Key(key.clone())),
            Part::Other(_, steps) => out.extend_from_slice(steps),
        }
        out
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((up, part)) = self.0.as_deref() else { return Ok(()) };
        fmt::Display::fmt(up, f)?;
        match part {
            Part::Name(name) if up.is_root() => f.write_str(name),
            Part::Name(name) => write!(f, ".{name}"),
            Part::Index(index) => write!(f, "[{index}]"),
            Part::Key(key) => write!(f, "[{key}]"),
            Part::Other(text, _) => f.write_str(text),
        }
    }
}

/// The names of the steps, with dots between them.
impl From<&'static str> for Field {
    fn from(names: &'static str) -> Field {
        Field::default().child(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_a_text_and_steps() {
        let key = |name: &str| Step::Key(name.to_owned());
        let item = Field::from("spec.list").index(0).child("name");
        assert_eq!(item.to_string(), "spec.list[0].name");
        assert_eq!(item.steps(), [key("spec"), key("list"), Step::Index(0), key("name")]);
        let label = Field::from("metadata.labels").key("a.b/c");
        assert_eq!(label.to_string(), "metadata.labels[a.b/c]");
        assert_eq!(label.steps(), [key("metadata"), key("labels"), key("a.b/c")]);
        assert_eq!(Field::default().key("").to_string(), "[]");
    }
}
