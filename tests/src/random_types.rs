//! Generates kinds with random types, as Rust source: structs and enums of each serde representation with random
//! attributes, in containers, nested several levels deep. They find what a fixed matrix misses. The same seed gives the
//! same types.

use crate::rng::Rng;
use std::fmt::Write;

/// The source of one kind with its types, and its name.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The name of the kind. The module of its source has the same name in lower case.
    pub name: String,
    /// The items of a module.
    pub source: String,
}

/// Generates one kind for a seed.
pub fn kind(seed: u64, number: usize) -> Kind {
    let rng = Rng::of_case(seed, number as u64);
    let mut maker = Maker { rng, types: Vec::new(), last: 0, out: HEAD.to_owned() };
    let fields: Vec<String> = (0..1 + maker.rng.below(3))
        .map(|i| {
            let ty = maker.ty(3);
            format!("pub v{i}: {},", ty.text)
        })
        .collect();
    let name = format!("R{number:04}");
    _ = write!(
        maker.out,
        "{DERIVES}#[derive(CustomResource)]\n\
         #[kube(group = \"random.example.com\", version = \"v1\", kind = \"{name}\", namespaced)]\n\
         #[schema(test = false)]\npub struct {name}Spec {{ {} }}\n",
        fields.join(" ")
    );
    Kind { name, source: maker.out }
}

const HEAD: &str = "use crdgen::{CustomResource, Schema};\nuse serde::{Deserialize, Serialize};\n\
                    use std::collections::{BTreeMap, BTreeSet};\n";
const DERIVES: &str = "#[derive(Clone, Debug, Deserialize, Schema, Serialize)]\n";
const CASES: &[&str] =
    &["camelCase", "snake_case", "PascalCase", "kebab-case", "SCREAMING_SNAKE_CASE", "lowercase"];
const SCALARS: &[&str] = &["bool", "i8", "u8", "u16", "i32", "u32", "i64", "f32", "f64", "String", "usize"];
/// Types of the standard library, and whether they have a default.
const OTHERS: &[(&str, bool)] = &[
    ("char", false),
    ("std::num::NonZeroU8", false),
    ("std::net::Ipv4Addr", false),
    ("std::path::PathBuf", true),
    ("std::time::Duration", true),
    ("std::borrow::Cow<'static, str>", true),
    ("Result<i32, String>", false),
    ("std::collections::VecDeque<u8>", true),
    ("std::collections::HashMap<String, bool>", true),
    ("std::marker::PhantomData<u8>", true),
];

/// A type at a place where it is used.
#[derive(Clone)]
struct Ty {
    text: String,
    /// It has a default that serde can use.
    default: bool,
    /// The function for `skip_serializing_if`.
    empty: Option<&'static str>,
    /// Null is one of its values.
    null: bool,
}

/// A type with a name.
struct Named {
    name: String,
    /// serde writes it as an object, so it can be flattened and can have a tag.
    object: bool,
    /// It keeps fields with any name. A variant like this could contain the fields of other variants with any value,
    /// but a structural schema gives a property only one type. So no such variants are generated next to others.
    open: bool,
    default: bool,
    /// It can be the key of a map.
    key: bool,
    null: bool,
}

struct Maker {
    rng: Rng,
    types: Vec<Named>,
    /// The last number that was used.
    last: usize,
    out: String,
}

