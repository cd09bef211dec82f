//! The one history, and what the answers must be.

use crdgen_apiserver::Fault;
use crdgen_core::value::Value;
use std::collections::BTreeMap;
use std::fmt;

/// What a test sees of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) revision: u64,
    pub(crate) number: String,
    pub(crate) label: String,
}

impl Object {
    pub(crate) fn read(value: &Value) -> Option<Object> {
        let metadata = value.get("metadata")?;
        let label = metadata.get("labels").and_then(|it| it.get("x")?.as_str()).unwrap_or_default();
        Some(Object {
            name: metadata.get("name")?.as_str()?.to_owned(),
            revision: metadata.get("resourceVersion")?.as_str()?.parse().ok()?,
            number: value.get("data").and_then(|it| it.get("n")?.as_str()).unwrap_or_default().to_owned(),
            label: label.to_owned(),
        })
    }

    fn is_selected(&self, selector: &str) -> bool {
        selector.is_empty() || selector.strip_prefix("x=") == Some(&self.label)
    }
}

/// A line of a watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) ty: String,
    pub(crate) object: Object,
}

impl Line {
    pub(crate) fn read(value: &Value) -> Option<Line> {
        let ty = value.get("type")?.as_str()?.to_owned();
        let nothing =
            || Object { name: String::new(), revision: 0, number: String::new(), label: String::new() };
        let object = Object::read(value.get("object")?);
        (ty == "ERROR" || object.is_some()).then(|| Line { ty, object: object.unwrap_or_else(nothing) })
    }
}

/// A write and its answer.
#[derive(Debug)]
pub(crate) struct Wrote {
    pub(crate) method: &'static str,
    pub(crate) name: String,
    /// The last revision that somebody knew before.
    pub(crate) known: u64,
    pub(crate) code: u16,
    /// The revision that the client wanted to replace.
    pub(crate) wanted: Option<u64>,
    /// The number that the write makes, which no other one does.
    pub(crate) number: Option<u64>,
    pub(crate) found: Option<Object>,
}

#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) name: String,
    pub(crate) known: u64,
    pub(crate) code: u16,
    pub(crate) found: Option<Object>,
}

#[derive(Debug)]
pub(crate) enum Answer {
    Wrote(Wrote),
    Read(Read),
    Listed { selector: String, known: u64, exact: Option<u64>, listed: Result<(u64, Vec<Object>), u16> },
}

/// The lines of a watch from a revision on.
#[derive(Debug)]
struct Segment {
    selector: String,
    from: u64,
    lines: Vec<Line>,
}

/// Everything that clients have seen.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    answers: Vec<Answer>,
    segments: Vec<Segment>,
    /// The greatest revision in an answer.
    pub(crate) known: u64,
    /// Faults of each kind, by the code of the answer. Zero is a stale list.
    injected: BTreeMap<u16, usize>,
    failed: Vec<u16>,
    /// Whether the server has forgotten changes.
    pub(crate) forgotten: bool,
    /// Whether a server was killed. All that it did not answer failed.
    killed: bool,
}

/// The history: the changes in their order, with the state before each.
#[derive(Debug)]
pub(crate) struct Linear {
    events: Vec<(Line, Option<Object>)>,
}

impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (Line { ty, object }, _) in &self.events {
            writeln!(f, "{} {ty} {} n={} x={}", object.revision, object.name, object.number, object.label)?;
        }
        Ok(())
    }
}

type State = BTreeMap<String, Object>;

impl Linear {
    /// Checks that the events are a history, and follows it.
    pub(crate) fn new(events: Vec<Line>) -> Linear {
        let (mut state, mut last, mut out) = (State::new(), 0, Vec::new());
        for line in events {
            let Line { ty, object } = &line;
            assert!(object.revision > last, "{line:?} after revision {last}");
            last = object.revision;
            let before = state.get(&object.name).cloned();
            let is_legal = match ty.as_str() {
                "ADDED" => before.is_none(),
                "MODIFIED" | "DELETED" => before.is_some(),
                _ => false,
            };
            assert!(is_legal, "{line:?} when the object was {before:?}");
            match ty.as_str() {
                "DELETED" => drop(state.remove(&object.name)),
                _ => drop(state.insert(object.name.clone(), object.clone())),
            }
            out.push((line, before));
        }
        Linear { events: out }
    }

