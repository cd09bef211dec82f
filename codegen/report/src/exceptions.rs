//! What does not fail a run: findings that a comment or `--allow` allows, and those of `--baseline`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crdgen_core::diag::codes::exception as codes;
use crdgen_core::diag::{Code, Diag, Level};
use crdgen_core::documents::{Comment, Day, Exception, exceptions};
use crdgen_core::json;
use crdgen_core::listed;
use crdgen_core::path::Path;
use crdgen_core::span::Place;
use crdgen_core::value::{Map, Value};
use crdgen_source::Found;

use crate::{Finding, Findings};
use crdgen_files::input::{self, Shown};
use crdgen_files::{Error, output};
use crdgen_tasks::inputs::{Source, normal};

/// Which findings do not fail the run.
#[derive(clap::Args, Clone, Debug, Default)]
#[group(skip)]
pub struct Args {
    /// Allow a code in some files, with a reason and perhaps the day when this ends. May be repeated. A comment
    /// `# crdgen:allow CODE REASON [until DAY]` in YAML allows it in one place
    #[arg(long, value_name = "FILES: CODE REASON [until DAY]", value_hint = clap::ValueHint::AnyPath)]
    allow: Vec<String>,
    /// Ignore the findings in this file, which --write-baseline wrote, and report only new ones
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    baseline: Option<PathBuf>,
    /// Write all findings to a file for --baseline, and do not fail on them
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
}

/// An exception of `--allow`.
#[derive(Clone)]
struct Given {
    text: String,
    files: glob::Pattern,
    exception: Exception,
    is_used: bool,
}

/// The exceptions in the comments of a file. Only files with comments are kept.
#[derive(Clone)]
struct Commented {
    source: Source,
    /// The comments, and whether each allowed something.
    comments: Vec<(Comment, bool)>,
}

/// A finding of a baseline.
#[derive(Clone)]
struct Known {
    file: String,
    /// Whether there is no such file any more.
    is_file_gone: bool,
    /// Its code, unless this version of crdgen does not have it any more.
    code: Option<&'static Code>,
    text: String,
    /// How often it was found, less how often it was found again.
    left: usize,
}

/// The findings of `--baseline`.
#[derive(Clone)]
struct Baseline {
    path: PathBuf,
    /// By fingerprint.
    known: HashMap<String, Known>,
    /// The fingerprints of findings about an object, whatever their file is.
    about: HashMap<About, Vec<String>>,
    files: BTreeSet<String>,
}

/// What identifies a finding if its file may have moved: the object, the code, and the text, which names the field.
#[derive(Clone, PartialEq, Eq, Hash)]
struct About {
    object: String,
    code: String,
    text: String,
}

impl Baseline {
    /// Whether a finding is known, as often as it was found. It is also known if it was found in a file that is gone, which may be this
    /// file under another name.
    fn knows(&mut self, file: &str, finding: &Finding) -> bool {
        if let Some(known) = self.known.get_mut(&finding.fingerprint(file)).filter(|known| known.left > 0) {
            known.left -= 1;
            return true;
        }
        let about = About {
            object: finding.object.clone(),
            code: finding.diag.code.id.to_owned(),
            text: finding.diag.shown(),
        };
        for fingerprint in self.about.get(&about).into_iter().flatten() {
            let known = self.known.get_mut(fingerprint);
            if let Some(known) = known.filter(|known| known.left > 0 && known.may_be_in(file)) {
                known.left -= 1;
                return true;
            }
        }
        false
    }
}

