//! Values of arguments that shells offer.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use crdgen_core::check::lints::Lints;
use crdgen_core::diag::codes;
use crdgen_core::server::{BadVersion, Server};

use crate::input::NOTES;
use crdgen_files::Error;

/// The servers that crdgen reproduces exactly.
const SERVERS: [&str; 6] = ["1.33", "1.34", "1.35", "1.36", "1.37", "1.38"];

/// Completions offer the values of the first function. The second function checks any value.
#[derive(Clone)]
pub(crate) struct Offered(fn() -> Vec<&'static str>, fn(&str) -> Result<(), Error>);

/// Versions of Kubernetes. Older ones are accepted too.
pub(crate) const KUBE: Offered = Offered(|| SERVERS.to_vec(), |text| one(text).map(drop));

/// One version of Kubernetes or several of them.
pub(crate) const KUBES: Offered = Offered(|| SERVERS.to_vec(), |text| several(text).map(drop));

/// Codes of lints.
pub(crate) const LINTS: Offered =
    Offered(|| Lints::known().map(|code| code.id).chain(["api", "all"]).collect(), lint);

/// Codes of all diagnostics. Kinds and fields are accepted too.
pub(crate) const CODES: Offered =
    Offered(|| codes::TABLES.iter().flat_map(|table| table.iter()).map(|code| code.id).collect(), |_| Ok(()));

/// The server of a version such as `1.33`.
fn one(text: &str) -> Result<Server, Error> {
    text.parse().map_err(|why: BadVersion| Error::Argument(why.to_string()))
}

/// The servers in `1.33`, `1.33,1.36` and `1.33..1.36`, newest first, each once.
fn several(text: &str) -> Result<Vec<Server>, Error> {
    let mut all = Vec::new();
    for part in text.split(',') {
        match part.split_once("..") {
            Some(("", _) | (_, "")) => {
                return Err(Error::Argument("write both ends of a range, such as 1.33..1.36".to_owned()));
            }
            Some((from, to)) => {
                let (from, to) = (one(from)?, one(to)?);
                if from > to {
                    return Err(Error::Argument(format!("{part}: write the older version first")));
                }
                all.extend((from.minor()..=to.minor()).map(Server::of));
            }
            None => all.push(one(part)?),
        }
    }
    all.sort_by_key(|server| std::cmp::Reverse(*server));
    all.dedup();
    Ok(all)
}

/// Parses a whole number. Rust's own error message would mention digits.
pub(crate) fn whole(text: &str) -> Result<usize, Error> {
    text.parse().map_err(|_| Error::Argument("write a whole number, such as 4".to_owned()))
}

fn lint(id: &str) -> Result<(), Error> {
    let ids = Lints::known().map(|code| code.id).chain(["api", "all"]);
    if ids.into_iter().any(|known| known.eq_ignore_ascii_case(id)) {
        return Ok(());
    }
    let known: Vec<&str> = Lints::known().map(|code| code.id).collect();
    Err(Error::Argument(format!("there is no lint {id}. The lints are {}, api and all", known.join(", "))))
}

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let check = self.1;
        let check = move |text: String| check(&text).map(|()| text);
        StringValueParser::new().try_map(check).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

/// The servers in `--kube`, which [`KUBES`] has checked, newest first. None without it.
pub(crate) fn servers(text: Option<&str>) -> Result<Vec<Server>, Error> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let all = several(text).map_err(|why| Error::Argument(format!("--kube {text}: {why}")))?;
    all.iter().copied().for_each(say_beta);
    Ok(all)
}

/// The server of `1.NN`, which [`KUBE`] has checked. Says so if there is only a beta of it.
pub(crate) fn server(text: &str) -> Result<Server, Error> {
    let server = one(text)?;
    say_beta(server);
    Ok(server)
}

fn say_beta(server: Server) {
    if server.is_beta() {
        (NOTES.note)(format_args!(
            "note: Kubernetes {server} is a beta: what its servers answer may change until its release. crdgen checks \
             Kubernetes' own kinds as {} does",
            Server::NEWEST
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::Server;

    #[test]
    fn all_exact_servers_are_offered() {
        let exact = (Server::OLDEST.minor()..=Server::LAST.minor()).map(|minor| format!("1.{minor}"));
        assert_eq!(exact.collect::<Vec<_>>(), super::SERVERS);
    }
}
