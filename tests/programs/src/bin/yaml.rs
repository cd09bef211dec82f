//! Compares the YAML reader with the server's own: `yaml requests N SEED > r; oracle < r > a; yaml compare r a`,
//! or fuzzes it: `yaml fuzz SECONDS SEED`.

use crdgen_core::value::Value;
use crdgen_core::{go, json, yaml};
use crdgen_tests::rng::Rng;
use crdgen_tests::yaml as texts;
use std::time::Duration;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |i: usize| args.get(i).and_then(|a| a.parse().ok()).unwrap_or(1_u64);
    match args.get(1).map(String::as_str) {
        Some("requests") => requests(number(2), number(3)),
        Some("compare") => compare(&args[2], &args[3]),
        Some("fuzz") => match texts::fuzz(number(3), Duration::from_secs(number(2))) {
            Ok(outcome) => println!("{outcome:?}"),
            Err(text) => {
                println!("{:?}", String::from_utf8_lossy(&text));
                std::process::exit(1);
            }
        },
        _ => eprintln!("usage: yaml requests N SEED | compare REQUESTS ANSWERS | fuzz SECONDS SEED"),
    }
}

fn requests(count: u64, seed: u64) {
    let pool = texts::torture();
    let print = |text: &[u8]| println!(r#"{{"op":"yaml","base64":"{}"}}"#, go::base64_encode(text));
    if seed == 0 {
        pool.iter().for_each(|t| print(t));
    }
    for case in 0..count {
        let text = texts::generated(&pool, &mut Rng::of_case(seed, case));
        print(&text);
        // Also reads what crdgen writes for it.
        if case % 4 == 0 {
            yaml::read(&text).0.iter().for_each(|d| print(yaml::write(&d.value).as_bytes()));
        }
    }
}

fn compare(requests: &str, answers: &str) {
    let read = |path| std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let (requests, answers) = (read(requests), read(answers));
    let (mut total, mut wrong, mut words, mut errors) = (0, 0, 0, 0);
    for (request, answer) in requests.lines().zip(answers.lines()) {
        let parse = |text: &str| json::read(text.as_bytes()).unwrap_or_default();
        let (request, theirs) = (parse(request), parse(answer));
        let text =
            request.get("base64").and_then(Value::as_str).and_then(go::base64_decode).unwrap_or_default();
        let ours = Value::Map(crdgen_core::rpc::yaml::report(&text));
        total += 1;
        let mut differs = Vec::new();
        // kubectl cuts a stream into lines, which breaks UTF-16. crdgen can read it.
        let utf16 = text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff");
        for key in ["value", "strict", "stream"].into_iter().filter(|k| !utf16 || *k != "stream") {
            if ours.get(key) != theirs.get(key) {
                differs.push(key);
            }
        }
        for key in ["valueError", "streamError"].into_iter().filter(|k| !utf16 || *k != "streamError") {
            errors += usize::from(theirs.get(key).is_some());
            if ours.get(key).is_some() != theirs.get(key).is_some() {
                differs.push(key);
            } else if ours.get(key).and_then(Value::as_str)
                != theirs
                    .get(key)
                    .and_then(Value::as_str)
                    .map(|t| t.strip_prefix("error converting YAML to JSON: ").unwrap_or(t))
            {
                words += 1;
                if std::env::var_os("WORDS").is_some() {
                    println!("words {:?}", String::from_utf8_lossy(&text));
                    println!("  ours   {}", json::to_string(ours.get(key).unwrap_or(&Value::Null)));
                    println!("  theirs {}", json::to_string(theirs.get(key).unwrap_or(&Value::Null)));
                }
            }
        }
        if !differs.is_empty() {
            wrong += 1;
            println!("{differs:?} {:?}", String::from_utf8_lossy(&text));
            println!("  ours   {}", json::to_string(&ours));
            println!("  theirs {}", json::to_string(&theirs));
        }
    }
    println!("{total} texts: {wrong} differ; {errors} errors, {words} in other words");
}
