//! Reads the values of keys: numbers, texts, lists, JSON and schemas. Errors are reported at the value.

use super::meta::{Arg, Meta, split, string_of};
use super::{Code, Named, NamedBy, Reader};
use crate::diag::codes::rust as codes;
use crate::diag::codes::{allowable, is_error};
use crate::ir::{Rule, Schema};
use crate::nearest::did_you_mean;
use crate::recipe::Allow;
use crate::report::Spot;
use crate::syntax::nesting;
use crate::value::Value;
use crate::written::Written;
use proc_macro2::{Span, TokenStream};

/// A literal number, or code that computes it.
pub(super) enum Number {
    Is(f64),
    Code(usize),
}

impl Reader<'_> {
    pub(super) fn bad(
        &mut self,
        at: impl Into<Spot>,
        message: impl std::fmt::Display,
        help: impl std::fmt::Display,
    ) {
        self.report.error(at, &codes::ATTRIBUTE, message, help);
    }

    /// `key = "text"`
    pub(super) fn text(&mut self, meta: &Meta) -> Option<String> {
        match &meta.arg {
            Arg::Value(tokens) => match tokens.text() {
                Some(text) => Some(text),
                None => {
                    self.bad(
                        meta.value_span(),
                        format!("`{}` needs a string literal", meta.key),
                        format!("write {} = \"…\"", meta.key),
                    );
                    None
                }
            },
            Arg::Flag | Arg::List(_) => {
                self.form(meta, &format!("{} = \"…\"", meta.key));
                None
            }
        }
    }

    /// `key`, `key = true` or `key = false`
    pub(super) fn flag(&mut self, meta: &Meta) -> Option<bool> {
        match &meta.arg {
            Arg::Flag => Some(true),
            Arg::Value(tokens) => match tokens.json() {
                Ok(Value::Bool(b)) => Some(b),
                Ok(Value::Str(s)) if s == "true" || s == "false" => Some(s == "true"),
                _ => {
                    self.bad(
                        meta.value_span(),
                        format!("`{}` must be true or false", meta.key),
                        format!("write {0} or {0} = false", meta.key),
                    );
                    None
                }
            },
            Arg::List(_) => {
                self.form(meta, &meta.key.clone());
                None
            }
        }
    }

    /// `key = 1`. It may also be a string or code.
    pub(super) fn number(&mut self, meta: &Meta) -> Option<Number> {
        let Arg::Value(tokens) = &meta.arg else {
            self.form(meta, &format!("{} = 1", meta.key));
            return None;
        };
        let mut tokens = tokens.clone();
        // Older versions of schemars and validator accept expressions in strings.
        if let Some(text) = tokens.text() {
            match nesting::check_text(&text).and_then(|()| Ok(text.parse::<TokenStream>()?)) {
                Ok(inner) if !inner.is_empty() => tokens = inner.into(),
                _ => {
                    self.bad(
                        meta.value_span(),
                        format!("`{}` needs a number", meta.key),
                        "write the number without quotes",
                    );
                    return None;
                }
            }
        }
        if self.infinite(&tokens) {
            return None;
        }
        match tokens.json() {
            Ok(value) => match value.as_float() {
                Some(f) => {
                    self.rounded(meta, &tokens, f);
                    Some(Number::Is(f))
                }
                None => {
                    self.bad(
                        meta.value_span(),
                        format!("`{}` needs a number", meta.key),
                        format!("write {} = 1", meta.key),
                    );
                    None
                }
            },
            Err(_) => match nesting::parse2::<syn::Expr>(tokens.stream()) {
                Ok(_) => Some(Number::Code(self.code(Code::Value(tokens.stream())))),
                Err(_) => {
                    self.bad(
                        tokens.span(meta.span),
                        format!("`{}` needs a number", meta.key),
                        format!("write {} = 1", meta.key),
                    );
                    None
                }
            },
        }
    }

    /// Reports a number that is too large for a float, and so cannot be JSON. Returns whether there is one.
    fn infinite(&mut self, tokens: &super::meta::Given) -> bool {
        let Some(literal) = super::meta::infinite(tokens.stream()) else { return false };
        self.bad(
            literal.span(),
            format!("`{literal}` cannot be JSON: it is larger than all 64-bit floats"),
            "write a smaller number. The largest is about 1.79e308",
        );
        true
    }

    /// Warns about an integer that changes when it becomes a float, because the server stores a float.
    fn rounded(&mut self, meta: &Meta, tokens: &super::meta::Given, float: f64) {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if float.abs() < EXACT {
            return;
        }
        let digits: String =
            tokens.stream().to_string().chars().filter(|c| !matches!(c, ' ' | '_')).collect();
        let digits = digits.trim_end_matches(|c: char| !c.is_ascii_digit());
        if digits.parse::<i128>().is_ok_and(|written| written != float as i128) {
            let kept = format!("{float:.0}");
            self.report.warning(
                meta.value_span(),
                &codes::VALUE,
                format!("the server keeps this bound as a 64-bit float: {digits} becomes {kept}"),
                format!("write {kept} if you mean it, or a bound that a 64-bit float can represent"),
            );
        }
    }

    /// `key = 1`, a count.
    pub(super) fn count(&mut self, meta: &Meta) -> Option<Number> {
        match self.number(meta)? {
            Number::Is(f) if f.fract() != 0.0 || (!self.as_is && !(0.0..=9e15).contains(&f)) => {
                self.bad(meta.value_span(), format!("`{}` must be a whole number, 0 or more", meta.key), "");
                None
            }
            number => Some(number),
        }
    }

    /// Sets a number now, or once the code has run.
    pub(super) fn set_number(&mut self, keyword: &str, number: Option<Number>) {
        let limits = &mut self.attrs.patch.set.limits;
        match number {
            None => {}
            Some(Number::Is(f)) => {
                let int = f as i64;
                match keyword {
                    "minimum" => limits.minimum = Some(f),
                    "maximum" => limits.maximum = Some(f),
                    "multipleOf" => limits.multiple_of = Some(f),
                    "minLength" => limits.min_length = Some(int),
                    "maxLength" => limits.max_length = Some(int),
                    "minItems" => limits.min_items = Some(int),
                    "maxItems" => limits.max_items = Some(int),
                    "minProperties" => limits.min_properties = Some(int),
                    "maxProperties" => limits.max_properties = Some(int),
                    "length.min" => self.attrs.patch.length.get_or_insert_default().min = Some(int),
                    "length.max" => self.attrs.patch.length.get_or_insert_default().max = Some(int),
                    _ => {}
                }
            }
            Some(Number::Code(n)) => self.attrs.patch.computed.push((keyword.to_owned(), n)),
        }
    }

    /// Adds code whose value is needed.
    pub(super) fn code(&mut self, code: Code) -> usize {
        self.code.push(code);
        self.code.len() - 1
    }

    /// `key = JSON`
    pub(super) fn json(&mut self, meta: &Meta) -> Option<Value> {
        let Arg::Value(tokens) = &meta.arg else {
            self.form(meta, &format!("{} = …, with any JSON", meta.key));
            return None;
        };
        if self.infinite(tokens) {
            return None;
        }
        match tokens.json() {
            Ok(value) => Some(value),
            Err(span) => {
                self.bad(
                    span,
                    "this is not JSON",
                    "write the value as JSON: literals, [lists] and { \"keys\": values }. A key may be used only once",
                );
                None
            }
        }
    }

    /// `key = ["a", "b"]`
    pub(super) fn texts(&mut self, meta: &Meta) -> Option<Vec<String>> {
        let Arg::Value(_) = &meta.arg else {
            self.form(meta, &format!("{} = [\"…\"]", meta.key));
            return None;
        };
        let value = self.json(meta)?;
        let list = match &value {
            Value::Str(one) => Some(vec![one.clone()]),
            Value::List(items) => items.iter().map(|v| v.as_str().map(str::to_owned)).collect(),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Map(_) => None,
        };
        if list.is_none() {
            self.bad(
                meta.value_span(),
                format!("`{}` must be a list of strings", meta.key),
                format!("write {} = [\"a\", \"b\"]", meta.key),
            );
        }
        list
    }

    /// `key = { schema }`
    pub(super) fn schema(&mut self, meta: &Meta) -> Option<Schema> {
        let value = self.json(meta)?;
        self.as_schema(value, meta.value_span())
    }

    /// A schema as JSON.
    pub(super) fn as_schema(&mut self, value: Value, span: Span) -> Option<Schema> {
        let (schema, diags) = crate::decode::schema(value);
        for diag in &diags {
            self.report.error(
                span,
                &codes::VALUE,
                format!("this is not a schema: {}", diag.text()),
                "use the keywords that schemas in a CRD can have, such as `maxLength`",
            );
        }
        if diags.is_empty() { schema } else { None }
    }

    /// `key = [{ schema }, …]`
    pub(super) fn schemas(&mut self, meta: &Meta) -> Vec<Schema> {
        match self.json(meta) {
            Some(Value::List(items)) => {
                items.into_iter().filter_map(|v| self.as_schema(v, meta.value_span())).collect()
            }
            Some(_) => {
                self.bad(
                    meta.value_span(),
                    format!("`{}` must be a list of schemas", meta.key),
                    format!("write {} = [{{ … }}, {{ … }}]", meta.key),
                );
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// `key = path` or `key = "path"`
    pub(super) fn path(&mut self, meta: &Meta) -> Option<syn::Path> {
        if let Arg::Value(tokens) = &meta.arg
            && let Some(path) = tokens.text().and_then(|text| simple_path(&text, meta.value_span()))
        {
            return Some(path);
        }
        self.parsed(meta, "path::to::it")
    }

    /// `key = Type` or `key = "Type"`
    pub(super) fn parsed<T: syn::parse::Parse>(&mut self, meta: &Meta, example: &str) -> Option<T> {
        let Arg::Value(tokens) = &meta.arg else {
            self.form(meta, &format!("{} = \"{example}\"", meta.key));
            return None;
        };
        let parsed = match nesting::parse2::<syn::LitStr>(tokens.stream()) {
            Ok(text) => nesting::parse_literal(&text),
            Err(_) => nesting::parse2::<T>(tokens.stream()),
        };
        match parsed {
            Ok(it) => Some(it),
            Err(error) => {
                self.bad(
                    meta.value_span(),
                    format!("`{}` cannot be read: {error}", meta.key),
                    format!("write {} = \"{example}\"", meta.key),
                );
                None
            }
        }
    }

    /// The parts of `key(…)`.
    pub(super) fn parts(&mut self, meta: &Meta) -> Option<Vec<Meta>> {
        match &meta.arg {
            Arg::List(group) => Some(super::meta::metas(group.stream(), self.report)),
            Arg::Flag | Arg::Value(_) => {
                self.form(meta, &format!("{}{}", meta.key, self.form_of(&meta.key)));
                None
            }
        }
    }

    /// How a key with parts is written, from the table.
    fn form_of(&self, key: &str) -> &'static str {
        let here = |k: &&super::Key| k.name == key && k.places & self.place != 0;
        let all = super::FAMILIES.iter().flat_map(|(_, keys)| keys.iter());
        all.filter(here).map(|k| k.form).find(|form| form.starts_with('(')).unwrap_or("(…)")
    }

    /// The values in `key("a", "b")`.
    pub(super) fn pair(&mut self, meta: &Meta) -> Option<(String, String)> {
        let texts: Option<Vec<String>> = match &meta.arg {
            Arg::List(group) => {
                split(group.stream()).into_iter().map(|part| string_of(part.into_iter().collect())).collect()
            }
            Arg::Flag | Arg::Value(_) => None,
        };
        match texts.as_deref() {
            Some([key, value]) => Some((key.clone(), value.clone())),
            _ => {
                self.form(meta, &format!("{}(\"key\", \"value\")", meta.key));
                None
            }
        }
    }

    /// Reports a part that is not one of the known ones.
    pub(super) fn unknown_part(&mut self, part: &Meta, of: &str, known: &[&str]) {
        let help = super::did_you_mean(&part.key, known.iter().copied())
            .unwrap_or_else(|| format!("expected one of: {}", known.join(", ")));
        self.report.error(
            part.span,
            &codes::UNKNOWN_KEY,
            format!("unknown key `{}` in {of}(…)", part.key),
            help,
        );
    }

    /// A rule: `= "…"`, `= ("…", "message")`, `= Rule::new("…").message("…")`, or `(rule = "…", …)`.
    pub(super) fn rule(&mut self, meta: &Meta) -> Option<Rule> {
        let rule = match &meta.arg {
            Arg::Value(tokens) => match tokens.text() {
                Some(rule) => Some(Rule { rule, ..Rule::default() }),
                None => self.rule_expression(tokens.stream(), meta),
            },
            Arg::List(_) => self.rule_parts(meta),
            Arg::Flag => {
                self.form(meta, &format!("{} = \"self.a <= self.b\"", meta.key));
                None
            }
        }?;
        if rule.rule.trim().is_empty() {
            let (why, help) = match &meta.arg {
                Arg::List(_) => {
                    ("the rule has no expression", "write rule(rule = \"self.a <= self.b\", message = \"…\")")
                }
                Arg::Flag | Arg::Value(_) => (
                    "the rule is empty",
                    "write an expression that is true for valid values, such as \"self.a <= self.b\"",
                ),
            };
            self.bad(meta.value_span(), why, help);
            return None;
        }
        // The server trims the message before it checks it.
        if rule.message.trim().contains(['\n', '\r']) {
            self.bad(meta.value_span(), "the message of the rule has line breaks", "write it as one line");
        }
        let tokens = match &meta.arg {
            Arg::Flag => TokenStream::new(),
            Arg::Value(tokens) => tokens.stream(),
            Arg::List(group) => group.stream(),
        };
        for (text, message) in [(&rule.rule, false), (&rule.message_expression, true)] {
            if !text.is_empty() {
                self.attrs.rules.push(Written::find(text, &tokens, meta.value_span(), message));
            }
        }
        Some(rule)
    }

    fn rule_parts(&mut self, meta: &Meta) -> Option<Rule> {
        const KEYS: &[&str] =
            &["rule", "message", "message_expression", "reason", "field_path", "optional_old_self"];
        let mut rule = Rule::default();
        for part in self.parts(meta)? {
            match part.key.as_str() {
                "rule" => rule.rule = self.text(&part)?,
                "message" => rule.message = self.text(&part)?,
                "message_expression" | "messageExpression" => rule.message_expression = self.text(&part)?,
                "reason" => {
                    let reason = self.reason(&part);
                    rule.reason = reason;
                }
                "field_path" | "fieldPath" => {
                    rule.field_path = self.text(&part)?;
                    self.field_path(&rule.field_path, &part);
                }
                "optional_old_self" | "optionalOldSelf" => rule.optional_old_self = self.flag(&part),
                _ => self.unknown_part(&part, &meta.key, KEYS),
            }
        }
        Some(rule)
    }

    /// `allow(CODE, reason = "…")`
    pub(super) fn allow(&mut self, meta: &Meta) -> Option<Allow> {
        const FORM: &str = "allow(LNT013, reason = \"…\")";
        let (mut code, mut reason) = (None, None);
        for part in self.parts(meta)? {
            match (part.key.as_str(), &part.arg) {
                ("reason", _) => reason = Some((self.text(&part)?, part.value_span())),
                (_, Arg::Flag) if code.is_none() => code = Some((part.key.clone(), part.span)),
                _ => {
                    self.form(meta, FORM);
                    return None;
                }
            }
        }
        let Some((code, at)) = code else {
            self.form(meta, FORM);
            return None;
        };
        let Some((reason, _)) = reason.filter(|(reason, _)| !reason.trim().is_empty()) else {
            let help = format!("write allow({code}, reason = \"…\"), so that others know when to remove it");
            self.bad(at, format!("`allow({code})` has no reason"), help);
            return None;
        };
        if let Some(known) = allowable().find(|known| known.id.eq_ignore_ascii_case(&code)) {
            return Some(Allow { code: known.id.to_owned(), reason });
        }
        let (why, help) = if is_error(&code) {
            let help = format!("fix what it reports. `crdgen explain {code}` describes it");
            (format!("{code} is an error, and only warnings can be allowed"), help)
        } else {
            let near = did_you_mean(&code.to_uppercase(), allowable().map(|code| code.id));
            let help = near
                .unwrap_or_else(|| "the message of a warning contains its code, such as LNT013".to_owned());
            (format!("there is no warning with the code `{code}`"), help)
        };
        self.bad(at, why, help);
        None
    }

    /// Notes the first step of a path, which must be a field. Brackets and what follows them are not checked here.
    fn field_path(&mut self, path: &str, meta: &Meta) {
        if !path.is_empty() && !path.starts_with(['.', '[']) {
            self.report.error(
                meta.value_span(),
                &crate::diag::codes::schema::RULE_FIELD_PATH,
                format!("the server cannot read the fieldPath `{path}`: it must begin with a dot"),
                format!("write field_path = \".{path}\""),
            );
            return;
        }
        let first = path.strip_prefix('.').and_then(|rest| rest.split(['.', '[']).next());
        if let Some(name) = first.filter(|name| !name.is_empty()) {
            let by = NamedBy::FieldPath(path.to_owned());
            self.attrs.names.push(Named { name: name.to_owned(), by, span: meta.value_span() });
        }
    }

    fn reason(&mut self, meta: &Meta) -> Option<String> {
        const REASONS: &[&str] =
            &["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"];
        let text = self.text(meta)?;
        if REASONS.contains(&text.as_str()) {
            return Some(text);
        }
        self.report.error(
            meta.value_span(),
            &codes::VALUE,
            format!("`{text}` is not a reason that the server knows"),
            format!("expected one of: {}", REASONS.join(", ")),
        );
        None
    }

    /// The builder of kube-rs, read without running it.
    fn rule_expression(&mut self, tokens: TokenStream, meta: &Meta) -> Option<Rule> {
        let help = "write \"rule\", (\"rule\", \"message\"), Rule::new(\"rule\").message(\"…\") or rule(rule = \"…\", message = \"…\")";
        let expr = match nesting::parse2::<syn::Expr>(tokens) {
            Ok(expr) => expr,
            Err(_) => {
                self.bad(meta.value_span(), "this is not a rule", help);
                return None;
            }
        };
        let rule = rule_of(&expr);
        if rule.is_none() {
            self.bad(meta.value_span(), "this rule cannot be read", help);
        }
        rule
    }
}

fn rule_of(expr: &syn::Expr) -> Option<Rule> {
    use quote::ToTokens;
    let text = |e: &syn::Expr| match e {
        // These methods do not change the text.
        syn::Expr::MethodCall(call) if call.method == "into" || call.method == "to_string" => {
            string_of(call.receiver.to_token_stream())
        }
        e => string_of(e.to_token_stream()),
    };
    match expr {
        syn::Expr::Paren(inner) => rule_of(&inner.expr),
        syn::Expr::Lit(_) => Some(Rule { rule: text(expr)?, ..Rule::default() }),
        syn::Expr::Tuple(tuple) => {
            let mut parts = tuple.elems.iter();
            let rule = text(parts.next()?)?;
            Some(Rule { rule, message: text(parts.next()?)?, ..Rule::default() })
        }
        syn::Expr::Call(call) => {
            let syn::Expr::Path(path) = &*call.func else { return None };
            let segments: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
            let [.., ty, new] = segments.as_slice() else { return None };
            (ty == "Rule" && new == "new")
                .then(|| Some(Rule { rule: text(call.args.first()?)?, ..Rule::default() }))
                .flatten()
        }
        syn::Expr::MethodCall(call) => {
            let mut rule = rule_of(&call.receiver)?;
            let first = call.args.first();
            match call.method.to_string().as_str() {
                "message" => match first? {
                    syn::Expr::Call(message) => {
                        let syn::Expr::Path(path) = &*message.func else { return None };
                        let inner = text(message.args.first()?)?;
                        match path.path.segments.last()?.ident.to_string().as_str() {
                            "Expression" => rule.message_expression = inner,
                            "Message" => rule.message = inner,
                            _ => return None,
                        }
                    }
                    other => rule.message = text(other)?,
                },
                "reason" => {
                    let syn::Expr::Path(path) = first? else { return None };
                    rule.reason = Some(path.path.segments.last()?.ident.to_string());
                }
                "field_path" => rule.field_path = text(first?)?,
                "optional_old_self" => match first {
                    None => rule.optional_old_self = Some(true),
                    Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. })) => {
                        rule.optional_old_self = Some(b.value);
                    }
                    Some(_) => return None,
                },
                "into" | "clone" => {}
                _ => return None,
            }
            Some(rule)
        }
        _ => None,
    }
}

/// Parses a path of plain names, as nearly all paths are. Parsing them as Rust would take the compiler more time than
/// all other attributes of a field.
fn simple_path(text: &str, span: Span) -> Option<syn::Path> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
    };
    let mut path = syn::Path { leading_colon: None, segments: syn::punctuated::Punctuated::new() };
    for name in text.split("::") {
        if !is_name(name) {
            return None;
        }
        path.segments.push(syn::Ident::new(name, span).into());
    }
    Some(path)
}
