//! What Helm stores of a chart in the cluster: a Secret with the whole chart and all that it rendered, which has a limit.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crdgen_core::diag::{Diag, Level, codes};
use crdgen_core::documents::Finding;
use crdgen_core::go::base64_encode;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use crdgen_files::input::Shown;
use crdgen_files::inside;
use crdgen_files::{Error, input};
use miniz_oxide::deflate::compress_to_vec;

use super::charts::{self, Rendered};
use super::{Findings, Source};

/// The release of a chart, as far as it is known without a cluster.
pub struct Release {
    /// What it consists of.
    pub parts: Vec<Part>,
    /// Why what Helm renders is not among them.
    pub not_rendered: Option<String>,
}

/// A part of a release.
pub struct Part {
    /// What it is.
    pub what: What,
    /// How it is stored in JSON.
    json: Value,
    /// The size of its files.
    pub bytes: usize,
}

/// What a part of a release is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// The files in `crds`.
    Crds,
    /// The templates.
    Templates,
    /// The values and their schema.
    Values,
    /// All other files that `.helmignore` does not leave out.
    Files,
    /// What Helm renders.
    Manifest,
}

impl What {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            What::Crds => "crds",
            What::Templates => "templates",
            What::Values => "values",
            What::Files => "other files",
            What::Manifest => "what Helm renders",
        }
    }
}

/// The most that a Secret may have.
pub const MAX: usize = 1 << 20;

/// The best that Go's compression does too.
const LEVEL: u8 = 9;

/// What other parts of a release take: names, times, and the state.
const AROUND: usize = 400;

impl Release {
    /// Reads a chart. Calls Helm, if it is installed, to know what it renders.
    ///
    /// # Errors
    /// Fails if the folder is not a chart, or if a file cannot be read.
    pub fn of(chart: &Path) -> Result<Release, Error> {
        let mut out = Release::of_files(chart)?;
        match charts::render_chart(chart) {
            Rendered::NoHelm => out.not_rendered = Some("Helm is not installed".to_owned()),
            Rendered::Failed(why) => out.not_rendered = Some(why),
            Rendered::Templates(templates) => {
                let texts = templates.iter().map(|(_, text)| String::from_utf8_lossy(text));
                let text: String = texts.map(|text| format!("---\n{text}")).collect();
                out.add(What::Manifest, text.len(), Value::from(text));
            }
        }
        Ok(out)
    }

    /// The same without what Helm renders.
    fn of_files(chart: &Path) -> Result<Release, Error> {
        if !chart.join("Chart.yaml").is_file() {
            return Err(Error::Argument(format!(
                "{} is not a Helm chart: it has no Chart.yaml",
                chart.shown()
            )));
        }
        if let Some(link) = inside::link_out_of(chart) {
            let why = format!("{} is a link that leads out of the chart", link.shown());
            return Err(Error::Argument(why));
        }
        let mut files = Vec::new();
        list(chart, &mut files).map_err(Error::file(chart))?;
        files.sort();
        let mut out = Release { parts: Vec::new(), not_rendered: None };
        for file in files {
            let name = file.strip_prefix(chart).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            let what = match name.split_once('/') {
                Some(("crds", _)) => What::Crds,
                Some(("templates", _)) => What::Templates,
                // Other charts are not stored with this one.
                Some(("charts", _)) => continue,
                _ if matches!(name.as_str(), "values.yaml" | "values.schema.json") => What::Values,
                _ if matches!(name.as_str(), "Chart.yaml" | "Chart.lock") => continue,
                _ => What::Files,
            };
            let bytes = input::read(&file).map_err(Error::file(&file))?;
            let json = match name.as_str() {
                "values.yaml" => yaml::read_one(&bytes).map(|it| it.value).unwrap_or_default(),
                "values.schema.json" => base64_encode(&bytes).into(),
                name => stored(name, &bytes),
            };
            out.add(what, bytes.len(), json);
        }
        Ok(out)
    }

    fn add(&mut self, what: What, bytes: usize, json: Value) {
        self.parts.push(Part { what, json, bytes });
    }

