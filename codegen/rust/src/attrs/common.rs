//! Checks that need all attributes of one place: contradictions between attributes.

use super::super::report::Report;
use super::meta::Meta;
use super::{Attrs, Reader};
use crate::diag::codes::rust as codes;
use crate::ir::Limits;
use crate::recipe::Patch;
use crate::syntax::nesting;
use proc_macro2::Span;

/// Reports bounds that exclude each other and ways of giving a schema that exclude each other.
pub(super) fn contradictions(attrs: &Attrs, as_is: bool, report: &mut Report) {
    let span = |names: &[&str]| {
        let named = attrs.seen.iter().rev().find(|(_, name, _)| names.contains(name));
        named.or(attrs.seen.last()).map_or_else(Span::call_site, |(_, _, s)| *s)
    };
    if !as_is {
        patch(&attrs.patch, &span, report);
    }
    let whole: Vec<(&str, Span)> = [
        attrs.opaque.map(|s| ("opaque", s)),
        attrs.as_type.as_ref().map(|(_, s)| ("as", *s)),
        attrs.raw.as_ref().map(|(_, s)| ("raw", *s)),
        attrs.with.as_ref().map(|(_, s)| ("with", *s)),
    ]
    .into_iter()
    .flatten()
    .collect();
    if let [(first, _), (second, span), ..] = whole.as_slice() {
        report.error(
            *span,
            &codes::CONTRADICTION,
            format!("`{first}` and `{second}` each give the whole schema"),
            "keep one of them",
        );
    }
    let ext = &attrs.patch.set.ext;
    if !ext.list_map_keys.is_empty() && ext.list_type.as_deref() != Some("map") {
        report.error(
            span(&["list_map_keys", "list_type"]),
            &codes::CONTRADICTION,
            "list_map_keys needs list_type = \"map\"",
            "add list_type = \"map\"",
        );
    }
    // Keys that cannot be read are already reported.
    let named = attrs.seen.iter().any(|(_, name, _)| *name == "list_map_keys");
    if ext.list_type.as_deref() == Some("map") && ext.list_map_keys.is_empty() && !named {
        report.error(
            span(&["list_type", "merge_strategy"]),
            &codes::CONTRADICTION,
            "list_type = \"map\" needs list_map_keys",
            "write the fields that identify an item: list_map_keys = [\"name\"]",
        );
    }
}

fn patch(patch: &Patch, span: &dyn Fn(&[&str]) -> Span, report: &mut Report) {
    let Limits { minimum, maximum, exclusive_minimum, exclusive_maximum, .. } = &patch.set.limits;
    let l = &patch.set.limits;
    let length = patch.length.clone().unwrap_or_default();
    let bounds = [
        ("minimum", "maximum", *minimum, *maximum),
        ("min_length", "max_length", l.min_length.map(|n| n as f64), l.max_length.map(|n| n as f64)),
        ("min_items", "max_items", l.min_items.map(|n| n as f64), l.max_items.map(|n| n as f64)),
        (
            "min_properties",
            "max_properties",
            l.min_properties.map(|n| n as f64),
            l.max_properties.map(|n| n as f64),
        ),
        ("length min", "max", length.min.map(|n| n as f64), length.max.map(|n| n as f64)),
    ];
    for (low, high, min, max) in bounds {
        if let (Some(min), Some(max)) = (min, max) {
            let (is_above, is_below) =
                (low == "minimum" && *exclusive_minimum, high == "maximum" && *exclusive_maximum);
            if min > max || (min == max && (is_above || is_below)) {
                let least = if is_above { "greater than" } else { "at least" };
                let most = if is_below { "less than" } else { "at most" };
                let help = if min > max {
                    format!("swap {low} and {high}, or change them")
                } else {
                    format!("change {low} or {high}, or leave the bounds inclusive")
                };
                report.error(
                    span(&[low, high, "range", "length"]),
                    &codes::VALUE,
                    format!("no value is {least} {min} and {most} {max}"),
                    help,
                );
            }
        }
    }
    if *exclusive_minimum && minimum.is_none() && !patch.computed.iter().any(|(k, _)| k == "minimum") {
        report.error(
            span(&["exclusive_minimum"]),
            &codes::CONTRADICTION,
            "exclusive_minimum needs a minimum",
            "write exclusive_minimum = n, or add minimum = n",
        );
    }
    if *exclusive_maximum && maximum.is_none() && !patch.computed.iter().any(|(k, _)| k == "maximum") {
        report.error(
            span(&["exclusive_maximum"]),
            &codes::CONTRADICTION,
            "exclusive_maximum needs a maximum",
            "write exclusive_maximum = n, or add maximum = n",
        );
    }
    for (i, value) in l.enumeration.iter().enumerate() {
        if l.enumeration[..i].contains(value) {
            report.error(
                span(&["one_of_values", "extend"]),
                &codes::VALUE,
                format!("{} is listed twice", crate::json::to_string(value)),
                "remove one of them",
            );
        }
    }
}

