//! The part of HTTP/1.1 that requests to a proxy on this machine need, with limits on everything that the proxy sends.

use std::io::{self, BufRead, BufReader, Read, Write};

use super::Request;
use crdgen_files::input::MAX_BYTES;

/// The longest line, and the longest head, in bytes.
const MAX_HEAD: u64 = 64 << 10;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// After how many seconds to send the request again.
    pub(super) retry_after: Option<u64>,
    pub(crate) body: Vec<u8>,
    /// Whether the connection can be used for another request.
    pub(super) keeps_alive: bool,
}

/// Why a request has no answer.
#[derive(Debug)]
pub(super) enum Broken {
    /// The connection ended before anything was answered.
    Unanswered(io::Error),
    /// The connection ended in the middle of the answer, or the answer was invalid.
    Within(io::Error),
}

impl From<Broken> for io::Error {
    fn from(broken: Broken) -> io::Error {
        match broken {
            Broken::Unanswered(e) | Broken::Within(e) => e,
        }
    }
}

/// Sends a request and reads the answer.
pub(super) fn exchange<S: Read + Write>(
    connection: &mut BufReader<S>,
    request: &Request<'_>,
) -> Result<Answer, Broken> {
    let Request { method, path, accept, body } = request;
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\n");
    if let Some((content_type, body)) = body {
        text += &format!("Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    } else {
        text += "\r\n";
    }
    let stream = connection.get_mut();
    stream.write_all(text.as_bytes()).and_then(|()| stream.flush()).map_err(Broken::Unanswered)?;
    match connection.fill_buf() {
        Ok([]) => return Err(Broken::Unanswered(io::ErrorKind::UnexpectedEof.into())),
        Ok(_) => {}
        Err(e) => return Err(Broken::Unanswered(e)),
    }
    answer(connection).map_err(Broken::Within)
}

fn answer(from: &mut impl BufRead) -> io::Result<Answer> {
    loop {
        let answer = one_answer(from)?;
        // Interim answers come before the final one.
        if !(100..200).contains(&answer.status) {
            return Ok(answer);
        }
    }
}

fn one_answer(from: &mut impl BufRead) -> io::Result<Answer> {
    let mut left = MAX_HEAD;
    let first = line(from, &mut left)?;
    let status = first.strip_prefix("HTTP/1.").and_then(|rest| rest.split(' ').nth(1));
    let status = status.and_then(|status| status.parse().ok()).ok_or_else(|| wrong("no status"))?;
    let mut answer = Answer { status, retry_after: None, body: Vec::new(), keeps_alive: true };
    let (mut length, mut is_chunked) = (None, false);
    loop {
        let line = line(from, &mut left)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| wrong("a header without a colon"))?;
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = Some(value.parse().map_err(|_| wrong("no length"))?),
            "transfer-encoding" => is_chunked = value.eq_ignore_ascii_case("chunked"),
            "connection" => answer.keeps_alive = !value.eq_ignore_ascii_case("close"),
            "retry-after" => answer.retry_after = value.parse().ok(),
            _ => {}
        }
    }
    if (100..200).contains(&status) || [204, 304].contains(&status) {
        return Ok(answer);
    }
    if is_chunked {
        chunks(from, &mut answer.body)?;
    } else if let Some(length) = length {
        take(from, length, &mut answer.body)?;
    } else {
        from.take(MAX_BYTES + 1).read_to_end(&mut answer.body)?;
        check(answer.body.len() as u64)?;
        answer.keeps_alive = false;
    }
    Ok(answer)
}

fn chunks(from: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let size = line(from, &mut MAX_HEAD.clone())?;
        let size = size.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16).map_err(|_| wrong("no size of a chunk"))?;
        if size == 0 {
            break;
        }
        take(from, size, body)?;
        if !line(from, &mut 2)?.is_empty() {
            return Err(wrong("no end of a chunk"));
        }
    }
    // Trailers may follow the last chunk.
    let mut left = MAX_HEAD;
    while !line(from, &mut left)?.is_empty() {}
    Ok(())
}

