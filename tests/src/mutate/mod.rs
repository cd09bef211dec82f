//! The seeded mutator: breaks valid CRDs in hundreds of ways, because most real CRDs are valid. A case is determined by
//! its seed and number alone, so it can be generated again.

mod definition;
pub mod object;
mod schema;
mod sets;
mod structs;
mod text;
mod wrong;

use crdgen_core::json::to_string;
use crdgen_core::value::{Map, Value};

use crate::case::Case;
use crate::corpus::Seed;
use crate::rng::Rng;

/// A kind of edit. The function of an edit returns whether it found something to change.
#[derive(Clone, Copy)]
pub enum Edit {
    /// Sets a member of something to one of some JSON texts. `-` removes it.
    Set(Place, &'static str, &'static [&'static str]),
    /// Changes the CRD as a whole.
    Definition(&'static str, fn(&mut Map<Value>, &mut Rng) -> bool),
    /// Changes a schema node.
    Schema(&'static str, fn(&mut Map<Value>, &mut Rng) -> bool),
    /// Changes any value, wherever it is.
    Any(&'static str, fn(&mut Value, &mut Rng) -> bool),
    /// Changes the text.
    Text(&'static str, fn(&str, &mut Rng) -> Option<String>),
}

impl Edit {
    /// Returns its name.
    pub fn name(&self) -> String {
        match self {
            Edit::Set(place, key, _) => format!("set {place:?}.{key}"),
            Edit::Definition(name, _) => format!("definition: {name}"),
            Edit::Schema(name, _) => format!("schema: {name}"),
            Edit::Any(name, _) => format!("any: {name}"),
            Edit::Text(name, _) => format!("text: {name}"),
        }
    }

    fn is_text(&self) -> bool {
        matches!(self, Edit::Text(..))
    }

    fn apply(&self, document: &mut Value, rng: &mut Rng) -> bool {
        match self {
            Edit::Set(place, key, values) => {
                let value = *rng.pick(values);
                let Some(target) = place.reach(document, rng) else { return false };
                if value == "-" {
                    return target.remove(key).is_some();
                }
                let value = crate::json::json(value);
                let changed = target.get(key) != Some(&value);
                target.insert(*key, value);
                changed
            }
            Edit::Definition(_, run) => document.as_map_mut().is_some_and(|d| run(d, rng)),
            Edit::Schema(_, run) => schema::some_node(document, rng).is_some_and(|node| run(node, rng)),
            Edit::Any(_, run) => run(wrong::some_value(document, rng), rng),
            Edit::Text(..) => false,
        }
    }
}

/// Where a member is set. Missing objects on the way are created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The CRD itself.
    Top,
    /// `metadata`
    Metadata,
    /// `metadata.annotations`
    Annotations,
    /// `metadata.labels`
    Labels,
    /// One of `metadata.ownerReferences`
    Owner,
    /// `spec`
    Spec,
    /// `spec.names`
    Names,
    /// One of `spec.versions`
    Version,
    /// `subresources` of a version
    Subresources,
    /// `subresources.scale` of a version
    Scale,
    /// A printer column
    Column,
    /// A selectable field
    Selectable,
    /// `spec.conversion`
    Conversion,
    /// `spec.conversion.webhook`
    Webhook,
    /// `spec.conversion.webhook.clientConfig`
    Client,
    /// `spec.conversion.webhook.clientConfig.service`
    Service,
    /// The root schema of a version
    Root,
    /// Any schema
    Node,
    /// A rule of any schema
    Rule,
    /// `status`
    Status,
}

impl Place {
    fn reach<'a>(self, document: &'a mut Value, rng: &mut Rng) -> Option<&'a mut Map<Value>> {
        // Each place is a member of another place, or some item of such a member.
        let (parent, key, some_item) = match self {
            Place::Top => return document.as_map_mut(),
            Place::Node => return schema::some_node(document, rng),
            Place::Root => {
                let version = Place::Version.reach(document, rng)?;
                return member(member(version, "schema")?, "openAPIV3Schema");
            }
            Place::Metadata => (Place::Top, "metadata", false),
            Place::Annotations => (Place::Metadata, "annotations", false),
            Place::Labels => (Place::Metadata, "labels", false),
            Place::Owner => (Place::Metadata, "ownerReferences", true),
            Place::Spec => (Place::Top, "spec", false),
            Place::Names => (Place::Spec, "names", false),
            Place::Version => (Place::Spec, "versions", true),
            Place::Subresources => (Place::Version, "subresources", false),
            Place::Scale => (Place::Subresources, "scale", false),
            Place::Column => (Place::Version, "additionalPrinterColumns", true),
            Place::Selectable => (Place::Version, "selectableFields", true),
            Place::Conversion => (Place::Spec, "conversion", false),
            Place::Webhook => (Place::Conversion, "webhook", false),
            Place::Client => (Place::Webhook, "clientConfig", false),
            Place::Service => (Place::Client, "service", false),
            Place::Rule => (Place::Node, "x-kubernetes-validations", true),
            Place::Status => (Place::Top, "status", false),
        };
        let parent = parent.reach(document, rng)?;
        if some_item { item(parent, key, rng) } else { member(parent, key) }
    }
}

/// Returns the object that is a member. Creates it if it is missing.
fn member<'a>(map: &'a mut Map<Value>, key: &str) -> Option<&'a mut Map<Value>> {
    let value = map.entry_or_insert_with(key, || Value::Map(Map::new()));
    if value.is_null() {
        *value = Value::Map(Map::new());
    }
    value.as_map_mut()
}

/// Returns one object of a list that is a member. Creates it if it is missing.
fn item<'a>(map: &'a mut Map<Value>, key: &str, rng: &mut Rng) -> Option<&'a mut Map<Value>> {
    let Value::List(items) = map.entry_or_insert_with(key, || Value::List(Vec::new())) else { return None };
    if items.is_empty() {
        items.push(Value::Map(Map::new()));
    }
    let i = rng.below(items.len());
    items[i].as_map_mut()
}

