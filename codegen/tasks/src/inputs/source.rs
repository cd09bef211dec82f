//! A text that a command reads, and where it belongs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crdgen_core::documents::{self, Group};
use crdgen_core::value::Value;
use crdgen_core::yaml;

use super::class::{self, Class, Skipped, Unwanted, Wants};

/// A text, and the name under which it is reported.
#[derive(Clone)]
pub struct Source {
    /// The path as the user would write it, or `<stdin>`.
    pub name: String,
    /// The bytes, whatever they are. A text in UTF-16 is in UTF-8 here.
    pub bytes: Arc<Vec<u8>>,
    /// Where the text belongs.
    pub origin: Origin,
}

/// Where a text belongs.
#[derive(Clone, Default)]
pub struct Origin {
    /// Whether crdgen has found the file in a folder. The user did not name it, so it may be anything.
    pub is_found: bool,
    /// What is applied together: a kustomization, a folder, or a file. Two objects with one name are a mistake only there.
    pub root: Arc<str>,
    /// The same path in the work tree, if the file is from a revision.
    pub(crate) original_root: Option<Arc<str>>,
    /// What the objects are if they only lack required fields. A file next to a kustomization that does not list it is a patch,
    /// if others have the kinds and names of its objects. A test applies parts to objects that are already there.
    pub part: Option<Class>,
    /// The file of the work tree of which the text is the content at a revision.
    pub(crate) original: Option<Arc<Path>>,
    /// Whether the text is a template of a chart, without the actions.
    pub(super) is_template: bool,
    /// The objects of the file as a kustomization builds them.
    pub(super) built: Option<Arc<Objects>>,
    pub(super) chooser: Option<Arc<Chooser>>,
}

/// Objects by their number in a file.
pub(super) type Objects = BTreeMap<usize, Value>;

impl Source {
    /// The same file without the changes of kustomizations.
    pub fn as_written(&self) -> Source {
        Source { origin: Origin { built: None, ..self.origin.clone() }, ..self.clone() }
    }

    /// A text that belongs to nothing else.
    pub fn new(name: String, bytes: Arc<Vec<u8>>) -> Source {
        // Places are in UTF-8, whatever the encoding of the file is.
        let bytes = yaml::to_utf8(&bytes).map_or(bytes, Arc::new);
        Source { name, bytes, origin: Origin::default() }
    }

    /// The path of its file, also if the text is that of a revision.
    pub fn path(&self) -> &Path {
        self.origin.original.as_deref().unwrap_or(Path::new(&self.name))
    }

    /// Whether its objects are those that a kustomization builds.
    pub fn is_built(&self) -> bool {
        self.origin.built.is_some()
    }

    /// All documents at once.
    pub fn group(&self) -> Group {
        let mut group = Group::of(&self.bytes);
        self.choose(&mut group, &mut 0);
        group
    }

    /// The documents, some at a time.
    pub fn groups(&self) -> impl Iterator<Item = Group> + '_ {
        let mut number = 0;
        documents::groups(&self.bytes).map(move |mut group| {
            self.choose(&mut group, &mut number);
            group
        })
    }

    /// Keeps the objects that the command wants, as they are applied. `number` counts the objects of the source.
    fn choose(&self, group: &mut Group, number: &mut usize) {
        let Origin { is_found, built, chooser, .. } = &self.origin;
        if built.is_none() && chooser.is_none() {
            return;
        }
        group.rewrite(|object| {
            *number += 1;
            let number = *number - 1;
            if let Some(built) = built {
                let Some(other) = built.get(&number) else { return false };
                *object = other.clone();
            }
            let Some(chooser) = chooser else { return true };
            let is_found = *is_found && built.is_none();
            let has_crd = |group: &str, kind: &str| chooser.has_crd(group, kind);
            let class = class::of_object(object, is_found, chooser.wants, &chooser.unwanted, has_crd);
            class.inspect(|class| chooser.skipped.add_object(*class, &self.name, number)).is_none()
        });
    }
}

/// What a command wants of the objects in its inputs, and what it has skipped.
#[derive(Default)]
pub(super) struct Chooser {
    pub(super) wants: Wants,
    pub(super) unwanted: Unwanted,
    pub(super) skipped: Skipped,
    /// The groups and kinds that have CRDs, as far as they are known.
    pub(super) served: OnceLock<BTreeSet<(String, String)>>,
}

impl Chooser {
    fn has_crd(&self, group: &str, kind: &str) -> bool {
        self.served.get().is_some_and(|served| served.contains(&(group.to_owned(), kind.to_owned())))
    }
}

/// Whether a source may contain a CRD.
pub fn may_define(source: &Source) -> bool {
    mentions(source, "CustomResourceDefinition")
}

/// Whether a source has a word, also if escapes hide it.
pub(crate) fn mentions(source: &Source, word: &str) -> bool {
    // The lossy conversion takes several times as long as the check for valid UTF-8, so it comes second.
    let text = std::str::from_utf8(&source.bytes)
        .map_or_else(|_| String::from_utf8_lossy(&source.bytes), Cow::Borrowed);
    // Most texts have no escape of a letter, so they are not copied.
    let is_hidden = || text.split('\\').skip(1).any(|part| escaped(part).is_some());
    text.contains(word) || is_hidden() && unescaped(&text).contains(word)
}

/// What a text begins with that follows a backslash inside of double quotes, and the rest: a letter, or nothing at the end of a line.
fn escaped(text: &str) -> Option<(Option<char>, &str)> {
    let digits = match text.as_bytes().first()? {
        b'x' => 2,
        b'u' => 4,
        b'U' => 8,
        b'\n' | b'\r' => return Some((None, text.trim_start())),
        _ => return None,
    };
    let byte = u8::from_str_radix(text.get(1..=digits)?, 16).ok()?;
    byte.is_ascii_alphabetic().then(|| (Some(char::from(byte)), &text[digits + 1..]))
}

/// A text in which escapes of letters and of ends of lines are what they mean inside of double quotes.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (letter, rest) = escaped(part).unwrap_or((None, part));
        out.extend(letter);
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn escapes_hide_nothing() {
        for (text, wanted) in [
            (r#"kind: "\x43ustom""#, r#"kind: "Custom""#),
            (r#"{"\u006bind":1}"#, r#"{"kind":1}"#),
            (r#""\U00000041b""#, r#""Ab""#),
            ("\"Cus\\\n   tom\"", "\"Custom\""),
            (r"\x4", "x4"),
            (r"\u00e9\\", "u00e9"),
            ("é\\é", "éé"),
        ] {
            assert_eq!(unescaped(text), wanted, "{text}");
        }
    }
}
