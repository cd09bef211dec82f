//! The lints for nodes of schemas: their examples, and the page about those that are about the design of APIs.

use super::{definition, with_schema};
use crdgen_core::check::lints::fix::is_fixable;
use crdgen_core::check::lints::nodes::{self, Lint, Topic};
use crdgen_core::check::lints::{Lints, run};
use std::fmt::Write;
use std::path::Path;

/// The codes that are reported for an example.
fn reported(example: &str) -> Vec<&'static str> {
    let mut lints = Lints::none();
    assert!(lints.set("all", true));
    let schema = format!("type: object\n{example}\n");
    run(&definition(&with_schema(&schema)), &lints).iter().map(|diag| diag.code.id).collect()
}

#[test]
fn each_lint_reports_its_example_and_not_the_other_one() {
    for Lint { code, fires, silent, .. } in nodes::all() {
        assert!(reported(fires).contains(&code.id), "{} does not report {fires}", code.id);
        assert!(!reported(silent).contains(&code.id), "{} reports {silent}", code.id);
    }
}

#[test]
fn codes_and_lints_are_the_same() {
    let codes: Vec<&str> = crdgen_core::diag::codes::api::ALL.iter().map(|code| code.id).collect();
    let lints: Vec<&str> = nodes::all().map(|lint| lint.code.id).filter(|id| codes.contains(id)).collect();
    assert_eq!(codes, lints);
}

#[test]
fn the_page_has_all_lints() {
    let page = String::from(
        "# Lints about the design of APIs\n\n\
         `crdgen check --lint api` reports what makes an API hard to use or to change later. The rules follow the API conventions of\n\
         Kubernetes and kube-api-linter, as far as a CRD shows them. `--no-lint CODE` turns one off, and exceptions allow one in a place:\n\
         a comment in YAML, `#[schema(allow(CODE, reason = \"…\"))]` in Rust.\n\n\
         `crdgen check --lint api src` reports the same about Rust types, at their fields and attributes, and so does a build script with\n\
         `Builder::lint(\"api\")`, as warnings of cargo. For types with the derives of kube and schemars, the help names their attributes.\n\n\
         The fields inside of Kubernetes' own types, such as a pod template or a label selector, are left out, because you cannot change\n\
         them. In YAML, crdgen recognizes these types by their fields: all are fields of the type, with the same types and formats, and the\n\
         same ones are required. Descriptions and constraints do not count, and newer fields may be absent. A type of yours with a few\n\
         fields of the same names, or with one field more, is checked like all others.\n\n\
         What is found in several copies of a CRD is reported once, with the other places.\n\n\
         With `--fix`, crdgen changes the YAML and the attributes of types where only one answer is right, and keeps everything else in the\n\
         files. It does not rename fields, and does not change what a macro generates. Findings with these codes can be fixed: FIXABLE.\n\
         In Rust, LNT012 has nothing to fix. crdgen adds `#[schema(…)]` only to types that derive its `Schema`; for those of kube's and schemars'\n\
         derives it writes `#[schemars(length(…))]`, `range(…)`, `regex(…)`, and with schemars 1 `extend(…)`.\n\n\
         `--fix --dry-run` writes nothing: it prints the changes as a diff for `git apply`, and errors on standard error. Its exit code is 1 if there are some.\n\n\
         Some fixes change what the server accepts or what clients read, such as the `minimum: 0` of LNT008. crdgen lists these changes with their\n\
         [classes](CLASSES.md). If the CRD is in use, compare it before you apply it: `crdgen diff git:HEAD`.\n\n\
         The profile also has LNT006, about a status without its subresource and the other way round ([CODES.md](CODES.md)).\n\n\
         The examples below are keywords of the schema of a whole object, `openAPIV3Schema`.\n",
    );
    let mut fixable: Vec<&str> =
        nodes::profile().filter(|code| is_fixable(code)).map(|code| code.id).collect();
    fixable.sort_unstable();
    let mut page = page.replace("FIXABLE", &fixable.join(", "));
    for topic in Topic::ALL {
        let _ = writeln!(page, "\n## {}", topic.title());
        for Lint { code, fires, silent, .. } in nodes::all().filter(|it| it.topic == Some(topic)) {
            let text = code.explain.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = write!(
                page,
                "\n### {}: {}\n\n{text}\n\nBefore:\n\n```yaml\n{fires}\n```\n\nAfter:\n\n```yaml\n{silent}\n```\n",
                code.id, code.title
            );
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/LINTS.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "codegen/LINTS.md is out of date: run definitions::api_lints with UPDATE=1");
}
