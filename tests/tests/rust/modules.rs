//! Files of a crate beyond its modules: what `include!` and macros insert, and what features leave out. Nothing is left out without
//! a message.

use crdgen_source::{CrateSource, Program, Sources};

/// A crate in memory.
struct Files(&'static [(&'static str, &'static str)]);

impl Sources for Files {
    fn read(&mut self, path: &str) -> Option<String> {
        let path = path.trim_start_matches("./");
        self.0.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
    }

    fn files_in(&mut self, folder: &str) -> Vec<String> {
        let folder = folder.trim_start_matches("./");
        let inside = |name: &&str| name.rsplit_once('/').is_some_and(|(own, _)| own == folder);
        let names = self.0.iter().map(|(name, _)| *name).filter(inside);
        names.filter_map(|name| Some(name.rsplit_once('/')?.1.to_owned())).collect()
    }

    fn extern_crate(&mut self, _: &CrateSource, name: &str) -> Option<CrateSource> {
        (name == "helper").then(|| krate("helper", "helper/src/lib.rs"))
    }
}

fn krate(name: &str, root: &str) -> CrateSource {
    CrateSource {
        name: name.to_owned(),
        id: name.to_owned(),
        root: root.to_owned(),
        cfgs: Default::default(),
        environment: Vec::new(),
        dependency: None,
    }
}

macro_rules! kind {
    ($name:literal) => {
        concat!(
            "#[derive(kube::CustomResource, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]\n",
            "#[kube(group = \"x.example.com\", version = \"v1\", kind = \"",
            $name,
            "\")]\n",
            "pub struct ",
            $name,
            "Spec { pub a: String }\n"
        )
    };
}

/// Files, the kinds in them, and the parts of the messages.
type Case = (&'static [(&'static str, &'static str)], &'static [&'static str], &'static [&'static str]);

const CASES: &[Case] = &[
    // A file of the sources.
    (&[("src/lib.rs", "include!(\"more.rs\");"), ("src/more.rs", kind!("More"))], &["More"], &[]),
    (
        &[("src/lib.rs", "pub mod a { include!(\"more.rs\"); }"), ("src/more.rs", kind!("More"))],
        &["More"],
        &[],
    ),
    // A file that a build script writes.
    (
        &[("src/lib.rs", concat!("include!(concat!(env!(\"OUT_DIR\"), \"/gen.rs\"));", kind!("Seen")))],
        &["Seen"],
        &["what `include!` inserts here is missing, with any kinds in it: the file is in `OUT_DIR`"],
    ),
    (
        &[("src/lib.rs", "include!(\"gone.rs\");")],
        &[],
        &["the file gone.rs that `include!` inserts here cannot be read"],
    ),
    (
        &[("src/lib.rs", "include!(\"a.rs\");"), ("src/a.rs", "include!(\"a.rs\");")],
        &[],
        &["the file a.rs includes itself"],
    ),
    // A module for each file of a folder.
    (
        &[
            ("src/lib.rs", "pub mod v1 { automod::dir!(pub \"src/v1\"); }"),
            ("src/v1/a.rs", kind!("A")),
            ("src/v1/b.rs", kind!("B")),
        ],
        &["A", "B"],
        &[],
    ),
    // Macros of other crates.
    (
        &[
            ("src/lib.rs", "helper::kind!(MadeSpec);"),
            (
                "helper/src/lib.rs",
                "#[macro_export] macro_rules! kind { ($name:ident) => { #[derive(kube::CustomResource, serde::Serialize, \
                 serde::Deserialize, schemars::JsonSchema)] #[kube(group = \"x.example.com\", version = \"v1\", kind = \"Made\")] \
                 pub struct $name { pub a: String } } }",
            ),
        ],
        &["Made"],
        &[],
    ),
    (
        &[("src/lib.rs", "unknown::kinds!(A, B); thread_local! { static A: u8 = 1; }")],
        &[],
        &["crdgen does not expand the macro `kinds!`, so any kinds that it declares are missing"],
    ),
    // The prelude of a crate.
    (
        &[(
            "src/lib.rs",
            concat!(
                "use chrono::prelude::*; #[derive(kube::CustomResource, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]\n",
                "#[kube(group = \"x.example.com\", version = \"v1\", kind = \"A\")] pub struct ASpec { pub at: DateTime<Utc> }"
            ),
        )],
        &["A"],
        &[],
    ),
    // Features.
    (
        &[
            ("src/lib.rs", "#[cfg(feature = \"controller\")] pub mod crds; #[cfg(test)] mod tests;"),
            ("src/crds.rs", concat!("mod more;", kind!("A"))),
            ("src/crds/more.rs", kind!("B")),
            ("src/tests.rs", kind!("C")),
        ],
        &[],
        &["kinds are missing because features of the package are off (`controller`): `BSpec`, `ASpec`"],
    ),
];

#[test]
fn nothing_is_left_out_silently() {
    for (files, kinds, messages) in CASES {
        let mut sources = Files(files);
        let program = Program::new(&mut sources, krate("it", "src/lib.rs"));
        let found = program.kinds(&|_, _| true);
        let known: Vec<&str> = found.known.iter().map(|kind| kind.crd.spec.names.kind.as_str()).collect();
        let all: Vec<String> = program.found().iter().map(|found| found.diag.detail.clone()).collect();
        assert_eq!(known, *kinds, "{files:?}: {all:?}");
        assert_eq!(all.len(), messages.len(), "{files:?}: {all:?}");
        for (text, part) in all.iter().zip(*messages) {
            assert!(text.contains(part), "{files:?}: {text}");
        }
    }
}

/// Modules that import all of each other: a name is found through any of them, and names of the prelude in none.
#[test]
fn globs_in_circles_are_searched_once() {
    let mut text = String::from(concat!("pub use m0::*;\n", kind!("A")));
    text = text.replace("a: String", "a: String, pub t: T79");
    for at in 0..80 {
        text.push_str(&format!("pub mod m{at} {{ "));
        (0..80).filter(|to| *to != at).for_each(|to| text.push_str(&format!("pub use super::m{to}::*; ")));
        text.push_str(&format!(
            "#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)] pub struct T{at} {{ pub s: String }} }}\n"
        ));
    }
    let files: &'static [(&str, &str)] = vec![("src/lib.rs", &*text.leak())].leak();
    let mut sources = Files(files);
    let program = Program::new(&mut sources, krate("it", "src/lib.rs"));
    assert_eq!(program.kinds(&|_, _| true).known.len(), 1);
    assert!(!program.has_errors());
}
