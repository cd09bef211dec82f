//! Texts that control terminals, that reorder the text around them, or that are invisible: in names, descriptions,
//! values, sources, paths and arguments.

use std::os::unix::ffi::OsStringExt;

use super::{KINDS, READERS, RUST_READERS, Ran, Sandbox, definition, some, with};
use crdgen_tests::json::json;

/// Sequences that control terminals, control characters, characters that override the direction, and characters without
/// width.
const ACTIVE: &str = "\x1b]0;owned\x07\x1b[2J\x1b[31m\u{9b}31m\x08\r\x7f\u{85}\u{2028}\u{202e}\u{2066}\u{200f}\u{61c}\
    \u{200b}\u{200d}\u{2060}\u{feff}\u{ad}\u{e0041}\u{180e}\u{fff9}";

/// Whether a character does more than show itself, as this test defines it.
fn is_active(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t' || ACTIVE.contains(c) && !c.is_ascii_graphic()
}

/// Asserts that a text contains nothing active except the colours of the command itself.
#[track_caller]
fn check(text: &str, what: &str) {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(after.len());
        // Escapes other than colours are checked below.
        if !after[end..].starts_with('m') {
            plain.push('\x1b');
        }
        rest = after.get(end + 1..).unwrap_or_default();
    }
    plain.push_str(rest);
    let found: Vec<char> = plain.chars().filter(|c| is_active(*c)).collect();
    assert!(found.is_empty(), "{what}: {found:?} in {plain:?}");
    // This colour is only in the input: the command itself never uses plain red.
    assert!(!text.contains("\x1b[31m"), "{what}: {text:?}");
}

/// Runs a command twice: as if on a terminal, and without colours.
#[track_caller]
fn run(sandbox: &Sandbox, args: &[&str]) -> Ran {
    let mut command = sandbox.command(args);
    command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1");
    let ran = sandbox.run_within_limits(command, &args.join(" "));
    for text in [&ran.stdout, &ran.stderr] {
        check(text, &args.join(" "));
    }
    for (name, text) in sandbox.out() {
        check(&text, &format!("{}: {name}", args.join(" ")));
    }
    ran
}

/// Returns a CRD that servers accept, with the text wherever a text may be.
fn valid(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    format!(
        r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {{"name": "goods.example.com", "annotations": {{"note": {quoted}}}}},
"spec": {{"group": "example.com", "scope": "Namespaced", "names": {{"plural": "goods", "kind": "Good"}},
"versions": [{{"name": "v1", "served": true, "storage": true, "deprecated": true, "deprecationWarning": "w",
"additionalPrinterColumns": [{{"name": {quoted}, "type": "string", "jsonPath": ".spec.a", "description": {quoted}}}],
"schema": {{"openAPIV3Schema": {{"type": "object", "description": {quoted}, "title": {quoted},
"properties": {{"spec": {{"type": "object", "description": {quoted}, "properties": {{
"a": {{"type": "string", "description": {quoted}, "default": {quoted}, "enum": [{quoted}, "b"]}},
"b": {{"type": "string", "example": {quoted}, "pattern": "^[a-z]*$"}},
{quoted}: {{"type": "object", "description": {quoted}}}}}}}}}}}}}}}]}}}}"#
    )
}

/// Returns the texts. Those after the first one are short.
fn texts() -> Vec<String> {
    vec![format!("x{ACTIVE}y"), "\u{202e}gnp.exe".to_owned(), "a\u{200b}b \u{1b}\u{5c}".replace('\\', "")]
}

