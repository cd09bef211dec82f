//! The CEL equivalents of other languages' words and operators.

use super::Around;
use crate::lexer::Kind;

/// The CEL equivalents of other languages' functions, methods and properties.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (SIZES, "`size(x)` or `x.size()`"),
    (&["isEmpty", "is_empty", "empty"], "`x.size() == 0`"),
    (&["starts_with", "startswith", "hasPrefix", "has_prefix", "HasPrefix"], "`x.startsWith('…')`"),
    (&["ends_with", "endswith", "hasSuffix", "has_suffix", "HasSuffix"], "`x.endsWith('…')`"),
    (&["to_lowercase", "toLowerCase", "toLower", "tolower", "lower", "downcase"], "`x.lowerAscii()`"),
    (&["to_uppercase", "toUpperCase", "toUpper", "toupper", "upper", "upcase"], "`x.upperAscii()`"),
    (&["strip", "trimSpace", "TrimSpace"], "`x.trim()`"),
    (&["substr", "slice"], "`x.substring(start, end)`"),
    (&["is_some", "isSome", "isPresent", "is_present", "exist", "defined"], "`has(self.field)`"),
    (&["is_none", "isNone", "is_null", "isNull", "isnull", "isNil"], "`!has(self.field)`"),
    (&["unwrap", "unwrap_or", "getOrDefault", "default", "coalesce"], "`self.?field.orValue(…)`"),
    (&["to_string", "toString", "str", "String", "itoa"], "`string(x)`"),
    (&["parseInt", "to_int", "toInt", "atoi", "integer", "Number"], "`int(x)`"),
    (&["float", "parseFloat", "toFloat", "f64"], "`double(x)`"),
    (&["any", "some", "anyMatch"], "`x.exists(e, …)`"),
    (&["every", "forall", "forAll", "allMatch"], "`x.all(e, …)`"),
    (
        &["iter", "into_iter", "forEach", "for_each", "keys", "values"],
        "`x.all(e, …)` or `x.exists(e, …)`, which run over the items of a list or the keys of a map",
    ),
    (&["includes", "include", "has_item"], "`e in x` for lists and `x.contains('…')` for strings"),
    (&["contains_key", "containsKey", "has_key", "hasKey", "hasOwnProperty", "ContainsKey"], "`'key' in x`"),
    (&["get"], "`x['key']` or `x.?key`"),
    (&["first", "head"], "`x[0]`"),
    (&["last"], "`x[x.size() - 1]`"),
    (
        &["match", "test", "is_match", "isMatch", "regexMatch", "re_match", "regex", "like"],
        "`x.matches('^…$')`",
    ),
    (&["typeof", "instanceof"], "`type(x)`"),
    (&["concat", "append", "push"], "`x + y`"),
    (&["date", "Date", "datetime", "parseDate"], "`timestamp('2006-01-02T15:04:05Z')`"),
];

const SIZES: &[&str] = &["len", "length", "Length", "count", "Count", "strlen", "sizeof", "size"];

/// What the calls of macros look like.
const MACROS: &[(&str, &str)] = &[
    ("has", "`has` takes one field, `has(self.a)`; whether a map has a key is `'key' in self.m`"),
    ("all", "`all` takes a name and a condition: `self.items.all(x, x > 0)`"),
    ("exists", "`exists` takes a name and a condition: `self.items.exists(x, x > 0)`"),
    ("exists_one", "`exists_one` takes a name and a condition: `self.items.exists_one(x, x > 0)`"),
    ("filter", "`filter` takes a name and a condition: `self.items.filter(x, x > 0)`"),
    ("map", "`map` takes a name and a value: `self.items.map(x, x + 1)`"),
];

const ABSENT: &str =
    "in CEL, write `null`. An absent field is not null: test for presence with `has(self.a)`";
const NO_TIME: &str =
    "rules cannot read the current time, so that the server always treats the same object in the same way";
const TERNARY: &str = "in CEL, write `condition ? a : b`";
const NULL_FALLBACK: &str = "in CEL, write `self.?a.orValue(b)` for a value or a fallback";

pub(super) fn is_size(name: &str) -> bool {
    SIZES.contains(&name)
}

/// The names of the macros.
pub(super) fn macros<'a>() -> impl Iterator<Item = &'a str> {
    MACROS.iter().map(|(name, _)| *name)
}

/// How a macro is used.
pub(crate) fn usage(name: &str) -> Option<&'static str> {
    MACROS.iter().find(|(known, _)| *known == name).map(|(_, usage)| *usage)
}

/// The CEL equivalent of a function, method or property that does not exist.
pub(super) fn function(name: &str) -> Option<String> {
    if matches!(name, "now" | "today" | "time") {
        return Some(NO_TIME.to_owned());
    }
    if let Some(usage) = usage(name) {
        return Some(usage.to_owned());
    }
    let (_, cel) = FUNCTIONS.iter().find(|(names, _)| names.contains(&name))?;
    Some(format!("in CEL, write {cel}"))
}

/// The CEL equivalent of a variable that does not exist.
pub(super) fn variable(name: &str) -> Option<String> {
    Some(match name {
        "None" | "nil" | "NULL" | "Null" | "undefined" | "nullptr" => ABSENT.to_owned(),
        "True" | "TRUE" | "yes" => "in CEL, write `true`".to_owned(),
        "False" | "FALSE" | "no" => "in CEL, write `false`".to_owned(),
        "this" | "it" | "obj" | "object" | "value" => "in CEL rules, the value is `self`".to_owned(),
        "old" | "oldObject" | "previous" => {
            "in CEL rules, the value before the update is `oldSelf`".to_owned()
        }
        "request" | "params" | "variables" | "authorizer" | "namespaceObject" => {
            format!("rules of a CRD can only use `self` and `oldSelf`; `{name}` is for admission policies")
        }
        "now" | "time" => NO_TIME.to_owned(),
        "cel" => "servers do not have `cel.bind`: repeat the expression where its value is used".to_owned(),
        "Math" | "math" | "String" | "Object" | "regexp" | "re" => {
            format!("CEL has no `{name}`: functions are called on values, as in `self.a.size()`")
        }
        _ => return None,
    })
}

