//! `controller crd` writes the CRDs for kubectl. Without arguments, the controllers run, if the CRDs in the cluster are those of
//! their types.

use controller::site::{kinds, reconcile};
use crdgen::CustomResource;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().nth(1).as_deref() == Some("crd") {
        print!("{}---\n{}", kinds::Site::crd_yaml(), kinds::Page::crd_yaml());
        return Ok(());
    }
    let client = kube::Client::try_default().await?;
    crdgen::kube::check_installed!(kinds::Site, &client).await?.into_result()?;
    crdgen::kube::check_installed!(kinds::Page, &client).await?.into_result()?;
    reconcile::run(client).await;
    Ok(())
}
