//! Feature gates, as kube-apiserver reads them.

use std::collections::BTreeMap;

/// The gates of kube-apiserver 1.37 with their defaults: what its metric `kubernetes_feature_enabled` says, and which ones it does
/// not change.
const GATES: &str = include_str!("gates.txt");

/// A gate that kube-apiserver has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gate {
    default: bool,
    is_locked: bool,
}

fn gate(name: &str) -> Option<Gate> {
    let mut columns =
        GATES.lines().map(|line| line.split(' ')).find(|columns| columns.clone().next() == Some(name))?;
    columns.next();
    Some(Gate { default: columns.next() == Some("on"), is_locked: columns.next() == Some("locked") })
}

/// Why kube-apiserver does not start with some gates, in its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrongGates(pub(super) String);

/// What `--feature-gates` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Gates(BTreeMap<String, bool>);

impl Gates {
    /// Reads `A=true,B=false`.
    ///
    /// # Errors
    /// Fails with kube-apiserver's words, if it would not start.
    pub(super) fn read(text: &str) -> Result<Gates, WrongGates> {
        let mut gates = BTreeMap::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) =
                part.split_once('=').ok_or_else(|| WrongGates(format!("missing bool value for {part}")))?;
            let (name, value) = (name.trim(), value.trim());
            let is_on = match value {
                "1" | "t" | "T" | "TRUE" | "true" | "True" => true,
                "0" | "f" | "F" | "FALSE" | "false" | "False" => false,
                _ => {
                    let quoted = crdgen_core::go::quote(value);
                    return Err(WrongGates(format!(
                        "invalid value of {name}={value}, err: strconv.ParseBool: parsing {quoted}: invalid syntax"
                    )));
                }
            };
            gates.insert(name.to_owned(), is_on);
        }
        for (name, is_on) in &gates {
            match gate(name) {
                None => return Err(WrongGates(format!("unrecognized feature gate: {name}"))),
                Some(Gate { default, is_locked: true }) if default != *is_on => {
                    return Err(WrongGates(format!(
                        "cannot set feature gate {name} to {is_on}, feature is locked to {default}"
                    )));
                }
                Some(_) => {}
            }
        }
        Ok(Gates(gates))
    }

    /// The gates that are not as they are by default, and change nothing here.
    pub(super) fn ignored(&self) -> impl Iterator<Item = (&str, bool)> {
        let gates = self.0.iter().map(|(name, is_on)| (name.as_str(), *is_on));
        gates.filter(|(name, is_on)| gate(name).is_some_and(|gate| gate.default != *is_on))
    }
}

#[cfg(test)]
mod tests {
    use super::{Gates, WrongGates};

    #[test]
    fn gates_are_read_as_kube_apiserver_reads_them() {
        for (text, expected) in [
            ("Foo=true", "unrecognized feature gate: Foo"),
            ("Foo", "missing bool value for Foo"),
            (
                "CBORServingAndStorage=maybe",
                r#"invalid value of CBORServingAndStorage=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax"#,
            ),
            (
                "CustomResourceFieldSelectors=false",
                "cannot set feature gate CustomResourceFieldSelectors to false, feature is locked to true",
            ),
        ] {
            assert_eq!(Gates::read(text), Err(WrongGates(expected.to_owned())), "{text}");
        }
    }

    #[test]
    fn gates_that_are_ignored_are_known() {
        let read = |text: &str| Gates::read(text).expect("gates");
        let ignored = |text: &str| {
            let gates = read(text);
            gates.ignored().map(|(name, is_on)| format!("{name}={is_on}")).collect::<Vec<_>>().join(",")
        };
        assert_eq!(ignored("CustomResourceFieldSelectors=true, APIServerIdentity=1"), "");
        assert_eq!(ignored("APIServerIdentity=false,AllAlpha=true"), "APIServerIdentity=false,AllAlpha=true");
    }
}
