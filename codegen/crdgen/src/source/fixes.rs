//! Fixes what lints report about types, where only one answer is right, in the text of their sources.

use super::{Options, cargo, files, kind_of, locate, on_its_stack, read_all, shorten};
use crate::{Error, input, kind};
use crdgen_core::check::lints::fix::{self, Edit};
use crdgen_core::diag::{Diag, Level};
use crdgen_core::ir::{Crd, Keyword};
use crdgen_core::path::Step;
use crdgen_core::value::Value;
use crdgen_core::{decode, encode};
use crdgen_source::{At, Change, Found, FoundKind, Located, Program};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// New texts of source files, in which diagnostics are fixed.
#[derive(Debug, Default)]
pub struct Fixed {
    /// The files, with their old and new texts.
    pub files: Vec<(PathBuf, String, String)>,
    /// The diagnostics that are fixed.
    pub found: Vec<Found>,
}

/// The changes that fix some diagnostics.
struct Fix {
    found: Vec<Found>,
    /// The changes of CRDs, by the numbers of these.
    edits: Vec<(usize, Vec<Edit>)>,
    changes: Vec<Change>,
}

/// Fixes what lints report about the CRDs of sources, as far as `wants` it. Nothing is written. A diagnostic is fixed only if the new
/// sources have the same CRDs with exactly the changes that fix it, and no new error.
pub fn fixed(options: &Options, wants: &(dyn Fn(&Found) -> bool + Sync)) -> Result<Fixed, Error> {
    on_its_stack(|| fix_all(options, wants))
}

fn fix_all(options: &Options, wants: &dyn Fn(&Found) -> bool) -> Result<Fixed, Error> {
    let before = read_all(options, cargo::Workspace::new(options))?;
    let documents: Vec<Value> = before.crds.iter().map(encode::crd).collect();
    let fixes = fixes(options, &before.crds, &documents, wants)?;
    let errors = |found: &[Found]| found.iter().filter(|it| it.diag.level == Level::Error).count();
    let is_as_wanted = |chosen: &[&Fix]| {
        let (Some(wanted), Some(texts)) = (wanted(&documents, chosen), changed(chosen)) else {
            return false;
        };
        let texts = texts.into_iter().map(|(file, _, new)| (file, new)).collect();
        let after = read_all(options, cargo::Workspace::with_texts(options, &texts));
        after.is_ok_and(|after| {
            let documents: Vec<Value> = after.crds.iter().map(encode::crd).collect();
            errors(&after.found) <= errors(&before.found)
                && read_again(documents).is_some_and(|it| it == wanted)
        })
    };
    let good = fix::possible(&fixes, &is_as_wanted);
    let files = changed(&good).unwrap_or_default();
    Ok(Fixed {
        files: files.into_iter().map(|(file, old, new)| (PathBuf::from(file), old, new)).collect(),
        found: good.into_iter().flat_map(|fix| fix.found.iter().cloned()).collect(),
    })
}

/// The fixes of all crates. Diagnostics with the same changes have one fix.
fn fixes(
    options: &Options,
    crds: &[Crd],
    documents: &[Value],
    wants: &dyn Fn(&Found) -> bool,
) -> Result<Vec<Fix>, Error> {
    let mut workspace = cargo::Workspace::new(options);
    let roots = workspace.roots()?;
    let mut out: Vec<Fix> = Vec::new();
    for root in roots {
        let mut sources = files::Files::new(&mut workspace);
        let program = Program::new(&mut sources, root);
        let kinds = program.kinds(&|kind, item| options.wants(kind, item)).known;
        for (number, (crd, document)) in crds.iter().zip(documents).enumerate() {
            if !kinds.iter().any(|kind| kind.crd.metadata.name == crd.metadata.name) {
                continue;
            }
            for diag in kind::findings(crd, &options.lints()).0 {
                if !fix::is_fixable(diag.code) {
                    continue;
                }
                let mut at = locate(&program, &kinds, crd, document, &diag);
                let of = Place { program: &program, kinds: &kinds, crd, at: at.clone() };
                at.iter_mut().for_each(shorten);
                let found = Found { diag, at };
                let Some(edits) = fix::fix(document, &found.diag).filter(|_| wants(&found)) else { continue };
                let edits = of_one_name(&found.diag, edits);
                let Some(changes) = of.changes(document, &found.diag, &edits, &text_of) else { continue };
                match out.iter_mut().find(|fix| fix.changes == changes) {
                    Some(same) => {
                        same.found.push(found);
                        if !same.edits.contains(&(number, edits.clone())) {
                            same.edits.push((number, edits));
                        }
                    }
                    None => out.push(Fix { found: vec![found], edits: vec![(number, edits)], changes }),
                }
            }
        }
    }
    Ok(out)
}

