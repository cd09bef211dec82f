//! Changes `#[schema(…)]` or `#[schemars(…)]` in the text of a file, and keeps everything else: comments, order and white space. The spans of tokens
//! say which bytes change.

use crate::attrs::meta::split;
use crate::json;
use crate::value::Value;
use proc_macro2::{Delimiter, Literal, Span, TokenStream, TokenTree};
use std::ops::Range;
use syn::spanned::Spanned;

/// A change of a text: the bytes that are replaced, and the new text.
pub type Change = (Range<usize>, String);

/// The attributes in which a keyword is written: those of the derive that makes the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `#[schema(…)]`
    Crdgen,
    /// `#[schemars(…)]`, which has a few keywords. Since version 1 it also has `extend(…)` for all others.
    Schemars {
        /// Whether it has `extend(…)`.
        can_extend: bool,
    },
}

impl Dialect {
    /// The name of the attribute.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Crdgen => "schema",
            Dialect::Schemars { .. } => "schemars",
        }
    }
}

/// Attributes with rules of types that kube's or schemars' derives read, and their key for a rule.
const RULES: [(&str, &str); 2] = [("x_kube", "validation"), ("cel_validate", "rule")];

/// The text of a file, and where the code in it begins that was parsed: behind a byte order mark or a line that names an interpreter.
#[derive(Clone, Copy)]
pub struct Text<'t> {
    text: &'t str,
    start: usize,
}

/// One key with what follows it, as it is written.
struct Part {
    key: String,
    tokens: Vec<TokenTree>,
    bytes: Range<usize>,
}

/// The keys between two parentheses.
struct List {
    parts: Vec<Part>,
    /// The attribute, if the list is that of the attribute itself.
    attribute: Option<Range<usize>>,
}

impl List {
    fn of(tokens: TokenStream, attribute: Option<Range<usize>>) -> List {
        let part = |tokens: Vec<TokenTree>| {
            let key = match tokens.first()? {
                TokenTree::Ident(ident) => ident.to_string(),
                TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => String::new(),
            };
            let (first, last) = (tokens.first()?.span().byte_range(), tokens.last()?.span().byte_range());
            Some(Part { key, tokens, bytes: first.start..last.end })
        };
        List { parts: split(tokens).into_iter().filter_map(part).collect(), attribute }
    }
}

/// The lists of attributes with a name. Those in `cfg_attr` are left out, because they are not always there.
fn lists(attributes: &[syn::Attribute], name: &str) -> Vec<List> {
    let own = attributes.iter().filter(|attribute| attribute.path().is_ident(name));
    own.filter_map(|attribute| match &attribute.meta {
        syn::Meta::List(list) => Some(List::of(list.tokens.clone(), Some(attribute.span().byte_range()))),
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => None,
    })
    .collect()
}

/// The place of a key in `#[schema(…)]`, with what follows it.
pub fn place_of(attributes: &[syn::Attribute], key: &str) -> Option<Span> {
    let lists = lists(attributes, Dialect::Crdgen.name());
    let part = lists.iter().flat_map(|list| &list.parts).find(|part| part.key == key)?;
    let (first, last) = (part.tokens.first()?.span(), part.tokens.last()?.span());
    first.join(last)
}

/// Whether an attribute of another name has a key.
pub fn has_key(attributes: &[syn::Attribute], name: &str, key: &str) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident(name)).any(|attribute| {
        match &attribute.meta {
            syn::Meta::List(list) => {
                List::of(list.tokens.clone(), None).parts.iter().any(|part| part.key == key)
            }
            syn::Meta::Path(_) | syn::Meta::NameValue(_) => false,
        }
    })
}

/// The key of an attribute for a value, such as `max_length = 100`, or only the key for `true`. `None` if it has no simple form.
pub fn key_text(key: &str, value: &Value) -> Option<String> {
    let one = |value: &Value| match value {
        Value::Int(number) => Some(number.to_string()),
        Value::Str(text) => Some(literal(text)),
        Value::Null | Value::Bool(_) | Value::Float(_) | Value::List(_) | Value::Map(_) => None,
    };
    let text = match value {
        Value::Bool(true) => return Some(key.to_owned()),
        Value::List(items) => format!("[{}]", items.iter().map(one).collect::<Option<Vec<_>>>()?.join(", ")),
        other => one(other)?,
    };
    Some(format!("{key} = {text}"))
}

