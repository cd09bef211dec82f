//! The API server's own tests of conversion webhooks (`test/integration/conversion` of k8s.io/apiextensions-apiserver),
//! with webhooks of crdgen instead of upstream's. They run if `$CRDGEN_LIVE` is set and Go is installed with the
//! modules of `tests/oracle`. `tests/oracle/conversion` runs them, and lists the tests that need a webhook with wrong
//! answers.

mod failing;
mod nontrivial;
mod noop;

use crdgen::convert::Versions;
use crdgen::webhook::{Answered, Server, Tls, Webhook};
use serde_json::{Value, json};
use std::process::Command;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// A running webhook, and what it has answered.
struct Running {
    url: String,
    certificate: String,
    answered: Arc<Mutex<Vec<Answered>>>,
}

impl Running {
    fn start(runtime: &Runtime, versions: Versions) -> Running {
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let url = format!("https://{}/convert", listener.local_addr().expect("an address"));
        let (sender, published) = std::sync::mpsc::channel();
        let tls = Tls::self_signed(["127.0.0.1"], move |text| _ = sender.send(text.to_owned()));
        let answered: Arc<Mutex<Vec<Answered>>> = Arc::default();
        let seen = Arc::clone(&answered);
        let webhook = Webhook::new()
            .versions(versions)
            .observe(move |it| seen.lock().expect("nobody panics").push(it.clone()));
        runtime.spawn(Server::new(webhook).tls(tls).serve(listener, std::future::pending()));
        Running { url, certificate: published.recv().expect("a certificate"), answered }
    }

    fn address(&self) -> Value {
        json!({"url": self.url, "ca": self.certificate})
    }

    /// Returns how many reviews of conversions it has answered.
    fn reviews(&self) -> usize {
        let answered = self.answered.lock().expect("nobody panics");
        assert!(answered.iter().all(|it| it.status == 200), "{answered:?}");
        answered.len()
    }
}

#[test]
fn upstream_passes_with_our_webhook() {
    if std::env::var_os("CRDGEN_LIVE").is_none() {
        eprintln!("SKIPPED upstream: $CRDGEN_LIVE is not set");
        return;
    }
    if Command::new("go").arg("version").output().is_err() {
        eprintln!("SKIPPED upstream: Go is not installed");
        return;
    }
    let runtime = Runtime::new().expect("a runtime");
    let [noop, nontrivial, failing] = [noop::versions(), nontrivial::versions(), failing::versions()]
        .map(|it| Running::start(&runtime, it));
    let webhooks = json!({
        "noop": noop.address(),
        "nontrivial": nontrivial.address(),
        "failing": failing.address(),
    });
    let out = Command::new("go")
        .args(["run", "./conversion"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/oracle"))
        .env("CRDGEN_WEBHOOKS", webhooks.to_string())
        .output()
        .expect("Go runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    println!("{stdout}");
    assert!(out.status.success(), "{stderr}");
    let reviews = [&noop, &nontrivial, &failing].map(Running::reviews);
    println!("reviews: {} noop, {} nontrivial, {} failing", reviews[0], reviews[1], reviews[2]);
    assert!(reviews.iter().all(|count| *count > 10), "{reviews:?}");
}
