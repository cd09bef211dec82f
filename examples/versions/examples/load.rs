//! Compares the webhook with one on controller-runtime (`bench`), with the same types, in turns in one run:
//! `bench/run`. A review has 1,000 objects of 5 KiB.

use crdgen::webhook::{Server, terminated};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const OBJECTS: usize = 1000;
const BYTES: usize = 5 << 10;
const ROUNDS: usize = 30;
const CONNECTIONS: usize = 4;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    match args.get(1).map(String::as_str) {
        Some("serve") => serve(),
        Some(theirs) => measure(theirs, args.get(2).map_or(Ok(60), |seconds| seconds.parse())?),
        None => Err("usage: load PROGRAM [SECONDS]".into()),
    }
}

/// Runs the webhook on a port that it prints.
#[tokio::main]
async fn serve() -> Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    Ok(Server::new(versions::webhook()).serve(listener, terminated()).await?)
}

fn measure(theirs: &str, seconds: u64) -> Result<()> {
    let own = std::env::current_exe()?.display().to_string();
    let peers = [Peer::start("crdgen", &own, &["serve"])?, Peer::start("controller-runtime", theirs, &[])?];
    let review = review();
    let [ours, others] = &peers;
    let answers = [objects(&ours.ask(&review)?)?, objects(&others.ask(&review)?)?];
    assert_eq!(answers[0], answers[1], "both convert alike");

    // The elapsed time includes interference from other processes, so the best turn counts. Processor time is summed
    // up.
    let mut found = [(f64::MAX, 0.0); 2];
    for _ in 0..ROUNDS {
        for (peer, found) in peers.iter().zip(&mut found) {
            let (start, before) = (Instant::now(), peer.processor()?);
            peer.ask(&review)?;
            found.0 = found.0.min(start.elapsed().as_secs_f64() * 1e3);
            found.1 += (peer.processor()? - before) * 1e3 / ROUNDS as f64;
        }
    }
    let megabytes = review.len() as f64 / 1e6;
    println!("a review with {OBJECTS} objects, {megabytes:.1} MB; {ROUNDS} turns");
    for (peer, (wall, processor)) in peers.iter().zip(found) {
        println!("{:<20} {wall:>8.1} ms at best {processor:>8.1} ms of processor time", peer.name);
    }
    let [(wall, processor), (their_wall, their_processor)] = found;
    println!(
        "{:.1} times faster, {:.1} times less processor time",
        their_wall / wall,
        their_processor / processor
    );

    for peer in &peers {
        load(peer, &review, Duration::from_secs(seconds))?;
    }
    Ok(())
}

/// Sends as many reviews as possible on several connections, and measures the memory of the webhook.
fn load(peer: &Peer, review: &str, time: Duration) -> Result<()> {
    let start = Instant::now();
    let (count, memory) = std::thread::scope(|scope| {
        let work = || -> Result<usize> {
            let mut count = 0;
            while start.elapsed() < time {
                peer.ask(review)?;
                count += 1;
            }
            Ok(count)
        };
        let threads: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(work)).collect();
        let mut memory = Vec::new();
        while start.elapsed() < time {
            std::thread::sleep(time / 12);
            memory.push(peer.memory()?);
        }
        let mut count = 0;
        for thread in threads {
            count += thread.join().map_err(|_| "a thread panicked")??;
        }
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>((count, memory))
    })?;
    let rate = count as f64 / start.elapsed().as_secs_f64();
    println!(
        "{}: {CONNECTIONS} connections for {} s: {rate:.1} reviews/s; MiB: {memory:?}",
        peer.name,
        time.as_secs()
    );
    Ok(())
}

/// A program that answers reviews. It ends when this value is dropped.
struct Peer {
    name: &'static str,
    child: Child,
    address: String,
}

impl Peer {
    fn start(name: &'static str, program: &str, args: &[&str]) -> Result<Peer> {
        let mut child = Command::new(program).args(args).stdout(Stdio::piped()).spawn()?;
        let mut address = String::new();
        BufReader::new(child.stdout.take().ok_or("no pipe")?).read_line(&mut address)?;
        Ok(Peer { name, child, address: address.trim().to_owned() })
    }

    /// Sends a review. Returns the body of the answer.
    fn ask(&self, review: &str) -> Result<Vec<u8>> {
        let mut stream = TcpStream::connect(&self.address)?;
        let length = review.len();
        // In HTTP/1.0, the body ends when the connection is closed.
        write!(
            stream,
            "POST /convert HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        )?;
        stream.write_all(review.as_bytes())?;
        let mut answer = Vec::with_capacity(2 * length);
        stream.read_to_end(&mut answer)?;
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n").ok_or("no head")?;
        assert!(
            answer[..end].windows(5).any(|it| it == b" 200 "),
            "{}",
            String::from_utf8_lossy(&answer[..end])
        );
        Ok(answer.split_off(end + 4))
    }

    /// Returns the processor time so far, in seconds.
    fn processor(&self) -> Result<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks: f64 = fields[11].parse::<f64>()? + fields[12].parse::<f64>()?;
        Ok(ticks / 100.0)
    }

    /// Returns the resident memory, in MiB.
    fn memory(&self) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        Ok(line.split_whitespace().next().unwrap_or_default().parse::<u64>()? / 1024)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn review() -> String {
    let object = |number: usize| {
        let mut object = json!({
            "apiVersion": "example.com/v1beta1", "kind": "Site",
            "metadata": {"name": format!("site-{number}"), "namespace": "default", "uid": format!("u-{number}"),
                "resourceVersion": "7", "generation": 1, "creationTimestamp": "2026-01-01T00:00:00Z",
                "labels": {"app": "site"}},
            "spec": {"hosts": ["a.example.com", "b.example.com"], "replicas": 3, "timeoutSeconds": 30, "paused": false,
                "backends": []},
        });
        for backend in 0.. {
            if object.to_string().len() >= BYTES {
                break;
            }
            let backend =
                json!({"name": format!("backend-{backend}"), "port": 8000 + backend, "protocol": "H2c"});
            if let Some(all) = object["spec"]["backends"].as_array_mut() {
                all.push(backend);
            }
        }
        object
    };
    let objects: Vec<Value> = (0..OBJECTS).map(object).collect();
    let request = json!({"uid": "u", "desiredAPIVersion": "example.com/v1", "objects": objects});
    json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request})
        .to_string()
}

/// Returns the specs of the converted objects.
fn objects(answer: &[u8]) -> Result<Vec<Value>> {
    let answer: Value = serde_json::from_slice(answer)?;
    let objects = answer["response"]["convertedObjects"].as_array().ok_or("no objects")?;
    Ok(objects.iter().map(|it| it["spec"].clone()).collect())
}
