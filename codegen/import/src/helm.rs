//! CRDs in Helm charts: YAML with actions of Go's templates. Evaluating the actions would need values that are unknown
//! here. In CRDs, actions mostly choose labels or decide whether to install the CRD at all, so the text without them is
//! the CRD.

use super::has_placeholder;
use crate::yaml::{Documents, Unreadable};
use std::sync::Arc;

/// Whether a text that is not YAML is a template: it has actions of Go's templates or of Jinja, or placeholders, and these are
/// what makes it invalid.
#[must_use]
pub fn is_template(text: &str) -> bool {
    let is_of_template = |text: &str| text.contains("{{") || text.contains("{%") || has_placeholder(text);
    if !is_of_template(text) {
        return false;
    }
    let error = |text: String| Documents::new(&Arc::new(text.into_bytes())).find_map(Result::err);
    let Some(Unreadable { place, .. }) = error(text.to_owned()) else { return false };
    // Without its actions, a template is often YAML, but not always: an action may choose between two indentations.
    let line = (place.start.line as usize).saturating_sub(1);
    let mut around = text.lines().skip(line.saturating_sub(1)).take(3);
    around.any(|line| is_of_template(&without_quoted(line))) || error(without_actions(text)).is_none()
}

/// A line without its quoted texts and its comment, in which actions are only text. An action in quotes that has such quotes itself
/// stays.
fn without_quoted(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['"', '\'', '#']) {
        let (before, found) = rest.split_at(at);
        let (mark, after) = found.split_at(1);
        out.push_str(before);
        // After other characters, they are part of a text.
        if !(out.is_empty() || out.ends_with([' ', '\t', ',', ':', '[', '{', '('])) {
            out.push_str(mark);
            rest = after;
            continue;
        }
        if mark == "#" {
            return out;
        }
        match after.find(mark).filter(|end| !is_in_action(&after[..*end])) {
            Some(end) => rest = &after[end + 1..],
            None => return out + found,
        }
    }
    out + rest
}

/// Whether an action that begins in a text does not end in it.
fn is_in_action(text: &str) -> bool {
    text.rfind("{{").is_some_and(|start| !text[start..].contains("}}"))
}

/// The text without its actions. An action on a line of its own leaves an empty line, an action that is only a quoted
/// text leaves that text, and other actions leave an empty value.
#[must_use]
pub fn without_actions(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        let (before, action) = rest.split_at(start);
        out.push_str(before);
        let Some(end) = end_of_action(action) else {
            out.push_str(action);
            return out;
        };
        let inner = action[2..end - 2].trim_matches('-').trim();
        out.push_str(quoted(inner).unwrap_or_default());
        // Line breaks are kept so that places do not change.
        out.extend(inner.matches('\n'));
        rest = &action[end..];
    }
    out.push_str(rest);
    out
}

/// The end of the action at the start of a text. Braces in its strings and comments do not count.
fn end_of_action(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 2;
    while at < bytes.len() {
        match bytes[at] {
            b'}' if bytes.get(at + 1) == Some(&b'}') => return Some(at + 2),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at += 2 + text[at + 2..].find("*/")? + 2,
            b'`' => at += 1 + text[at + 1..].find('`')? + 1,
            b'"' => {
                at += 1;
                while *bytes.get(at)? != b'"' {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    None
}

/// The text of an action that is only a string. Charts write braces in this way if they do not mean an action.
fn quoted(action: &str) -> Option<&str> {
    let within = |quote: char| action.strip_prefix(quote)?.strip_suffix(quote);
    within('`').or_else(|| within('"')).filter(|text| !text.contains(['`', '"', '\\', '\n']))
}

#[cfg(test)]
mod tests {
    use super::{is_template, without_actions};

    #[test]
    fn finds_templates() {
        for (text, wanted) in [
            ("a: {{ .Values.a }}\n", true),
            ("{{- if .Values.a }}\na: 1\n{{- end }}\n", true),
            ("{{- if .x }}\na:\n{{- else }}\nb:\n{{- end }}\n  c: 1\n", true),
            // This is YAML.
            ("a: '{{ b }}'\n", false),
            // Something else is wrong.
            ("a: '{{ b }}'\nb: 1\nc: 2\nd: [\n", false),
            ("a: \"{{ $labels.b }} is down\"\nb: c: d\n", false),
            ("b: c: d # {{ e }}\n", false),
            // Quotes of the action end those of YAML.
            ("a: \"{{ .b | default \"c\" }}\"\nb: [\n", true),
            ("a: {{ .b | default \"c: d\" }}: e\n  b: [\n", true),
            ("a: [\n", false),
            ("{% raw %}\na: 1\n{% endraw %}\n", true),
            ("a: 1\n{% endif %}\n", true),
            ("a: {IP_PREFIX}.16\n", true),
            ("name: @NAME@\n", true),
            ("name: @name@\n", false),
            ("a: '{IP_PREFIX}'\nb: 1\nc: 2\nd: [\n", false),
        ] {
            assert_eq!(is_template(text), wanted, "{text}");
        }
    }

    #[test]
    fn removes_actions() {
        let table = [
            ("{{- if .Values.crds }}\na: 1\n{{- end }}\n", "\na: 1\n\n"),
            ("a: {{ .Values.a | default \"}}\" }}\n", "a: \n"),
            ("a: '{{ `{{ .x }}` }}'\n", "a: '{{ .x }}'\n"),
            ("a: {{ \"{{\" }}x{{ \"}}\" }}\n", "a: {{x}}\n"),
            ("{{/* a }} comment\n   of lines */}}\nb: 2\n", "\n\nb: 2\n"),
            ("{{ unclosed", "{{ unclosed"),
            ("é: {{ \"\\\"\" }}ü", "é: ü"),
        ];
        for (text, wanted) in table {
            assert_eq!(without_actions(text), wanted, "{text}");
        }
    }
}
