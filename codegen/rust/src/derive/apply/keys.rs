//! The keys of `#[apply(…)]`.

/// What `#[apply(…)]` says.
#[derive(Default)]
pub(super) struct Keys {
    pub(super) key: bool,
    pub(super) whole: bool,
}

/// A key of `#[apply(…)]`.
struct Key {
    name: &'static str,
    /// Where it belongs.
    places: &'static str,
    meaning: &'static str,
    set: fn(&mut Keys),
}

const KEYS: [Key; 2] = [
    Key {
        name: "key",
        places: "fields",
        meaning: "The field identifies the items of a list with `list_type = \"map\"`. The partner requires it, unless its type is an `Option`.",
        set: |keys| keys.key = true,
    },
    Key {
        name: "whole",
        places: "types, fields, variants with one value",
        meaning: "Who applies the value applies all of it. The type of the value needs no partner.",
        set: |keys| keys.whole = true,
    },
];

impl Keys {
    pub(super) fn read(attributes: &[syn::Attribute]) -> syn::Result<Keys> {
        let mut keys = Keys::default();
        for attribute in attributes.iter().filter(|it| it.path().is_ident("apply")) {
            attribute.parse_nested_meta(|meta| {
                let Some(known) = KEYS.iter().find(|key| meta.path.is_ident(key.name)) else {
                    return Err(meta.error("unknown key. Write `key` or `whole`."));
                };
                (known.set)(&mut keys);
                Ok(())
            })?;
        }
        Ok(keys)
    }
}

/// Returns the reference of `#[apply(…)]` as Markdown.
pub fn reference() -> String {
    let head = "\
## `#[apply(…)]`

`#[derive(Apply)]` (feature `apply`) gives a type a partner for server-side apply, in which each field may be missing: see
[APPLY.md](APPLY.md). Lists and maps merge by their `list_type`, `list_map_keys` and `map_type` in `#[schema(…)]`.

| key | on | meaning |
| --- | --- | --- |
";
    let row = |Key { name, places, meaning, .. }: &Key| format!("| `{name}` | {places} | {meaning} |\n");
    let rows = KEYS.iter().map(row);
    format!("{head}{}", rows.collect::<String>())
}
