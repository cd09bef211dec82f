//! Rename of a property in a version of a CRD, together with what refers to it there: `required`, keys of lists, rules, columns, paths,
//! defaults and examples. Other versions and objects stay as they are.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use crdgen_core::cel::escape::escape;
use crdgen_core::ir::{Keyword, Schema};
use crdgen_core::path::Step;
use crdgen_core::rules::run::{Explain, Purpose, Question, fields};
use crdgen_core::value::Value;
use crdgen_core::yaml::{self, Draft, Form, Part, Touches};
use gen_lsp_types as lsp;

use crate::document::Document;
use crate::expression::{Expression, kube, schema};
use crate::keywords::SchemaAt;
use crate::state::State;
use crate::subject::Subject;
use crate::walk::walk;

/// Why a property cannot be renamed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The place is not a property of a CRD.
    NoProperty,
    /// The object has syntax errors.
    Syntax,
    /// The server gives the field its meaning.
    Reserved(String),
    /// Not a name that can be written everywhere.
    Name(String),
    Exists(String),
    /// What an alias refers to may belong to several places.
    Alias,
    /// An expression cannot be compiled.
    Broken(String),
    /// An expression reads a field of this name of a value of any type.
    AnyType(String),
    /// A path that is not made of names.
    Path(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::NoProperty => f.write_str("only properties in the schema of a CRD can be renamed"),
            Refused::Syntax => f.write_str("the CRD has syntax errors. Fix them first"),
            Refused::Reserved(name) => write!(f, "servers give {name} its meaning"),
            Refused::Name(name) => {
                write!(
                    f,
                    "{name:?} is not a name of letters, digits, underscores and dashes that begins with a letter"
                )
            }
            Refused::Exists(name) => write!(f, "there is a property {name} already"),
            Refused::Alias => {
                f.write_str("the CRD has aliases, and what they refer to may belong to several properties")
            }
            Refused::Broken(rule) => {
                write!(f, "crdgen cannot find the fields that `{rule}` reads. Fix the expression first")
            }
            Refused::AnyType(rule) => {
                write!(f, "`{rule}` reads a field of this name of a value that may have any type")
            }
            Refused::Path(path) => write!(f, "crdgen cannot find the fields that the path {path} reads"),
        }
    }
}

/// A step from a value to one inside of it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    Property(String),
    Item,
    Value,
}

/// A property of a version of a CRD.
struct Property<'d> {
    crd: Part<'d>,
    /// The steps to the schema of the version.
    root: Vec<Step>,
    /// The way to the values that have the property.
    around: Vec<Way>,
    name: String,
    /// The bytes at the place of the request.
    range: Range<usize>,
}

/// The bytes that would change, and the name that is there now.
pub(crate) fn prepare(
    state: &State,
    document: &Document,
    offset: usize,
) -> Result<lsp::PrepareRenamePlaceholder, Refused> {
    let draft = Draft::read_at(document.text.as_str(), offset).ok_or(Refused::NoProperty)?;
    let property = Property::at(state, document, &draft, offset)?;
    Uses::find(state, document, &property, None)?;
    let Property { name: placeholder, range, .. } = property;
    Ok(lsp::PrepareRenamePlaceholder { range: state.range(document, &range), placeholder })
}

/// The edits that give the property at a byte of a document another name.
pub(crate) fn of(
    state: &State,
    document: &Document,
    offset: usize,
    new: &str,
) -> Result<lsp::WorkspaceEdit, Refused> {
    let draft = Draft::read_at(document.text.as_str(), offset).ok_or(Refused::NoProperty)?;
    let property = Property::at(state, document, &draft, offset)?;
    let mut edits = Uses::find(state, document, &property, Some(new))?;
    edits.sort_by_key(|(range, _)| range.start);
    edits.dedup();
    let edit = |(range, new_text)| lsp::TextEdit { range: state.range(document, &range), new_text };
    let edits = edits.into_iter().map(edit).collect();
    let changes = Some(HashMap::from([(document.uri.clone(), edits)]));
    Ok(lsp::WorkspaceEdit { changes, ..lsp::WorkspaceEdit::default() })
}

