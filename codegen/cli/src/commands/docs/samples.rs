//! The example objects of a project, for `crdgen docs --examples`.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use crdgen_core::diag::Level;
use crdgen_core::documents::{Manifest, objects};
use crdgen_core::ir::Crd;
use crdgen_core::object::Action;
use crdgen_core::{listed, yaml};
use crdgen_publish::docs::Example;

use crate::input::{self, Options, Source, stream};
use crate::outcome::Outcome;
use crate::output::report::{self, Counts, Finding, Findings};
use crate::terminal;
use crate::terminal::progress::Progress;
use crdgen_build::docs::Given;
use crdgen_files::Error;
use crdgen_kinds::objects::CompiledKind;

/// The objects that the user names as examples.
#[derive(Default)]
pub(crate) struct Examples {
    /// By the group and name of the kind.
    waiting: HashMap<(String, String), Vec<(Source, Manifest)>>,
    counts: Counts,
    given: Given,
}

impl Examples {
    /// Reads the objects in files and folders.
    pub(crate) fn read(paths: &[String], options: &Options) -> Result<Examples, Error> {
        let mut out = Examples::default();
        if paths.is_empty() {
            return Ok(out);
        }
        let inputs = input::find(paths, options)?;
        let progress = Progress::new("reading", inputs.len());
        let work = |source: &Source, group| Ok((source.clone(), objects(group)));
        stream::each_group(&inputs, &progress, work, |(source, (objects, unreadable))| {
            out.report(&source, unreadable);
            for object in objects {
                let kind = (object.group_version().0.to_owned(), object.text("kind").to_owned());
                out.waiting.entry(kind).or_default().push((source.clone(), object));
            }
            Ok(())
        })?;
        Ok(out)
    }

    /// Checks the examples of a kind as new objects. Those that the server rejects are reported, and not shown.
    pub(crate) fn check(&mut self, crd: &Crd) {
        let Some(mine) = self.waiting.remove(&(crd.spec.group.clone(), crd.spec.names.kind.clone())) else {
            return;
        };
        let Ok(kind) = CompiledKind::new(crd.clone()) else { return };
        for (source, object) in mine {
            let mut diags = kind.write(object.value.clone(), Action::Create, "").strict().errors;
            diags.extend(object.repeats.iter().cloned());
            if diags.iter().any(|diag| diag.level == Level::Error) {
                self.report(&source, diags.into_iter().map(|diag| object.finding(diag)).collect());
                continue;
            }
            let (_, version) = object.group_version();
            let file = Path::new(&source.name).file_name().unwrap_or_default().to_string_lossy();
            let title = format!("{} ({file})", object.name());
            let example = Example { title, text: text(&source, &object), note: String::new() };
            self.given.add(crd, version, example);
        }
    }

    fn report(&mut self, source: &Source, findings: Vec<Finding>) {
        self.counts.add(&findings);
        terminal::say_ready(&report::human(&[Findings { source: source.clone(), findings }]));
    }

    /// The examples that the server accepts.
    pub(crate) fn given(&self) -> &Given {
        &self.given
    }

    /// Says which examples have no page. The outcome is about the examples that the server rejects.
    pub(crate) fn finish(self) -> Outcome {
        let kinds: BTreeSet<&str> = self.waiting.keys().map(|(_, kind)| kind.as_str()).collect();
        if !kinds.is_empty() {
            let kinds = listed::first(kinds.iter(), listed::NAMED);
            terminal::say(format_args!("examples of kinds without a CRD are not shown: {kinds}"));
        }
        if self.counts.errors > 0 { Outcome::Findings } else { Outcome::Fine }
    }
}

/// Larger files are not read again for each of their objects.
const MOST_TEXT: usize = 64 << 10;

/// The text of an object as its author wrote it, with comments, if it is alone in a YAML file.
fn text(source: &Source, object: &Manifest) -> String {
    let text = source.bytes.trim_ascii();
    if text.len() <= MOST_TEXT
        && !text.starts_with(b"{")
        && let (documents, problems) = yaml::read(text)
        && let ([document], []) = (documents.as_slice(), problems.as_slice())
        && document.value == object.value
    {
        return String::from_utf8_lossy(text).into_owned() + "\n";
    }
    yaml::write_object(&object.value)
}