    /// The size of its Secret. Go compresses differently: by less than five percent.
    pub fn size(&self) -> usize {
        stored_size(self.parts.iter().map(|part| &part.json))
    }

    /// The same with other files in `crds`.
    pub fn size_with_crds<'t>(&self, texts: impl Iterator<Item = &'t str>) -> usize {
        let crds = texts.map(|text| stored("crds/a-crd.yaml", text.as_bytes())).collect::<Vec<_>>();
        let others = self.parts.iter().filter(|part| part.what != What::Crds);
        stored_size(others.map(|part| &part.json).chain(&crds))
    }

    /// Whether it can be too large at all. Text that is compressed and encoded is smaller than before.
    pub fn may_be_large(&self) -> bool {
        self.parts.iter().map(|part| part.bytes).sum::<usize>() > MAX / 2
    }

    /// The files and the size of the Secret if it had only this part, for each of them.
    pub fn by_part(&self) -> Vec<(What, usize, usize)> {
        let mut all: Vec<What> = self.parts.iter().map(|part| part.what).collect();
        all.sort_unstable();
        all.dedup();
        let of = |what: What| {
            let parts = || self.parts.iter().filter(|part| part.what == what);
            (what, parts().map(|part| part.bytes).sum(), stored_size(parts().map(|part| &part.json)))
        };
        all.into_iter().map(of).collect()
    }
}

/// A file as Helm stores it.
fn stored(name: &str, bytes: &[u8]) -> Value {
    Value::Map(Map::from_iter([("name", Value::from(name)), ("data", base64_encode(bytes).into())]))
}

/// What a Secret with these parts takes.
fn stored_size<'p>(parts: impl Iterator<Item = &'p Value>) -> usize {
    let json: String = parts.map(json::to_string).collect::<Vec<_>>().join(",");
    // With the header and the sum of gzip.
    let compressed = compress_to_vec(json.as_bytes(), LEVEL).len() + 18 + AROUND;
    compressed.div_ceil(3) * 4
}

/// Lists the files of a chart that Helm loads.
fn list(chart: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut walk = ignore::WalkBuilder::new(chart);
    // Helm's file has nearly the rules of git's.
    walk.standard_filters(false).follow_links(false).add_custom_ignore_filename(".helmignore");
    for entry in walk.build() {
        let entry = entry.map_err(io::Error::other)?;
        let is_hidden = entry.path().parent().is_some_and(|it| it.ends_with("templates"))
            && entry.file_name().to_string_lossy().starts_with('.');
        if !is_hidden && entry.path().is_file() {
            out.push(entry.into_path());
        }
    }
    Ok(())
}

/// The warning about each chart that Helm may not be able to store, which is not part of another one.
pub(super) fn warnings(charts: &BTreeSet<PathBuf>) -> Vec<Findings> {
    let is_root = |chart: &&PathBuf| !chart.ancestors().skip(1).any(|above| charts.contains(above));
    charts.iter().filter(is_root).filter_map(|chart| warning(chart)).collect()
}

fn warning(chart: &Path) -> Option<Findings> {
    // What cannot be read is reported elsewhere.
    let release = Release::of_files(chart).ok().filter(Release::may_be_large)?;
    let size = release.size();
    if size <= MAX / 10 * 9 {
        return None;
    }
    let largest = release.by_part().into_iter().max_by_key(|(_, _, size)| *size);
    let of =
        largest.map_or_else(String::new, |(what, _, size)| format!(", of which {} take {size}", what.name()));
    let text = format!("Helm stores about {size} of {MAX} bytes for a release, without what it renders{of}");
    let help = "leave out files with `.helmignore`, or remove descriptions with `crdgen fit --for helm`";
    let diag =
        Diag::own(&codes::lint::RELEASE, Level::Warning, &crdgen_core::path::Path::ROOT, text).help(help);
    let name = chart.join("Chart.yaml").shown().to_string();
    let finding = Finding { object: chart.shown().to_string(), ..Finding::from(diag) };
    Some(Findings { source: Source::new(name, Vec::new().into()), findings: vec![finding] })
}