impl Known {
    /// Whether its file may be this one: it is gone, or the user has written its path in another way.
    fn may_be_in(&self, file: &str) -> bool {
        let whole = |path: &str| {
            let path = std::path::Path::new(path);
            normal(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
        };
        self.is_file_gone || whole(&self.file) == whole(file)
    }
}

/// All exceptions of a run.
#[derive(Clone)]
pub struct Exceptions {
    given: Vec<Given>,
    files: BTreeMap<String, Commented>,
    /// The source that came last. The parts of a long source come one after the other.
    last: Option<String>,
    today: Day,
    baseline: Option<Baseline>,
    /// The files of the baseline that this run read.
    visited: BTreeSet<String>,
    /// The findings for a new baseline.
    written: Option<(PathBuf, Vec<Value>)>,
    allowed: usize,
    ignored: usize,
}

impl Exceptions {
    /// Reads the exceptions of a run.
    ///
    /// # Errors
    ///
    /// If an argument is wrong, or the baseline cannot be read.
    pub fn new(args: &Args) -> Result<Exceptions, Error> {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
        Ok(Exceptions {
            given: args.allow.iter().map(|text| given(text)).collect::<Result<_, Error>>()?,
            files: BTreeMap::new(),
            last: None,
            today: Day::of_unix(seconds),
            baseline: args.baseline.as_ref().map(|path| read(path)).transpose()?,
            visited: BTreeSet::new(),
            written: args.write_baseline.clone().map(|path| (path, Vec::new())),
            allowed: 0,
            ignored: 0,
        })
    }

    /// Returns the findings of a source, or a part of it, that no exception allows, and those about its exceptions.
    pub fn filter(&mut self, source: &Source, findings: Vec<Finding>) -> Vec<Finding> {
        let mut malformed = Vec::new();
        if self.last.as_deref() != Some(&*source.name) {
            self.last = Some(source.name.clone());
            malformed = self.visit(source);
        }
        let mut findings = findings;
        findings.retain(|finding| {
            let is_allowed = self.allows(&source.name, finding);
            self.allowed += usize::from(is_allowed);
            !is_allowed
        });
        findings.append(&mut malformed);
        findings.retain(|finding| {
            let is_known = self.knows(&source.name, finding);
            self.ignored += usize::from(is_known);
            !is_known
        });
        findings
    }

    /// Returns for each finding in Rust sources whether no exception allows it.
    pub fn wants(&mut self, found: &[Found]) -> Vec<bool> {
        let mut is_wanted = |found: &Found| {
            let at = found.at.as_ref();
            let place = at.map(|at| Place { start: at.start, end: at.end });
            let name = at.map_or_else(String::new, |at| at.file.clone());
            let finding = Finding::new(String::new(), place, found.diag.clone());
            !self.filter(&Source::new(name, Arc::default()), vec![finding]).is_empty()
        };
        found.iter().map(&mut is_wanted).collect()
    }

    /// Reads the exceptions of a source when it comes for the first time.
    fn visit(&mut self, source: &Source) -> Vec<Finding> {
        if self.baseline.as_ref().is_some_and(|baseline| baseline.files.contains(&source.name)) {
            self.visited.insert(source.name.clone());
        }
        if self.files.contains_key(&source.name) {
            return Vec::new();
        }
        // In Rust, attributes allow what is found, and a text such as this comment may be anywhere.
        let is_rust = std::path::Path::new(&source.name).extension().is_some_and(|it| it == "rs");
        let (comments, malformed) = if is_rust { Default::default() } else { exceptions(&source.bytes) };
        if !comments.is_empty() {
            let comments = comments.into_iter().map(|comment| (comment, false)).collect();
            self.files.insert(source.name.clone(), Commented { source: source.clone(), comments });
        }
        malformed
    }

    fn allows(&mut self, file: &str, finding: &Finding) -> bool {
        let code = finding.diag.code;
        let today = self.today;
        let of_file = self.files.get_mut(file).map(|it| it.comments.as_mut_slice()).unwrap_or_default();
        let comment = of_file.iter_mut().find(|(comment, _)| {
            let exception = &comment.exception;
            exception.code == code && exception.applies(today) && comment.covers(finding.place)
        });
        if let Some((_, is_used)) = comment {
            *is_used = true;
            return true;
        }
        let path = file.strip_prefix("./").unwrap_or(file);
        let options = glob::MatchOptions { require_literal_separator: true, ..glob::MatchOptions::new() };
        let given = self.given.iter_mut().find(|given| {
            let exception = &given.exception;
            exception.code == code && exception.applies(today) && given.files.matches_with(path, options)
        });
        given.is_some_and(|given| {
            given.is_used = true;
            true
        })
    }