impl Reader<'_> {
    /// `length(min, max, equal)`
    pub(super) fn length(&mut self, meta: &Meta, modes: &[&str]) {
        let Some(parts) = self.parts(meta) else { return };
        for part in parts {
            match part.key.as_str() {
                "min" => {
                    let n = self.count(&part);
                    self.set_number("length.min", n);
                }
                "max" => {
                    let n = self.count(&part);
                    self.set_number("length.max", n);
                }
                "equal" => {
                    for keyword in ["length.min", "length.max"] {
                        let n = self.count(&part);
                        self.set_number(keyword, n);
                    }
                }
                "code" | "message" if modes.contains(&"message") => {}
                mode if modes.contains(&mode) => {
                    if matches!(mode, "bytes" | "graphemes" | "utf16") {
                        self.report.error(
                            part.span,
                            &codes::MISFIT,
                            format!("the server counts characters, not {mode}"),
                            "remove the mode, or write rule = \"…\" with CEL's own functions",
                        );
                    }
                }
                _ => self.unknown_part(&part, "length", &["min", "max", "equal"]),
            }
        }
    }

    /// `range(min, max, …)`
    pub(super) fn range(&mut self, meta: &Meta) {
        let Some(parts) = self.parts(meta) else { return };
        for part in parts {
            match part.key.as_str() {
                "min" | "max" => {
                    let n = self.number(&part);
                    self.set_number(if part.key == "min" { "minimum" } else { "maximum" }, n);
                }
                "equal" => {
                    for keyword in ["minimum", "maximum"] {
                        let n = self.number(&part);
                        self.set_number(keyword, n);
                    }
                }
                "exclusive_min" => {
                    let n = self.number(&part);
                    self.set_number("minimum", n);
                    self.attrs.patch.set.limits.exclusive_minimum = true;
                }
                "exclusive_max" => {
                    let n = self.number(&part);
                    self.set_number("maximum", n);
                    self.attrs.patch.set.limits.exclusive_maximum = true;
                }
                "code" | "message" => {}
                _ => self.unknown_part(&part, "range", &["min", "max", "exclusive_min", "exclusive_max"]),
            }
        }
    }

    /// A pattern, rejected if there is another one.
    pub(super) fn pattern(&mut self, pattern: String, meta: &Meta) {
        if let Some(why) = crate::syntax::pattern::wrong(&pattern).filter(|_| !self.as_is) {
            self.report.error(
                meta.value_span(),
                &crate::diag::codes::schema::PATTERN,
                format!("`{pattern}` {why}"),
                "patterns follow Go's regexp syntax (RE2), without look-around and back-references",
            );
        }
        let set = &mut self.attrs.patch.set.limits;
        if set.pattern.is_empty() {
            set.pattern = pattern;
        } else {
            // All patterns apply.
            let limits = Limits { pattern, ..Limits::default() };
            set.all_of.push(crate::ir::Schema { limits, ..crate::ir::Schema::default() });
        }
    }

    /// A format, rejected if there is another one.
    pub(super) fn format(&mut self, format: &str, meta: &Meta) {
        let set = &mut self.attrs.patch.set.limits.format;
        if set.is_empty() || set == format {
            *set = format.to_owned();
        } else {
            let message = format!("the format is already `{set}`, so it cannot be `{format}`");
            self.report.error(meta.span, &codes::CONTRADICTION, message, "keep one of the two");
        }
    }

    /// A pattern as a literal, or code that computes it.
    pub(super) fn pattern_of(&mut self, meta: &Meta) {
        use super::meta::Arg;
        let Arg::Value(tokens) = &meta.arg else {
            return self.form(meta, &format!("{} = \"^[a-z]+$\"", meta.key));
        };
        self.pattern_tokens(tokens.text(), tokens.stream(), meta);
    }

    pub(super) fn pattern_tokens(
        &mut self,
        text: Option<String>,
        tokens: proc_macro2::TokenStream,
        meta: &Meta,
    ) {
        match text {
            Some(text) => self.pattern(text, meta),
            None if nesting::parse2::<syn::Expr>(tokens.clone())
                .is_ok_and(|expr| !matches!(expr, syn::Expr::Lit(_))) =>
            {
                let code = self.code(super::Code::Text(tokens));
                self.attrs.patch.computed.push(("pattern".to_owned(), code));
            }
            None => self.form(meta, &format!("{} = \"^[a-z]+$\"", meta.key)),
        }
    }

    /// A pattern that matches exactly the texts that contain, start with or end with this one.
    pub(super) fn literal_pattern(&mut self, text: &str, before: &str, after: &str, meta: &Meta) {
        let mut escaped = String::new();
        for c in text.chars() {
            if r"\.+*?()|[]{}^$".contains(c) {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        self.pattern(format!("{before}{escaped}{after}"), meta);
    }
}
