//! Makes types of a definition that others wrote.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = crdgen::import::Options { kube: true, ..Default::default() };
    crdgen::Builder::new().import("../../../tests/corpus/crds/crontab.yaml").import_options(options).run()?;
    Ok(())
}
