//! Operation `regexp`: matches regular expressions.

use super::request::Request;
use super::{Answer, fields};
use crate::go::regexp::Regexp;
use crate::value::Value;

/// Matches all patterns with all texts. For each pattern, returns why it is invalid, or for each text the byte ranges
/// of its matches.
pub(super) fn matches(request: &Request) -> Answer {
    let one = |pattern: &String| {
        Value::Map(match Regexp::parse(pattern) {
            Err(e) => fields([("error", e.to_string().into())]),
            Ok(regexp) => {
                let all = |text: &String| {
                    let places = regexp.find_iter(text).flat_map(|m| [m.start, m.end]);
                    Value::List(places.map(|place| Value::Int(place as i64)).collect())
                };
                let matches: Vec<Value> = request.texts.iter().map(all).collect();
                match matches.is_empty() {
                    true => fields([]),
                    false => fields([("matches", Value::List(matches))]),
                }
            }
        })
    };
    Ok(fields([("results", Value::List(request.patterns.iter().map(one).collect()))]))
}
