//! Places in objects, as the messages of the validation name them: `spec.list[0].name`.

use crate::path::Step;
use std::fmt::Write;

/// A place under construction; it grows on the stack while the walk descends.
#[derive(Clone, Copy)]
pub(super) struct At<'a>(Option<(&'a At<'a>, Down<'a>)>);

#[derive(Clone, Copy)]
enum Down<'a> {
    /// A property.
    Property(&'a str),
    /// A key that is not a property, or that is missing. It gets a dot even at the start.
    Member(&'a str),
    Item(usize),
}

impl<'a> At<'a> {
    pub(super) const START: At<'static> = At(None);

    pub(super) fn property<'b>(&'b self, name: &'b str) -> At<'b> {
        At(Some((self, Down::Property(name))))
    }

    pub(super) fn member<'b>(&'b self, name: &'b str) -> At<'b> {
        At(Some((self, Down::Member(name))))
    }

    pub(super) fn item(&self, index: usize) -> At<'_> {
        At(Some((self, Down::Item(index))))
    }

    /// Whether the name in messages is empty: at the start, or at properties without a name there.
    pub(super) fn is_start(&self) -> bool {
        match &self.0 {
            None => true,
            Some((up, Down::Property(""))) => up.is_start(),
            Some(_) => false,
        }
    }

    /// The name in messages.
    pub(super) fn name(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// The lengths of the steps.
    pub(super) fn lengths(&self) -> impl Iterator<Item = usize> {
        let steps = std::iter::successors(self.0, |(up, _)| up.0);
        steps.map(|(_, step)| match step {
            Down::Property(name) | Down::Member(name) => name.len(),
            Down::Item(_) => 8,
        })
    }

    fn write(&self, out: &mut String) {
        let Some((up, step)) = &self.0 else { return };
        up.write(out);
        match step {
            Down::Property(name) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(name);
            }
            Down::Member(name) => {
                out.push('.');
                out.push_str(name);
            }
            Down::Item(i) => {
                let _ = write!(out, "[{i}]");
            }
        }
    }

    /// The steps in the document.
    pub(super) fn steps(&self) -> Vec<Step> {
        let Some((up, step)) = &self.0 else { return Vec::new() };
        let mut out = up.steps();
        out.push(match step {
            Down::Property(name) | Down::Member(name) => Step::Key((*name).to_owned()),
            Down::Item(i) => Step::Index(*i),
        });
        out
    }
}
