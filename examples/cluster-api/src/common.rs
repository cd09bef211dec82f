//! Types that both versions share, and Kubernetes' own types as far as they are needed here.

use crdgen::Schema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Labels and annotations of what is made of a template.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
pub struct ObjectMeta {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

/// A condition that must be true, or false, before something is ready.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Gate {
    #[schema(min_length = 1, max_length = 316)]
    pub condition_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub polarity: Option<Polarity>,
}

/// The status that a condition should have.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Schema, Serialize)]
pub enum Polarity {
    Positive,
    Negative,
}

/// How many machines of a kind there are.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replicas {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desired_replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to_date_replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_replicas: Option<i32>,
}

/// A condition as v1beta1 had them.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OldCondition {
    #[serde(rename = "type")]
    pub ty: String,
    pub status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1)]
    pub severity: Option<String>,
    #[schema(format = "date-time")]
    pub last_transition_time: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 256)]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 10240)]
    pub message: Option<String>,
}

/// `metav1.Condition`
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    #[serde(rename = "type")]
    #[schema(max_length = 316)]
    pub ty: String,
    #[schema(one_of_values = ["True", "False", "Unknown"])]
    pub status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub observed_generation: Option<i64>,
    #[schema(format = "date-time")]
    pub last_transition_time: String,
    #[schema(min_length = 1, max_length = 1024)]
    pub reason: String,
    #[schema(max_length = 32768)]
    pub message: String,
}

/// `intstr.IntOrString`
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(untagged)]
#[schema(int_or_string)]
pub enum IntOrString {
    Int(i32),
    Text(String),
}

/// `metav1.Duration`: a duration as Go writes it, such as `1h30m0s`.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Duration {
    text: String,
    seconds: i64,
}

impl Duration {
    /// Returns a duration of some seconds.
    pub fn of_seconds(seconds: i32) -> Duration {
        let (sign, rest) = (if seconds < 0 { "-" } else { "" }, seconds.unsigned_abs());
        let (hours, minutes, rest) = (rest / 3600, rest / 60 % 60, rest % 60);
        let text = match (hours, minutes) {
            (0, 0) => format!("{sign}{rest}s"),
            (0, _) => format!("{sign}{minutes}m{rest}s"),
            _ => format!("{sign}{hours}h{minutes}m{rest}s"),
        };
        Duration { text, seconds: seconds.into() }
    }

    /// Returns its whole seconds, or the largest possible number.
    pub fn seconds(&self) -> i32 {
        i32::try_from(self.seconds).unwrap_or(i32::MAX)
    }
}

impl From<Duration> for String {
    fn from(duration: Duration) -> String {
        duration.text
    }
}

impl TryFrom<String> for Duration {
    type Error = String;

    fn try_from(text: String) -> Result<Duration, String> {
        match nanoseconds(&text) {
            Some(nanoseconds) => Ok(Duration { seconds: nanoseconds / 1_000_000_000, text }),
            None => Err(format!("`{text}` is not a duration")),
        }
    }
}

/// `time.ParseDuration`, except for digits after the ninth decimal place.
fn nanoseconds(text: &str) -> Option<i64> {
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    let mut all: i64 = 0;
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = rest.split_at(end);
        let end = unit.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(unit.len());
        let (unit, after) = unit.split_at(end);
        let unit: i64 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        all = all.checked_add(whole.checked_mul(unit)?)?;
        let mut scale = unit;
        for digit in fraction.bytes() {
            scale /= 10;
            all = all.checked_add(i64::from(digit.checked_sub(b'0')?).checked_mul(scale)?)?;
        }
        rest = after;
        if rest.is_empty() {
            return all.checked_mul(sign);
        }
    }
}

/// `metav1.LabelSelector`
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelSelector {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub match_expressions: Vec<Requirement>,
}

/// `metav1.LabelSelectorRequirement`
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
pub struct Requirement {
    pub key: String,
    pub operator: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}
