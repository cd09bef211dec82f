//! What cargo needs to know of a checkout's `.cargo/config.toml`. Cargo does not read that file here, because it can name
//! programs to run.

use crate::input;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// What crdgen passes on: where packages are.
#[derive(Default)]
pub(super) struct Settings {
    /// The arguments of `--config`. Earlier ones take precedence.
    pub(super) arguments: Vec<String>,
    /// Whether an argument names a registry. Cargo may have a token for a registry of that name, and would send it to
    /// the address that the checkout chooses.
    pub(super) has_registries: bool,
}

impl Settings {
    /// Reads the files that cargo would read if it ran in the folder of a package, except that of the user, which it reads
    /// in every folder.
    pub(super) fn of(manifest: &Path) -> Settings {
        let mut out = Settings::default();
        let home = home().and_then(|home| home.canonicalize().ok());
        for folder in manifest.ancestors().skip(1) {
            let settings = folder.join(".cargo");
            if home.is_some() && settings.canonicalize().ok() == home {
                continue;
            }
            let read = |name: &str| input::read_to_string(&settings.join(name)).ok();
            let table = read("config").or_else(|| read("config.toml")).and_then(|text| text.parse().ok());
            if let Some(table) = table {
                out.add(&table, folder);
            }
        }
        out
    }

    fn add(&mut self, settings: &Table, folder: &Path) {
        let entries = |of: &str| settings.get(of).and_then(Value::as_table).cloned().unwrap_or_default();
        for (name, source) in entries("source") {
            for (key, value) in source.as_table().into_iter().flatten() {
                match key.as_str() {
                    "directory" | "local-registry" => self.set("source", &name, key, value, Some(folder)),
                    "registry" | "git" | "branch" | "tag" | "rev" | "replace-with" => {
                        self.set("source", &name, key, value, None);
                    }
                    _ => {}
                }
            }
        }
        for (name, registry) in entries("registries") {
            if let Some(index) = registry.get("index") {
                self.has_registries = true;
                self.set("registries", &name, "index", index, None);
            }
        }
    }

    /// Adds a setting. A path is relative to the folder around `.cargo`.
    fn set(&mut self, table: &str, name: &str, key: &str, value: &Value, folder: Option<&Path>) {
        let Some(value) = value.as_str() else { return };
        let value = folder.map_or_else(|| PathBuf::from(value), |folder| folder.join(value));
        let value = value.to_string_lossy();
        // Cargo takes only keys and values that are on one line.
        if name.contains(char::is_control) || value.contains(char::is_control) {
            return;
        }
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let key = format!("{table}.{}.{key}", quoted(name));
        let is_it = |argument: &String| argument.split_once('=').is_some_and(|(known, _)| known == key);
        if !self.arguments.iter().any(is_it) {
            self.arguments.push(format!("{key}={}", quoted(&value)));
        }
    }
}

/// Returns cargo's own folder.
fn home() -> Option<PathBuf> {
    let of_user = || std::env::home_dir().map(|home| home.join(".cargo"));
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(of_user)
}

#[cfg(test)]
mod tests {
    use super::Settings;
    use std::path::Path;

    #[test]
    fn only_places_of_packages_are_passed_on() -> Result<(), toml::de::Error> {
        let mut settings = Settings::default();
        let text = "
            build.rustc = './evil.sh'
            build.rustc-wrapper = './evil.sh'
            net.git-fetch-with-cli = true
            env.RUSTC = './evil.sh'
            registry.global-credential-providers = ['./evil.sh']
            [source.crates-io]
            replace-with = 'a \"b\"'
            credential-provider = './evil.sh'
            [source.'a \"b\"']
            directory = 'vendor'
            [source.'line\\nbreak']
            directory = 'vendor'
            [source.\"line\\nbreak\"]
            directory = 'vendor'
            ";
        settings.add(&text.parse()?, Path::new("/checkout"));
        settings.add(&"[source.'a \"b\"']\ndirectory = 'other'\n".parse()?, Path::new("/"));
        let expected = [
            r#"source."a \"b\"".directory="/checkout/vendor""#,
            r#"source."crates-io".replace-with="a \"b\"""#,
            r#"source."line\\nbreak".directory="/checkout/vendor""#,
        ];
        let mut arguments = settings.arguments.clone();
        arguments.sort();
        assert_eq!(arguments, expected);
        assert!(!settings.has_registries);
        let text = "[registries.own]\nindex = 'https://example.com/'\ntoken = 'x'\ncredential-provider = ['./evil.sh']\n";
        settings.add(&text.parse()?, Path::new("/checkout"));
        assert_eq!(settings.arguments[3..], [r#"registries."own".index="https://example.com/""#]);
        assert!(settings.has_registries);
        Ok(())
    }
}
