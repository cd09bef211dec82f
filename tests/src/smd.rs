//! The op `smd` of the oracle: one call of structured-merge-diff, answered by `crdgen-apply`. Only tests use it.

mod schema;

use crdgen_apply::schema::Schema;
use crdgen_apply::set::Set;
use crdgen_apply::typed::{Duplicates, ItemKeys, Mismatches, Type, Typed};
use crdgen_apply::update::{Author, Convert, Failure, Managers, OnConflict, Owned, Unconverted, Updater};
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use std::collections::BTreeMap;

/// Answers a request. The error is for requests that are wrong.
pub fn answer(request: &Value) -> Result<Value, String> {
    let call = Call { request };
    let set = |name| call.set(name);
    Ok(match call.text("do") {
        "union" => of_set(&set("fields")?.union(&set("other")?)),
        "intersection" => of_set(&set("fields")?.intersection(&set("other")?)),
        "difference" => of_set(&set("fields")?.difference(&set("other")?)),
        "recursiveDifference" => of_set(&set("fields")?.recursive_difference(&set("other")?)),
        "leaves" => of_set(&set("fields")?.leaves()),
        _ => call.typed()?,
    })
}

fn fields<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Map(fields.into_iter().collect())
}

fn of_set(set: &Set) -> Value {
    fields([("fields", set.to_value()), ("text", set.to_string().into())])
}

fn texts(mismatches: &Mismatches) -> Value {
    Value::List(mismatches.0.iter().map(|it| it.to_string().into()).collect())
}

fn errors(mismatches: &Mismatches) -> Value {
    fields([("errors", texts(mismatches))])
}

fn read(text: &str) -> Result<Value, String> {
    Ok(yaml::read_one(text.as_bytes()).map_err(|error| error.text)?.value)
}

struct Call<'r> {
    request: &'r Value,
}

impl Call<'_> {
    fn text(&self, name: &str) -> &str {
        self.request.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn flag(&self, name: &str) -> bool {
        self.request.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    fn set(&self, name: &str) -> Result<Set, String> {
        match self.request.get(name) {
            None => Ok(Set::new()),
            Some(fields) => Set::from_value(fields).map_err(|error| format!("{name}: {error}")),
        }
    }

    /// The operations on values with a type.
    fn typed(&self) -> Result<Value, String> {
        let schema = match self.text("type") {
            "" => Schema::deduced().0.clone(),
            _ => schema::schema(&read(self.text("schema"))?)?,
        };
        let ty = match self.text("type") {
            "" => Type::deduced(),
            name => Type::new(&schema, schema.named(name).ok_or(format!("the schema has no type {name:?}"))?),
        };
        let duplicates =
            if self.flag("allowDuplicates") { Duplicates::Allowed } else { Duplicates::Forbidden };
        let live = Typed::new(read(self.text("live"))?, ty, duplicates);
        if self.text("do") == "validate" {
            return Ok(match live {
                Ok(_) => fields([("valid", true.into()), ("errors", Value::List(Vec::new()))]),
                Err(why) => fields([("valid", false.into()), ("errors", texts(&why))]),
            });
        }
        let live = match live {
            Ok(live) => live,
            Err(why) => return Ok(fields([("liveErrors", texts(&why))])),
        };
        let config = match self.text("do") {
            "merge" | "compare" | "apply" | "update" => {
                match Typed::new(read(self.text("config"))?, ty, duplicates) {
                    Ok(config) => Some(config),
                    Err(why) => return Ok(fields([("configErrors", texts(&why))])),
                }
            }
            _ => None,
        };
        let set = self.set("fields")?;
        let result = |value: &Typed<'_>| fields([("result", value.value().clone())]);
        Ok(match (self.text("do"), &config) {
            ("merge", Some(config)) => live.merge(config).map_or_else(|why| errors(&why), |it| result(&it)),
            ("compare", Some(config)) => match live.compare(config) {
                Err(why) => errors(&why),
                Ok(found) => {
                    let sets = [&found.removed, &found.modified, &found.added];
                    fields([
                        ("same", sets.iter().all(|set| set.is_empty()).into()),
                        ("text", found.to_string().into()),
                        ("added", found.added.to_value()),
                        ("modified", found.modified.to_value()),
                        ("removed", found.removed.to_value()),
                    ])
                }
            },
            ("toFieldSet", _) => live.field_set().map_or_else(|why| errors(&why), |set| of_set(&set)),
            ("removeItems", _) => result(&live.remove(&set)),
            ("extractItems", _) => {
                let keys = if self.flag("appendKeyFields") { ItemKeys::Kept } else { ItemKeys::OnlyInSet };
                result(&live.extract(&set, keys))
            }
            ("reconcile", _) => match live.reconcile(&set) {
                Ok(Some(set)) => of_set(&set),
                Ok(None) => fields([("unchanged", true.into())]),
                Err(why) => fields([(
                    "errors",
                    Value::List(vec![format!("errors reconciling field set with schema: {why}").into()]),
                )]),
            },
            ("ensureNamedFieldsAreMembers", _) => of_set(&live.with_declared_fields(&set)),
            ("apply" | "update", Some(config)) => self.write(&schema, &live, config)?,
            (other, _) => return Err(format!("unknown do {other:?}")),
        })
    }

    /// One step of the updater.
    fn write<'s>(
        &'s self,
        schema: &'s Schema,
        live: &Typed<'s>,
        config: &Typed<'s>,
    ) -> Result<Value, String> {
        let mut managers = Managers::new();
        for (name, manager) in
            self.request.get("managers").and_then(Value::as_map).into_iter().flat_map(Map::iter)
        {
            let of = Call { request: manager };
            let (set, version) = (of.set("fields")?, of.text("apiVersion").to_owned());
            managers.insert(name.to_owned(), Owned { set, version, applied: of.flag("applied") });
        }
        let version = self.text("version");
        let mut updater = Updater {
            convert: Table { schema, rows: self.request.get("conversions").and_then(Value::as_list) },
            ignored: BTreeMap::new(),
            return_unchanged: self.flag("returnInputOnNoop"),
        };
        if self.request.get("ignored").is_some() {
            updater.ignored.insert(version.to_owned(), self.set("ignored")?);
        }
        let by_version = self.request.get("ignoredFields").and_then(Value::as_map);
        for (version, fields) in by_version.into_iter().flat_map(Map::iter) {
            let set = Set::from_value(fields).map_err(|error| error.to_string())?;
            updater.ignored.insert(version.to_owned(), set);
        }
        let author = Author { manager: self.text("manager"), version };
        let (result, managers) = if self.text("do") == "apply" {
            match updater.apply(live, config, managers, author, OnConflict::of_force(self.flag("force"))) {
                Ok(applied) => (applied.object, applied.managers),
                Err(why) => return Ok(failure(&why)),
            }
        } else {
            match updater.update(live, config, managers, author) {
                Ok(managers) => (Some(config.clone()), managers),
                Err(why) => return Ok(failure(&why)),
            }
        };
        let managers = managers.into_iter().map(|(name, owned)| {
            let Owned { set, version, applied } = owned;
            let entry = fields([
                ("apiVersion", version.into()),
                ("applied", applied.into()),
                ("fields", set.to_value()),
            ]);
            (name, entry)
        });
        let mut out: Map<Value> = std::iter::once(("managers", Value::Map(managers.collect()))).collect();
        if let Some(result) = result {
            out.insert("result", result.into_value());
        }
        Ok(Value::Map(out))
    }
}

