//! What a request computes without the lock, because it may take longer than all other requests: the checks of CRDs, and writes of
//! large objects. A job depends on nothing but itself. So its result is valid as long as the request asks for the same job: a job
//! has the new object, the one that it replaces with its version, and the kind as it was compiled.

use super::Hooks;
use crate::registry::{Kind, Subresource};
use crdgen_core::apply::{self, Answer, Verb, Write};
use crdgen_core::check::{self, Options};
use crdgen_core::diag::{Diag, Diags};
use crdgen_core::ir::Crd;
use crdgen_core::object::{Conversion, Refusal};
use crdgen_core::value::Value;
use crdgen_core::{decode, encode, json};
use crdgen_kubernetes::{Mistake, Subject};
use std::cell::RefCell;
use std::sync::Arc;

/// Something that a request computes.
pub(crate) trait Job: PartialEq + Sized {
    type Output: Clone;

    /// Whether it takes less time than most requests.
    fn is_small(&self) -> bool;
    fn run(&self, hooks: &Hooks) -> Self::Output;
    /// The jobs of this type in all that a request has asked.
    fn of(hooks: &Hooks) -> &RefCell<Jobs<Self>>;
}

/// The job that a request has to wait for, and those that were done for it.
#[derive(Debug)]
pub(crate) struct Jobs<J: Job> {
    wanted: Option<J>,
    done: Vec<(J, Arc<J::Output>)>,
}

/// How many results are kept. One run of a request needs three at most.
const MOST_DONE: usize = 4;

impl<J: Job> Default for Jobs<J> {
    fn default() -> Jobs<J> {
        Jobs { wanted: None, done: Vec::new() }
    }
}

impl<J: Job> Jobs<J> {
    pub(super) fn is_waiting(&self) -> bool {
        self.wanted.is_some()
    }
}

impl Hooks {
    /// The result of a job. `None` if it must be computed first.
    pub(crate) fn done<J: Job>(&self, job: J) -> Option<Arc<J::Output>> {
        if job.is_small() {
            return Some(Arc::new(job.run(self)));
        }
        let mut jobs = J::of(self).borrow_mut();
        let known = jobs.done.iter().find(|(known, _)| *known == job).map(|(_, output)| Arc::clone(output));
        if known.is_none() {
            jobs.wanted = Some(job);
        }
        known
    }

    /// Computes the job of a type that is wanted. Returns whether there is one.
    pub(super) fn work<J: Job>(&self) -> bool {
        let Some(job) = J::of(self).borrow_mut().wanted.take() else { return false };
        let output = Arc::new(job.run(self));
        // A webhook has to convert something first.
        if !self.is_waiting() {
            let mut jobs = J::of(self).borrow_mut();
            if jobs.done.len() == MOST_DONE {
                jobs.done.remove(0);
            }
            jobs.done.push((job, output));
        }
        true
    }

    /// Runs a write, in which `admit` takes part. `None` if a part of it must be computed first.
    pub(crate) fn write(
        &self,
        writing: Writing,
        admit: &apply::Admission<'_>,
    ) -> Option<Result<Answer, Refusal>> {
        if writing.is_small() {
            return Some(writing.run_with(self, admit));
        }
        let begun = self.done(writing.clone())?;
        let Some((object, live)) = &begun.asked else { return Some(begun.answer.clone()) };
        let Some(admitted) = admit(object.clone(), live.as_ref()) else { return Some(begun.answer.clone()) };
        if self.is_waiting() {
            return None;
        }
        let begun = Some(Begun(begun));
        let written = self.done(Writing { admitted: Some(admitted), begun, ..writing })?;
        Some(written.answer.clone())
    }
}

/// A CRD that is written, and the stored one that it replaces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sent {
    pub(crate) object: Value,
    pub(crate) live: Option<Value>,
}

/// What the server makes of a CRD.
#[derive(Clone, Debug)]
pub(crate) enum Checked {
    Undecodable(Diags),
    Rejected(Diags),
    Accepted {
        /// The CRD with its defaults.
        stored: Value,
        warnings: Vec<String>,
    },
}

impl Job for Sent {
    type Output = Checked;

    fn is_small(&self) -> bool {
        false
    }

    fn run(&self, _: &Hooks) -> Checked {
        self.check().unwrap_or_else(Checked::Undecodable)
    }

    fn of(hooks: &Hooks) -> &RefCell<Jobs<Sent>> {
        &hooks.definitions
    }
}

impl Sent {
    fn check(&self) -> Result<Checked, Diags> {
        let crd = read(&self.object)?;
        let options = Options::default();
        let report = match &self.live {
            None => check::create(&crd, &options),
            Some(live) => check::update(&crd, &read(live)?, &options),
        };
        if !report.is_accepted() {
            return Ok(Checked::Rejected(report.errors));
        }
        let warnings = report.warnings.iter().map(Diag::text).collect();
        Ok(Checked::Accepted { stored: encode::stored(&report.stored(&crd)), warnings })
    }
}

