//! Writes the CRDs before the crate is compiled. In CI it only reports which files are out of date. It also generates
//! types for CRDs of other projects.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-env-changed=CI");
    crdgen::Builder::new()
        .header("Made by build.rs of src/lib.rs: do not edit.")
        .yaml("crds")
        .check(std::env::var_os("CI").is_some())
        .import("imports/volumes.yaml")
        .run()?;
    Ok(())
}
