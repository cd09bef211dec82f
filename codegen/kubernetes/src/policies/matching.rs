//! Which requests concern a policy or a webhook.

use crate::labels::of_labels;
use crate::meta::map;
use crdgen_core::object::selector::LabelSelector;
use crdgen_core::value::Value;
use std::borrow::Borrow;

/// What a request does, as rules see it.
#[derive(Clone, Debug)]
pub struct Target<'t> {
    /// `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
    pub operation: &'t str,
    /// The group of the resource.
    pub group: &'t str,
    /// The version of the request.
    pub version: &'t str,
    /// The served versions of the resource, in which a rule may name it too.
    pub versions: Vec<&'t str>,
    /// The name of the resource in URLs.
    pub plural: &'t str,
    /// The name of the subresource, or an empty text.
    pub subresource: &'t str,
    /// The namespace, which is empty for objects of the cluster. That of a namespace is its name.
    pub namespace: &'t str,
    /// The name of the object.
    pub name: &'t str,
}

/// What a review says of a request, besides what it does.
pub struct About<'a> {
    /// The group, the version and the kind of the objects in a version.
    pub kind: &'a dyn Fn(&str) -> [String; 3],
    /// Who asks.
    pub user: Value,
    /// Whether nothing is stored.
    pub dry_run: bool,
    /// The options of the request.
    pub options: Value,
}

impl Target<'_> {
    /// The request of a review in a version, without its uid and its objects.
    pub fn review(&self, about: About<'_>, version: &str) -> Value {
        let About { kind, user, dry_run, options } = about;
        let of_kind = |version: &str| {
            let [group, version, kind] = kind(version).map(Value::from);
            map([("group", group), ("version", version), ("kind", kind)])
        };
        let of_resource = |version: &str| {
            map([("group", self.group.into()), ("version", version.into()), ("resource", self.plural.into())])
        };
        let mut request = map([
            ("kind", of_kind(version)),
            ("resource", of_resource(version)),
            ("requestKind", of_kind(self.version)),
            ("requestResource", of_resource(self.version)),
            ("operation", self.operation.into()),
            ("userInfo", user),
            ("dryRun", dry_run.into()),
            ("options", options),
        ]);
        if let Value::Map(request) = &mut request {
            let texts = [
                ("subResource", self.subresource),
                ("requestSubResource", self.subresource),
                ("name", self.name),
                ("namespace", self.namespace),
            ];
            for (field, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
                request.insert(field, Value::from(text));
            }
        }
        request
    }

    /// Whether the object is a namespace.
    pub fn is_namespace(&self) -> bool {
        (self.group, self.plural) == ("", "namespaces")
    }
}

/// The rules of a policy or of a webhook.
#[derive(Debug)]
pub struct Rules {
    has_equivalents: bool,
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    groups: Vec<String>,
    versions: Vec<String>,
    resources: Vec<String>,
    operations: Vec<String>,
    names: Vec<String>,
    scope: String,
}

impl Rules {
    /// Reads the list with this name. `of` has the field `matchPolicy`.
    pub fn read(of: &Value, list: &str) -> Rules {
        let rules = of.get(list).and_then(Value::as_list).unwrap_or_default();
        let has_equivalents = of.text("matchPolicy") != "Exact";
        Rules { has_equivalents, rules: rules.iter().map(Rule::read).collect() }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The version of the resource that a rule names. `None` if none matches.
    pub fn version<'t>(&self, target: &Target<'t>) -> Option<&'t str> {
        if self.rules.iter().any(|rule| rule.matches(target, target.version)) {
            return Some(target.version);
        }
        let versions = target.versions.iter().filter(|_| self.has_equivalents);
        let versions: Vec<&'t str> = versions.copied().filter(|it| *it != target.version).collect();
        // Earlier rules come first.
        let of_rule = |rule: &Rule| versions.iter().find(|version| rule.matches(target, version)).copied();
        self.rules.iter().find_map(of_rule)
    }
}

fn texts(value: &Value, name: &str) -> Vec<String> {
    let items = value.get(name).and_then(Value::as_list).unwrap_or_default();
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

impl Rule {
    fn read(rule: &Value) -> Rule {
        Rule {
            groups: texts(rule, "apiGroups"),
            versions: texts(rule, "apiVersions"),
            resources: texts(rule, "resources"),
            operations: texts(rule, "operations"),
            names: texts(rule, "resourceNames"),
            scope: rule.text("scope").to_owned(),
        }
    }

    fn matches(&self, target: &Target<'_>, version: &str) -> bool {
        let has = |items: &[String], wanted: &str| items.iter().any(|item| item == "*" || item == wanted);
        let is_cluster = target.namespace.is_empty() || target.is_namespace();
        let in_scope = match self.scope.as_str() {
            "" | "*" => true,
            "Namespaced" => !is_cluster,
            "Cluster" => is_cluster,
            _ => false,
        };
        let is_resource = |resource: &String| {
            let (resource, sub) = resource.split_once('/').unwrap_or((resource, ""));
            (resource == "*" || resource == target.plural) && (sub == "*" || sub == target.subresource)
        };
        in_scope
            && has(&self.operations, target.operation)
            && has(&self.groups, target.group)
            && has(&self.versions, version)
            && self.resources.iter().any(is_resource)
            && (self.names.is_empty() || self.names.iter().any(|name| name == target.name))
    }
}

/// The selectors of a policy or of a webhook. Without one, all match.
#[derive(Debug)]
pub struct Selectors {
    namespaces: Option<LabelSelector>,
    objects: Option<LabelSelector>,
}

impl Selectors {
    /// Reads the fields `namespaceSelector` and `objectSelector`.
    pub fn read(of: &Value) -> Selectors {
        let selector = |name| of.get(name).and_then(of_labels);
        Selectors { namespaces: selector("namespaceSelector"), objects: selector("objectSelector") }
    }

    /// Whether one of the objects of a request is selected.
    pub fn select_objects(&self, object: Option<&Value>, old: Option<&Value>) -> bool {
        let Some(selector) = &self.objects else { return true };
        [object, old].into_iter().flatten().any(|object| selector.matches(object))
    }

    /// Whether the namespace of a request is selected. `find` finds a namespace by its name.
    ///
    /// # Errors
    /// Fails with the name of the namespace if it does not exist.
    pub fn select_namespace<'t, V: Borrow<Value>>(
        &self,
        target: &Target<'t>,
        object: Option<&Value>,
        find: impl FnOnce(&str) -> Option<V>,
    ) -> Result<bool, &'t str> {
        let Some(selector) = &self.namespaces else { return Ok(true) };
        if target.namespace.is_empty() && !target.is_namespace() {
            return Ok(true);
        }
        let is_written = target.subresource.is_empty() && matches!(target.operation, "CREATE" | "UPDATE");
        if target.is_namespace() && is_written {
            return Ok(object.is_some_and(|object| selector.matches(object)));
        }
        find(target.namespace).map(|namespace| selector.matches(namespace.borrow())).ok_or(target.namespace)
    }
}
