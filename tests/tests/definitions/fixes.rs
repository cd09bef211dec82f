//! `--fix` on random texts: what it changes, and what it keeps.

use crdgen::source;
use crdgen_core::check::lints::{self, Lints};
use crdgen_core::diag::{Diag, Level};
use crdgen_core::documents::{Group, fixed};
use crdgen_core::path::Step;
use crdgen_core::value::{Map, Value};
use crdgen_core::{json, yaml};
use crdgen_tests::corpus;
use crdgen_tests::rng::Rng;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How often a file is fixed, as by the command.
const MOST_ROUNDS: usize = 4;

fn api() -> Lints {
    let mut lints = Lints::none();
    assert!(lints.set("api", true));
    lints
}

/// What the lints and the server report about the CRDs of a text.
struct Read {
    advice: Vec<(String, Diag)>,
    errors: usize,
    count: usize,
}

fn read(text: &[u8]) -> Read {
    let of = |check: &dyn Fn(&crdgen_core::ir::Crd) -> Vec<Diag>| {
        let mut read = Group::of(&Arc::new(text.to_vec())).read();
        read.check(|crd| check(crd));
        read
    };
    let advice = of(&|crd| lints::run(crd, &api()));
    let checked = of(&|crd| lints::on_create(crd, &Lints::none()));
    let errors = checked.findings.iter().filter(|it| it.diag.level == Level::Error).count();
    let count = checked.definitions.len();
    let advice = advice.findings.into_iter().map(|it| (it.object, it.diag)).collect();
    Read { advice, errors, count }
}

/// Adds what can be fixed to schemas of objects.
fn spoil(schema: &mut Value, rng: &mut Rng) {
    let Some(map) = schema.as_map_mut() else { return };
    if let Some(Value::Map(properties)) = map.get_mut("properties") {
        let names: Vec<String> = properties.keys().map(str::to_owned).collect();
        for name in &names {
            if let Some(field) = properties.get_mut(name) {
                spoil(field, rng);
            }
        }
        let of = |text: &str| yaml::read_one(format!("a: {text}").as_bytes()).ok()?.value.get("a").cloned();
        let more = [
            ("spoiledMode", "{type: string, default: fast, maxLength: 9}"),
            ("spoiledCount", "{type: integer, format: uint32}"),
            (
                "spoiledTitle",
                "{type: string, x-kubernetes-validations: [{rule: self.size() <= 9}, {rule: self != 'x'}]}",
            ),
            ("spoiledTag", "{type: string, x-kubernetes-validations: [{rule: size(self) < 9}]}"),
            ("spoiledOn", "{type: string}"),
        ];
        let mut required = Vec::new();
        for (name, text) in more {
            if names.len() < 20 && rng.chance(15) {
                let Some(value) = of(text) else { panic!("{text}") };
                properties.insert(name, value);
                required.extend((name == "spoiledMode").then_some(Value::from(name)));
            }
        }
        if !required.is_empty() {
            let known = map.get("required").and_then(Value::as_list).unwrap_or_default().to_vec();
            map.insert("required", Value::List(known.into_iter().chain(required).collect()));
        }
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(inner) = map.get_mut(inner) {
            spoil(inner, rng);
        }
    }
}

/// A CRD of the corpus with mistakes.
fn spoiled(mut value: Value, rng: &mut Rng) -> Value {
    let mut number = 0;
    let at = |number: usize| {
        ["spec", "versions", "", "schema", "openAPIV3Schema"].map(|key| match key {
            "" => Step::Index(number),
            key => Step::Key(key.to_owned()),
        })
    };
    while let Some(schema) = value.at_mut(&at(number)) {
        spoil(schema, rng);
        number += 1;
    }
    value
}

/// A way to write documents.
#[derive(Clone, Copy, Debug)]
enum Style {
    Block,
    Flow,
    Json,
    List,
    Several,
}

const STYLES: [Style; 5] = [Style::Block, Style::Flow, Style::Json, Style::List, Style::Several];

