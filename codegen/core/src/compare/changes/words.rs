//! Changes in words.

use super::{Change, Class, Part};
use crate::diag::Diag;
use crate::path::Path;
use crate::rules::run::BUDGET;

impl Change {
    /// Returns the change in words: what was, and what is now.
    pub fn text(&self) -> String {
        let (Some(stored), Some(version)) = (&self.stored, &self.version) else { return self.own_text() };
        match &self.part {
            Part::NotStored(_) => self.own_text(),
            _ if self.class == Class::Meaning => {
                format!("objects are stored as {version} now: {}", self.own_text())
            }
            Part::Field(name) => {
                format!("objects are stored as {stored}, and {version} does not have the field `{name}`")
            }
            _ => format!("objects are stored as {stored}, in {version}: {}", self.own_text()),
        }
    }

    /// The change in words, in a version whose objects are stored in it.
    fn own_text(&self) -> String {
        let (was, now) = (self.was.as_deref(), self.now.as_deref());
        let was_now =
            |what: &str| format!("{what} was {}, now {}", was.unwrap_or("not set"), now.unwrap_or("not set"));
        let is_there = now.is_some();
        let added = |what: &str| format!("{what} was {}", if is_there { "added" } else { "removed" });
        let one = was.or(now).unwrap_or_default();
        match &self.part {
            Part::Crd => added(&format!("the CRD {one}")),
            Part::Version(name) => match (is_there, self.class) {
                (false, Class::Breaking) => format!("version {name} was removed, so it is no longer served"),
                _ => added(&format!("version {name}")),
            },
            Part::Served(name) => match now {
                Some("true") => format!("version {name} is served now"),
                _ => format!("version {name} is no longer served"),
            },
            Part::Storage => was_now("the storage version"),
            Part::Deprecated(name) => match now {
                Some("true") => format!("version {name} is deprecated now"),
                _ => format!("version {name} is no longer deprecated"),
            },
            Part::Conversion => was_now("the strategy of the conversion"),
            Part::PreserveUnknownFields => was_now("preserveUnknownFields"),
            Part::Name(key) => match *key {
                "shortNames" => added(&format!("the short name `{one}`")),
                "categories" => added(&format!("the category `{one}`")),
                key => was_now(key),
            },
            Part::Column(name) => match self.class {
                Class::Cosmetic => format!("the description of the column {name} changed"),
                _ if was.is_some() && is_there => was_now(&format!("the column {name}")),
                _ => added(&format!("the column {name}")),
            },
            Part::Subresource(name) => match (was, now) {
                (Some(_), Some(_)) => was_now(&format!("the subresource {name}")),
                _ => added(&format!("the subresource {name}")),
            },
            Part::SelectableField => added(&format!("the selectable field {one}")),
            Part::Field(name) => added(&format!("the field `{name}`")),
            Part::NotStored(name) => {
                let version = self.version.as_deref().unwrap_or_default();
                format!("version {version}, which is stored now, does not have the field `{name}`")
            }
            Part::Unlisted(name) => {
                let any = |side: Option<&str>| side.unwrap_or("any value").to_owned();
                format!("the value of `{name}` was {}, now {}", any(was), any(now))
            }
            Part::UnknownFields => {
                let side = |side: Option<&str>| side.unwrap_or("dropped").to_owned();
                format!("fields that the schema does not list were {}, now they are {}", side(was), side(now))
            }
            Part::Required(field) | Part::RequiredNew(field) => was_now(&format!("`{field}`")),
            Part::Keyword(keyword) => was_now(keyword),
            Part::Values(keyword) => match is_there {
                false => format!("{keyword} no longer allows {one}"),
                true => format!("{keyword} also allows {one} now"),
            },
            Part::Junctor(keyword) => match (was, now) {
                (Some(was), Some(now)) => format!("{keyword} had {was}, now {now}"),
                (Some(was), None) => format!("{keyword} no longer has {was}"),
                (None, now) => format!("{keyword} also has {} now", now.unwrap_or_default()),
            },
            Part::Rule => match (was, now) {
                (Some(was), Some(now)) => format!("the rule was `{was}`, now `{now}`"),
                _ => added(&format!("the rule `{one}`")),
            },
            Part::RuleMessage => "the message, reason or field of a rule changed".to_owned(),
            Part::Costs { .. } => {
                let (was, now) = (was.unwrap_or_default(), now.unwrap_or_default());
                format!("these rules may cost {now} of {BUDGET} for an object now, before {was}")
            }
            Part::Text(keyword) => format!("the {keyword} changed"),
            Part::More => format!("there are more than {one} changes; crdgen did not compare the rest"),
        }
    }

