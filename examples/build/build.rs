//! Writes the definitions before the crate is compiled, in CI it only says what is out of date; and makes
//! types of definitions that others wrote.

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
