//! Macros in sources: `macro_rules!` that declare types and values, and the macros of well-known crates.

use super::sources::{emit, emits, kind};

const DERIVE: &str = "#[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]\n#[serde(rename_all = \"camelCase\")]\n";

/// Returns a macro that declares structs with these fields.
fn declaring() -> String {
    format!(
        "macro_rules! made {{\n\
         ($($(#[$meta:meta])* $vis:vis struct $name:ident {{ $($field:ident: $ty:ty = $value:expr),* $(,)? }})+) => {{ $(\n\
         {DERIVE} $(#[$meta])* $vis struct $name {{ $(#[doc = concat!(\"The \", stringify!($field), \".\")] $vis $field: $ty,)* }}\n\
         impl Default for $name {{ fn default() -> Self {{ $name {{ $($field: $value),* }} }} }}\n\
         )+ }};\n}}\n"
    )
}

const WANTED: [&str; 3] = [
    r#""partOf":{"default":{"list":[],"netSum":14}"#,
    r#""netSum":{"description":"The net_sum.","format":"int64","type":"integer"}"#,
    r#""list":{"description":"The list.","items":{"type":"string"},"type":"array"}"#,
];

#[test]
fn reads_types_that_macros_declare() {
    let call = "made! { /// A part.\npub struct Part { net_sum: i64 = 2 * 7, list: Vec<String> = vec![] } pub struct Other { a: i32 = 1, } }\n";
    let field = "#[serde(default)] #[serde(rename = \"partOf\")] pub part: Part, pub other: Option<Other>";
    let one = kind("One", "", field);
    emits("macro", &(declaring() + call + &one), &WANTED);
    // A macro is known in the modules below, and everywhere by its path.
    for (name, text) in [
        ("macro-below", format!("{}pub mod inner {{ {call} }}\nuse inner::*;\n{one}", declaring())),
        (
            "macro-path",
            format!(
                "{one}crate::inner::made! {{ {} }}\nmod inner {{ {} pub(crate) use made; }}\n",
                &call[8..call.len() - 2],
                declaring()
            ),
        ),
        ("macro-use", format!("{one}#[macro_use] mod inner {{ {} }}\n{call}", declaring())),
        (
            "macro-export",
            format!("{one}use crate::made;\n{call}mod inner {{ #[macro_export] {} }}\n", declaring()),
        ),
    ] {
        emits(name, &text, &WANTED);
    }
}

#[test]
fn chooses_the_rule_that_matches() {
    let code = format!(
        "macro_rules! made {{\n\
         (@one $name:ident, $ty:ty) => {{ {DERIVE} pub struct $name(pub $crate::Inner<$ty>); }};\n\
         ($name:ident) => {{ made!(@one $name, i32); }};\n\
         ($name:ident: $ty:ty $(; $more:tt)*) => {{ made!(@one $name, Option<$ty>); $(made! $more;)* }};\n}}\n\
         {DERIVE} pub struct Inner<T> {{ pub inner: T }}\n\
         made!(A);\nmade! {{ B: String; (C) }}\n"
    );
    let one = kind("One", "", "pub a: A, pub b: B, pub c: C");
    let integer = r#"{"properties":{"inner":{"format":"int32","type":"integer"}},"required":["inner"],"type":"object"}"#;
    let wanted = [
        format!("\"a\":{integer}"),
        format!("\"c\":{integer}"),
        r#""b":{"properties":{"inner":{"nullable":true,"type":"string"}}"#.to_owned(),
    ];
    emits("rules", &(code + &one), &wanted.each_ref().map(String::as_str));
}

/// A macro that shadows another one is called after its declaration, but not before.
#[test]
fn knows_where_a_macro_is_declared() {
    let declared =
        |ty: &str| format!("macro_rules! made {{ ($name:ident) => {{ pub type $name = {ty}; }}; }}\n");
    let text = declared("String")
        + "made!(A);\nmod inner { "
        + &declared("bool")
        + "made!(B); }\nmade!(C);\n"
        + &declared("i64")
        + "made!(D);\nuse inner::B;\n"
        + &kind("One", "", "pub a: A, pub b: B, pub c: C, pub d: D");
    let wanted = [
        r#""a":{"type":"string"},"b":{"type":"boolean"},"c":{"type":"string"},"d":{"format":"int64","type":"integer"}"#,
    ];
    emits("shadow", &text, &wanted);
}