fn take(from: &mut impl BufRead, length: u64, body: &mut Vec<u8>) -> io::Result<()> {
    check(length.saturating_add(body.len() as u64))?;
    if from.take(length).read_to_end(body)? as u64 == length {
        Ok(())
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

fn check(length: u64) -> io::Result<()> {
    if length <= MAX_BYTES { Ok(()) } else { Err(wrong("the answer is too long")) }
}

/// Reads a line of at most `left` bytes. Returns it without its end.
fn line(from: &mut impl BufRead, left: &mut u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    *left -= from.take(*left).read_until(b'\n', &mut bytes)? as u64;
    match bytes.pop() {
        Some(b'\n') => {}
        Some(_) if *left == 0 => return Err(wrong("the head is too long")),
        Some(_) | None => return Err(io::ErrorKind::UnexpectedEof.into()),
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    String::from_utf8(bytes).map_err(|_| wrong("the head is not text"))
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not an answer of HTTP: {what}"))
}

#[cfg(test)]
mod tests {
    use super::super::{JSON, Request};
    use super::{Broken, MAX_HEAD, exchange};
    use std::io::{self, BufReader, Cursor, Read, Write};

    /// Answers with a text, and keeps what it receives.
    struct Peer {
        answer: Cursor<Vec<u8>>,
        sent: Vec<u8>,
    }

    impl Read for Peer {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            // In small pieces, as a network might.
            let end = buffer.len().min(3);
            self.answer.read(&mut buffer[..end])
        }
    }

    impl Write for Peer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.sent.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn ask(answer: &str) -> Result<super::Answer, Broken> {
        let peer = Peer { answer: Cursor::new(answer.as_bytes().to_vec()), sent: Vec::new() };
        let body = Some((JSON, "{}"));
        let request = Request { method: "PATCH", path: "/x?y=z", accept: JSON, body };
        let mut connection = BufReader::new(peer);
        let answer = exchange(&mut connection, &request);
        let sent = String::from_utf8_lossy(&connection.get_ref().sent).into_owned();
        let head = "PATCH /x?y=z HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n";
        let wanted = format!("{head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}");
        assert_eq!(sent, wanted);
        answer
    }

    #[test]
    fn reads_every_form_of_a_body() {
        for (answer, status, body, keeps_alive) in [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", true),
            ("HTTP/1.1 404 Not Found\r\ncontent-length:0\r\n\r\n", 404, "", true),
            ("HTTP/1.1 204 No Content\r\n\r\n", 204, "", true),
            ("HTTP/1.0 502 Bad Gateway\r\n\r\ngone", 502, "gone", false),
            ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx", 200, "x", false),
            (
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok",
                201,
                "ok",
                true,
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\nA;x=1\r\n0123456789\r\n0\r\nX: y\r\n\r\n",
                200,
                "Wiki0123456789",
                true,
            ),
        ] {
            let read = ask(answer).unwrap_or_else(|e| panic!("{answer:?}: {e:?}"));
            let text = String::from_utf8_lossy(&read.body).into_owned();
            assert_eq!(
                (read.status, text.as_str(), read.keeps_alive),
                (status, body, keeps_alive),
                "{answer:?}"
            );
        }
        let busy = ask("HTTP/1.1 429 Slow\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n");
        assert_eq!(busy.map(|busy| busy.retry_after).ok(), Some(Some(3)));
    }

    #[test]
    fn rejects_what_makes_no_sense() {
        assert!(matches!(ask(""), Err(Broken::Unanswered(_))));
        let long = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "x".repeat(MAX_HEAD as usize));
        for answer in [
            "SSH-2.0-x\r\n\r\n",
            "HTTP/1.1 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\nx",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK",
            &long,
        ] {
            assert!(matches!(ask(answer), Err(Broken::Within(_))), "{answer:?}");
        }
    }
}
