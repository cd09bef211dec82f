//! The CRD as the server checks it. The server's internal form dates from v1beta1: what all versions share is at the
//! top of the spec, in `spec.validation`, `spec.subresources`, `spec.additionalPrinterColumns` and
//! `spec.selectableFields`. Messages name these places, but the steps of a diagnostic point to the place where the
//! author wrote them.

use crate::ir::{
    ApiVersion, Body, Column, Conversion, Crd, Schema, SelectableField, Spec, Subresources, Validation,
    Version,
};
use crate::path::{Path, Step};

/// A CRD with its shared parts at the top.
pub(crate) struct Hoisted<'a> {
    pub(crate) crd: &'a Crd,
    /// The parts that all versions share.
    pub(crate) shared: Parts<'a>,
    /// The parts that each version has of its own.
    pub(crate) versions: Vec<Parts<'a>>,
}

/// The parts of a version that can be common to all.
#[derive(Clone, Copy, Default)]
pub(crate) struct Parts<'a> {
    pub(crate) schema: Option<&'a Validation>,
    pub(crate) subresources: Option<&'a Subresources>,
    pub(crate) columns: Option<&'a [Column]>,
    pub(crate) selectable_fields: Option<&'a [SelectableField]>,
}

/// Absent and empty lists are the same.
impl PartialEq for Parts<'_> {
    fn eq(&self, other: &Self) -> bool {
        let Parts { schema, subresources, columns: _, selectable_fields: _ } = self;
        *schema == other.schema
            && *subresources == other.subresources
            && self.columns() == other.columns()
            && self.selectable_fields() == other.selectable_fields()
    }
}

impl<'a> Parts<'a> {
    fn of(body: &'a Body) -> Parts<'a> {
        let Body { schema, subresources, columns, selectable_fields } = body;
        Parts {
            schema: schema.as_ref(),
            subresources: subresources.as_ref(),
            columns: columns.as_deref(),
            selectable_fields: selectable_fields.as_deref(),
        }
    }

    pub(crate) fn root_schema(&self) -> Option<&'a Schema> {
        self.schema?.open_api_v3_schema.as_ref()
    }

    pub(crate) fn columns(&self) -> &'a [Column] {
        self.columns.unwrap_or_default()
    }

    pub(crate) fn selectable_fields(&self) -> &'a [SelectableField] {
        self.selectable_fields.unwrap_or_default()
    }
}

/// The name of a part.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Schema,
    Subresources,
    Columns,
    SelectableFields,
}

impl Part {
    /// The field's name in a version.
    pub(crate) fn own_name(self) -> &'static str {
        match self {
            Part::Schema => "schema",
            Part::Subresources => "subresources",
            Part::Columns => "additionalPrinterColumns",
            Part::SelectableFields => "selectableFields",
        }
    }

    /// Its place at the top, as messages show it.
    fn shown(self) -> &'static str {
        match self {
            Part::Schema => "spec.validation",
            Part::Subresources => "spec.subresources",
            Part::Columns => "spec.additionalPrinterColumns",
            Part::SelectableFields => "spec.selectableFields",
        }
    }
}

impl<'a> Hoisted<'a> {
    /// Moves the parts that all versions share to the top, unless the CRD is of v1beta1, which has them there already.
    pub(crate) fn new(crd: &'a Crd) -> Hoisted<'a> {
        let mut shared = Parts::of(&crd.spec.shared);
        let mut versions: Vec<Parts<'a>> = crd.spec.versions.iter().map(|v| Parts::of(&v.body)).collect();
        if let (ApiVersion::V1, Some((&first, others))) = (crd.api_version, versions.split_first()) {
            let same_schema = others.iter().all(|v| v.schema == first.schema);
            let same_subresources = others.iter().all(|v| v.subresources == first.subresources);
            let same_columns = others.iter().all(|v| v.columns() == first.columns());
            let same_fields = others.iter().all(|v| v.selectable_fields() == first.selectable_fields());
            if same_schema {
                shared.schema = first.schema;
                versions.iter_mut().for_each(|v| v.schema = None);
            }
            if same_subresources {
                shared.subresources = first.subresources;
                versions.iter_mut().for_each(|v| v.subresources = None);
            }
            if same_columns {
                shared.columns = first.columns;
                versions.iter_mut().for_each(|v| v.columns = None);
            }
            if same_fields {
                shared.selectable_fields = first.selectable_fields;
                versions.iter_mut().for_each(|v| v.selectable_fields = None);
            }
        }
        Hoisted { crd, shared, versions }
    }

    /// Versions with their own parts.
    pub(crate) fn versions(&self) -> impl Iterator<Item = (&'a Version, &Parts<'a>)> {
        self.crd.spec.versions.iter().zip(&self.versions)
    }

    /// `spec.version`: the name of the first version, or in v1beta1 the value of the field.
    pub(crate) fn version(&self) -> &'a str {
        match self.crd.api_version {
            ApiVersion::V1 => self.crd.spec.versions.first().map_or("", |v| v.name.as_str()),
            ApiVersion::V1beta1 => &self.crd.spec.version,
        }
    }

