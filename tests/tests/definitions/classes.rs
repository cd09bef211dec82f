//! An example for each class of changes, and the page with them.

use super::definition;
use crdgen_core::ir::Crd;
use crdgen_diff::{Class, Options, diff};
use std::fmt::Write;
use std::path::Path;

/// The CRD before each change.
const BEFORE: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              color: {type: string, enum: [red, green]}
              size: {type: integer, maximum: 9}
              mode: {type: string, default: fast}
              note: {type: string, description: A note.}
              tags:
                type: array
                maxItems: 20
                items: {type: string, maxLength: 20}
                x-kubernetes-validations: [{rule: 'self.all(tag, self.exists_one(other, tag == other))'}]
";

/// A change for each class: the lines before and after it.
const CHANGES: [(Class, &str, &str); 13] = [
    (Class::Refused, "  scope: Namespaced\n", "  scope: Cluster\n"),
    (
        Class::Stuck,
        "        properties:\n          spec:\n",
        "        required: [spec]\n        properties:\n          spec:\n",
    ),
    (
        Class::Breaking,
        "              size: {type: integer, maximum: 9}\n",
        "              size: {type: integer, maximum: 5}\n",
    ),
    (
        Class::OnEdit,
        "              size: {type: integer, maximum: 9}\n",
        "              size: {type: integer, maximum: 9, x-kubernetes-validations: [{rule: self >= oldSelf}]}\n",
    ),
    (
        Class::MayBreak,
        "              size: {type: integer, maximum: 9}\n",
        "              size: {type: integer, maximum: 9, x-kubernetes-validations: [{rule: self + 1 < 11}]}\n",
    ),
    (Class::DataLoss, "              note: {type: string, description: A note.}\n", ""),
    (
        Class::Meaning,
        "              mode: {type: string, default: fast}\n",
        "              mode: {type: string, default: slow}\n",
    ),
    (Class::Dearer, "                maxItems: 20\n", "                maxItems: 500\n"),
    (
        Class::Client,
        "              color: {type: string, enum: [red, green]}\n",
        "              color: {type: string, enum: [red, green, blue]}\n",
    ),
    (
        Class::Usage,
        "  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd]}\n",
        "  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}\n",
    ),
    (
        Class::Looser,
        "              size: {type: integer, maximum: 9}\n",
        "              size: {type: integer, maximum: 20}\n",
    ),
    (
        Class::Compatible,
        "              mode: {type: string, default: fast}\n",
        "              mode: {type: string, default: fast}\n              weight: {type: integer}\n",
    ),
    (
        Class::Cosmetic,
        "              note: {type: string, description: A note.}\n",
        "              note: {type: string, description: What readers should know.}\n",
    ),
];

#[test]
fn each_class_has_an_example() {
    let mut page = format!(
        "# Examples of changes\n\n[DIFF.md](DIFF.md) describes the classes of `crdgen diff`. Here is a change for each of them, of \
         this CRD:\n\n```yaml\n{BEFORE}```\n"
    );
    let before = definition(BEFORE);
    assert_eq!(CHANGES.map(|(class, ..)| class), Class::ALL);
    for (class, from, to) in CHANGES {
        assert_eq!(BEFORE.matches(from).count(), 1, "{from}");
        let after: Crd = definition(&BEFORE.replacen(from, to, 1));
        let report = diff(&before, &after, &Options::default());
        // A larger bound is looser, and makes rules dearer.
        let counts = |found: &&crdgen_diff::Finding| found.class == class || found.class != Class::Looser;
        let found: Vec<_> = report.findings.iter().filter(counts).collect();
        let [finding] = found[..] else { panic!("{}: {report:?}", class.name()) };
        assert_eq!(finding.class, class, "{finding:?}");
        let code = finding.code.map_or_else(String::new, |code| format!(" ({})", code.id));
        let _ = write!(page, "\n## {}{code}\n\n```diff\n", class.name());
        let lines = |text: &str, mark: char, page: &mut String| {
            text.lines().for_each(|line| _ = writeln!(page, "{mark}{line}"));
        };
        lines(from, '-', &mut page);
        lines(to, '+', &mut page);
        let _ = write!(page, "```\n\n{}.", finding.message);
        if !finding.help.is_empty() {
            let _ = write!(page, " What to do: {}.", finding.help);
        }
        page.push('\n');
        if let Some(witness) = finding.proof.witness() {
            let objects: Vec<String> = witness
                .objects()
                .into_iter()
                .map(|object| crdgen_core::yaml::write(object).trim_end().to_owned())
                .collect();
            let _ = write!(page, "\n{}:\n\n```yaml\n{}\n```\n", witness.text(), objects.join("\n---\n"));
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/CLASSES.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "codegen/CLASSES.md is out of date: run definitions::classes with UPDATE=1");
}
