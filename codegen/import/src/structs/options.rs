//! The options of `import`.

use std::collections::BTreeMap;

/// Options for the generated code. By default, the types produce the same CRDs again, and keep every object unchanged.
#[derive(Clone, Debug)]
pub struct Options {
    /// Write the derives and attributes that produce the CRDs again.
    pub schema: bool,
    /// Write documentation comments.
    pub docs: bool,
    /// Describe defaults and constraints in the documentation comments.
    pub notes: bool,
    /// Derive `Eq` where possible.
    pub eq: bool,
    /// Derive `Hash` where possible.
    pub hash: bool,
    /// Derive `Default` where possible.
    pub default: bool,
    /// More derives: each is a pattern for names of types (`*` matches anything), and the path of a trait.
    pub derives: Vec<(String, String)>,
    /// The builders to derive.
    pub builders: Builders,
    /// The type of maps.
    pub map: MapType,
    /// The type of numbers that are not integers.
    pub numbers: Numbers,
    /// The types for Kubernetes' own types.
    pub kubernetes: KubernetesTypes,
    /// The type of points in time.
    pub time: TimeType,
    /// Derive `crdgen::kube::CustomResource` for kinds. Without [`schema`](Self::schema), derive kube's own
    /// `CustomResource`.
    pub kube: bool,
    /// Derive `crdgen::Apply`: partners for server-side apply. Needs [`schema`](Self::schema).
    pub apply: bool,
    /// Derive `schemars::JsonSchema`.
    pub schemars: bool,
    /// Put each API group behind a Cargo feature.
    pub features: bool,
    /// Use the names and types of kopium, so that code for its types still compiles.
    pub kopium: bool,
    /// Add a variant for unknown strings to enums.
    pub open_enums: bool,
    /// Names for types. The key is the path of a field that has the type, such as `Certificate.spec.issuerRef`, or the
    /// name that the type would have.
    pub names: BTreeMap<String, String>,
    /// The path of crdgen in the generated code.
    pub crate_path: String,
    /// Which modules the code has.
    pub layout: Layout,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            schema: true,
            docs: true,
            notes: true,
            eq: true,
            hash: true,
            default: true,
            derives: Vec::new(),
            builders: Builders::None,
            map: MapType::BTreeMap,
            numbers: Numbers::Json,
            kubernetes: KubernetesTypes::Own,
            time: TimeType::String,
            kube: false,
            apply: false,
            schemars: false,
            features: false,
            kopium: false,
            open_enums: false,
            names: BTreeMap::new(),
            crate_path: "crdgen".to_owned(),
            layout: Layout::Auto,
        }
    }
}

impl Options {
    /// Returns options for the names and types of kopium.
    pub fn like_kopium() -> Options {
        Options {
            kopium: true,
            kubernetes: KubernetesTypes::All,
            numbers: Numbers::F64,
            layout: Layout::Flat,
            ..Options::default()
        }
    }
}

/// Which types to use for Kubernetes' own types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KubernetesTypes {
    /// Generated types.
    #[default]
    Own,
    /// Types of the crate `k8s_openapi` where they keep every object unchanged.
    Lossless,
    /// Types of the crate `k8s_openapi`, even where they normalize values as Kubernetes does: times to UTC without
    /// fractions, quantities to strings, and integers that may be strings to 32 bits.
    All,
}

/// Which builders to derive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Builders {
    /// None.
    #[default]
    None,
    /// `typed_builder::TypedBuilder`
    TypedBuilder,
    /// `bon::Builder`
    Bon,
}

/// The type of maps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapType {
    /// `std::collections::BTreeMap`
    #[default]
    BTreeMap,
    /// `std::collections::HashMap`
    HashMap,
}

/// The type of numbers that are not integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// `serde_json::Number`, which keeps every digit and distinguishes 1 from 1.0.
    #[default]
    Json,
    /// `f64`
    F64,
}

/// The type of strings with format `date-time`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeType {
    /// `String`, which keeps the original text.
    #[default]
    String,
    /// `chrono::DateTime<chrono::Utc>`
    Chrono,
    /// `jiff::Timestamp`
    Jiff,
}

/// Which modules the code has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// A module per version, in a module per group if there is more than one group.
    #[default]
    Auto,
    /// Always a module per group.
    Groups,
    /// No module at all if there is only one group and version.
    Flat,
}
