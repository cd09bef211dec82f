//! How the CRDs of a project on kube-derive change when it moves to crdgen: what `crdgen migrate-check` reports.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use crdgen_core::ir::Crd;
use crdgen_core::migrate::{self, Change, Sort};
use crdgen_core::value::{Map, Value};

use crate::Lines;
use crdgen_source::At;
use crdgen_tasks::inputs;

/// How one CRD changes.
pub struct Moved {
    /// The name of the CRD.
    pub name: String,
    /// The old definition.
    pub old: Old,
    /// The differences.
    pub changes: Vec<Change>,
}

/// The old definition.
pub enum Old {
    /// It is known. `refused` has the server's errors for it.
    Is {
        /// The server's errors.
        refused: Vec<String>,
    },
    /// It does not exist, and it need not: the type has no schema, because others define the kind.
    OfOthers,
    /// It is missing in these inputs. The list is empty if the files of the project were read.
    Missing(Vec<String>),
    /// The new CRD cannot be determined, for this reason.
    Unknown(String),
}

impl Moved {
    /// Compares a CRD with its old definition. Without one, `against` is where it was looked for.
    pub fn of(old: Option<&Crd>, new: &Crd, against: &[String]) -> Moved {
        let name = new.metadata.name.clone();
        let Some(old) = old else {
            let old = if takes_anything(new) { Old::OfOthers } else { Old::Missing(against.to_vec()) };
            return Moved { name, old, changes: Vec::new() };
        };
        let mut alone = old.clone();
        if let [only] = alone.spec.versions.as_mut_slice() {
            // A CRD always has a stored version. Here it is the only one.
            only.storage = true;
        }
        let refused = crdgen_kinds::check(&alone).errors.iter().map(|e| e.shown()).collect();
        Moved { name, old: Old::Is { refused }, changes: migrate::changes(old, new) }
    }

    /// Whether somebody has to look at the change.
    pub fn needs_review(&self) -> bool {
        matches!(self.old, Old::Missing(_) | Old::Unknown(_))
            || self.changes.iter().any(|change| matches!(change.reason.sort, Sort::Loss | Sort::Look))
    }
}

/// Whether the types have no schema: `schema = "disabled"`.
fn takes_anything(crd: &Crd) -> bool {
    crd.spec.versions.iter().enumerate().all(|(number, _)| {
        let schema = crd.spec.schema_of(number);
        schema.is_none_or(|s| s.properties.is_empty() && s.ext.preserve_unknown_fields == Some(true))
    })
}

/// How a report is written.
pub struct Style {
    title: &'static str,
    kind: &'static str,
    heading: &'static str,
    reason: &'static str,
    place: &'static str,
    refused: &'static str,
    /// What to put around text from CRDs.
    code: &'static str,
}

/// For people.
pub const HUMAN: Style =
    Style { title: "", kind: "", heading: "", reason: "  - ", place: "      ", refused: "  ", code: "" };
/// For GitHub.
pub const MARKDOWN: Style = Style {
    title: "## ",
    kind: "- ",
    heading: "## ",
    reason: "- ",
    place: "  - ",
    refused: "  - ",
    code: "`",
};

/// Lists the kinds, and then the differences of all kinds by reason. Those that may lose data come first. Of a difference that need not
/// be reviewed, `places` are shown; 0 shows all.
pub fn written(moved: &[Moved], places: usize, style: &Style) -> Lines {
    let mut out = Lines::default();
    for one in moved {
        header(one, style, &mut out);
    }
    let mut by_reason: BTreeMap<usize, Vec<(&str, &Change)>> = BTreeMap::new();
    for (Moved { name, .. }, change) in moved.iter().flat_map(|one| one.changes.iter().map(move |c| (one, c)))
    {
        let rank = migrate::ALL.iter().position(|reason| *reason == change.reason);
        by_reason.entry(rank.unwrap_or(migrate::ALL.len())).or_default().push((name, change));
    }
    let mut by_reason: Vec<Vec<(&str, &Change)>> = by_reason.into_values().collect();
    by_reason.sort_by_key(|all| all.first().map(|(_, change)| change.reason.sort));
    let mut heading = None;
    for all in by_reason {
        let Some((_, Change { reason, .. })) = all.first() else { continue };
        if heading != Some(reason.sort) {
            heading = Some(reason.sort);
            out.blank();
            out.add(format_args!("{}{}", style.heading, reason.sort.heading()));
        }
        out.add(format_args!("{}{} ({}): {}", style.reason, reason.name, all.len(), reason.text));
        let lines = alike(&all, moved.len() > 1, style);
        let all_shown = places == 0 || matches!(reason.sort, Sort::Loss | Sort::Look);
        let shown = if all_shown { lines.len() } else { places.min(lines.len()) };
        for line in &lines[..shown] {
            out.add(format_args!("{}{line}", style.place));
        }
        if shown < lines.len() {
            out.add(format_args!("{}and {} more", style.place, lines.len() - shown));
        }
    }
    if !moved.is_empty() {
        out.blank();
    }
    summary(moved, &mut out);
    out
}

