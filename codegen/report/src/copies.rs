//! Finds CRDs with the same name: a repository may have copies, but a server has only one of them. What is found in all of them is
//! reported once.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crdgen_core::diag::{Diag, Level, codes};
use crdgen_core::documents::Named;
use crdgen_core::inert::InertLine;
use crdgen_core::listed;
use crdgen_core::path::Path;
use crdgen_core::value::{Map, Value};

use crate::checked::Checked;
use crate::{FailOn, Finding, Findings, Format, Printer, Report};
use crdgen_files::error;

/// The names of the CRDs of a run, each with the place of the first CRD.
#[derive(Default)]
pub struct Copies(HashMap<String, String>);

impl Copies {
    /// Returns a note for each CRD of a file whose name has appeared before.
    pub fn notes(&mut self, file: &str, named: Vec<Named>) -> Vec<Finding> {
        named.into_iter().filter_map(|named| self.note(file, named)).collect()
    }

    fn note(&mut self, file: &str, named: Named) -> Option<Finding> {
        if named.name.is_empty() {
            return None;
        }
        let place = match self.0.entry(named.name.clone()) {
            Entry::Vacant(first) => {
                first.insert(match named.item() {
                    // Finding its line would take as long as reading the list.
                    Some(item) => format!("{}: items[{item}]", InertLine(file)),
                    None => format!("{}{}", InertLine(file), error::at(named.place())),
                });
                return None;
            }
            Entry::Occupied(first) => first.into_mut(),
        };
        // A fingerprint contains the text, and lines move.
        let text = format!("CustomResourceDefinition {} is defined twice", named.name);
        let diag = Diag::own(&codes::object::SAME_OBJECT, Level::Note, &Path::ROOT, text);
        let help = format!("the first is at {place}. Remove one of them, unless it is meant to be a copy");
        let diag = diag.help(help);
        Some(Finding::new(named.name.clone(), named.place(), diag))
    }
}

/// How many bytes of findings wait for copies of their CRDs. This is more than most repositories have.
const MOST_BYTES: usize = 16 << 20;

/// The findings of a run. What is found in several copies of a CRD is one finding, which lists the other places.
pub struct Distinct {
    fail_on: FailOn,
    /// The sources with findings, as far as they wait for copies.
    waiting: Vec<Checked>,
    /// How many bytes they have, about.
    bytes: usize,
    /// The findings, by their fingerprints without a file, and their levels: a note may have the text of an error.
    known: HashMap<(String, Level), Known>,
    /// The files with findings that were reported before, when it was too late to list them there.
    late: BTreeMap<String, usize>,
}

/// A finding that was reported, or waits for copies.
enum Known {
    /// The number of its source, and its own there.
    Waits(usize, usize),
    Reported,
}

impl Distinct {
    /// No findings yet.
    pub fn new(fail_on: FailOn) -> Distinct {
        Distinct { fail_on, waiting: Vec::new(), bytes: 0, known: HashMap::new(), late: BTreeMap::new() }
    }

    /// Adds the findings of a source. Returns what can be reported, in order.
    pub fn add(&mut self, Findings { source, findings }: Findings, objects: Vec<String>) -> Vec<Checked> {
        let (mut own, mut elsewhere) = (Vec::new(), BTreeSet::new());
        for finding in findings {
            let number = (self.waiting.len(), own.len());
            // The text as a whole has no copies.
            if finding.object.is_empty() {
                own.push(finding);
                continue;
            }
            match self.known.entry((finding.fingerprint(""), finding.diag.level)) {
                Entry::Vacant(new) => {
                    new.insert(Known::Waits(number.0, number.1));
                    own.push(finding);
                }
                Entry::Occupied(known) => {
                    if self.fail_on.fails_on(&finding) {
                        elsewhere.insert(finding.object.clone());
                    }
                    let copy = (source.name.clone(), finding.place);
                    match *known.get() {
                        Known::Waits(part, number) => {
                            let (first, name) = match self.waiting.get_mut(part) {
                                Some(part) => {
                                    (part.found.findings.get_mut(number), part.found.source.name.as_str())
                                }
                                None => (own.get_mut(number), source.name.as_str()),
                            };
                            let Some(first) = first else { continue };
                            // Two kustomizations may build the same file.
                            if (name, first.place) != (copy.0.as_str(), copy.1)
                                && !first.copies.contains(&copy)
                            {
                                first.copies.push(copy);
                            }
                        }
                        Known::Reported => *self.late.entry(copy.0).or_default() += 1,
                    }
                }
            }
        }
        let fails = |object: &String| own.iter().any(|it| it.object == *object && self.fail_on.fails_on(it));
        elsewhere.retain(|object| !fails(object));
        let checked = Checked::new(Findings { source, findings: own }, objects, elsewhere);
        if checked.found.findings.is_empty() {
            return vec![checked];
        }
        self.bytes += checked.size();
        self.waiting.push(checked);
        if self.bytes > MOST_BYTES { self.take() } else { Vec::new() }
    }

