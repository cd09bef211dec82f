//! The OpenAPI documents of what is served.

use crate::meta::map;
use crate::registry::{Kind, Registry, Version};
use crate::status::Failure;
use bytes::Bytes;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use crdgen_kubernetes::kinds::{api_version, published};
use crdgen_publish::openapi::{Merged, Models, Options, Published, publish, publish_models, to_protobuf};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A version of OpenAPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    V2,
    V3,
}

impl Format {
    fn document(self) -> Merged {
        Merged::new(self == Format::V2)
    }
}

/// Adds the documents of the versions of a kind, or of one of them.
fn add(merged: &mut Merged, kind: &Kind, only: Option<&str>, format: Format) -> Result<(), Failure> {
    let is_wanted = |version: &Version| version.served && only.is_none_or(|only| only == version.name);
    let versions = kind.versions.iter().enumerate().filter(|(_, version)| is_wanted(version));
    let v2 = format == Format::V2;
    let mut add = |document: Option<Value>| {
        document.into_iter().for_each(|it| merged.add(it));
        merged.check().map_err(|why| Failure::internal(why.to_string()))
    };
    if let Some(row) = kind.own_row() {
        let spec = row.outline();
        for (index, version) in versions {
            let published = published(&api_version(row.group, &version.name), row.kind, v2);
            let models = published.map(|it| Models {
                model: it.model.to_owned(),
                list_model: it.list_model.unwrap_or(it.model).to_owned(),
                schemas: it.schemas,
            });
            add(models.and_then(|models| publish_models(&spec, index, models, v2)))?;
        }
        return Ok(());
    }
    let crd = kind.crd();
    for (index, _) in versions {
        let options = Options { v2, ..Options::default() };
        add(publish(&crd, index, &options).map(Published::document))?;
    }
    Ok(())
}

/// The answer to `/openapi/v2` in protobuf.
pub(crate) fn v2_protobuf(registry: &Registry) -> Result<Bytes, Failure> {
    let write = || {
        let document = json::read(&v2(registry)?).map_err(|why| Failure::internal(why.to_string()))?;
        Ok(to_protobuf(&document).into())
    };
    registry.documents().protobuf.get_or_init(write).clone()
}

/// The answer to `/openapi/v2`.
pub(crate) fn v2(registry: &Registry) -> Result<Bytes, Failure> {
    let write = || {
        let mut merged = Format::V2.document();
        for kind in registry.kinds() {
            add(&mut merged, kind, None, Format::V2)?;
        }
        Ok(merged.text().into())
    };
    registry.documents().json.get_or_init(write).clone()
}

/// The OpenAPI v3 of a group and version. `None` if nothing of them is served.
pub(crate) fn v3(registry: &Registry, group: &str, version: &str) -> Result<Option<String>, Failure> {
    let mut merged = Format::V3.document();
    let mut is_empty = true;
    for kind in registry.kinds().filter(|kind| &*kind.resource.group == group) {
        if kind.versions.iter().any(|it| it.served && it.name == version) {
            is_empty = false;
            add(&mut merged, kind, Some(version), Format::V3)?;
        }
    }
    Ok((!is_empty).then(|| merged.text()))
}

/// The answer to `/openapi/v3`: where the documents are. The hashes change with the kinds, so that clients can keep documents.
pub(crate) fn index(registry: &Registry) -> Value {
    let mut paths = Map::new();
    for group in std::iter::once(String::new()).chain(registry.groups()) {
        for version in registry.versions(&group) {
            let path = match group.as_str() {
                "" => format!("api/{version}"),
                group => format!("apis/{group}/{version}"),
            };
            let mut hasher = DefaultHasher::new();
            for kind in registry.kinds().filter(|kind| *kind.resource.group == *group) {
                kind.fingerprint().hash(&mut hasher);
            }
            let url = format!("/openapi/v3/{path}?hash={:016X}", hasher.finish());
            paths.insert(path, map([("serverRelativeURL", url.into())]));
        }
    }
    map([("paths", Value::Map(paths))])
}

/// The text of the index.
pub(crate) fn index_text(registry: &Registry) -> String {
    json::to_string(&index(registry))
}
