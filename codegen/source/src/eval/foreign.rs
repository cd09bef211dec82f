//! The values of other crates' constants and functions, and the patterns in regular expressions.

use super::Known;
use crate::value::{Map, Value};
use crdgen_rust::attrs;
use proc_macro2::{TokenStream, TokenTree};

pub(super) fn constant(full: &str) -> Option<Value> {
    let (ty, name) = full.rsplit_once("::")?;
    let ty = ty.rsplit("::").next()?;
    Some(match (ty, name) {
        ("Option", "None") => Value::Null,
        ("i8", "MAX") => Value::Int(i8::MAX.into()),
        ("i8", "MIN") => Value::Int(i8::MIN.into()),
        ("i16", "MAX") => Value::Int(i16::MAX.into()),
        ("i16", "MIN") => Value::Int(i16::MIN.into()),
        ("i32", "MAX") => Value::Int(i32::MAX.into()),
        ("i32", "MIN") => Value::Int(i32::MIN.into()),
        ("i64" | "isize", "MAX") => Value::Int(i64::MAX),
        ("i64" | "isize", "MIN") => Value::Int(i64::MIN),
        ("u8", "MAX") => Value::Int(u8::MAX.into()),
        ("u16", "MAX") => Value::Int(u16::MAX.into()),
        ("u32", "MAX") => Value::Int(u32::MAX.into()),
        // serde writes it as an integer, and crdgen keeps integers beyond 64 bits as floats.
        ("u64" | "usize", "MAX") => Value::Float(u64::MAX as f64),
        ("u8" | "u16" | "u32" | "u64" | "usize", "MIN") => Value::Int(0),
        // serde writes it as null.
        ("f32" | "f64", "INFINITY" | "NEG_INFINITY") => Value::Null,
        _ => return of_kubernetes(full.rsplit_once("::")?),
    })
}

/// The `apiVersion` and the `kind` of one of Kubernetes' own types, such as `apps/v1.Deployment`.
pub(super) fn version_and_kind(name: &str) -> Option<(String, &str)> {
    let (path, kind) = name.rsplit_once('.')?;
    let version = match path.split_once('/')? {
        ("core", version) => version.to_owned(),
        ("apps" | "autoscaling" | "batch" | "policy", _) => path.to_owned(),
        ("rbac", version) => format!("rbac.authorization.k8s.io/{version}"),
        (
            "admissionregistration"
            | "apiextensions"
            | "coordination"
            | "discovery"
            | "networking"
            | "node"
            | "scheduling"
            | "storage",
            version,
        ) => format!("{}.k8s.io/{version}", path.split_once('/')?.0),
        _ => return None,
    };
    Some((version, kind))
}

/// The constants of k8s-openapi's trait `Resource`.
fn of_kubernetes((ty, name): (&str, &str)) -> Option<Value> {
    let (version, kind) = version_and_kind(crate::foreign::kubernetes(ty)?.name)?;
    let (group, plain) = version.rsplit_once('/').unwrap_or(("", &version));
    Some(Value::from(match name {
        "API_VERSION" => version.as_str(),
        "KIND" => kind,
        "GROUP" => group,
        "VERSION" => plain,
        _ => return None,
    }))
}

/// How serde writes what a function of another crate returns for its argument.
enum Written {
    /// As the argument.
    Argument,
    /// As the argument, if that is a plain name. Addresses are written in another way.
    Name,
    /// As seconds and nanoseconds, for an argument of so many milliseconds.
    Parts(i64),
    /// As days, hours and smaller units, for an argument of so many milliseconds.
    Units(i64),
}

/// The paths of functions, or only their ends.
const FUNCTIONS: [(&str, Written); 11] = [
    ("::intstr::IntOrString::Int", Written::Argument),
    ("::intstr::IntOrString::String", Written::Argument),
    ("::resource::Quantity", Written::Argument),
    ("stackable_operator::commons::networking::HostName::from_str", Written::Name),
    ("std::time::Duration::from_millis", Written::Parts(1)),
    ("std::time::Duration::from_secs", Written::Parts(1000)),
    ("stackable_shared::time::duration::Duration::from_millis", Written::Units(1)),
    ("stackable_shared::time::duration::Duration::from_secs", Written::Units(1000)),
    ("stackable_shared::time::duration::Duration::from_minutes_unchecked", Written::Units(60_000)),
    ("stackable_shared::time::duration::Duration::from_hours_unchecked", Written::Units(3_600_000)),
    ("stackable_shared::time::duration::Duration::from_days_unchecked", Written::Units(86_400_000)),
];

/// What a function of another crate returns, as serde writes it. None if crdgen does not know the function.
pub(super) fn call(full: &str, value: &dyn Fn(usize) -> Known) -> Option<Known> {
    let is_it = |path: &str| if path.starts_with("::") { full.ends_with(path) } else { full == path };
    let (_, written) = FUNCTIONS.iter().find(|(path, _)| is_it(path))?;
    let argument = match value(0) {
        Ok(argument) => argument,
        Err(why) => return Some(Err(why)),
    };
    let millis = |each: &i64| argument.as_int()?.checked_mul(*each).filter(|it| *it >= 0);
    Some(Ok(match written {
        Written::Argument => argument,
        Written::Name => {
            let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-');
            argument.as_str()?.chars().all(is_plain).then_some(argument)?
        }
        Written::Parts(each) => {
            let all = millis(each)?;
            let parts = [("secs", all / 1000), ("nanos", all % 1000 * 1_000_000)];
            Value::Map(parts.map(|(name, number)| (name, Value::Int(number))).into_iter().collect::<Map<_>>())
        }
        Written::Units(each) => Value::from(in_units(millis(each)?)),
    }))
}

fn in_units(mut millis: i64) -> String {
    let mut out = String::new();
    for (unit, each) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)] {
        if millis / each > 0 {
            out.push_str(&format!("{}{unit}", millis / each));
        }
        millis %= each;
    }
    if out.is_empty() { "0s".to_owned() } else { out }
}

/// The pattern in `Regex::new("…")`, anywhere in the tokens. `is_regex` says whether a path names such a type.
pub(super) fn regex_new(tokens: &TokenStream, is_regex: &dyn Fn(&[String]) -> bool) -> Option<String> {
    let tokens: Vec<_> = tokens.clone().into_iter().collect();
    let inside = |token: &_| {
        if let TokenTree::Group(group) = token { regex_new(&group.stream(), is_regex) } else { None }
    };
    let here = tokens.windows(2).enumerate().find_map(|(at, two)| match two {
        [TokenTree::Ident(new), TokenTree::Group(arguments)]
            if new == "new" && is_regex(&path_before(&tokens[..at])) =>
        {
            let first = attrs::meta::split(arguments.stream()).into_iter().next()?;
            attrs::string_of(first.into_iter().collect())
        }
        _ => None,
    });
    here.or_else(|| tokens.iter().find_map(inside))
}

/// The path at the end of tokens, where `::` and another name follow.
fn path_before(tokens: &[TokenTree]) -> Vec<String> {
    let is_colon = |punct: &proc_macro2::Punct| punct.as_char() == ':';
    let (mut path, mut rest) = (Vec::new(), tokens);
    while let [before @ .., TokenTree::Ident(name), TokenTree::Punct(first), TokenTree::Punct(second)] = rest
        && is_colon(first)
        && is_colon(second)
    {
        path.insert(0, name.to_string());
        rest = before;
    }
    path
}
