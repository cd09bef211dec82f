//! Tables, as `kubectl get` prints them.

use super::jsonpath::{Found, JsonPath};
use super::refusal::{MOST_TEXT, MOST_VISITED, Refusal};
use super::served::{Served, ServedVersion};
use super::{access, validate};
use crate::go::number::format_g;
use crate::go::{self, time::Time};
use crate::ir::Column;
use crate::json;
use crate::value::{Map, Value};

/// A table of objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The definitions of the columns. The first one is the name.
    pub columns: Vec<Value>,
    /// The cells of each row, with one row per object.
    pub rows: Vec<Vec<Value>>,
    /// Why there are no further columns, if the server cannot use one of them.
    pub column_error: Option<String>,
}

/// Returns the text that kubectl prints for a cell. kubectl gets cells as JSON, so the value is converted in the same
/// way.
pub fn printed(cell: &Value) -> String {
    let mut cell = cell.clone();
    json::read_back(&mut cell);
    match &cell {
        Value::Null => String::new(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Float(f) => format_g(*f),
        Value::Str(text) => match text.find(['\u{c}', '\n', '\r']) {
            Some(end) => format!("{}...", &text[..end]),
            None => text.clone(),
        },
        Value::List(_) | Value::Map(_) => json::to_string(&cell),
    }
}

const NAME: &str = "Name must be unique within a namespace. Is required when creating resources, although some \
     resources may allow a client to request the generation of an appropriate name automatically. Name is primarily \
     intended for creation idempotence and configuration definition. Cannot be updated. More info: \
     https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";

const CREATION: &str = "CreationTimestamp is a timestamp representing the server time when this object was created. It \
     is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It \
     is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: \
     https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

const CREATED: &str = ".metadata.creationTimestamp";

impl Served {
    /// Returns the cells of an object as kubectl prints them. The age of an object without a creation time is unknown.
    pub fn printed(&self, version: &ServedVersion, object: &Value, row: &[Value]) -> Vec<String> {
        let is_created = object.get("metadata").is_some_and(|m| m.get("creationTimestamp").is_some());
        let cell = |(index, cell): (usize, &Value)| {
            let text = printed(cell);
            let column = index.checked_sub(1);
            let is_age = !is_created && column.is_some_and(|column| self.shows_creation(version, column));
            if is_age && text.is_empty() { "<unknown>".to_owned() } else { text }
        };
        row.iter().enumerate().map(cell).collect()
    }

    /// Whether a column shows when objects were created. The column of the name does not count for the index.
    fn shows_creation(&self, version: &ServedVersion, column: usize) -> bool {
        match self.columns(version) {
            [] => column == 0,
            own => own.get(column).is_some_and(|own| own.json_path == CREATED),
        }
    }

    /// Makes the table of stored objects. Dates become ages at `now`, in seconds since 1970.
    pub fn table(&self, stored: Vec<Value>, version: &ServedVersion, now: i64) -> Result<Table, Refusal> {
        let read = |(i, object)| {
            let object = self.decode_stored(object, &version.name);
            object.map_err(|why| Refusal::Numbered(i, Box::new(why)))
        };
        let objects: Result<Vec<Value>, Refusal> = stored.into_iter().enumerate().map(read).collect();
        self.table_of_read(&objects?, version, now)
    }

    /// Makes the table of objects that were read in this version, like [`Served::table`].
    pub fn table_of_read<'o>(
        &self,
        objects: impl IntoIterator<Item = &'o Value>,
        version: &ServedVersion,
        now: i64,
    ) -> Result<Table, Refusal> {
        let age = [Column {
            name: "Age".to_owned(),
            ty: "date".to_owned(),
            json_path: CREATED.to_owned(),
            description: CREATION.to_owned(),
            ..Column::default()
        }];
        let columns = match self.columns(version) {
            [] => &age[..],
            own => own,
        };
        let mut table =
            Table { columns: vec![definition("Name", "string", "name", NAME, 0)], ..Table::default() };
        let mut paths = Vec::new();
        for column in columns {
            let Column { name, ty, format, description, priority, json_path } = column;
            let Some(path) = JsonPath::parse(json_path) else {
                table.column_error = Some(format!("unrecognized column definition {}", go::quote(json_path)));
                break;
            };
            let generic = format!("Custom resource definition column (in JSONPath format): {json_path}");
            let description = if description.is_empty() { &generic } else { description };
            table.columns.push(definition(name, ty, format, description, *priority));
            paths.push((path, ty.as_str()));
        }
        let (mut text, mut visited) = (0, 0);
        for object in objects {
            let mut row = vec![Value::from(access::meta_text(object, "name"))];
            for (path, ty) in &paths {
                let found = path.first_counted(object, &mut visited);
                let cell = found.map_or(Value::Null, |found| cell(ty, &found, now));
                text += cell.as_str().map_or(0, str::len);
                if text > MOST_TEXT || visited > MOST_VISITED {
                    return Err(Refusal::LargeTable);
                }
                row.push(cell);
            }
            table.rows.push(row);
        }
        Ok(table)
    }
}

