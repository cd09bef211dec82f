//! Sources that are nested too deeply for any stack, on every route that reads Rust: an error, and not a crash.

use super::ui::sources;
use crdgen_core::diag::codes::rust as codes;
use crdgen_rust::derive::item;
use crdgen_rust::syntax::nesting;
use crdgen_source::Found;

/// The stack size of a compiler's threads.
const COMPILER: usize = 8 << 20;

/// Nested code: the start, one level, the innermost part, and the end of one level.
const NESTED: &[(&str, &str, &str, &str)] = &[
    ("const A: u8 = ", "(", "1", ")"),
    ("const A: u8 = ", "[", "1", "]"),
    ("const A: u8 = ", "{", "1", "}"),
    ("const A: bool = ", "!", "true", ""),
    ("const A: u8 = 1", " + 1", "", ""),
    ("const A: u8 = a", ".f()", "", ""),
    ("const A: u8 = a", "?", "", ""),
    ("const A: u8 = a", "[0]", "", ""),
    ("const A: u8 = ", "|a| ", "1", ""),
    ("const A: u8 = ", "&", "1", ""),
    ("const A: u8 = 1", " as u8", "", ""),
    ("const A: u8 = ", "vec![", "1", "]"),
    ("const A: u8 = ", "f(", "1", ")"),
    ("const A: u8 = ", "return ", "1", ""),
    ("const A: u8 = ", "if true { 1 } else ", "{ 1 }", ""),
    ("fn f() -> u8 { if a {} ", "else if a {} ", "", ""),
    ("type A = ", "Vec<", "u8", ">"),
    ("type A = ", "&'static ", "u8", ""),
    ("type A = ", "*const ", "u8", ""),
    ("type A = ", "fn() -> ", "u8", ""),
    ("type A = ", "Box<dyn Fn(", "u8", ")>"),
    ("type A = ", "<", "u8", " as B>::C"),
    ("use ", "a::", "b", ""),
    ("use ", "a::{", "b", "}"),
    ("", "mod a {", "", "}"),
    ("", "fn f() {", "", "}"),
    ("", "impl A { fn f() {", "", "}}"),
    ("#[a", "(", "b", ")] struct A"),
    ("#[doc = ", "concat!(", "\"\"", ")] struct A"),
    ("fn f() { match 1 { ", "A(", "_", ")"),
    ("macro_rules! a { ", "(", "", ")"),
];

fn nested((start, level, inner, end): (&str, &str, &str, &str), times: usize) -> String {
    // Code that comes only once, after all levels, is added to each of them here.
    let (end, once) = end.split_once("] struct").map_or((end, ""), |(end, _)| (end, "] struct A"));
    let mut out = format!("{start}{}{inner}{}{once}", level.repeat(times), end.repeat(times));
    let mut open = Vec::new();
    for c in out.chars() {
        match c {
            '{' | '(' | '[' => open.push(c),
            '}' | ')' | ']' => _ = open.pop(),
            _ => {}
        }
    }
    if !out.ends_with('}') {
        out.push(if start.contains("match") || start.contains("else") { ' ' } else { ';' });
    }
    out.extend(open.iter().rev().map(|c| match c {
        '{' => '}',
        '(' => ')',
        _ => ']',
    }));
    out
}

const KIND: &str = "#[derive(CustomResource, Schema)]\n#[kube(group = \"ui.example.com\", version = \"v1\", kind = \"Foo\")]\n";

fn with_stack<T: Send>(stack: usize, run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, run);
        thread.map(std::thread::ScopedJoinHandle::join).unwrap_or_else(|e| panic!("{e}"))
    })
    .unwrap_or_else(|_| panic!("it panicked"))
}

fn too_deep(found: &[Found]) -> bool {
    found.iter().any(|f| *f.diag.code == codes::TOO_DEEP && f.at.is_some())
}

#[test]
fn files_that_nest_without_end_are_errors_with_a_place() {
    for nest in NESTED {
        // Up to the limit everything is read, so the stack is large enough for it.
        for times in [3, 30, 60, 120, 250, 500, 1000, 2000, 4000, 20_000] {
            let source = nested(*nest, times);
            let found = with_stack(nesting::STACK, || sources(&[("lib.rs", &source)]));
            assert!(times < 20_000 || too_deep(&found), "{nest:?} {times}: {found:?}");
            assert!(times > 3 || !too_deep(&found), "{nest:?} {times}: {found:?}");
        }
    }
}