    /// `spec.preserveUnknownFields`, which is always set once a definition is decoded.
    pub(crate) fn preserves_unknown_fields(&self) -> bool {
        self.crd.spec.preserve_unknown_fields == Some(true)
    }

    /// All schemas: the one at the top, then those of versions.
    pub(crate) fn schemas(&self) -> impl Iterator<Item = &'a Schema> {
        let all = std::iter::once(&self.shared).chain(&self.versions);
        all.filter_map(Parts::root_schema)
    }

    /// Calls `call` for each schema, with the place where it was written. A schema that all versions share is passed
    /// once.
    pub(crate) fn each_schema(&self, call: &mut dyn FnMut(&'a Schema, &Path<'_>)) {
        if let Some(schema) = self.shared.root_schema() {
            let place = Place::as_written(&self.shared_place(Part::Schema).path());
            call(schema, &place.path().child("openAPIV3Schema"));
        }
        let spec = Path::ROOT.child("spec");
        let versions = spec.child("versions");
        for (i, parts) in self.versions.iter().enumerate() {
            if let Some(schema) = parts.root_schema() {
                call(schema, &versions.index(i).child("schema").child("openAPIV3Schema"));
            }
        }
    }

    /// The place of a part at the top, as messages show it. Its steps point to where the part was written.
    pub(crate) fn shared_place(&self, part: Part) -> Place {
        let own = Step::Key(part.own_name().to_owned());
        let steps = match self.crd.api_version {
            ApiVersion::V1 => {
                vec![Step::Key("spec".into()), Step::Key("versions".into()), Step::Index(0), own]
            }
            ApiVersion::V1beta1 => part.shown().split('.').map(|name| Step::Key(name.to_owned())).collect(),
        };
        Place { shown: part.shown().to_owned(), steps }
    }

    /// Whether the server considers the specs equal.
    pub(crate) fn same_spec(&self, other: &Hoisted<'_>) -> bool {
        let Spec {
            group,
            names,
            scope,
            version: _,
            shared: _,
            versions: _,
            no_versions: _,
            conversion,
            preserve_unknown_fields: _,
        } = &self.crd.spec;
        let spec = &other.crd.spec;
        *group == spec.group
            && *names == spec.names
            && *scope == spec.scope
            && self.version() == other.version()
            && self.preserves_unknown_fields() == other.preserves_unknown_fields()
            && same_conversion(conversion.as_ref(), spec.conversion.as_ref())
            && self.shared == other.shared
            && self.versions.len() == other.versions.len()
            && self.versions().zip(other.versions()).all(|(a, b)| same_version(a, b))
    }
}

fn same_version((a, own): (&Version, &Parts<'_>), (b, other): (&Version, &Parts<'_>)) -> bool {
    let Version { name, served, storage, deprecated, deprecation_warning, body: _, allowed: _ } = a;
    *name == b.name
        && *served == b.served
        && *storage == b.storage
        && *deprecated == b.deprecated
        && *deprecation_warning == b.deprecation_warning
        && own == other
}

/// Absent and empty lists are the same here.
fn same_conversion(a: Option<&Conversion>, b: Option<&Conversion>) -> bool {
    let versions = |c: &Conversion| c.review_versions.clone().unwrap_or_default();
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            let Conversion { strategy, client_config, review_versions: _ } = a;
            *strategy == b.strategy && *client_config == b.client_config && versions(a) == versions(b)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// A place that messages show differently from where it was written.
pub(crate) struct Place {
    shown: String,
    steps: Vec<Step>,
}

impl Place {
    /// A place shown as `shown`, which was written as `keys` below `path`.
    pub(crate) fn below(path: &Path<'_>, keys: &[&str], shown: impl Into<String>) -> Place {
        let mut steps = path.steps();
        steps.extend(keys.iter().map(|key| Step::Key((*key).to_owned())));
        Place { shown: shown.into(), steps }
    }

    /// A child of a path that is shown as `shown` and was written as `keys`.
    pub(crate) fn child(path: &Path<'_>, shown: &str, keys: &[&str]) -> Place {
        Place::below(path, keys, format!("{path}.{shown}"))
    }

    /// The place as it was written.
    pub(crate) fn as_written(path: &Path<'_>) -> Place {
        let steps = path.steps();
        let shown = steps.iter().fold(String::new(), |mut shown, step| {
            match step {
                Step::Key(key) if shown.is_empty() => shown.push_str(key),
                Step::Key(key) => shown.push_str(&format!(".{key}")),
                Step::Index(i) => shown.push_str(&format!("[{i}]")),
            }
            shown
        });
        Place { shown, steps }
    }

    pub(crate) fn path(&self) -> Path<'_> {
        Path::moved(&self.shown, &self.steps)
    }
}
