//! A rule of a role, and what it allows.

use super::action::{Action, ResourceAction};
use crate::meta;
use crdgen_core::go;
use crdgen_core::value::Value;

/// A rule of a role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rule<'v> {
    pub(crate) verbs: Vec<&'v str>,
    pub(crate) groups: Vec<&'v str>,
    pub(crate) resources: Vec<&'v str>,
    pub(crate) names: Vec<&'v str>,
    pub(crate) paths: Vec<&'v str>,
}

const ALL: &str = "*";

/// The rules of a role.
pub(crate) fn rules(role: &Value) -> Vec<Rule<'_>> {
    role.get("rules").and_then(Value::as_list).unwrap_or_default().iter().map(Rule::read).collect()
}

impl<'v> Rule<'v> {
    fn read(rule: &'v Value) -> Rule<'v> {
        let texts = |name| meta::texts(rule, name);
        Rule {
            verbs: texts("verbs"),
            groups: texts("apiGroups"),
            resources: texts("resources"),
            names: texts("resourceNames"),
            paths: texts("nonResourceURLs"),
        }
    }

    /// Whether the rule allows something.
    pub(super) fn allows(&self, action: &Action) -> bool {
        let has = |list: &[&str], wanted: &str| list.iter().any(|it| *it == ALL || *it == wanted);
        if !has(&self.verbs, action.verb()) {
            return false;
        }
        match action {
            Action::Path { path, .. } => self.paths.iter().any(|pattern| is_path(pattern, path)),
            Action::Resource(action) => {
                let ResourceAction { group, name, subresource, .. } = action;
                let combined = action.combined();
                let of_any = |resource: &str| {
                    !subresource.is_empty() && resource.strip_prefix("*/") == Some(subresource)
                };
                has(&self.groups, group)
                    && (has(&self.resources, &combined) || self.resources.iter().any(|it| of_any(it)))
                    && (self.names.is_empty() || self.names.contains(&name.as_str()))
            }
        }
    }

    /// The rule as the server's messages have it.
    pub(crate) fn words(&self) -> String {
        let parts = [
            ("APIGroups", &self.groups),
            ("Resources", &self.resources),
            ("NonResourceURLs", &self.paths),
            ("ResourceNames", &self.names),
            ("Verbs", &self.verbs),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(_, texts)| !texts.is_empty())
            .map(|(name, texts)| format!("{name}:{}", quoted(texts)))
            .collect();
        format!("{{{}}}", parts.join(", "))
    }
}

/// Whether a pattern of paths, which may end with `*`, is about a path.
pub(super) fn is_path(pattern: &str, path: &str) -> bool {
    pattern == path || pattern.ends_with('*') && path.starts_with(pattern.trim_end_matches('*'))
}

/// Texts as Go quotes a list of them.
pub(crate) fn quoted<T: AsRef<str>>(texts: &[T]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| go::quote(text.as_ref())).collect();
    format!("[{}]", texts.join(" "))
}