/// Describes in one line how a kind changes, and why the server rejects its old CRD.
fn header(Moved { name, old, changes }: &Moved, style: &Style, out: &mut Lines) {
    let name = format!("{}{name}", style.kind);
    match old {
        Old::Missing(against) if against.is_empty() => {
            out.add(format_args!("{name}: no old CRD to compare with. Pass it with --against"));
        }
        Old::Missing(against) => {
            let has = if against.len() == 1 { "does" } else { "do" };
            let against = inputs::names(against);
            out.add(format_args!("{name}: not compared: {against} {has} not contain this CRD"));
        }
        Old::OfOthers => {
            out.add(format_args!("{name}: has no schema, because another project defines the CRD"));
        }
        Old::Unknown(why) => out.add(format_args!("{name}: could not be determined: {why}")),
        Old::Is { .. } if changes.is_empty() => out.add(format_args!("{name}: does not change")),
        Old::Is { .. } => {
            let plural = if changes.len() == 1 { "" } else { "s" };
            out.add(format_args!("{name}: {} difference{plural}", changes.len()));
        }
    }
    if let Old::Is { refused } = old {
        for text in refused {
            out.add(format_args!("{}the server rejects the old CRD: {text}", style.refused));
        }
    }
}

/// The same change at all its places.
struct Alike<'c> {
    /// What changes at each place: a keyword, or nothing where the place itself changes.
    what: &'c str,
    old: &'c str,
    new: &'c str,
    /// The paths, with the kinds that have them.
    places: Vec<(&'c str, Vec<&'c str>)>,
}

/// Returns the places of a reason. The same change in several kinds or at several places is one line.
fn alike(all: &[(&str, &Change)], several: bool, style: &Style) -> Vec<String> {
    let code = |text: &str| match style.code {
        "" => text.to_owned(),
        quote if text.contains(quote) => format!("``{text}``"),
        quote => format!("{quote}{text}{quote}"),
    };
    let mut groups: Vec<Alike<'_>> = Vec::new();
    let mut known: HashMap<[&str; 3], usize> = HashMap::new();
    let mut places: HashMap<(usize, &str), usize> = HashMap::new();
    for (name, Change { at, old, new, .. }) in all {
        // Only paths begin with a dot; a list of names next to one is not what changes.
        let (path, what) = at.split_once(' ').filter(|_| at.starts_with('.')).unwrap_or((at, ""));
        let index = *known.entry([what, old, new]).or_insert_with(|| {
            groups.push(Alike { what, old, new, places: Vec::new() });
            groups.len() - 1
        });
        let at = &mut groups[index].places;
        let place = *places.entry((index, path)).or_insert_with(|| {
            at.push((path, Vec::new()));
            at.len() - 1
        });
        at[place].1.push(name);
    }
    let line = |Alike { what, old, new, places }: Alike<'_>| {
        let change = match (old, new) {
            ("", new) => format!("+ {}", code(new)),
            (old, "") => format!("- {}", code(old)),
            (old, new) => format!("{} → {}", code(old), code(new)),
        };
        if let [(path, kinds)] = places.as_slice() {
            let kinds = if several { format!("{} ", kinds.join(", ")) } else { String::new() };
            let at = if what.is_empty() { code(path) } else { code(&format!("{path} {what}")) };
            return format!("{kinds}{at}: {change}");
        }
        let what = if what.is_empty() { String::new() } else { format!("{}: ", code(what)) };
        let mut by_kinds: Vec<(&[&str], Vec<String>)> = Vec::new();
        let mut known: HashMap<&[&str], usize> = HashMap::new();
        for (path, kinds) in &places {
            let index = *known.entry(kinds).or_insert_with(|| {
                by_kinds.push((kinds, Vec::new()));
                by_kinds.len() - 1
            });
            by_kinds[index].1.push(code(path));
        }
        let places = by_kinds.into_iter().map(|(kinds, paths)| match several {
            true => format!("{} {}", kinds.join(", "), paths.join(", ")),
            false => paths.join(", "),
        });
        format!("{what}{change} (at {})", places.collect::<Vec<_>>().join("; "))
    };
    groups.into_iter().map(line).collect()
}

