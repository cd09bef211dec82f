//! Checks `import` for many CRDs: run it after changes to the import.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use crdgen::import::Options;
use crdgen_tests::corpus::{self, Seed};
use crdgen_tests::imports::crates::{STEPS, Set, Workspace};
use crdgen_tests::imports::{self, Accepted, objects};
use crdgen_tests::mutate::Mutator;
use crdgen_tests::ours::with_a_big_stack;

const USAGE: &str = "\
usage: imports [options] [STEP...]
  --corpus        over the shared corpus instead of our own definitions
  --mutations N   over N accepted mutations of the definitions instead of themselves
  --seed S        of mutations and objects (default 1)
  --only N        mutation number N alone
  --max-bytes N   of definitions that are mutated (default 60000)
  --objects N     objects made from the schemas, for the step run (default 500)
  --crates N      how many crates are compiled (default 8)
  --sample N      N of the definitions, from the smallest to the largest
  --turn N        one of N parts of the definitions, another each day: $CRDGEN_TURN selects it
  --as WORD       what is chosen about the code, such as kube, jiff or client-only; may be repeated
  --dir FOLDER    where the crates are made; what is built there is used again
  STEP            source (default): definitions come back from their code
                  check, clippy, doc, msrv, run: crates of the code compile without warnings, and `run`:
                  derives give the definitions again, objects lose nothing
                  all: all of these";

struct Args {
    corpus: bool,
    mutations: Option<usize>,
    seed: u64,
    only: Option<u64>,
    max_bytes: usize,
    objects: usize,
    crates: usize,
    sample: Option<usize>,
    parts: usize,
    style: Options,
    dir: PathBuf,
    steps: Vec<String>,
}

impl Args {
    fn read() -> Result<Args, String> {
        let mut args = Args {
            corpus: false,
            mutations: None,
            seed: 1,
            only: None,
            max_bytes: 60_000,
            objects: 500,
            crates: 8,
            sample: None,
            parts: 1,
            style: Options::default(),
            dir: std::env::temp_dir().join("crdgen-imports"),
            steps: Vec::new(),
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            let number = |text: String| text.parse::<usize>().map_err(|e| format!("{word}: {e}"));
            match word.as_str() {
                "--corpus" => args.corpus = true,
                "--mutations" => args.mutations = Some(number(value()?)?),
                "--seed" => args.seed = number(value()?)? as u64,
                "--only" => args.only = Some(number(value()?)? as u64),
                "--max-bytes" => args.max_bytes = number(value()?)?,
                "--objects" => args.objects = number(value()?)?,
                "--crates" => args.crates = number(value()?)?.max(1),
                "--sample" => args.sample = Some(number(value()?)?.max(1)),
                "--turn" => args.parts = number(value()?)?.max(1),
                "--as" => imports::choose(&mut args.style, &value()?)?,
                "--dir" => args.dir = value()?.into(),
                "all" => args.steps = std::iter::once("source").chain(STEPS).map(str::to_owned).collect(),
                "source" => args.steps.push(word),
                step if STEPS.contains(&step) => args.steps.push(word),
                _ => return Err(format!("unknown: {word}")),
            }
        }
        if args.steps.is_empty() {
            args.steps.push("source".to_owned());
        }
        Ok(args)
    }

    fn run(&self) -> Result<bool, String> {
        let seeds = match self.corpus {
            true => corpus::shared_crds().ok_or("no corpus: set CRDGEN_CORPUS")?,
            false => corpus::own_crds(),
        };
        let mut fine = true;
        let mut definitions = self.definitions(seeds);
        if let Some(wanted) = self.sample.filter(|wanted| *wanted < definitions.len()) {
            definitions.sort_by_key(|one| one.text.len());
            let all = definitions.len();
            let mut number = 0..;
            definitions
                .retain(|_| number.next().is_some_and(|i: usize| i * wanted / all != (i + 1) * wanted / all));
        }
        if self.parts > 1 {
            let mut number = crdgen_tests::turn()..;
            definitions.retain(|_| number.next().is_some_and(|number| number % self.parts == 0));
        }
        println!("{} accepted definitions", definitions.len());
        if self.style.schema && self.steps.iter().any(|s| s == "source") {
            fine &= self.source(&definitions)?;
        }
        if self.steps.iter().any(|s| s != "source") {
            fine &= self.compile(definitions).map_err(|e| e.to_string())?;
        }
        Ok(fine)
    }

