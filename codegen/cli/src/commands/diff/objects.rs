//! `crdgen diff --objects`: what an update does to real objects.

use std::collections::{BTreeMap, HashMap};

use crdgen_core::documents::objects;
use crdgen_core::ir::Crd;
use crdgen_core::value::{Map, Value};
use crdgen_diff::objects::{Effect, Tally, Update};

use crate::input::{self, Options, Rules, Source, stream};
use crate::output::report::Report;
use crate::terminal::progress::Progress;
use crdgen_files::Error;

/// What happens to the objects of each CRD, by its name.
type Seen = BTreeMap<String, Tally>;

/// Asks about all objects of the kinds that are updated.
pub(super) fn judge(paths: &[String], rules: &Rules, updates: &[(Crd, Crd)]) -> Result<Seen, Error> {
    let of_kind = |(old, new): &(Crd, Crd)| {
        let kind = (new.spec.group.clone(), new.spec.names.kind.clone());
        Some((kind, (new.metadata.name.clone(), Update::new(old, new)?)))
    };
    let updates: HashMap<(String, String), (String, Update)> = updates.iter().filter_map(of_kind).collect();
    let mut seen: Seen = updates.values().map(|(name, _)| (name.clone(), Tally::default())).collect();
    for path in paths {
        let inputs = input::find(std::slice::from_ref(path), &Options::objects(rules))?;
        let progress = Progress::new("reading objects", inputs.len());
        let work = |_: &Source, group| {
            let (found, _) = objects(group);
            let effects = found.iter().filter_map(|object| {
                let kind = (object.group_version().0.to_owned(), object.text("kind").to_owned());
                let (crd, update) = updates.get(&kind)?;
                Some((crd.clone(), object.name(), update.effects(&object.value)?))
            });
            Ok(effects.collect::<Vec<(String, String, Vec<Effect>)>>())
        };
        stream::each_group(&inputs, &progress, work, |all| {
            for (crd, name, effects) in all {
                seen.entry(crd).or_default().add(&name, effects);
            }
            Ok(())
        })?;
    }
    Ok(seen)
}

/// Adds a row for each kind, and the first object with each problem.
pub(super) fn report(seen: &Seen, report: &mut Report, numbers: &mut Map<Value>) {
    let head =
        ["KIND", "OBJECTS", "FINE", "LOSE FIELDS", "REJECTED AS THEY ARE", "REJECTED ON EDIT", "CONVERTED"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (crd, tally) in seen {
        let at = |moment: &str| tally.objects_at(moment).to_string();
        rows.push(vec![
            crd.clone(),
            tally.objects.to_string(),
            tally.fine.to_string(),
            at("read"),
            at("applied"),
            at("edited"),
            at("converted"),
        ]);
        for cause in &tally.causes {
            let others = match cause.objects - 1 {
                0 => String::new(),
                1 => ", and 1 more object".to_owned(),
                others => format!(", and {others} more objects"),
            };
            let (when, text) = (&cause.first.when, &cause.first.text);
            report.note(format!("{crd}: {}: {when}: {text}{others}", cause.object));
        }
    }
    report.table(rows);
    let all = seen.iter().map(|(crd, tally)| tally.to_value(crd)).collect();
    numbers.insert("objects", Value::List(all));
}