fn written(value: &Value, style: Style) -> String {
    match style {
        Style::Block => yaml::write(value),
        Style::Flow => format!("# in one line\n{}\n", json::to_string(value)),
        Style::Json => {
            let line = json::to_string(value);
            let lines = line.replace(",\"", ",\n  \"");
            if has_same_value(&line, &lines) { lines } else { line }
        }
        Style::List => {
            let config = Value::Map(Map::from_iter([
                ("apiVersion".to_owned(), "v1".into()),
                ("kind".to_owned(), "ConfigMap".into()),
            ]));
            let list = Map::from_iter([
                ("apiVersion".to_owned(), "v1".into()),
                ("items".to_owned(), Value::List(vec![config, value.clone()])),
                ("kind".to_owned(), "List".into()),
            ]);
            yaml::write(&Value::Map(list))
        }
        Style::Several => format!("# first\nkind: ConfigMap\n---\n{}---\na: b\n", yaml::write(value)),
    }
}

/// Adds comments, except to the lines of lists, which go together with the names and rules in them.
fn with_comments(text: &str, rng: &mut Rng) -> String {
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        let words = line.trim();
        let is_key = words.ends_with(':') || words.contains(": ");
        let is_plain = is_key
            && !words.starts_with('-')
            && !words.starts_with('#')
            && !words.contains(['|', '>', '"', '\''])
            && !["rule", "format", "required", "x-kubernetes"].iter().any(|key| words.starts_with(key));
        if is_plain && rng.chance(6) {
            out += &format!("{}# own {number}\n", " ".repeat(line.len() - line.trim_start().len()));
        }
        out += line;
        if is_plain && rng.chance(6) {
            out += &format!(" # end {number}");
        }
        out.push('\n');
    }
    out
}

/// Whether the comments, which must not be in block texts, are all that is new.
fn has_same_value(one: &str, other: &str) -> bool {
    let values = |text: &str| -> Option<Vec<Value>> {
        let documents = yaml::Documents::new(&Arc::new(text.as_bytes().to_vec()));
        documents.map(|document| document.ok().map(|it| it.value)).collect()
    };
    values(one).is_some_and(|one| Some(one) == values(other))
}

fn comments(text: &str) -> BTreeSet<&str> {
    text.lines().filter_map(|line| line.find("# ").map(|at| line[at..].trim_end())).collect()
}

/// Fixes a text until nothing more can be fixed. Returns the new text, and how many diagnostics were fixed.
fn fix_all(text: &str) -> (String, usize) {
    let (mut text, mut count) = (text.to_owned(), 0);
    for round in 0.. {
        let before = read(text.as_bytes());
        let diags: Vec<(&str, &Diag)> =
            before.advice.iter().map(|(name, diag)| (name.as_str(), diag)).collect();
        let Some(new) = fixed(text.as_bytes(), &diags) else { return (text, count) };
        assert!(round < MOST_ROUNDS, "after {round} rounds there is more to fix in\n{text}");
        let after = read(new.text.as_bytes());
        assert_eq!(after.count, before.count, "{}", new.text);
        assert!(after.errors <= before.errors, "new errors in\n{}", new.text);
        let lost: Vec<_> = comments(&text).difference(&comments(&new.text)).copied().collect();
        assert!(lost.is_empty(), "{lost:?} lost in\n{}", new.text);
        let left = after.advice.len();
        assert!(left + new.fixed.len() <= before.advice.len(), "{left} findings left in\n{}", new.text);
        count += new.fixed.len();
        text = new.text;
    }
    unreachable!("the loop returns")
}

/// The lines of a text that another one does not have.
fn gone<'t>(old: &'t str, new: &str) -> Vec<&'t str> {
    let known: BTreeSet<&str> = new.lines().collect();
    old.lines().filter(|line| !known.contains(line)).collect()
}