    fn definitions(&self, seeds: Vec<Seed>) -> Vec<Accepted> {
        let Some(count) = self.mutations.or(self.only.map(|_| 1)) else { return imports::all(&seeds) };
        let seeds: Vec<Seed> = seeds.into_iter().filter(|s| s.text.len() <= self.max_bytes).collect();
        let mutator = Mutator::new(&seeds, self.seed);
        let all = imports::mutations(&mutator, self.only.unwrap_or(0));
        all.take(count).map(|(_, one)| one).collect()
    }

    fn source(&self, definitions: &[Accepted]) -> Result<bool, String> {
        let file = std::env::temp_dir().join(format!("crdgen-imports-{}.rs", std::process::id()));
        let mut wrong = 0;
        for one in definitions {
            if let Err(why) = imports::comes_back(one, &self.style, &file) {
                wrong += 1;
                println!("{}: {why}", one.name);
                if self.only.is_some() {
                    println!("{}\n{}", one.text, std::fs::read_to_string(&file).unwrap_or_default());
                }
            }
        }
        _ = std::fs::remove_file(&file);
        println!("source: {} of {} definitions come back", definitions.len() - wrong, definitions.len());
        Ok(wrong == 0)
    }

    fn compile(&self, definitions: Vec<Accepted>) -> io::Result<bool> {
        let crates = self.sets(definitions);
        let objects: usize = crates.iter().flatten().map(|s| s.objects.len()).sum();
        let workspace = Workspace::write(&self.dir, &self.dir.join("target"), &crates, &self.style)?;
        println!("{} crates, {} lines, {objects} objects", workspace.crates, workspace.lines);
        let mut fine = true;
        for step in self.steps.iter().filter(|s| *s != "source") {
            match workspace.step(step, &crates) {
                Ok(cpu) => println!("{step}: fine, {cpu:.0} s of processor time"),
                Err(why) => {
                    println!("{step}: {why}");
                    fine = false;
                }
            }
        }
        Ok(fine)
    }

    /// Distributes the CRDs to crates of about the same size. CRDs of one group are in one module, because they share
    /// types. Mutations have the same names, so each has its own module.
    fn sets(&self, definitions: Vec<Accepted>) -> Vec<Vec<Set>> {
        let mut sets: Vec<Set> = Vec::new();
        if self.mutations.is_some() || self.only.is_some() {
            sets.extend(
                definitions.into_iter().map(|one| Set { definitions: vec![one], objects: Vec::new() }),
            );
        } else {
            let mut apart = std::collections::BTreeMap::<(String, usize), Set>::new();
            let mut seen = std::collections::BTreeMap::<String, usize>::new();
            for one in definitions {
                let copy = seen.entry(one.crd.metadata.name.clone()).or_default();
                apart.entry((one.crd.spec.group.clone(), *copy)).or_default().definitions.push(one);
                *copy += 1;
            }
            sets.extend(apart.into_values());
        }
        let real = if self.corpus && self.mutations.is_none() { corpus::shared_objects() } else { None };
        let real = real.unwrap_or_default();
        let total: usize = sets.iter().map(|s| s.definitions.len()).sum();
        for set in &mut sets {
            if !imports::is_lossless(&self.style) {
                continue;
            }
            set.objects = objects::real(&set.definitions, &real);
            let each = self.objects.div_ceil(total.max(1));
            set.objects.extend(objects::generated(&set.definitions, each, self.seed));
        }
        let mut crates: Vec<(usize, Vec<Set>)> = vec![Default::default(); self.crates];
        let bytes = |set: &Set| set.definitions.iter().map(|a| a.text.len()).sum::<usize>();
        sets.sort_by_key(|s| std::cmp::Reverse(bytes(s)));
        for set in sets {
            if let Some(least) = crates.iter_mut().min_by_key(|c| c.0) {
                least.0 += bytes(&set);
                least.1.push(set);
            }
        }
        crates.into_iter().map(|c| c.1).filter(|c| !c.is_empty()).collect()
    }
}

fn main() -> ExitCode {
    let args = match Args::read() {
        Ok(args) => args,
        Err(e) => {
            eprintln!("imports: {e}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match with_a_big_stack(|| args.run()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("imports: {e}");
            ExitCode::from(2)
        }
    }
}
