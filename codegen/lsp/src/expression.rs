//! Expressions in the rules of CRDs, in policies and in configurations of webhooks: what may be written at a place, and what a name in them is.

use std::fmt::Write;
use std::ops::Range;

use crdgen_core::cel::{CallAround, Candidate, CandidateKind, Kube, Signature, call_around};
use crdgen_core::decode;
use crdgen_core::ir::{Keyword, Schema, Spec};
use crdgen_core::path::Step;
use crdgen_core::rules::run::{Explain, FieldUse, Purpose, Question, ask, complete, fields};
use crdgen_core::rules::{RULE_LIMIT, words};
use crdgen_core::server::Server;
use crdgen_core::value::Value;
use crdgen_core::yaml::{Form, Part};
use crdgen_kubernetes::policies::ExpressionPlace;
use crdgen_tasks::kinds::Kinds;
use gen_lsp_types as lsp;

use crate::keywords::SchemaAt;
use crate::markdown::{code, content, escaped};
use crate::place::Place;
use crate::state::State;
use crate::subject::Subject;

/// An expression, and what it is about.
pub(crate) struct Expression<'k> {
    text: String,
    about: About<'k>,
}

/// What an expression is about.
enum About<'k> {
    /// Values of a resource.
    Values {
        /// The schema of the resource, and the path of `self` in it.
        schema: Box<Schema>,
        path: String,
        kube: Kube,
        purpose: Purpose,
    },
    /// Requests: it is in a policy or a configuration of webhooks.
    Requests { object: Value, place: ExpressionPlace, kinds: &'k Kinds },
}

impl<'k> Expression<'k> {
    /// The expression that a value is. `None` for other values.
    pub(crate) fn of(state: &'k State, subject: &Subject<'_>, value: Part<'_>) -> Option<Expression<'k>> {
        let Form::Scalar(text) = value.form() else { return None };
        let about = match ExpressionPlace::of(subject.api_version, subject.kind, &subject.steps) {
            Some(place) => About::Requests { object: subject.object.value()?, place, kinds: &state.kinds },
            None => About::of_rule(state, subject)?,
        };
        Some(Expression { text: text.to_owned(), about })
    }

    fn candidates(&self, offset: usize) -> Vec<Candidate> {
        match &self.about {
            About::Values { .. } => {
                self.question().map_or_else(Vec::new, |question| complete(&question, offset))
            }
            About::Requests { object, place, kinds } => place.complete(object, (&self.text, offset), *kinds),
        }
    }

    fn question(&self) -> Option<Question<'_>> {
        let About::Values { schema, path, kube, purpose } = &self.about else { return None };
        Some(Question {
            expression: &self.text,
            schema: Some(schema),
            path,
            object: None,
            old: None,
            kube: *kube,
            purpose: *purpose,
            explain: Explain::Nothing,
        })
    }

    /// The field that is read at a byte of the expression.
    pub(crate) fn field(&self, offset: usize) -> Option<FieldUse> {
        let found = fields(&self.question()?).ok()?.into_iter();
        found.into_iter().find(|it| it.at.start <= offset && offset <= it.at.end)
    }

    /// What may be written at a byte of the expression.
    pub(crate) fn complete(&self, offset: usize, place: &Place<'_>) -> Vec<lsp::CompletionItem> {
        self.candidates(offset).into_iter().map(|candidate| item(candidate, place)).collect()
    }

    /// The call around a byte of the expression, if it is one of a known function.
    pub(crate) fn call(&self, offset: usize) -> Option<Call> {
        let CallAround { name_end, argument } = call_around(&self.text, offset)?;
        let name = self.text.get(name_at(&self.text, name_end))?;
        let mut candidates = self.candidates(name_end).into_iter();
        let Candidate { signatures, .. } =
            candidates.find(|it| it.name == name && !it.signatures.is_empty())?;
        Some(Call { signatures, argument })
    }

    /// What the name at a byte is, and what the expression costs.
    pub(crate) fn about(&self, offset: usize) -> String {
        let mut out = String::new();
        let place = name_at(&self.text, offset);
        let name = self.text.get(place.clone()).unwrap_or_default();
        let found = self
            .candidates(place.end)
            .into_iter()
            .filter(|candidate| !name.is_empty() && candidate.name == name);
        for Candidate { name, ty, documentation, .. } in found {
            out.push_str(format!("{} {}", code(&name), escaped(&ty)).trim_end());
            if let Some(documentation) = documentation {
                _ = write!(out, "\n\n{}", escaped(&documentation));
            }
        }
        if let Some(Ok(answer)) = self.question().map(|question| ask(&question)) {
            let times = match answer.advice.count {
                0 | 1 => String::new(),
                count => format!(", and it may run {count} times"),
            };
            _ = write!(out, "\n\nThe expression may cost {} each time{times}.", words(answer.estimate));
            if answer.total() > RULE_LIMIT {
                _ = write!(out, " The server accepts {} in all.", words(RULE_LIMIT));
            }
        }
        out.trim_start().to_owned()
    }
}

