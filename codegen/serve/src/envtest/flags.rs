//! The flags of Go's programs.

use std::ffi::OsString;

use crdgen_files::Error;

/// The flags of a program, in their order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Flags(Vec<(String, String)>);

/// Flags of both programs that may be without a value, and then are `true`. All others take the next argument.
const SWITCHES: &[&str] = &[
    "allow-privileged",
    "anonymous-auth",
    "contention-profiling",
    "disable-http2-serving",
    "enable-aggregator-routing",
    "enable-bootstrap-token-auth",
    "enable-garbage-collector",
    "enable-logs-handler",
    "enable-pprof",
    "enable-priority-and-fairness",
    "help",
    "permit-address-sharing",
    "permit-port-sharing",
    "pre-vote",
    "profiling",
    "service-account-lookup",
    "strict-reconfig-check",
    "unsafe-no-fsync",
    "version",
    "watch-cache",
];

impl Flags {
    /// Reads `--name=value`, `--name value` and, for switches, `--name`.
    pub(super) fn read(arguments: impl Iterator<Item = OsString>) -> Result<Flags, Error> {
        let mut flags = Vec::new();
        let mut arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
        while let Some(argument) = arguments.next() {
            let Some(flag) = argument.strip_prefix("--").or_else(|| argument.strip_prefix('-')) else {
                return Err(Error::Argument(format!("unknown argument `{argument}`")));
            };
            let (name, value) = match flag.split_once('=') {
                Some((name, value)) => (name, value.to_owned()),
                None if SWITCHES.contains(&flag) || flag == "h" => (flag, "true".to_owned()),
                None => {
                    let value = arguments.next();
                    (flag, value.ok_or_else(|| Error::Argument(format!("`--{flag}` needs a value")))?)
                }
            };
            flags.push((name.to_owned(), value));
        }
        Ok(Flags(flags))
    }

    /// The value of a flag. The last one wins, and an empty one counts as none.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().rev().find(|(flag, _)| flag == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// All values of a flag that is a list, and may be repeated.
    pub(super) fn all(&self, name: &str) -> String {
        let values = self.0.iter().filter(|(flag, _)| flag == name).map(|(_, value)| value.as_str());
        values.collect::<Vec<_>>().join(",")
    }

    /// Whether a switch is on.
    pub(super) fn is_on(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value == "true" || value == "1")
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::Flags;

    fn read(arguments: &[&str]) -> Result<Flags, String> {
        Flags::read(arguments.iter().map(Into::into)).map_err(|why| why.to_string())
    }

    #[test]
    fn reads_flags_as_go_does() {
        let flags = read(&["--a=1", "-b", "2", "--help", "--a=3", "--c=", "--profiling=false", "--d", "-5"]);
        let flags = flags.expect("flags");
        assert_eq!(flags.get("a"), Some("3"));
        assert_eq!(flags.get("b"), Some("2"));
        assert_eq!(flags.get("c"), None);
        assert_eq!((flags.all("a"), flags.all("x")), ("1,3".to_owned(), String::new()));
        assert_eq!(flags.get("d"), Some("-5"));
        assert!(flags.is_on("help") && !flags.is_on("profiling") && !flags.is_on("version"));
        assert!(read(&["x"]).is_err_and(|why| why.contains("unknown argument `x`")));
        assert!(read(&["--a"]).is_err_and(|why| why.contains("`--a` needs a value")));
    }
}