    /// Whether a finding is in the baseline. A new baseline gets all findings.
    fn knows(&mut self, file: &str, finding: &Finding) -> bool {
        if let Some((_, all)) = &mut self.written {
            all.push(Value::Map(Map::from_iter([
                ("file", Value::from(file)),
                ("object", finding.object.as_str().into()),
                ("code", finding.diag.code.id.into()),
                ("text", finding.diag.shown().into()),
                ("fingerprint", finding.fingerprint(file).into()),
            ])));
            return true;
        }
        self.baseline.as_mut().is_some_and(|baseline| baseline.knows(file, finding))
    }

    /// Returns the findings about exceptions that allow nothing, or no longer. `may_find` returns whether the run looks for
    /// a code at all.
    pub fn rest(&self, may_find: impl Fn(&Code) -> bool) -> Vec<Findings> {
        let of_file = |Commented { source, comments }: &Commented| {
            let findings: Vec<Finding> = comments
                .iter()
                .filter(|(_, is_used)| !is_used)
                .filter_map(|(comment, _)| {
                    let diag = self.unused(&comment.exception, &may_find)?;
                    Some(Finding::new(String::new(), Some(comment.place), diag))
                })
                .collect();
            (!findings.is_empty()).then(|| Findings { source: source.clone(), findings })
        };
        let ended = self.given.iter().filter(|given| !given.is_used && !given.exception.applies(self.today));
        let of_argument = |given: &Given| {
            let diag = self.unused(&given.exception, &may_find)?;
            let findings = vec![Finding::new(String::new(), None, diag)];
            Some(Findings {
                source: Source::new(format!("--allow \"{}\"", given.text), Arc::default()),
                findings,
            })
        };
        ended.filter_map(of_argument).chain(self.files.values().filter_map(of_file)).collect()
    }

    fn unused(&self, exception: &Exception, may_find: impl Fn(&Code) -> bool) -> Option<Diag> {
        let id = exception.code.id;
        let diag = |code, level, text: String, help| Diag::own(code, level, &Path::ROOT, text).help(help);
        match exception.until.filter(|_| !exception.applies(self.today)) {
            // The day was written to make the run fail after it.
            Some(day) => {
                let text = format!("this exception for {id} ended on {day}");
                let help = "fix what it allowed and remove it, or write a later day";
                Some(diag(&codes::ENDED, Level::Error, text, help))
            }
            None if may_find(exception.code) => {
                let text = format!("this exception for {id} allows nothing");
                Some(diag(&codes::UNUSED, Level::Warning, text, "remove it"))
            }
            None => None,
        }
    }

    /// Returns the numbers for the JSON document, if there are exceptions.
    pub fn numbers(&self, may_find: impl Fn(&Code) -> bool) -> Map<Value> {
        let number = |n: usize| Value::Int(i64::try_from(n).unwrap_or(i64::MAX));
        let mut out = Map::new();
        if !self.given.is_empty() || !self.files.is_empty() {
            out.insert("allowed", number(self.allowed));
        }
        if self.baseline.is_some() {
            out.insert("known", number(self.ignored));
            out.insert("gone", number(self.gone(may_find).map(|known| known.left).sum()));
        }
        out
    }

    /// The findings of the baseline that were not found again, although crdgen looked for them in their files, or the files
    /// are gone.
    fn gone(&self, may_find: impl Fn(&Code) -> bool) -> impl Iterator<Item = &Known> {
        let known = self.baseline.iter().flat_map(|baseline| baseline.known.values());
        known.filter(move |known| {
            let was_read = self.visited.contains(&known.file) || known.is_file_gone;
            known.left > 0 && was_read && known.code.is_none_or(&may_find)
        })
    }

