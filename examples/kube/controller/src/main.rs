//! `controller crd` writes the CRDs for kubectl. Without arguments, the controllers run.

use controller::site::{kinds, reconcile};
use crdgen::CustomResource;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().nth(1).as_deref() == Some("crd") {
        print!("{}---\n{}", kinds::Site::crd_yaml(), kinds::Page::crd_yaml());
        return Ok(());
    }
    reconcile::run(kube::Client::try_default().await?).await;
    Ok(())
}
