//! The code that kopium and `import` generate for the same CRDs, in one run.

pub mod crates;
pub mod names;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crdgen_core::ir::Crd;
use crdgen_core::value::Value;
use crdgen_core::{check, decode};

use crdgen_tests::corpus::{self, Seed};
use crdgen_tests::cost::{Cost, run};

/// A CRD that a server accepts, in its own file.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The file.
    pub path: PathBuf,
    /// The decoded CRD.
    pub crd: Crd,
}

/// A generator of Rust code, with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// `kopium -A`: kube's derive, schemars' and doc comments.
    Kopium,
    /// `crdgen import`: the code can give the CRDs again.
    Exact,
    /// `crdgen import --client-only --kube`: the code does no more than kopium's.
    Client,
    /// The same with kopium's names.
    Compatible,
}

/// All makers, the peer first.
pub const MAKERS: [Maker; 4] = [Maker::Kopium, Maker::Exact, Maker::Client, Maker::Compatible];

impl Maker {
    /// Returns its name in the table.
    pub fn title(self) -> &'static str {
        match self {
            Maker::Kopium => "`kopium -A`",
            Maker::Exact => "`crdgen import`",
            Maker::Client => "`--client-only --kube`",
            Maker::Compatible => "`… --kopium-compat`",
        }
    }

    /// Returns its folder.
    pub fn folder(self) -> &'static str {
        match self {
            Maker::Kopium => "kopium",
            Maker::Exact => "exact",
            Maker::Client => "client",
            Maker::Compatible => "compatible",
        }
    }

    /// Whether its code can give CRDs.
    pub fn gives_definitions(self) -> bool {
        match self {
            Maker::Kopium | Maker::Exact => true,
            Maker::Client | Maker::Compatible => false,
        }
    }

    /// Returns the command without files.
    fn command(self, tools: &Tools) -> String {
        let crdgen = tools.crdgen.display();
        match self {
            Maker::Kopium => format!("{} -A -f", tools.kopium.display()),
            Maker::Exact => format!("{crdgen} import"),
            Maker::Client => format!("{crdgen} import --client-only --kube"),
            Maker::Compatible => format!("{crdgen} import --client-only --kube --kopium-compat"),
        }
    }
}

/// The programs.
#[derive(Clone, Debug)]
pub struct Tools {
    /// kopium.
    pub kopium: PathBuf,
    /// The command.
    pub crdgen: PathBuf,
}

/// The code of a maker, one file each.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// Which CRDs it has code for.
    pub done: Vec<bool>,
    /// The number of lines of all code.
    pub lines: usize,
    /// The number of bytes.
    pub bytes: usize,
    /// The processor time of all runs together, in seconds.
    pub cpu: f64,
}

/// Returns the CRDs of the shared corpus that a server accepts.
pub fn definitions() -> io::Result<Vec<Definition>> {
    let folder = corpus::shared_dir().ok_or_else(|| io::Error::other("no corpus: set CRDGEN_CORPUS"))?;
    let accepted = |Seed { name, value, .. }: Seed| {
        let (Some(crd), _) = decode::crd(value) else { return None };
        let accepted = check::create(&crd, &check::Options::default()).is_accepted();
        accepted.then(|| Definition { path: folder.join("crds").join(name), crd })
    };
    Ok(corpus::shared_crds().unwrap_or_default().into_iter().filter_map(accepted).collect())
}

/// Runs a maker once for each CRD.
pub fn make_each(maker: Maker, tools: &Tools, all: &[Definition], dir: &Path) -> io::Result<Made> {
    let folder = dir.join("each").join(maker.folder());
    fs::create_dir_all(&folder)?;
    let command = maker.command(tools);
    let lines = all.iter().enumerate().map(|(i, d)| {
        format!("{command} '{}' > {i}.rs 2> {i}.err || echo {i} >> failed\n", d.path.display())
    });
    fs::write(folder.join("all.sh"), lines.collect::<String>())?;
    fs::write(folder.join("failed"), "")?;
    let Cost { cpu, .. } = run(&folder, "bash all.sh", &[])?;
    let failed = fs::read_to_string(folder.join("failed"))?;
    let failed: Vec<usize> = failed.lines().filter_map(|line| line.parse().ok()).collect();
    let mut made = Made { cpu, ..Made::default() };
    for i in 0..all.len() {
        let done = !failed.contains(&i);
        made.done.push(done);
        if done {
            made.count(&fs::read_to_string(folder.join(format!("{i}.rs")))?);
        }
    }
    Ok(made)
}

/// Runs `import` once for all CRDs, so that types that they share are written once.
pub fn make_all(maker: Maker, tools: &Tools, all: &[Definition], dir: &Path) -> io::Result<Made> {
    let folder = dir.join("all").join(maker.folder());
    fs::create_dir_all(&folder)?;
    let files: String = all.iter().map(|d| format!(" '{}'", d.path.display())).collect();
    let Cost { cpu, .. } =
        run(&folder, &format!("{}{files} > lib.rs 2> lib.err", maker.command(tools)), &[])?;
    let mut made = Made { cpu, done: vec![true; all.len()], ..Made::default() };
    made.count(&fs::read_to_string(folder.join("lib.rs"))?);
    Ok(made)
}

impl Made {
    fn count(&mut self, text: &str) {
        self.lines += text.lines().count();
        self.bytes += text.len();
    }

    /// Returns for how many CRDs there is code.
    pub fn number(&self) -> usize {
        self.done.iter().filter(|done| **done).count()
    }
}

/// Returns the text of an object without its metadata, which belongs to the server.
pub fn without_metadata(mut object: Value) -> Value {
    if let Some(members) = object.as_map_mut() {
        members.remove("metadata");
    }
    object
}