    /// Writes the new baseline. Returns what was allowed, in lines for people.
    ///
    /// # Errors
    ///
    /// If the baseline cannot be written.
    pub fn finish(self, may_find: impl Fn(&Code) -> bool) -> Result<Vec<String>, Error> {
        let mut lines = Vec::new();
        let is_unused = |given: &&Given| !given.is_used && given.exception.applies(self.today);
        for given in self.given.iter().filter(is_unused) {
            if let Some(diag) = self.unused(&given.exception, &may_find) {
                lines.push(format!("warning: --allow \"{}\": {}", given.text, diag.detail));
            }
        }
        if self.allowed > 0 {
            lines.push(format!("allowed by exceptions: {}", findings(self.allowed)));
        }
        if let Some(Baseline { path, .. }) = &self.baseline {
            lines.push(format!("known from {}: {}", path.shown(), findings(self.ignored)));
            let mut gone: Vec<String> =
                self.gone(may_find).map(|known| format!("{}: {}", known.file, known.text)).collect();
            gone.sort();
            if !gone.is_empty() {
                let first = listed::first(gone.iter(), listed::NAMED);
                lines.push(format!("in {}, but not found any more: {first}", path.shown()));
            }
        }
        if let Some((path, all)) = self.written {
            lines.push(format!("wrote {} to {}", findings(all.len()), path.shown()));
            output::write_if_changed(&path, &document(&all))?;
        }
        Ok(lines)
    }
}

fn findings(count: usize) -> String {
    if count == 1 { "1 finding".to_owned() } else { format!("{count} findings") }
}

/// Reads `FILES: CODE REASON [until DAY]`.
fn given(text: &str) -> Result<Given, Error> {
    let wrong = |why: String| Error::Argument(format!("--allow \"{text}\": {why}"));
    let (files, exception) = text.split_once(": ").ok_or_else(|| {
        wrong(
            "write the files, the code and the reason, such as `legacy/**: OBJ031 legacy until 2027`"
                .to_owned(),
        )
    })?;
    let files = files.trim().trim_start_matches("./");
    let files = glob::Pattern::new(files).map_err(|e| wrong(format!("{files}: invalid pattern: {e}")))?;
    let exception = Exception::read(exception).map_err(|(what, help)| wrong(format!("{what}; {help}")))?;
    Ok(Given { text: text.to_owned(), files, exception, is_used: false })
}

/// A finding a line, so that changes of a baseline are readable.
fn document(all: &[Value]) -> String {
    let mut lines: Vec<String> = all.iter().map(json::to_string).collect();
    lines.sort();
    let lines = if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join(",\n")) };
    format!("{{\"findings\":[{lines}]}}\n")
}

/// Reads a baseline.
fn read(path: &std::path::Path) -> Result<Baseline, Error> {
    let wrong = |why: &str| {
        let path = path.shown();
        Error::Argument(format!("--baseline {path}: {why}. Write it with `--write-baseline {path}`"))
    };
    let bytes = match input::read(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(wrong("there is no such file")),
        other => other.map_err(Error::file(path))?,
    };
    let value = json::read(&bytes).map_err(|_| wrong("not a baseline"))?;
    let all = value.get("findings").and_then(Value::as_list).ok_or_else(|| wrong("not a baseline"))?;
    let (mut known, mut files) = (HashMap::new(), BTreeSet::new());
    let mut about: HashMap<About, Vec<String>> = HashMap::new();
    for finding in all {
        let text_of = |name: &str| finding.get(name).and_then(Value::as_str).map(str::to_owned);
        let (Some(fingerprint), Some(file), Some(code), Some(text)) =
            (text_of("fingerprint"), text_of("file"), text_of("code"), text_of("text"))
        else {
            return Err(wrong("not a baseline"));
        };
        // A text without an object could be that of any file.
        if let Some(object) = text_of("object").filter(|object| !object.is_empty()) {
            let of = About { object, code: code.clone(), text: text.clone() };
            about.entry(of).or_default().push(fingerprint.clone());
        }
        let code = crdgen_core::diag::codes::find(&code);
        let is_file_gone = !std::path::Path::new(&file).exists();
        files.insert(file.clone());
        known.entry(fingerprint).or_insert(Known { file, is_file_gone, code, text, left: 0 }).left += 1;
    }
    Ok(Baseline { path: path.to_owned(), known, about, files })
}