/// A macro that expands without end gives nothing, and the missing types are reported.
#[test]
fn reports_types_of_macros_that_cannot_be_read() {
    for (name, code) in [
        ("endless", "macro_rules! made { ($a:ident) => { made!($a); made!($a); }; }\nmade!(Gone);\n"),
        ("no-rule", "macro_rules! made { (a) => { pub type Gone = i32; }; }\nmade!(b);\n"),
        ("no-macro", "made!(Gone);\n"),
        ("large", "macro_rules! made { ($($a:tt)*) => { made!($($a)* $($a)*); }; }\nmade!(Gone);\n"),
    ] {
        let (code, _, stderr) =
            emit(&format!("macro-{name}"), &(code.to_owned() + &kind("One", "", "pub a: Gone")), "");
        assert!(
            code == Some(1) && stderr.contains("crdgen cannot find the type `Gone` in the sources"),
            "{name}: {stderr}"
        );
    }
}

/// Errors are reported at the call of the macro.
#[test]
fn finds_the_place_of_what_macros_declare() {
    let code = format!(
        "macro_rules! made {{ ($name:ident, $ty:ty) => {{ {DERIVE} pub struct $name {{ pub a: $ty }} }}; }}\nmade!(Part, Missing);\n"
    );
    let lines = code.lines().count();
    let (exit, _, stderr) = emit("macro-place", &(code + &kind("One", "", "pub a: Part")), "");
    let place = format!("lib.rs:{lines}:13");
    assert!(exit == Some(1) && stderr.contains(&place) && stderr.contains("`Missing`"), "{place}: {stderr}");
}

/// If one call declares several kinds, those without an error are emitted.
#[test]
fn withholds_only_the_kind_that_has_an_error() {
    let declared = kind("$name", "", "$(#[$meta])* pub a: $ty").replace("\"$name\"", "$kind");
    let declared =
        declared.replace("$nameSpec", "$name").replace("\"$name.example.com\"", "\"made.example.com\"");
    let wrong = [
        // Errors of the field, of a type, of a linked type, and of the kind's root.
        "TwoSpec, \"Two\", Gone;",
        "TwoSpec, \"Two\", #[schema(nothing = 1)] i32;",
        "TwoSpec, \"Two\", #[schema(min_length = 1)] i32;",
        "TwoSpec, \"Two\", std::collections::BTreeMap<bool, (i32, String)>;",
        "TwoSpec, \"two kinds\", i32;",
    ];
    for (number, wrong) in wrong.into_iter().enumerate() {
        let rules = format!(
            "macro_rules! made {{ ($($name:ident, $kind:literal, $(#[$meta:meta])* $ty:ty;)*) => {{ $({declared})* }}; }}\n"
        );
        let text =
            format!("{rules}made! {{ OneSpec, \"One\", i32; {wrong} ThreeSpec, \"Three\", String; }}\n");
        let (code, stdout, stderr) = emit(&format!("macro-kinds-{number}"), &text, "");
        assert!(
            code == Some(1)
                && stdout.contains("kind: One\n")
                && stdout.contains("kind: Three\n")
                && stderr.contains("crdgen did not emit 1 of 3 kinds"),
            "{wrong}: {stdout}{stderr}"
        );
    }
}