/// Returns every kind of edit.
pub fn edits() -> Vec<Edit> {
    [sets::SETS, definition::EDITS, schema::EDITS, structs::EDITS, wrong::EDITS, text::EDITS].concat()
}

/// Generates cases from seeds.
pub struct Mutator<'a> {
    seeds: &'a [Seed],
    edits: Vec<Edit>,
    seed: u64,
}

impl<'a> Mutator<'a> {
    /// Creates a mutator for a seed and these CRDs.
    pub fn new(seeds: &'a [Seed], seed: u64) -> Mutator<'a> {
        Mutator { seeds, edits: edits(), seed }
    }

    /// Generates case `number`: a create of a CRD with 1 to 3 edits.
    pub fn create(&self, number: u64) -> Case {
        let mut rng = Rng::of_case(self.seed, number);
        let start = rng.pick(self.seeds);
        let count = 1 + rng.below(3);
        let mut names = Vec::new();
        let text = self.mutate(start, count, &mut names, &mut rng);
        Case::crd(format!("create-{}-{number}: {} {}", self.seed, start.name, names.join(" + ")), text, None)
    }

    /// Generates case `number`: an update between two forms of a CRD, each with 0 to 3 edits.
    pub fn update(&self, number: u64) -> Case {
        let mut rng = Rng::of_case(self.seed ^ 0x7570_6461_7465, number);
        let start = rng.pick(self.seeds);
        let mut names = Vec::new();
        let mut old = start.value.clone();
        normalize(&mut old, &mut rng);
        for _ in 0..rng.below(3) {
            self.edit(&mut old, &mut names, &mut rng);
        }
        // In most cases the new CRD has the errors of the old one too, because ratcheting depends on this.
        let mut new = if rng.chance(70) { old.clone() } else { start.value.clone() };
        names.push("=>".to_owned());
        for _ in 0..rng.below(4) {
            self.edit(&mut new, &mut names, &mut rng);
        }
        let name = format!("update-{}-{number}: {} {}", self.seed, start.name, names.join(" + "));
        Case::crd(name, to_string(&new), Some(to_string(&old)))
    }

    fn mutate(&self, start: &Seed, count: usize, names: &mut Vec<String>, rng: &mut Rng) -> String {
        // Edits of the text keep the author's layout, so they come alone or one after the other.
        if rng.chance(12) {
            let of_text: Vec<&Edit> = self.edits.iter().filter(|e| e.is_text()).collect();
            let mut text = start.text.clone();
            for _ in 0..count {
                if let Edit::Text(_, run) = rng.pick(&of_text)
                    && let Some(changed) = run(&text, rng)
                {
                    text = changed;
                }
            }
            names.push("text".to_owned());
            return text;
        }
        let mut document = start.value.clone();
        for _ in 0..count {
            self.edit(&mut document, names, rng);
        }
        to_string(&document)
    }

    fn edit(&self, document: &mut Value, names: &mut Vec<String>, rng: &mut Rng) {
        for _ in 0..20 {
            let edit = rng.pick(&self.edits);
            if !edit.is_text() && edit.apply(document, rng) {
                names.push(edit.name());
                return;
            }
        }
    }
}

/// Gives a CRD the status that a server would have given it by now.
fn normalize(document: &mut Value, rng: &mut Rng) {
    let Some(top) = document.as_map_mut() else { return };
    let stored: Vec<Value> = top
        .get("spec")
        .and_then(|s| s.get("versions"))
        .and_then(Value::as_list)
        .unwrap_or(&[])
        .iter()
        .filter(|v| v.get("storage").and_then(Value::as_bool) == Some(true))
        .filter_map(|v| v.get("name").cloned())
        .collect();
    let Some(status) = member(top, "status") else { return };
    status.insert("storedVersions", Value::List(stored));
    if rng.chance(60) {
        let condition = r#"[{"type":"Established","status":"True","reason":"a","message":"b","lastTransitionTime":"2024-01-01T00:00:00Z"}]"#;
        status.insert("conditions", crate::json::json(condition));
    }
}
