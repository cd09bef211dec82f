//! Helm charts: what `helm template` prints for them, and the CRDs in their templates without Helm.

use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use crdgen_core::server::Server;

use super::limited::{self, Ran};
use crdgen_files::input::{self, Shown};
use crdgen_files::inside;

/// What follows the path of a template in the name of what Helm prints for it.
pub const RENDERED: &str = " (rendered)";

/// What Helm makes of a chart.
pub(super) enum Rendered {
    /// Helm is not installed.
    NoHelm,
    /// Why Helm fails. Often a value is required that only the user knows.
    Failed(String),
    /// The objects of each template, by the path of the template.
    Templates(Vec<(String, Arc<Vec<u8>>)>),
}

/// Calls `helm template`, which only reads the chart. It does not download the charts that this one depends on, and does not
/// ask a cluster. Helm follows all links in a chart, so a chart with a link that leads out of it is not passed to Helm.
pub(super) fn render_chart(chart: &Path) -> Rendered {
    if let Some(link) = inside::link_out_of(chart) {
        return Rendered::Failed(format!("{} is a link that leads out of the chart", link.shown()));
    }
    let mut command = Command::new("helm");
    command
        .args(["template", "release-name"])
        .arg(input::argument(chart))
        // Helm downloads what a schema refers to.
        .arg("--skip-schema-validation")
        // Some charts reject old versions, and Helm itself may be old.
        .arg(format!("--kube-version=1.{}", Server::NEWEST.minor()))
        .args(AGGREGATOR.map(|api| format!("--api-versions={api}")));
    match limited::run(command.env("HELM_NO_PLUGINS", "1")) {
        Ran::Missing => Rendered::NoHelm,
        Ran::Failed(why) => Rendered::Failed(too_old().unwrap_or(why)),
        Ran::Printed(out) => Rendered::Templates(split(chart, &String::from_utf8_lossy(&out))),
    }
}

/// What every server has, but Helm does not know without one: charts would write the version that Kubernetes removed.
const AGGREGATOR: [&str; 2] = ["apiregistration.k8s.io/v1", "apiregistration.k8s.io/v1/APIService"];

/// The first version of Helm that can render a chart without downloading what its schema refers to.
const OLDEST: (u32, u32) = (3, 16);

/// Why Helm fails, if it is too old.
fn too_old() -> Option<String> {
    static VERSION: OnceLock<Option<(u32, u32)>> = OnceLock::new();
    let ask = || match limited::run(Command::new("helm").args(["version", "--short"])) {
        Ran::Printed(version) => version_of(&String::from_utf8_lossy(&version)),
        Ran::Missing | Ran::Failed(_) => None,
    };
    let version = (*VERSION.get_or_init(ask))?;
    let ((major, minor), (wanted_major, wanted_minor)) = (version, OLDEST);
    (version < OLDEST).then(|| {
        format!(
            "Helm {major}.{minor} downloads what the schemas of charts refer to; install Helm {wanted_major}.{wanted_minor} or newer"
        )
    })
}

/// Reads a version such as `v3.15.4+gfa9efb0`.
fn version_of(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Splits the output of Helm at the comments that name the templates. A template may write such comments itself, but only
/// Helm writes one after a line `---`, because it splits what templates write at these lines.
fn split(chart: &Path, text: &str) -> Vec<(String, Arc<Vec<u8>>)> {
    let mut out: Vec<(String, Vec<u8>)> = Vec::new();
    let mut is_first = true;
    for line in text.split_inclusive('\n') {
        let is_start = line.trim_end() == "---";
        match line.trim_end().strip_prefix("# Source: ") {
            Some(source) if is_first => {
                let name = format!("{}{RENDERED}", place(chart, source).shown());
                match out.last_mut() {
                    Some((last, text)) if *last == name => text.extend_from_slice(b"---\n"),
                    Some(_) | None => out.push((name, Vec::new())),
                }
            }
            _ if is_start => {}
            _ => {
                if let Some((_, text)) = out.last_mut() {
                    text.extend_from_slice(line.as_bytes());
                }
            }
        }
        is_first = is_start;
    }
    out.into_iter().map(|(name, text)| (name, Arc::new(text))).collect()
}

/// The file of a template. Helm names it by the name of the chart and its path in the chart.
fn place(chart: &Path, source: &str) -> PathBuf {
    let inside = Path::new(source.split_once('/').map_or(source, |(_, inside)| inside));
    // The name is whatever the chart says.
    let is_inside = inside.components().all(|part| matches!(part, Component::Normal(_)));
    if is_inside { chart.join(inside) } else { chart.join("templates") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_the_output_of_helm() {
        let text = "---\n# Source: x/templates/a.yaml\na: 1\n---\n# Source: x/templates/a.yaml\na: 2\n---\n# Source: x/charts/y/templates/b.yaml\nb: 1\n";
        let split = split(Path::new("charts/x"), text);
        let split: Vec<(&str, &str)> = split
            .iter()
            .map(|(name, text)| (name.as_str(), str::from_utf8(text).unwrap_or_default()))
            .collect();
        let wanted = [
            ("charts/x/templates/a.yaml (rendered)", "a: 1\n---\na: 2\n"),
            ("charts/x/charts/y/templates/b.yaml (rendered)", "b: 1\n"),
        ];
        assert_eq!(split, wanted);
    }

    #[test]
    fn templates_do_not_choose_their_names() {
        let text = "---\n# Source: x/templates/a.yaml\na: 1\n# Source: x/../../b.yaml\nb: 1\n---\n# Source: x/templates/a.yaml\n# Source: x/c.yaml\nc: 1\n---\n# Source: x/../d.yaml\nd: 1\n";
        let split = split(Path::new(""), text);
        let split: Vec<(&str, &str)> = split
            .iter()
            .map(|(name, text)| (name.as_str(), str::from_utf8(text).unwrap_or_default()))
            .collect();
        let own = "a: 1\n# Source: x/../../b.yaml\nb: 1\n---\n# Source: x/c.yaml\nc: 1\n";
        assert_eq!(split, [("templates/a.yaml (rendered)", own), ("templates (rendered)", "d: 1\n")]);
    }
}
