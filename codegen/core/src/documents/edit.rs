//! Changes documents, and keeps everything else in their texts: comments, order, white space and quotes.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::is_definition;
use crate::check::lints::fix::{Edit, fix, possible};
use crate::diag::Diag;
use crate::json;
use crate::path::Step;
use crate::span::Locate;
use crate::value::{Map, Value};
use crate::yaml::{self, Document, Documents, Format};

/// A text in which diagnostics are fixed.
pub struct Fixed {
    /// The new text.
    pub text: String,
    /// Which of the diagnostics are fixed, by their numbers.
    pub fixed: Vec<usize>,
}

/// A change of a text.
type Change = (Range<usize>, String);

/// The changes that fix some diagnostics with one code.
struct Fix {
    /// The numbers of the diagnostics.
    numbers: Vec<usize>,
    code: &'static str,
    document: usize,
    edits: Vec<Edit>,
    changes: Vec<Change>,
}

/// Fixes what lints report about the CRDs of a text. Each diagnostic has the name of its CRD. A diagnostic is fixed only if the
/// new text reads as the old one with exactly the changes that fix it.
pub fn fixed(text: &[u8], diags: &[(&str, &Diag)]) -> Option<Fixed> {
    let text = std::str::from_utf8(text).ok()?;
    let documents = read(text)?;
    let fixes = fixes(text, &documents, diags);
    let apply = |chosen: &[&Fix]| {
        let out = changed(text, chosen.iter().flat_map(|fix| &fix.changes).cloned().collect())?;
        let fixed = chosen.iter().flat_map(|fix| fix.numbers.iter().copied()).collect();
        is_as_wanted(&documents, chosen, &out).then_some(Fixed { text: out, fixed })
    };
    let good = possible(&fixes, &|chosen| apply(chosen).is_some());
    apply(&good).filter(|out| !out.fixed.is_empty())
}

fn read(text: &str) -> Option<Vec<Document>> {
    Documents::new(&Arc::new(text.as_bytes().to_vec())).collect::<Result<_, _>>().ok()
}

/// The fixes, in the order of the documents. Diagnostics with one code and the same edits have one fix.
fn fixes(text: &str, documents: &[Document], diags: &[(&str, &Diag)]) -> Vec<Fix> {
    let mut of_objects: HashMap<&str, Vec<(usize, &Diag)>> = HashMap::new();
    for (number, (name, diag)) in diags.iter().enumerate() {
        of_objects.entry(name).or_default().push((number, diag));
    }
    let name_of =
        |value: &Value| -> Option<String> { value.get("metadata")?.get("name")?.as_str().map(str::to_owned) };
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (_, value) in documents.iter().flat_map(Document::objects).filter(|(_, value)| is_definition(value)) {
        name_of(value).into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
    }
    let mut out: Vec<Fix> = Vec::new();
    for (at, document) in documents.iter().enumerate() {
        for (prefix, value) in document.objects().into_iter().filter(|(_, value)| is_definition(value)) {
            // It is not known which of several CRDs with the same name a diagnostic is about.
            let name = name_of(value).filter(|name| counts.get(name) == Some(&1));
            let name = name.as_deref();
            let first = out.len();
            for (number, diag) in name.and_then(|name| of_objects.get(name)).into_iter().flatten() {
                let Some(edits) = fix(value, diag) else { continue };
                let edits: Vec<Edit> = edits.into_iter().map(|edit| below(edit, &prefix)).collect();
                let is_same = |fix: &&mut Fix| fix.code == diag.code.id && fix.edits == edits;
                if let Some(same) = out[first..].iter_mut().find(is_same) {
                    same.numbers.push(*number);
                    continue;
                }
                let text = Text { text, document };
                let changes = edits.iter().map(|edit| text.change(edit)).collect::<Option<Vec<_>>>();
                let Some(changes) = changes else { continue };
                let changes = changes.into_iter().flatten().collect();
                out.push(Fix { numbers: vec![*number], code: diag.code.id, document: at, edits, changes });
            }
        }
    }
    out
}

/// An edit of an object as one of the document that contains it.
fn below(edit: Edit, prefix: &[Step]) -> Edit {
    let join = |at: Vec<Step>| prefix.iter().cloned().chain(at).collect();
    match edit {
        Edit::Set { at, key, value } => Edit::Set { at: join(at), key, value },
        Edit::Remove { at } => Edit::Remove { at: join(at) },
        Edit::RemoveItems { at, items } => Edit::RemoveItems { at: join(at), items },
        Edit::QuoteKey { at } => Edit::QuoteKey { at: join(at) },
    }
}

