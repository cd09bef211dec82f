//! Writes a kind.

fn main() -> std::io::Result<()> {
    let folder = std::path::PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let kind = r#"
#[derive(Clone, Debug, crdgen::CustomResource, serde::Deserialize, crdgen::Schema, serde::Serialize)]
#[kube(group = "exact.example.com", version = "v1", kind = "Written")]
struct WrittenSpec {
    /// How many.
    size: i32,
}
"#;
    std::fs::write(folder.join("written.rs"), kind)
}
