//! Clients that send nothing, too much or nonsense, and very many of them.

use crate::client::Client;
use crate::process::Process;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

fn connect(client: &Client) -> TcpStream {
    let stream = TcpStream::connect(&client.address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(600))).expect("a timeout");
    stream
}

/// How long the fuzz test waits for an answer: some of its requests are watches.
const PATIENCE: Duration = Duration::from_millis(200);

/// Sends bytes, and reads all that comes back.
fn send(client: &Client, bytes: &[u8]) -> Vec<u8> {
    let mut stream = connect(client);
    // The server may close the connection before it has read everything.
    _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    _ = stream.read_to_end(&mut answer);
    answer
}

/// Sends bytes and nothing more, and waits for a short time.
fn send_only(client: &Client, bytes: &[u8]) {
    let mut stream = connect(client);
    _ = stream.write_all(bytes);
    _ = stream.shutdown(Shutdown::Write);
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    _ = stream.read_to_end(&mut Vec::new());
}

fn open() -> (Process, Client) {
    let server = Process::serve(&[]);
    let client = Client::new(server.url(), None, None);
    (server, client)
}

#[test]
fn clients_that_wait_hold_nothing_up() {
    let (_server, client) = open();
    let half: Vec<TcpStream> = (0..200)
        .map(|number| {
            let mut stream = connect(&client);
            let parts: [&[u8]; 4] = [
                b"",
                b"GET /readyz HT",
                b"GET /readyz HTTP/1.1\r\nhost: localhost\r\n",
                b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            ];
            stream.write_all(parts[number % parts.len()]).expect("some bytes");
            stream
        })
        .collect();
    assert_eq!(client.get("/readyz").code, 200);
    drop(half);
    assert_eq!(client.get("/api/v1/namespaces").code, 200);
}

#[test]
fn heads_and_bodies_have_a_limit() {
    let (_server, client) = open();
    let code = |answer: Vec<u8>| String::from_utf8_lossy(&answer).chars().skip(9).take(3).collect::<String>();
    let head = |fields: String| {
        format!("GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{fields}\r\n")
    };
    assert_eq!(code(send(&client, head(String::new()).as_bytes())), "200");
    let many: String = (0..500).map(|number| format!("a{number}: b\r\n")).collect();
    assert_eq!(code(send(&client, head(many).as_bytes())), "431");
    let long = format!("a: {}\r\n", "b".repeat(1 << 20));
    // The connection may be closed before all of it was sent.
    assert_ne!(code(send(&client, head(long).as_bytes())), "200");
    assert_eq!(client.send("POST", "/api/v1/namespaces", &" ".repeat((3 << 20) + 1)).code, 413);
    let promised =
        "POST /api/v1/namespaces HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999999\r\n\r\n{";
    send_only(&client, promised.as_bytes());
    assert_eq!(client.get("/readyz").code, 200);
}

#[test]
fn no_bytes_end_the_server() {
    let (_server, client) = open();
    let body = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"b":"c"}},"data":{"d":"e"}}"#;
    let post = |path: &str, ty: &str, method: &str| {
        format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: {ty}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let configmaps = "/api/v1/namespaces/default/configmaps";
    let requests = [
        post(configmaps, "application/json", "POST"),
        post(
            &format!("{configmaps}?dryRun=All&fieldValidation=Strict&fieldManager=x"),
            "application/yaml",
            "POST",
        ),
        post(&format!("{configmaps}/a?fieldManager=x&force=true"), "application/apply-patch+yaml", "PATCH"),
        post(&format!("{configmaps}/a"), "application/merge-patch+json", "PATCH"),
        post(configmaps, "application/vnd.kubernetes.protobuf", "POST"),
        format!(
            "GET {configmaps}?limit=1&continue=e30&labelSelector=a%20in(b),!c&fieldSelector=metadata.name%3Da HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
        ),
        format!(
            "GET {configmaps}?watch=1&timeoutSeconds=1&resourceVersion=0 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
        ),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0\0\0\u{5}\u{1}\u{5}\0\0\0\u{1}\0\0\0\0\0"
            .to_owned(),
    ];
    let mut random = 5_u64;
    let mut next = move |end: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % end.max(1)
    };
    for round in 0..400 {
        let mut bytes = requests[round % requests.len()].clone().into_bytes();
        for _ in 0..=next(4) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes[at] ^= 1 << next(8),
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, next(256) as u8),
                _ => {
                    // A part of it once more.
                    let end = (at + next(40)).min(bytes.len());
                    let part = bytes[at..end].to_vec();
                    bytes.splice(at..at, part);
                }
            }
        }
        send_only(&client, &bytes);
        if round % 50 == 0 {
            assert_eq!(client.get("/api/v1/namespaces").code, 200, "round {round}");
        }
    }
    assert_eq!(client.get("/api/v1/namespaces").code, 200);
}

/// A watch that has got its header.
fn watch(client: &Client) -> TcpStream {
    let mut stream = connect(client);
    let request = "GET /api/v1/configmaps?watch=true&timeoutSeconds=60 HTTP/1.1\r\nhost: localhost\r\n\r\n";
    stream.write_all(request.as_bytes()).expect("a request");
    stream
}

/// Reads until a text has arrived.
fn read_until(stream: &mut TcpStream, text: &[u8]) {
    let (mut all, mut part) = (Vec::new(), [0; 4096]);
    while !all.windows(text.len()).any(|found| found == text) {
        let length = stream.read(&mut part).expect("more of the watch");
        assert!(length > 0, "the watch ends: {}", String::from_utf8_lossy(&all));
        all.extend_from_slice(&part[..length]);
    }
}

#[test]
fn a_thousand_watches_get_each_change() {
    #[cfg(unix)]
    crate::process::raise_open_files();
    let (_server, client) = open();
    let mut watches: Vec<TcpStream> = (0..1000).map(|_| watch(&client)).collect();
    for stream in &mut watches {
        read_until(stream, b"\r\n\r\n");
    }
    for name in ["first", "second"] {
        let body = format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}}}}"#);
        assert_eq!(client.send("POST", "/api/v1/namespaces/default/configmaps", &body).code, 201);
        for stream in &mut watches {
            read_until(stream, format!(r#""name":"{name}""#).as_bytes());
        }
    }
}