/// Makes changes of a text. `None` if two of them are about the same part.
fn changed(text: &str, mut changes: Vec<Change>) -> Option<String> {
    changes.sort_by_key(|(range, _)| (range.start, range.end));
    if changes.windows(2).any(|pair| pair[0].0.end > pair[1].0.start) {
        return None;
    }
    let is_crlf = text.split_inclusive('\n').next().is_some_and(|line| line.ends_with("\r\n"));
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for (range, new) in changes {
        out.push_str(text.get(end..range.start)?);
        out.push_str(&if is_crlf { new.replace('\n', "\r\n") } else { new });
        end = range.end;
    }
    out.push_str(text.get(end..)?);
    Some(out)
}

/// Whether a new text reads as the documents with some fixes.
fn is_as_wanted(documents: &[Document], fixes: &[&Fix], text: &str) -> bool {
    let mut wanted: Vec<Value> = documents.iter().map(|document| document.value.clone()).collect();
    // The last one first, so that the indices and names in the others stay right.
    for fix in fixes.iter().rev() {
        let edits =
            fix.edits.iter().map(|edit| make(edit, &documents[fix.document], &mut wanted[fix.document]));
        if !edits.collect::<Vec<_>>().into_iter().all(|is_made| is_made) {
            return false;
        }
    }
    read(text).is_some_and(|new| {
        new.len() == wanted.len() && new.iter().zip(&wanted).all(|(new, wanted)| new.value == *wanted)
    })
}

/// Makes an edit of the value of a document. Returns whether it can be made.
fn make(edit: &Edit, document: &Document, value: &mut Value) -> bool {
    let Edit::QuoteKey { at } = edit else { return edit.make(value) };
    let Some((Step::Key(key), around)) = at.split_last() else { return false };
    let Some(written) = document.key_as_written(at) else { return false };
    let Some(map) = value.at_mut(around).and_then(Value::as_map_mut) else { return false };
    let renamed =
        |(name, value): (&str, &Value)| (if name == key { written } else { name }.to_owned(), value.clone());
    let renamed: Map<Value> = std::mem::take(map).iter().map(renamed).collect();
    *map = renamed;
    true
}

/// A document and the text that contains it.
struct Text<'t> {
    text: &'t str,
    document: &'t Document,
}

