//! Fixes what lints report about types, where only one answer is right, in the text of their sources.

use super::{About, Definitions, Options, cargo, files, kind_of, locate, on_its_stack, read_all, shorten};
use crate::{Error, input};
use crdgen_core::check::attributes;
use crdgen_core::check::lints::fix::{self, Edit};
use crdgen_core::diag::{Diag, Level};
use crdgen_core::ir::{Crd, Keyword};
use crdgen_core::path::Step;
use crdgen_core::span::BYTE_ORDER_MARK;
use crdgen_core::value::Value;
use crdgen_core::{decode, encode};
use crdgen_source::{At, Change, Found, FoundKind, Located, Program};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// How often sources are fixed: two fixes may be about the same attribute.
const MOST_ROUNDS: usize = 4;

/// New texts of source files, in which diagnostics are fixed.
#[derive(Debug, Default)]
pub struct Fixed {
    /// The files, with their old and new texts.
    pub files: Vec<(PathBuf, String, String)>,
    /// The diagnostics that are fixed.
    pub found: Vec<Found>,
    /// Diagnostics that have one right answer, which crdgen does not write.
    pub left: Vec<Left>,
    /// The CRDs of the old texts.
    pub old: Vec<Crd>,
    /// The CRDs of the new texts.
    pub new: Vec<Crd>,
}

/// A diagnostic that is not fixed.
#[derive(Clone, Debug)]
pub struct Left {
    /// The diagnostic.
    pub found: Found,
    /// Why it is not fixed.
    pub sort: WhyLeft,
}

/// Why a diagnostic is not fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyLeft {
    /// Its attribute belongs to another derive, to a macro or to another crate.
    OfOthers,
    /// No attribute alone fixes it: with that, the types would have a mistake, or another CRD.
    NeedsOtherTypes,
}

/// The new texts of files, by their names.
type Texts = HashMap<String, String>;

/// The changes that fix some diagnostics.
struct Fix {
    found: Vec<Found>,
    /// The changes of CRDs, by the numbers of these.
    edits: Vec<(usize, Vec<Edit>)>,
    changes: Vec<Change>,
}

/// Fixes what lints report about the CRDs of sources, as far as `wants` chooses it. Nothing is written. A diagnostic is fixed only if
/// the new sources have the same CRDs with exactly the changes that fix it, and no new error.
pub fn fixed(options: &Options, wants: &(dyn Fn(&[Found]) -> Vec<bool> + Sync)) -> Result<Fixed, Error> {
    on_its_stack(|| fix_all(options, wants))
}

fn fix_all(options: &Options, wants: &dyn Fn(&[Found]) -> Vec<bool>) -> Result<Fixed, Error> {
    let mut texts = Texts::new();
    let mut now = read_all(options, cargo::Workspace::new(options))?;
    let mut out = Fixed { old: now.crds.clone(), ..Fixed::default() };
    for _ in 0..MOST_ROUNDS {
        let round = Round::new(options, &texts, &now, wants);
        let Fixes { all, left } = round.fixes()?;
        let good = fix::possible(&all, &|chosen| round.is_as_wanted(chosen));
        let is_good = |fix: &Fix| good.iter().any(|it| std::ptr::eq(*it, fix));
        let others = all.iter().filter(|fix| !is_good(fix)).flat_map(|fix| fix.found.iter().cloned());
        let of_others = left.into_iter().map(|found| Left { found, sort: WhyLeft::OfOthers });
        out.left =
            of_others.chain(others.map(|found| Left { found, sort: WhyLeft::NeedsOtherTypes })).collect();
        let Some(new) = changed(&good, &texts).filter(|new| !new.is_empty()) else { break };
        out.found.extend(good.into_iter().flat_map(|fix| fix.found.iter().cloned()));
        texts.extend(new);
        now = read_all(options, cargo::Workspace::with_texts(options, &texts))?;
    }
    let file = |(file, new)| {
        let path = PathBuf::from(file);
        let old = input::read_to_string(&path).map_err(Error::file(&path))?;
        let new = if old.starts_with(BYTE_ORDER_MARK) { format!("{BYTE_ORDER_MARK}{new}") } else { new };
        Ok((path, old, new))
    };
    out.files = texts.into_iter().map(file).collect::<Result<_, Error>>()?;
    out.files.sort();
    out.new = now.crds;
    Ok(out)
}

/// What can be fixed at once.
#[derive(Default)]
struct Fixes {
    /// Diagnostics with the same changes have one fix.
    all: Vec<Fix>,
    /// The diagnostics for which no change is known.
    left: Vec<Found>,
}

/// One attempt to fix the sources.
struct Round<'r> {
    options: &'r Options,
    /// What was changed before.
    texts: &'r Texts,
    /// What the sources have with these changes.
    before: &'r Definitions,
    documents: Vec<Value>,
    wanted: HashSet<About>,
}