impl Maker {
    fn ty(&mut self, depth: usize) -> Ty {
        let plain = |text: String, default| Ty { text, default, empty: None, null: false };
        if depth == 0 || self.rng.chance(25) {
            if self.rng.chance(20) {
                let (name, default) = *self.rng.pick(OTHERS);
                return Ty { null: name.contains("Phantom"), ..plain(name.to_owned(), default) };
            }
            return plain((*self.rng.pick(SCALARS)).to_owned(), true);
        }
        match self.rng.below(12) {
            0 | 1 => {
                let inner = self.ty(depth - 1);
                if inner.null {
                    return inner;
                }
                let text = format!("Option<{}>", inner.text);
                Ty { text, default: true, empty: Some("Option::is_none"), null: true }
            }
            2 => {
                let inner = self.ty(depth - 1).text;
                Ty { empty: Some("Vec::is_empty"), ..plain(format!("Vec<{inner}>"), true) }
            }
            3 => {
                let inner = self.ty(depth - 1).text;
                let key = self.types.iter().find(|t| t.key).map_or("String", |t| &t.name);
                Ty { empty: Some("BTreeMap::is_empty"), ..plain(format!("BTreeMap<{key}, {inner}>"), true) }
            }
            4 => {
                let inner = self.ty(depth - 1);
                Ty { text: format!("Box<{}>", inner.text), empty: None, ..inner }
            }
            5 => match self.rng.below(4) {
                0 => plain(format!("[{}; 2]", self.ty(depth - 1).text), false),
                1 => Ty { empty: Some("BTreeSet::is_empty"), ..plain("BTreeSet<String>".to_owned(), true) },
                2 => Ty { null: true, ..plain("serde_json::Value".to_owned(), true) },
                _ => plain("(i32, i32)".to_owned(), true),
            },
            _ => {
                let at = match self.types.len() {
                    0 => self.named(depth - 1),
                    n if self.rng.chance(25) => self.rng.below(n),
                    _ => self.named(depth - 1),
                };
                let Named { name, default, null, .. } = &self.types[at];
                Ty { text: name.clone(), default: *default, empty: None, null: *null }
            }
        }
    }

    /// Whether a type, or a type inside of it, keeps fields with any name.
    fn open(&self, ty: &Ty) -> bool {
        let named = |t: &Named| t.open && ty.text.contains(&t.name);
        ty.text.contains("BTreeMap")
            || ty.text.contains("Value")
            || ty.text.contains("HashMap")
            || self.types.iter().any(named)
    }

    /// Creates a new type. Returns its number.
    fn named(&mut self, depth: usize) -> usize {
        // Types inside of this one get lower numbers.
        match self.rng.below(10) {
            0..=3 => self.structure(depth),
            4 => self.newtype(depth),
            5 => self.units(),
            6 => self.proxied(),
            7 if self.rng.chance(40) => self.generic(depth),
            _ => self.choice(depth),
        }
    }

    fn add(&mut self, named: Named, attributes: &str, derives: &str, body: &str) -> usize {
        let lowered = if derives.is_empty() { String::new() } else { format!("#[derive({derives})]\n") };
        _ = writeln!(self.out, "{DERIVES}{lowered}{attributes}pub {}", body.replace("NAME", &named.name));
        self.types.push(named);
        self.types.len() - 1
    }

    /// Returns a number for names that no other type, field or variant of the kind has.
    fn fresh(&mut self) -> usize {
        self.last += 1;
        self.last
    }

    fn structure(&mut self, depth: usize) -> usize {
        let (fields, default, flattens, open) = self.fields(depth, true, true, "pub ");
        let number = self.fresh();
        let mut serde = self.case();
        let mut derives = "";
        if default && self.rng.chance(50) {
            derives = "Default";
            if self.rng.chance(40) && !flattens {
                serde.push("default".to_owned());
            }
        }
        if !flattens && self.rng.chance(15) {
            serde.push("deny_unknown_fields".to_owned());
        } else if !flattens && self.rng.chance(8) {
            serde.push(format!("tag = \"t{number}\""));
        }
        let named = Named {
            name: format!("S{number}"),
            object: true,
            open,
            default: !derives.is_empty(),
            key: false,
            null: false,
        };
        self.add(named, &attribute(&serde), derives, &format!("struct NAME {{ {fields} }}"))
    }

    /// Creates a struct with a type parameter, for one argument.
    fn generic(&mut self, depth: usize) -> usize {
        let argument = self.ty(depth);
        let number = self.fresh();
        let body = if self.rng.chance(50) {
            format!("struct G{number}<T> {{ pub it{number}: T, pub all{number}: Vec<T> }}")
        } else {
            format!("enum G{number}<T> {{ One{number}(T), Many{number} {{ all{number}: Vec<T> }} }}")
        };
        let name = format!("G{number}<{}>", argument.text);
        let open = self.open(&argument);
        self.add(Named { name, object: true, open, default: false, key: false, null: false }, "", "", &body)
    }

    fn newtype(&mut self, depth: usize) -> usize {
        let ty = self.ty(depth);
        let number = self.fresh();
        // serde skips a `PhantomData`, and a transparent type needs a field that it does not skip.
        let transparent = self.rng.chance(50) && !ty.text.starts_with("std::marker::PhantomData");
        let open = self.open(&ty);
        let named = Named {
            name: format!("N{number}"),
            object: false,
            open,
            default: false,
            key: false,
            null: ty.null,
        };
        let serde = if transparent { vec!["transparent".to_owned()] } else { Vec::new() };
        self.add(named, &attribute(&serde), "", &format!("struct NAME(pub {});", ty.text))
    }

