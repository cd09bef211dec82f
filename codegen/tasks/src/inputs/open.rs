//! Values that another program replaces before an object is applied: variables, templates and encrypted values.

use crdgen_core::diag::{BadValue, Code, Diag, Level, codes::object as codes};
use crdgen_core::documents::is_definition;
use crdgen_core::path::Step;
use crdgen_core::value::Value;
use crdgen_import::has_placeholder;
use std::collections::HashMap;

/// Whether an error about a CRD is about a value that another program replaces: a label, an annotation, a name, or where the webhook
/// is. In schemas such texts are values as any others: patterns and rules contain them.
pub fn is_open_in_crd(diag: &Diag) -> bool {
    let value = diag.bad.as_ref().map(BadValue::to_value);
    diag.level == Level::Error && !is_in_schema(diag) && value.is_some_and(|value| has(&value, is_replaced))
}

/// Whether a diagnostic is about what a CRD says about its versions.
fn is_in_schema(diag: &Diag) -> bool {
    match diag.steps.as_slice() {
        [Step::Key(first), Step::Key(second), ..] if first == "spec" => {
            !["conversion", "group", "names", "scope"].contains(&second.as_str())
        }
        [Step::Key(first), ..] => first != "metadata",
        _ => true,
    }
}

/// The values of an object that another program replaces.
pub struct Open<'v> {
    object: &'v Value,
    is_definition: bool,
    /// Whether the object has a placeholder, if that is known.
    has_placeholder: Option<bool>,
    /// What is known about the values at some places. Many rules may be about the same large value.
    known: HashMap<Vec<Step>, Words>,
}

/// What a value contains.
#[derive(Clone, Copy)]
struct Words {
    is_replaced: bool,
    has_word: bool,
}

impl<'v> Open<'v> {
    /// The values of an object.
    pub fn new(object: &'v Value) -> Open<'v> {
        Open { object, is_definition: is_definition(object), has_placeholder: None, known: HashMap::new() }
    }

    /// Whether a verdict depends on a value that another program replaces. That a field is missing or unknown does not.
    pub fn decides(&mut self, diag: &Diag) -> bool {
        let is = |code: &Code| *diag.code == *code;
        if is(&codes::REQUIRED) || is(&codes::UNKNOWN_FIELD) || is(&codes::NO_CRD) || is(&codes::SAME_OBJECT)
        {
            return false;
        }
        if diag.steps.is_empty() || self.is_definition && is_in_schema(diag) {
            return false;
        }
        let Some(words) = self.words(&diag.steps) else { return false };
        // A program that replaces `{NAME}` in the object may replace other words too. A word of an enum is a mistake.
        words.is_replaced || !is(&codes::ENUM) && words.has_word && self.has_placeholder()
    }

    /// What the value at a place contains, if there is one.
    fn words(&mut self, steps: &[Step]) -> Option<Words> {
        if let Some(known) = self.known.get(steps) {
            return Some(*known);
        }
        let value = self.object.at(steps)?;
        let words = Words { is_replaced: has(value, is_replaced), has_word: has(value, is_word) };
        self.known.insert(steps.to_vec(), words);
        Some(words)
    }

    fn has_placeholder(&mut self) -> bool {
        *self.has_placeholder.get_or_insert_with(|| has(self.object, is_placeholder))
    }
}

/// Whether a value has a text.
fn has(value: &Value, is_wanted: fn(&str) -> bool) -> bool {
    match value {
        Value::Str(text) => is_wanted(text),
        Value::List(items) => items.iter().any(|value| has(value, is_wanted)),
        Value::Map(map) => map.iter().any(|(_, value)| has(value, is_wanted)),
        _ => false,
    }
}

/// Whether a text is one placeholder that no shell reads: `{NAME}` or `@NAME@`.
fn is_placeholder(text: &str) -> bool {
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let inner = inner.or_else(|| text.strip_prefix('@').and_then(|text| text.strip_suffix('@')));
    inner.is_some_and(is_word)
}

/// Whether a text is several words in capitals: `NAME_OF_NODE`.
fn is_word(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    text.contains('_') && text.split('_').all(is_part)
}

/// The delimiters around names that programs replace, other than `{{` and those of placeholders.
const DELIMITERS: [(&str, &str); 2] = [("<<", ">>"), ("$$", "$$")];

/// Whether a text has a name between delimiters: `<< Namespace >>`.
fn has_delimited(text: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    DELIMITERS.iter().any(|(open, close)| {
        text.match_indices(open).any(|(at, _)| {
            let inside = &text[at + open.len()..];
            let name = inside.trim_start_matches(' ');
            let length = name.bytes().take_while(|byte| is_of_name(*byte)).count();
            let end = name[length..].trim_start_matches(' ');
            // A shell reads `<<EOF >>file`: with spaces there must be some on both sides.
            let are_alike = inside.starts_with(' ') == name[length..].starts_with(' ');
            length > 0 && are_alike && end.starts_with(close)
        })
    })
}

/// Whether a text has a variable as Flux and envsubst write it, an action of a template or a placeholder, or is a value that
/// SOPS has encrypted.
fn is_replaced(text: &str) -> bool {
    if text.starts_with("ENC[AES256_GCM,") && text.ends_with(']') {
        return true;
    }
    let is_variable = |(at, _): (usize, &str)| {
        // clusterctl allows spaces.
        let name = text[at + 2..].trim_start_matches(' ');
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        // `$${A}` means the text `${A}`.
        starts
            && name[end..].trim_start_matches(' ').starts_with(['}', ':', '=', '-', '?', '+', '/', '#', '%'])
            && !text[..at].ends_with('$')
    };
    text.match_indices("${").any(is_variable)
        || text.find("{{").is_some_and(|at| text[at..].contains("}}"))
        || has_placeholder(text)
        || has_delimited(text)
}

#[cfg(test)]
mod tests {
    use super::{is_placeholder, is_replaced, is_word};

    #[test]
    fn finds_what_another_program_replaces() {
        for (text, wanted) in [
            ("${REPLICAS}", true),
            ("a-${name:=x}-b", true),
            ("${name:-x}", true),
            ("$${name}", false),
            ("${{ matrix }}", true),
            ("${1}", false),
            ("${a b}", false),
            ("$NAME", true),
            ("$name", false),
            ("{GATEWAY_CONTROLLER_NAME}", true),
            ("${ NAME }-x", true),
            ("{{ .Values.x }}", true),
            ("}} {{", false),
            ("ENC[AES256_GCM,data:x,type:str]", true),
            ("ENC[", false),
            ("<< AddonNamespace >>", true),
            ("a-<<.Name>>", true),
            ("cat <<EOF >>file", false),
            ("cat <<'EOF' >> file", false),
            ("a-$$name$$", true),
            ("$$name", false),
            ("kill $$ $$", false),
        ] {
            assert_eq!(is_replaced(text), wanted, "{text}");
        }
    }

    #[test]
    fn finds_words_that_look_like_names_of_values() {
        for (text, word, placeholder) in [
            ("USABLE_ADDRESS_1", true, false),
            ("{GATEWAY_CLASS_NAME}", false, true),
            ("@STS_NAME@", false, true),
            ("GET", false, false),
            ("a_b", false, false),
            ("_A", false, false),
            ("{a_b}", false, false),
            ("x {A_B}", false, false),
        ] {
            assert_eq!((is_word(text), is_placeholder(text)), (word, placeholder), "{text}");
        }
    }
}