impl About<'_> {
    /// What a rule of a CRD is about.
    fn of_rule<'k>(state: &State, subject: &Subject<'_>) -> Option<About<'k>> {
        let [above, way] = rule(subject)?;
        let (_, around) = subject.steps.split_last()?;
        let rule = subject.object.find(around)?;
        let optional_old_self = rule.text_at(&["optionalOldSelf"]) == Some("true");
        Some(About::Values {
            schema: Box::new(schema(subject.object, above)?),
            path: path(way)?,
            kube: kube(state),
            purpose: Purpose::Rule { optional_old_self },
        })
    }
}

/// Whether the value at a place is an expression.
pub(crate) fn is_expression(subject: &Subject<'_>) -> bool {
    ExpressionPlace::of(subject.api_version, subject.kind, &subject.steps).is_some()
        || rule(subject).is_some()
}

/// The steps to the schema of a version, and those from there to the schema of a rule, if the place is an expression of the rule.
fn rule<'s>(subject: &'s Subject<'_>) -> Option<[&'s [Step]; 2]> {
    let [above, way, inside] = SchemaAt::around(subject)?.split(subject)?;
    let [Step::Key(rules), Step::Index(_), Step::Key(name)] = inside else { return None };
    let is_expression = matches!(name.as_str(), "rule" | "messageExpression");
    (is_expression && Keyword::of(rules) == Some(Keyword::Validations)).then_some([above, way])
}

/// The environment of new rules.
pub(crate) fn kube(state: &State) -> Kube {
    state.workspace.settings.servers.last().copied().unwrap_or(Server::NEWEST).new_expressions()
}

/// A call whose arguments are being written.
pub(crate) struct Call {
    pub(crate) signatures: Vec<Signature>,
    /// The number of the argument.
    pub(crate) argument: usize,
}

/// The bytes of the name around a byte of a text.
pub(crate) fn name_at(text: &str, offset: usize) -> Range<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (before, after) = text.split_at_checked(offset).unwrap_or((text, ""));
    before.trim_end_matches(is_part).len()..text.len() - after.trim_start_matches(is_part).len()
}

/// The schema at some steps of a CRD, whose other parts need not be valid.
pub(crate) fn schema(crd: Part<'_>, steps: &[Step]) -> Option<Schema> {
    let Spec { versions, shared, .. } = decode::crd(crd.value()?).0?.spec;
    let own = match steps {
        [Step::Key(_), Step::Key(_), Step::Index(i), ..] => versions.into_iter().nth(*i)?.body.schema,
        _ => None,
    };
    own.or(shared.schema)?.open_api_v3_schema
}

/// The path of the values of a schema that some steps lead to.
fn path(mut steps: &[Step]) -> Option<String> {
    let mut out = String::new();
    while let [Step::Key(keyword), rest @ ..] = steps {
        steps = match (Keyword::of(keyword)?, rest) {
            (Keyword::Properties, [Step::Key(name), rest @ ..]) => {
                _ = write!(out, "['{name}']");
                rest
            }
            (Keyword::AdditionalProperties, rest) => {
                out.push_str(".*");
                rest
            }
            (Keyword::Items, rest) => {
                out.push_str("[]");
                rest
            }
            _ => return None,
        };
    }
    Some(out)
}

fn item(candidate: Candidate, place: &Place<'_>) -> lsp::CompletionItem {
    let Candidate { name, kind, ty, documentation, insert, signatures: _ } = candidate;
    let kind = match kind {
        CandidateKind::Variable => lsp::CompletionItemKind::Variable,
        CandidateKind::Field => lsp::CompletionItemKind::Field,
        CandidateKind::Function => lsp::CompletionItemKind::Function,
        CandidateKind::Macro => lsp::CompletionItemKind::Snippet,
        CandidateKind::Namespace => lsp::CompletionItemKind::Module,
        CandidateKind::Keyword => lsp::CompletionItemKind::Keyword,
    };
    let documentation = documentation.map(|text| lsp::Documentation::MarkupContent(content(escaped(&text))));
    // What is about the values comes before what all values have.
    let is_of_all = matches!(kind, lsp::CompletionItemKind::Function | lsp::CompletionItemKind::Snippet);
    let sort_text = format!("{}{name}", u8::from(is_of_all));
    lsp::CompletionItem {
        label: name,
        kind: Some(kind),
        detail: Some(ty).filter(|ty| !ty.is_empty()),
        documentation,
        sort_text: Some(sort_text),
        text_edit: place.edit(&insert),
        ..lsp::CompletionItem::default()
    }
}