#[test]
fn no_definition_reaches_the_terminal() {
    let sandbox = Sandbox::new("text-definitions");
    for (number, text) in texts().into_iter().enumerate() {
        sandbox.write("valid.json", valid(&text));
        sandbox.write("names.json", definition(&text, &text, &text, &text));
        sandbox.write("fields.json", valid("x").replace("\"served\"", &serde_json::json!(text).to_string()));
        sandbox.write("both.json", valid(&text).replace("\"served\": true", "\"served\": 1"));
        for (file, name) in ["valid.json", "names.json", "fields.json", "both.json"].into_iter().enumerate() {
            for args in some(READERS, number + file) {
                run(&sandbox, &with(args, name));
            }
        }
        // All commands accept this CRD.
        let docs = run(&sandbox, &["docs", "valid.json"]);
        assert_eq!(docs.code(), Some(0), "{}", docs.stderr);
        assert!(docs.stdout.contains("\\u{"), "{}", docs.stdout);
        for args in [
            &["explain", "Good.spec", "--crd", "valid.json"][..],
            &["explain", "Good", "--recursive", "--crd", "valid.json"],
            &["explain", "Good.spec.b", "--crd", "valid.json"],
            &["cel", "self", "--crd", "valid.json", "--object", "valid.json"],
            &["cel", "self.spec.nothing", "--crd", "valid.json"],
            &["docs", "--out-dir", "out", "valid.json"],
            &["fit", "--out-dir", "out", "valid.json"],
            &["import", "--out-dir", "out/code", "valid.json"],
            &["openapi", "--v2", "--keep-defaults", "valid.json"],
            &["openapi", "--json-schema", "valid.json"],
        ] {
            run(&sandbox, args);
        }
    }
}

/// If the text cannot be parsed, messages show a part of it.
#[test]
fn no_broken_document_reaches_the_terminal() {
    let sandbox = Sandbox::new("text-broken");
    let bytes = |text: &str| text.as_bytes().to_vec();
    let documents = [
        ("escape.yaml", bytes("kind: CustomResourceDefinition\nname: \"\x1b]0;x\x07\"\n")),
        ("c1.yaml", bytes("kind: CustomResourceDefinition\nname: \u{9b}31m\n")),
        ("latin1.yaml", b"kind: \x9b31m\x1b[31m\xff\n".to_vec()),
        ("bidi.yaml", bytes("kind: CustomResourceDefinition\n\u{202e}spec: [ \u{2066}\n")),
        ("separator.yaml", bytes("a: b\n--- \u{202e}\x1b[31m x\n")),
        ("anchor.yaml", bytes("a: *\u{202e}\u{200b}\n")),
        ("alone.json", bytes("{\"kind\": \u{202e}}")),
        (
            "key.json",
            bytes("{\"\\u001b[31m\": 1, \"\\u001b[31m\": 2, \"kind\": \"CustomResourceDefinition\"}"),
        ),
        (
            "wide.yaml",
            [
                &[0xff, 0xfe][..],
                &"a: \x1b\u{202e}[".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
            ]
            .concat(),
        ),
        ("helm.yaml", bytes("{{ \x1b[31m\u{202e} }}\nkind: CustomResourceDefinition\n")),
    ];
    for (number, (name, text)) in documents.into_iter().enumerate() {
        sandbox.write(name, text);
        for args in some(READERS, number) {
            run(&sandbox, &with(args, name));
        }
    }
}

#[test]
fn no_name_of_a_file_reaches_the_terminal() {
    let sandbox = Sandbox::new("text-files");
    let name = "a\x1b]0;x\x07\n\u{202e}\u{200b}\x1b[31m.json".to_owned();
    for (number, text) in [valid("x"), definition("x", "y", "z", "v"), "{".to_owned()].into_iter().enumerate()
    {
        sandbox.write(&name, text);
        for args in some(READERS, number) {
            for input in [name.as_str(), "."] {
                run(&sandbox, &with(args, input));
            }
        }
    }
    let broken = std::ffi::OsString::from_vec(b"a\x1b[31m\xff\x9b.yaml".to_vec());
    std::fs::write(sandbox.work().join(broken), "kind: [").unwrap_or_else(|e| panic!("{e}"));
    run(&sandbox, &["check", "."]);
}

