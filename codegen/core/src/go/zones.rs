//! Time zones by name.

/// How many seconds a zone is east of UTC at a time.
pub fn offset(name: &str, _seconds: i64) -> Result<i64, String> {
    match name {
        "" | "UTC" | "Local" => Ok(0),
        _ => Err(format!("unknown time zone {name}")),
    }
}
