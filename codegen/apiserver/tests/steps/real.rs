//! The real server.

use crate::{Received, Sent};
use crdgen_core::yaml;
use std::fs;
use std::process::Command;

/// The control plane of a kubeconfig.
pub(crate) struct Real {
    server: String,
    token: String,
}

impl Real {
    pub(crate) fn of_environment() -> Option<Real> {
        std::env::var_os("UPDATE")?;
        let text = fs::read(std::env::var_os("CRDGEN_WALK_KUBECONFIG")?).expect("a kubeconfig");
        let config = yaml::read(&text).0.first()?.value.clone();
        let find = |list: &str, path: [&str; 2]| {
            let first = config.get(list)?.as_list()?.first()?;
            first.get(path[0])?.get(path[1])?.as_str().map(str::to_owned)
        };
        Some(Real {
            server: find("clusters", ["cluster", "server"])?,
            token: find("users", ["user", "token"])?,
        })
    }

    pub(crate) fn answer(&self, sent: &Sent) -> Received {
        let Sent { method, path, content_type, accept, body } = sent;
        let mut curl = Command::new("curl");
        match method.as_str() {
            "HEAD" => curl.arg("-I"),
            method => curl.args(["-X", method]),
        };
        if !body.is_empty() {
            curl.args(["--data-binary", body]);
        }
        let out = curl
            .args(["-sk", "-A", "tests/1", "-D", "-", "--globoff", "--path-as-is"])
            .args(["-o", if method == "HEAD" { "/dev/null" } else { "-" }])
            .args(["-H", &format!("Authorization: Bearer {}", self.token)])
            .args(["-H", &format!("Content-Type: {content_type}"), "-H", &format!("Accept: {accept}")])
            .arg(format!("{}{path}", self.server))
            .output()
            .expect("curl");
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let code = head.split(' ').nth(1).and_then(|code| code.trim().parse().ok()).expect("a code");
        let header = |line: &str| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("warning").then(|| value.to_owned())
        };
        Received { code, warnings: head.lines().filter_map(header).collect(), body: body.to_owned() }
    }
}
