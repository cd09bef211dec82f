//! Clients that try to exhaust the server: with unfinished heads and bodies, with answers that they do not read, and with many
//! connections.

use crdgen::webhook::{Server, Webhook};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Longer than anything in these tests takes, however busy the machine is.
const LONG: Duration = Duration::from_secs(600);

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    done: JoinHandle<std::io::Result<()>>,
}

async fn start(server: Server) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let (stop, stopped) = oneshot::channel();
    let done = tokio::spawn(server.serve(listener, async { _ = stopped.await }));
    Running { address, stop, done }
}

fn webhook() -> Webhook {
    webhook::webhook().expect("the types are right")
}

/// A server with little patience.
fn impatient() -> Server {
    Server::new(webhook()).patience(Duration::from_millis(300))
}

fn head(length: usize) -> String {
    format!("POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n")
}

async fn connect(to: &Running, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(to.address).await.expect("a connection");
    stream.write_all(text.as_bytes()).await.expect("the server reads");
    stream
}

/// Reads up to the end of the connection, or of a short answer. Returns the text.
async fn answer(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let all = async {
        while !bytes.windows(4).any(|part| part == b"\r\n\r\n") {
            if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                break;
            }
        }
    };
    timeout(LONG, all).await.expect("the server answers or closes the connection");
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn is_alive(running: &Running) -> bool {
    let mut stream = connect(running, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").await;
    answer(&mut stream).await.starts_with("HTTP/1.1 200")
}

#[tokio::test]
async fn a_head_has_little_time() {
    let running = start(impatient()).await;
    let mut silent = connect(&running, "").await;
    assert_eq!(answer(&mut silent).await, "");
    // Each byte comes in time, but all of them take too long.
    let mut slow = connect(&running, "GET /livez HTTP/1.1\r\nA: ").await;
    let start = Instant::now();
    while slow.write_all(b"x").await.is_ok() && start.elapsed() < LONG {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(start.elapsed() < LONG);
    // A connection that was used before may be idle for longer.
    let mut idle = connect(&running, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(answer(&mut idle).await.starts_with("HTTP/1.1 200"));
    tokio::time::sleep(Duration::from_millis(700)).await;
    idle.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\n").await.expect("it is open");
    idle.write_all(b"\r\n").await.expect("it is open");
    assert!(answer(&mut idle).await.starts_with("HTTP/1.1 200"));
    // But then its next head has as little time as the first.
    idle.write_all(b"GET /livez").await.expect("it is open");
    assert_eq!(answer(&mut idle).await, "");
}

#[tokio::test]
async fn a_body_must_go_on() {
    let running = start(impatient()).await;
    let mut stream = connect(&running, &(head(100) + "{")).await;
    assert!(answer(&mut stream).await.starts_with("HTTP/1.1 408"));
}

#[tokio::test]
async fn reviews_wait_for_memory_and_small_ones_do_not() {
    let server = Server::new(webhook()).memory(1 << 20).deadline(Duration::from_secs(2));
    let running = start(server).await;
    let rest = " ".repeat(300 << 10);
    // Both need all of the memory. The first one does not finish, so the second one has to wait until then.
    let first = connect(&running, &(head(350 << 10) + &rest)).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut second = connect(&running, &(head(rest.len()))).await;
    let (mut reader, mut writer) = second.split();
    let all = async { _ = writer.write_all(rest.as_bytes()).await };
    let mut byte = [0];
    let early =
        timeout(Duration::from_millis(400), async { tokio::join!(all, reader.read(&mut byte)) }).await;
    assert!(early.is_err(), "the second review does not wait");
    let mut small = connect(&running, &(head(2) + "{}")).await;
    assert!(answer(&mut small).await.starts_with("HTTP/1.1 400"));
    assert!(is_alive(&running).await);
    drop(first);
    let mut third = connect(&running, &head(rest.len())).await;
    third.write_all(rest.as_bytes()).await.expect("the server reads");
    assert!(answer(&mut third).await.starts_with("HTTP/1.1 400"));
}

#[tokio::test]
async fn connections_that_wait_make_room() {
    let running = start(Server::new(webhook()).connections(8)).await;
    let mut idle = Vec::new();
    for _ in 0..30 {
        idle.push(connect(&running, "GET /").await);
    }
    assert!(is_alive(&running).await);
    // The first ones were closed, and the last ones are open.
    assert_eq!(answer(&mut idle[0]).await, "");
    idle[29].write_all(b"livez HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("it is open");
    assert!(answer(&mut idle[29]).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn some_connections_do_not_accept_reviews() {
    let running = start(Server::new(webhook()).connections(8)).await;
    let mut open = Vec::new();
    for _ in 0..4 {
        open.push(connect(&running, &(head(100) + "{")).await);
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut more = connect(&running, &(head(100) + "{")).await;
    assert!(answer(&mut more).await.starts_with("HTTP/1.1 503"));
    assert!(is_alive(&running).await);
    drop(open);
}

#[tokio::test]
async fn open_requests_do_not_delay_the_end() {
    let running = start(Server::new(webhook()).patience(Duration::from_secs(3)).memory(1 << 20)).await;
    let mut open = Vec::new();
    // Of two long reviews, the second one waits for memory.
    let review = head(350 << 10) + "{";
    for text in ["", "GET /", "POST / HTTP/1.1\r\nContent-Le", &review, &review] {
        open.push(connect(&running, text).await);
    }
    assert!(is_alive(&running).await);
    running.stop.send(()).expect("it runs");
    timeout(LONG, running.done).await.expect("it ends").expect("no panic").expect("it ends well");
}

#[test]
fn many_short_objects_need_little_memory() {
    let review = |objects: &str| {
        format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{{"uid":"u","desiredAPIVersion":"a/v1","objects":[{objects}]}}}}"#
        )
    };
    let many = |object: &str, count: usize| review(&vec![object; count].join(","));
    let error = webhook().answer(many("1", 1_100_000).as_bytes()).expect_err("too many values");
    assert_eq!(error.to_string(), "the body cannot be read: the document has more than 1 million values");
    // The first ten failures are described, and the others are counted.
    let objects = r#"{"apiVersion":"example.com/v1","kind":"Other"}"#;
    let answer = webhook().answer(many(objects, 1000).as_bytes()).expect("a review");
    assert!(
        answer.contains("Other \\\"objects[9]\\\" to a/v1") && answer.contains("; and 990 more\""),
        "{answer}"
    );
    assert!(answer.len() < 4000, "{}", answer.len());
}
