//! Replays updates, and prints as Markdown what the comparison finds now and did not find when they were recorded, or the other way
//! round. The updates are random ones, and what the versions of CRDs would be as updates of each other.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io;

use crdgen_core::check::{self, Options};
use crdgen_core::compare::changes::Class;
use crdgen_core::decode;
use crdgen_core::ir::{Crd, Version};
use crdgen_diff::Report;
use crdgen_tests::corpus::Seed;

/// How many updates with differences are printed in full.
const SHOWN: usize = 100;

/// What was found in each update, by its name.
type Record = BTreeMap<String, String>;

/// Compares the updates with the record in a file, or writes the file with `UPDATE=1`. Returns whether nothing differs.
pub(crate) fn run(
    file: &str,
    seeds: &[Seed],
    random: impl Iterator<Item = (String, Crd, Crd)>,
    budget: usize,
) -> io::Result<bool> {
    let mut found = Record::new();
    for (name, old, new) in seeds.iter().flat_map(of_versions).chain(random) {
        if check::update(&new, &old, &Options::default()).is_accepted() {
            let report = crdgen_diff::diff(
                &old,
                &new,
                &crdgen_diff::Options { budget, ..crdgen_diff::Options::default() },
            );
            found.insert(name, summary(&report));
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        let lines: String = found.iter().map(|(name, found)| format!("{name}\t{found}\n")).collect();
        fs::write(file, lines)?;
    }
    let recorded = read(&fs::read_to_string(file)?);
    let text = differences(&recorded, &found);
    println!("{text}");
    Ok(recorded == found)
}

fn read(text: &str) -> Record {
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.map(|(name, found)| (name.to_owned(), found.to_owned())).collect()
}

/// The classes of an update that are reported, with the places in objects.
fn summary(report: &Report) -> String {
    let mut counts: BTreeMap<(Class, &str), usize> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.class <= Class::Usage) {
        *counts.entry((finding.class, finding.field.as_deref().unwrap_or("-"))).or_default() += 1;
    }
    let shown = counts.iter().map(|((class, field), count)| {
        let times = if *count > 1 { format!(" ({count})") } else { String::new() };
        format!("{} {field}{times}", class.name())
    });
    shown.collect::<Vec<_>>().join("; ")
}

/// What differs, as Markdown.
fn differences(recorded: &Record, found: &Record) -> String {
    let mut names: Vec<&String> = recorded.keys().chain(found.keys()).collect();
    names.sort();
    names.dedup();
    let of = |record: &Record, name: &String| match record.get(name).map(String::as_str) {
        None => "no such update".to_owned(),
        Some("") => "nothing".to_owned(),
        Some(text) => text.replace('|', "\\|"),
    };
    let rows: Vec<String> = names
        .into_iter()
        .filter(|name| recorded.get(*name) != found.get(*name))
        .map(|name| format!("| {name} | {} | {} |", of(recorded, name), of(found, name)))
        .collect();
    let mut out = format!("{} updates, of which {} differ from the record\n", found.len(), rows.len());
    if !rows.is_empty() {
        out.push_str("\n| update | recorded | now |\n| --- | --- | --- |\n");
        rows.iter().take(SHOWN).for_each(|row| _ = writeln!(out, "{row}"));
    }
    if rows.len() > SHOWN {
        let _ = writeln!(out, "\nand {} more", rows.len() - SHOWN);
    }
    out
}

/// Each version of a CRD as the update of the version before it.
fn of_versions(seed: &Seed) -> Vec<(String, Crd, Crd)> {
    let Some(crd) = decode::crd(seed.value.clone()).0 else { return Vec::new() };
    let alone = |version: &Version, name: &str| {
        let mut out = crd.clone();
        let version = Version { name: name.to_owned(), served: true, storage: true, ..version.clone() };
        out.spec.versions = vec![version];
        out.spec.conversion = None;
        out.status.stored_versions = Some(vec![name.to_owned()]);
        out
    };
    let is_valid = |crd: &Crd| check::create(crd, &Options::default()).is_accepted();
    let pairs = crd.spec.versions.windows(2).filter_map(|pair| {
        let [before, after] = pair else { return None };
        let (old, new) = (alone(before, &before.name), alone(after, &before.name));
        let name = format!("{}: {} becomes {}", seed.name, before.name, after.name);
        (is_valid(&old) && is_valid(&new)).then_some((name, old, new))
    });
    pairs.collect()
}
