//! The limits of costs, and the server's messages if they are exceeded.

/// The largest estimated cost that the server accepts for one expression.
pub const RULE_LIMIT: u64 = 10_000_000;

/// Returns the server's message for a cost that exceeds the limit.
pub fn exceeds(what: &str, cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    let factor = if factor > 100.0 {
        "more than 100x".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}x")
    } else {
        format!("{factor:.1}x")
    };
    format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, \
         maxProperties, and maxLength where arrays, maps, and strings are declared)"
    )
}
