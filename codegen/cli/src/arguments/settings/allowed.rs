//! What `crdgen.toml` may set. The file comes with a checkout, and whoever runs a command there may not know it. So it
//! cannot make crdgen execute code, replace or remove files, or reach a cluster.

/// What an option can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Allowed {
    /// It changes what is checked, generated or printed.
    Yes,
    /// It names files to read, or a folder for files that crdgen writes, inside the folder of the settings.
    Inside,
    /// It works only on the command line, for this reason.
    No(&'static str),
}

use Allowed::{Inside, No, Yes};

const OVERWRITES: &str = "it replaces files that crdgen did not write";
const CLUSTER: &str = "it reaches a cluster";

/// Every option of every command, by its name in the file. Options of several commands have the same meaning. A test
/// fails if an option is missing.
const OPTIONS: &[(&str, Allowed)] = &[
    ("against", Inside),
    ("all-features", Yes),
    ("all-namespaces", Yes),
    ("all-or-nothing", Yes),
    // The files of an exception, its code and its reason.
    ("allow", Inside),
    ("allow-empty", Yes),
    ("allow-non-structural", Yes),
    ("api-version", Yes),
    ("apply", Yes),
    ("assets", No("it writes links to programs")),
    ("baseline", Inside),
    ("budget", Yes),
    ("builders", Yes),
    ("check", Yes),
    ("client-only", Yes),
    ("cluster", No(CLUSTER)),
    ("context", No(CLUSTER)),
    ("costs", Yes),
    ("coverage", Yes),
    ("crd", Inside),
    ("crd-dir", Inside),
    ("data", No("it writes the objects of a server")),
    ("definitions", Yes),
    ("deny-warnings", Yes),
    ("derive", Yes),
    ("dry-run", Yes),
    ("duplicates", Yes),
    ("exact", No("it compiles the package and runs its code")),
    ("exact-words", Yes),
    ("examples", Inside),
    ("exclude", Yes),
    ("explain", Yes),
    ("fail-on", Yes),
    ("features", Yes),
    ("field-selector", Yes),
    ("field-validation", Yes),
    ("filter", Yes),
    ("fix", No("it changes the files that are checked")),
    ("fit-annotation", Yes),
    ("floats", Yes),
    ("force", No(OVERWRITES)),
    ("force-conflicts", Yes),
    ("git-driver", No("git runs crdgen with it")),
    ("header", Yes),
    ("helm", Yes),
    ("json-schema", Yes),
    ("json-schema-07", Yes),
    ("insecure", No("others may then use the server")),
    ("jobs", Yes),
    ("k8s", Yes),
    ("keep-defaults", Yes),
    ("kind", Yes),
    ("kopium-compat", Yes),
    ("kube", Yes),
    ("kubeconfig", No("it replaces the file that it names")),
    ("label-columns", Yes),
    ("lint", Yes),
    ("list", Yes),
    ("listen", No("others may then reach the server")),
    ("live", Inside),
    ("manager", Yes),
    ("map-type", Yes),
    ("max-depth", Yes),
    ("max-description", Yes),
    ("merge", Yes),
    ("missing", Yes),
    ("module", Yes),
    ("name", Yes),
    ("names", Inside),
    ("namespace", Yes),
    ("no-default-features", Yes),
    ("no-docs", Yes),
    ("no-headers", Yes),
    ("no-ignore", Yes),
    ("no-k8s", Yes),
    ("no-lint", Yes),
    ("no-notes", Yes),
    ("now", Yes),
    ("object", Inside),
    ("objects", Inside),
    ("old", Inside),
    ("open-enums", Yes),
    ("openapi", Yes),
    ("out-dir", Inside),
    ("output", Yes),
    ("own", No("it writes the objects of a cluster")),
    ("package", Yes),
    // `path` of `crdgen emit` are sources, that of `crdgen cel` is a place in a schema.
    ("path", Inside),
    ("paths", Inside),
    ("places", Yes),
    ("page-size", Yes),
    ("prune", No("it removes files")),
    ("quiet", Yes),
    ("recursive", Yes),
    ("report", Yes),
    ("resume", No("it replaces the file that it names")),
    ("rule", Yes),
    ("schemars", Yes),
    ("seed", Yes),
    ("selector", Yes),
    ("show-labels", Yes),
    ("show-owners", Yes),
    ("show-result", Yes),
    ("sizes", Yes),
    ("skip", Yes),
    ("skip-field", Yes),
    ("strip-nullable", Yes),
    ("strip-value-validation", Yes),
    ("subresource", Yes),
    ("time", Yes),
    ("title", Yes),
    ("tls", Yes),
    ("to", Yes),
    ("token", No("it decides who may use the server")),
    ("types", Inside),
    ("unfold", Yes),
    ("unstable", Yes),
    ("update", No("it replaces the expected results of tests")),
    ("v2", Yes),
    ("v3", Yes),
    ("verbose", Yes),
    ("version", Yes),
    ("write-baseline", No("it replaces the file that it names")),
    ("watch", No("it does not end by itself")),
];

/// Returns whether the file may set an option. An option that is not in the table works only on the command line.
pub(super) fn allowed(name: &str) -> Allowed {
    let known = OPTIONS.iter().find(|(option, _)| *option == name);
    known.map_or(No("it is not known whether it is safe there"), |(_, allowed)| *allowed)
}

#[cfg(test)]
mod tests {
    use super::super::{is_path, setting_name};
    use super::{Allowed, OPTIONS, allowed};
    use std::collections::BTreeSet;

    /// Whoever adds an option decides here whether a checkout may set it.
    #[test]
    fn every_option_is_in_the_table() {
        let command = crate::command();
        let mut names = BTreeSet::new();
        for own in command.get_subcommands() {
            for arg in own.get_arguments() {
                let Some(name) = setting_name(arg) else { continue };
                names.insert(name.to_owned());
                let at = format!("`{name}` of `crdgen {}`", own.get_name());
                assert!(OPTIONS.iter().any(|(known, _)| *known == name), "{at} is not in the table");
                assert!(!is_path(arg) || allowed(name) != Allowed::Yes, "{at} is a path");
            }
        }
        let known: BTreeSet<String> = OPTIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(known.len(), OPTIONS.len(), "an option is in the table twice");
        assert_eq!(known, names, "the table has options that no command has");
    }
}