fn failure(why: &Failure) -> Value {
    let mut out: Map<Value> =
        std::iter::once(("errors", Value::List(vec![why.to_string().into()]))).collect();
    if let Failure::Conflicts(conflicts) = why {
        let shown = conflicts.shown();
        let conflicts = shown.iter().map(|conflict| {
            fields([
                ("manager", conflict.manager.as_str().into()),
                ("field", conflict.path.to_string().into()),
            ])
        });
        out.insert("conflicts", Value::List(conflicts.collect()));
    }
    Value::Map(out)
}

/// Conversions as the request lists them. An object that is not listed is the same in all versions.
#[derive(Clone, Copy)]
struct Table<'r> {
    schema: &'r Schema,
    rows: Option<&'r [Value]>,
}

impl<'r> Convert<'r> for Table<'r> {
    fn convert(&self, object: &Typed<'r>, version: &str) -> Result<Typed<'r>, Unconverted> {
        let text = |row: &'r Value, name: &str| row.get(name).and_then(Value::as_str);
        let is_row = |row: &&'r Value| {
            text(row, "version") == Some(version)
                && text(row, "from").is_none_or(|from| object.ty().name() == Some(from))
                && text(row, "value").and_then(|text| read(text).ok()).as_ref() == Some(object.value())
        };
        let Some(row) = self.rows.unwrap_or_default().iter().find(is_row) else { return Ok(object.clone()) };
        if let Some(error) = text(row, "error") {
            let error = error.to_owned();
            let missing = row.get("missing") == Some(&Value::Bool(true));
            return Err(if missing { Unconverted::NoVersion(error) } else { Unconverted::Failed(error) });
        }
        let failed = |why: String| Unconverted::Failed(why);
        let value = read(text(row, "result").unwrap_or_default()).map_err(failed)?;
        let ty = match text(row, "type") {
            Some(name) => {
                Type::new(self.schema, self.schema.named(name).ok_or(failed("no type".to_owned()))?)
            }
            None => Type::deduced(),
        };
        Typed::new(value, ty, Duplicates::Allowed).map_err(|why| failed(why.to_string()))
    }
}