impl Text<'_> {
    /// The changes of the text that make an edit. `None` if it is not known how.
    fn change(&self, edit: &Edit) -> Option<Vec<Change>> {
        match edit {
            Edit::Set { at, key, value } => self.set(at, key, value),
            Edit::Remove { at } => self.remove(at),
            Edit::RemoveItems { at, items } => self.remove_items(at, items),
            Edit::QuoteKey { at } => {
                let written = self.document.key_as_written(at)?;
                let place = self.document.locate_key(at)?;
                Some(vec![(place.start.offset..place.end.offset, format!("\"{written}\""))])
            }
        }
    }

    /// The place of a value: of a scalar, or of a collection in brackets. `None` for others.
    fn value(&self, at: &[Step]) -> Option<Range<usize>> {
        let (value, place) = (self.document.value.at(at)?, self.document.locate(at)?);
        let range = place.start.offset..place.end.offset;
        match value {
            Value::Map(_) | Value::List(_) => Some(range.start..closed(self.text, range.start)?),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => Some(range),
        }
    }

    /// The members of a map with the starts of their keys, in the order of the text.
    fn keys(&self, at: &[Step]) -> Option<Vec<(usize, String)>> {
        let mut out = Vec::new();
        for key in self.document.value.at(at)?.as_map()?.keys() {
            out.push((self.document.locate_key(&with(at, key))?.start.offset, key.to_owned()));
        }
        out.sort();
        Some(out)
    }

    /// The column of a key, if nothing is before it but spaces and the dashes of lists, and whether there is a dash.
    fn column(&self, offset: usize) -> Option<(usize, bool)> {
        let start = self.line(offset);
        let before = self.text.get(start..offset)?;
        before.bytes().all(|byte| matches!(byte, b' ' | b'-')).then(|| (offset - start, before.contains('-')))
    }

    /// The start of a line.
    fn line(&self, offset: usize) -> usize {
        self.text[..offset].rfind('\n').map_or(0, |at| at + 1)
    }

    fn set(&self, at: &[Step], key: &str, value: &Value) -> Option<Vec<Change>> {
        let known = self.document.value.at(&with(at, key));
        let is_json = self.document.format == Format::Json;
        if known.is_some() {
            let range = self.value(&with(at, key))?;
            let text =
                if is_json { json::to_string(value) } else { yaml::write(value).trim_end().to_owned() };
            return (!text.contains('\n')).then(|| vec![(range, text)]);
        }
        if let Some(braces) = self.value(at) {
            let key = if is_json { format!("\"{key}\"") } else { key.to_owned() };
            let first = braces.start + 1;
            return Some(vec![(first..first, format!("{key}: {}, ", json::to_string(value)))]);
        }
        let keys = self.keys(at)?;
        let (first, _) = keys.first()?;
        let (indent, _) = self.column(*first)?;
        let lines = yaml::write(&Value::Map([(key.to_owned(), value.clone())].into_iter().collect()));
        let pad = format!("\n{}", " ".repeat(indent));
        let new = lines.trim_end().replace('\n', &pad);
        let is_sorted = keys.windows(2).all(|pair| pair[0].1 < pair[1].1);
        let before = match is_sorted {
            true => keys.iter().rfind(|(_, other)| other.as_str() < key),
            false => keys.first(),
        };
        Some(vec![match before {
            Some((start, _)) => {
                let end = end_of_lines(self.text, *start, indent);
                (end..end, format!("{pad}{new}"))
            }
            None => (*first..*first, format!("{new}{pad}")),
        }])
    }

    fn remove(&self, at: &[Step]) -> Option<Vec<Change>> {
        let (Step::Key(key), around) = at.split_last()? else { return None };
        let keys = self.keys(around)?;
        let index = keys.iter().position(|(_, own)| own == key)?;
        if keys.len() == 1 {
            return None;
        }
        let start = keys[index].0;
        if self.value(around).is_some() {
            let range = match keys.get(index + 1) {
                Some((next, _)) => start..*next,
                None => self.value(&with(around, &keys[index - 1].1))?.end..self.value(at)?.end,
            };
            return self.has_no_comment(&range).then(|| vec![(range, String::new())]);
        }
        let (indent, has_dash) = self.column(start)?;
        let end = self.next_line(end_of_lines(self.text, start, indent));
        match has_dash {
            // The next key takes its place after the dash.
            true => keys.get(index + 1).map(|(next, _)| vec![(start..*next, String::new())]),
            false => Some(vec![(self.line(start)..end, String::new())]),
        }
    }

    /// Whether a part of the text has no comment, which would be lost with it. A sharp in a text counts too.
    fn has_no_comment(&self, range: &Range<usize>) -> bool {
        self.text.get(range.clone()).is_some_and(|part| !part.contains('#'))
    }

    fn remove_items(&self, at: &[Step], items: &[usize]) -> Option<Vec<Change>> {
        let count = self.document.value.at(at)?.as_list()?.len();
        let item = |index: usize| at.iter().cloned().chain([Step::Index(index)]).collect::<Vec<_>>();
        if self.value(at).is_some() {
            let last = (0..count).rfind(|index| !items.contains(index))?;
            let mut out = Vec::new();
            // Each item goes with the comma behind it, and those at the end with the comma before them.
            for index in items.iter().filter(|index| **index < last) {
                let next = self.value(&item(index + 1))?.start;
                out.push(self.value(&item(*index))?.start..next);
            }
            if last + 1 < count {
                out.push(self.value(&item(last))?.end..self.value(&item(count - 1))?.end);
            }
            let is_plain = out.iter().all(|range| self.has_no_comment(range));
            return is_plain.then(|| out.into_iter().map(|range| (range, String::new())).collect());
        }
        let mut out = Vec::new();
        for index in items {
            let steps = item(*index);
            let start = match self.value(&steps) {
                Some(range) => range.start,
                None => self.keys(&steps)?.first()?.0,
            };
            let line = self.line(start);
            let dash = self.text.get(line..start)?.find('-')?;
            // Only the item is after its dash, and its other lines are indented more than the dash.
            let is_alone = self.text.get(line..start)?.trim().len() == 1;
            let end = self.next_line(end_of_lines(self.text, start, dash + 1));
            out.push(is_alone.then_some((line..end, String::new()))?);
        }
        Some(out)
    }

    /// The start of the line after a position.
    fn next_line(&self, offset: usize) -> usize {
        self.text[offset..].find('\n').map_or(self.text.len(), |at| offset + at + 1)
    }
}

