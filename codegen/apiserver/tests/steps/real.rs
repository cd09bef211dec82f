//! What the real server answers.

use super::{Received, Sent};
use std::process::Command;

pub(crate) use crate::recorded::Real;

impl Real {
    pub(crate) fn received(&self, sent: &Sent) -> Received {
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