    fn units(&mut self) -> usize {
        let number = self.fresh();
        let mut variants = String::new();
        let count = 2 + self.rng.below(3);
        for i in 0..count {
            if self.rng.chance(20) {
                _ = write!(variants, "#[serde(rename = \"renamed {i}\")] ");
            } else if self.rng.chance(15) {
                _ = write!(variants, "#[serde(alias = \"also{i}\")] ");
            }
            if i == 0 {
                variants.push_str("#[default] ");
            }
            _ = write!(variants, "Unit{i}Of{number}, ");
        }
        let named = Named {
            name: format!("U{number}"),
            object: false,
            open: false,
            default: true,
            key: true,
            null: false,
        };
        let serde = self.case();
        let derives = "Default, PartialEq, Eq, PartialOrd, Ord";
        self.add(named, &attribute(&serde), derives, &format!("enum NAME {{ {variants}}}"))
    }

    /// Creates a type that serde writes as another one.
    fn proxied(&mut self) -> usize {
        let number = self.fresh();
        let ty = *self.rng.pick(&["i32", "String", "Vec<i32>"]);
        let proxy = format!("P{number}");
        _ = writeln!(self.out, "{DERIVES}pub struct {proxy} {{ pub shown{number}: {ty} }}");
        _ = writeln!(
            self.out,
            "impl From<{proxy}> for X{number} {{ fn from(it: {proxy}) -> Self {{ X{number} {{ hidden: it.shown{number} }} }} }}\n\
             impl From<X{number}> for {proxy} {{ fn from(it: X{number}) -> Self {{ {proxy} {{ shown{number}: it.hidden }} }} }}"
        );
        let named = Named {
            name: format!("X{number}"),
            object: true,
            open: false,
            default: false,
            key: false,
            null: false,
        };
        let serde = [format!("from = \"{proxy}\""), format!("into = \"{proxy}\"")];
        self.add(named, &attribute(&serde), "", &format!("struct NAME {{ pub hidden: {ty} }}"))
    }

    /// Creates an enum with data, in any representation.
    fn choice(&mut self, depth: usize) -> usize {
        #[derive(Clone, Copy, PartialEq)]
        enum Form {
            External,
            Internal,
            Adjacent,
            Untagged,
        }
        let form = *self.rng.pick(&[Form::External, Form::Internal, Form::Adjacent, Form::Untagged]);
        let mut variants = Vec::new();
        let (mut all_objects, mut units) = (true, 0);
        let count = 1 + self.rng.below(4);
        for i in 0..count {
            let number = self.fresh();
            let name = format!("V{i}Of{number}");
            let rename = match self.rng.below(10) {
                0 => format!("#[serde(rename = \"v{number}\")] "),
                1 if form != Form::Untagged => format!("#[serde(alias = \"w{number}\")] "),
                2 => "/// What it means.\n".to_owned(),
                _ => String::new(),
            };
            let payload = match self.rng.below(6) {
                // serde writes null for this variant, so there can only be one of them.
                0 | 1 if form != Form::Untagged => {
                    units += 1;
                    all_objects = false;
                    String::new()
                }
                2 | 3 if form == Form::Internal => match self.types.iter().rposition(|t| t.object && !t.open)
                {
                    Some(at) => format!("({})", self.types[at].name),
                    None => " {}".to_owned(),
                },
                2 | 3 => {
                    let ty = self.ty(depth);
                    if form == Form::Untagged {
                        all_objects = false;
                    }
                    let open = form != Form::External && self.open(&ty);
                    format!("({})", if open { "i32" } else { &ty.text })
                }
                _ => {
                    let (fields, ..) = self.fields(depth, form != Form::Untagged, false, "");
                    format!(" {{ {fields} }}")
                }
            };
            variants.push(format!("{rename}{name}{payload}"));
        }
        let number = self.fresh();
        let mut serde = self.case();
        if self.rng.chance(20) {
            serde.push(format!("rename_all_fields = \"{}\"", self.rng.pick(CASES)));
        }
        match form {
            Form::External => {}
            Form::Internal => serde.push(format!("tag = \"t{number}\"")),
            Form::Adjacent => {
                serde.extend([format!("tag = \"t{number}\""), format!("content = \"c{number}\"")])
            }
            Form::Untagged => serde.push("untagged".to_owned()),
        }
        let mut rest = false;
        if matches!(form, Form::Internal | Form::Adjacent) && self.rng.chance(15) {
            variants.push(format!("#[serde(other)] Other{number}"));
        } else if form != Form::Untagged && self.rng.chance(15) {
            let ty = *self.rng.pick(SCALARS);
            variants.push(format!("#[serde(untagged)] Rest{number}({ty})"));
            rest = true;
        }
        let object = match form {
            Form::External => units == 0,
            Form::Internal | Form::Adjacent => true,
            Form::Untagged => all_objects,
        } && !rest;
        let named = Named {
            name: format!("E{number}"),
            object,
            open: false,
            default: false,
            key: false,
            null: false,
        };
        self.add(named, &attribute(&serde), "", &format!("enum NAME {{ {} }}", variants.join(", ")))
    }

