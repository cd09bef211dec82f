//! Prints the CRD.

use crdgen::CustomResource;

fn main() {
    print!("{}", crontab::CronTab::crd_yaml());
}