#[test]
fn fixes_of_random_documents_change_only_what_they_fix() {
    let all: Vec<Value> = corpus::own_crds()
        .into_iter()
        .chain(corpus::shared_crds().into_iter().flatten())
        .map(|it| it.value)
        .collect();
    let (mut texts, mut count) = (0, 0);
    for case in 0..250 {
        let mut rng = Rng::of_case(7, case);
        let value = rng.pick(&all).clone();
        if json::to_string(&value).len() > 60_000 {
            continue;
        }
        let value = spoiled(value, &mut rng);
        let style = *rng.pick(&STYLES);
        let plain = written(&value, style);
        let mut text = plain.clone();
        if matches!(style, Style::Block | Style::List | Style::Several) {
            let more = with_comments(&plain, &mut rng);
            if has_same_value(&plain, &more) {
                text = more;
            }
            text = text.replace(" spoiledOn:", " on:");
        }
        if rng.chance(30) {
            text = text.replace('\n', "\r\n");
        }
        if rng.chance(20) {
            text.insert(0, '\u{feff}');
        }
        let (new, fixed) = fix_all(&text);
        texts += 1;
        count += fixed;
        assert_eq!(text.starts_with('\u{feff}'), new.starts_with('\u{feff}'));
        assert_eq!(text.contains("\r\n"), new.contains("\r\n"));
        if matches!(style, Style::Block | Style::List | Style::Several) {
            const MAY_GO: [&str; 6] = ["required", "- ", "format", "x-kubernetes-", "rule", "on:"];
            let odd: Vec<_> = gone(&text, &new)
                .into_iter()
                .filter(|line| !MAY_GO.iter().any(|part| line.contains(part)))
                .collect();
            assert!(odd.is_empty(), "{odd:?} changed in\n{new}");
        }
    }
    assert!(texts > 100 && count > 300, "{count} fixes in {texts} texts");
}

#[test]
fn anchors_and_merges_keep_their_meaning() {
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.example.com}\nspec:\n  \
                group: example.com\n  scope: Namespaced\n  names: {kind: A, plural: as}\n  versions:\n  - name: v1\n    \
                served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          \
                spec:\n            type: object\n            properties:\n";
    for body in [
        "a: &a\n  type: object\n  required: [x, y]\n  properties: {x: {type: string, default: b}, y: {type: string}}\nb: *a\n",
        "a: &a {type: integer, format: uint32}\nb: *a\nc:\n  <<: *a\n  description: c\n",
        "a: {type: integer, format: &f uint32}\nb: {type: integer, format: *f}\nc: {type: integer, format: uint8}\n",
    ] {
        let lines: String = body.lines().map(|line| format!("              {line}\n")).collect();
        let (new, _) = fix_all(&format!("{head}{lines}"));
        assert!(new.starts_with(head), "{new}");
    }
}

/// A field, and whether its finding can be fixed.
const FIELDS: [(&str, bool); 14] = [
    ("#[schema(required)]NL#[serde(default)]NLpub NAME: i32,", true),
    ("#[serde(default)]NL#[schema(required, minimum = 1, default = 3)] // end NUMBERNLpub NAME: i32,", true),
    ("#[schema(default = \"fast\", required)]NLpub NAME: String,", true),
    ("#[schema(default = 3)]NLpub NAME: i32,", true),
    ("#[schema(rule = \"self.size() <= 100\")]NLpub NAME: String,", true),
    ("#[schema(title = \"t\", rule(rule = \"size(self) < 100\"))] pub NAME: String,", true),
    ("#[schema(items(rule = \"self <= 100\"))]NLpub NAME: Vec<i32>,", true),
    ("#[schema(format = \"uint32\")] pub NAME: i64,", true),
    ("#[schema(rule(rule = \"self.size() <= 100\", message = \"too long\"))]NLpub NAME: String,", false),
    ("#[schema(required /* own NUMBER */)]NL#[serde(default)]NLpub NAME: i32,", false),
    ("#[cfg_attr(all(), schema(rule = \"self.size() <= 100\"))]NLpub NAME: String,", false),
    (
        "#[schema(allow(LNT116, reason = \"older clients\"), rule = \"self.size() <= 100\")]NLpub NAME: String,",
        false,
    ),
    ("/// What it is for.NLpub NAME: Option<String>,", false),
    ("#[schema(max_items = 4)]NL// own NUMBERNLpub NAME: Vec<String>,", false),
];