/// The CEL equivalent of a reserved word.
pub(super) fn reserved(name: &str) -> Option<String> {
    Some(match name {
        "if" | "else" => TERNARY.to_owned(),
        "for" | "while" | "loop" => {
            "in CEL, write `self.items.all(x, …)` or `self.items.exists(x, …)`".to_owned()
        }
        "var" | "let" | "const" | "function" => "CEL has no variables and functions of your own".to_owned(),
        _ => format!("if it is a field of the value, write `self.{name}`"),
    })
}

pub(super) fn macro_call(name: &str) -> String {
    match usage(name) {
        Some(usage) => usage.to_owned(),
        None => format!("`{name}` takes a name first: `self.items.{name}(x, …)`"),
    }
}

/// What a valid literal argument of a function looks like.
pub(super) fn argument(function: &str) -> Option<String> {
    Some(match function {
        "duration" => "a duration looks like `'1h30m'`, with the units h, m, s, ms, us and ns".to_owned(),
        "timestamp" => "a timestamp looks like `'2006-01-02T15:04:05Z'`".to_owned(),
        "matches" => "use the syntax of RE2, which has no look-around and no back-references".to_owned(),
        _ => return None,
    })
}

/// The CEL equivalent of characters that are not a token.
pub(super) fn characters(skipped: &str, around: &Around<'_>) -> Option<String> {
    let mut chars = skipped.chars();
    let (first, second) = (chars.next()?, chars.next());
    Some(
        match (first, second) {
            ('=', Some('~')) => "in CEL, write `x.matches('^…$')`",
            ('=', Some('>')) => {
                "in CEL, write `>=` to compare; a loop takes a name and a condition: `self.items.all(x, x > 0)`"
            }
            ('=', _) => match around.before() {
                "!=" => "in CEL, write `!=`",
                _ => "use `==` to compare values",
            },
            ('&', _) => "in CEL, write `&&`",
            ('|', _) => "in CEL, write `||`",
            ('~', _) => "in CEL, write `x.matches('^…$')`, and `!x.matches('^…$')`",
            ('\'' | '"', _) => "the string is not closed: a quote is missing, or a quote inside needs a `\\`",
            (';', _) => "a rule is one expression: leave the `;` out",
            ('#', _) => "a comment begins with `//`",
            ('\\', _) => {
                "`\\` may be used in strings only; in YAML and Rust, strings have escapes of their own"
            }
            ('$' | '@', _) => "write a field as `self.a`",
            ('^', _) => "CEL has no `^`",
            ('“' | '”' | '‘' | '’' | '„', _) => "use straight quotes: `'…'` or `\"…\"`",
            _ => return None,
        }
        .to_owned(),
    )
}

/// The CEL equivalent of a token that is not allowed at its place.
pub(super) fn token(around: &Around<'_>) -> Option<String> {
    let is_not = |word: &str| matches!(word, "not" | "NOT");
    Some(
        match (around.before(), around.here(), around.behind()) {
            (_, "and" | "AND" | "And", _) => "in CEL, write `&&`",
            (_, "or" | "OR" | "Or", _) => "in CEL, write `||`",
            (_, word, "in") if is_not(word) => "in CEL, write `!(x in y)`",
            (word, "in", _) if is_not(word) => "in CEL, write `!(x in y)`",
            (word, _, _) if is_not(word) => "in CEL, write `!`",
            (_, "is", "not") => "in CEL, write `!=`; test for presence with `has(self.a)`",
            (_, "is" | "eq" | "equals", _) => "in CEL, write `==`; test for absence with `!has(self.a)`",
            (_, "ne" | "neq", _) => "in CEL, write `!=`",
            (_, "lt" | "le" | "lte" | "gt" | "ge" | "gte", _) => "in CEL, write `<`, `<=`, `>` and `>=`",
            (_, "contains" | "includes", _) => {
                "in CEL, write `x.contains(y)` for strings and `y in x` for lists"
            }
            (_, "matches" | "like" | "LIKE", _) => "in CEL, write `x.matches('^…$')`",
            (_, "mod", _) => "in CEL, write `%`",
            (_, "xor" | "XOR", _) => "in CEL, write `a != b` for two bools",
            (_, "implies", _) => "in CEL, write `!a || b`",
            (_, "if" | "then" | "else", _) | ("if" | "then" | "else", _, _) => TERNARY,
            ("for" | "foreach", _, _) => "in CEL, write `self.items.all(x, …)` or `self.items.exists(x, …)`",
            ("return", _, _) => "a rule is one expression: leave `return` out",
            ("let" | "var", _, _) => "CEL has no variables of your own",
            ("<", ">", _) => "in CEL, write `!=`",
            ("*", "*", _) => "CEL has no operator for powers: write `x * x`",
            ("+", "+", _) | ("-", "-", _) => "CEL cannot change values: write `x + 1`",
            ("?", "?", _) | ("?", ":", _) => NULL_FALLBACK,
            ("-", ">", _) => "a loop takes a name and a condition: `self.items.all(x, x > 0)`",
            _ if around.has_pair(Kind::Question, Kind::Dot) => "in CEL, write `a.?b`",
            (_, "", _) => "the expression is not complete: it ends here",
            _ => return None,
        }
        .to_owned(),
    )
}