#[test]
fn no_argument_reaches_the_terminal() {
    let sandbox = Sandbox::new("text-arguments");
    let text = ACTIVE.replace('\0', "");
    for args in [
        &["check", "TEXT"][..],
        &["check", "--kube", "TEXT"],
        &["check", "--lint", "TEXT"],
        &["check", "--output", "TEXT"],
        &["check", "--against", "TEXT", "good.yaml"],
        &["check", "--against", "git:TEXT", "good.yaml"],
        &["check", "--types", "TEXT", "good.yaml"],
        &["check", "*TEXT"],
        &["TEXT"],
        &["check", "--TEXT"],
        &["explain", "TEXT"],
        &["explain", "TEXT.TEXT", "--crd", "good.yaml"],
        &["explain", "Good.TEXT", "--crd", "good.yaml"],
        &["explain", "Good", "--version", "TEXT", "--crd", "good.yaml"],
        &["cel", "'TEXT'"],
        &["cel", "TEXT"],
        &["cel", "'TEXT'", "-o", "json"],
        &["cel", "self.TEXT", "--crd", "good.yaml", "-o", "github"],
        &["cel", "self", "--crd", "good.yaml", "--path", "TEXT"],
        &["cel", "self", "--crd", "good.yaml", "--kind", "TEXT"],
        &["cel", "self", "--crd", "good.yaml", "--version", "TEXT"],
        &["emit", "TEXT"],
        &["emit", "kinds.rs", "--kind", "TEXT"],
        &["emit", "kinds.rs", "--header", "TEXT"],
        &["expand", "TEXT"],
        &["expand", "kinds.rs", "TEXT"],
        &["import", "TEXT"],
        &["import", "good.yaml", "--derive", "TEXT"],
        &["import", "good.yaml", "--names", "TEXT"],
        &["openapi", "good.yaml", "--version", "TEXT"],
        &["docs", "good.yaml", "--out-dir", "out", "--title", "TEXT"],
        &["migrate-check", "TEXT"],
    ] {
        let args: Vec<String> = args.iter().map(|arg| arg.replace("TEXT", &text)).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        run(&sandbox, &args);
    }
}

#[test]
fn no_rust_source_reaches_the_terminal() {
    let sandbox = Sandbox::new("text-rust");
    // Compilers reject most of this text, but crdgen reads it all the same.
    let text = ACTIVE.replace('\r', "");
    for source in [
        format!(
            "/// Doc {text}\n#[derive(CustomResource, Schema)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Good\")]\npub struct GoodSpec {{ /// {text}\n pub a: Option<String>, /** {text} */ pub b: u8 }}\n"
        ),
        format!(
            "#[derive(CustomResource, Schema)]\n#[kube(group = \"{text}\", version = \"{text}\", kind = \"{text}\")]\npub struct GoodSpec {{ #[schema(description = \"{text}\", pattern = \"{text}\", default = \"{text}\")] pub a: String }}\n"
        ),
        format!(
            "#[derive(CustomResource, Schema)]\n#[kube(group = \"e.com\", version = \"v1\", kind = \"Good\")]\n#[schema(rule(rule = \"{text}\", message = \"{text}\"))]\npub struct GoodSpec {{ #[serde(rename = \"{text}\")] pub a: Nothing }}\n"
        ),
        format!("// {text}\nfn x( {{ \"{text}\" }} }}"),
        format!("pub struct A {{ {text} }}"),
    ] {
        sandbox.write("source.rs", source);
        for args in RUST_READERS {
            run(&sandbox, &with(args, "source.rs"));
        }
        for form in super::FORMS {
            run(&sandbox, &["emit", "--force", "source.rs", "--format", form]);
        }
    }
}