/// The edits for one of several names in a list. In types, each name is a field with its own attributes.
fn of_one_name(diag: &Diag, edits: Vec<Edit>) -> Vec<Edit> {
    match (edits.as_slice(), diag.steps.as_slice()) {
        ([Edit::Remove { at } | Edit::RemoveItems { at, .. }], [list @ .., Step::Index(number)])
            if at == list =>
        {
            vec![Edit::RemoveItems { at: at.clone(), items: vec![*number] }]
        }
        _ => edits,
    }
}

/// The place of a diagnostic in sources.
struct Place<'p, 's> {
    program: &'p Program<'s>,
    kinds: &'p [FoundKind],
    crd: &'p Crd,
    at: Option<At>,
}

impl Place<'_, '_> {
    /// The changes of the sources that make edits of the CRD.
    fn changes(
        &self,
        document: &Value,
        diag: &Diag,
        edits: &[Edit],
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Vec<Change>> {
        let located = Located::new(self.program, kind_of(self.kinds, self.crd, &diag.steps)?);
        match edits {
            [Edit::Set { key, value, .. }, Edit::Remove { .. } | Edit::RemoveItems { .. }] => {
                located.instead_of_rule(self.at.as_ref()?, Keyword::of(key)?, value, read)
            }
            [Edit::RemoveItems { at, items }] => {
                let (Step::Key(last), around) = at.split_last()? else { return None };
                let names = document.at(at)?.as_list().filter(|_| last == fix::REQUIRED)?;
                let mut out = Vec::new();
                for number in items {
                    let name = names.get(*number)?.as_str()?;
                    let name = [Step::Key("properties".to_owned()), Step::Key(name.to_owned())];
                    let field: Vec<Step> = around.iter().cloned().chain(name).collect();
                    out.extend(located.not_required(&field, read)?);
                }
                Some(out)
            }
            sets => {
                let mut place = None;
                let keyword = |edit: &Edit| match edit {
                    Edit::Set { at, key, value } => {
                        place.get_or_insert_with(|| at.clone());
                        Some((Keyword::of(key)?, value.clone()))
                    }
                    Edit::Remove { .. } | Edit::RemoveItems { .. } | Edit::QuoteKey { .. } => None,
                };
                let keywords: Vec<(Keyword, Value)> = sets.iter().map(keyword).collect::<Option<_>>()?;
                located.with_keywords(&place?, &keywords, read)
            }
        }
    }
}

/// The text of a file that was read as a part of the sources.
fn text_of(file: &str) -> Option<String> {
    input::read_to_string(Path::new(file)).ok()
}

/// The CRDs after some fixes.
fn wanted(documents: &[Value], fixes: &[&Fix]) -> Option<Vec<Crd>> {
    let mut all = documents.to_vec();
    // The last one first, so that the indices in the others stay right.
    for (number, edits) in fixes.iter().rev().flat_map(|fix| fix.edits.iter().rev()) {
        let value = all.get_mut(*number)?;
        if !edits.iter().map(|edit| edit.make(value)).collect::<Vec<_>>().into_iter().all(|is_made| is_made) {
            return None;
        }
    }
    read_again(all)
}

/// The CRDs that a server reads, in which an empty list is the same as none.
fn read_again(documents: Vec<Value>) -> Option<Vec<Crd>> {
    documents.into_iter().map(|document| decode::crd(document).0).collect()
}

/// The files that some fixes change, with their old and new texts. `None` if two of them change the same part.
fn changed(fixes: &[&Fix]) -> Option<Vec<(String, String, String)>> {
    let mut by_file: HashMap<&str, Vec<&Change>> = HashMap::new();
    for change in fixes.iter().flat_map(|fix| &fix.changes) {
        by_file.entry(&change.file).or_default().push(change);
    }
    let mut out = Vec::new();
    for (file, mut changes) in by_file {
        changes.sort_by_key(|change| (change.bytes.start, change.bytes.end));
        if changes.windows(2).any(|pair| pair[0].bytes.end > pair[1].bytes.start) {
            return None;
        }
        let old = text_of(file)?;
        let mut new = old.clone();
        for change in changes.into_iter().rev() {
            new.get(change.bytes.clone())?;
            new.replace_range(change.bytes.clone(), &change.text);
        }
        out.push((file.to_owned(), old, new));
    }
    out.sort();
    Some(out)
}