/// Lists lines that have to change in addition to `use` lines.
pub fn by_path(all: &[(At, String, String)], style: &Style) -> String {
    let mut out = String::new();
    if all.is_empty() {
        return out;
    }
    let code = style.code;
    let _ = writeln!(out, "{}other lines to change, besides `use` lines", style.title);
    for (At { file, start, .. }, old, new) in all {
        let _ = writeln!(
            out,
            "{}{file}:{}:{}: {code}{old}{code} → {code}{new}{code}",
            style.reason, start.line, start.column
        );
    }
    out.push('\n');
    out
}

/// How many differences there are of each sort.
fn summary(moved: &[Moved], out: &mut Lines) {
    let count = |sort: Sort| moved.iter().flat_map(|m| &m.changes).filter(|c| c.reason.sort == sort).count();
    let parts: Vec<String> = [Sort::Loss, Sort::Look, Sort::Mistake, Sort::Meant]
        .into_iter()
        .map(|sort| (sort, count(sort)))
        .filter(|(_, count)| *count > 0)
        .map(|(sort, count)| format!("{}: {count}", sort.heading()))
        .collect();
    let plural = if moved.len() == 1 { "" } else { "s" };
    let compared = moved.iter().filter(|one| matches!(one.old, Old::Is { .. })).count();
    let of_them = match compared {
        0 if moved.is_empty() => String::new(),
        0 => ", none compared".to_owned(),
        all if all == moved.len() => String::new(),
        some => format!(", {some} compared"),
    };
    let parts = match parts.join("; ") {
        none if none.is_empty() && compared == 0 => String::new(),
        none if none.is_empty() => "; no difference".to_owned(),
        parts => format!("; {parts}"),
    };
    out.add(format_args!("{} kind{plural}{of_them}{parts}", moved.len()));
}

/// The differences, for programs.
pub fn json(moved: &[Moved]) -> String {
    let text = |s: &str| Value::from(s);
    let object = |pairs: Vec<(&str, Value)>| Value::Map(pairs.into_iter().collect::<Map<Value>>());
    let all: Vec<Value> = moved
        .iter()
        .map(|Moved { name, old, changes }| {
            let changes = changes.iter().map(|Change { at, reason, old, new }| {
                object(vec![
                    ("at", text(at)),
                    ("old", text(old)),
                    ("new", text(new)),
                    ("reason", text(reason.name)),
                    ("sort", text(reason.sort.heading())),
                    ("text", text(reason.text)),
                ])
            });
            let refused = match old {
                Old::Is { refused } => Value::List(refused.iter().map(|t| text(t)).collect()),
                Old::OfOthers | Old::Missing(_) | Old::Unknown(_) => Value::Null,
            };
            let unknown = match old {
                Old::Unknown(why) => text(why),
                Old::Is { .. } | Old::OfOthers | Old::Missing(_) => Value::Null,
            };
            object(vec![
                ("name", text(name)),
                ("refused", refused),
                ("unknown", unknown),
                ("changes", Value::List(changes.collect())),
            ])
        })
        .collect();
    let mut out = crdgen_core::json::to_string(&Value::List(all));
    out.push('\n');
    out
}
