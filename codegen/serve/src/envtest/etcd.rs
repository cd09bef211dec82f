//! `etcd`: it answers that it is healthy. The server of the same folder keeps its objects itself.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use crdgen_files::Error;

use super::flags::Flags;

const HELP: &str = "etcd of crdgen: it has only the address at which envtest asks whether it is healthy. The kube-apiserver of the
same folder keeps its objects in memory.

Usage:
  etcd [flags]

Flags:
  --listen-client-urls 'http://localhost:2379'
    The addresses to answer on.

All other flags of etcd are accepted, and change nothing:
  --advertise-client-urls
  --data-dir
  --listen-peer-urls
  --unsafe-no-fsync
";

/// How long a client may take for a request.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest request.
const LONGEST: usize = 16 << 10;

/// Answers until the process ends.
pub(super) fn run(flags: &Flags) -> Result<Option<String>, Error> {
    if flags.is_on("help") || flags.is_on("h") {
        return Ok(Some(HELP.to_owned()));
    }
    if flags.is_on("version") {
        return Ok(Some("etcd Version: 3.6.0+crdgen\n".to_owned()));
    }
    let urls = flags.get("listen-client-urls").unwrap_or("http://localhost:2379");
    let mut listeners = Vec::new();
    for url in urls.split(',') {
        let Some(address) = url.strip_prefix("http://") else {
            return Err(Error::Argument(format!("etcd of crdgen listens only on http://, not on {url}")));
        };
        let cannot_listen = |why| Error::Argument(format!("cannot listen on {url}: {why}"));
        listeners.push(TcpListener::bind(address.trim_end_matches('/')).map_err(cannot_listen)?);
    }
    std::thread::scope(|scope| {
        for listener in &listeners {
            scope.spawn(|| answer_all(listener));
        }
    });
    Ok(None)
}

/// Answers one client after the other: each gets a short time.
fn answer_all(listener: &TcpListener) {
    loop {
        match listener.accept() {
            // A client may go at any time.
            Ok((stream, _)) => _ = answer(stream),
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

fn answer(mut stream: TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let (mut request, mut part) = (Vec::new(), [0; 1024]);
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        let length = stream.read(&mut part)?;
        request.extend_from_slice(&part[..length]);
        if length == 0 || request.len() > LONGEST {
            return Ok(());
        }
    }
    let (code, body) = match request.split(|byte| *byte == b' ').nth(1) {
        Some(b"/health" | b"/readyz" | b"/livez") => ("200 OK", r#"{"health":"true","reason":""}"#),
        Some(b"/version") => ("200 OK", r#"{"etcdserver":"3.6.0","etcdcluster":"3.6.0"}"#),
        _ => ("404 Not Found", "404 page not found\n"),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {code}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}
