//! Generates types and typed configurations for a CRD of another project.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = crdgen::import::Options { kube: true, apply: true, ..Default::default() };
    crdgen::Builder::new().import("../../../tests/corpus/crds/crontab.yaml").import_options(options).run()?;
    Ok(())
}
