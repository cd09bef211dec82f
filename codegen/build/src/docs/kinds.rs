//! Links from the descriptions of one kind to the pages of others.

use std::collections::HashMap;

use crdgen_core::ir::Crd;
use crdgen_publish::docs::Page;

use super::inline::{Piece, pieces};
use super::{PageFormat, file, link};

/// The kinds that have a page.
#[derive(Default)]
pub(super) struct Kinds {
    /// The group and file of each kind with this name.
    by_name: HashMap<String, Vec<(String, String)>>,
}

impl Kinds {
    pub(super) fn add(&mut self, crd: &Crd, format: PageFormat) {
        let (names, group) = (&crd.spec.names, &crd.spec.group);
        let target = (group.clone(), link(&file(group, &names.plural, format)));
        let same = self.by_name.entry(names.kind.clone()).or_default();
        if !same.contains(&target) {
            same.push(target);
        }
    }

    /// Splits a text on a page into pieces. The first mention of each other kind is a link.
    pub(super) fn pieces<'a>(&'a self, text: &'a str, page: &Page) -> Vec<Piece<'a>> {
        let mut linked = Vec::new();
        let mut out = Vec::new();
        for piece in pieces(text) {
            match piece {
                Piece::Words(words) => self.words(words, page, &mut linked, &mut out),
                Piece::Code(code) => out.push(self.find(code, page, &mut linked).unwrap_or(piece)),
                Piece::Link(_) | Piece::Kind(..) | Piece::Strong(_) | Piece::Emphasis(_) => out.push(piece),
            }
        }
        out
    }

    /// Names such as `ClusterIssuer` are links. A name of one word may be an ordinary word at the start of a sentence.
    fn words<'a>(&'a self, text: &'a str, page: &Page, linked: &mut Vec<&'a str>, out: &mut Vec<Piece<'a>>) {
        let mut done = 0;
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
            let is_name = word.starts_with(|c: char| c.is_ascii_uppercase())
                && word.chars().skip(1).any(|c| c.is_ascii_uppercase())
                && word.chars().any(|c| c.is_ascii_lowercase());
            let Some(found) = is_name.then(|| self.find(word, page, linked)).flatten() else { continue };
            // The word is a slice of the text, so this is its offset.
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            if done < start {
                out.push(Piece::Words(&text[done..start]));
            }
            out.push(found);
            done = start + word.len();
        }
        if done < text.len() {
            out.push(Piece::Words(&text[done..]));
        }
    }

    /// Finds the page of a kind: the one in the same group, or the only one.
    fn find<'a>(&'a self, name: &'a str, page: &Page, linked: &mut Vec<&'a str>) -> Option<Piece<'a>> {
        let all = self.by_name.get(name)?;
        let same = all.iter().find(|(group, _)| *group == page.group);
        let (_, file) = same.or(if all.len() == 1 { all.first() } else { None })?;
        if name == page.kind || linked.contains(&name) {
            return None;
        }
        linked.push(name);
        Some(Piece::Kind(name, file))
    }
}
