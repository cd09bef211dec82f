//! Reads a `Cargo.toml`: its package, to decide whether cargo has to run, and how its workspace is built.

use crate::input;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path};

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Manifest {
    package: Option<Package>,
    lib: Option<IgnoredAny>,
    bin: Option<IgnoredAny>,
    features: Option<IgnoredAny>,
    workspace: Option<Workspace>,
    #[serde(flatten)]
    dependencies: Dependencies,
    #[serde(default)]
    target: HashMap<String, Dependencies>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

#[derive(Deserialize)]
struct Workspace {
    #[serde(default)]
    members: Vec<IgnoredAny>,
    #[serde(default)]
    dependencies: HashMap<String, Dependency>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[derive(Default)]
struct Dependencies {
    dependencies: HashMap<String, Dependency>,
    #[serde(alias = "dev_dependencies")]
    dev_dependencies: HashMap<String, Dependency>,
    #[serde(alias = "build_dependencies")]
    build_dependencies: HashMap<String, Dependency>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Dependency {
    Described {
        path: Option<String>,
        /// Its own name, if it has another one here.
        package: Option<String>,
        #[serde(default)]
        optional: bool,
    },
    Version(IgnoredAny),
}

impl Manifest {
    /// Reads the text. Returns `None` if it is not a manifest, because cargo reports best what is wrong with it.
    pub(super) fn parse(text: &str) -> Option<Manifest> {
        toml::from_str(text).ok()
    }

    /// Returns the name of the package in code. `None` if its targets are not where cargo looks for them, if it has
    /// features, or if other packages belong to its workspace.
    pub(super) fn plain_name(&self) -> Option<String> {
        let is_plain = self.lib.is_none() && self.bin.is_none() && self.features.is_none();
        let package = self.package.as_ref().filter(|_| is_plain && !self.may_have_members())?;
        Some(package.name.replace('-', "_"))
    }

    /// Whether a dependency is optional, which makes it a feature too.
    pub(super) fn has_optional(&self) -> bool {
        self.dependencies().any(|it| matches!(it, Dependency::Described { optional: true, .. }))
    }

    /// Whether this may be a workspace with more packages than its own: those that it lists, and those below it on
    /// which it depends by their paths.
    fn may_have_members(&self) -> bool {
        let Some(workspace) = &self.workspace else { return false };
        let is_below = |it: &Dependency| match it {
            Dependency::Described { path: Some(path), .. } => {
                matches!(Path::new(path).components().next(), Some(Component::Normal(_) | Component::CurDir))
            }
            Dependency::Described { path: None, .. } | Dependency::Version(_) => false,
        };
        !workspace.members.is_empty() || self.dependencies().any(is_below)
    }

    /// Whether the package or its workspace needs one of some crates, under any name, or another crate under that name, which may be
    /// a copy of it.
    pub(super) fn needs(&self, crates: &[&str]) -> bool {
        self.named().any(|(name, it)| {
            let own = match it {
                Dependency::Described { package, .. } => package.as_ref(),
                Dependency::Version(_) => None,
            };
            std::iter::once(name).chain(own).any(|name| crates.contains(&name.as_str()))
        })
    }

    fn dependencies(&self) -> impl Iterator<Item = &Dependency> {
        self.named().map(|(_, it)| it)
    }

    /// The dependencies with the names that they have in the manifest.
    fn named(&self) -> impl Iterator<Item = (&String, &Dependency)> {
        let of_workspace = self.workspace.iter().flat_map(|it| &it.dependencies);
        let own = std::iter::once(&self.dependencies).chain(self.target.values());
        let own = own.flat_map(|it| [&it.dependencies, &it.dev_dependencies, &it.build_dependencies]);
        own.flatten().chain(of_workspace)
    }
}

/// How the manifest of a workspace wants crates to be built.
#[derive(Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Build {
    cargo_features: Option<toml::Value>,
    profile: Option<toml::Table>,
    patch: Option<BTreeMap<String, BTreeMap<String, toml::Value>>>,
    replace: Option<BTreeMap<String, toml::Value>>,
    #[serde(skip_serializing)]
    package: Option<Editions>,
    #[serde(skip_serializing)]
    workspace: Option<Editions>,
}

/// The keys that determine the resolver.
#[derive(Deserialize)]
struct Editions {
    resolver: Option<String>,
    edition: Option<toml::Value>,
    /// Only the manifest of a workspace has this.
    package: Option<Box<Editions>>,
}

impl Build {
    /// Reads the workspace in this folder. Ignores a manifest that cannot be read, because cargo has read it before.
    pub(super) fn of(folder: &Path) -> Build {
        let text = input::read_to_string(&folder.join("Cargo.toml")).unwrap_or_default();
        let mut out: Build = toml::from_str(&text).unwrap_or_default();
        let patches = out.patch.iter_mut().flat_map(BTreeMap::values_mut).flat_map(BTreeMap::values_mut);
        for patch in patches.chain(out.replace.iter_mut().flat_map(BTreeMap::values_mut)) {
            // Paths are relative to that manifest.
            if let Some(toml::Value::String(path)) = patch.get_mut("path") {
                *path = folder.join(&*path).to_string_lossy().into_owned();
            }
        }
        out
    }

    /// Returns the resolver of the workspace: the one that it names, or the one of its edition.
    pub(super) fn resolver(&self) -> &str {
        let (package, workspace) = (self.package.as_ref(), self.workspace.as_ref());
        let named = [workspace, package].into_iter().flatten().find_map(|it| it.resolver.as_deref());
        let inherited = || workspace?.package.as_ref()?.edition.as_ref()?.as_str();
        let edition = package.and_then(|it| it.edition.as_ref()?.as_str().or_else(inherited));
        named.unwrap_or(match edition {
            Some("2021") => "2",
            None | Some("2015" | "2018") => "1",
            Some(_) => "3",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Build, Manifest};

    #[test]
    fn resolvers() {
        for (text, wanted) in [
            ("[workspace]\nresolver = \"2\"\n", "2"),
            ("[workspace]\n[workspace.package]\nedition = \"2024\"\n", "1"),
            ("[package]\nedition = \"2021\"\n", "2"),
            ("[package]\nedition = \"2021\"\nresolver = \"1\"\n", "1"),
            ("[package]\nedition = \"2024\"\n[workspace]\n", "3"),
            ("[package]\nedition.workspace = true\n[workspace.package]\nedition = \"2018\"\n", "1"),
            ("[package]\nedition.workspace = true\n[workspace.package]\nedition = \"2024\"\n", "3"),
            ("", "1"),
        ] {
            let build: Build = toml::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(build.resolver(), wanted, "{text}");
        }
    }

    fn plain(text: &str) -> Option<String> {
        Manifest::parse(text)?.plain_name()
    }

    #[test]
    fn knows_which_crates_are_needed() {
        for (text, wanted) in [
            ("dependencies.kube = \"5\"\n", true),
            ("[dependencies]\nkube.workspace = true\n", true),
            ("[dependencies.\"kube\"]\nversion = \"5\"\n", true),
            ("[target.'cfg(unix)'.build-dependencies]\nkube = '5'\n", true),
            ("[workspace.dependencies]\nkube = { version = '5', features = [] }\n", true),
            ("[dependencies]\nclient = { package = \"kube\", version = \"5\" }\n", true),
            ("[dependencies]\nkube = { package = \"other\", version = \"5\" }\n", true),
            ("[dependencies]\nkube-core = \"5\"\n", false),
            ("[features]\nkube = []\n", false),
            ("[package]\nname = 'a'\ndescription = \"\"\"\nkube = 5\n\"\"\"\n", false),
            ("", false),
        ] {
            let manifest = Manifest::parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(manifest.needs(&["crdgen", "kube"]), wanted, "{text}");
        }
    }

    #[test]
    fn decides_whether_cargo_must_be_called() {
        for text in [
            "[package]\nname = \"a-b\"\n",
            "[package]\nname = 'a-b' # the name\ndescription = \"\"\"\n[features]\n\"\"\"\n",
            "package.name = \"a-b\"\n[workspace]\nresolver = \"3\"\n",
            "[package]\nname = \"a-b\"\n[workspace]\n[dependencies]\nx = { path = \"../x\" }\ny = \"1\"\n",
            "[package]\nname = \"a-b\"\n[dependencies]\nx = { path = \"x\" }\n",
            "[package]\nname = \"a-b\"\n[workspace]\n[[test]]\nname = \"t\"\npath = \"t.rs\"\n",
        ] {
            assert_eq!(plain(text).as_deref(), Some("a_b"), "{text}");
        }
        for text in [
            "",
            "lib.path = \"a.rs\"\n[package]\nname = \"a-b\"\n",
            "lib = { path = \"a.rs\" }\n[package]\nname = \"a-b\"\n",
            "[package]\nname = \"a-b\"\n[ features ]\nx = []\n",
            "[package]\nname = \"a-b\"\n[[bin]]\nname = \"b\"\n",
            "[package]\nname = \"a-b\"\n[workspace]\nmembers = [\"x\"]\n",
            "[package]\nname = \"a-b\"\n[workspace]\n[dependencies.x]\npath = './x'\n",
            "[package]\nname = \"a-b\"\n[workspace]\n[target.'cfg(unix)'.build-dependencies]\nx = { path = 'x' }\n",
            "[package]\nname = \"a-b\"\nname = \"c\"\n",
        ] {
            assert_eq!(plain(text), None, "{text}");
        }
    }
}