impl<'d> Property<'d> {
    fn at(
        state: &State,
        document: &Document,
        draft: &'d Draft,
        offset: usize,
    ) -> Result<Property<'d>, Refused> {
        // Of a document with mistakes, a draft may lack something.
        let source = document.text.as_str().get(draft.range()).unwrap_or_default();
        if !yaml::read(source.as_bytes()).1.is_empty() {
            return Err(Refused::Syntax);
        }
        let property = Property::found(state, document, draft, offset).ok_or(Refused::NoProperty)?;
        let is_resource = property.around.is_empty();
        match property.name.as_str() {
            "apiVersion" | "kind" | "metadata" | "status" if is_resource => {
                Err(Refused::Reserved(property.name))
            }
            _ => Ok(property),
        }
    }

    /// The property whose key is at a byte, or that the expression there reads.
    fn found(state: &State, document: &Document, draft: &'d Draft, offset: usize) -> Option<Property<'d>> {
        let (text, spot) = (document.text.as_str(), draft.spot(offset));
        let mut subject = Subject::new(draft.root()?, &spot.steps);
        let (name, range) = match spot.touches {
            Touches::Key(key) => {
                let name = key.name().into_owned();
                // Without quotes.
                let range = key.source_of(text, 0..name.len());
                (name, range.unwrap_or_else(|| key.range()))
            }
            Touches::Value(value) => {
                let field = Expression::of(state, &subject, value)?.field(value.byte_of(text, offset)?)?;
                // In place of the rule in its list, the property of the schema.
                subject.steps.truncate(subject.steps.len().checked_sub(3)?);
                subject.steps.extend(field.schema?);
                subject.steps.pop();
                (field.name, value.source_of(text, field.at)?)
            }
            Touches::Nothing => return None,
        };
        let [root, way, inside] = SchemaAt::around(&subject)?.split(&subject)?;
        let [Step::Key(keyword)] = inside else { return None };
        if Keyword::of(keyword) != Some(Keyword::Properties) {
            return None;
        }
        let (crd, root, around) = (subject.object, root.to_vec(), values(way));
        Some(Property { crd, root, around, name, range })
    }
}

/// The way from a value to one inside, for the steps from its schema to the schema inside.
fn values(mut steps: &[Step]) -> Vec<Way> {
    let mut out = Vec::new();
    while let [Step::Key(keyword), rest @ ..] = steps {
        steps = match (Keyword::of(keyword), rest) {
            (Some(Keyword::Properties), [Step::Key(name), rest @ ..]) => {
                out.push(Way::Property(name.clone()));
                rest
            }
            (Some(Keyword::Items), rest) => {
                out.push(Way::Item);
                rest
            }
            (Some(Keyword::AdditionalProperties), rest) => {
                out.push(Way::Value);
                rest
            }
            (Some(Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf), [Step::Index(_), rest @ ..]) => rest,
            (_, rest) => rest,
        };
    }
    out
}

/// A way as rules and commands write it.
fn path(way: &[Way]) -> String {
    let step = |step: &Way| match step {
        Way::Property(name) => format!("['{name}']"),
        Way::Item => "[]".to_owned(),
        Way::Value => ".*".to_owned(),
    };
    way.iter().map(step).collect()
}

/// Finds everything that has the name of a property.
struct Uses<'p, 'd> {
    state: &'p State,
    text: &'p str,
    property: &'p Property<'d>,
    /// The new name. None if only the places count.
    new: Option<&'p str>,
    schema: Schema,
    edits: Vec<(Range<usize>, String)>,
}