/// Imported code contains active characters as escapes, and gives the same CRD again.
#[test]
fn imported_code_gives_the_same_definition() {
    let sandbox = Sandbox::new("text-import");
    for text in texts().into_iter().chain(["a\0b".to_owned(), "\0".to_owned()]) {
        sandbox.write("valid.json", valid(&text));
        let code = run(&sandbox, &["import", "valid.json"]);
        assert_eq!(code.code(), Some(0), "{}", code.stderr);
        sandbox.write("imported.rs", &code.stdout);
        let emitted = run(&sandbox, &["emit", "imported.rs", "--format", "json"]);
        assert_eq!(emitted.code(), Some(0), "{}\n{}", emitted.stderr, code.stdout);
        let schema = |text: &str| {
            let crd: serde_json::Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
            crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"].clone()
        };
        assert_eq!(schema(&emitted.stdout), schema(&valid(&text)), "{}", code.stdout);
        // The YAML has the same content as the JSON.
        sandbox.write("emitted.yaml", run(&sandbox, &["emit", "imported.rs"]).stdout);
        let read =
            crdgen_core::yaml::read_one(&std::fs::read(sandbox.path("emitted.yaml")).unwrap_or_default());
        assert_eq!(read.map(|d| d.value).map_err(|d| d.text), Ok(json(&emitted.stdout)));
    }
}

/// The runner of GitHub Actions decodes annotations to the original text: it decodes `%25`, `%0D` and `%0A` in
/// messages, and in properties also `%3A` and `%2C`.
#[test]
fn annotations_are_encoded_as_the_runner_expects() {
    let sandbox = Sandbox::new("text-github");
    let name = "100%,a::b=c%0A.json";
    sandbox.write(name, definition("x::error::y%0A", "p\n::error::q\r", "K,%", "v"));
    let ran = run(&sandbox, &["check", "-o", "github", name]);
    assert!(!ran.stdout.is_empty());
    for line in ran.stdout.lines() {
        let (properties, message) = line
            .strip_prefix("::error ")
            .or(line.strip_prefix("::warning "))
            .and_then(|rest| rest.split_once("::"))
            .unwrap_or_else(|| panic!("{line}"));
        let properties: Vec<(&str, String)> = properties
            .split(',')
            .filter_map(|property| property.split_once('='))
            .map(|(key, value)| (key, decoded(value, true)))
            .collect();
        assert_eq!(properties[0], ("file", name.to_owned()), "{line}");
        let keys: Vec<&str> = properties.iter().map(|(key, _)| *key).collect();
        assert_eq!(keys, ["file", "line", "col", "endLine", "endColumn", "title"], "{line}");
        assert!(!decoded(message, false).contains("%25"), "{line}");
    }
    assert!(ran.stdout.contains("%0A"), "{}", ran.stdout);
}

/// Decodes a value as `ActionCommand` in actions/runner does.
fn decoded(text: &str, property: bool) -> String {
    let mut text = text.replace("%0D", "\r").replace("%0A", "\n");
    if property {
        text = text.replace("%3A", ":").replace("%2C", ",");
    }
    text.replace("%25", "%")
}