    /// The events, and those that lead to the objects of a revision. No client has seen these. So a deletion may have any revision that
    /// no object has.
    pub(crate) fn up_to(self, revision: u64, objects: &[Object]) -> Vec<Line> {
        let before = self.at(u64::MAX);
        let mut events: Vec<Line> = self.events.into_iter().map(|(line, _)| line).collect();
        let last = events.last().map_or(0, |line| line.object.revision);
        let mut since = BTreeMap::new();
        for object in objects.iter().filter(|object| before.get(&object.name) != Some(object)) {
            let ty = if before.contains_key(&object.name) { "MODIFIED" } else { "ADDED" };
            let line = Line { ty: ty.to_owned(), object: object.clone() };
            assert!(since.insert(object.revision, line).is_none(), "two objects have one revision");
        }
        for (name, object) in before {
            if !objects.iter().any(|it| it.name == name) {
                let free = (last + 1..=revision).find(|it| !since.contains_key(it));
                let revision = free.expect("a revision for each deletion");
                let object = Object { revision, ..object };
                since.insert(revision, Line { ty: "DELETED".to_owned(), object });
            }
        }
        events.extend(since.into_values());
        events
    }

    fn at(&self, revision: u64) -> State {
        let mut state = State::new();
        for (Line { ty, object }, _) in
            self.events.iter().take_while(|(it, _)| it.object.revision <= revision)
        {
            match ty.as_str() {
                "DELETED" => drop(state.remove(&object.name)),
                _ => drop(state.insert(object.name.clone(), object.clone())),
            }
        }
        state
    }

    /// The states of an object from a revision on: the one there, and those after each change.
    fn states(&self, name: &str, from: u64) -> Vec<Option<Object>> {
        let mut out = vec![self.at(from).remove(name)];
        for (Line { ty, object }, _) in &self.events {
            if object.name == name && object.revision > from {
                out.push((ty != "DELETED").then(|| object.clone()));
            }
        }
        out
    }

    /// The lines of a watch with a selector after a revision.
    fn lines(&self, selector: &str, from: u64) -> Vec<Line> {
        let mut out = Vec::new();
        for (Line { ty, object }, before) in self.events.iter().filter(|(it, _)| it.object.revision > from) {
            let before = before.as_ref().filter(|it| it.is_selected(selector));
            let after = Some(object).filter(|it| ty != "DELETED" && it.is_selected(selector));
            let (ty, shown) = match (before, after) {
                (None, None) => continue,
                (None, Some(after)) => ("ADDED", after),
                (Some(_), Some(after)) => ("MODIFIED", after),
                (Some(before), None) => ("DELETED", before),
            };
            let object = Object { revision: object.revision, ..shown.clone() };
            out.push(Line { ty: ty.to_owned(), object });
        }
        out
    }
}

impl Answers {
    pub(crate) fn injected(&mut self, fault: Fault) {
        let code = match fault {
            Fault::Conflict => 409,
            Fault::TooManyRequests => 429,
            Fault::Internal => 500,
            Fault::Unavailable => 503,
            Fault::Expired => 410,
            Fault::LostResponse => 504,
            Fault::Stale(_) => 0,
            _ => return,
        };
        *self.injected.entry(code).or_default() += 1;
    }

    /// The server was killed. Another one does not know the changes of before.
    pub(crate) fn died(&mut self) {
        (self.killed, self.forgotten) = (true, true);
    }

    pub(crate) fn add(&mut self, answer: Answer) {
        let seen = match &answer {
            Answer::Wrote(Wrote { found, .. }) | Answer::Read(Read { found, .. }) => {
                found.as_ref().map_or(0, |object| object.revision)
            }
            Answer::Listed { listed, .. } => listed.as_ref().map_or(0, |(revision, _)| *revision),
        };
        self.known = self.known.max(seen);
        self.answers.push(answer);
    }

    pub(crate) fn failed(&mut self, code: u16) {
        self.failed.push(code);
    }

    pub(crate) fn segment(&mut self, selector: &str, from: u64) -> usize {
        self.segments.push(Segment { selector: selector.to_owned(), from, lines: Vec::new() });
        self.segments.len() - 1
    }

    pub(crate) fn line(&mut self, segment: usize, line: Line) {
        self.known = self.known.max(line.object.revision);
        self.segments[segment].lines.push(line);
    }

