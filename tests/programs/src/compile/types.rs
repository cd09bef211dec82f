//! The same types in several flavours, for measuring compile times.

use std::fmt::Write as _;

/// Which derives the types have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// serde alone, the baseline.
    Serde,
    /// serde and schemars.
    Schemars,
    /// serde, schemars and kube-rs's derive.
    Kube,
    /// serde and crdgen.
    Crdgen,
}

/// All flavours, the baseline first.
pub const FLAVOURS: [Flavour; 4] = [Flavour::Serde, Flavour::Schemars, Flavour::Kube, Flavour::Crdgen];

/// The number of types and fields.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its name.
    pub name: &'static str,
    /// How many structs.
    pub structs: usize,
    /// How many fields all structs have together.
    pub fields: usize,
    /// Whether structs and texts have CEL rules, if the flavour supports them.
    pub rules: bool,
}

/// The sizes that are compared.
pub const SIZES: [Size; 3] = [
    Size { name: "small", structs: 3, fields: 30, rules: false },
    Size { name: "large", structs: 40, fields: 300, rules: false },
    Size { name: "rules", structs: 40, fields: 300, rules: true },
];

impl Flavour {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Flavour::Serde => "serde",
            Flavour::Schemars => "schemars",
            Flavour::Kube => "kube",
            Flavour::Crdgen => "crdgen",
        }
    }

    /// Returns the dependencies of a crate of this flavour. `crdgen` is the path of the crate, and `more` follows it.
    pub fn dependencies(self, crdgen: &str, more: &str) -> String {
        let serde = "serde = { version = \"1\", features = [\"derive\"] }\n";
        let schemars = "schemars = \"1\"\n";
        let kube = "kube = { version = \"5\", default-features = false, features = [\"derive\"] }\nserde_json = \"1\"\n\
                    k8s-openapi = { version = \"0.29\", features = [\"latest\", \"schemars\"] }\n";
        match self {
            Flavour::Serde => serde.to_owned(),
            Flavour::Schemars => format!("{serde}{schemars}"),
            Flavour::Kube => format!("{serde}{schemars}{kube}"),
            Flavour::Crdgen => format!("{serde}crdgen = {{ path = {crdgen:?}{more} }}\n"),
        }
    }

    fn derives(self) -> &'static str {
        match self {
            Flavour::Serde => "",
            Flavour::Schemars | Flavour::Kube => ", JsonSchema",
            Flavour::Crdgen => ", Schema",
        }
    }

    fn uses(self) -> &'static str {
        match self {
            Flavour::Serde => "",
            Flavour::Schemars => "use schemars::JsonSchema;\n",
            Flavour::Kube => "use kube::CustomResource;\nuse schemars::JsonSchema;\n",
            Flavour::Crdgen => "use crdgen::{CustomResource, Schema};\n",
        }
    }
}

const TYPES: [(&str, &str); 10] = [
    ("String", "string"),
    ("i32", "int32"),
    ("bool", "bool"),
    ("Option<String>", "*string"),
    ("Option<i32>", "*int32"),
    ("Vec<String>", "[]string"),
    ("std::collections::BTreeMap<String, String>", "map[string]string"),
    ("Option<Vec<String>>", "[]string"),
    ("i64", "int64"),
    ("bool", "bool"),
];

/// Returns the type of a field, in Rust and in Go. The structs are a tree whose root is the last one, so all of them
/// are in its schema.
fn type_of(size: Size, s: usize, i: usize) -> (String, String) {
    let below = |nth: usize| (size.structs - 1).checked_sub(2 * (size.structs - 1 - s) + nth);
    let child = match i {
        0 => below(1),
        2 => below(2),
        _ => None,
    };
    match (i, child) {
        (_, Some(child)) => (format!("S{child}"), format!("S{child}")),
        (1, _) if s.is_multiple_of(5) => (format!("Vec<E{}>", s % 3), format!("[]E{}", s % 3)),
        (1, _) => (format!("Option<E{}>", s % 3), format!("*E{}", s % 3)),
        _ => {
            let (rust, go) = TYPES[(s * 7 + i * 3) % TYPES.len()];
            (rust.to_owned(), go.to_owned())
        }
    }
}

fn fields_of(size: Size, s: usize) -> usize {
    size.fields / size.structs + usize::from(s < size.fields % size.structs)
}

/// Returns the library of one flavour. `edit` is a number that distinguishes one edit of it from the next.
pub fn rust(flavour: Flavour, size: Size, edit: usize) -> String {
    format!("{}{}", items(flavour, size, &Version::ONLY), edited(edit))
}

/// Returns a library with the types in two versions, which are mostly the same. With `converts`, the newer types derive
/// `Convert`.
pub fn versions(flavour: Flavour, converts: bool, size: Size, edit: usize) -> String {
    let old = Version { name: "v1beta1", is_old: true, converts: false };
    let new = Version { converts, ..Version::ONLY };
    let mut out = String::new();
    for version in [old, new] {
        _ = writeln!(out, "pub mod {} {{\n{}}}", version.name, items(flavour, size, &version));
    }
    out + &edited(edit)
}

/// A version of the types.
struct Version {
    name: &'static str,
    is_old: bool,
    converts: bool,
}

impl Version {
    const ONLY: Version = Version { name: "v1", is_old: false, converts: false };

    /// Returns the attribute with which a type converts from the older one.
    fn from(&self, ty: &str) -> String {
        if self.converts { format!("#[convert(from = \"super::v1beta1::{ty}\")]\n") } else { String::new() }
    }
}

