//! Prints the lines of JSON for which a condition is true: `cargo run --example filter --features serde -- 'line.level == "error"' < log`

use crdgen_cel::Env;
use crdgen_cel::eval::Limits;
use crdgen_cel::library::Type;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{self, BufRead, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let condition = std::env::args().nth(1).ok_or("usage: filter CONDITION")?;
    filter(&condition, io::stdin().lock(), io::stdout().lock())
}

fn filter(condition: &str, lines: impl BufRead, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let env = Env::builder().variable("line", Type::Dyn).build()?;
    let program = env.compile(condition)?.program()?;
    for line in lines.lines() {
        let line = line?;
        let value: Value = serde_json::from_str(&line)?;
        let values = env.values(&json!({ "line": value }))?;
        // A line without the fields that the condition reads is an error, and is left out.
        if program.eval(&values, Limits::CALL).value.is_ok_and(|value| value.to::<bool>().unwrap_or(false)) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

#[test]
fn keeps_lines_for_which_the_condition_is_true() {
    let log =
        "{\"level\":\"error\",\"code\":500}\n{\"level\":\"info\"}\n{\"level\":\"error\",\"code\":404}\n{}\n";
    let mut out = Vec::new();
    filter("line.level == 'error' && line.code >= 500", log.as_bytes(), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "{\"level\":\"error\",\"code\":500}\n");
    assert!(filter("line.level = 1", log.as_bytes(), Vec::new()).is_err());
}