/// A literal for a text. Backslashes are easier to read in a raw one.
fn literal(text: &str) -> String {
    let is_raw = text.contains('\\') && !text.chars().any(char::is_control) && !text.contains("\"#");
    if is_raw { format!("r#\"{text}\"#") } else { Literal::string(text).to_string() }
}

impl<'t> Text<'t> {
    /// A text that [`crate::syntax::nesting::parse_file`] has parsed.
    pub fn new(text: &'t str) -> Text<'t> {
        Text { text, start: crate::syntax::nesting::start_of_code(text) }
    }

    /// The part of the text with these bytes of the code.
    fn part(&self, bytes: Range<usize>) -> Option<&'t str> {
        self.text.get(self.start + bytes.start..self.start + bytes.end)
    }

    fn change(&self, bytes: Range<usize>, new: impl Into<String>) -> Change {
        (self.start + bytes.start..self.start + bytes.end, new.into())
    }

    /// Whether the tokens of a key are written here, and not in a macro.
    fn has(&self, part: &Part) -> bool {
        part.tokens.iter().all(|token| match token {
            TokenTree::Group(group) => self.part(group.span_open().byte_range()).is_some_and(|open| {
                let expected = match group.delimiter() {
                    Delimiter::Parenthesis => "(",
                    Delimiter::Brace => "{",
                    Delimiter::Bracket => "[",
                    Delimiter::None => "",
                };
                open == expected
            }),
            token => self.part(token.span().byte_range()).is_some_and(|text| text == token.to_string()),
        })
    }

    /// Whether nothing but white space and commas is between two tokens, so that no comment is lost.
    fn is_plain(&self, bytes: Range<usize>) -> bool {
        self.part(bytes).is_some_and(|text| text.chars().all(|c| c.is_whitespace() || c == ','))
    }

    /// Writes another key in the place of one without an argument.
    pub fn instead_of(&self, attributes: &[syn::Attribute], key: &str, new: &str) -> Option<Vec<Change>> {
        let lists = lists(attributes, Dialect::Crdgen.name());
        let part = lists.iter().flat_map(|list| &list.parts).find(|part| part.key == key)?;
        let is_here = part.tokens.len() == 1 && self.has(part);
        is_here.then(|| vec![self.change(part.bytes.clone(), new)])
    }

    /// Removes a key without an argument. If it is the only one, its attribute goes too.
    pub fn without(&self, attributes: &[syn::Attribute], name: &str, key: &str) -> Option<Vec<Change>> {
        let lists = lists(attributes, name);
        let mut found = lists.iter().filter_map(|list| {
            let index = list.parts.iter().position(|part| part.key == key)?;
            Some((list, index))
        });
        let (list, index) = found.next()?;
        let part = &list.parts[index];
        if found.next().is_some() || part.tokens.len() != 1 || !self.has(part) {
            return None;
        }
        let next = list.parts.get(index + 1);
        let before = index.checked_sub(1).and_then(|index| list.parts.get(index));
        let (bytes, gap) = match (next, before) {
            (Some(next), _) => (part.bytes.start..next.bytes.start, part.bytes.end..next.bytes.start),
            (None, Some(before)) => (before.bytes.end..part.bytes.end, before.bytes.end..part.bytes.start),
            (None, None) => return Some(vec![self.without_attribute(list)?]),
        };
        self.is_plain(gap).then(|| vec![self.change(bytes, "")])
    }

    /// Removes an attribute, unless a comment would be lost.
    fn without_attribute(&self, list: &List) -> Option<Change> {
        let own = list.attribute.clone()?;
        let text = self.part(own.clone())?;
        let has_comment = text.contains("//") || text.contains("/*");
        (!has_comment).then(|| self.change(self.with_space(own), ""))
    }

    /// The bytes of an attribute with its line, or with the white space behind it.
    fn with_space(&self, bytes: Range<usize>) -> Range<usize> {
        let code = &self.text[self.start..];
        let before = &code[..bytes.start];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let behind = &code[bytes.end..];
        let spaces = behind.len() - behind.trim_start_matches([' ', '\t']).len();
        let end = behind[spaces..].strip_prefix("\r\n").or_else(|| behind[spaces..].strip_prefix('\n'));
        match end {
            Some(rest) if before[line..].trim().is_empty() => line..code.len() - rest.len(),
            _ => bytes.start..bytes.end + spaces,
        }
    }

