//! Helm charts: what `helm template` prints for them, and the CRDs in their templates without Helm.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crdgen_core::server::Server;

use super::limited::{self, Ran};
use crate::input::{self, Shown};

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
pub(super) fn render(chart: &Path) -> Rendered {
    if let Some(link) = input::link_out_of(chart) {
        return Rendered::Failed(format!("{} is a link that leads out of the chart", link.shown()));
    }
    let mut command = Command::new("helm");
    command
        .args(["template", "release-name"])
        .arg(std::path::absolute(chart).unwrap_or_else(|_| chart.to_owned()))
        // Charts do not accept old versions of Kubernetes, and Helm itself may be old.
        .arg(format!("--kube-version=1.{}", Server::NEWEST.minor()));
    match limited::run(command.env("HELM_NO_PLUGINS", "1")) {
        Ran::Missing => Rendered::NoHelm,
        Ran::Failed(why) => Rendered::Failed(why),
        Ran::Printed(out) => Rendered::Templates(split(chart, &String::from_utf8_lossy(&out))),
    }
}

/// Splits the output of Helm at the comments that name the templates.
fn split(chart: &Path, text: &str) -> Vec<(String, Arc<Vec<u8>>)> {
    let mut out: Vec<(String, Vec<u8>)> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(source) = line.trim_end().strip_prefix("# Source: ") {
            // The first part is the name of the chart.
            let inside = source.split_once('/').map_or(source, |(_, inside)| inside);
            let name = format!("{} (rendered)", chart.join(inside).shown());
            if out.last().is_none_or(|(last, _)| *last != name) {
                out.push((name, Vec::new()));
            } else if let Some((_, text)) = out.last_mut() {
                text.extend_from_slice(b"---\n");
            }
        } else if let Some((_, text)) = out.last_mut()
            && line.trim_end() != "---"
        {
            text.extend_from_slice(line.as_bytes());
        }
    }
    out.into_iter().map(|(name, text)| (name, Arc::new(text))).collect()
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
}
