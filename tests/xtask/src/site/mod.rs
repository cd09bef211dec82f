//! `cargo xtask site FOLDER`: one book of all pages for users, made by mdBook.
//!
//! A page keeps its text. Its links lead to other pages of the book, or to the repository (`links`). Each code has a page of its own
//! (`codes`). A link without a target is an error, so `cargo xtask site` without a folder checks all links.

mod codes;
mod links;

use crate::machine::Machine;
use crate::output::{Failed, Outcome, Output};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The first page.
const FIRST: &str = "README.md";

/// The page with all codes.
const CODES: &str = "codegen/CODES.md";

/// The parts of the book, and the files of their pages.
const PARTS: &[(&str, &[&str])] = &[
    (
        "Write types",
        &[
            "codegen/ATTRIBUTES.md",
            "codegen/VERSIONS.md",
            "codegen/MIGRATION.md",
            "codegen/IMPORT.md",
            "codegen/APPLY.md",
        ],
    ),
    (
        "Check",
        &[
            "codegen/COMMANDS.md",
            "codegen/INPUTS.md",
            "codegen/OBJECTS.md",
            "codegen/DIFF.md",
            "codegen/CLASSES.md",
            "codegen/LINTS.md",
            "codegen/CI.md",
        ],
    ),
    ("Test, document, edit", &["codegen/TESTING.md", "codegen/PAGES.md", "codegen/EDITORS.md"]),
    ("Look up", &[CODES, "codegen/COMPARISON.md", "CHANGELOG.md", "SECURITY.md"]),
    (
        "Change crdgen",
        &["CONTRIBUTING.md", "codegen/ARCHITECTURE.md", "codegen/GLOSSARY.md", "codegen/UPGRADING.md"],
    ),
];

/// What the book is made of.
struct Files {
    /// The texts by file of the book.
    texts: BTreeMap<String, String>,
    /// The files of the repository that it shows.
    shown: BTreeSet<String>,
}

/// The pages of the book.
struct Book {
    /// The texts by file of the repository.
    texts: BTreeMap<&'static str, String>,
    /// Where the repository is on the web.
    repository: String,
}

impl Book {
    fn read(root: &Path) -> Result<Book, String> {
        let all = PARTS.iter().flat_map(|(_, pages)| *pages).copied().chain([FIRST]);
        let text = |file| fs::read_to_string(root.join(file)).map_err(|e| format!("{file}: {e}"));
        let texts = all.map(|file| Ok((file, text(file)?))).collect::<Result<_, String>>()?;
        let manifest = text("Cargo.toml")?;
        let line = manifest.lines().find_map(|line| line.strip_prefix("repository = \""));
        let repository =
            line.and_then(|rest| rest.strip_suffix('"')).ok_or("Cargo.toml has no repository")?;
        Ok(Book { texts, repository: repository.to_owned() })
    }

    /// The files of the book, or what is wrong with its links.
    fn files(&self, root: &Path) -> Result<Files, Vec<String>> {
        let (mut texts, mut shown, mut wrong) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        for (&file, text) in &self.texts {
            let mut links = links::Links { root, book: self, shown: &mut shown, wrong: &mut wrong };
            if file == CODES {
                texts.extend(codes::pages(&links.rewritten(file, "../", text)));
            }
            let text = if file == CODES { codes::list(text) } else { links.rewritten(file, "", text) };
            texts.insert(links::name_of(file), text);
        }
        texts.insert("SUMMARY.md".to_owned(), self.summary());
        if wrong.is_empty() { Ok(Files { texts, shown }) } else { Err(wrong) }
    }

    fn summary(&self) -> String {
        let mut out = format!("# Summary\n\n[{}]({})\n", title(&self.texts[FIRST]), links::name_of(FIRST));
        for (part, pages) in PARTS {
            _ = write!(out, "\n# {part}\n\n");
            for page in *pages {
                _ = writeln!(out, "- [{}]({})", title(&self.texts[page]), links::name_of(page));
                if *page == CODES {
                    codes::of(&self.texts[page])
                        .for_each(|it| _ = writeln!(out, "  - [{}]({})", it.id, it.file()));
                }
            }
        }
        out
    }

