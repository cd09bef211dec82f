//! What a user can choose.

use std::collections::BTreeMap;

/// How the generated code is to look. The default is exact in both directions.
#[derive(Clone, Debug)]
pub struct Options {
    /// Attributes from which the definitions can be made again, and the derives that read them.
    pub schema: bool,
    /// Doc comments.
    pub docs: bool,
    /// A note on defaults and limits in the doc comments.
    pub notes: bool,
    /// The derives that are added where they can be: `Eq`, `Hash`, `Default`.
    pub eq: bool,
    /// `Hash`
    pub hash: bool,
    /// `Default`
    pub default: bool,
    /// More derives: a pattern of type names (`*` matches anything) and a path.
    pub derives: Vec<(String, String)>,
    /// Builders.
    pub builders: Builders,
    /// The type of maps.
    pub map: MapType,
    /// The type of numbers that are not integers.
    pub numbers: Numbers,
    /// Kubernetes' own types.
    pub kubernetes: KubernetesTypes,
    /// The type of points in time.
    pub time: TimeType,
    /// Kinds are what programs on kube-rs know: derived by `crdgen::kube`, or without [`schema`](Self::schema)
    /// by kube itself.
    pub kube: bool,
    /// `schemars::JsonSchema`
    pub schemars: bool,
    /// A Cargo feature for each group.
    pub features: bool,
    /// Types, fields and variants are named as kopium names them, and typed as there, so that code which
    /// was written for its types goes on to compile.
    pub kopium: bool,
    /// Enums of strings take unknown strings too.
    pub open_enums: bool,
    /// Own names: from the path of a use, such as `Certificate.spec.issuerRef`, or from the name that
    /// would be given.
    pub names: BTreeMap<String, String>,
    /// The path of the crate with the derives.
    pub crate_path: String,
    /// How the modules are laid out.
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
    /// The names and types of kopium.
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

/// What represents Kubernetes' own types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KubernetesTypes {
    /// Own types.
    #[default]
    Own,
    /// Types of the crate `k8s_openapi` where they give back every object as it was.
    Lossless,
    /// Those too that write some values in the form of Kubernetes: times in UTC and without fractions,
    /// quantities as strings, and integers that can be strings in 32 bits.
    All,
}

/// Which builders are derived.
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
    /// `serde_json::Number`, which keeps 1 apart from 1.0 and every digit.
    #[default]
    Json,
    /// `f64`
    F64,
}

/// The type of strings with format `date-time`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeType {
    /// `String`, which keeps how it was written.
    #[default]
    String,
    /// `chrono::DateTime<chrono::Utc>`
    Chrono,
    /// `jiff::Timestamp`
    Jiff,
}

/// How the modules are laid out.
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
