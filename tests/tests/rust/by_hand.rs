//! Schemas that code writes by hand for schemars: crdgen evaluates the code, or reports that it cannot.

use super::by_schemars::source;
use crdgen_core::{encode, json};
use crdgen_source::{CrateSource, Program, Sources};

/// A project, and the version of strum that it uses.
struct Project<'a> {
    root: &'a str,
    strum: &'a str,
}

impl Sources for Project<'_> {
    fn read(&mut self, path: &str) -> Option<String> {
        (path == "lib.rs").then(|| self.root.to_owned())
    }

    fn extern_crate(&mut self, _: &CrateSource, name: &str) -> Option<CrateSource> {
        (name == "strum").then(|| source(name, None))
    }

    fn version(&mut self, _: &CrateSource, name: &str) -> Option<String> {
        (name == "strum_macros").then(|| self.strum.to_owned())
    }
}

/// Returns the schema of a field of this type, or the first error without its reason. `code` declares the type.
fn field(ty: &str, code: &str, strum: &str) -> String {
    let text = schema(ty, code, strum);
    text.split_once(": it does not evaluate").map_or(text.clone(), |(text, _)| text.to_owned())
}

/// Returns the schema of a field of this type, or the first error.
fn schema(ty: &str, code: &str, strum: &str) -> String {
    let root = format!(
        "use kube::CustomResource;\nuse schemars::JsonSchema;\n#[derive(CustomResource, JsonSchema)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]\npub struct FooSpec {{\n    pub value: {ty},\n}}\n{code}"
    );
    let mut project = Project { root: &root, strum };
    let program = Program::new(&mut project, source("lib", None));
    let kinds = program.kinds(&|_, _| true).known;
    if let Some(found) = program.found().first() {
        return found.diag.detail.to_string();
    }
    let version = kinds.first().and_then(|kind| kind.crd.spec.versions.first());
    let schema = version.and_then(|it| it.body.schema.as_ref()?.open_api_v3_schema.as_ref());
    let value = schema.and_then(|it| it.properties.get("spec")?.properties.get("value"));
    value.map(|value| json::to_string(&encode::schema(value))).unwrap_or_default()
}

/// Returns the schema of `It`, whose `json_schema` has this body, with other code after it.
fn body(body: &str, more: &str) -> String {
    field("It", &with_body(body, more), "")
}

fn with_body(body: &str, more: &str) -> String {
    format!(
        "pub struct It;\nimpl JsonSchema for It {{\n    fn schema_name() -> Cow<'static, str> {{ \"It\".into() }}\n    \
         fn json_schema(g: &mut SchemaGenerator) -> Schema {{ {body} }}\n}}\n{more}"
    )
}

const UNKNOWN: &str = "crdgen cannot determine the schema of `lib::It` without running code";

/// Types, functions and constants that only the function itself can use.
#[test]
fn local_items() {
    const PROXY: &str = "#[derive(JsonSchema)] struct Proxy { #[schemars(length(max = MOST))] name: Name, rest: Option<super::lib_is_the_root::No> }\n\
                         const MOST: u64 = 3; type Name = String; Proxy::json_schema(g)";
    let proxy = PROXY.replace(", rest: Option<super::lib_is_the_root::No>", "");
    let more = "#[derive(JsonSchema)] struct Proxy { other: bool }\nconst MOST: u64 = 5;";
    let wanted =
        r#"{"properties":{"name":{"maxLength":3,"type":"string"}},"required":["name"],"type":"object"}"#;
    assert_eq!(body(&proxy, more), wanted);
    // Other functions, and the module itself, have their own.
    let code = format!(
        "mod inner {{ use super::*; pub struct It;\nimpl JsonSchema for It {{ fn json_schema(g: &mut SchemaGenerator) -> Schema {{ {proxy} }} }}\n\
         pub struct Own; impl JsonSchema for Own {{ fn json_schema(g: &mut SchemaGenerator) -> Schema {{ \
         #[derive(JsonSchema)] struct Proxy {{ it: self::Proxy, up: super::Up }} Proxy::json_schema(g) }} }}\n\
         #[derive(JsonSchema)] pub struct Proxy {{ pub outer: i32 }} }}\n#[derive(JsonSchema)] pub struct Up {{ up: bool }}"
    );
    assert_eq!(field("inner::It", &code, ""), wanted);
    let own = r#"{"properties":{"it":{"properties":{"outer":{"format":"int32","type":"integer"}},"required":["outer"],"type":"object"},"up":{"properties":{"up":{"type":"boolean"}},"required":["up"],"type":"object"}},"required":["it","up"],"type":"object"}"#;
    assert_eq!(field("inner::Own", &code, ""), own);
    // The same in functions that return defaults.
    let code = "#[derive(JsonSchema)] #[serde(default)] pub struct It { port: i32 }\n\
                impl Default for It { fn default() -> Self { const PORT: i32 = 7; fn twice(n: i32) -> i32 { n * 2 } It { port: twice(PORT) } } }";
    let wanted =
        r#"{"properties":{"port":{"default":14,"format":"int32","type":"integer"}},"type":"object"}"#;
    assert_eq!(field("It", code, ""), wanted);
}

