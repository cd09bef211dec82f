//! What a program meets if the installed CRD is not the one of its types: an older one, or a newer one.

use super::changes::{Change, Class, Part, add_field, between};
use crate::ir::Crd;
use crate::value::Value;

/// What the program meets.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Requests fail, because the server does not serve what they name.
    NotServed,
    /// The server rejects some of what the program writes.
    Rejected,
    /// The server drops some of what the program writes.
    Dropped,
    /// The server makes another object of what the program writes.
    Changed,
    /// The server has objects that the types may not be able to read.
    Unreadable,
}

impl Effect {
    /// Returns its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Effect::NotServed => "not-served",
            Effect::Rejected => "rejected",
            Effect::Dropped => "dropped",
            Effect::Changed => "changed",
            Effect::Unreadable => "unreadable",
        }
    }
}

/// A difference between the types of a program and the installed CRD.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What the program meets.
    pub effect: Effect,
    /// The place in objects, such as `spec.ports[].name`. `None` if it is not about a value in objects.
    pub field: Option<String>,
    /// Both sides in words.
    pub text: String,
}

impl Difference {
    fn request(text: String) -> Difference {
        Difference { effect: Effect::NotServed, field: None, text }
    }

    /// Returns it as JSON.
    pub fn to_value(&self) -> Value {
        let Difference { effect, field, text } = self;
        let field = field.as_deref().map_or(Value::Null, Value::from);
        let members =
            [("effect", Value::from(effect.name())), ("field", field), ("text", text.as_str().into())];
        Value::Map(members.into_iter().collect())
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.field.as_deref().filter(|field| !field.is_empty()) {
            Some(field) => write!(f, "{field}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// Compares the CRD of a program's types with the installed one, in the versions of the types. The worst differences come
/// first. What only concerns people is left out.
pub fn between_types_and(installed: &Crd, types: &Crd) -> Vec<Difference> {
    let (own, theirs) = (&types.spec, &installed.spec);
    let mut out = Vec::new();
    for (what, own, theirs) in [
        ("scope", &own.scope, &theirs.scope),
        ("kind", &own.names.kind, &theirs.names.kind),
        ("plural", &own.names.plural, &theirs.names.plural),
        ("group", &own.group, &theirs.group),
    ] {
        if own != theirs {
            let text = format!("the {what} is {theirs} in the installed CRD, but {own} in the types");
            out.push(Difference::request(text));
        }
    }
    out.extend(between(types, installed).iter().filter_map(|change| of_change(change, types)));
    out.sort_by_key(|it| it.effect);
    out
}

/// What a change from the types to the installed CRD means for the program. `None` if nothing.
fn of_change(change: &Change, types: &Crd) -> Option<Difference> {
    let is_served = |version: &str| types.spec.versions.iter().any(|it| it.served && it.name == version);
    let gone = |what: &str| Some(Difference::request(format!("the installed CRD does not have {what}")));
    match (&change.part, change.class) {
        (Part::Version(version), Class::Breaking) => return gone(&format!("the version {version}")),
        (Part::Served(version), Class::Breaking) => {
            let text = format!("the installed CRD does not serve the version {version}");
            return Some(Difference::request(text));
        }
        _ => {}
    }
    // The program does not store objects in another version.
    if change.stored.is_some() || !change.version.as_deref().is_some_and(is_served) {
        return None;
    }
    let effect = match change.class {
        Class::Stuck | Class::Breaking | Class::OnEdit | Class::MayBreak | Class::Refused => Effect::Rejected,
        Class::DataLoss => Effect::Dropped,
        Class::Meaning => Effect::Changed,
        Class::Client => Effect::Unreadable,
        Class::Dearer | Class::Usage | Class::Looser | Class::Compatible | Class::Cosmetic => return None,
    };
    let (was, now) = (change.was.as_deref(), change.now.as_deref());
    let both = |what: &str| {
        let (own, theirs) = (was.unwrap_or("not set"), now.unwrap_or("not set"));
        format!("{what} is {theirs} in the installed CRD, but {own} in the types")
    };
    let one = now.or(was).unwrap_or_default();
    let text = match &change.part {
        Part::Subresource(name) if now.is_none() => return gone(&format!("the subresource {name}")),
        Part::Subresource("status") => {
            "the status is a subresource in the installed CRD, so the server ignores it in writes to the object".to_owned()
        }
        Part::Subresource(name) => both(&format!("the subresource {name}")),
        Part::SelectableField => return gone(&format!("the selectable field {one}")),
        Part::Field(_) => "the installed CRD does not have this field, so the server drops it".to_owned(),
        Part::Unlisted(_) => both("the value"),
        Part::UnknownFields => "the installed CRD drops fields that its schema does not list".to_owned(),
        Part::Required(_) => both("the field"),
        Part::RequiredNew(_) => {
            "the installed CRD requires this field, which the types do not have".to_owned()
        }
        Part::Keyword(keyword) => both(keyword),
        Part::Values(keyword) => match effect {
            Effect::Unreadable => format!("{keyword} of the installed CRD also allows {one}"),
            _ => format!("{keyword} of the installed CRD does not allow {one}"),
        },
        Part::Junctor(keyword) => both(keyword),
        Part::Rule => match was {
            Some(was) => format!("the rule is `{one}` in the installed CRD, but `{was}` in the types"),
            None => format!("the installed CRD has the rule `{one}`, which the types do not have"),
        },
        // The types have one version of what a cluster may have several of.
        Part::NotStored(_)
        | Part::Crd
        | Part::Version(_)
        | Part::Served(_)
        | Part::Storage
        | Part::Deprecated(_)
        | Part::Conversion
        | Part::PreserveUnknownFields
        | Part::Name(_)
        | Part::Column(_)
        | Part::RuleMessage
        | Part::Costs { .. }
        | Part::Text(_)
        | Part::More => return None,
    };
    let mut field = change.in_objects();
    if let (Some(field), Part::Required(name) | Part::RequiredNew(name)) = (&mut field, &change.part) {
        add_field(field, name);
    }
    Some(Difference { effect, field, text })
}

#[cfg(test)]
mod tests {
    use super::between_types_and;
    use crate::ir::{Conversion, Crd};
    use crate::{decode, encode, json};

    fn crd(version: &str, spec: &str) -> Crd {
        let text = format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"ws.example.com"}},
            "spec":{{"group":"example.com","scope":"Cluster","names":{{"kind":"W","plural":"ws","singular":"w","listKind":"WList"}},
            "versions":[{{"name":"{version}","served":true,"storage":true,"schema":{{"openAPIV3Schema":
            {{"type":"object","properties":{{"spec":{spec}}}}}}}}}]}}}}"#
        );
        decode::crd(json::read(text.as_bytes()).expect("JSON")).0.expect("a CRD")
    }

    fn shown(types: &Crd, installed: &Crd) -> Vec<String> {
        let all = between_types_and(installed, types);
        all.iter().map(|it| format!("{} {it}", it.effect.name())).collect()
    }

    #[test]
    fn leaves_out_what_is_stored_in_other_versions() {
        let version = |name: &str, storage: bool, field: &str| {
            format!(
                r#"{{"name":"{name}","served":true,"storage":{storage},"schema":{{"openAPIV3Schema":{{"type":"object","required":["{field}"],
                "properties":{{"{field}":{{"type":"integer"}}}}}}}}}}"#
            )
        };
        let both = format!("{},{}", version("v1alpha1", true, "a"), version("v1", false, "b"));
        let text = json::to_string(&encode::crd(&crd("v1", r#"{"type":"object"}"#)));
        let start = text.find(r#""versions":["#).expect("versions") + r#""versions":["#.len();
        let end = text.rfind("]}").expect("the end of the versions");
        let text = format!("{}{both}{}", &text[..start], &text[end..]);
        let installed = decode::crd(json::read(text.as_bytes()).expect("JSON")).0.expect("a CRD");
        let mut types = installed.clone();
        types.spec.conversion = Some(Conversion { strategy: "Webhook".to_owned(), ..Conversion::default() });
        assert_eq!(shown(&types, &installed), [""; 0]);
    }

    #[test]
    fn says_what_the_server_does_with_what_a_program_writes() {
        let types = r#"{"type":"object","required":["size"],"properties":{"size":{"type":"integer"},"name":{"type":"string"},
            "mode":{"type":"string","enum":["a","b"],"default":"a"},"ports":{"type":"array","items":{"type":"object",
            "properties":{"name":{"type":"string"},"old":{"type":"string"}}}}}}"#;
        let installed = r#"{"type":"object","required":["zone"],"properties":{"size":{"type":"integer"},"zone":{"type":"string"},
            "name":{"type":"string","maxLength":3,"x-kubernetes-validations":[{"rule":"self != 'x'"}]},
            "mode":{"type":"string","enum":["b","c"],"default":"b"},"ports":{"type":"array","items":{"type":"object",
            "properties":{"name":{"type":"string"}}}}}}"#;
        let (types, installed) = (crd("v1", types), crd("v1", installed));
        assert_eq!(
            shown(&types, &installed),
            [
                "rejected spec.zone: the installed CRD requires this field, which the types do not have",
                r#"rejected spec.mode: enum of the installed CRD does not allow "a""#,
                "rejected spec.name: maxLength is 3 in the installed CRD, but not set in the types",
                "rejected spec.name: the installed CRD has the rule `self != 'x'`, which the types do not have",
                "dropped spec.ports[].old: the installed CRD does not have this field, so the server drops it",
                r#"changed spec.mode: default is "b" in the installed CRD, but "a" in the types"#,
                "unreadable spec.size: the field is optional in the installed CRD, but required in the types",
                r#"unreadable spec.mode: enum of the installed CRD also allows "c""#,
            ]
        );
        assert!(shown(&types, &types).is_empty());
    }

    #[test]
    fn a_field_that_has_moved_is_lost_with_the_older_crd_and_with_the_newer_one() {
        let tls = r#"{"type":"object","properties":{"secret":{"type":"string"}}}"#;
        let before = crd("v1", &format!(r#"{{"type":"object","properties":{{"tls":{tls}}}}}"#));
        let networking = format!(r#"{{"type":"object","properties":{{"tls":{tls}}}}}"#);
        let after = crd("v1", &format!(r#"{{"type":"object","properties":{{"networking":{networking}}}}}"#));
        let lost = |field: &str| {
            format!("dropped {field}: the installed CRD does not have this field, so the server drops it")
        };
        assert_eq!(shown(&after, &before), [lost("spec.networking")]);
        assert_eq!(shown(&before, &after), [lost("spec.tls")]);
    }

    #[test]
    fn says_what_is_not_served() {
        let spec = r#"{"type":"object"}"#;
        let (types, mut installed) = (crd("v2", spec), crd("v1", spec));
        assert_eq!(shown(&types, &installed), ["not-served the installed CRD does not have the version v2"]);
        installed.spec.scope = "Namespaced".to_owned();
        installed.spec.versions[0].name = "v2".to_owned();
        let scope = "not-served the scope is Namespaced in the installed CRD, but Cluster in the types";
        assert_eq!(shown(&types, &installed), [scope]);
        installed.spec.scope = "Cluster".to_owned();
        installed.spec.versions[0].served = false;
        let served = "not-served the installed CRD does not serve the version v2";
        assert_eq!(shown(&types, &installed), [served]);
    }
}