    /// Adds keys, or replaces what they have. A new attribute goes directly before `item`, which follows all other attributes.
    /// `may_add` is true if there may be a new attribute.
    pub fn with(
        &self,
        attributes: &[syn::Attribute],
        keys: &[(&str, Value)],
        item: usize,
        may_add: bool,
    ) -> Option<Vec<Change>> {
        let lists = lists(attributes, Dialect::Crdgen.name());
        let (mut out, mut new) = (Vec::new(), Vec::new());
        for (key, value) in keys {
            let text = key_text(key, value)?;
            let mut known = lists.iter().flat_map(|list| &list.parts).filter(|part| part.key == *key);
            match (known.next(), known.next()) {
                (None, _) => new.push(text),
                (Some(part), None) if self.has(part) => out.push(self.change(part.bytes.clone(), text)),
                _ => return None,
            }
        }
        if new.is_empty() {
            return Some(out);
        }
        let new = new.join(", ");
        let last = lists.iter().filter_map(|list| list.parts.last()).next_back();
        match last {
            Some(last) if self.has(last) => {
                out.push(self.change(last.bytes.end..last.bytes.end, format!(", {new}")));
            }
            None if may_add => out.push(self.new_attribute(Dialect::Crdgen, &new, item)?),
            Some(_) | None => return None,
        }
        Some(out)
    }

    /// Adds an attribute directly before `item`, which follows all others.
    fn new_attribute(&self, dialect: Dialect, keys: &str, item: usize) -> Option<Change> {
        let code = self.text.get(self.start..)?;
        let before = code.get(..item)?;
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let indent = before.get(line..)?;
        let is_crlf = before.ends_with("\r\n") || before.get(..line)?.ends_with("\r\n");
        let end = match (indent.trim().is_empty(), is_crlf) {
            (false, _) => " ".to_owned(),
            (true, true) => format!("\r\n{indent}"),
            (true, false) => format!("\n{indent}"),
        };
        Some(self.change(item..item, format!("#[{}({keys})]{end}", dialect.name())))
    }

    /// Adds keywords to `extend(…)` of schemars. `item` is as for [`Text::with`].
    pub fn extended(
        &self,
        attributes: &[syn::Attribute],
        keywords: &[(&str, Value)],
        item: usize,
    ) -> Option<Vec<Change>> {
        let dialect = Dialect::Schemars { can_extend: true };
        let new: Vec<String> =
            keywords.iter().map(|(name, value)| format!("{name:?} = {}", json::to_string(value))).collect();
        let new = new.join(", ");
        let lists = lists(attributes, dialect.name());
        let mut known = lists.iter().flat_map(|list| &list.parts).filter(|part| part.key == "extend");
        match (known.next(), known.next()) {
            (None, _) => Some(vec![self.new_attribute(dialect, &format!("extend({new})"), item)?]),
            (Some(part), None) => {
                let inner = self.group_of(part)?;
                let is_set = |tokens: &TokenTree| {
                    keywords.iter().any(|(name, _)| tokens.to_string() == format!("{name:?}"))
                };
                (!inner.clone().into_iter().any(|token| is_set(&token)))
                    .then(|| self.added(part, inner, &new))
                    .flatten()
                    .map(|change| vec![change])
            }
            (Some(_), Some(_)) => None,
        }
    }

    /// The tokens in the parentheses of a key that is written here.
    fn group_of(&self, part: &Part) -> Option<TokenStream> {
        match part.tokens.as_slice() {
            [_, TokenTree::Group(group)] if self.has(part) => Some(group.stream()),
            _ => None,
        }
    }

    /// Adds to what is in the parentheses of a key.
    fn added(&self, part: &Part, inner: TokenStream, new: &str) -> Option<Change> {
        let last = inner.into_iter().last()?;
        let end = last.span().byte_range().end;
        let gap = if matches!(&last, TokenTree::Punct(comma) if comma.as_char() == ',') { " " } else { ", " };
        let close = part.bytes.end.checked_sub(1)?;
        self.is_plain(end..close).then(|| self.change(end..end, format!("{gap}{new}")))
    }