    /// Returns fields, whether all have a default, whether one is flattened, and whether any other field is allowed.
    fn fields(&mut self, depth: usize, flatten: bool, rest: bool, vis: &str) -> (String, bool, bool, bool) {
        let mut out = String::new();
        let (mut default, mut flattens, mut open) = (true, false, false);
        for i in 0..1 + self.rng.below(4) {
            let ty = self.ty(depth);
            let number = self.fresh();
            let name = format!("some_f{i}_{number}");
            if flatten && depth > 0 && self.rng.chance(15) {
                let objects: Vec<&Named> =
                    self.types.iter().filter(|t| t.object && (rest || !t.open)).collect();
                if let Some(it) = objects.last()
                    && !out.contains(&format!(": {},", it.name))
                    && !flattens
                {
                    let (ty, optional) = (&it.name, number.is_multiple_of(4) && it.name.starts_with('S'));
                    let ty = if optional { format!("Option<{ty}>") } else { ty.clone() };
                    // serde ignores this default.
                    let ignored = if it.default && number.is_multiple_of(3) { ", default" } else { "" };
                    _ = write!(out, "#[serde(flatten{ignored})] {vis}{name}: {ty}, ");
                    (default, flattens, open) = (default && it.default, true, open || it.open);
                    continue;
                }
                // serde gives what it buffers to try variants to a flattened map once more.
                if rest && !flattens {
                    _ = write!(out, "#[serde(flatten)] {vis}{name}: BTreeMap<String, serde_json::Value>, ");
                    (flattens, open) = (true, true);
                    continue;
                }
            }
            let mut serde = Vec::new();
            match self.rng.below(12) {
                0 => serde.push(format!("rename = \"f{number}\"")),
                1 => serde.push(format!("alias = \"g{number}\"")),
                2 if ty.text == "i32" || ty.text == "String" => {
                    let value = if ty.text == "i32" { "7" } else { "\"seven\".to_owned()" };
                    _ = writeln!(self.out, "fn d{number}() -> {} {{ {value} }}", ty.text);
                    serde.push(format!("default = \"d{number}\""));
                }
                3 if ty.default => serde.push("skip".to_owned()),
                4 if ty.default => serde.push("skip_serializing, default".to_owned()),
                _ => {}
            }
            if ty.default && serde.is_empty() && self.rng.chance(30) {
                serde.push("default".to_owned());
            }
            if let Some(empty) = ty.empty
                && self.rng.chance(40)
                && serde.iter().all(|s| !s.starts_with("skip"))
            {
                serde.push(format!("skip_serializing_if = \"{empty}\""));
                if ty.text.starts_with("Option") || serde.iter().any(|s| s == "default") {
                    // It is read again.
                } else {
                    serde.push("default".to_owned());
                }
            }
            default &= ty.default;
            _ = write!(out, "{}{vis}{name}: {}, ", attribute(&serde), ty.text);
        }
        (out, default, flattens, open)
    }

    fn case(&mut self) -> Vec<String> {
        match self.rng.chance(30) {
            true => vec![format!("rename_all = \"{}\"", self.rng.pick(CASES))],
            false => Vec::new(),
        }
    }
}

fn attribute(serde: &[String]) -> String {
    if serde.is_empty() { String::new() } else { format!("#[serde({})]\n", serde.join(", ")) }
}
