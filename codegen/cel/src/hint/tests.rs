use super::hints;
use crate::check::{Declarations, Env};
use crate::types::{Ty, Types};
use crate::{Kube, check, parse};

/// The fields of `self`.
const FIELDS: &[(&str, Ty)] = &[
    ("a", Ty::INT),
    ("keepLast", Ty::INT),
    ("my__dash__field", Ty::INT),
    ("s", Ty::STRING),
    ("t", Ty::TIMESTAMP),
    ("d", Ty::DURATION),
    ("f", Ty::DOUBLE),
    ("b", Ty::BOOL),
];

struct This;

impl Declarations for This {
    fn field(&self, types: &mut Types, _: u32, _: &str, field: &str) -> Option<Ty> {
        Some(match field {
            "l" => types.list(Ty::STRING),
            "m" => types.map(Ty::STRING, Ty::STRING),
            _ => FIELDS.iter().find(|(name, _)| *name == field)?.1,
        })
    }

    fn fields(&self, _: u32) -> Vec<String> {
        FIELDS.iter().map(|(name, _)| (*name).to_owned()).chain(["l".to_owned(), "m".to_owned()]).collect()
    }

    fn is_untyped(&self, _: u32, field: &str) -> bool {
        field == "hidden"
    }
}

fn advice(text: &str) -> Option<String> {
    let mut types = Types::default();
    let this = types.object(0, "self");
    let kube = Kube::CURRENT;
    let variables = [("self", this), ("oldSelf", this)];
    let env = Env { libraries: kube.into(), variables: &variables, declarations: &This };
    let issues = parse(text, kube).and_then(|ast| check(ast, &env, &mut types)).err();
    hints(text, &issues.unwrap_or_else(|| panic!("{text} is right")))
}

#[track_caller]
fn says(text: &str, part: &str) {
    let hint = advice(text).unwrap_or_else(|| panic!("no hint for {text}"));
    assert!(hint.contains(part), "{text}: {hint}");
}

#[test]
fn words_of_other_languages() {
    for (text, part) in [
        ("self.a > 1 and self.b", "in CEL, write `&&`"),
        ("self.b or self.b", "in CEL, write `||`"),
        ("not self.b", "in CEL, write `!`"),
        ("self.s not in self.l", "in CEL, write `!(x in y)`"),
        ("self.a is None", "in CEL, write `==`"),
        ("self.a is not None", "in CEL, write `!=`"),
        ("self.a == None", "has(self.a)"),
        ("self.b == True", "in CEL, write `true`"),
        ("self.a = 1", "use `==`"),
        ("self.a=1", "use `==`"),
        ("self.a === 1", "use `==`"),
        ("self.a !== 1", "in CEL, write `!=`"),
        ("self.a <> 1", "in CEL, write `!=`"),
        ("self.b & self.b", "in CEL, write `&&`"),
        ("self.b | self.b", "in CEL, write `||`"),
        ("self.s =~ '^a'", "x.matches("),
        ("self.s !~ '^a'", "x.matches("),
        ("self.s matches '^a'", "x.matches("),
        ("if self.b then self.b else self.b", "condition ? a : b"),
        ("self.a if self.b else self.a", "condition ? a : b"),
        ("if (self.b) { self.b }", "condition ? a : b"),
        ("return self.b", "leave `return` out"),
        ("self.b;", "leave the `;` out"),
        ("self.s == 'a", "not closed"),
        ("self.a ?? 1", "self.?a.orValue(b)"),
        ("self?.a == 1", "in CEL, write `a.?b`"),
        ("len(self.s) > 1", "`size(x)`"),
        ("self.s.length > 1", "`x.size()`"),
        ("self.s.length() > 1", "`x.size()`"),
        ("self.l.len() > 1", "`x.size()`"),
        ("self.length > 1", "`x.size()`"),
        ("self.s.is_empty()", "`x.size() == 0`"),
        ("self.s.starts_with('a')", "startsWith"),
        ("self.l.any(x, x == 'a')", "`x.exists(e, …)`"),
        ("self.l.has_item('a')", "`e in x`"),
        ("self.l.contains('a')", "`y in x`"),
        ("self.m.has('a')", "'key' in self.m"),
        ("'a' in self.s", "x.contains(y)"),
        ("self.l.all(x > 'a')", "takes a name and a condition"),
        ("self.l.all(x => x > 'a')", "takes a name and a condition"),
        ("has(self.m['a'])", "'key' in self.m"),
        ("object.a > 1", "`self`"),
        ("request.userInfo == 'a'", "admission policies"),
        ("self.t < now()", "the current time"),
        ("contains(self.s, 'a')", "`x.contains(…)`"),
    ] {
        says(text, part);
    }
}

#[test]
fn names_that_are_nearly_right() {
    for (text, part) in [
        ("self.keepLas > 1", "did you mean `keepLast`?"),
        ("self.keep_last > 1", "did you mean `keepLast`?"),
        ("self.my-field > 1", "in rules, write the field `my-field` as `my__dash__field`"),
        ("self.my__dash__feld > 1", "did you mean `my__dash__field`?"),
        ("self.s.startWith('a')", "did you mean `startsWith`?"),
        ("slf.a > 1", "did you mean `self`?"),
        ("oldself.a > 1", "did you mean `oldSelf`?"),
        ("keepLast > 1", "write `self.keepLast`"),
        ("self.hidden > 1", "without a type"),
    ] {
        says(text, part);
    }
}

#[test]
fn operands_of_other_types() {
    for (text, part) in [
        ("self.a != null", "test for presence with `has(self.a)`"),
        ("self.a == null", "test for absence with `!has(self.a)`"),
        ("null == self.a", "test for absence with `!has(self.a)`"),
        ("self.l[0] != null", "test for presence with `has(self.a)`"),
        ("self.m['k'] != null", "test for presence with `'k' in self.m`"),
        ("self.m['k'] == null", "test for absence with `!('k' in self.m)`"),
        ("self.s && self.b", "test for presence with `has(self.s)`"),
        ("!self.s", "test for absence with `!has(self.s)`"),
        ("self.s + self.a == 'a1'", "string(…)"),
        ("self.a + self.f > 1.0", "double(…)"),
        ("self.s > 1", "int(…)"),
        ("self.t > '2024'", "timestamp("),
        ("self.d > 5", "duration("),
        ("self.b == 'true'", "without quotes"),
        ("self['a'] > 1", "write `self.a`"),
        ("self.?a > 1", ".orValue(…)"),
        ("self.a.orValue(1) > 1", "only optional values have `orValue`, such as `self.?a`"),
        ("oldSelf.hasValue()", "`optionalOldSelf: true`"),
        ("oldSelf.orValue(self).a > 1", "`optionalOldSelf: true`"),
        ("duration('5') > self.d", "looks like `'1h30m'`"),
    ] {
        says(text, part);
    }
}

#[test]
fn hints_are_given_once() {
    let hint = advice("self.a > 1 and self.b and self.b").unwrap_or_default();
    assert_eq!(hint.matches("in CEL, write `&&`").count(), 1, "{hint}");
}