fn definition(name: &str, ty: &str, format: &str, description: &str, priority: i32) -> Value {
    let fields = [
        ("description", Value::from(description)),
        ("format", format.into()),
        ("name", name.into()),
        ("priority", Value::Int(priority.into())),
        ("type", ty.into()),
    ];
    Value::Map(fields.into_iter().collect::<Map<Value>>())
}

/// The cell for a value. Null if the value does not have the column's type.
fn cell(ty: &str, found: &Found<'_>, now: i64) -> Value {
    match (ty, found) {
        ("string", found) => found.printed().into(),
        ("integer", Found::Value(Value::Int(i))) => Value::Int(*i),
        ("integer", Found::Value(Value::Float(f)) | Found::Float(f)) => Value::Int(validate::go_int(*f)),
        ("number", Found::Value(Value::Int(i))) => Value::Float(*i as f64),
        ("number", Found::Value(Value::Float(f)) | Found::Float(f)) => Value::Float(*f),
        ("boolean", Found::Value(Value::Bool(b)) | Found::Bool(b)) => Value::Bool(*b),
        ("date", Found::Value(Value::Str(s)) | Found::Text(s)) => age_at(s, now).into(),
        _ => Value::Null,
    }
}

/// The age of something at `now`, in seconds since 1970, as kubectl prints it. `text` is the time when it was created.
pub fn age_at(text: &str, now: i64) -> String {
    if matches!(text, "" | "null") {
        return "<unknown>".to_owned();
    }
    match Time::parse(text) {
        None => "<invalid>".to_owned(),
        Some(time) if time.is_zero() => "<unknown>".to_owned(),
        Some(time) => age(now - time.seconds),
    }
}

/// A duration in seconds, in its two largest units.
fn age(seconds: i64) -> String {
    let both = |big: i64, unit: &str, small: i64, smaller: &str| {
        if small == 0 { format!("{big}{unit}") } else { format!("{big}{unit}{small}{smaller}") }
    };
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    let days = hours / 24;
    match seconds {
        ..-1 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        0..120 => format!("{seconds}s"),
        _ if minutes < 10 => both(minutes, "m", seconds % 60, "s"),
        _ if minutes < 180 => format!("{minutes}m"),
        _ if hours < 8 => both(hours, "h", minutes % 60, "m"),
        _ if hours < 48 => format!("{hours}h"),
        _ if hours < 192 => both(days, "d", hours % 24, "h"),
        _ if days < 730 => format!("{days}d"),
        _ if days < 2920 => both(days / 365, "y", days % 365, "d"),
        _ => format!("{}y", days / 365),
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, JsonPath};
    use crate::json;

    #[test]
    fn ages() {
        for (seconds, expected) in [
            (-2, "<invalid>"),
            (-1, "0s"),
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (599, "9m59s"),
            (600, "10m"),
            (3 * 3600 - 1, "179m"),
            (3 * 3600, "3h"),
            (7 * 3600 + 60, "7h1m"),
            (8 * 3600 + 60, "8h"),
            (48 * 3600, "2d"),
            (49 * 3600, "2d1h"),
            (8 * 86_400 + 3600, "8d"),
            (729 * 86_400, "729d"),
            (731 * 86_400, "2y1d"),
            (2920 * 86_400, "8y"),
        ] {
            assert_eq!(super::age(seconds), expected, "{seconds}");
        }
    }

    #[test]
    fn paths() {
        let object = json::read(
            br#"{"a":{"b.c":1,"list":[{"n":1,"t":"x"},{"n":2,"t":"y"}],"none":null,"text":"<&>","map":{"k":"<"}}}"#,
        )
        .expect("an object");
        for (path, expected) in [
            // Like the server, this also splits a quoted name at its dots.
            (".a['b.c']", None),
            (r".a.b\.c", Some("1")),
            (".a.list[1].t", Some("y")),
            (".a.list[-1].n", Some("2")),
            (".a.list[?(@.n==2)].t", Some("y")),
            (r#".a.list[?(@.t=="x")].n"#, Some("1")),
            (".a.list[*].t", Some("x")),
            (".a.list[5]", None),
            (".a.text", Some("<&>")),
            (".a.map", Some(r#"{"k":"\u003c"}"#)),
            (".a.none", Some("<no value>")),
            (".a.missing.more", None),
            (".a range .list", None),
        ] {
            let found = JsonPath::parse(path).expect(path);
            assert_eq!(found.first(&object).map(|f: Found<'_>| f.printed()).as_deref(), expected, "{path}");
        }
        for broken in [".a[", ".a[x]", ".a....", ".a[?(@.n==1]", ".a\n"] {
            let found = JsonPath::parse(broken).map(|p| p.first(&object));
            assert!(matches!(found, None | Some(None)), "{broken}");
        }
    }
}
