//! Prints the definition.

use crdgen::CustomResource;

fn main() {
    print!("{}", crontab::CronTab::crd_yaml());
}
