//! The variables that cargo sets from the manifest when it compiles a crate. `env!` reads them.

use crate::input;
use cargo_metadata::Package;
use std::path::Path;
use toml::{Table, Value};

/// Returns the variables for a crate of a package. `krate` is its name in code.
pub(super) fn of_package(package: &Package, krate: &str) -> Vec<(String, String)> {
    let text = |value: &Option<String>| Some(value.clone().unwrap_or_default());
    let of = |key: &str| match key {
        "name" => Some(package.name.to_string()),
        "version" => Some(package.version.to_string()),
        "authors" => Some(package.authors.join(":")),
        "description" => text(&package.description),
        "homepage" => text(&package.homepage),
        "repository" => text(&package.repository),
        "license" => text(&package.license),
        _ => None,
    };
    with_folder(variables(krate, of), package.manifest_path.as_std_path())
}

/// Adds the folder of the manifest.
fn with_folder(mut all: Vec<(String, String)>, manifest: &Path) -> Vec<(String, String)> {
    let folder = relative(&input::folder_of(manifest).to_string_lossy());
    all.push(("CARGO_MANIFEST_DIR".to_owned(), if folder.is_empty() { ".".to_owned() } else { folder }));
    all
}

/// Makes a path below the current folder relative to it. A path is the same whether cargo returned it or not.
pub(super) fn relative(path: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = Path::new(path);
    let short = path.strip_prefix(&here).or_else(|_| path.strip_prefix(".")).unwrap_or(path);
    short.to_string_lossy().into_owned()
}

/// Returns the variables that a manifest alone determines: not those that it inherits from its workspace.
pub(super) fn of_manifest(manifest: &Path, krate: &str) -> Vec<(String, String)> {
    with_folder(of_text(&input::read_to_string(manifest).unwrap_or_default(), krate), manifest)
}

fn of_text(manifest: &str, krate: &str) -> Vec<(String, String)> {
    let package = manifest.parse::<Table>().ok().and_then(|mut table| table.remove("package"));
    let of = |key: &str| match (package.as_ref()?.get(key), key) {
        (Some(Value::String(text)), _) => Some(text.clone()),
        (Some(Value::Array(names)), "authors") => {
            let names: Option<Vec<&str>> = names.iter().map(Value::as_str).collect();
            names.map(|names| names.join(":"))
        }
        (Some(_), _) => None,
        (None, "version") => Some("0.0.0".to_owned()),
        (None, _) => Some(String::new()),
    };
    variables(krate, of)
}

/// The keys of a manifest whose values are in variables.
const KEYS: [&str; 7] = ["name", "version", "authors", "description", "homepage", "repository", "license"];

fn variables(krate: &str, of: impl Fn(&str) -> Option<String>) -> Vec<(String, String)> {
    let named = |name: &str, value: String| (format!("CARGO_PKG_{}", name.to_uppercase()), value);
    let mut out: Vec<_> = KEYS.iter().filter_map(|key| Some(named(key, of(key)?))).collect();
    out.push(("CARGO_CRATE_NAME".to_owned(), krate.to_owned()));
    if let Some(version) = of("version").and_then(|text| cargo_metadata::semver::Version::parse(&text).ok()) {
        let parts = [
            ("version_major", version.major.to_string()),
            ("version_minor", version.minor.to_string()),
            ("version_patch", version.patch.to_string()),
            ("version_pre", version.pre.to_string()),
        ];
        out.extend(parts.map(|(name, value)| named(name, value)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::of_text;

    #[test]
    fn a_manifest_alone_does_not_show_what_it_inherits() {
        let text = "[package]\nname = \"a-b\"\nversion = \"1.2.3-rc.1\"\nauthors = [\"A\", \"B\"]\nlicense.workspace = true\n";
        let all = of_text(text, "a_b");
        let of = |name: &str| all.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        assert_eq!(of("CARGO_PKG_NAME"), Some("a-b"));
        assert_eq!(of("CARGO_PKG_AUTHORS"), Some("A:B"));
        assert_eq!(of("CARGO_PKG_HOMEPAGE"), Some(""));
        assert_eq!(of("CARGO_PKG_LICENSE"), None);
        assert_eq!(of("CARGO_CRATE_NAME"), Some("a_b"));
        let version = ["MAJOR", "MINOR", "PATCH", "PRE"].map(|part| of(&format!("CARGO_PKG_VERSION_{part}")));
        assert_eq!(version, [Some("1"), Some("2"), Some("3"), Some("rc.1")]);
    }
}
