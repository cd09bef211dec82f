//! Messages over standard input and output.

use std::io::{self, BufRead, Read};
use std::thread;

use crossbeam_channel::{bounded, unbounded};
use lsp_server::{Connection, Message};

use crate::log::log;
use crate::server::{Stopped, serve};
use crate::workspace::Settings;

/// The length of the longest message that is read, in bytes. Documents may have 128 MiB, and escapes make them longer.
const MAX_BYTES: u64 = 512 << 20;

/// How many messages wait at most.
const MAX_WAITING: usize = 1024;

/// Schemas nest, and requests are answered from them.
const STACK: usize = 64 << 20;

/// Serves the client at standard input and output, until it says goodbye or is gone.
///
/// # Errors
/// Fails if the system has no more threads.
pub fn stdio(settings: Settings) -> io::Result<Stopped> {
    let (to_client, outgoing) = unbounded::<Message>();
    let (to_server, incoming) = bounded(MAX_WAITING);
    let read = move || {
        let mut input = io::stdin().lock();
        while let Some(message) = next(&mut input) {
            if to_server.send(message).is_err() {
                break;
            }
        }
    };
    let write = move || {
        let mut output = io::stdout().lock();
        // If the client is gone, the reader finds out too.
        let _ = outgoing.iter().try_for_each(|message| message.write(&mut output));
    };
    let serve = move || serve(&Connection { sender: to_client, receiver: incoming }, &settings);
    // The reader may wait for a client that is gone, so nothing waits for the reader.
    thread::Builder::new().name("read".to_owned()).spawn(read)?;
    let writer = thread::Builder::new().name("write".to_owned()).spawn(write)?;
    let server = thread::Builder::new().name("serve".to_owned()).stack_size(STACK).spawn(serve)?;
    let stopped = server.join().unwrap_or_else(|_| Err(io::Error::other("the server failed")));
    let _ = writer.join();
    stopped
}

/// Reads the next message, and logs what cannot be read as one. `None` at the end.
fn next(input: &mut impl BufRead) -> Option<Message> {
    loop {
        match frame(input) {
            Ok(None) => return None,
            Ok(Some(text)) => match serde_json::from_slice(&text) {
                Ok(message) => return Some(message),
                Err(why) => log(format_args!("a message is malformed: {why}")),
            },
            Err(why) if why.kind() == io::ErrorKind::InvalidData => log(format_args!("{why}")),
            Err(why) => {
                log(format_args!("{why}"));
                return None;
            }
        }
    }
}

/// Reads the text of a message. `None` at the end.
fn frame(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    const MAX_HEADER: u64 = 4096;
    let mut length: Option<u64> = None;
    loop {
        let mut line = Vec::new();
        if input.take(MAX_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
    let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    let length = length.ok_or_else(|| invalid("a message has no Content-Length"))?;
    if length > MAX_BYTES {
        io::copy(&mut input.take(length), &mut io::sink())?;
        return Err(invalid("a message is too long"));
    }
    let mut text = Vec::new();
    let read = input.take(length).read_to_end(&mut text)?;
    Ok((read as u64 == length).then_some(text))
}

#[cfg(test)]
mod tests {
    use super::next;
    use lsp_server::Message;

    #[test]
    fn malformed_messages_do_not_end_the_connection() {
        let message = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
        let good = format!("Content-Length: {}\r\n\r\n{message}", message.len());
        let huge = format!("Content-Length: {}\r\n\r\nx", u64::MAX);
        for bad in
            ["", "Content-Length: 2\r\n\r\n{]", "nonsense\r\n\r\n", "Content-Length: x\r\n\r\n", "\r\n"]
        {
            let text = format!("{bad}{good}");
            assert!(matches!(next(&mut text.as_bytes()), Some(Message::Notification(_))), "{bad:?}");
        }
        for end in ["", "Content-Length: 9\r\n\r\n{}", huge.as_str(), "Content-Length: 9"] {
            assert!(next(&mut end.as_bytes()).is_none(), "{end:?}");
        }
    }
}
