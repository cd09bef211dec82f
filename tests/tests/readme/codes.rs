//! The page with all codes, to which reports link.

use crdgen_core::diag::codes;
use std::fmt::Write;
use std::path::Path;

#[test]
fn all_codes_have_a_section() {
    let mut page = String::from(
        "# Codes\n\n\
         Every error, warning and note of crdgen has a code. `crdgen explain CODE` prints the same text. A comment\n\
         `# crdgen:allow CODE REASON` allows a code in one place (see EXC001).\n",
    );
    for code in codes::TABLES.iter().flat_map(|table| table.iter()) {
        let text = code.explain.split_whitespace().collect::<Vec<_>>().join(" ").replace('<', "\\<");
        let _ = write!(page, "\n## {}\n\n**{}**\n\n{text}\n", code.id, code.title.replace('<', "\\<"));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/CODES.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == page,
        "codegen/CODES.md is out of date: UPDATE=1 cargo test -p crdgen-tests readme::codes"
    );
}