    /// Returns what to do about it.
    pub fn help(&self) -> &'static str {
        if self.stored.is_some() && self.class == Class::Meaning {
            return "clients of all versions read what the stored version makes of an object: with its defaults, and without nulls that it does not allow. Give all versions the same defaults, or add a conversion webhook";
        }
        if self.stored.is_some() && !matches!(self.part, Part::NotStored(_)) {
            return "the server changes only `apiVersion` when it converts an object. Make the versions accept the same objects, or add a conversion webhook";
        }
        match (&self.part, self.class) {
            (Part::Crd, _) => {
                "if you remove it from the cluster, the server deletes all objects of this kind. Keep it until no objects are left"
            }
            (Part::Version(_) | Part::Served(_), Class::Breaking) => {
                "clients that use it will fail. Keep serving the version and mark it as deprecated, until all clients use another one"
            }
            (Part::Subresource("status"), Class::Breaking) if self.now.is_some() => {
                "the server drops the status of new objects, and the schema or a rule may require it. Do not require it, and start rules about it with `!has(self.status) ||`"
            }
            (Part::Subresource(_) | Part::SelectableField, Class::Breaking) => {
                "clients that use it will fail. Keep it, or remove it in a new version only"
            }
            (Part::Subresource("status"), _) => {
                "the server ignores the status in writes to the object. Clients must write it to the subresource"
            }
            (Part::Subresource(_), Class::Stuck) => {
                "it reads replicas from 0 to 2147483647, and the server checks them at every update. Check real objects with `crdgen validate`"
            }
            (Part::Subresource(_), _) => "clients that scale objects read and write these fields",
            (Part::Storage, _) => {
                "objects stay in the old version until they are written again. Run `crdgen migrate` before you remove it"
            }
            (Part::Conversion, _) => {
                "the server converts objects between versions in another way. Deploy the webhook before the CRD, and check that no data is lost"
            }
            (Part::Deprecated(_), _) => {
                "kubectl and other clients print a warning for each use of this version"
            }
            (Part::Required(_) | Part::RequiredNew(_), Class::Breaking | Class::Stuck) => {
                "the server rejects objects without the field. Add a default, or require it in a new version only"
            }
            (Part::More, _) => "change less at once, and compare each step. The rest may break objects, too",
            (Part::Rule, Class::OnEdit) => {
                "objects that exist stay valid. The server rejects later changes that break the rule"
            }
            (_, Class::Stuck) => {
                "objects may exist that are not valid any more. The server checks this at every update, whatever changes. Allow the old values again, or add a version and convert objects"
            }
            (Part::Rule, Class::Breaking) => {
                "objects may exist that break the rule. The server rejects them when this part of them changes. Check real objects with `crdgen validate`"
            }
            (Part::Unlisted(_), _) => {
                "objects may exist with other values. Check real objects with `crdgen validate`"
            }
            (Part::Keyword("default"), Class::Breaking | Class::OnEdit) => {
                "what is required next to the field, or a rule, does not allow objects without the field any more. Restore the default, or change it in a new version"
            }
            (_, Class::Breaking | Class::OnEdit) => {
                "objects may exist that are not valid any more. The server rejects them when the value changes. Allow the old values again, or add a version and convert objects"
            }
            (_, Class::MayBreak) => {
                "no object was found that the server accepted before and rejects now, but the search cannot exclude one. Check real objects with `crdgen validate`"
            }
            (Part::NotStored(_), _) => {
                "without a conversion webhook, the server drops it when it writes an object again. Add the field to the version"
            }
            (Part::Field(_), Class::DataLoss) => {
                "the server drops such data from objects when they are written again. Keep the field, and mark it as deprecated in its description"
            }
            (_, Class::DataLoss) => {
                "the server drops such data from objects when they are written again. List these fields in the schema, or keep unknown fields"
            }
            (Part::Keyword("default"), _) => {
                "objects without the field now mean something else. Keep the default, or change it in a new version"
            }
            (Part::Keyword("x-kubernetes-list-type" | "x-kubernetes-map-type"), _) => {
                "server-side apply merges the values of several appliers in another way, and may replace or combine what it did not before"
            }
            (_, Class::Dearer) => {
                "the server rejects rules that may cost too much, and objects for which they do. Bound what the rules read with maxItems, maxProperties and maxLength"
            }
            (_, Class::Meaning) => "the same YAML now means something else. Change it in a new version",
            (_, Class::Client) => {
                "programs with types for the old CRD may fail to read such objects. Update them before anyone uses the new values"
            }
            (Part::Name(_) | Part::Column(_), _) => "scripts and people may use it. Keep it if you can",
            (_, Class::Refused) => "the server keeps the old CRD. Correct the new one",
            (_, Class::Usage | Class::Looser | Class::Compatible | Class::Cosmetic) => "",
        }
    }

    /// Returns the diagnostic. `None` if the change is not reported.
    pub fn diag(&self) -> Option<Diag> {
        let (code, level) = self.class.reported()?;
        let diag = Diag::own(code, level, &Path::ROOT, self.text()).help(self.help());
        Some(Diag { field: self.field.clone(), steps: self.steps.clone(), ..diag })
    }
}