    /// Returns everything that waits.
    pub fn take(&mut self) -> Vec<Checked> {
        self.bytes = 0;
        self.known.values_mut().for_each(|known| *known = Known::Reported);
        std::mem::take(&mut self.waiting)
    }

    /// Returns what could not be listed where it was reported.
    pub fn note(&self) -> Option<String> {
        let files = self.late.iter().map(|(file, count)| format!("{file} ({count})"));
        (files.len() > 0).then(|| {
            format!("also in copies, and reported only once: {}", listed::first(files, listed::NAMED))
        })
    }
}

/// Keeps one of the findings about the same change, and adds what the others are about to it. In reports for people, these are also other
/// versions of the same kind.
pub fn share(findings: &mut Vec<Finding>, format: Format) {
    of_place(findings);
    match format {
        Format::Human | Format::Markdown => in_versions(findings),
        Format::Json | Format::Sarif | Format::Github | Format::Gitlab | Format::Junit => {}
    }
}

/// Keeps one of the findings about the same change in several versions, and adds the other versions to it.
fn in_versions(findings: &mut Vec<Finding>) {
    let mut first: HashMap<_, usize> = HashMap::new();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in std::mem::take(findings) {
        if let Some(change) = finding.change.as_ref().filter(|it| it.version.is_some()) {
            let level = (finding.diag.level, change.is_of_unstable);
            let key = (change.in_versions.clone(), level, change.class, finding.others.clone());
            match first.entry(key) {
                Entry::Occupied(at) => {
                    let version = change.version.clone().unwrap_or_default();
                    kept[*at.get()].versions.push((version, change.stored.clone()));
                    continue;
                }
                Entry::Vacant(new) => _ = new.insert(kept.len()),
            }
        }
        kept.push(finding);
    }
    *findings = kept;
}

/// Keeps one of the findings about the same change at one place, and adds the objects of the others to it: a type may be in many CRDs.
fn of_place(findings: &mut Vec<Finding>) {
    let mut known: HashMap<_, Vec<usize>> = HashMap::new();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in std::mem::take(findings) {
        let (Some(place), Some(change)) = (finding.place, &finding.change) else {
            kept.push(finding);
            continue;
        };
        let span = (place.start.offset, place.end.offset);
        let key = (span, finding.diag.code.id, finding.diag.level, change.was.clone(), change.now.clone());
        let same = known.entry(key).or_default();
        // The type may be in several fields of a CRD.
        let lacks =
            |first: &Finding| first.object != finding.object && !first.others.contains(&finding.object);
        match same.iter().find(|number| lacks(&kept[**number])) {
            Some(number) => kept[*number].others.push(finding.object),
            None => {
                same.push(kept.len());
                kept.push(finding);
            }
        }
    }
    *findings = kept;
}

/// The files in which changes were found. A repository has copies of a CRD, such as in a chart, whose changes are reported once.
#[derive(Default)]
pub struct ChangedCopies {
    /// The file in which each change was found first, by its fingerprint and code.
    first: HashMap<(String, &'static str), String>,
    /// The other files with changes of a CRD.
    others: BTreeMap<String, BTreeSet<String>>,
}

impl ChangedCopies {
    /// Whether a finding was not found in another file.
    pub fn is_first(&mut self, finding: &Finding, file: &str) -> bool {
        let Some(change) = &finding.change else { return true };
        let key = (change.fingerprint.clone(), finding.diag.code.id);
        let is_first = self.first.entry(key).or_insert_with(|| file.to_owned()) == file;
        if !is_first {
            self.others.entry(finding.object.clone()).or_default().insert(file.to_owned());
        }
        is_first
    }

    /// Adds a note for each CRD with changes that were found in several files, and these files to the numbers of a report.
    pub fn report<P: Printer>(&self, report: &mut Report<P>, numbers: &mut Map<Value>) {
        for (crd, files) in &self.others {
            let named = listed::first(files.iter(), listed::NAMED);
            report.note(format!("{crd}: some of these changes are also in {named}"));
        }
        let all = |files: &BTreeSet<String>| files.iter().map(|file| Value::from(file.as_str())).collect();
        let of_crd = |(crd, files): (&String, &BTreeSet<String>)| (crd.clone(), Value::List(all(files)));
        if !self.others.is_empty() {
            numbers.insert("copies", Value::Map(self.others.iter().map(of_crd).collect()));
        }
    }
}