    /// Writes a keyword in `#[schemars(…)]` in the place of a rule in `#[x_kube(…)]`, whose literal has these bytes.
    fn in_schemars_instead_of_rule(
        &self,
        attributes: &[syn::Attribute],
        literal: &Range<usize>,
        key: &str,
        value: &Value,
    ) -> Option<Vec<Change>> {
        let Bound { group, key, text } = Bound::new(key, value)?;
        let rule = RULES.iter().find_map(|(name, key)| {
            lists(attributes, name).into_iter().find(|list| is_only_rule(list, key, literal))
        })?;
        let schemars = Dialect::Schemars { can_extend: false }.name();
        // schemars reads the bounds of others too.
        if ["validate", "garde"].iter().any(|name| has_key(attributes, name, group)) {
            return None;
        }
        let lists = lists(attributes, schemars);
        let mut known = lists.iter().flat_map(|list| &list.parts).filter(|part| part.key == group);
        match (known.next(), known.next()) {
            (None, _) => {
                let own = rule.attribute.clone()?;
                let has_comment = self.part(own.clone())?.contains("/*");
                (!has_comment).then(|| vec![self.change(own, format!("#[{schemars}({group}({text}))]"))])
            }
            (Some(part), None) => {
                let inner = self.group_of(part)?;
                let is_set = List::of(inner.clone(), None).parts.iter().any(|part| part.key == key);
                (!is_set)
                    .then(|| Some(vec![self.added(part, inner, &text)?, self.without_attribute(&rule)?]))?
            }
            (Some(_), Some(_)) => None,
        }
    }

    /// Writes a keyword in the place of a rule, whose literal has these bytes.
    pub fn instead_of_rule(
        &self,
        dialect: Dialect,
        attributes: &[syn::Attribute],
        literal: &Range<usize>,
        key: &str,
        value: &Value,
    ) -> Option<Vec<Change>> {
        if dialect != Dialect::Crdgen {
            return self.in_schemars_instead_of_rule(attributes, literal, key, value);
        }
        let text = key_text(key, value)?;
        let lists = lists(attributes, dialect.name());
        let part = lists.iter().find_map(|list| rule_with(list, literal))?;
        // A rule may have a message of its own, which says more.
        let is_bare = match part.tokens.as_slice() {
            [_, TokenTree::Punct(_), TokenTree::Literal(_)] => true,
            [_, TokenTree::Group(group)] => {
                let inner = List::of(group.stream(), None);
                inner.parts.len() == 1 && inner.parts.iter().all(|part| part.tokens.len() == 3)
            }
            _ => false,
        };
        let has_comment = self.part(part.bytes.clone())?.contains("/*");
        (is_bare && self.has(&part) && !has_comment).then(|| vec![self.change(part.bytes, text)])
    }
}

/// A bound as schemars writes it: `max = 8` in `length(…)`.
struct Bound {
    group: &'static str,
    key: &'static str,
    text: String,
}

impl Bound {
    /// The bound for a key of `#[schema(…)]`. `None` if schemars has no key for it.
    fn new(key: &str, value: &Value) -> Option<Bound> {
        let (group, key) = match key {
            "max_length" | "max_items" => ("length", "max"),
            "min_length" | "min_items" => ("length", "min"),
            "maximum" => ("range", "max"),
            "minimum" => ("range", "min"),
            "pattern" => ("regex", "pattern"),
            _ => return None,
        };
        Some(Bound { group, key, text: key_text(key, value)? })
    }
}

/// Whether an attribute has nothing but a rule without a message, whose literal has these bytes: `validation = "…"` or `validation =
/// Rule::new("…")`.
fn is_only_rule(list: &List, key: &str, literal: &Range<usize>) -> bool {
    let [part] = list.parts.as_slice() else { return false };
    let is_around = part.bytes.start <= literal.start && literal.end <= part.bytes.end;
    let is_one = |group: &proc_macro2::Group| group.stream().into_iter().count() == 1;
    part.key == key
        && is_around
        && match part.tokens.as_slice() {
            [_, TokenTree::Punct(_), TokenTree::Literal(_)] => true,
            [_, TokenTree::Group(group)] => is_one(group),
            [_, TokenTree::Punct(_), .., TokenTree::Ident(new), TokenTree::Group(group)] => {
                new == "new" && is_one(group)
            }
            _ => false,
        }
}