fn read(value: &Value) -> Result<Crd, Diags> {
    let (crd, diags) = decode::crd(value.clone());
    let mut crd = crd.ok_or(diags)?;
    crd.drop_unions();
    Ok(crd)
}

/// How many bytes of objects, times what the schema does with each, are processed under the lock. That takes some milliseconds.
const SMALL: usize = 1 << 18;

/// Whether a kind processes these objects in a moment.
fn are_small<'v>(kind: &Kind, objects: impl IntoIterator<Item = &'v Value>) -> bool {
    let bytes: usize = objects.into_iter().map(json::length).sum();
    bytes.saturating_mul(kind.weight()) <= SMALL
}

/// A write of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Writing {
    pub(crate) kind: Arc<Kind>,
    pub(crate) version: String,
    pub(crate) subresource: Option<Subresource>,
    pub(crate) namespace: String,
    pub(crate) verb: Verb,
    pub(crate) manager: String,
    pub(crate) now: String,
    /// Whether unknown fields end it before admission.
    pub(crate) is_strict: bool,
    pub(crate) body: Value,
    pub(crate) live: Option<Value>,
    /// What admission has made of the object. `None` if it was not asked yet.
    pub(crate) admitted: Option<Value>,
    /// The same write until admission.
    pub(crate) begun: Option<Begun>,
}

/// A write until admission.
#[derive(Clone, Debug)]
pub(crate) struct Begun(Arc<Written>);

impl PartialEq for Begun {
    fn eq(&self, other: &Begun) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// How far a write has come.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    answer: Result<Answer, Refusal>,
    /// The new and the old object about which admission must be asked.
    asked: Option<(Value, Option<Value>)>,
}

impl Writing {
    fn run_with(self, hooks: &Hooks, admit: &apply::Admission<'_>) -> Result<Answer, Refusal> {
        let Writing {
            kind,
            version,
            subresource,
            namespace,
            verb,
            manager,
            now,
            is_strict,
            body,
            live,
            admitted: _,
            begun,
        } = self;
        let subresource = subresource.map_or("", Subresource::name);
        let write =
            Write { verb, manager: &manager, body, live, subresource, namespace: &namespace, now: &now };
        let converter = hooks.converter(&kind);
        let accepts_unknown = |unknown: &[String]| !is_strict || unknown.is_empty();
        let hooks = apply::Hooks {
            accepts_unknown: Some(&accepts_unknown),
            conversion: converter.as_ref().map(|it| it as &dyn Conversion),
            admission: Some(admit),
            begun: begun.as_ref().and_then(|begun| begun.0.answer.as_ref().ok()),
        };
        if let Some(of) = kind.built_in(&version) {
            return of.write_with(write, &hooks);
        }
        let writer = kind.writer().map_err(|_| Refusal::NoVersion(version.clone()))?;
        writer.write_with(writer.served().version(&version)?, write, &hooks)
    }
}

impl Job for Writing {
    type Output = Written;

    fn is_small(&self) -> bool {
        are_small(&self.kind, [&self.body].into_iter().chain(&self.live))
    }

    fn run(&self, hooks: &Hooks) -> Written {
        let asked = RefCell::new(None);
        let admit = |object: Value, live: Option<&Value>| {
            if self.admitted.is_none() {
                asked.replace(Some((object, live.cloned())));
            }
            self.admitted.clone()
        };
        let answer = self.clone().run_with(hooks, &admit);
        Written { answer, asked: asked.into_inner() }
    }

    fn of(hooks: &Hooks) -> &RefCell<Jobs<Writing>> {
        &hooks.writes
    }
}

/// An object of Kubernetes' own kinds that the server's code checks, and the one that it replaces.
#[derive(Debug, PartialEq)]
pub(crate) struct Own {
    pub(crate) kind: Arc<Kind>,
    pub(crate) version: String,
    pub(crate) subresource: Option<Subresource>,
    pub(crate) object: Value,
    pub(crate) live: Option<Value>,
    /// Whether claims in the namespace can be for administrators.
    pub(crate) allows_admin: bool,
}

impl Job for Own {
    /// The mistakes and the warnings.
    type Output = (Vec<Mistake>, Vec<Mistake>);

    fn is_small(&self) -> bool {
        are_small(&self.kind, [&self.object].into_iter().chain(&self.live))
    }

    fn run(&self, _: &Hooks) -> Self::Output {
        let Some(row) = self.kind.row() else { return Default::default() };
        let Own { kind: _, version, subresource, object, live, allows_admin } = self;
        let subject = Subject {
            row,
            version,
            subresource: *subresource,
            object,
            live: live.as_ref(),
            allows_admin: *allows_admin,
            server: Default::default(),
        };
        let mistakes = subject.mistakes();
        let warnings = if mistakes.is_empty() { subject.warnings() } else { Vec::new() };
        (mistakes, warnings)
    }

    fn of(hooks: &Hooks) -> &RefCell<Jobs<Own>> {
        &hooks.own
    }
}
