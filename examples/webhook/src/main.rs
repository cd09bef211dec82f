//! The webhook of CronTabs: `webhook 127.0.0.1:8080`.

use crdgen::objects::Kind;
use crontab::CronTab;
use std::net::TcpListener;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let kind = Kind::of::<CronTab>()?;
    webhook::serve(&kind, &TcpListener::bind(address)?)?;
    Ok(())
}