/// The key `rule` around a literal, in a list or in the lists inside of it.
fn rule_with(list: &List, literal: &Range<usize>) -> Option<Part> {
    let around = |part: &&Part| part.bytes.start <= literal.start && literal.end <= part.bytes.end;
    let part = list.parts.iter().find(around)?;
    if part.key == "rule" {
        return Some(Part { key: part.key.clone(), tokens: part.tokens.clone(), bytes: part.bytes.clone() });
    }
    let [_, TokenTree::Group(group)] = part.tokens.as_slice() else { return None };
    rule_with(&List::of(group.stream(), None), literal)
}

#[cfg(test)]
mod tests {
    use super::{Change, Dialect, Text};
    use crate::syntax::nesting;
    use crate::value::Value;
    use syn::spanned::Spanned;

    /// The text after changes of the attributes of the first field of its only struct.
    fn after(text: &str, change: impl Fn(&Text<'_>, &syn::Field) -> Option<Vec<Change>>) -> Option<String> {
        let file = nesting::parse_file(text).unwrap_or_else(|_| panic!("not Rust: {text}"));
        let Some(syn::Item::Struct(item)) = file.items.first() else { panic!("no struct") };
        let field = item.fields.iter().next().expect("a field");
        let mut out = text.to_owned();
        let mut changes = change(&Text::new(text), field)?;
        changes.sort_by_key(|(bytes, _)| std::cmp::Reverse(bytes.start));
        for (bytes, new) in changes {
            out.replace_range(bytes, &new);
        }
        Some(out)
    }

    #[test]
    fn removes_keys_and_empty_attributes() {
        for (before, expected) in [
            ("#[schema(required, minimum = 1)] a: i32", "#[schema(minimum = 1)] a: i32"),
            ("#[schema(minimum = 1, required,)] a: i32", "#[schema(minimum = 1,)] a: i32"),
            ("#[schema(required)] a: i32", "a: i32"),
            ("\n    // first\n    #[schema(required)]\n    a: i32", "\n    // first\n    a: i32"),
            ("\r\n    #[schema(required)]\r\n    a: i32", "\r\n    a: i32"),
        ] {
            let new = after(&format!("struct S {{ {before} }}"), |text, field| {
                text.without(&field.attrs, "schema", "required")
            });
            assert_eq!(new, Some(format!("struct S {{ {expected} }}")));
        }
        for before in [
            "#[schema(required /* always */, minimum = 1)] a: i32",
            "#[schema(required = [\"a\"])] a: i32",
            "#[cfg_attr(any(), schema(required))] a: i32",
            "#[schemars(required)] a: i32",
        ] {
            let new = after(&format!("struct S {{ {before} }}"), |text, field| {
                text.without(&field.attrs, "schema", "required")
            });
            assert_eq!(new, None, "{before}");
        }
    }

    #[test]
    fn adds_and_replaces_keys() {
        let keys = [("list_type", Value::from("map")), ("list_map_keys", Value::List(vec!["type".into()]))];
        for (before, expected) in [
            ("pub a: Vec<C>", "#[schema(list_type = \"map\", list_map_keys = [\"type\"])] pub a: Vec<C>"),
            (
                "\n    /// Doc\n    pub a: Vec<C>",
                "\n    /// Doc\n    #[schema(list_type = \"map\", list_map_keys = [\"type\"])]\n    pub a: Vec<C>",
            ),
            (
                "#[schema(list_type = \"atomic\", max_items = 3)] a: Vec<C>",
                "#[schema(list_type = \"map\", max_items = 3, list_map_keys = [\"type\"])] a: Vec<C>",
            ),
        ] {
            for start in ["", "\u{feff}", "#!/usr/bin/env run\n"] {
                let item = |field: &syn::Field| match &field.vis {
                    syn::Visibility::Inherited => field.ident.span().byte_range().start,
                    vis => vis.span().byte_range().start,
                };
                let new = after(&format!("{start}struct S {{ {before} }}"), |text, field| {
                    text.with(&field.attrs, &keys, item(field), true)
                });
                assert_eq!(new, Some(format!("{start}struct S {{ {expected} }}")));
            }
        }
    }

    #[test]
    fn writes_bounds_of_schemars_instead_of_rules() {
        let dialect = Dialect::Schemars { can_extend: true };
        for (before, expected) in [
            ("#[x_kube(validation = \"R\")] a: String", Some("#[schemars(length(max = 9))] a: String")),
            (
                "#[x_kube(validation = Rule::new(\"R\"))] a: String",
                Some("#[schemars(length(max = 9))] a: String"),
            ),
            ("#[cel_validate(rule = \"R\")] a: String", Some("#[schemars(length(max = 9))] a: String")),
            (
                "#[schemars(length(min = 1))] #[x_kube(validation = \"R\")] a: String",
                Some("#[schemars(length(min = 1, max = 9))] a: String"),
            ),
            (
                "\n    #[x_kube(validation = \"R\")]\n    #[schemars(title = \"t\", length(min = 1,))]\n    a: String",
                Some("\n    #[schemars(title = \"t\", length(min = 1, max = 9))]\n    a: String"),
            ),
            ("#[schemars(length(max = 5))] #[x_kube(validation = \"R\")] a: String", None),
            ("#[validate(length(min = 5))] #[x_kube(validation = \"R\")] a: String", None),
            ("#[x_kube(validation = Rule::new(\"R\").message(\"short\"))] a: String", None),
            ("#[x_kube(validation = (\"R\", \"short\"))] a: String", None),
            ("#[x_kube(validation = \"R\", validation = \"S\")] a: String", None),
            ("#[cfg_attr(any(), x_kube(validation = \"R\"))] a: String", None),
        ] {
            let text = format!("struct S {{ {before} }}");
            let at = text.find("\"R\"").expect("the rule");
            let new = after(&text, |text, field| {
                text.instead_of_rule(dialect, &field.attrs, &(at..at + 3), "max_length", &Value::Int(9))
            });
            assert_eq!(new, expected.map(|expected| format!("struct S {{ {expected} }}")), "{before}");
        }
    }

    #[test]
    fn extends_schemas_of_schemars() {
        let keys = [
            ("x-kubernetes-list-type", Value::from("map")),
            ("x-kubernetes-list-map-keys", Value::List(vec!["type".into()])),
        ];
        let new = "\"x-kubernetes-list-type\" = \"map\", \"x-kubernetes-list-map-keys\" = [\"type\"]";
        for (before, expected) in [
            ("a: Vec<C>", Some(format!("#[schemars(extend({new}))] a: Vec<C>"))),
            (
                "#[schemars(extend(\"title\" = \"t\"))] a: Vec<C>",
                Some(format!("#[schemars(extend(\"title\" = \"t\", {new}))] a: Vec<C>")),
            ),
            ("#[schemars(extend(\"x-kubernetes-list-type\" = \"set\"))] a: Vec<C>", None),
        ] {
            let new = after(&format!("struct S {{ {before} }}"), |text, field| {
                text.extended(&field.attrs, &keys, field.ident.span().byte_range().start)
            });
            assert_eq!(new, expected.map(|expected| format!("struct S {{ {expected} }}")), "{before}");
        }
    }

    #[test]
    fn writes_keywords_instead_of_rules() {
        for (before, expected) in [
            ("#[schema(rule = \"R\")] a: String", Some("#[schema(max_length = 9)] a: String")),
            (
                "#[schema(rule(rule = \"R\"), title = \"t\")] a: String",
                Some("#[schema(max_length = 9, title = \"t\")] a: String"),
            ),
            (
                "#[schema(items(rule = \"R\"))] a: Vec<String>",
                Some("#[schema(items(max_length = 9))] a: Vec<String>"),
            ),
            ("#[schema(rule(rule = \"R\", message = \"short\"))] a: String", None),
        ] {
            let text = format!("struct S {{ {before} }}");
            let at = text.find("\"R\"").expect("the rule");
            let new = after(&text, |text, field| {
                text.instead_of_rule(
                    Dialect::Crdgen,
                    &field.attrs,
                    &(at..at + 3),
                    "max_length",
                    &Value::Int(9),
                )
            });
            assert_eq!(new, expected.map(|expected| format!("struct S {{ {expected} }}")));
        }
    }
}
