//! The dependencies that generated code needs in `Cargo.toml`.

use super::model::*;
use super::options::{Builders, Options, TimeType};
use super::render::feature;

/// Returns the lines of `[dependencies]`, and of `[features]` if the options want features.
pub fn manifest(plan: &Plan, options: &Options) -> Vec<String> {
    let mut used = Used::default();
    plan.types.iter().for_each(|def| used.look(def));
    let mut out = Vec::new();
    let mut own = Vec::new();
    own.extend(options.apply.then_some("apply"));
    own.extend(used.json.then_some("serde_json"));
    own.extend(used.kubernetes.then_some("k8s-openapi"));
    own.extend(options.kube.then_some("kube"));
    if used.time {
        match options.time {
            TimeType::String => {}
            TimeType::Chrono => {
                out.push(needs("chrono", "0.4", &["serde"]));
                own.push("chrono");
            }
            TimeType::Jiff => {
                out.push(needs("jiff", "0.2", &["serde"]));
                own.push("jiff");
            }
        }
    }
    match options.builders {
        Builders::None => {}
        Builders::TypedBuilder => out.push(needs("typed-builder", "0.23", &[])),
        Builders::Bon => out.push(needs("bon", "3", &[])),
    }
    if options.schema {
        out.push(needs(
            "crdgen",
            concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR")),
            &own,
        ));
    }
    if used.kubernetes || options.kube {
        let schemars = options.schemars.then_some("schemars");
        let features: Vec<&str> = ["latest"].into_iter().chain(schemars).collect();
        out.push(needs("k8s-openapi", "0.29", &features));
    }
    if options.kube {
        let derive = (!options.schema).then_some("derive");
        out.push(needs("kube", "5", &derive.into_iter().collect::<Vec<_>>()));
    }
    if options.schemars {
        out.push(needs("schemars", "1", &[]));
    }
    out.push(needs("serde", "1", &["derive"]));
    // kube's derive needs serde_json.
    out.extend((used.json || options.kube).then(|| needs("serde_json", "1", &[])));
    out.sort();
    out.insert(0, "[dependencies]".to_owned());
    if options.features {
        let mut groups: Vec<String> =
            plan.modules.iter().filter(|m| !m.group.is_empty()).map(|m| feature(&m.group)).collect();
        groups.sort();
        groups.dedup();
        out.push("[features]".to_owned());
        out.extend(groups.iter().map(|group| format!("{group} = []")));
    }
    out
}

fn needs(name: &str, version: &str, features: &[&str]) -> String {
    if features.is_empty() {
        return format!("{name} = \"{version}\"");
    }
    let features: Vec<String> = features.iter().map(|f| format!("\"{f}\"")).collect();
    format!("{name} = {{ version = \"{version}\", features = [{}] }}", features.join(", "))
}

/// The crates that the types come from.
#[derive(Default)]
struct Used {
    json: bool,
    kubernetes: bool,
    time: bool,
}

impl Used {
    fn look(&mut self, def: &TypeDef) {
        match &def.body {
            Body::Struct(Struct { fields, rest, camel_case: _, choice: _ }) => {
                self.json |= *rest != Rest::None;
                fields.iter().for_each(|field| self.look_at(&field.usage));
            }
            Body::Union(body) => body.variants.iter().for_each(|field| self.look_at(&field.usage)),
            Body::Enum(_) | Body::IntOrString { .. } => {}
        }
    }

    fn look_at(&mut self, usage: &Use) {
        match &usage.ty {
            Ty::Json | Ty::JsonObject | Ty::Number => self.json = true,
            Ty::Kubernetes(_) | Ty::ObjectMeta => self.kubernetes = true,
            Ty::Time => self.time = true,
            Ty::List(inner) | Ty::Map(inner) => self.look_at(inner),
            Ty::Bool | Ty::I32 | Ty::I64 | Ty::String | Ty::Named(_) => {}
        }
    }
}
