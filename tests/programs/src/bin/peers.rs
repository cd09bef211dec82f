//! Compares kopium with `crdgen import` on the shared corpus: what each generates, which of the code compiles, which
//! CRDs and objects are the same afterwards, and the costs. The table is for `codegen/IMPORT.md`.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use crdgen_programs::peers::crates::Crate;
use crdgen_programs::peers::names::{self, Overlap};
use crdgen_programs::peers::{self, Definition, MAKERS, Made, Maker, Tools};
use crdgen_programs::tables;
use crdgen_tests::corpus;
use crdgen_tests::imports::Accepted;
use crdgen_tests::imports::objects::{self, Object};

const USAGE: &str = "\
usage: peers [--dir FOLDER] [--kopium PROGRAM] [--crdgen PROGRAM] [--every N] [--only MAKER] [STEP...]
  --dir FOLDER      where code and crates go (default: a folder of the system's for such things)
  --kopium PROGRAM  default kopium: cargo install kopium --version 0.24.1 --locked
  --crdgen PROGRAM  default target/release/crdgen
  --every N         compile every Nth definition that both have code for (default 20)
  --only MAKER      compile only what one of them made: kopium, exact, client, compatible
  --into FILE       put the tables into a text, between its lines <!-- peers --> and <!-- /peers -->
  STEP              make, names, check, run; all by default";

/// How many objects are generated for each CRD.
const OBJECTS: usize = 20;

struct Peers {
    dir: PathBuf,
    tools: Tools,
    every: usize,
    only: Option<String>,
    into: Option<PathBuf>,
    steps: Vec<String>,
}

/// The output, which can also be put into a document.
#[derive(Default)]
struct Report(String);

impl Report {
    fn line(&mut self, line: &str) {
        println!("{line}");
        self.0.push_str(line);
        self.0.push('\n');
    }

    fn row(&mut self, cells: &[&str]) {
        self.line(&format!("| {} |", cells.join(" | ")));
    }
}

fn main() -> ExitCode {
    match Peers::read().and_then(|peers| peers.run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("peers: {e}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

impl Peers {
    fn read() -> io::Result<Peers> {
        let crdgen = corpus::tests_dir().join("../target/release/crdgen");
        let mut peers = Peers {
            dir: std::env::temp_dir().join("crdgen-peers"),
            tools: Tools { kopium: "kopium".into(), crdgen },
            every: 20,
            only: None,
            into: None,
            steps: Vec::new(),
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| io::Error::other(format!("{arg} needs a value")));
            match arg.as_str() {
                "--dir" => peers.dir = value()?.into(),
                "--kopium" => peers.tools.kopium = value()?.into(),
                "--crdgen" => peers.tools.crdgen = value()?.into(),
                "--every" => peers.every = value()?.parse::<usize>().map_err(io::Error::other)?.max(1),
                "--only" => peers.only = Some(value()?),
                "--into" => peers.into = Some(value()?.into()),
                "make" | "names" | "check" | "run" => peers.steps.push(arg),
                _ => return Err(io::Error::other(format!("unknown: {arg}"))),
            }
        }
        if peers.steps.is_empty() {
            peers.steps = ["make", "names", "check", "run"].map(str::to_owned).to_vec();
        }
        Ok(peers)
    }

    fn run(&self) -> io::Result<()> {
        let mut report = Report::default();
        let all = peers::definitions()?;
        println!("{} definitions that a server accepts", all.len());
        let made = self.make(&all, &mut report)?;
        if self.has("names") {
            self.names(&made[0], all.len(), &mut report)?;
        }
        let both = (0..all.len()).filter(|&i| made.iter().all(|m| m.done[i]));
        let chosen: Vec<usize> = both.step_by(self.every).collect();
        if self.has("check") || self.has("run") {
            self.compile(&all, &chosen, &made, &mut report)?;
        }
        match &self.into {
            Some(path) => fs::write(path, tables::put_into(&fs::read_to_string(path)?, "peers", &report.0)?),
            None => Ok(()),
        }
    }

    fn has(&self, step: &str) -> bool {
        self.steps.iter().any(|s| s == step)
    }

    /// Generates all code and reports the costs.
    fn make(&self, all: &[Definition], report: &mut Report) -> io::Result<Vec<Made>> {
        let mut each = Vec::new();
        report.row(&["", "generates", "seconds", "lines", "compared kopium"]);
        report.row(&["---"; 5]);
        let mut line = |title: String, made: &Made, peer: &Made| {
            let compared = if std::ptr::eq(made, peer) {
                "1".to_owned()
            } else {
                let lines = made.lines as f64 / peer.lines.max(1) as f64;
                format!("{:.2} × the time, {lines:.2} × the lines", made.cpu / peer.cpu)
            };
            let (number, cpu) = (format!("{} of {}", made.number(), all.len()), format!("{:.1}", made.cpu));
            report.row(&[&title, &number, &cpu, &made.lines.to_string(), &compared]);
        };
        for maker in MAKERS {
            let made = peers::make_each(maker, &self.tools, all, &self.dir)?;
            each.push(made);
            let (Some(peer), Some(made)) = (each.first(), each.last()) else { continue };
            line(format!("{}, a run for each file", maker.title()), made, peer);
        }
        for maker in [Maker::Exact, Maker::Client] {
            let made = peers::make_all(maker, &self.tools, all, &self.dir)?;
            line(format!("{}, one run", maker.title()), &made, &each[0]);
        }
        Ok(each)
    }

    /// Reports how many of kopium's names are in the code that should have them.
    fn names(&self, kopium: &Made, number: usize, report: &mut Report) -> io::Result<()> {
        let mut sum = Overlap::default();
        let (mut equal, mut contained, mut some) = (0, 0, 0);
        for i in (0..number).filter(|&i| kopium.done[i]) {
            let read = |maker: Maker| {
                let file = self.dir.join("each").join(maker.folder()).join(format!("{i}.rs"));
                names::of(&fs::read_to_string(file)?).map_err(io::Error::other)
            };
            let (Ok(theirs), ours) = (read(Maker::Kopium), read(Maker::Compatible)?) else { continue };
            let found = names::overlap(&theirs, &ours);
            some += 1;
            contained += usize::from(found.all);
            equal += usize::from(theirs.keys().eq(ours.keys()));
            sum.types.add(found.types);
            sum.members.add(found.members);
            sum.typed.add(found.typed);
        }
        report.line("");
        report.line(&format!(
            "Names with `--kopium-compat`, over the {some} CRDs that kopium has code for: {} of its {} types,",
            sum.types.some, sum.types.all
        ));
        report.line(&format!(
            "{} of {} fields and variants, {} of these with the same type; {contained} CRDs have all of its",
            sum.members.some, sum.members.all, sum.typed.some
        ));
        report.line(&format!("types and {equal} exactly these."));
        Ok(())
    }

    /// Compiles some of the code, converts objects with it, and gets the CRDs from it.
    fn compile(
        &self,
        all: &[Definition],
        chosen: &[usize],
        made: &[Made],
        report: &mut Report,
    ) -> io::Result<()> {
        let objects = if self.has("run") { self.objects(all, chosen) } else { Vec::new() };
        report.line("");
        report.line(&format!(
            "Of these, {} are compiled, and {} objects go through their types:\n",
            chosen.len(),
            objects.len()
        ));
        report.row(&[
            "",
            "generates",
            "compile",
            "seconds",
            "CRDs reproduced",
            "CRDs with all objects unchanged",
            "objects unchanged",
        ]);
        report.row(&["---"; 7]);
        let wanted = |maker: &Maker| self.only.as_ref().is_none_or(|only| only == maker.folder());
        for (maker, made) in MAKERS.into_iter().zip(made).filter(|(maker, _)| wanted(maker)) {
            let it = Crate::new(maker, &self.dir)?;
            let compiled = it.check(chosen)?;
            let good: Vec<usize> = chosen.iter().copied().filter(|i| !compiled.broken.contains(i)).collect();
            for i in &compiled.broken {
                eprintln!("{} does not compile: {}", maker.title(), all[*i].path.display());
            }
            let mut cells = vec![maker.title().to_owned(), format!("{} of {}", made.number(), all.len())];
            cells.extend([format!("{} of {}", good.len(), chosen.len()), format!("{:.1}", compiled.cpu)]);
            if self.has("run") {
                let ran = it.run(&good, all, &objects)?;
                let definitions = format!("{} of {}", ran.exact, chosen.len());
                cells.push(if maker.gives_definitions() { definitions } else { "—".to_owned() });
                cells.push(format!("{} of {}", ran.tried.len() - ran.lossy.len(), ran.tried.len()));
                cells.push(format!("{} of {}", ran.same, ran.objects));
                for i in &ran.lossy {
                    eprintln!("{} loses something: {}", maker.title(), all[*i].path.display());
                }
            }
            report.row(&cells.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let some: Vec<Definition> = chosen.iter().map(|i| all[*i].clone()).collect();
        let folder = self.dir.join("some");
        report.line("");
        for maker in [Maker::Exact, Maker::Client].into_iter().filter(wanted) {
            let made = peers::make_all(maker, &self.tools, &some, &folder)?;
            let file = folder.join("all").join(maker.folder()).join("lib.rs");
            let cpu = Crate::new(maker, &self.dir)?.check_all(&file)?.cpu;
            report.line(&format!("{}, one run for all: {cpu:.1} s for {} lines.", maker.title(), made.lines));
        }
        Ok(())
    }

    /// Returns valid objects of some CRDs: real ones, and generated ones.
    fn objects(&self, all: &[Definition], chosen: &[usize]) -> Vec<Object> {
        let accepted = |&i: &usize| Accepted {
            name: all[i].path.display().to_string(),
            text: String::new(),
            crd: all[i].crd.clone(),
        };
        let definitions: Vec<Accepted> = chosen.iter().map(accepted).collect();
        let mut out = objects::real(&definitions, &corpus::shared_objects().unwrap_or_default());
        out.extend(objects::generated(&definitions, OBJECTS, 1));
        out.iter_mut().for_each(|object| object.definition = chosen[object.definition]);
        out
    }
}
