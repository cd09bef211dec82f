//! Rules in the derive: compilers underline a whole literal, so the message itself shows the place.

use crdgen_rust::derive::item;

#[track_caller]
fn error(source: &str) -> String {
    let tokens = source.parse().unwrap_or_else(|e| panic!("{e}"));
    let code = item::schema(tokens).to_string();
    let start = code.find("compile_error ! { \"").map(|i| i + "compile_error ! { \"".len());
    let rest = start.map(|i| &code[i..]).unwrap_or_else(|| panic!("no error in {code}"));
    rest.split("\" }").next().unwrap_or_default().replace("\\n", "\n").replace("\\\"", "\"")
}

#[test]
fn the_message_shows_the_place() {
    let source = "#[schema(rule = \"self.a > 1 && self.b\")]\nstruct S { a: i32 }";
    assert_eq!(
        error(source),
        "undefined field 'b' [CEL001]\n  --> 1:36\n   | \"self.a > 1 && self.b\"\n   |                    ^\n  help: the fields here are a"
    );
    let source = "#[schema(rule = r#\"self.a == 1 &&\n  self.b == \"x\"\"#)]\nstruct S { a: i32 }";
    assert_eq!(
        error(source),
        "undefined field 'b' [CEL001]\n  --> 2:7\n   |   self.b == \"x\"\"#\n   |       ^\n  help: the fields here are a"
    );
}

#[test]
fn valid_rules_cause_no_message() {
    let source = "#[schema(rule = \"self.a > 1 && self.o.anything\")]\nstruct S { a: i32, o: Other }";
    let code = item::schema(source.parse().unwrap_or_else(|e| panic!("{e}"))).to_string();
    assert!(!code.contains("compile_error"), "{code}");
}
