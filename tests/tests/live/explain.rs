//! `crdgen explain` compared with `kubectl explain`: each kind, fields of it, and all of its fields.

use std::process::Command;

use crdgen_core::decode;
use crdgen_core::emit::docs::page;
use crdgen_tests::corpus;

use super::Server;

/// How many kinds of the corpus are asked about; all with `CRDGEN_ALL=1`.
const KINDS: usize = 40;

/// Where kubectl says something, we say the same, and more may follow.
#[test]
fn as_kubectl_explains() {
    let server = server!("explain");
    let mut seeds = corpus::own_crds();
    let real = corpus::shared_crds().unwrap_or_default();
    let step = if std::env::var_os("CRDGEN_ALL").is_some() { 1 } else { (real.len() / KINDS).max(1) };
    seeds.extend(real.into_iter().filter(|s| s.text.len() < 1_000_000).step_by(step));
    let dir = std::env::temp_dir().join(format!("crdgen-explain-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let (mut count, mut wrong) = (0, Vec::new());
    for (number, seed) in seeds.into_iter().enumerate() {
        let Some(crd) = decode::crd(seed.value).0 else { continue };
        if !server.kubectl(&["create", "--validate=false", "-f", "-"], &seed.text).status.success() {
            continue;
        }
        let page = page(&crd);
        let Some(version) = page.versions.iter().find(|version| version.served) else { continue };
        let file = dir.join(format!("{number}.yaml"));
        std::fs::write(&file, &seed.text).expect("a file");
        let resource = format!("{}.{}", crd.spec.names.plural, crd.spec.group);
        server.until_served(&resource);
        // The kind, its deepest field, and some others.
        let fields = &version.fields;
        let deepest = fields.iter().max_by_key(|field| field.depth);
        let some = fields.iter().step_by(fields.len() / 3 + 1).chain(deepest);
        let paths = some.map(|field| field.path.replace("[]", "").replace(".*", ""));
        for path in std::iter::once(String::new()).chain(paths) {
            let dot = if path.is_empty() { "" } else { "." };
            for more in [&[][..], &["--recursive"]] {
                let theirs = until_explained(
                    &server,
                    &[&["explain", &format!("{resource}{dot}{path}")], more].concat(),
                );
                let what = format!("{}{dot}{path}", crd.spec.names.kind);
                let ours = Command::new(env!("CARGO_BIN_EXE_tool"))
                    .args(["explain", &what, "--crd"])
                    .arg(&file)
                    .args(more)
                    .output()
                    .expect("the command starts");
                let ours = String::from_utf8_lossy(&ours.stdout).into_owned();
                count += 1;
                if theirs.as_deref().is_some_and(|theirs| !ours.starts_with(theirs)) {
                    wrong.push(format!("{what} {more:?}\n{}---\n{ours}", theirs.unwrap_or_default()));
                }
            }
        }
        server.kubectl(&["delete", "crd", &crd.metadata.name, "--timeout=20s"], "");
    }
    let _ = std::fs::remove_dir_all(&dir);
    eprintln!("{count} explanations, {} differ", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(5)].join("\n=====\n"));
}

/// What kubectl says, once the server publishes the kind; none if it says nothing.
fn until_explained(server: &Server, args: &[&str]) -> Option<String> {
    for _ in 0..20 {
        let out = server.kubectl(args, "");
        if out.status.success() {
            return Some(String::from_utf8_lossy(&out.stdout).into_owned());
        }
        let message = String::from_utf8_lossy(&out.stderr).into_owned();
        if message.contains("does not exist") {
            return None;
        }
        std::thread::sleep(std::time::Duration::from_millis(250));
    }
    None
}