#[test]
fn kinds_that_nest_without_end_are_errors_with_a_place() {
    for times in [30, 60, 120, 250, 500, 1000, 4000] {
        let many = |open: &str, inner: &str, close: &str| {
            format!("{}{inner}{}", open.repeat(times), close.repeat(times))
        };
        for field in [
            format!("pub f: {},", many("Vec<", "u8", ">")),
            format!("pub f: {},", many("&'static ", "u8", "")),
            format!("pub f: {},", many("(", "u8", ",)")),
            format!("pub f: [u8; {}],", many("(", "1", ")")),
            format!("#[schema(default = {})] pub f: u8,", many("[", "1", "]")),
            format!("#[schema({})] pub f: u8,", many("items(", "minimum = 1", ")")),
            format!("#[schema(minimum = {})] pub f: u8,", many("(", "1", ")")),
            format!("#[schema(minimum = \"{}\")] pub f: u8,", many("(", "1", ")")),
            format!("#[schema(as = \"{}\")] pub f: u8,", many("Vec<", "u8", ">")),
            format!("#[serde(default = \"{}\")] pub f: u8,", many("(", "f", ")")),
            format!("#[validate(regex(path = {}))] pub f: String,", many("*", "A", "")),
            format!("#[x_kube(validation = Rule::new(\"a\"){})] pub f: u8,", many(".message(\"b\")", "", "")),
            format!(
                "{} pub f: u8,",
                many("#[cfg_attr(all(), ", "schema(minimum = 1)", ")]").replace(")])]", "))]")
            ),
        ] {
            let bound = many("A<", "u8", ">");
            let source =
                format!("{KIND}#[schemars(bound = \"T: {bound}\")] pub struct FooSpec {{ {field} }}");
            let found = with_stack(nesting::STACK, || sources(&[("lib.rs", &source)]));
            assert!(times < 4000 || found.iter().any(|f| f.at.is_some()), "{source}");
            let item = source.rsplit_once("kind = \"Foo\")]\n").map_or("", |(_, item)| item);
            let expand = || {
                let tokens = item.parse::<proc_macro2::TokenStream>().unwrap_or_default();
                item::schema(tokens).to_string()
            };
            let code = with_stack(COMPILER, expand);
            assert!(times < 4000 || code.contains("compile_error"), "{field}");
        }
    }
}

/// The derives can read the code for the deepest schema that a server accepts.
#[test]
fn the_deepest_definition_can_be_code() {
    let ty = format!("{}u8{}", "Vec<".repeat(97), ">".repeat(97));
    let raw = format!(
        "{}{{ \"type\": \"string\" }}{}",
        "{ \"type\": \"object\", \"properties\": { \"a\": ".repeat(97),
        "} }".repeat(97)
    );
    for field in [format!("f: {ty},"), format!("#[schema(raw = {raw})] f: B,")] {
        let code = with_stack(COMPILER, || {
            item::schema(format!("struct A {{ {field} }}").parse().unwrap_or_default()).to_string()
        });
        assert!(!code.contains("compile_error"), "{code}");
    }
}

#[test]
fn modules_without_end_are_errors_with_a_place() {
    let code = |found: &[Found]| found.iter().map(|f| (f.diag.code.id, f.at.is_some())).collect::<Vec<_>>();
    let itself = "#[path = \"lib.rs\"] mod a; #[path = \"./x/../lib.rs\"] mod b;";
    let found = sources(&[("lib.rs", itself), ("./lib.rs", itself), ("././x/../lib.rs", itself)]);
    assert_eq!(code(&found), [(codes::MODULES.id, true); 2]);
    assert!(found[0].diag.detail.contains("lib.rs -> "), "{}", found[0].diag.detail);
    let found = sources(&[("lib.rs", "mod a;"), ("./a.rs", "#[path = \"a.rs\"] mod a;")]);
    assert_eq!(code(&found), [(codes::MODULES.id, true)]);
    // A chain of files in which each is a module of the one before, and a chain in which each is a module twice.
    for (twice, wanted) in [("", codes::TOO_DEEP.id), ("#[path = \"NEXT\"] mod b;", codes::MODULES.id)] {
        let name = |n: usize| if n == 0 { "lib.rs".to_owned() } else { format!("./f{n}.rs") };
        let files: Vec<(String, String)> = (0..150)
            .map(|n| {
                let next = format!("f{}.rs", n + 1);
                (name(n), format!("#[path = \"{next}\"] mod a; {}", twice.replace("NEXT", &next)))
            })
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
        let found = with_stack(nesting::STACK, || sources(&files));
        assert!(code(&found).contains(&(wanted, true)), "{found:?}");
    }
}

/// A module that is declared several times is read once. If not, these would be 2^40 modules.
#[test]
fn files_that_are_declared_twice_are_read_once() {
    let name = |n: usize| if n == 0 { "lib.rs".to_owned() } else { format!("./f{n}.rs") };
    let files: Vec<(String, String)> = (0..40)
        .map(|n| {
            let declared = format!("#[path = \"f{}.rs\"] mod a; ", n + 1);
            (name(n), declared.repeat(if n < 39 { 2 } else { 0 }))
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let found = with_stack(nesting::STACK, || sources(&files));
    assert!(found.is_empty(), "{found:?}");
}