    /// Compares everything with the history. `stored` is what the server has at the end.
    pub(crate) fn check(&self, linear: &Linear, stored: &[Object]) -> Result<(), String> {
        let end: Vec<Object> = linear.at(u64::MAX).into_values().collect();
        if end != stored {
            return Err(format!("the server has {stored:?}, and the history ends with {end:?}"));
        }
        let mut faults = self.injected.clone();
        // A failure that the history does not explain must be one that was injected.
        let mut explain = |code: u16, what: &dyn fmt::Debug| match faults.get_mut(&code) {
            Some(rest) if *rest > 0 => {
                *rest -= 1;
                Ok(())
            }
            _ if code == 500 && self.killed => Ok(()),
            _ => Err(format!("nothing explains the code {code} of {what:?}")),
        };
        for answer in &self.answers {
            match answer {
                Answer::Wrote(wrote) => check_write(wrote, linear, &mut explain)?,
                Answer::Read(read) => check_read(read, linear, &mut explain)?,
                Answer::Listed { selector, known, exact, listed } => match listed {
                    Ok((revision, objects)) => {
                        let is_wrong = exact.map_or(revision < known, |exact| exact != *revision);
                        if is_wrong {
                            explain(0, answer)?;
                        }
                        let expected: Vec<Object> = linear
                            .at(*revision)
                            .into_values()
                            .filter(|it| it.is_selected(selector))
                            .collect();
                        if *objects != expected {
                            return Err(format!("{answer:?}, and the history has {expected:?} there"));
                        }
                    }
                    Err(410) if self.forgotten => {}
                    Err(code) => explain(*code, answer)?,
                },
            }
        }
        for code in self.failed.iter().filter(|code| **code != 410 || !self.forgotten) {
            explain(*code, &"a watch")?;
        }
        self.check_watches(linear)
    }

    fn check_watches(&self, linear: &Linear) -> Result<(), String> {
        let mut last: BTreeMap<&str, &Segment> = BTreeMap::new();
        for segment in &self.segments {
            let expected = linear.lines(&segment.selector, segment.from);
            if !expected.starts_with(&segment.lines) {
                return Err(format!("{segment:?}, and the history has {expected:?} there"));
            }
            last.insert(&segment.selector, segment);
        }
        // The last watch with each selector is complete.
        for segment in last.values() {
            let expected = linear.lines(&segment.selector, segment.from);
            if expected.len() != segment.lines.len() {
                return Err(format!(
                    "a watch has lost events: {segment:?}, and the history has {expected:?} there"
                ));
            }
        }
        Ok(())
    }
}

type Explain<'e> = &'e mut dyn FnMut(u16, &dyn fmt::Debug) -> Result<(), String>;

fn check_write(wrote: &Wrote, linear: &Linear, explain: Explain<'_>) -> Result<(), String> {
    let Wrote { method, name, known, code, wanted, number, found } = wrote;
    let states = linear.states(name, *known);
    let was_missing = states.iter().any(Option::is_none);
    match code {
        200 | 201 => {
            let Some(found) = found else {
                // The answer to a deletion has no revision: it is after what was known.
                let is_deleted = *method == "DELETE" && states.iter().skip(1).any(Option::is_none);
                return if is_deleted { Ok(()) } else { Err(format!("{wrote:?} is not in the history")) };
            };
            // A change that lets a deleted object go is never stored. Its answer has the revision before it.
            let is_gone = |(it, before): &(Line, Option<Object>)| {
                it.ty == "DELETED"
                    && it.object.name == *name
                    && before.as_ref().map(|it| it.revision) == Some(found.revision)
            };
            if number.is_none_or(|number| found.number == number.to_string())
                && linear.events.iter().any(is_gone)
            {
                return Ok(());
            }
            let event = linear.events.iter().find(|(it, _)| it.object.revision == found.revision);
            let Some((line, before)) = event.filter(|(it, _)| it.object == *found) else {
                return Err(format!("{wrote:?} is not in the history"));
            };
            let Some(number) = number else { return Ok(()) };
            if line.object.number != number.to_string() {
                return Err(format!("{wrote:?} shows the write of another client: {line:?}"));
            }
            if found.revision <= *known {
                return Err(format!("{wrote:?} is older than what was known"));
            }
            let replaced = before.as_ref().map(|it| it.revision);
            if wanted.is_some() && replaced != *wanted {
                return Err(format!("{wrote:?} replaces {before:?}"));
            }
            let is_new = before.is_none();
            if (*method == "POST") != is_new && *method != "PATCH" {
                return Err(format!("{wrote:?} replaces {before:?}"));
            }
            Ok(())
        }
        404 if was_missing => Ok(()),
        409 if *method == "POST" && states.iter().any(Option::is_some) => Ok(()),
        // The object had another revision, or is being deleted and got a finalizer.
        409 if wanted.is_some() && states.iter().any(|it| it.as_ref().map(|it| it.revision) != *wanted) => {
            Ok(())
        }
        422 if *method == "PUT" => Ok(()),
        _ => explain(*code, wrote),
    }
}

fn check_read(read: &Read, linear: &Linear, explain: Explain<'_>) -> Result<(), String> {
    let Read { name, known, code, found } = read;
    let states = linear.states(name, *known);
    match (code, found) {
        (200, Some(found)) if states.contains(&Some(found.clone())) => Ok(()),
        (404, None) if states.contains(&None) => Ok(()),
        (200 | 404, _) => Err(format!("{read:?}, and the history has only {states:?}")),
        _ => explain(*code, read),
    }
}
