//! Values of arguments that shells offer.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use crdgen_core::diag::codes;

/// The servers whose answers are reproduced exactly.
const SERVERS: [&str; 5] = ["1.33", "1.34", "1.35", "1.36", "1.37"];

/// Reads any text; completions offer some.
#[derive(Clone)]
pub(crate) struct Offered(fn() -> Vec<&'static str>);

/// Versions of Kubernetes; older ones are read too.
pub(crate) const KUBE: Offered = Offered(|| SERVERS.to_vec());

/// Codes of advice.
pub(crate) const LINTS: Offered =
    Offered(|| codes::lint::ALL.iter().map(|code| code.id).chain(["all"]).collect());

/// Codes of all diagnostics.
pub(crate) const CODES: Offered =
    Offered(|| codes::TABLES.iter().flat_map(|table| table.iter()).map(|code| code.id).collect());

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use crdgen_core::server::Server;

    #[test]
    fn all_exact_servers_are_offered() {
        let exact = (Server::OLDEST.minor()..=Server::NEWEST.minor()).map(|minor| format!("1.{minor}"));
        assert_eq!(exact.collect::<Vec<_>>(), super::SERVERS);
    }
}