/// Names with line breaks start no lines at the margin of what people read, where messages begin. In the log of a GitHub workflow, such a line could be a
/// command, and so could `##[` anywhere.
#[test]
fn no_name_starts_a_line() {
    const NAME: &str = "a\n::error::owned\n  ::stop-commands::owned\r\nowned ##[error]owned\u{2028}owned";
    let sandbox = Sandbox::new("text-lines");
    let check = |args: &[&str], text: &str| {
        for line in text.lines() {
            let start = line.trim_start();
            // crdgen's own messages start at the margin. Help and descriptions may have several lines, which are indented.
            assert!(!start.starts_with("::") && !line.starts_with("owned"), "{args:?}: {line:?} in {text}");
            assert!(!line.contains("##["), "{args:?}: {line:?}");
        }
    };
    sandbox.write("valid.json", valid(NAME));
    sandbox.write("names.json", definition(NAME, NAME, NAME, NAME));
    sandbox.write("name.json", GOOD_JSON.replace("goods.example.com", &escaped(NAME)));
    sandbox.write("type.json", GOOD_JSON.replace("\"string\"", &format!("\"{}\"", escaped(NAME))));
    sandbox.write("field.json", GOOD_JSON.replace("\"a\"", &format!("\"{}\"", escaped(NAME))));
    let object = |name: &str, kind: &str| {
        let [name, kind] = [name, kind].map(escaped);
        format!(
            "{{\"apiVersion\": \"example.com/v1\", \"kind\": \"{kind}\", \"metadata\": {{\"name\": \"{name}\", \"namespace\": \
             \"{name}\", \"labels\": {{\"{name}\": \"{name}\"}}}}, \"spec\": {{\"a\": 1, \"{name}\": 2}}}}\n"
        )
    };
    sandbox.write("object.json", object(NAME, "Good"));
    sandbox.write("kind.json", object(NAME, NAME));
    sandbox.write(
        "broken.json",
        format!("{{\"kind\": \"CustomResourceDefinition\", \"{0}\": 1, \"{0}\": 2", escaped(NAME)),
    );
    let file = format!("{}.json", NAME.replace('/', ""));
    sandbox.write(&file, "{");
    // These print documents or JSON, which contain the text as their format has it.
    let prints_documents = |args: &[&str]| {
        matches!(args[0], "docs" | "openapi" | "import" | "convert")
            || args[0] == "fit" && !args.contains(&"--sizes")
            || args.windows(2).any(|pair| pair[0] == "-o" && pair[1] != "wide")
            || args.contains(&"--show-result")
    };
    let more: &[&[&str]] = &[
        &["get", "--crd", "good.yaml", "--show-labels", "-L", NAME, "--", super::IN],
        &["get", "--crd", "good.yaml", "-o", "name", "--", super::IN],
        &["fit", "--sizes", super::IN],
        &["explain", "--crd", super::IN],
    ];
    let inputs = [
        "valid.json",
        "names.json",
        "name.json",
        "type.json",
        "field.json",
        "object.json",
        "kind.json",
        "broken.json",
        &file,
    ];
    for (number, input) in inputs.into_iter().enumerate() {
        for args in some(READERS, number).chain(more) {
            let args = with(args, input);
            let ran = sandbox.run(&args);
            check(&args, &ran.stderr);
            if !prints_documents(&args) || args.contains(&"name") {
                check(&args, &ran.stdout);
            }
        }
    }
    for args in
        [["check", "."].as_slice(), &["get", ".", "--crd", "good.yaml"], &["import", "."], &["migrate", "."]]
    {
        check(args, &sandbox.run(args).stderr);
    }
    let source = KINDS.replace("pub a", &format!("#[serde(rename = \"{}\")] pub a", escaped(NAME)));
    sandbox.write("source.rs", source.replace("\"Good\"", &format!("\"{}\"", escaped(NAME))));
    sandbox.write("moved.rs", source);
    for args in RUST_READERS {
        for input in ["source.rs", "moved.rs"] {
            let args = with(args, input);
            let ran = sandbox.run(&args);
            check(&args, &ran.stderr);
            if matches!(args[0], "check" | "validate" | "migrate-check") || args.contains(&"--report") {
                check(&args, &ran.stdout);
            }
        }
    }
}

/// The good CRD as JSON.
const GOOD_JSON: &str = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "goods.example.com"}, "spec": {"group": "example.com", "scope": "Namespaced",
"names": {"plural": "goods", "kind": "Good"}, "versions": [{"name": "v1", "served": true, "storage": true,
"additionalPrinterColumns": [{"name": "A", "type": "string", "jsonPath": ".spec.a"}],
"schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": {"type": "string"}}}}}}}]}}"#;

/// Returns a text as it is inside of the quotes of JSON. Rust reads it too.
fn escaped(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}