    fn settings(&self) -> String {
        let style = "site.css";
        format!(
            "[book]\ntitle = \"crdgen\"\nlanguage = \"en\"\nsrc = \"src\"\n\n[output.html]\ngit-repository-url = \"{}\"\n\
             no-section-label = true\nadditional-css = [\"{style}\"]\n\n[output.html.fold]\nenable = true\nlevel = 0\n",
            self.repository
        )
    }
}

/// The first heading of a page.
fn title(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("?")
}

/// Checks the links of all pages. With a folder, makes the book there.
pub(crate) fn make(machine: &Machine, out: Option<&Path>, output: &mut Output) -> Outcome {
    let files = Book::read(&machine.root).map_err(|why| vec![why]).and_then(|book| {
        let Files { texts, shown } = book.files(&machine.root)?;
        let mut texts: BTreeMap<_, _> =
            texts.into_iter().map(|(name, text)| (format!("src/{name}"), text)).collect();
        texts.insert("book.toml".to_owned(), book.settings());
        Ok(Files { texts, shown })
    });
    let Files { texts, shown } = files.map_err(|wrong| {
        wrong.iter().for_each(|line| output.line(&format!("error: {line}")));
        Failed
    })?;
    let Some(out) = out else { return Ok(()) };
    let folder = machine.target.join("site");
    let written = (|| {
        // What a page does not have any more must not stay.
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        for (name, text) in &texts {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(&folder))?;
            fs::write(path, text)?;
        }
        for file in &shown {
            fs::copy(machine.root.join(file), folder.join("src").join(links::file_name(file)))?;
        }
        fs::copy(machine.root.join("templates/site/style.css"), folder.join("site.css")).map(drop)
    })();
    written.map_err(|error| {
        output.line(&format!("error: {}: {error}", folder.display()));
        Failed
    })?;
    let mdbook = machine.mdbook().ok_or(Failed)?;
    output
        .run(machine.command(mdbook).arg("build").arg(&folder).arg("--dest-dir").arg(machine.root.join(out)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    /// Pages for users are in the book, and their links lead somewhere.
    #[test]
    fn the_book_has_all_pages() {
        let root = root();
        let book = Book::read(&root).expect("the pages");
        for folder in ["", "codegen/"] {
            for entry in fs::read_dir(root.join(folder)).expect("a folder").flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let file = format!("{folder}{name}");
                let is_there = book.texts.contains_key(file.as_str());
                assert!(!name.ends_with(".md") || is_there, "PARTS lacks {file}");
            }
        }
        let texts = book.files(&root).unwrap_or_else(|wrong| panic!("{wrong:?}")).texts;
        assert!(texts.contains_key("codes/cel001.md") && texts["SUMMARY.md"].contains("(codes/cel001.md)"));
    }

    /// Links without a target are found, with their lines.
    #[test]
    fn links_that_lead_nowhere_are_wrong() {
        let root = root();
        for (link, why) in [
            ("[a](none.md)", Some("none.md")),
            ("[a](#none)", Some("#none")),
            ("[a](codegen/DIFF.md#none)", Some("codegen/DIFF.md#none")),
            ("[a](codegen/CODES.md#cel001), [b](codegen/DIFF.md), [c](#install)", None),
            ("<img src=\"none.svg\">", Some("none.svg")),
            ("[a](https://example.com/none), `[b](none)`", None),
            ("```text\n[a](none)\n```", None),
        ] {
            let mut book = Book::read(&root).expect("the pages");
            let text = format!("{}\n{link}\n", book.texts[FIRST]);
            let line = book.texts[FIRST].lines().count() + 2;
            book.texts.insert(FIRST, text);
            let found = book.files(&root).err().unwrap_or_default();
            let wanted: Vec<String> =
                why.map(|why| format!("README.md:{line}: `{why}` does not exist")).into_iter().collect();
            assert_eq!(found, wanted, "{link}");
        }
    }
}
