//! Operation `regexp`: what regular expressions match.

use super::request::Request;
use super::{Answer, fields};
use crate::go::regexp::Regexp;
use crate::value::Value;

/// Applies all patterns to all texts: per pattern why it is none, or per text where its matches begin and
/// end, in bytes.
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