fn edited(edit: usize) -> String {
    format!("/// What changes.\npub const EDIT: usize = {edit};\n")
}

fn items(flavour: Flavour, size: Size, version: &Version) -> String {
    let convert = if version.converts { ", crdgen::Convert" } else { "" };
    let derives = flavour.derives();
    let rules = size.rules && matches!(flavour, Flavour::Kube | Flavour::Crdgen);
    // kube-rs only supports rules with this derive.
    let with_rules = if rules && flavour == Flavour::Kube { ", kube::KubeSchema" } else { derives };
    let mut out = format!("use serde::{{Deserialize, Serialize}};\n{}", flavour.uses());
    for e in 0..3 {
        let from = version.from(&format!("E{e}"));
        _ = writeln!(
            out,
            "/// Enum number {e}.\n#[derive(Clone, Debug, Deserialize, Serialize{derives}{convert})]\n{from}pub enum E{e} {{ A, B, C }}"
        );
    }
    for s in 0..size.structs {
        let root = s + 1 == size.structs && matches!(flavour, Flavour::Kube | Flavour::Crdgen);
        let kind = if root { ", CustomResource" } else { "" };
        _ = writeln!(
            out,
            "/// Struct number {s}.\n#[derive(Clone, Debug, Deserialize, Serialize{with_rules}{kind}{convert})]\n#[serde(rename_all = \"camelCase\")]"
        );
        out.push_str(&version.from(&format!("S{s}")));
        if root {
            let stored = if version.is_old { ", storage = false" } else { "" };
            _ = writeln!(
                out,
                "#[kube(group = \"bench.example.com\", version = \"{}\", kind = \"Big\", namespaced, status = \"Status\"{stored})]",
                version.name
            );
        }
        if rules {
            out.push_str("#[x_kube(validation = \"!has(self.field1) || size(self.field1) < 64\")]\n");
        }
        _ = writeln!(out, "pub struct S{s} {{");
        let count = fields_of(size, s);
        for i in 0..count {
            let (ty, _) = type_of(size, s, i);
            _ = writeln!(out, "    /// Field {i} of {s}: what it is for, in a few words.");
            if ty.starts_with("Option") {
                out.push_str("    #[serde(skip_serializing_if = \"Option::is_none\")]\n");
            }
            let checks = match (flavour, ty.as_str()) {
                (Flavour::Serde, _) => "",
                (Flavour::Schemars | Flavour::Kube, "i32") => "    #[schemars(range(min = 0, max = 100))]\n",
                (Flavour::Schemars | Flavour::Kube, "String") => "    #[schemars(length(min = 1))]\n",
                (Flavour::Crdgen, "i32") => "    #[schema(minimum = 0, maximum = 100)]\n",
                (Flavour::Crdgen, "String") => "    #[schema(min_length = 1)]\n",
                _ => "",
            };
            if rules && ty == "String" {
                out.push_str("    #[x_kube(validation = \"!self.startsWith('-') && self.size() < 256\")]\n");
            }
            // The last field has another name in the older version.
            let is_renamed = version.is_old && i + 1 == count;
            if version.converts && i + 1 == count {
                _ = writeln!(out, "    #[convert(from = \"older_{i}\")]");
            }
            let name = if is_renamed { "older" } else { "field" };
            _ = writeln!(out, "{checks}    pub {name}_{i}: {ty},");
        }
        out.push_str("}\n");
    }
    let from = version.from("Status");
    _ = writeln!(
        out,
        "/// The status.\n#[derive(Clone, Debug, Deserialize, Serialize{derives}{convert})]\n{from}pub struct Status {{ pub ready: bool }}"
    );
    out
}

/// Returns the same types in Go, as controller-gen reads them.
pub fn go(size: Size) -> String {
    let mut out = String::from(
        "// +groupName=bench.example.com\n// +versionName=v1\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n",
    );
    for e in 0..3 {
        _ = writeln!(out, "// Enum number {e}.\n// +kubebuilder:validation:Enum=A;B;C\ntype E{e} string\n");
    }
    for s in 0..size.structs {
        _ = writeln!(out, "// Struct number {s}.\ntype S{s} struct {{");
        for i in 0..fields_of(size, s) {
            let (rust, go) = type_of(size, s, i);
            _ = writeln!(out, "\t// Field {i} of {s}: what it is for, in a few words.");
            let (marker, omit) = match rust.as_str() {
                "i32" => {
                    ("\t// +kubebuilder:validation:Minimum=0\n\t// +kubebuilder:validation:Maximum=100\n", "")
                }
                "String" => ("\t// +kubebuilder:validation:MinLength=1\n", ""),
                r if r.starts_with("Option") => ("\t// +optional\n", ",omitempty"),
                _ => ("", ""),
            };
            _ = writeln!(out, "{marker}\tField{i} {go} `json:\"field{i}{omit}\"`");
        }
        out.push_str("}\n\n");
    }
    _ = write!(
        out,
        "// The status.\ntype Status struct {{\n\t// Whether it is ready.\n\tReady bool `json:\"ready\"`\n}}\n\n\
         // Big is the kind.\n// +kubebuilder:object:root=true\n// +kubebuilder:subresource:status\ntype Big struct {{\n\
         \tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\
         \tSpec   S{}      `json:\"spec\"`\n\tStatus *Status `json:\"status,omitempty\"`\n}}\n",
        size.structs - 1
    );
    out
}