impl<'d> Uses<'_, 'd> {
    fn find(
        state: &State,
        document: &Document,
        property: &Property<'d>,
        new: Option<&str>,
    ) -> Result<Vec<(Range<usize>, String)>, Refused> {
        if let Some(new) = new.filter(|new| !is_name(new)) {
            return Err(Refused::Name(new.to_owned()));
        }
        let mut has_alias = false;
        walk(property.crd, &mut Vec::new(), &mut |_, _, value| {
            has_alias |= value.is_alias();
            !has_alias
        });
        if has_alias {
            return Err(Refused::Alias);
        }
        let schema = schema(property.crd, &property.root).ok_or(Refused::NoProperty)?;
        let root = property.crd.find(&property.root).ok_or(Refused::NoProperty)?;
        let text = document.text.as_str();
        let mut uses = Uses { state, text, property, new, schema, edits: Vec::new() };
        uses.in_schema(root, &mut Vec::new())?;
        uses.in_version()?;
        Ok(uses.edits)
    }

    /// Changes a scalar that is the name.
    fn change(&mut self, scalar: Part<'d>) {
        let (range, new) = (scalar.range(), self.new.unwrap_or(&self.property.name));
        let quote = self.text.get(range.clone()).and_then(|source| source.chars().next());
        let text = match quote {
            Some(quote @ ('"' | '\'')) => format!("{quote}{new}{quote}"),
            // What YAML would read as another type is in quotes.
            _ => yaml::write(&Value::from(new)).trim_end().to_owned(),
        };
        self.edits.push((range, text));
    }

    /// Changes the items of a list that are the name.
    fn change_items(&mut self, list: Part<'d>) {
        let name = &self.property.name;
        list.items().filter(|item| item.form() == Form::Scalar(name)).for_each(|item| self.change(item));
    }

    /// Changes bytes of the text of a scalar.
    fn change_inside(&mut self, scalar: Part<'d>, inside: Range<usize>, new: &str) {
        if let Some(range) = scalar.source_of(self.text, inside) {
            self.edits.push((range, new.to_owned()));
        }
    }

    /// Looks at a schema, to whose values a way leads.
    fn in_schema(&mut self, schema: Part<'d>, way: &mut Vec<Way>) -> Result<(), Refused> {
        let around = self.property.around.as_slice();
        // What is inside of other properties has nothing to do with it.
        let Some(rest) = around.strip_prefix(way.as_slice()) else { return Ok(()) };
        for (key, value) in schema.members() {
            match Keyword::of(&key.name()) {
                Some(Keyword::Properties) => {
                    for (key, value) in value.members() {
                        let name = key.name().into_owned();
                        if rest.is_empty() && name == self.property.name {
                            self.change(key);
                        } else if rest.is_empty() && Some(name.as_str()) == self.new {
                            return Err(Refused::Exists(name));
                        }
                        self.below(value, way, Way::Property(name))?;
                    }
                }
                Some(Keyword::Items) => self.below(value, way, Way::Item)?,
                Some(Keyword::AdditionalProperties) => self.below(value, way, Way::Value)?,
                Some(Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf) => {
                    value.items().try_for_each(|schema| self.in_schema(schema, way))?;
                }
                Some(Keyword::Not) => self.in_schema(value, way)?,
                Some(Keyword::Required) if rest.is_empty() => self.change_items(value),
                Some(Keyword::ListMapKeys) if rest == [Way::Item] => self.change_items(value),
                Some(Keyword::Default | Keyword::Example) => self.in_data(value, rest),
                Some(Keyword::Enum) => value.items().for_each(|value| self.in_data(value, rest)),
                Some(Keyword::Validations) => {
                    value.items().try_for_each(|rule| self.in_rule(rule, way))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn below(&mut self, schema: Part<'d>, way: &mut Vec<Way>, step: Way) -> Result<(), Refused> {
        way.push(step);
        let found = self.in_schema(schema, way);
        way.pop();
        found
    }

    /// Looks at a value of a schema, from which a way leads to the values that have the property.
    fn in_data(&mut self, value: Part<'d>, way: &[Way]) {
        match way {
            [] => {
                if let Some((key, _)) = value.member(&self.property.name) {
                    self.change(key);
                }
            }
            [Way::Property(name), rest @ ..] => {
                value.member(name).into_iter().for_each(|(_, value)| self.in_data(value, rest));
            }
            [Way::Item, rest @ ..] => value.items().for_each(|item| self.in_data(item, rest)),
            [Way::Value, rest @ ..] => value.members().for_each(|(_, value)| self.in_data(value, rest)),
        }
    }

    /// Looks at a rule about the values to which a way leads.
    fn in_rule(&mut self, rule: Part<'d>, way: &[Way]) -> Result<(), Refused> {
        let optional_old_self = rule.text_at(&["optionalOldSelf"]) == Some("true");
        for name in ["rule", "messageExpression"] {
            let Some((_, value)) = rule.member(name) else { continue };
            let Form::Scalar(expression) = value.form() else { continue };
            self.in_expression(value, expression, way, optional_old_self)?;
        }
        match rule.member("fieldPath") {
            Some((_, value)) => self.in_path(value, way),
            None => Ok(()),
        }
    }

    fn in_expression(
        &mut self,
        value: Part<'d>,
        expression: &str,
        way: &[Way],
        optional_old_self: bool,
    ) -> Result<(), Refused> {
        if expression.trim().is_empty() {
            return Ok(());
        }
        let path = path(way);
        let question = Question {
            expression,
            schema: Some(&self.schema),
            path: &path,
            object: None,
            old: None,
            kube: kube(self.state),
            purpose: Purpose::Rule { optional_old_self },
            explain: Explain::Nothing,
        };
        let found = fields(&question).map_err(|_| Refused::Broken(shown(expression)))?;
        let (name, around) = (&self.property.name, self.property.around.as_slice());
        for found in found.into_iter().filter(|it| it.name == *name) {
            let Some((_, steps)) = found.schema.as_deref().and_then(<[Step]>::split_last) else {
                return Err(Refused::AnyType(shown(expression)));
            };
            // The last two steps are the keyword `properties` and the name.
            let inside = values(steps.split_last().map_or(&[], |(_, steps)| steps));
            if around.strip_prefix(way) == Some(&inside) {
                let new = self.new.unwrap_or(name);
                let new = escape(new).ok_or_else(|| Refused::Name(new.to_owned()))?.into_owned();
                self.change_inside(value, found.at, &new);
            }
        }
        Ok(())
    }

    /// Looks at what a version has next to its schema.
    fn in_version(&mut self) -> Result<(), Refused> {
        let version = self.property.root.iter().take_while(|step| !is_schema(step));
        let version: Vec<Step> = version.cloned().collect();
        let Some(version) = self.property.crd.find(&version) else { return Ok(()) };
        let at = |keys: &[&str]| {
            let steps: Vec<Step> = keys.iter().map(|key| Step::Key((*key).to_owned())).collect();
            version.find(&steps)
        };
        for list in ["additionalPrinterColumns", "selectableFields"] {
            for item in at(&[list]).into_iter().flat_map(Part::items) {
                for name in ["jsonPath", "JSONPath"] {
                    item.member(name).map_or(Ok(()), |(_, path)| self.in_path(path, &[]))?;
                }
            }
        }
        for name in ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"] {
            at(&["subresources", "scale", name]).map_or(Ok(()), |path| self.in_path(path, &[]))?;
        }
        Ok(())
    }

    /// Looks at a path from the values to which a way leads.
    fn in_path(&mut self, value: Part<'d>, way: &[Way]) -> Result<(), Refused> {
        let Form::Scalar(text) = value.form() else { return Ok(()) };
        let Some(mut rest) = self.property.around.strip_prefix(way) else { return Ok(()) };
        let mut at = 0;
        while let Some(step) = next_step(text, at) {
            let name = text.get(step.name.clone()).unwrap_or_default();
            rest = match rest {
                [] if name == self.property.name && step.is_name => {
                    let new = self.new.unwrap_or(&self.property.name);
                    self.change_inside(value, step.name, new);
                    return Ok(());
                }
                [Way::Property(wanted), rest @ ..] if step.is_name && wanted == name => rest,
                [Way::Value, rest @ ..] if step.is_name => rest,
                [Way::Item, rest @ ..] if !step.is_name => rest,
                _ => return Ok(()),
            };
            at = step.end;
        }
        match text.get(at..).is_some_and(|left| left.contains(&self.property.name)) {
            true => Err(Refused::Path(shown(text))),
            false => Ok(()),
        }
    }
}

/// Whether a step leads from a version to its schema.
fn is_schema(step: &Step) -> bool {
    matches!(step, Step::Key(name) if name == "schema" || name == "validation")
}

/// A step of a JSONPath.
struct PathStep {
    /// Its name or index.
    name: Range<usize>,
    is_name: bool,
    end: usize,
}

/// The step at a byte of a path: `.name`, `['name']`, `[0]` or `[*]`.
fn next_step(text: &str, at: usize) -> Option<PathStep> {
    let rest = text.get(at..)?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let (start, close) =
        ["['", "[\"", "[", "."].iter().find(|open| rest.starts_with(**open)).map(|open| {
            let close = match *open {
                "['" => "']",
                "[\"" => "\"]",
                "[" => "]",
                _ => "",
            };
            (at + open.len(), close)
        })?;
    let name = text.get(start..)?;
    let name = if close == "]" && name.starts_with('*') {
        "*"
    } else {
        &name[..name.len() - name.trim_start_matches(is_part).len()]
    };
    let end = start + name.len();
    let is_closed = !name.is_empty() && text.get(end..)?.starts_with(close);
    is_closed.then_some(PathStep { name: start..end, is_name: close != "]", end: end + close.len() })
}

/// Whether a name can be written in schemas, paths and expressions alike.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// The start of an expression, for messages.
fn shown(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
