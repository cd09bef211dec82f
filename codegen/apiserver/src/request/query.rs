//! The options of a request.

use crate::status::{Failure, Mistake};
use crdgen_core::diag::Kind;
use crdgen_core::go;
use http::Method;
use std::collections::BTreeMap;
use std::time::Duration;

/// Whether the request changes anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DryRun {
    #[default]
    No,
    All,
}

impl DryRun {
    /// Reads the stages that a client wants to run dry. The server knows only all of them.
    pub(crate) fn of<'v>(
        values: impl IntoIterator<Item = &'v str>,
        options: &str,
    ) -> Result<DryRun, Failure> {
        let values: Vec<&str> = values.into_iter().collect();
        if values.iter().all(|value| *value == "All") {
            return Ok(if values.is_empty() { DryRun::No } else { DryRun::All });
        }
        let values: Vec<String> = values.into_iter().map(go::quote).collect();
        let why = format!("[{}]: supported values: \"All\"", values.join(","));
        Err(Failure::invalid_option(options, Mistake::new("dryRun", Kind::NotSupported, why)))
    }
}

/// What the server calls the options of a write.
pub(crate) fn options_of(method: &Method) -> Option<&'static str> {
    match *method {
        Method::POST => Some("CreateOptions"),
        Method::PUT => Some("UpdateOptions"),
        Method::PATCH => Some("PatchOptions"),
        Method::DELETE => Some("DeleteOptions"),
        _ => None,
    }
}

/// What the server does about unknown and repeated fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FieldValidation {
    Ignore,
    #[default]
    Warn,
    Strict,
}

/// How a list matches the version in the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum VersionMatch {
    Exact,
    NotOlderThan,
    /// One that does not exist.
    Other(String),
}

impl VersionMatch {
    pub(crate) fn name(&self) -> &str {
        match self {
            VersionMatch::Exact => "Exact",
            VersionMatch::NotOlderThan => "NotOlderThan",
            VersionMatch::Other(name) => name,
        }
    }
}

/// The option of deletions also to delete what the server cannot read.
pub(crate) const IGNORES_UNREADABLE: &str = "ignoreStoreReadErrorWithClusterBreakingPotential";

/// The options in the query of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query {
    pub(crate) watch: bool,
    pub(crate) label_selector: String,
    pub(crate) field_selector: String,
    pub(crate) resource_version: String,
    pub(crate) version_match: Option<VersionMatch>,
    pub(crate) limit: usize,
    pub(crate) next: String,
    pub(crate) timeout: Option<Duration>,
    pub(crate) bookmarks: bool,
    pub(crate) initial_events: Option<bool>,
    pub(crate) dry_run: DryRun,
    pub(crate) field_manager: Option<String>,
    pub(crate) field_validation: FieldValidation,
    pub(crate) force: Option<bool>,
    pub(crate) propagation_policy: Option<String>,
    pub(crate) orphan_dependents: Option<bool>,
    /// `ignoreStoreReadErrorWithClusterBreakingPotential` of deletions.
    pub(crate) ignores_unreadable: Option<bool>,
    /// `gracePeriodSeconds` of deletions.
    pub(crate) grace: Option<i64>,
    /// `includeObject` of tables.
    pub(crate) include_object: String,
}

/// Texts that Go's server reads as `false`; a parameter without a value is `true`.
pub(super) fn flag(text: &str) -> bool {
    !matches!(text, "0" | "false" | "False" | "FALSE")
}

/// What the options are for. The server reads no other ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// A list, a watch, or the deletion of a list.
    List,
    /// Something else.
    Other,
}

impl Query {
    /// Whether a watch begins with the objects that are there, and how it matches the version. The server sets both for watches that say
    /// nothing about it, and begin anywhere.
    pub(crate) fn initial(&self) -> (Option<bool>, Option<&VersionMatch>) {
        let is_any = matches!(self.resource_version.as_str(), "" | "0");
        match (self.initial_events, &self.version_match) {
            (None, None) if self.watch && is_any => (Some(true), Some(&VersionMatch::NotOlderThan)),
            (initial, version_match) => (initial, version_match.as_ref()),
        }
    }

    pub(super) fn read(
        parameters: &BTreeMap<String, Vec<String>>,
        method: &Method,
        reader: Reader,
    ) -> Result<Query, Failure> {
        let is_list = reader == Reader::List && matches!(*method, Method::GET | Method::DELETE);
        let first = |name: &str| parameters.get(name).and_then(|values| values.first()).map(String::as_str);
        let text = |name: &str| first(name).unwrap_or_default().to_owned();
        let number = |name: &str| {
            let text = first(name).filter(|text| !text.is_empty())?;
            Some(text.parse::<i64>().map_err(|_| {
                let why = format!("strconv.ParseInt: parsing {}: invalid syntax", go::quote(text));
                Failure::bad_request(why)
            }))
        };
        let dry_run = match options_of(method) {
            None => DryRun::No,
            Some(options) => {
                let values = parameters.get("dryRun").into_iter().flatten();
                DryRun::of(values.map(|value| &**value), options)?
            }
        };
        let written = options_of(method).filter(|_| *method != Method::DELETE);
        let field_validation = match written.and_then(|_| first("fieldValidation")).unwrap_or_default() {
            "" | "Warn" => FieldValidation::Warn,
            "Strict" => FieldValidation::Strict,
            "Ignore" => FieldValidation::Ignore,
            other => {
                let why =
                    format!("{}: supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"", go::quote(other));
                let mistake = Mistake::new("fieldValidation", Kind::NotSupported, why);
                return Err(Failure::invalid_option(written.unwrap_or_default(), mistake));
            }
        };
        let version_match = match first("resourceVersionMatch").filter(|_| is_list).unwrap_or_default() {
            "" => None,
            "Exact" => Some(VersionMatch::Exact),
            "NotOlderThan" => Some(VersionMatch::NotOlderThan),
            other => Some(VersionMatch::Other(other.to_owned())),
        };
        let number_of_list = |name| number(name).filter(|_| is_list).transpose();
        // A watch with a negative time ends at once.
        let seconds = number_of_list("timeoutSeconds")?.filter(|seconds| *seconds != 0);
        Ok(Query {
            watch: is_list && first("watch").is_some_and(flag),
            label_selector: text("labelSelector"),
            field_selector: text("fieldSelector"),
            resource_version: text("resourceVersion"),
            version_match,
            limit: number_of_list("limit")?.and_then(|limit| usize::try_from(limit).ok()).unwrap_or_default(),
            next: text("continue"),
            timeout: seconds.map(|seconds| Duration::from_secs(u64::try_from(seconds).unwrap_or(0))),
            bookmarks: first("allowWatchBookmarks").is_some_and(flag),
            initial_events: first("sendInitialEvents").map(flag),
            dry_run,
            field_manager: first("fieldManager").filter(|name| !name.is_empty()).map(str::to_owned),
            field_validation,
            force: first("force").map(flag),
            propagation_policy: first("propagationPolicy").map(str::to_owned),
            orphan_dependents: first("orphanDependents").map(flag),
            ignores_unreadable: first(IGNORES_UNREADABLE).map(flag),
            grace: number("gracePeriodSeconds").filter(|_| *method == Method::DELETE).transpose()?,
            include_object: text("includeObject"),
        })
    }
}