/// The same change of a schema, in the ways in which programs write it.
#[test]
fn changes() {
    const START: &str = r#"let mut schema = json_schema!({"type": "object", "title": "T", "properties": {"a": {"type": "string"}}, "required": ["a"]});"#;
    let wanted = r#"{"properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a","b"],"title":"U","type":"object"}"#;
    for (title, property, required) in [
        (
            r#"schema.insert("title".to_owned(), "U".into());"#,
            r#"if let Some(all) = schema.get_mut("properties").and_then(|it| it.as_object_mut()) { all.insert("b".to_owned(), json!({"type": "integer"})); }"#,
            r#"if let Some(Value::Array(all)) = schema.get_mut("required") { all.push(json!("b")); }"#,
        ),
        (
            r#"schema["title"] = "U".into();"#,
            r#"let all = schema.get_mut("properties").unwrap().as_object_mut().unwrap(); all.insert("b".to_owned(), json!({"type": "integer"}));"#,
            r#"let Some(Value::Array(_)) = schema.get_mut("required") else { panic!() };"#,
        ),
        (
            r#"schema.remove("title"); schema.ensure_object().insert("title".into(), Value::String("U".to_owned()));"#,
            r#"let object = schema.ensure_object(); object["properties"]["b"] = json!({"type": "integer"});"#,
            r#"let Some(all) = schema.get_mut("required").and_then(Value::as_array_mut) else { unreachable!() }; all.push("b".into());"#,
        ),
        (
            r#"if let Some(title) = schema.get_mut("title") { *title = "U".into(); }"#,
            r#"schema.ensure_object().entry("properties").or_insert(json!({})).as_object_mut().unwrap().insert("b".to_owned(), json!({"type": "integer"}));"#,
            r#"if let Some(Value::Object(map)) = schema.get_mut("required") { map.clear(); } if let Some(Value::Array(all)) = schema.get_mut("required") { all.push(Value::from("b")); }"#,
        ),
    ] {
        let got = body(&format!("{START} {title} {property} {required} schema"), "");
        let unread = required.contains("Array(_)");
        assert_eq!(got, if unread { UNKNOWN } else { wanted }, "{title} {property} {required}");
    }
    // The fields and methods of schemars 0.8.
    const OLDER: &str = "let mut schema = g.root_schema_for::<Vec<String>>().schema; schema.array().min_items = Some(1); \
                         let metadata = schema.metadata(); metadata.title = Some(\"U\".to_owned()); Schema::Object(schema)";
    assert_eq!(body(OLDER, ""), r#"{"items":{"type":"string"},"minItems":1,"title":"U","type":"array"}"#);
    const PROPERTY: &str = "let mut schema = SchemaObject::default(); schema.instance_type = Some(InstanceType::Object.into()); \
                            schema.object().properties.insert(\"a\".to_owned(), g.subschema_for::<bool>()); \
                            schema.object().required.insert(\"a\".to_owned()); schema.object().required.insert(\"a\".to_owned()); schema.into()";
    assert_eq!(
        body(PROPERTY, ""),
        r#"{"properties":{"a":{"type":"boolean"}},"required":["a"],"type":"object"}"#
    );
    const BOUND: &str = "let mut schema = g.subschema_for::<String>(); if let Schema::Object(object) = &mut schema { object.format = Some(\"date\".to_owned()); } schema";
    assert_eq!(body(BOUND, ""), r#"{"format":"date","type":"string"}"#);
}

/// Functions that write a part of a schema.
#[test]
fn calls() {
    let text = r#"{"maxLength":9,"type":"string"}"#;
    let more = "fn text(_: &mut SchemaGenerator) -> Schema { json_schema!({\"type\": \"string\", \"maxLength\": 9}) }\n\
                fn most(_: &mut SchemaGenerator, most: u32) -> Schema { json_schema!({\"type\": \"string\", \"maxLength\": most}) }\n\
                fn list<T: JsonSchema>(g: &mut SchemaGenerator) -> Schema { let items = g.subschema_for::<T>(); json_schema!({\"type\": \"array\", \"items\": items}) }\n\
                fn change(schema: &mut Schema) {} fn around(g: &mut SchemaGenerator) -> Schema { around(g) }\nconst MOST: u32 = 9;\n\
                impl It { fn text(g: &mut SchemaGenerator) -> Schema { text(g) } }";
    for (code, wanted) in [
        ("text(g)", text),
        ("It::text(g)", text),
        ("Self::text(g)", text),
        ("most(g, MOST)", text),
        ("let inner = text(g); inner", text),
        ("list::<bool>(g)", r#"{"items":{"type":"boolean"},"type":"array"}"#),
        (
            "Vec::<u8>::json_schema(g)",
            r#"{"items":{"format":"int32","maximum":255,"minimum":0,"type":"integer"},"type":"array"}"#,
        ),
        ("<Option<String> as JsonSchema>::json_schema(g)", r#"{"nullable":true,"type":"string"}"#),
        ("let mut schema = text(g); change(&mut schema); schema", UNKNOWN),
        ("around(g)", UNKNOWN),
        ("text()", UNKNOWN),
    ] {
        assert_eq!(body(code, more), wanted, "{code}");
    }
    // A variable of an inner block does not replace one around it.
    let shadowed = r#"let schema = json_schema!({"type": "string"}); let other = { let schema = json_schema!({"type": "integer"}); schema }; schema"#;
    assert_eq!(body(shadowed, ""), r#"{"type":"string"}"#);
}

/// `match`, `if`, methods and functions of traits, as in a macro that declares types for names.
#[test]
fn computed_keywords() {
    let more = r#"
pub enum Regex { Unknown, All, One(&'static str) }
impl Regex {
    const fn and(self, other: Self) -> Self {
        match (self, other) {
            (_, Self::All) => self,
            (Self::All, _) => other,
            _ => Self::Unknown,
        }
    }
}
pub trait Bounds { fn least() -> u32; }
impl Bounds for It { fn least() -> u32 { 2 } }
const MOST: usize = usize::MAX;
"#;
    for (keywords, expected) in [
        (r#""maxLength": if MOST != usize::MAX { Some(MOST) } else { None }"#, r#"{"type":"string"}"#),
        (r#""maxLength": match 5 { 1 | 2 => 3, n => n }"#, r#"{"maxLength":5,"type":"string"}"#),
        (r#""minLength": It::least()"#, r#"{"minLength":2,"type":"string"}"#),
        (
            r#""pattern": match Regex::One("^a$").and(Regex::All) { Regex::One(regex) => Some(regex), _ => None }"#,
            r#"{"pattern":"^a$","type":"string"}"#,
        ),
        (
            r#""pattern": match Regex::One("^a$").and(Regex::One("b")) { Regex::One(regex) => Some(regex), _ => None }"#,
            r#"{"type":"string"}"#,
        ),
        (r#""maxLength": match 5 { n if n > 6 => 3, _ => 4 }"#, r#"{"maxLength":4,"type":"string"}"#),
        (r#""maxLength": match 7 { n if n > 6 => n, _ => 4 }"#, r#"{"maxLength":7,"type":"string"}"#),
        (r#""maxLength": match 7 { n if is_it() => n, _ => 4 }"#, UNKNOWN),
    ] {
        let found = body(&format!(r#"json_schema!({{"type": "string", {keywords}}})"#), more);
        assert_eq!(found, expected, "{keywords}");
    }
}

/// Names and other expressions as keys: `json!` evaluates them.
#[test]
fn computed_keys() {
    let more = r#"
const NAME: &str = "abc";
const NUMBER: u8 = 5;
mod names { pub const OTHER: &str = "o"; }
impl It { const OWN: &'static str = "own"; }
"#;
    let of = |name: &str| format!(r#"{{"properties":{{"{name}":{{"type":"string"}}}},"type":"object"}}"#);
    for (key, name) in [
        ("NAME", "abc"),
        ("names::OTHER", "o"),
        ("Self::OWN", "own"),
        ("(NAME)", "abc"),
        (r#"concat!("a", "b")"#, "ab"),
        (r#"format!("{}-x", NAME)"#, "abc-x"),
        (r#"NAME.to_owned()"#, "abc"),
        (r#""plain""#, "plain"),
        ("local", "l"),
    ] {
        for macros in ["json_schema", "json"] {
            let schema =
                format!(r#"{macros}!({{"type": "object", "properties": {{{key}: {{"type": "string"}}}}}})"#);
            let code = format!(r#"let local = "l"; Schema::try_from({schema}).unwrap()"#);
            assert_eq!(body(&code, more), of(name), "{key}");
        }
    }
    for key in ["UNKNOWN", "NUMBER", "names", "made()", "NAME NAME"] {
        let code =
            format!(r#"json_schema!({{"type": "object", "properties": {{{key}: {{"type": "string"}}}}}})"#);
        assert_eq!(body(&code, more), UNKNOWN, "{key}");
    }
    assert_eq!(
        body(r#"json_schema!({"type": "number", "default": 0.1f32})"#, ""),
        r#"{"default":0.10000000149011612,"type":"number"}"#
    );
}

/// `if`, `match`, texts, constants and variables around the macros.
#[test]
fn computed_bodies() {
    let more = r#"
const MAX: u32 = 9;
const LOW: u32 = 3;
pub enum Mode { Short, Long }
const MODE: Mode = Mode::Long;
impl It { const OWN: u32 = 5; }
"#;
    let text = |most: u32| format!(r#"{{"maxLength":{most},"type":"string"}}"#);
    let schema = |most: &str| format!(r#"json_schema!({{"type": "string", "maxLength": {most}}})"#);
    for (code, most) in [
        (format!("if MAX > 5 {{ {} }} else {{ {} }}", schema("1"), schema("2")), 1),
        (
            format!(
                "if LOW > 5 {{ {} }} else if MAX > 5 {{ {} }} else {{ {} }}",
                schema("1"),
                schema("2"),
                schema("3")
            ),
            2,
        ),
        (format!("match MAX {{ 9 => {}, _ => {} }}", schema("1"), schema("2")), 1),
        (format!("match MODE {{ Mode::Short => {}, Mode::Long => {} }}", schema("1"), schema("2")), 2),
        (format!("match MAX {{ n if n > 20 => {}, n => {} }}", schema("n"), schema("n + 1")), 10),
        (format!("let s = if MAX > 5 {{ {} }} else {{ {} }}; s", schema("1"), schema("2")), 1),
        (
            format!(
                r#"let mut s = {}; if MAX > 5 {{ s.insert("maxLength".to_owned(), json!(7)); }} s"#,
                schema("1")
            ),
            7,
        ),
        (format!(r#"let mut s = {}; if LOW > 5 {{ s.remove("type"); }} s"#, schema("1")), 1),
        (
            format!(
                r#"let mut s = {}; if LOW > 5 {{ s.remove("type"); }} else {{ let n = LOW; s["maxLength"] = json!(n); }} s"#,
                schema("1")
            ),
            3,
        ),
        (schema("Self::OWN"), 5),
        (schema("It::OWN"), 5),
        (format!("let n = 1; let n = n + 1; let n = n * MAX; {}", schema("n")), 18),
        (format!("let MAX = 4; {}", schema("MAX + 1")), 5),
    ] {
        assert_eq!(body(&code, more), text(most), "{code}");
    }
    let code = r#"json_schema!({"type": "string", "pattern": format!("^.{{0,{}}}{MAX}$", Self::OWN)})"#;
    assert_eq!(body(code, more), r#"{"pattern":"^.{0,5}9$","type":"string"}"#);
    for code in [
        format!("if is_it() {{ {} }} else {{ {} }}", schema("1"), schema("2")),
        format!("match made() {{ 1 => {}, _ => {} }}", schema("1"), schema("2")),
        format!("let n = made(); {}", schema("n + 1")),
        format!("let MAX = made(); {}", schema("MAX + 1")),
    ] {
        assert_eq!(body(&code, more), UNKNOWN, "{code}");
    }
}

/// What crdgen does not know is not guessed.
#[test]
fn not_guessed() {
    for code in [
        "let mut schema = text(); schema.retain(|_, _| true); schema",
        r#"let mut schema = json_schema!({"type": "string"}); for _ in 0..2 { schema.insert("format".into(), "date".into()); } schema"#,
        r#"let mut schema = json_schema!({"type": "string"}); if it_is_so() { schema.remove("type"); } schema"#,
        r#"let mut schema = json_schema!({"type": "string"}); if let Some(it) = schema.get_mut("type") { it.take(); } schema"#,
        r#"let mut schema = g.subschema_for::<String>().into_object(); if let Some(object) = &mut schema.object { object.required.insert("a".to_owned()); } schema.into()"#,
        r#"let mut schema = json_schema!({"type": "string"}); let Some(title) = schema.get_mut("title") else { return other }; schema"#,
        r#"let mut schema = json_schema!({"type": "string"}); if let Some(it) = schema.get_mut("type").and_then(|it| it.as_object_mut()) { *it = Map::new(); } schema"#,
    ] {
        assert_eq!(body(code, ""), UNKNOWN, "{code}");
    }
    // The error names the first statement that is not evaluated.
    let other = "pub struct Other; impl JsonSchema for Other { fn json_schema(_: &mut SchemaGenerator) -> Schema { made() } }";
    for (code, why) in [
        (
            r#"let mut schema = json_schema!({}); for it in list() { schema.push(it); } schema"#,
            "for it in list() { schema.push(it); }",
        ),
        ("let schema = text(); schema.retain(all); schema", "schema.retain(all);"),
        (
            r#"let other = g.subschema_for::<Other>(); json_schema!({"items": other})"#,
            r#"json_schema!({"items": other})"#,
        ),
        ("Other::json_schema(g)", "Other::json_schema(g)"),
    ] {
        assert_eq!(
            schema("It", &with_body(code, other), ""),
            format!("{UNKNOWN}: it does not evaluate `{why}`")
        );
    }
}

/// The enums that strum's `EnumDiscriminants` generates.
#[test]
fn discriminants() {
    const CODE: &str = "use strum_macros::EnumDiscriminants;\n\
        /// Not this.\n#[derive(EnumDiscriminants)]\n#[strum_discriminants(derive(JsonSchema, Serialize), serde(rename_all = \"snake_case\"))]\n\
        pub enum Auth {\n    /// A.\n    #[serde(rename = \"other\")]\n    AwsRds { region: String },\n    #[default]\n    GcpSql(String),\n    \
        #[strum_discriminants(serde(rename = \"third\"))]\n    Third,\n    #[strum_discriminants(schemars(skip))]\n    Unknown,\n}\n\
        pub struct It;\nimpl JsonSchema for It {\n    fn json_schema(g: &mut SchemaGenerator) -> Schema {\n        \
        #[derive(Serialize, JsonSchema)]\n        struct Proxy { #[serde(rename = \"type\")] tag: AuthDiscriminants, #[serde(flatten)] rest: HashMap<String, serde_json::Value> }\n        \
        Proxy::json_schema(g)\n    }\n}\nuse std::collections::HashMap;";
    let values = r#""enum":["aws_rds","gcp_sql","third"],"type":"string""#;
    // The documentation of variants is part of that of the enum.
    let documented = r#""description":"Auto-generated discriminant enum variants\n\n- aws_rds: A.","#;
    let silent = r#""description":"- aws_rds: A.","#;
    for (version, description) in
        [("0.26.4", documented), ("0.27.1", documented), ("0.27.2", silent), ("0.28.0", documented)]
    {
        assert_eq!(
            field("AuthDiscriminants", CODE, version),
            format!("{{{description}{values}}}"),
            "{version}"
        );
        let proxy = format!(
            r#"{{"properties":{{"type":{{{description}{values}}}}},"required":["type"],"type":"object","x-kubernetes-preserve-unknown-fields":true}}"#
        );
        assert_eq!(field("It", CODE, version), proxy, "{version}");
    }
    // Newer releases may generate something else.
    let unknown = field("AuthDiscriminants", CODE, "0.99.0");
    assert!(unknown.contains("cannot find the type `AuthDiscriminants`"), "{unknown}");
    // A name, a visibility and documentation.
    let code = CODE.replace("snake_case\")", "snake_case\"), name(Kind), vis(pub(crate)), doc = \"Kinds.\"");
    let wanted =
        |description: &str| format!(r#"{{"description":"{description}\n\n- aws_rds: A.",{values}}}"#);
    assert_eq!(field("Kind", &code, "0.28.1"), wanted("Kinds."));
    assert_eq!(field("Kind", &code, "0.27.2"), wanted("Kinds."));
    // Only 0.28 keeps the default.
    let code = CODE.replace(
        "pub struct It;",
        "#[derive(JsonSchema)] pub struct Has { #[serde(default)] kind: AuthDiscriminants }\npub struct It;",
    );
    let has = field("Has", &code, "0.28.0");
    assert!(has.contains(r#""default":"gcp_sql""#), "{has}");
    let has = field("Has", &code, "0.27.2");
    assert!(has.contains("default"), "{has}");
    assert!(!has.contains("gcp_sql"), "{has}");
}
