//! The options of a request.

use crate::status::{Failure, Mistake};
use crdgen_core::diag::Kind;
use crdgen_core::go;
use std::collections::BTreeMap;
use std::time::Duration;

/// Whether the request changes anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DryRun {
    #[default]
    No,
    All,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VersionMatch {
    Exact,
    NotOlderThan,
}

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
    /// `gracePeriodSeconds` of deletions.
    pub(crate) grace: Option<i64>,
    /// `includeObject` of tables.
    pub(crate) include_object: String,
}

/// Texts that Go's server reads as `false`; a parameter without a value is `true`.
pub(super) fn flag(text: &str) -> bool {
    !matches!(text, "0" | "false" | "False" | "FALSE")
}

impl Query {
    pub(crate) fn read(parameters: &BTreeMap<String, Vec<String>>) -> Result<Query, Failure> {
        let first = |name: &str| parameters.get(name).and_then(|values| values.first()).map(String::as_str);
        let text = |name: &str| first(name).unwrap_or_default().to_owned();
        let number = |name: &str| {
            let text = first(name).filter(|text| !text.is_empty())?;
            Some(text.parse::<i64>().map_err(|_| {
                let why = format!("strconv.ParseInt: parsing {}: invalid syntax", go::quote(text));
                Failure::bad_request(why)
            }))
        };
        let dry_run = match parameters.get("dryRun").map(Vec::as_slice) {
            None | Some([]) => DryRun::No,
            Some(values) if values.iter().all(|value| value == "All") => DryRun::All,
            Some(values) => {
                let values: Vec<String> = values.iter().map(|value| go::quote(value)).collect();
                let why = format!("[{}]: supported values: \"All\"", values.join(","));
                let mistake = Mistake::new("dryRun", Kind::NotSupported, why);
                return Err(Failure::invalid_option("Options", mistake));
            }
        };
        let field_validation = match first("fieldValidation").unwrap_or_default() {
            "" | "Warn" => FieldValidation::Warn,
            "Strict" => FieldValidation::Strict,
            "Ignore" => FieldValidation::Ignore,
            other => {
                let why = format!("{}: must be Ignore, Warn or Strict", go::quote(other));
                let mistake = Mistake::new("fieldValidation", Kind::Invalid, why);
                return Err(Failure::invalid_option("Options", mistake));
            }
        };
        let version_match = match first("resourceVersionMatch").unwrap_or_default() {
            "" => None,
            "Exact" => Some(VersionMatch::Exact),
            "NotOlderThan" => Some(VersionMatch::NotOlderThan),
            other => {
                let why =
                    format!("{}: supported values: \"Exact\", \"NotOlderThan\", \"\"", go::quote(other));
                let mistake = Mistake::new("resourceVersionMatch", Kind::NotSupported, why);
                return Err(Failure::invalid_option("ListOptions", mistake));
            }
        };
        let seconds = number("timeoutSeconds").transpose()?.and_then(|seconds| u64::try_from(seconds).ok());
        Ok(Query {
            watch: first("watch").is_some_and(flag),
            label_selector: text("labelSelector"),
            field_selector: text("fieldSelector"),
            resource_version: text("resourceVersion"),
            version_match,
            limit: number("limit")
                .transpose()?
                .and_then(|limit| usize::try_from(limit).ok())
                .unwrap_or_default(),
            next: text("continue"),
            timeout: seconds.filter(|seconds| *seconds > 0).map(Duration::from_secs),
            bookmarks: first("allowWatchBookmarks").is_some_and(flag),
            initial_events: first("sendInitialEvents").map(flag),
            dry_run,
            field_manager: first("fieldManager").filter(|name| !name.is_empty()).map(str::to_owned),
            field_validation,
            force: first("force").map(flag),
            propagation_policy: first("propagationPolicy").map(str::to_owned),
            orphan_dependents: first("orphanDependents").map(flag),
            grace: number("gracePeriodSeconds").transpose()?,
            include_object: text("includeObject"),
        })
    }
}