#[test]
fn evaluates_macros() {
    let text = "macro_rules! domain { () => { \"example.com\" }; ($s:literal) => { concat!(domain!(), \"/\", $s) }; }\n\
                fn f() -> String { domain!(\"a\").to_string() }\n";
    emits(
        "domain",
        &(kind("One", "", "#[serde(default = \"f\")] pub a: String") + text),
        &[r#""default":"example.com/a""#],
    );
    let limits = "fn f() -> k8s_openapi::api::core::v1::ResourceRequirements { ResourceRequirements { limits: Some(btreemap! { \"cpu\".into() => Quantity(\"2\".into()), \"memory\".to_string() => Quantity(Self::memory()), }), ..Default::default() } }\n";
    let code = limits.replace("Self::memory()", "memory()")
        + "fn memory() -> String { \"1Gi\".into() }\nuse k8s_openapi::{api::core::v1::ResourceRequirements, apimachinery::pkg::api::resource::Quantity};\nuse maplit::btreemap;\n";
    emits(
        "btreemap",
        &(kind("One", "", "#[serde(default = \"f\")] pub a: ResourceRequirements") + &code),
        &[r#""default":{"limits":{"cpu":"2","memory":"1Gi"}}"#],
    );
    let labels = "fn f() -> BTreeMap<String, i32> { maplit::hashmap! { LABEL => 1, \"b\" => 2 } }\nconst LABEL: &str = \"a\";\nuse std::collections::BTreeMap;\n";
    emits(
        "hashmap",
        &(kind("One", "", "#[serde(default = \"f\")] pub a: BTreeMap<String, i32>") + labels),
        &[r#""default":{"a":1,"b":2}"#],
    );
    let set = "fn f() -> BTreeSet<String> { btreeset![\"b\".to_owned(), \"a\".to_owned()] }\nuse std::collections::BTreeSet;\n";
    emits(
        "btreeset",
        &(kind("One", "", "#[serde(default = \"f\")] pub a: BTreeSet<String>") + set),
        &[r#""default":["a","b"]"#],
    );
}

/// A macro of the crate takes precedence, whatever its name, and its variables are its own.
#[test]
fn guesses_no_values_of_macros() {
    let field = "#[serde(default = \"f\")] pub a: i32";
    let own = "macro_rules! vec { ($a:expr) => { $a + 1 }; }\nfn f() -> i32 { vec![2 * 3] * 2 }\n";
    emits("own-vec", &(kind("One", "", field) + own), &[r#""default":14"#]);
    for (name, code) in [
        (
            "variables",
            "macro_rules! twice { ($a:expr) => { { let x = 1; $a + x } }; }\nfn f() -> i32 { let x = 5; twice!(x) }\n",
        ),
        (
            "several",
            "mod a { macro_rules! one { () => { 1 }; } fn g() -> i32 { one!() } }\nmacro_rules! one { () => { 2 }; }\nfn f() -> i32 { one!() }\n",
        ),
        ("width", "fn f() -> i32 { format!(\"{:5}\", 1).len() as i32 }\n"),
    ] {
        let (exit, _, stderr) = emit(&format!("value-{name}"), &(kind("One", "", field) + code), "");
        assert!(exit == Some(1) && stderr.contains("without running code"), "{name}: {stderr}");
    }
}

#[test]
fn evaluates_fields_and_formatted_texts() {
    let code = format!(
        "{DERIVE} pub struct Images {{ #[serde(rename = \"v15\")] pub pg15: Option<String>, pub port_number: u16, #[serde(flatten)] pub rest: Rest }}\n\
         {DERIVE} pub struct Rest {{ pub rest: String }}\n\
         fn images() -> Images {{ Images {{ pg15: Some(\"pg:15\".to_string()), port_number: 80, rest: Rest {{ rest: \"r\".into() }} }} }}\n\
         fn repository() -> String {{ \"example.com\".to_owned() }}\n"
    );
    let field = "#[serde(default = \"f\")] pub a: String";
    for (name, body, wanted) in [
        (
            "field",
            "let image = images(); let tag = image.pg15.expect(\"is there\"); let repo = repository(); format!(\"{}/{tag}{sign}\", repo, sign = \"!\")",
            Some("example.com/pg:15!"),
        ),
        (
            "format",
            "let image = images().pg15.unwrap(); let repo = repository(); format!(\"{repo}/{{{image}}}\")",
            Some("example.com/{pg:15}"),
        ),
        ("numbers", "format!(\"{1}:{0}\", images().port_number, repository())", Some("example.com:80")),
        (
            "positions",
            "let image = images(); let tag = image.pg15.expect(\"is there\"); let repo = repository(); format!(\"{}/{}\", repo, tag)",
            Some("example.com/pg:15"),
        ),
        (
            "absent",
            "let image = Images { pg15: None, port_number: 1, rest: Rest { rest: String::new() } }; image.pg15.unwrap()",
            None,
        ),
        ("flattened", "images().rest.rest", None),
    ] {
        let text = kind("One", "", field) + &code + &format!("fn f() -> String {{ {body} }}\n");
        match wanted {
            Some(wanted) => emits(name, &text, &[&format!(r#""default":"{wanted}""#)]),
            None => {
                let (exit, _, stderr) = emit(&format!("field-{name}"), &text, "");
                assert!(exit == Some(1) && stderr.contains("without running code"), "{name}: {stderr}");
            }
        }
    }
}

/// All items of one call have the same place, so each kind that may have the error is withheld.
#[test]
fn withholds_kinds_with_errors_in_what_macros_declare() {
    let kinds =
        kind("One", "", "pub $field: i32") + &kind("Two", "", "#[serde(default = \"f\")] pub $field: i32");
    let code = format!(
        "macro_rules! kinds {{ ($field:ident) => {{ {kinds} fn f() -> i32 {{ (1..=4).product() }} }}; }}\nkinds!(size);\n"
    );
    let (exit, stdout, stderr) = emit("macro-kinds", &(code + &kind("Three", "", "pub a: i32")), "");
    assert!(
        exit == Some(1) && stdout.contains("kind: Three") && !stdout.contains("kind: Two"),
        "{stdout}{stderr}"
    );
    assert!(
        stderr.contains("not emitted: twos.two.example.com: ") && stderr.contains("`(1..=4).product()`"),
        "{stderr}"
    );
}