/// The end of a collection in brackets that starts at a position. `None` if none starts there.
fn closed(text: &str, start: usize) -> Option<usize> {
    let (mut open, mut before) = (0_usize, ' ');
    let mut rest = text.get(start..)?.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            '{' | '[' => open += 1,
            '}' | ']' => open = open.checked_sub(1)?,
            // Inside of a word they are letters.
            '"' | '\'' if !before.is_alphanumeric() => {
                let mut is_escaped = false;
                rest.find(|(_, inner)| {
                    let is_end = *inner == c && !is_escaped;
                    is_escaped = c == '"' && *inner == '\\' && !is_escaped;
                    is_end
                })?;
            }
            '#' if before.is_whitespace() => _ = rest.find(|(_, inner)| *inner == '\n')?,
            _ => {}
        }
        if open == 0 {
            return matches!(c, '}' | ']').then(|| start + at + c.len_utf8());
        }
        before = c;
    }
    None
}

fn with(at: &[Step], key: &str) -> Vec<Step> {
    at.iter().cloned().chain([Step::Key(key.to_owned())]).collect()
}

/// Returns the end of a member with a list or map, whose place does not include its end: after the lines below that are
/// indented more, and after list items with the same indentation.
pub fn end_of_lines(text: &str, start: usize, indent: usize) -> usize {
    let mut lines = text[start..].split_inclusive('\n');
    let mut end = start + lines.next().map_or(0, |first| first.trim_end().len());
    let mut at = start + text[start..].find('\n').map_or(text.len() - start, |at| at + 1);
    for line in lines {
        let own = line.len() - line.trim_start_matches(' ').len();
        let content = line.trim();
        let is_item = own == indent && (content == "-" || content.starts_with("- "));
        if !(content.is_empty() || own > indent || is_item) {
            break;
        }
        if !content.is_empty() {
            end = at + line.trim_end().len();
        }
        at += line.len();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::fixed;
    use crate::check::lints::{self, Lints};
    use crate::documents::Group;
    use std::sync::Arc;

    /// The text of a CRD with this spec, in which the lints about the design of an API are fixed.
    fn after(spec: &str) -> (String, Vec<&'static str>) {
        let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ws.example.com}\nspec:\n  \
                    group: example.com\n  scope: Namespaced\n  names: {kind: W, plural: ws}\n  versions:\n  - name: v1\n    \
                    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n";
        let lines: String = spec.lines().map(|line| format!("          {line}\n")).collect();
        let text = format!("{head}{lines}");
        let mut read = Group::of(&Arc::new(text.clone().into_bytes())).read();
        let mut chosen = Lints::none();
        chosen.set("api", true);
        read.check(|crd| lints::run(crd, &chosen));
        let diags: Vec<_> = read.findings.iter().map(|it| (it.object.as_str(), &it.diag)).collect();
        let Some(fixed) = fixed(text.as_bytes(), &diags) else { return (spec.to_owned(), Vec::new()) };
        let codes = fixed.fixed.iter().map(|number| diags[*number].1.code.id).collect();
        let new = fixed.text.strip_prefix(head).unwrap_or("another CRD");
        let new: String = new.lines().map(|line| format!("{}\n", line.get(10..).unwrap_or(line))).collect();
        (new, codes)
    }

    #[test]
    fn fixes_keep_everything_else() {
        for (spec, code, expected) in [
            (
                "spec:\n  type: object # the spec\n  required: [mode, name] # both\n  properties:\n    mode: {type: string, default: 'fast'}\n    name: {type: string}\n",
                "LNT103",
                "spec:\n  type: object # the spec\n  required: [name] # both\n  properties:\n    mode: {type: string, default: 'fast'}\n    name: {type: string}\n",
            ),
            (
                "spec:\n  type: object\n  # what must be there\n  required:\n  - name\n  - mode # has a default\n  - size\n  properties:\n    mode: {type: string, default: fast}\n    name: {type: string}\n",
                "LNT103",
                "spec:\n  type: object\n  # what must be there\n  required:\n  - name\n  - size\n  properties:\n    mode: {type: string, default: fast}\n    name: {type: string}\n",
            ),
            (
                "spec:\n  required:\n    - mode\n  type: object\n  properties:\n    mode: {type: string, default: fast}\n",
                "LNT103",
                "spec:\n  type: object\n  properties:\n    mode: {type: string, default: fast}\n",
            ),
            (
                "spec: {type: object, required: [mode], properties: {mode: {type: string, default: fast}}}\n",
                "LNT103",
                "spec: {type: object, properties: {mode: {type: string, default: fast}}}\n",
            ),
            (
                "status: {type: object, properties: {ready: {type: string}}, required: [ready]}\n",
                "LNT114",
                "status: {type: object, properties: {ready: {type: string}}}\n",
            ),
            (
                "status:\n  type: object\n  properties:\n    conditions:\n      # one of each type\n      items:\n        type: object\n        required: [type]\n        properties:\n          type: {type: string}\n      type: array\n",
                "LNT102",
                "status:\n  type: object\n  properties:\n    conditions:\n      # one of each type\n      items:\n        type: object\n        required: [type]\n        properties:\n          type: {type: string}\n      type: array\n      x-kubernetes-list-map-keys:\n      - type\n      x-kubernetes-list-type: map\n",
            ),
            (
                "spec:\n  type: object\n  properties:\n    on: {type: string}\n    size:\n      format: uint32\n      type: integer\n",
                "LNT008",
                "spec:\n  type: object\n  properties:\n    \"on\": {type: string}\n    size:\n      format: int64\n      minimum: 0\n      type: integer\n",
            ),
            (
                "spec:\n  type: object\n  properties:\n    title:\n      type: string\n      x-kubernetes-validations:\n      - rule: self.size() <= 100 # short\n      - rule: self != 'x'\n",
                "LNT116",
                "spec:\n  type: object\n  properties:\n    title:\n      maxLength: 100\n      type: string\n      x-kubernetes-validations:\n      - rule: self != 'x'\n",
            ),
            // Two rules of one list, at once.
            (
                "spec:\n  type: object\n  properties:\n    title:\n      type: string\n      x-kubernetes-validations:\n      - rule: self.size() <= 100\n      - rule: self.size() >= 1\n      - rule: self != 'x'\n",
                "LNT116",
                "spec:\n  type: object\n  properties:\n    title:\n      maxLength: 100\n      minLength: 1\n      type: string\n      x-kubernetes-validations:\n      - rule: self != 'x'\n",
            ),
            // The lines of a list in brackets stay.
            (
                "spec:\n  type: object\n  required: [\n    a, # first\n    mode,\n    z]\n  properties: {a: {type: string}, mode: {type: string, default: b}, z: {type: string}}\n",
                "LNT103",
                "spec:\n  type: object\n  required: [\n    a, # first\n    z]\n  properties: {a: {type: string}, mode: {type: string, default: b}, z: {type: string}}\n",
            ),
            (
                "spec: {type: object, required: [a, x, w], properties: {a: {type: string}, x: {type: string, default: b}, w: {type: string, default: b}}}\n",
                "LNT103",
                "spec: {type: object, required: [a], properties: {a: {type: string}, x: {type: string, default: b}, w: {type: string, default: b}}}\n",
            ),
        ] {
            let (new, codes) = after(spec);
            assert_eq!(new, expected, "{codes:?}");
            assert!(codes.contains(&code), "{codes:?} of {spec}");
        }
    }

    #[test]
    fn leaves_what_has_several_answers() {
        for spec in [
            // The message says more than the keyword.
            "spec:\n  type: string\n  x-kubernetes-validations:\n  - {rule: self.size() <= 100, message: too long}\n",
            // Another keyword is there already.
            "spec:\n  type: string\n  maxLength: 200\n  x-kubernetes-validations:\n  - rule: self.size() <= 100\n",
            // A comment would be lost.
            "spec:\n  type: object\n  required: [\n    mode, # has a default\n    z]\n  properties: {mode: {type: string, default: b}, z: {type: string}}\n",
            // With a minimum, these would not be valid, or mean something else.
            "spec: {type: object, properties: {num: {type: integer, format: uint32, default: -1}}}\n",
            "spec: {type: object, properties: {num: {type: integer, format: uint32, exclusiveMinimum: true}}}\n",
            // The server wants the keys of a list to be in its schema.
            "status: {type: object, properties: {conditions: {type: array, items: {type: object, required: [type], x-kubernetes-preserve-unknown-fields: true}}}}\n",
            // Items without a type could not be merged by it.
            "status: {type: object, properties: {conditions: {type: array, items: {type: object}}}}\n",
            "spec:\n  type: object\n  properties:\n    \"true\": {type: string}\n    max_size: {type: integer}\n",
            // The same lines are also those of another field.
            "spec:\n  type: object\n  properties:\n    a: &a\n      type: object\n      required: [x, y]\n      properties: {x: {type: string, default: b}, y: {type: string}}\n    b: *a\n",
        ] {
            assert_eq!(after(spec), (spec.to_owned(), Vec::new()));
        }
    }
}