/// Types with mistakes. Returns whether something can be fixed.
fn types(rng: &mut Rng) -> (String, bool) {
    let is_macro = rng.chance(10);
    let mut fields = String::new();
    let mut can_fix = false;
    for number in 0..1 + rng.below(9) {
        let (field, is_fixable) = *rng.pick(&FIELDS);
        can_fix |= is_fixable && !is_macro;
        let field = field.replace("NAME", &format!("f{number}")).replace("NUMBER", &number.to_string());
        fields += &format!("    // own before {number}\n    {}\n", field.replace("NL", "\n    "));
    }
    let conditions = if rng.chance(50) {
        can_fix |= !is_macro;
        "    /// Conditions.\n    pub conditions: Option<Vec<Condition>>,\n"
    } else {
        ""
    };
    let start = if is_macro { "macro_rules! make { ($($all:tt)*) => { $($all)* } }\nmake! {\n" } else { "" };
    let end = if is_macro { "}\n" } else { "" };
    let derives = "#[derive(Clone, Debug, Deserialize, Serialize, ";
    let text = format!(
        "//! Types.\nuse crdgen::{{CustomResource, Schema}};\nuse serde::{{Deserialize, Serialize}};\n\n{start}/// A widget.\n\
         {derives}CustomResource, Schema)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Widget\", status = \"State\")]\n\
         pub struct WidgetSpec {{\n{fields}}}\n{derives}Schema)]\npub struct State {{\n{conditions}}}\n{end}\
         {derives}Schema)]\npub struct Condition {{\n    #[serde(rename = \"type\")]\n    pub type_: String,\n}}\n"
    );
    (text, can_fix)
}

#[test]
fn fixes_of_random_types_change_only_attributes() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fixes");
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{e}"));
    let file = folder.join("widget.rs");
    let mut options = source::Options { path: file.clone(), refused: true, ..source::Options::default() };
    options.lints.switch(&["api".to_owned()], &[]).unwrap_or_else(|e| panic!("{e}"));
    let codes: BTreeSet<&str> =
        lints::nodes::profile().filter(|code| lints::fix::is_fixable(code)).map(|code| code.id).collect();
    let mut count = 0;
    for case in 0..200 {
        let mut rng = Rng::of_case(11, case);
        let (mut text, can_fix) = types(&mut rng);
        if rng.chance(30) {
            text = text.replace('\n', "\r\n");
        }
        if rng.chance(20) {
            text.insert(0, '\u{feff}');
        }
        write(&file, &text);
        let before = found(&options);
        let mut new = text.clone();
        for run in 0.. {
            let fixed = source::fixed(&options, &|found| vec![true; found.len()]);
            let fixed = fixed.unwrap_or_else(|e| panic!("{e}"));
            let [(_, old, changed)] = fixed.files.as_slice() else { break };
            assert_eq!((run, old), (0, &new), "there is more to fix");
            count += fixed.found.len();
            new.clone_from(changed);
            write(&file, &new);
        }
        assert_eq!(new != text, can_fix, "{text}");
        let after = found(&options);
        assert!(
            after.iter().all(|(code, level)| *level != Level::Error || before.contains(&(code, *level))),
            "{new}"
        );
        let left = |all: &[(&str, Level)]| all.iter().filter(|(code, _)| codes.contains(code)).count();
        assert!(left(&after) < left(&before) || !can_fix, "{new}");
        let lost: Vec<_> = comments(&text).difference(&comments(&new)).copied().collect();
        assert!(lost.is_empty(), "{lost:?} lost in\n{new}");
        let odd: Vec<_> = gone(&text, &new).into_iter().filter(|line| !line.contains("#[schema(")).collect();
        assert!(odd.is_empty(), "{odd:?} changed in\n{new}");
        assert_eq!(text.starts_with('\u{feff}'), new.starts_with('\u{feff}'));
        assert_eq!(
            text.matches("\r\n").count() == text.matches('\n').count(),
            new.matches("\r\n").count() == new.matches('\n').count()
        );
    }
    assert!(count > 200, "{count} fixes");
}

fn found(options: &source::Options) -> Vec<(&'static str, Level)> {
    let read = source::read(options).unwrap_or_else(|e| panic!("{e}"));
    read.found.iter().map(|it| (it.diag.code.id, it.diag.level)).collect()
}

fn write(file: &Path, text: &str) {
    std::fs::write(file, text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
}
