//! What conversions between versions keep and lose: `crdgen convert --report`.

use crate::Lines;
use crdgen_build::declared::{Fate, Place, Verdict};
use crdgen_files::source;

/// Describes what two versions cannot express of each other, and which limits only one of them has.
pub fn verdict(Verdict { pair, places }: &Verdict<'_>, out: &mut Lines) {
    let count = |fate: Fate| places.iter().filter(|place| place.fate == fate).count();
    let mut words = match (count(Fate::Lost), count(Fate::Kept)) {
        _ if count(Fate::Undeclared) == 1 => "1 place does not convert".to_owned(),
        _ if count(Fate::Undeclared) > 1 => format!("{} places do not convert", count(Fate::Undeclared)),
        (0, 0) => "lossless, and nothing has to be kept".to_owned(),
        (0, _) => "lossless: the annotation keeps what a version cannot express".to_owned(),
        (1, _) => "1 place loses data, as accepted with `lossy`".to_owned(),
        (lost, _) => format!("{lost} places lose data, as accepted with `lossy`"),
    };
    match count(Fate::Limited) {
        0 => {}
        1 => words.push_str("; 1 limit is not the same in both"),
        limits => words.push_str(&format!("; {limits} limits are not the same in both")),
    }
    let heading = format!("{}.{} {} and {}: {words}", pair.kind, pair.group, pair.old.name, pair.new.name);
    out.add(heading);
    for Place { path, what, fate, at } in places {
        let fate = match fate {
            Fate::Kept => "kept ",
            Fate::Lost => "lost ",
            Fate::Limited => "limit",
            Fate::Undeclared => "error",
        };
        let at = at.clone().map(|mut at| {
            source::shorten(&mut at);
            format!(" ({}:{})", at.file, at.start.line)
        });
        out.add(format_args!("  {fate} {path}: {what}{}", at.unwrap_or_default()));
    }
}
