//! Imports every CRD of the corpus, and gets the same CRD from the Rust code.

use super::{emitted, import_as, normal};
use crdgen::import::{KubernetesTypes, Options, TimeType};
use std::path::PathBuf;

/// Returns the folder of the corpus: next to the repository, or the path in the variable.
fn corpus() -> Option<PathBuf> {
    let next_to_it = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let folder = std::env::var_os("CRDGEN_CORPUS").map_or(next_to_it, PathBuf::from).join("crds");
    folder.is_dir().then_some(folder)
}

#[test]
fn every_definition_comes_back() {
    let Some(folder) = corpus() else {
        crdgen_tests::skip("import::corpus", "no shared corpus; set $CRDGEN_CORPUS");
        return;
    };
    let scratch = std::env::temp_dir().join(format!("crdgen-import-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap_or_else(|e| panic!("{e}"));
    let mut files = Vec::new();
    for repo in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        files.extend(std::fs::read_dir(repo.path()).into_iter().flatten().flatten().map(|f| f.path()));
    }
    files.sort();
    // Without optimization, the whole corpus would take long. So this takes every n-th CRD, unless the variable asks
    // for all. The step has no common divisor with the number of styles, so that all styles are used.
    let step = if std::env::var_os("CRDGEN_ALL").is_some() { 1 } else { 10 };
    let (mut count, mut failures) = (0, Vec::new());
    let foreign = Options { kubernetes: KubernetesTypes::All, time: TimeType::Jiff, ..Options::default() };
    let styles = [Options::default(), foreign, Options::like_kopium()];
    let pairs = files.iter().flat_map(|file| styles.iter().map(move |style| (file, style)));
    for (file, style) in pairs.step_by(step) {
        let text = std::fs::read(file).unwrap_or_default();
        let (documents, _) = crdgen_core::yaml::read(&text);
        let Some(document) = documents.into_iter().next() else { continue };
        let (Some(crd), _) = crdgen_core::decode::crd(document.value) else { continue };
        if !crdgen_core::check::create(&crd, &Default::default()).is_accepted() {
            continue;
        }
        let name = file.display().to_string();
        let (code, _) = import_as(&name, &text, style);
        let name = format!("{name} as {:?}, kopium {}", style.kubernetes, style.kopium);
        let path = scratch.join("one.rs");
        std::fs::write(&path, code).unwrap_or_else(|e| panic!("{e}"));
        count += 1;
        match emitted(&path) {
            Err(why) => failures.push(format!("{name}: {why}")),
            Ok(back) if back.len() != 1 || normal(&back[0]) != normal(&crd) => {
                failures.push(format!("{name}: another definition"));
            }
            Ok(_) => {}
        }
    }
    _ = std::fs::remove_dir_all(&scratch);
    assert!(count > 0, "the corpus is empty");
    assert!(failures.is_empty(), "{} of {count} do not come back:\n{}", failures.len(), failures.join("\n"));
}