impl<'r> Round<'r> {
    fn new(
        options: &'r Options,
        texts: &'r Texts,
        before: &'r Definitions,
        wants: &dyn Fn(&[Found]) -> Vec<bool>,
    ) -> Round<'r> {
        let chosen = before.found.iter().zip(wants(&before.found)).filter(|(_, is_wanted)| *is_wanted);
        let wanted = chosen.map(|(found, _)| About::of(found)).collect();
        let documents = before.crds.iter().map(encode::crd).collect();
        Round { options, texts, before, documents, wanted }
    }

    /// The fixes of all crates.
    fn fixes(&self) -> Result<Fixes, Error> {
        let Round { options, texts, .. } = *self;
        let mut workspace = cargo::Workspace::with_texts(options, texts);
        let roots = workspace.roots()?;
        let mut out = Fixes::default();
        for root in roots {
            let mut sources = files::Files::new(&mut workspace);
            let program = Program::new(&mut sources, root);
            let kinds = program.kinds(&|kind, item| options.wants(kind, item)).known;
            for (number, crd) in self.before.crds.iter().enumerate() {
                if kinds.iter().any(|kind| kind.crd.metadata.name == crd.metadata.name) {
                    self.add_fixes(number, crd, &program, &kinds, &mut out);
                }
            }
        }
        let mut known: HashSet<About> =
            out.all.iter().flat_map(|fix| fix.found.iter().map(About::of)).collect();
        out.left.retain(|found| known.insert(About::of(found)));
        Ok(out)
    }

    fn add_fixes(
        &self,
        number: usize,
        crd: &Crd,
        program: &Program<'_>,
        kinds: &[FoundKind],
        out: &mut Fixes,
    ) {
        let document = &self.documents[number];
        for diag in attributes::findings(crd, &self.options.lints()).0 {
            if !fix::is_fixable(diag.code) {
                continue;
            }
            let mut at = locate(program, kinds, crd, document, &diag);
            let of = SourcePlace { program, kinds, crd, at: at.clone() };
            at.iter_mut().for_each(shorten);
            let found = Found { diag, at };
            let is_wanted = self.wanted.contains(&About::of(&found));
            let Some(edits) = fix::fix(document, &found.diag).filter(|_| is_wanted) else { continue };
            let edits = of_one_name(&found.diag, edits);
            let read = |file: &str| text_of(file, self.texts);
            let Some(changes) = of.changes(document, &found.diag, &edits, &read) else {
                out.left.push(found);
                continue;
            };
            match out.all.iter_mut().find(|fix| fix.changes == changes) {
                Some(same) => {
                    if !same.found.iter().any(|known| About::of(known) == About::of(&found)) {
                        same.found.push(found);
                    }
                    if !same.edits.contains(&(number, edits.clone())) {
                        same.edits.push((number, edits));
                    }
                }
                None => out.all.push(Fix { found: vec![found], edits: vec![(number, edits)], changes }),
            }
        }
    }

    /// Whether the CRDs of the sources change by some fixes as they should.
    fn is_as_wanted(&self, chosen: &[&Fix]) -> bool {
        let (Some(wanted), Some(new)) = (wanted(&self.documents, chosen), changed(chosen, self.texts)) else {
            return false;
        };
        let texts = self.texts.clone().into_iter().chain(new).collect();
        let after = read_all(self.options, cargo::Workspace::with_texts(self.options, &texts));
        let errors = |found: &[Found]| found.iter().filter(|it| it.diag.level == Level::Error).count();
        after.is_ok_and(|after| {
            let documents: Vec<Value> = after.crds.iter().map(encode::crd).collect();
            errors(&after.found) <= errors(&self.before.found)
                && read_again(documents).is_some_and(|it| it == wanted)
        })
    }
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
struct SourcePlace<'p, 's> {
    program: &'p Program<'s>,
    kinds: &'p [FoundKind],
    crd: &'p Crd,
    at: Option<At>,
}

impl SourcePlace<'_, '_> {
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

/// The text of a file that was read as a part of the sources, with the changes that were made before, and without a byte order mark,
/// which the parser does not count.
fn text_of(file: &str, texts: &Texts) -> Option<String> {
    texts.get(file).cloned().or_else(|| {
        let text = input::read_to_string(Path::new(file)).ok()?;
        Some(text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned).unwrap_or(text))
    })
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

/// The new texts of the files that some fixes change. `None` if two of them change the same part.
fn changed(fixes: &[&Fix], texts: &Texts) -> Option<Texts> {
    let mut by_file: HashMap<&str, Vec<&Change>> = HashMap::new();
    for change in fixes.iter().flat_map(|fix| &fix.changes) {
        by_file.entry(&change.file).or_default().push(change);
    }
    let mut out = Texts::new();
    for (file, mut changes) in by_file {
        changes.sort_by_key(|change| (change.bytes.start, change.bytes.end));
        if changes.windows(2).any(|pair| pair[0].bytes.end > pair[1].bytes.start) {
            return None;
        }
        let mut new = text_of(file, texts)?;
        for change in changes.into_iter().rev() {
            new.get(change.bytes.clone())?;
            new.replace_range(change.bytes.clone(), &change.text);
        }
        out.insert(file.to_owned(), new);
    }
    Some(out)
}
