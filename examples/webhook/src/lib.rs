//! A validating admission webhook: takes an AdmissionReview, judges the object in it by a compiled [`Kind`], and answers
//! with another one. The API server asks over TLS: put this behind what ends TLS in your cluster, or call [`review`] from
//! the HTTP server that you have.

use crdgen::objects::{Kind, Verdict};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

/// The longest review that is read, in bytes: the limit of the API server.
const MAX_REQUEST: usize = 3 << 20;

/// The answer to an AdmissionReview of `admission.k8s.io/v1`.
pub fn review(kind: &Kind, review: &Value) -> Value {
    let request = &review["request"];
    let (object, old) = (&request["object"], &request["oldObject"]);
    let verdict = match (request["operation"].as_str(), request["subResource"].as_str().unwrap_or_default()) {
        (Some("CREATE"), "") => kind.create(object),
        (Some("UPDATE"), "") => kind.update(object, old),
        (Some("UPDATE"), "status") => kind.update_status(object, old),
        // Nothing is written that a schema speaks of.
        _ => Verdict::default(),
    };
    let mut response = json!({
        "uid": request["uid"],
        "allowed": verdict.is_accepted(),
        "warnings": verdict.warnings,
    });
    if !verdict.is_accepted() {
        response["status"] = json!({ "code": 422, "message": verdict.message() });
    }
    json!({ "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response })
}

/// Answers one HTTP request after the other. What is not a review gets status 400.
pub fn serve(kind: &Kind, listener: &TcpListener) -> std::io::Result<()> {
    for stream in listener.incoming() {
        // A client that disconnects in between does not stop the server.
        let _ = answer(kind, &mut stream?);
    }
    Ok(())
}

/// Answers one HTTP request.
pub fn answer(kind: &Kind, stream: &mut TcpStream) -> std::io::Result<()> {
    let asked = read_body(stream)?.and_then(|body| serde_json::from_slice(&body).ok());
    let (status, body) = match asked {
        Some(asked) => ("200 OK", review(kind, &asked).to_string()),
        None => ("400 Bad Request", "this is no AdmissionReview".to_owned()),
    };
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    stream.write_all(format!("{head}Connection: close\r\n\r\n{body}").as_bytes())
}

/// The body of a request; none if it has no length, or one that no review has.
fn read_body(stream: &mut TcpStream) -> std::io::Result<Option<Vec<u8>>> {
    let mut reader = BufReader::new(stream).take(1 << 16);
    let mut length = None;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok()
            }
            Some(_) => {}
            None if line.trim_end().is_empty() => break,
            None => {}
        }
    }
    let Some(length) = length.filter(|length| *length <= MAX_REQUEST) else { return Ok(None) };
    let mut body = vec![0; length];
    reader.set_limit(length as u64);
    reader.read_exact(&mut body)?;
    Ok(Some(body))
}
